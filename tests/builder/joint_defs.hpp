// SPDX-License-Identifier: MIT
// The JointDef from which the tests of the builder begin.
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
