// SPDX-License-Identifier: MIT
// Validation checks the engine against physical laws, one file per law. Each result is compared with a formula, or
// with a table from outside this project.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace capstan::validation {

// One claim and its result. The row fails if `error`, the deviation of `got` from `expected`, exceeds `tolerance`.
struct Row {
    std::string caseName; // "R3"
    std::string claim;    // "catenary L/S=1.2, 50 segments: sag / span"
    double expected = 0;
    double got = 0;
    double error = 0;     // relative unless the claim says otherwise
    double tolerance = 0; // the gate
    double target = 0;    // error of the best engines; 0 if none is stated
    bool ok = false;
};

// Returns true for a row without a gate. Such a row neither holds nor fails.
bool reported(const Row& row);

struct Options {
    bool full = false; // also runs long statistical tests
    int seeds = 0;     // number of random seeds of every statistical test; 0: each case's default
    std::function<void(const char* what, double done)> progress; // done in [0, 1]; may be empty
};

struct Case {
    const char* name;  // "R3"
    const char* about; // one line of description
    std::vector<Row> (*run)(const Options&);
    bool slow = false; // takes too long for the tests; only `capstan validate` runs it
};

const std::vector<Case>& cases();

// Returns a row whose error is |got - expected| / |expected|.
Row relative(const char* caseName, std::string claim, double expected, double got, double tolerance,
             double target = 0);
// Returns a row whose error is `got` itself; expected is 0.
Row atMost(const char* caseName, std::string claim, double got, double tolerance, double target = 0);

// Returns the text of docs/validation.md.
std::string markdown(const std::vector<Row>& rows);

} // namespace capstan::validation
