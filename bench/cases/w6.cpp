// SPDX-License-Identifier: MIT
// W6: a thousand ropes of W1, 0.2 m apart, show the gain of SIMD lanes and threads. In a row with several threads,
// `speedup` is the time of the row with one thread divided by its own time.
#include <bench/cases.hpp>
#include <bench/setups/race.hpp>

namespace capstan::bench {

static void addSpeedups(std::vector<Entrant>& entrants) {
    for (Entrant& e : entrants) {
        if (e.row.threads == 1) continue;
        for (const Entrant& one : entrants)
            if (one.row.threads == 1 && one.row.engine == e.row.engine && one.row.variant == e.row.variant &&
                one.row.backend == e.row.backend)
                e.row.quality.emplace_back("speedup", one.row.usPerFrame / e.row.usPerFrame);
    }
}

std::vector<Row> runW6(const Options& options) {
    const char* name = "W6";
    const Setup setup = horizontal(1000, 100);
    const int frames = scaled(options, 300, 20);

    std::vector<Entrant> entrants;
    entrants.push_back(textbookEntrant(name, setup, frames));
    for (const int substeps : {2, 4}) {
        if (asked(options, Backend::Scalar))
            entrants.push_back(
                capstanEntrant(name, setup, frames, {Backend::Scalar, Solver::Chain, substeps, 1, 1}));
        if (!asked(options, Backend::Simd)) continue;
        std::vector<int> threadCounts = {1};
        if (options.threads != 1) threadCounts.push_back(options.threads > 0 ? options.threads : 2);
        for (const int threads : threadCounts)
            entrants.push_back(
                capstanEntrant(name, setup, frames, {Backend::Simd, Solver::Chain, substeps, 1, threads}));
    }
    entrants.push_back(bulletEntrant(name, setup, scaled(options, 60, 5), 5));

    for (Entrant& e : entrants) e.watchEnergy = false;
    race(entrants, options, name);
    addSpeedups(entrants);
    return rowsOf(entrants);
}

} // namespace capstan::bench
