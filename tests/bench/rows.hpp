// SPDX-License-Identifier: MIT
// Helpers of the benchmark tests: find cases and quality values by name.
#pragma once

#include <bench/bench.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace capstan::bench {

inline bool has(const Row& row, const std::string& name) {
    for (const auto& entry : row.quality)
        if (entry.first == name) return true;
    return false;
}

inline double qualityOf(const Row& row, const std::string& name) {
    for (const auto& [key, value] : row.quality)
        if (key == name) return value;
    ADD_FAILURE() << row.engine << ", " << row.variant << ": no " << name;
    return std::nan("");
}

inline std::vector<Row> runCase(const std::string& name, const Options& options) {
    for (const Case& c : cases())
        if (c.name == name) return c.run(options);
    ADD_FAILURE() << "no case " << name;
    return {};
}

inline Options brief() {
    Options options;
    options.effort = 0.02;
    return options;
}

} // namespace capstan::bench
