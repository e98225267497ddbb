// SPDX-License-Identifier: MIT
// Checks a JointDef and makes a joint from it.
#pragma once

#include "model/body.hpp"
#include <capstan/result.hpp>

namespace capstan {

// Checks the numbers of a JointDef. World checks whether the named objects exist.
Status checkJoint(const JointDef& d);

// The poses of the sides of a joint when it is created.
struct JointSides {
    Pose body[2];           // principal axes in the world; the world itself: the unit pose
    Vec3d node = {0, 0, 0}; // of the rope, if there is one
    Pose principal[2] = {}; // principal axes in the body; the world itself: the unit pose
};

// Sets a joint, except its slots (body, rope, node), and its initial state. A Def that passes checkJoint()
// can still be impossible: a drum whose rope would leave it on its axis.
Status makeJoint(const JointDef& d, const JointSides& sides, Joint& j, JointState& s);

// Sets everything that can be edited: axes, limits, drives, springs. Frames stay unchanged.
void fitJoint(const JointDef& d, Joint& j);

} // namespace capstan
