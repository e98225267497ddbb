// SPDX-License-Identifier: MIT
// Report: how a step went. Events: what happened in it.
#pragma once

#include <capstan/id.hpp>

namespace capstan {

struct Energy { // joules
    double kinetic = 0;
    double potential = 0; // gravity
    double elastic = 0;   // stretch and bend of ropes, springs of joints
    double total() const { return kinetic + potential + elastic; }
};

struct Report {
    float maxStretch = 0; // largest |arc length / rest length - 1| of a rope; 0.01 is 1 %
    float maxStrain = 0;  // the same of one segment
    int solves = 0;       // Newton solves of ropes and joint trees, all of them and all substeps together
    int retries = 0;      // their substeps done again in two halves
    int lastResorts = 0;  // substeps that were only kept together, at the cost of their motion
    float maxGap = 0;     // m, the farthest that a joint's two sides are apart
    int quarantined = 0;  // ropes and bodies frozen because they held a number that is not finite
};

struct Event {
    enum class Kind { RopeBroke, RopeQuarantined, JointBroke, BodyQuarantined };
    Kind kind = Kind::RopeBroke;
    RopeId rope;        // what it happened to
    RopeId other;       // RopeBroke: the part behind the break; null if a ring opened
    int segment = 0;    // RopeBroke: where
    float tension = 0;  // RopeBroke, JointBroke: N, at that moment
    BodyId body = {};   // BodyQuarantined
    JointId joint = {}; // JointBroke: it is disabled from now on
};

} // namespace capstan
