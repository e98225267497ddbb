// SPDX-License-Identifier: MIT
// Helpers of the cases of bodies: conserved sums, and short functions that add a rod, a bob or a joint.
#pragma once

#include <validation/harness/suite.hpp>

#include <vector>

namespace capstan::validation {

// Sums that are conserved if no external force acts.
struct Kept {
    Vec3d momentum = {0, 0, 0};
    Vec3d angular = {0, 0, 0}; // kg m^2/s, angular momentum about the origin
    double energy = 0;         // J, kinetic
    double scale = 0;          // kg m/s, sum m |v|, by which errors of the momentum are divided
};
// Returns the sums in double. The world's values are in single precision.
Kept kept(const World& world, const std::vector<BodyId>& bodies);

// Returns the rotation of the body in double, normalised.
Quatd attitude(const World& world, BodyId body);
// Rotates a direction from the body's local frame to the world.
Vec3d direction(const World& world, BodyId body, Vec3d own);
// Returns a rotation about z [rad].
Quatf aboutZ(double angle);

// A bar of square section along its own y axis. Its upper end is on a hinge about z through the origin. Functions
// measure its angle from the downward vertical.
struct Bar {
    double mass = 1, length = 1, thickness = 0.02;
    double inertia() const; // kg m^2, about the centre and an axis across the bar
    double inertiaOfHinge() const { return inertia() + mass * length * length / 4; }
};
struct Hung {
    BodyId body;
    JointId joint;
};
Hung hang(World& world, const Bar& bar, double angle);

// Measures a conical pendulum, for B3 and for the ball joint of B5.
std::vector<Measured> conicalPendulum(double angle, Resolution resolution);
// Measures B5, drift, with the heavy bar at index `load`.
std::vector<Measured> whirl(int load, Resolution resolution);

} // namespace capstan::validation
