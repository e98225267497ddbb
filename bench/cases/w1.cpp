// SPDX-License-Identifier: MIT
// W1: one rope of 4.95 m with 100 nodes of 0.01 kg is released level with its pin. peakStretch shows how well the
// rope keeps its length. energyChange is the energy at the end minus that at the start, divided by the potential
// energy that the fall releases.
#include <bench/cases.hpp>
#include <bench/setups/race.hpp>

namespace capstan::bench {

std::vector<Row> runW1(const Options& options) {
    const char* name = "W1";
    const Setup setup = horizontal(1, 100);
    const int frames = scaled(options, 6000, 120);
    const int threads = options.threads > 0 ? options.threads : 1;

    std::vector<Entrant> entrants;
    entrants.push_back(textbookEntrant(name, setup, frames));
    for (const Backend backend : {Backend::Scalar, Backend::Simd}) {
        if (!asked(options, backend)) continue;
        for (const int substeps : {2, 4})
            entrants.push_back(
                capstanEntrant(name, setup, frames, {backend, Solver::Chain, substeps, 1, threads}));
        for (const Solver solver : {Solver::GaussSeidel, Solver::Jacobi})
            entrants.push_back(capstanEntrant(name, setup, frames, {backend, solver, 20, 1, threads}));
    }
    for (const int iterations : {1, 5, 50})
        entrants.push_back(bulletEntrant(name, setup, frames, iterations));
    // Few frames, because one takes milliseconds.
    entrants.push_back(mujocoEntrant(name, setup, scaled(options, 120, 10)));

    race(entrants, options, name);
    for (Entrant& e : entrants)
        e.row.quality.emplace_back("energyChange", (e.energyLast - e.energyFirst) / setup.drop());
    return rowsOf(entrants);
}

} // namespace capstan::bench
