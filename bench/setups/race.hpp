// SPDX-License-Identifier: MIT
// Race: several engines simulate the same workload. Frames are timed one by one, and the state is checked between
// them.
//
// Each entrant runs some of its frames, then the next entrant does, and so on in turns. So a busy machine slows all
// entrants alike. An entrant continues where it stopped, so its run is one simulation.
#pragma once

#include <bench/bench.hpp>
#include <bench/peers/capstan_ropes.hpp>
#include <bench/setups/ropes.hpp>
#include <bench/textbook/textbook.hpp>

namespace capstan::bench {

struct Entrant {
    Row row;
    std::unique_ptr<Ropes> ropes;
    Setup setup;
    int frames = 0;
    bool watchEnergy = true;

    // Results of a race. Energies are those of the first rope [J].
    std::vector<double> micros; // us, time of each frame
    double peakStretch = 0;     // largest stretch of any rope, at the end of any frame
    double worstGap = 0;        // m, largest gap between a rope and its crate, at the end of any frame
    double energyFirst = 0, energyHighest = 0, energyLast = 0;
    double energyAt10s = 0; // J, after frame 600, if the run is long enough
};

// An entrant of takeTurns. `frame` is timed, `watch` is not.
struct Turn {
    std::string who;
    int frames = 0;
    std::vector<double>* micros = nullptr; // us, time of each frame
    std::function<void()> frame, watch;
};

// Runs all entrants to their last frame, a fifth of the frames per turn.
void takeTurns(const std::vector<Turn>& turns, const Options& options, const std::string& caseName);

// Returns `count` times Options::effort, but at least `least`.
int scaled(const Options& options, int count, int least);

// Runs all entrants to their end and fills in times, hash and the quality values of all cases: frames, peakStretch
// and the engine's own counters. An entrant whose engine is not available is removed.
void race(std::vector<Entrant>& entrants, const Options& options, const char* caseName);

std::vector<Row> rowsOf(std::vector<Entrant>& entrants);

// Returns a row of an engine without backends, with case, engine and variant filled in.
Row plainRow(const char* caseName, const char* engine, std::string variant);

// Writes minimum and median of a list of times [us] into a row.
void fillTimes(Row& row, std::vector<double> micros);

// Entrants of the cases, one function per engine.
Entrant capstanEntrant(const char* caseName, const Setup& setup, int frames, const Tuning& tuning);
Entrant textbookEntrant(const char* caseName, const Setup& setup, int frames, int iterations = 5,
                        Sweep sweep = Sweep::GaussSeidel);
Entrant bulletEntrant(const char* caseName, const Setup& setup, int frames, int iterations);
Entrant mujocoEntrant(const char* caseName, const Setup& setup, int frames);

} // namespace capstan::bench
