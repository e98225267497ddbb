// SPDX-License-Identifier: MIT
// Helpers of the tests of XPBD joints: bodies and joints.
#pragma once

#include <capstan/capstan.hpp>

namespace capstan {

inline constexpr float kFrame = 1.0f / 60;

inline BodyDef box(Vec3 at, float mass, Vec3 size) {
    BodyDef d;
    d.shape = Box{size};
    d.mass = mass;
    d.position = at;
    return d;
}

inline JointDef joint(JointType type, BodyRef body0, BodyRef body1, Vec3 anchor, Vec3 axis = {0, 0, 1}) {
    JointDef d;
    d.type = type;
    d.body0 = body0;
    d.body1 = body1;
    d.anchor = anchor;
    d.axis = axis;
    return d;
}

} // namespace capstan
