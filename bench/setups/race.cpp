// SPDX-License-Identifier: MIT
// Runs entrants in turns, and fills in times, hash and quality of their rows.
#include <bench/setups/race.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace capstan::bench {

int scaled(const Options& options, int count, int least) {
    return std::max(least, int(std::lround(count * options.effort)));
}

static void watch(Entrant& e, std::vector<Vec3d>& scratch) {
    for (int r = 0; r < e.setup.ropes; ++r) {
        e.peakStretch = std::max(e.peakStretch, stretchOf(*e.ropes, r, e.setup, scratch));
        e.worstGap = std::max(e.worstGap, e.ropes->gap(r));
    }
    if (!e.watchEnergy) return;
    e.energyLast = e.ropes->energy(0);
    e.energyHighest = std::max(e.energyHighest, e.energyLast);
    if (e.micros.size() == 600) e.energyAt10s = e.energyLast;
}

static void runUntil(const Turn& turn, std::size_t frame) {
    using Clock = std::chrono::steady_clock;
    while (turn.micros->size() < frame) {
        const auto begin = Clock::now();
        turn.frame();
        const auto end = Clock::now();
        turn.micros->push_back(std::chrono::duration<double, std::micro>(end - begin).count());
        turn.watch();
    }
}

void takeTurns(const std::vector<Turn>& turns, const Options& options, const std::string& caseName) {
    const std::size_t rounds = 5;
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < turns.size(); ++i) {
            if (options.progress) {
                const double done = double(round * turns.size() + i) / double(rounds * turns.size());
                options.progress((caseName + " " + turns[i].who).c_str(), done);
            }
            runUntil(turns[i], std::size_t(turns[i].frames) * (round + 1) / rounds);
        }
    }
}

void fillTimes(Row& row, std::vector<double> micros) {
    std::sort(micros.begin(), micros.end());
    row.usPerFrame = micros.front();
    row.usMedian = micros[micros.size() / 2];
}

static void fillIn(Entrant& e) {
    fillTimes(e.row, e.micros);
    e.row.hash = e.ropes->hash();
    e.row.quality = {{"frames", double(e.frames)}, {"peakStretch", e.peakStretch}};
    for (auto& count : e.ropes->counts()) e.row.quality.push_back(count);
}

void race(std::vector<Entrant>& entrants, const Options& options, const char* caseName) {
    const auto absent = [](const Entrant& e) { return !e.ropes; };
    entrants.erase(std::remove_if(entrants.begin(), entrants.end(), absent), entrants.end());
    for (Entrant& e : entrants)
        if (e.watchEnergy) e.energyFirst = e.energyHighest = e.energyLast = e.ropes->energy(0);

    std::vector<Vec3d> scratch;
    std::vector<Turn> turns;
    for (Entrant& e : entrants)
        turns.push_back({e.row.engine, e.frames, &e.micros, [&e] { e.ropes->frame(); },
                         [&e, &scratch] { watch(e, scratch); }});
    takeTurns(turns, options, caseName);
    for (Entrant& e : entrants) fillIn(e);
}

std::vector<Row> rowsOf(std::vector<Entrant>& entrants) {
    std::vector<Row> rows;
    for (Entrant& e : entrants) rows.push_back(std::move(e.row));
    return rows;
}

Row plainRow(const char* caseName, const char* engine, std::string variant) {
    Row row;
    row.caseName = caseName;
    row.engine = engine;
    row.variant = std::move(variant);
    // The compiler g++ 12 gives a false warning about an overlap if the literal is assigned directly.
    row.backend = std::string("-");
    return row;
}

static Entrant entrant(const char* caseName, const char* engine, std::string variant, const Setup& setup,
                       int frames, std::unique_ptr<Ropes> ropes) {
    Entrant e;
    e.row = plainRow(caseName, engine, std::move(variant));
    e.setup = setup;
    e.frames = frames;
    e.ropes = std::move(ropes);
    return e;
}

static std::string iterationsText(const char* what, int iterations) {
    return std::string(what) + ", " + std::to_string(iterations) +
           (iterations == 1 ? " iteration" : " iterations");
}

Entrant capstanEntrant(const char* caseName, const Setup& setup, int frames, const Tuning& tuning) {
    Entrant e = entrant(caseName, "", "", setup, frames, std::make_unique<CapstanRopes>(setup, tuning));
    e.row = capstanRow(caseName, tuning);
    return e;
}

Entrant textbookEntrant(const char* caseName, const Setup& setup, int frames, int iterations, Sweep sweep) {
    const char* what = sweep == Sweep::GaussSeidel ? "gaussSeidel" : "jacobi";
    return entrant(caseName, "textbook", iterationsText(what, iterations), setup, frames,
                   std::make_unique<TextbookRopes>(setup, iterations, sweep));
}

Entrant bulletEntrant(const char* caseName, const Setup& setup, int frames, int iterations) {
    return entrant(caseName, "bullet", iterationsText("soft body", iterations), setup, frames,
                   makeBullet(setup, iterations));
}

Entrant mujocoEntrant(const char* caseName, const Setup& setup, int frames) {
    return entrant(caseName, "mujoco", "ball chain, implicit, damping 1e-3", setup, frames,
                   makeMujoco(setup));
}

} // namespace capstan::bench
