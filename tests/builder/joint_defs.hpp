// SPDX-License-Identifier: MIT
// A valid JointDef of each type, which the tests of the builder modify.
#pragma once

#include "builder/joint.hpp"

namespace capstan {

inline JointDef of(JointType type) {
    JointDef d;
    d.type = type;
    d.body0 = "a";
    d.body1 = "b";
    d.axis = Vec3{0, 0, 1};
    return d;
}

} // namespace capstan
