// SPDX-License-Identifier: MIT
// Tests that the elastic knot of least energy approaches the law for thin rods. The law's sigma_1 comes from another
// method: it solves the windings of an infinitely thin rod.
#include <validation/contact/overhand.hpp>
#include <validation/harness/band.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace capstan::validation {
namespace {

TEST(StillOverhand, GoesOverIntoTheLawAsTheRodGetsThin) {
    const Overhand thick = {1, 0.002, 1, 1}, thin = {1, 0.0005, 1, 1};
    const StillKnot a = stillOverhand(thick, 1), b = stillOverhand(thin, 1);
    // The remaining error is proportional to sqrt(h / R), which is twice as large for the thick rod as for the thin
    // one.
    EXPECT_NEAR(2 * b.pull / thin.elastic() - a.pull / thick.elastic(), 1, 0.01);
    EXPECT_NEAR(2 * b.press / thin.grip() - a.press / thick.grip(), 1, 0.02);
    EXPECT_GT(a.press / thick.grip(), 1.1);
}

TEST(StillOverhand, Scales) {
    const Overhand small = {1, 0.001, 1e-3, 0.05}, large = {1, 0.002, 5e-3, 0.1};
    const StillKnot a = stillOverhand(small, 0.05), b = stillOverhand(large, 0.1);
    EXPECT_NEAR(b.pull / a.pull, 5.0 / 4, 1e-6); // the pull is proportional to B / R^2
    EXPECT_NEAR(b.press / a.press, 5.0 / 4, 1e-6);
}

TEST(Band, SolvesWhatIsPositiveDefinite) {
    Band matrix(4, 2);
    const double rows[4][4] = {{4, 1, -1, 0}, {1, 5, 2, 1}, {-1, 2, 6, -2}, {0, 1, -2, 7}};
    const double x[4] = {1, -2, 3, 0.5};
    std::vector<double> b(4, 0.0);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            matrix.add(i, j, rows[i][j]);
            b[i] += rows[i][j] * x[j];
        }
    ASSERT_TRUE(matrix.solve(b));
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(b[i], x[i], 1e-12);

    Band saddle(2, 1);
    saddle.add(0, 0, 1);
    saddle.add(1, 0, 2);
    saddle.add(1, 1, 1);
    std::vector<double> c = {1, 1};
    EXPECT_FALSE(saddle.solve(c));
}

} // namespace
} // namespace capstan::validation
