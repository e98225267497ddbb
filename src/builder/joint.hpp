// SPDX-License-Identifier: MIT
// Checks a JointDef and makes a joint from it.
#pragma once

#include "model/body.hpp"
#include <capstan/result.hpp>

namespace capstan {

// Checks the numbers of a JointDef. World checks whether the named objects exist.
Status checkJoint(const JointDef& d);

// Poses of the sides of a joint when it is created.
struct JointSides {
    Pose body[2];           // principal axes of each body in the world; the identity for the world itself
    Vec3d node = {0, 0, 0}; // m, position of the rope's node, if the joint has one
    Pose principal[2] = {}; // principal axes in the axes of the BodyDef; the identity for the world itself
};

// Sets a joint, except its slots (body, rope, node), and its initial state. Even if checkJoint() accepts the Def, an
// Error can follow from the poses, such as a rope that leaves its drum on the drum's axis.
Status makeJoint(const JointDef& d, const JointSides& sides, Joint& j, JointState& s);

// Sets all members that can be edited: axes, limits, drives, springs. Frames are not changed.
void fitJoint(const JointDef& d, Joint& j);

} // namespace capstan
