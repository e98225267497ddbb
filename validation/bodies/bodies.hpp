// SPDX-License-Identifier: MIT
// What the cases of bodies share: conserved sums, and short ways to say a rod, a bob and a joint to the
// world.
#pragma once

#include <validation/harness/suite.hpp>

#include <vector>

namespace capstan::validation {

// What motion without outer forces keeps.
struct Kept {
    Vec3d momentum = {0, 0, 0};
    Vec3d angular = {0, 0, 0}; // about the origin
    double energy = 0;         // of motion
    double scale = 0;          // sum m |v|, which momentum is compared with
};
// Summed in double from what the world hands out, which is in single.
Kept kept(const World& world, const std::vector<BodyId>& bodies);

// How the body is turned, in double and of length 1.
Quatd attitude(const World& world, BodyId body);
// The body's own direction, in the world.
Vec3d direction(const World& world, BodyId body, Vec3d own);
// A turn about z.
Quatf aboutZ(double angle);

// A bar of square section along its own y, hanging from its top at a hinge about z through the origin,
// turned by `angle` from the downward vertical.
struct Bar {
    double mass = 1, length = 1, thickness = 0.02;
    double inertia() const; // about the centre, across
    double inertiaOfHinge() const { return inertia() + mass * length * length / 4; }
};
struct Hung {
    BodyId body;
    JointId joint;
};
Hung hang(World& world, const Bar& bar, double angle);

// B3, and one of B5's joints.
std::vector<Measured> conicalPendulum(double angle, Resolution resolution);
// B5: a chain of 20 bodies for a minute, of which `load` is the heavy one.
std::vector<Measured> whirl(int load, Resolution resolution);

} // namespace capstan::validation
