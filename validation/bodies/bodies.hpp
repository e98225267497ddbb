// SPDX-License-Identifier: MIT
// Shared by the cases of bodies: conserved sums, and short functions that add a rod, a bob or a joint.
#pragma once

#include <validation/harness/suite.hpp>

#include <vector>

namespace capstan::validation {

// The sums that a motion without outer forces conserves.
struct Kept {
    Vec3d momentum = {0, 0, 0};
    Vec3d angular = {0, 0, 0}; // about the origin
    double energy = 0;         // J, kinetic
    double scale = 0;          // sum m |v|, the scale for errors of the momentum
};
// Sums in double precision over the values that the world returns, which are in single precision.
Kept kept(const World& world, const std::vector<BodyId>& bodies);

// Rotation of the body in double precision, normalised.
Quatd attitude(const World& world, BodyId body);
// Takes a direction from the body's axes into the world.
Vec3d direction(const World& world, BodyId body, Vec3d own);
// A rotation about z by an angle in rad.
Quatf aboutZ(double angle);

// A bar of square section along its own y. It hangs from its top, at a hinge about z through the origin. `angle` is
// measured from the downward vertical.
struct Bar {
    double mass = 1, length = 1, thickness = 0.02;
    double inertia() const; // kg m^2, about the centre, across the bar
    double inertiaOfHinge() const { return inertia() + mass * length * length / 4; }
};
struct Hung {
    BodyId body;
    JointId joint;
};
Hung hang(World& world, const Bar& bar, double angle);

// A conical pendulum, for B3 and for the ball joint of B5.
std::vector<Measured> conicalPendulum(double angle, Resolution resolution);
// B5: a chain of 20 bodies for a minute. Body `load` is the heavy one.
std::vector<Measured> whirl(int load, Resolution resolution);

} // namespace capstan::validation
