// SPDX-License-Identifier: MIT
// The step of a group of chain ropes, one per lane. A rope that does not converge is rescued by itself.
//
// The fallbacks of a rope that Newton cannot solve:
//   1. two half substeps with the cautious start (from the present positions), without history; up to three levels.
//   2. last resort: nodes stay where they are and follow the pins at full length. Motion is lost, the rope is not.
// `capstan bench kicks` measures them, with 1000 seeds each of 10 m/s kicks, 12 m/s shaking, and a slack rope
// that snaps taut. Loads are up to 10^4 times the mass of the rope. The last resort occurs less than once per
// seed. A fifth of a second later no rope's length is wrong by more than 0.06 %.
#pragma once

#include "model/model.hpp"

#include <cstddef>
#include <vector>

namespace capstan {

struct ChainCounts {
    int solves = 0;
    int retries = 0;
    int heldStill = 0;
};

// Working memory of one thread. Its type is double, so that packs of any number of lanes find their alignment
// in it.
struct ChainScratch {
    std::vector<double> nodes, past;
    std::vector<double> rings;                                // closed ropes only
    std::vector<double> rescueNodes, rescuePast, rescueRings; // for one rope of several in a group
    std::size_t bytes() const;
    void reserve(int laneNodes, int longest, bool withRings);
};

// Does all substeps, of length dt, of one group.
ChainCounts stepChainGroup(Model& m, State& s, const ChainGroup& g, ChainScratch& scratch, Vec3 gravity,
                           double dt, int substeps);

// Does the last substeps of one rope. Newton could not solve the first of them, so rescue solves that one.
ChainCounts finishChain(Model& m, State& s, int rope, ChainScratch& scratch, Vec3 gravity, double dt,
                        int substeps);

} // namespace capstan
