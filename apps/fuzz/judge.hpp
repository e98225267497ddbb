// SPDX-License-Identifier: MIT
// Judge: runs a recipe several times and says what is wrong with it, in this process.
//
// One run on simd with one thread is watched by all oracles. The others must repeat it: a World that goes on from a
// snapshot, two threads, and scalar code.
#pragma once

#include <apps/fuzz/oracles.hpp>

#include <string>

namespace capstan::fuzz {

struct Verdict {
    Fault fault;
    int steps = 0;          // of the watched run
    int judgedEnergy = 0;   // steps whose energy was judged
    int refused = 0;        // calls that were refused, of all runs of the process
    int quarantined = 0;    // objects frozen in a lawless world
    double longestStep = 0; // s, processor time
};

Verdict judge(const Recipe& recipe);

} // namespace capstan::fuzz
