// SPDX-License-Identifier: MIT
// Benchmarks of docs/benchmarks.md. Capstan, a textbook loop, Bullet and MuJoCo are timed in one run. Each row has
// the time, the quality of the result and the state hash.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace capstan::bench {

struct Row {
    std::string caseName; // name of the case: "W1"
    std::string engine;   // capstan, textbook, bullet or mujoco
    std::string variant;  // settings: "chain, 4 substeps"
    std::string backend;  // scalar, simd or "-"
    int threads = 1;
    double usPerFrame = 0; // us, minimum over frames; usMedian is the median
    double usMedian = 0;
    std::vector<std::pair<std::string, double>>
        quality;            // {"peakStretch", 3e-6}, ...: fractions, metres, counts
    std::uint64_t hash = 0; // of the final state; 0 if the engine has no hash
};

struct Options {
    std::string backend; // backend to run; empty: all backends
    int threads = 0;     // number of threads; 0: each case's default
    // Factor on the number of frames; tests use less than 1.
    double effort = 1;
    bool full = false;                                           // also runs the largest sizes
    std::function<void(const char* what, double done)> progress; // may be empty
};

struct Case {
    const char* name;
    const char* about;
    std::vector<Row> (*run)(const Options&);
};

const std::vector<Case>& cases();

} // namespace capstan::bench
