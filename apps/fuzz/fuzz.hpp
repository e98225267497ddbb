// SPDX-License-Identifier: MIT
// Fuzz: worlds and scenes of many seeds, each in a process of its own. A failing input is made short and kept as a file.
#pragma once

#include <apps/fuzz/judge.hpp>
#include <capstan/result.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace capstan::fuzz {

struct Failure {
    bool scene = false;
    std::uint64_t seed = 0;
    Fault fault;
    std::string file; // where the short form lies; empty: there is none
};

struct Options {
    double minutes = 0; // starts nothing afterwards; 0: ends after the numbers below
    std::uint64_t seed = 1;
    int worlds = 0, scenes = 0; // how many; with `minutes`, 0 is no limit
    int steps = 200;            // of each world
    int jobs = 2;               // processes beside each other
    std::vector<std::string> corpus = {"scenes", "tests/scene/corpus"};
    bool minimise = true;                                               // failures are made short and kept
    std::string keep = "tests/regressions";                             // folder for it
    std::function<void(const Failure&)> failed = [](const Failure&) {}; // called at each failure
    std::function<void(const std::string& text, double done)> progress = [](const std::string&, double) {};
};

struct Summary {
    long worlds = 0, scenes = 0;
    long steps = 0, judgedEnergy = 0; // of watched runs
    long refused = 0;                 // calls
    long quarantined = 0;             // lawless worlds in which something was frozen
    double worldSeconds = 0, sceneSeconds = 0;
    double slowestWorld = 0; // s
    std::uint64_t slowestSeed = 0;
    double longestStep = 0;           // s
    long kilobytes = 0;               // largest memory of a process
    std::map<std::string, int> kinds; // failures of each kind: "world pass"
    std::vector<Failure> failures;
};

Result<Summary> fuzz(const Options& options);

// Judges the text of a file, which is a recipe or a scene, in a process of its own.
Verdict judgeFile(const std::string& text, bool scene);

// A file whose first line is "# open KIND" is a fault that is known and not mended. Returns the kind, or "".
std::string openKind(const std::string& text);

} // namespace capstan::fuzz
