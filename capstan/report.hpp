// SPDX-License-Identifier: MIT
// Report: how a step went. Events: what happened in it.
#pragma once

#include <capstan/id.hpp>

namespace capstan {

struct Energy { // joules
    double kinetic = 0;
    double potential = 0; // gravity
    double elastic = 0;   // stretch and bend
    double total() const { return kinetic + potential + elastic; }
};

struct Report {
    float maxStretch = 0; // largest |arc length / rest length - 1| of a rope; 0.01 is 1 %
    float maxStrain = 0;  // the same of one segment
    int solves = 0;       // Newton solves of rope chains, all ropes and substeps together
    int retries = 0;      // chain substeps done again in two halves
    int lastResorts = 0;  // chain substeps that were only kept together, at the cost of their motion
    int quarantined = 0;  // ropes frozen because they held a number that is not finite
};

struct Event {
    enum class Kind { RopeBroke, RopeQuarantined };
    Kind kind = Kind::RopeBroke;
    RopeId rope;       // what it happened to
    RopeId other;      // RopeBroke: the part behind the break; null if a ring opened
    int segment = 0;   // RopeBroke: where
    float tension = 0; // RopeBroke: N, at that moment
};

} // namespace capstan
