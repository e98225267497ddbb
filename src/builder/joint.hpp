// SPDX-License-Identifier: MIT
// From a JointDef to a joint.
#pragma once

#include "model/body.hpp"
#include <capstan/result.hpp>

namespace capstan {

// Whether the def makes sense by itself; whether those it joins are there is asked by World.
Status checkJoint(const JointDef& d);

// What a joint joins, at the moment it is made.
struct JointSides {
    Pose body[2];           // principal axes in the world; the world itself: the unit pose
    Vec3d node = {0, 0, 0}; // of the rope, if there is one
    Pose principal[2] = {}; // principal axes in the body; the world itself: the unit pose
};

// All of a joint but its slots (body, rope, node), and the state it starts in. A def that passes checkJoint() can
// still ask for the impossible: a drum whose rope leaves it on its axis.
Status makeJoint(const JointDef& d, const JointSides& sides, Joint& j, JointState& s);

// Everything that can be edited: axes, limits, drives, springs. Frames stay.
void fitJoint(const JointDef& d, Joint& j);

} // namespace capstan
