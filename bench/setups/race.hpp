// SPDX-License-Identifier: MIT
// Race: engines on one workload, timed frame by frame and watched between frames.
//
// Each entrant runs a slice of its frames, then the next one does, round after round: a machine that is busy
// for a while is busy for all of them. An entrant goes on where it stopped, so a whole run is one simulation.
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

    // What a race finds. Energies are those of the first rope.
    std::vector<double> micros; // per frame
    double peakStretch = 0;     // of any rope, at the end of any frame
    double worstGap = 0;        // m, the same of what hangs on them
    double energyFirst = 0, energyHighest = 0, energyLast = 0;
    double energyAt10s = 0; // of frame 600, where it came so far
};

// One of those that take turns: `frame` is timed, `watch` is not.
struct Turn {
    std::string who;
    int frames = 0;
    std::vector<double>* micros = nullptr; // per frame
    std::function<void()> frame, watch;
};

// Runs all to their last frame, a fifth of the frames at a time.
void takeTurns(const std::vector<Turn>& turns, const Options& options, const std::string& caseName);

// `count` scaled by the effort asked for, but no less than `least`.
int scaled(const Options& options, int count, int least);

// Runs all to their end and fills in what they found, times, hash and the quality all cases share: frames,
// peakStretch and the engine's own counts. Entrants without ropes (an engine that is not there) are taken out.
void race(std::vector<Entrant>& entrants, const Options& options, const char* caseName);

std::vector<Row> rowsOf(std::vector<Entrant>& entrants);

// A row of an engine without backends, its first columns filled in.
Row plainRow(const char* caseName, const char* engine, std::string variant);

// Least and median of a list of times, into a row.
void fillTimes(Row& row, std::vector<double> micros);

// The entrants that cases are made of.
Entrant capstanEntrant(const char* caseName, const Setup& setup, int frames, const Tuning& tuning);
Entrant textbookEntrant(const char* caseName, const Setup& setup, int frames, int iterations = 5,
                        Sweep sweep = Sweep::GaussSeidel);
Entrant bulletEntrant(const char* caseName, const Setup& setup, int frames, int iterations);
Entrant mujocoEntrant(const char* caseName, const Setup& setup, int frames);

} // namespace capstan::bench
