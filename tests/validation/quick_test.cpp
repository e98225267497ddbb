// SPDX-License-Identifier: MIT
// Tests that every validation case passes in its quick form, row by row. Rows and tables of the report are tested,
// too.
#include <validation/harness/validation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace capstan::validation {
namespace {

class Quick : public testing::TestWithParam<Case> {};

TEST_P(Quick, Holds) {
    double done = -1;
    Options options;
    options.progress = [&](const char*, double now) {
        EXPECT_GE(now, done);
        done = now;
    };
    std::vector<Row> rows = GetParam().run(options);
    EXPECT_FALSE(rows.empty());
    EXPECT_EQ(done, 1);
    for (const Row& row : rows) {
        EXPECT_EQ(row.caseName, GetParam().name);
        EXPECT_TRUE(row.ok) << row.claim << ": expected " << row.expected << ", got " << row.got << ", error "
                            << row.error << " > " << row.tolerance;
    }
}

std::vector<Case> quickOnes() {
    std::vector<Case> all;
    for (const Case& one : cases())
        if (!one.slow) all.push_back(one);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Validation, Quick, testing::ValuesIn(quickOnes()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Rows, RelativeErrorIsJudged) {
    Row row = relative("R3", "sag", 2, 2.02, 0.01 + 1e-12, 0.001);
    EXPECT_NEAR(row.error, 0.01, 1e-12);
    EXPECT_TRUE(row.ok);
    EXPECT_FALSE(relative("R3", "sag", 2, 2.03, 0.01).ok);
    EXPECT_FALSE(relative("R3", "sag", 2, -2, 0.01).ok);
}

TEST(Rows, NotANumberFails) {
    double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(relative("R3", "sag", 2, nan, 0.01).ok);
    EXPECT_FALSE(atMost("R3", "strain", nan, 0.01).ok);
}

TEST(Rows, MarkdownHasATablePerCaseAndShowsFailures) {
    std::string text =
        markdown({relative("R3", "sag of a rope", 0.25, 0.26, 0.01, 0.001),
                  atMost("K4", "wrong of 500", 3, 0), atMost("E1", "energy lost", 2e-7, 0.03, 1e-4)});
    EXPECT_NE(text.find("## R3: "), std::string::npos);
    EXPECT_NE(text.find("| sag of a rope | 0.25 | 0.26 | 4 % | 1 % | 0.1 % | **NO** |"), std::string::npos);
    EXPECT_NE(text.find("| wrong of 500 |  |  | 3 | 0 |  | **NO** |"), std::string::npos);
    EXPECT_NE(text.find("| energy lost |  |  | 2.0e-07 | 3 % | 0.01 % | yes, target |"), std::string::npos);
    EXPECT_NE(text.find("1 of 3 lines hold; 0 more are reported."), std::string::npos);
    EXPECT_EQ(text.find("## R1"), std::string::npos);
}

TEST(Rows, MarkdownTellsWhatIsNotJudged) {
    Row row = relative("R1", "Gamma = 1000", 21, 24, std::numeric_limits<double>::infinity());
    EXPECT_TRUE(row.ok);
    EXPECT_NE(markdown({row}).find("| Gamma = 1000 | 21 | 24 | 14.3 % | none |  | reported |"),
              std::string::npos);
    EXPECT_NE(markdown({row}).find("0 of 0 lines hold; 1 more are reported."), std::string::npos);
}

TEST(Cases, HaveDifferentNames) {
    std::set<std::string> names;
    for (const Case& c : cases()) EXPECT_TRUE(names.insert(c.name).second) << c.name;
}

} // namespace
} // namespace capstan::validation
