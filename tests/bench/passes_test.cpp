// SPDX-License-Identifier: MIT
// Tests of the count of passes (worlds/passes.hpp), for segments that cross, miss, touch, come back or rotate
// through each other. Distances and linking numbers are compared with those of known curves.
#include <bench/setups/contact_setups.hpp>
#include <worlds/passes.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

using namespace capstan;
using namespace capstan::bench;

namespace {

constexpr double pi = std::numbers::pi;

// A segment along z through (x, y, 0), from z = -1 to 1.
Line bar(double x, double y) { return {{x, y, -1}, {x, y, 1}}; }
const Line rail = {{-1, 0, 0}, {1, 0, 0}};

int passesOf(const Line& before, const Line& after) { return passes({rail, before}, {rail, after}, {}); }

Line circle(Vec3d center, Vec3d u, Vec3d v, int corners) {
    Line line;
    for (int i = 0; i < corners; ++i) {
        const double a = 2 * pi * i / corners;
        line.push_back(center + std::cos(a) * u + std::sin(a) * v);
    }
    return line;
}

} // namespace

TEST(Passes, ABarThroughTheRailIsOnePass) {
    EXPECT_EQ(passesOf(bar(0.1, 0.5), bar(0.1, -0.5)), 1);
    EXPECT_EQ(passesOf(bar(0.1, -0.5), bar(0.1, 0.5)), 1);
    EXPECT_EQ(passesOf(bar(0.1, 1e-9), bar(0.1, -1e-9)), 1);
    EXPECT_EQ(passesOf(bar(0.1, 1e3), bar(0.1, -1e3)), 1); // a pass is found at any speed
}

TEST(Passes, ABarThatMissesOrStopsIsNone) {
    EXPECT_EQ(passesOf(bar(1.001, 0.5), bar(1.001, -0.5)), 0); // the segment moves past the end of the rail
    EXPECT_EQ(passesOf(bar(0.1, 0.5), bar(0.1, 1e-9)), 0);
    EXPECT_EQ(passesOf(bar(0.1, 0.5), bar(0.1, 0.5)), 0);
    // The bar moves around the rail's end: at y = 0 it is at x = 1.55.
    EXPECT_EQ(passesOf(bar(0.1, 0.5), bar(3, -0.5)), 0);
    // The bar passes the rail: at y = 0 it is at x = 0.9.
    EXPECT_EQ(passesOf(bar(0.1, 0.5), bar(1.7, -0.5)), 1);
}

// One end of the bar moves down, the other stays. The bar passes the rail, which is at z = 0, if the bar's middle
// gets below the rail.
TEST(Passes, ATiltingBarPassesWhenItsMiddleDoes) {
    EXPECT_EQ(passesOf(bar(0, 0.5), {{0, 0.5, -1}, {0, -0.4, 1}}), 0);
    EXPECT_EQ(passesOf(bar(0, 0.5), {{0, 0.5, -1}, {0, -0.6, 1}}), 1);
}

// The bar intersects the plane z = 0 at the height (yp zq - yq zp) / (zq - zp), with its ends p and q. Here this
// height is a quadratic in time: below 0 at the start and at the end, and above 0 in between.
TEST(Passes, TwiceThroughIsNoPass) {
    const Line start = {{0, 1, -1}, {0, -1.2, 1}}, middle = {{0, 0, -1}, {0, 0.8, 2.5}};
    const Line end = {{0, -1, -1}, {0, 2.8, 4}};
    EXPECT_EQ(passesOf(start, end), 0);
    EXPECT_EQ(passesOf(start, middle), 1);
    EXPECT_EQ(passesOf(middle, end), 1);
}

TEST(Passes, WhatMovesTogetherDoesNotPass) {
    const Lines start = {rail, bar(0, -0.1)};
    EXPECT_EQ(passes(start, {{{-1, -2, 0}, {1, -2, 0}}, bar(0, -2.1)}, {}), 0);
    EXPECT_EQ(passes(start, {{{-1, -2, 0}, {1, -2, 0}}, bar(0, -1.9)}, {}), 1);
}

TEST(Passes, RulesSayWhichPairsCount) {
    // One line folded over itself: its first segment is the rail, and its last segment passes through the rail.
    const auto folded = [](double y) {
        return Line{{-1, 0, 0}, {1, 0, 0}, {1, 3, 3}, {0.1, y, 1}, {0.1, y, -1}};
    };
    EXPECT_EQ(passes({folded(0.5)}, {folded(-0.5)}, {}), 0);
    EXPECT_EQ(passes({folded(0.5)}, {folded(-0.5)}, {.selfApart = 3}), 1);
    EXPECT_EQ(passes({folded(0.5)}, {folded(-0.5)}, {.selfApart = 4}), 0);
    EXPECT_EQ(passes({folded(0.5)}, {folded(-0.5)}, {.skip = 1, .selfApart = 3}), 0);
    EXPECT_EQ(passes({rail, bar(0, 1)}, {rail, bar(0, -1)}, {.skip = 1}), 0);
}

TEST(Passes, WhatIsNotFinitePassesNothingAndIsSeen) {
    Lines broken = {rail, bar(0, 0)};
    EXPECT_TRUE(isFinite(broken));
    broken[1][0].y = std::nan("");
    EXPECT_FALSE(isFinite(broken));
    EXPECT_EQ(passes({rail, bar(0, 1)}, broken, {}), 0);
}

TEST(Passes, DistancesOfSegments) {
    const Vec3d a = {-1, 0, 0}, b = {1, 0, 0};
    EXPECT_NEAR(distanceOfSegments(a, b, {0.3, 0.2, -1}, {0.3, 0.2, 1}), 0.2, 1e-15); // skew lines
    EXPECT_NEAR(distanceOfSegments(a, b, {4, 4, -1}, {4, 4, 1}), 5, 1e-15);           // end to inside
    EXPECT_NEAR(distanceOfSegments(a, b, {0, 0.5, 0}, {3, 0.5, 0}), 0.5, 1e-15); // parallel, side by side
    EXPECT_NEAR(distanceOfSegments(a, b, {4, 0, 4}, {4, 3, 4}), 5, 1e-15);       // end to end
    EXPECT_NEAR(distanceOfSegments(a, b, {0, -1, 0}, {0, 1, 0}), 0, 1e-15);      // the segments cross
    EXPECT_NEAR(distanceOfSegments(a, a, {2, 4, 0}, {2, 4, 0}), 5, 1e-15);       // both segments are points
    EXPECT_NEAR(leastDistance({rail, bar(0, 0.7), bar(5, 0.7)}, {}), 0.7, 1e-15);
}

// Two rings of a chain have the linking number 1 or -1, depending on their orientation. Two separate rings have 0. A
// curve that winds k times around another one has k or -k.
TEST(Passes, LinkingNumbersOfKnownCurves) {
    const Line a = circle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 40);
    const Line b = circle({1, 0, 0}, {1, 0, 0}, {0, 0, 1}, 31);
    const Line c = circle({1, 0, 0}, {1, 0, 0}, {0, 0, -1}, 31);
    EXPECT_NEAR(std::fabs(linkingNumber(a, b)), 1, 1e-9);
    EXPECT_NEAR(linkingNumber(a, b), -linkingNumber(a, c), 1e-9);
    EXPECT_NEAR(linkingNumber(a, circle({3, 0, 0}, {1, 0, 0}, {0, 0, 1}, 31)), 0, 1e-9);
    Line winds;
    for (int i = 0; i < 300; ++i) {
        const double s = 2 * pi * i / 300, r = 1 + 0.3 * std::cos(3 * s);
        winds.push_back({r * std::cos(s), r * std::sin(s), 0.3 * std::sin(3 * s)});
    }
    EXPECT_NEAR(std::fabs(linkingNumber(a, winds)), 3, 1e-9);
}

// The setups start as described: separate ropes of the given length, and in a collision the second rope above the
// first.
TEST(Passes, SetupsStartApart) {
    const auto linesOf = [](const ContactSetup& setup) {
        Lines lines(static_cast<std::size_t>(setup.ropes));
        for (int r = 0; r < setup.ropes; ++r)
            for (int i = 0; i < setup.nodes; ++i) lines[r].push_back(setup.position(r, i));
        return lines;
    };
    const ContactSetup three = threeRopes();
    const Lines v = linesOf(three);
    for (int r = 0; r < 3; ++r) {
        EXPECT_NEAR(three.restLength(r), 0.95, 1e-12);
        for (std::size_t i = 1; i < 20; ++i) EXPECT_NEAR(length(v[r][i] - v[r][i - 1]), 0.05, 1e-12);
        EXPECT_NEAR(length(v[r].back() - three.holds[2 * r + 1].path(0)), 0, 1e-12);
    }
    for (const Impact impact : {Impact::Dragged, Impact::Slack, Impact::Thrown}) {
        for (int seed = 0; seed < 20; ++seed) {
            const Collision c = collision(impact, 10, seed);
            Lines lines = linesOf(c.setup);
            EXPECT_GT(leastDistance(lines, {}), 0.02);
            EXPECT_NEAR(std::fabs(crossingOf(lines, c.along)), 1, 1e-6);
            for (Vec3d& x : lines[1]) x.y -= 2; // the second line is now below the first
            EXPECT_NEAR(crossingOf(lines, c.along), 0, 1e-6);
        }
    }
    const ContactSetup knot = overhand(), layers = grating();
    EXPECT_GT(leastDistance(linesOf(knot), knot.rules), 2 * knot.radius);
    EXPECT_GT(leastDistance(linesOf(layers), {}), 2 * layers.radius);
    for (const int ropes : {10, 100, 300}) {
        const ContactSetup setup = heap(ropes);
        EXPECT_GT(leastDistance(linesOf(setup), {}), 2 * setup.radius) << ropes;
    }
}

// A knot with held ends can become a straight rope only if it passes through itself, whatever its motion.
TEST(Passes, AKnotCannotBeStraightenedWithoutAPass) {
    const ContactSetup setup = overhand();
    Line knot, straight;
    for (int i = 0; i < setup.nodes; ++i) knot.push_back(setup.position(0, i));
    for (int i = 0; i < setup.nodes; ++i)
        straight.push_back(knot.front() + (double(i) / (setup.nodes - 1)) * (knot.back() - knot.front()));
    EXPECT_GE(passes({knot}, {straight}, {.selfApart = 2}), 1);
}
