// SPDX-License-Identifier: MIT
// Chain race: engines on one chain, turn by turn as in race.hpp.
//
// Reduced coordinates keep joints shut and blow up instead. A chain that holds a number that is not finite is
// started anew, and that is counted: its time then remains one of whole chains, over as many frames as anybody's.
#pragma once

#include <bench/peers/capstan_chains.hpp>
#include <bench/setups/race.hpp>

namespace capstan::bench {

struct ChainEntrant {
    Row row;
    ChainSetup setup;
    int frames = 0;
    std::function<std::unique_ptr<Chains>()> make; // gives null where the engine is not there

    // What a race finds, of the first chain.
    std::unique_ptr<Chains> chains;
    std::vector<double> micros;         // per frame
    double worstGap = 0, worstAxis = 0; // m and rad, at the end of any frame
    double energyFirst = 0;
    double energyHighest = 0,
           energyAt10s = 0; // the second of frame 600, where it came so far without a new start
    int nonFinite = 0;      // new starts
};

// Runs all to their end and fills in times, hash and quality. Those that are not there are taken out.
void raceChains(std::vector<ChainEntrant>& entrants, const Options& options, const std::string& caseName);

} // namespace capstan::bench
