// SPDX-License-Identifier: MIT
// Tests of the benchmark rows. Rows are complete. The textbook rope falls as theory predicts and then stretches;
// Capstan's rope keeps its length. Both backends end in the same state.
#include "rows.hpp"

#include <bench/textbook/textbook.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

using namespace capstan;
using namespace capstan::bench;

namespace {

const std::vector<Row>& w1() {
    static const std::vector<Row> rows = runCase("W1", brief());
    return rows;
}

} // namespace

TEST(Bench, CasesHaveNamesOfTheirOwn) {
    std::set<std::string> names;
    for (const Case& c : cases()) {
        EXPECT_TRUE(names.insert(c.name).second) << c.name;
        EXPECT_STRNE(c.about, "");
    }
}

TEST(Bench, RowsOfW1AreComplete) {
    std::set<std::string> seen;
    for (const Row& row : w1()) {
        const std::string key = row.engine + "|" + row.variant + "|" + row.backend;
        SCOPED_TRACE(key);
        EXPECT_TRUE(seen.insert(key).second) << "twice";
        EXPECT_EQ(row.caseName, "W1");
        EXPECT_GT(row.usPerFrame, 0);
        EXPECT_GE(row.usMedian, row.usPerFrame);
        EXPECT_GE(qualityOf(row, "frames"), 10);
        EXPECT_GE(qualityOf(row, "peakStretch"), 0);
        EXPECT_TRUE(std::isfinite(qualityOf(row, "energyChange")));
        EXPECT_EQ(row.hash != 0, row.engine == "capstan");
        EXPECT_EQ(row.backend != "-", row.engine == "capstan");
    }
    EXPECT_TRUE(seen.count("textbook|gaussSeidel, 5 iterations|-"));
    for (const char* backend : {"scalar", "simd"})
        for (const char* variant :
             {"chain, 2 substeps", "chain, 4 substeps", "gaussSeidel, 20 substeps", "jacobi, 20 substeps"})
            EXPECT_TRUE(seen.count(std::string("capstan|") + variant + "|" + backend)) << variant << backend;
}

// Five Gauss-Seidel iterations transmit a tension over few of the 99 links. So two seconds of falling stretch the
// rope by far more than half. An exact solve keeps its length to float precision.
TEST(Bench, TextbookStretchesAndChainDoesNot) {
    int chains = 0;
    for (const Row& row : w1()) {
        SCOPED_TRACE(row.engine + ", " + row.variant + ", " + row.backend);
        if (row.engine == "textbook") {
            EXPECT_GT(qualityOf(row, "peakStretch"), 0.5);
        }
        if (row.engine == "capstan" && row.variant.starts_with("chain")) {
            ++chains;
            EXPECT_LE(qualityOf(row, "peakStretch"), 1e-4);
        }
    }
    EXPECT_EQ(chains, 4);
}

TEST(Bench, BackendsEndInTheSameState) {
    std::map<std::string, std::uint64_t> hashes;
    for (const Row& row : w1()) {
        if (row.engine != "capstan") continue;
        EXPECT_EQ(hashes.emplace(row.variant, row.hash).first->second, row.hash) << row.variant;
    }
}

TEST(Bench, BackendOptionLeavesTheOtherOut) {
    Options options = brief();
    options.backend = "scalar";
    for (const Row& row : runCase("W1", options)) EXPECT_NE(row.backend, "simd") << row.variant;
}

TEST(Bench, ProgressGoesForwardFrom0To1) {
    Options options = brief();
    double last = 0;
    int calls = 0;
    options.progress = [&](const char* what, double done) {
        EXPECT_STRNE(what, "");
        EXPECT_GE(done, last);
        EXPECT_LE(done, 1);
        last = done;
        ++calls;
    };
    runCase("classic", options);
    EXPECT_GT(calls, 10);
}

// A rope of one link, released level with its pin, is a pendulum. It is lowest after a quarter period T/4 = K(sin 45
// deg) sqrt(L/g) with K = 1.8540746773 (Abramowitz and Stegun, table 17.1).
TEST(Bench, TextbookLinkSwingsAsAPendulum) {
    const double length = 1, quarter = 1.8540746773 * std::sqrt(length / gravity);
    auto setup = horizontal(1, 2);
    setup.spacing = length;
    setup.position = [&](int, int node) { return Vec3d{length * node, 10, 0}; };
    TextbookRopes ropes(setup, 5);
    std::vector<Vec3d> x;
    double time = 0;
    do {
        ropes.frame();
        ropes.read(0, x);
        time += frameTime;
        EXPECT_NEAR(stretchOf(ropes, 0, setup, x), 0, 1e-5);
    } while (x[1].x > 0 && time < 2);
    EXPECT_NEAR(time, quarter, 2 * frameTime);
}
