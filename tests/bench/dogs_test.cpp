// SPDX-License-Identifier: MIT
// Tests of the case dogs: rows are complete, and backends end in the same state. The braid of the motion equals that
// of the leashes.
#include "rows.hpp"

#include <map>

using namespace capstan;
using namespace capstan::bench;

TEST(BenchDogs, WalkAndAreRead) {
    const std::vector<Row> rows = runCase("dogs", brief());
    ASSERT_EQ(rows.size(), 9u);
    EXPECT_EQ(rows.front().engine, "textbook"); // the reference time T
    std::map<std::string, std::uint64_t> ends;  // final hash by variant, equal on all backends
    for (const Row& row : rows) {
        if (row.engine != "capstan") continue;
        SCOPED_TRACE(row.variant + ", " + row.backend);
        EXPECT_GT(row.usMedian, 0);
        EXPECT_NE(row.hash, 0u);
        EXPECT_EQ(ends.emplace(row.variant, row.hash).first->second, row.hash);
        EXPECT_GT(qualityOf(row, "medianT"), 0);
        EXPECT_GT(qualityOf(row, "topologyShare"), 0);
        EXPECT_LT(qualityOf(row, "topologyShare"), 1);
        EXPECT_GE(qualityOf(row, "readings"), 2);
        EXPECT_EQ(qualityOf(row, "disagreements"), 0);
        EXPECT_LT(qualityOf(row, "peakStretch"), 0.05);
    }
}
