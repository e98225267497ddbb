// SPDX-License-Identifier: MIT
// Helpers of the tests of joints: bodies, a rope and joints, in a world that takes no step.
#pragma once

#include <tests/world/worlds.hpp>

namespace capstan {

inline BodyDef ball(const char* name, Vec3 at = {0, 0, 0}, BodyType type = BodyType::Dynamic) {
    BodyDef d;
    d.name = name;
    d.type = type;
    d.shape = Sphere{0.1f};
    d.position = at;
    return d;
}

inline RopeDef line(const char* name, int segments = 10) {
    RopeDef d;
    d.name = name;
    d.from = {0, 0, 0};
    d.to = {float(segments), 0, 0};
    d.segments = segments;
    return d;
}

// Two bodies called "a" and "b", a static "wall", and a rope "r" of nodes 0 to 10 at x = 0 to 10.
struct Yard {
    World w{{.contact = false}};
    BodyId a = w.add(ball("a")), b = w.add(ball("b", {1, 0, 0}));
    BodyId wall = w.add(ball("wall", {0, 5, 0}, BodyType::Static));
    RopeId r = w.add(line("r"));
};

inline JointDef hinge() {
    JointDef d;
    d.type = JointType::Hinge;
    d.body0 = "a";
    d.body1 = "b";
    d.axis = {0, 0, 1};
    return d;
}

inline JointDef tie(int node) {
    JointDef d;
    d.rope = "r";
    d.body1 = "a";
    d.node = node;
    return d;
}

} // namespace capstan
