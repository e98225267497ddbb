// SPDX-License-Identifier: MIT
// Chain race: several engines simulate the same chain and take turns, as in race.hpp.
//
// Engines with reduced coordinates keep joints closed but may diverge. A chain with a number that is not finite is
// restarted, and restarts are counted. So the time is always that of a valid chain, over the same number of frames.
#pragma once

#include <bench/peers/capstan_chains.hpp>
#include <bench/setups/race.hpp>

namespace capstan::bench {

struct ChainEntrant {
    Row row;
    ChainSetup setup;
    int frames = 0;
    std::function<std::unique_ptr<Chains>()> make; // returns null if the engine is not available

    // Results of a race, of the first chain.
    std::unique_ptr<Chains> chains;
    std::vector<double> micros;         // us, time of each frame
    double worstGap = 0, worstAxis = 0; // m and rad, largest at the end of any frame
    double energyFirst = 0;
    double energyHighest = 0,
           energyAt10s = 0; // J; energyAt10s is that of frame 600, if there was no restart until then
    int nonFinite = 0;      // number of restarts
};

// Runs all entrants to their end and fills in times, hash and quality. Engines that are not available are removed.
void raceChains(std::vector<ChainEntrant>& entrants, const Options& options, const std::string& caseName);

} // namespace capstan::bench
