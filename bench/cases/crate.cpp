// SPDX-License-Identifier: MIT
// Crate: the rope of W1 with a crate of 2 or 1000 kg, one corner of which is attached to the last node. It is
// released level with the pin and tumbles at 7.6 rad/s. The textbook loop has no bodies: its rope carries the same
// mass as a point. That is less work, but it remains the reference time.
//
// gapMm is the distance between the last node and the crate's corner. Energies are divided by m g L of the crate, as
// in W4. When the crate pulls a slack rope taut, energy must be lost, because the rope does not stretch.
#include <bench/cases.hpp>
#include <bench/setups/race.hpp>

namespace capstan::bench {

static std::vector<Row> runOne(const Options& options, double crate, const std::string& what) {
    const char* name = "crate";
    const int frames = scaled(options, 3600, 600);
    const int threads = options.threads > 0 ? options.threads : 1;
    const Setup heavyNode = horizontal(1, 100, crate);
    Setup setup = horizontal(1, 100);
    setup.crate = crate;

    std::vector<Entrant> entrants;
    entrants.push_back(textbookEntrant(name, heavyNode, frames));
    for (const Backend backend : {Backend::Scalar, Backend::Simd})
        if (asked(options, backend))
            entrants.push_back(capstanEntrant(name, setup, frames, {backend, Solver::Chain, 4, 1, threads}));
    for (const int iterations : {5, 50}) entrants.push_back(bulletEntrant(name, setup, frames, iterations));

    race(entrants, options, ("crate " + what).c_str());
    const double available = crate * gravity * setup.length();
    for (Entrant& e : entrants) {
        e.row.variant = what + ": " + e.row.variant;
        if (e.setup.crate > 0) e.row.quality.emplace_back("gapMm", 1e3 * e.worstGap);
        e.row.quality.emplace_back("energyRise", (e.energyHighest - e.energyFirst) / available);
        e.row.quality.emplace_back("energyLost10s", (e.energyFirst - e.energyAt10s) / available);
    }
    return rowsOf(entrants);
}

std::vector<Row> runCrate(const Options& options) {
    std::vector<Row> rows;
    int scenes = 0;
    for (const double crate : {2.0, 1000.0}) {
        Options part = options;
        if (options.progress)
            part.progress = [&](const char* text, double done) {
                options.progress(text, (scenes + done) / 2);
            };
        for (Row& row : runOne(part, crate, std::to_string(int(crate)) + " kg"))
            rows.push_back(std::move(row));
        ++scenes;
    }
    return rows;
}

} // namespace capstan::bench
