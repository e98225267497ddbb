// SPDX-License-Identifier: MIT
// A step of a group of chain ropes: together in lanes; a rope that does not converge is rescued by itself.
//
// The ladder of a rope that Newton cannot solve:
//   1. again in two halves, cautiously (from the places the nodes have), without history; up to three times
//   2. last resort: stay where you are, follow the pins at full length. Motion is lost, the rope is not.
// `capstan bench kicks` tries it: 1000 seeds each of 10 m/s kicks, 12 m/s shaking and slack snapping taut, at loads up to
// 10^4 times the rope. The last resort is met less than once per seed, and a fifth of a second later no rope is off its
// length by more than 0.06 %.
#pragma once

#include <capstan/model/model.hpp>

#include <cstddef>
#include <vector>

namespace capstan {

struct ChainCounts {
    int solves = 0;
    int retries = 0;
    int lastResorts = 0;
};

// Working memory of one thread. Doubles, so that any number of lanes finds its alignment in it.
struct ChainScratch {
    std::vector<double> nodes, past;
    std::vector<double> rings;                                // closed ropes only
    std::vector<double> rescueNodes, rescuePast, rescueRings; // of one rope that shares its lanes
    std::size_t bytes() const;
    void reserve(int laneNodes, int longest, bool withRings);
};

// All substeps of length dt of one group.
ChainCounts stepChainGroup(Model& m, State& s, const ChainGroup& g, ChainScratch& scratch, Vec3 gravity,
                           double dt, int substeps);

// The last substeps of one rope, the first of which Newton could not solve: that one is done by rescue.
ChainCounts finishChain(Model& m, State& s, int rope, ChainScratch& scratch, Vec3 gravity, double dt,
                        int substeps);

} // namespace capstan
