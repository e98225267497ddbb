// SPDX-License-Identifier: MIT
// W4: the rope of W1 with a heavy last node. It hangs at rest, or is released level with the pin.
//
// Energies are divided by m g L of the load. energyRise is the largest rise of the total energy above its start; it
// should be 0. energyLost10s is the energy lost after 10 s: numerical damping, the price of stability.
#include <bench/cases.hpp>
#include <bench/setups/race.hpp>

namespace capstan::bench {

static std::vector<Row> runOne(const Options& options, const Setup& setup, const std::string& what,
                               bool swing) {
    const char* name = "W4";
    const int frames = scaled(options, 3600, 600);
    const int threads = options.threads > 0 ? options.threads : 1;

    std::vector<Entrant> entrants;
    entrants.push_back(textbookEntrant(name, setup, frames));
    for (const Backend backend : {Backend::Scalar, Backend::Simd})
        if (asked(options, backend))
            entrants.push_back(capstanEntrant(name, setup, frames, {backend, Solver::Chain, 4, 1, threads}));
    for (const int iterations : {5, 50}) entrants.push_back(bulletEntrant(name, setup, frames, iterations));
    // A chain of rigid links that hangs at rest has nothing to solve, so MuJoCo runs only the swing.
    if (swing) entrants.push_back(mujocoEntrant(name, setup, scaled(options, 120, 5)));

    race(entrants, options, ("W4 " + what).c_str());
    const double available = setup.load * gravity * setup.length();
    for (Entrant& e : entrants) {
        e.row.variant = what + ": " + e.row.variant;
        e.row.quality.emplace_back("energyRise", (e.energyHighest - e.energyFirst) / available);
        if (e.frames >= 600)
            e.row.quality.emplace_back("energyLost10s", (e.energyFirst - e.energyAt10s) / available);
    }
    return rowsOf(entrants);
}

std::vector<Row> runW4(const Options& options) {
    std::vector<Row> rows;
    int scenes = 0;
    for (const double load : {100.0, 1000.0, 10000.0}) {
        for (const bool swing : {false, true}) {
            Options part = options;
            if (options.progress)
                part.progress = [&](const char* text, double done) {
                    options.progress(text, (scenes + done) / 6);
                };
            const std::string what = (swing ? "swing " : "hang ") + std::to_string(int(load)) + " kg";
            for (Row& row :
                 runOne(part, swing ? horizontal(1, 100, load) : vertical(1, 100, load), what, swing))
                rows.push_back(std::move(row));
            ++scenes;
        }
    }
    return rows;
}

} // namespace capstan::bench
