// SPDX-License-Identifier: MIT
// Runs the entrants of a chain race in turns, and restarts diverged chains.
#include <bench/setups/chain_race.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::bench {

static void watch(ChainEntrant& e, ChainState& scratch) {
    e.chains->read(0, scratch);
    const double gap = gapOf(e.setup, scratch), energy = energyOf(e.setup, scratch);
    if (!std::isfinite(gap) || !std::isfinite(energy)) {
        ++e.nonFinite;
        e.chains = e.make();
        return;
    }
    e.worstGap = std::max(e.worstGap, gap);
    if (e.setup.link == Link::Hinge) e.worstAxis = std::max(e.worstAxis, axisErrorOf(scratch));
    e.energyHighest = std::max(e.energyHighest, energy);
    if (e.micros.size() == 600) e.energyAt10s = energy;
}

static void fillIn(ChainEntrant& e) {
    fillTimes(e.row, e.micros);
    e.row.hash = e.chains->hash();
    Quality& quality = e.row.quality;
    quality = {{"frames", double(e.frames)}, {"gapMm", 1e3 * e.worstGap}};
    if (e.setup.link == Link::Hinge) quality.emplace_back("axisError", e.worstAxis);
    const double available = e.setup.drop();
    quality.emplace_back("energyRise", (e.energyHighest - e.energyFirst) / available);
    bool whole = e.nonFinite == 0; // true: one run without a restart; engines may also restart by themselves
    const Quality counts = e.chains->counts();
    for (const auto& [name, value] : counts) whole = whole && (name != "resets" || value == 0);
    if (e.frames >= 600 && whole)
        quality.emplace_back("energyLost10s", (e.energyFirst - e.energyAt10s) / available);
    quality.emplace_back("nonFinite", double(e.nonFinite));
    quality.insert(quality.end(), counts.begin(), counts.end());
}

void raceChains(std::vector<ChainEntrant>& entrants, const Options& options, const std::string& caseName) {
    for (ChainEntrant& e : entrants) e.chains = e.make();
    const auto absent = [](const ChainEntrant& e) { return !e.chains; };
    entrants.erase(std::remove_if(entrants.begin(), entrants.end(), absent), entrants.end());

    ChainState scratch;
    std::vector<Turn> turns;
    for (ChainEntrant& e : entrants) {
        e.chains->read(0, scratch);
        e.energyFirst = e.energyHighest = energyOf(e.setup, scratch);
        turns.push_back({e.row.engine, e.frames, &e.micros, [&e] { e.chains->frame(); },
                         [&e, &scratch] { watch(e, scratch); }});
    }
    takeTurns(turns, options, caseName);
    for (ChainEntrant& e : entrants) fillIn(e);
}

} // namespace capstan::bench
