// SPDX-License-Identifier: MIT
// The substeps of a group of ropes, one rope per lane. A rope that does not converge is rescued by itself.
//
// The fallbacks of a rope that Newton cannot solve:
//   1. two half substeps with the cautious start (from the current positions), without history; three levels
//      of halving at most.
//   2. last resort: one linear step. Its speeds are the nearest ones that keep all lengths, so the rope flies on.
//      Then each pin pulls nodes to their lengths. A closed rope, and one whose speeds are not finite, follows its pins
//      and is held still. Stopping every rope so was refused: it hung in mid-air, without any of its energy.
// `capstan bench kicks` measures these fallbacks with 1000 seeds of each experiment. The experiments are
// kicks of 10 m/s, shaking at 12 m/s, and a slack rope that snaps taut. Hanging masses are up to 10^4 times
// the mass of the rope. The last resort occurs less than once per seed. A fifth of a second later no rope's
// length is wrong by more than 0.06 %.
#pragma once

#include "model/model.hpp"

#include <cstddef>
#include <vector>

namespace capstan {

struct ChainCounts {
    int solves = 0;
    int retries = 0;
    int heldStill = 0;
    int refined = 0; // substeps that were cut into parts (kinks.hpp)
    void operator+=(const ChainCounts& n) {
        solves += n.solves;
        retries += n.retries;
        heldStill += n.heldStill;
        refined += n.refined;
    }
};

// Working memory of one thread, as arrays of double. It holds the nodes of groups of any width, aligned to 64
// bytes.
struct ChainScratch {
    std::vector<double> nodes, past;
    std::vector<double> rings;                                // closed ropes only
    std::vector<double> rescueNodes, rescuePast, rescueRings; // for one rope of several in a group
    std::size_t bytes() const;
    void reserve(int laneNodes, int longest, bool withRings);
};

// Solves `substeps` substeps of length dt of one group.
ChainCounts stepChainGroup(Model& m, State& s, const ChainGroup& g, ChainScratch& scratch, Vec3 gravity,
                           double dt, int substeps);

// Solves the last `substeps` substeps of one rope. The first of them is one that Newton could not solve, so
// rescue solves it.
ChainCounts finishChain(Model& m, State& s, int rope, ChainScratch& scratch, Vec3 gravity, double dt,
                        int substeps);

// Does all substeps of one rope, each in as many parts as its kinks need.
ChainCounts stepChainInParts(Model& m, State& s, int rope, ChainScratch& scratch, Vec3 gravity, double dt,
                             int substeps);

} // namespace capstan
