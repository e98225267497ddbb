// SPDX-License-Identifier: MIT
//
// Tests that straightening keeps every knot and link. Random polygons have the same Alexander polynomial, signature
// and linking number before and after. Some lie on coarse grids, with many collinear and coplanar points.
#include "topology/knot/signature.hpp"
#include <capstan/topology/alexander.hpp>
#include <capstan/topology/straighten.hpp>

#include <tests/topology/strands.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace capstan {
namespace {

struct Invariants {
    IntegerPolynomial alexander;
    int signature = 0;

    friend bool operator==(const Invariants&, const Invariants&) = default;
};

// Returns the invariants, from the first view that gives a valid diagram of moderate size.
std::optional<Invariants> invariants(const Polylines& rope) {
    CrossingFinder finder;
    for (int k = 0; k < 10; ++k) {
        const auto found = finder.find(rope, viewFrom({0.3 + 0.1 * k, 0.5 - 0.2 * k, 0.7}).value());
        if (!found) return {};
        auto code = gaussCode(rope, *found);
        if (!code) continue;
        simplify(*code);
        if (code->signs.size() > 30) continue;
        return Invariants{alexander(*code).value(), signature(*code).value()};
    }
    return {};
}

Curve randomPolygon(RandomWords& random, int points, bool onGrid) {
    Curve c;
    for (int k = 0; k < points; ++k) {
        double p[3];
        for (double& x : p) x = onGrid ? random.below(9) : unit(random);
        c.push_back({p[0], p[1], p[2]});
    }
    return c;
}

TEST(Straighten, KnotsStay) {
    RandomWords random{std::mt19937(71)};
    Straightener straightener;
    int judged = 0, knotted = 0;
    for (int k = 0; k < 200; ++k) {
        Polylines rope = asRopes({randomPolygon(random, 8 + random.below(20), k % 3 == 0)}, true);
        const std::size_t points = rope.points.size();
        const auto before = invariants(rope);
        if (!before) continue; // the curve touches itself
        straightener.cut(rope);
        ASSERT_EQ(invariants(rope), before);
        for (int i = 0; i < 4; ++i) {
            straightener.relax(rope);
            straightener.cut(rope);
        }
        ASSERT_EQ(invariants(rope), before);
        EXPECT_LE(rope.points.size(), points);
        EXPECT_GE(rope.points.size(), 3u);
        ++judged;
        knotted += before->alexander.size() > 1;
    }
    EXPECT_GT(judged, 120);
    EXPECT_GT(knotted, 20);
}

TEST(Straighten, LinksStay) {
    RandomWords random{std::mt19937(72)};
    Straightener straightener;
    CrossingFinder finder;
    const View view = viewFrom({0, 0, 1}).value();
    int linked = 0;
    for (int k = 0; k < 200; ++k) {
        const bool onGrid = k % 2 == 0;
        Polylines ropes =
            asRopes({randomPolygon(random, 10, onGrid), randomPolygon(random, 7, onGrid)}, true);
        if (ropes.ropes.size() < 2) continue;
        const auto before = finder.find(ropes, view);
        if (!before) continue;
        const int sum = signSum(*before, 0, 1);
        straightener.cut(ropes);
        for (int i = 0; i < 3; ++i) {
            straightener.relax(ropes);
            straightener.cut(ropes);
        }
        const auto after = finder.find(ropes, view);
        ASSERT_TRUE(after) << after.error().text();
        EXPECT_EQ(signSum(*after, 0, 1), sum);
        linked += sum != 0;
    }
    EXPECT_GT(linked, 40);
}

TEST(Straighten, WhatIsFreeComesStraight) {
    Polylines ropes;
    Curve arc, circle;
    for (int k = 0; k <= 40; ++k) {
        arc.push_back({std::cos(0.1 * k), std::sin(0.1 * k), 0.01 * k});
        if (k < 40) circle.push_back({5 + std::cos(0.157 * k), std::sin(0.157 * k), 0.0});
    }
    ASSERT_TRUE(ropes.add(arc));
    ASSERT_TRUE(ropes.add(circle, true));
    // A collinear curve that goes back and forth.
    ASSERT_TRUE(ropes.add(Curve{{0, 9, 0}, {1, 9, 0}, {2, 9, 0}, {1.5, 9, 0}, {3, 9, 0}}));
    Straightener().cut(ropes);
    EXPECT_EQ(ropes.of(0).size(), 2u);
    EXPECT_EQ(ropes.of(1).size(), 3u);
    EXPECT_EQ(ropes.of(2).size(), 2u);
    EXPECT_EQ(ropes.of(0).front(), arc.front());
    EXPECT_EQ(ropes.of(0).back(), arc.back());
    EXPECT_EQ(ropes.origin[1], 40);
}

// A corner hooked around another rope stays. Without that rope the corner is removed.
TEST(Straighten, HooksStay) {
    const Curve hook{{0, 0, 0}, {1, 1, 0}, {2, 0, 0}}, post{{1, 0.5, -1}, {1, 0.5, 1}};
    Polylines hooked = asRopes({hook, post}), alone = asRopes({hook, {{1, 1.5, -1}, {1, 1.5, 1}}});
    Straightener straightener;
    straightener.cut(hooked);
    straightener.cut(alone);
    EXPECT_EQ(hooked.of(0).size(), 3u);
    EXPECT_EQ(alone.of(0).size(), 2u);
    straightener.relax(hooked); // the corner is pulled straight, but not past the post
    EXPECT_GT(hooked.of(0)[1].y, 0.5);
    EXPECT_LT(hooked.of(0)[1].y, 1.0);
    // A rope that only touches the edge of the triangle counts as passing through it.
    Polylines touching = asRopes({hook, {{1, 0, -1}, {1, 0, 1}}});
    straightener.cut(touching);
    EXPECT_EQ(touching.of(0).size(), 3u);
}

} // namespace
} // namespace capstan
