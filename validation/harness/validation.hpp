// SPDX-License-Identifier: MIT
// Validation: physical laws, one file per law, each compared with a formula or a table nobody here tuned.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace capstan::validation {

// One claim. `got` is compared with `expected`; `error` is what `tolerance` bounds.
struct Row {
    std::string caseName; // "R3"
    std::string claim;    // "catenary L/S=1.2, 50 segments: sag / span"
    double expected = 0;
    double got = 0;
    double error = 0;     // relative unless the claim says otherwise
    double tolerance = 0; // the gate: must hold
    double target = 0;    // what the best do; 0 if none is stated
    bool ok = false;
};

// True of a line without a gate: it neither holds nor fails.
bool reported(const Row& row);

struct Options {
    bool full = false; // long statistics too
    int seeds = 0;     // of every statistic; 0: as many as the case has
    std::function<void(const char* what, double done)> progress; // done in [0, 1]; may be empty
};

struct Case {
    const char* name;  // "R3"
    const char* about; // one line
    std::vector<Row> (*run)(const Options&);
    bool slow = false; // too long for the tests, which leave it to `capstan validate`
};

const std::vector<Case>& cases();

// A row whose error is |got - expected| / |expected|.
Row relative(const char* caseName, std::string claim, double expected, double got, double tolerance,
             double target = 0);
// A row whose error is got itself, which must not exceed tolerance (expected is 0).
Row atMost(const char* caseName, std::string claim, double got, double tolerance, double target = 0);

// docs/validation.md, made from rows.
std::string markdown(const std::vector<Row>& rows);

} // namespace capstan::validation
