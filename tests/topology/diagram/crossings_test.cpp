// SPDX-License-Identifier: MIT
//
// Tests of crossings, wrap angles, exact signs and the writhe of open ropes. They are compared with known counts and
// the Gauss integral, also in degenerate views.
#include "topology/diagram/exact.hpp"
#include <capstan/topology/crossings.hpp>
#include <capstan/topology/linking.hpp>
#include <capstan/topology/wrap.hpp>

#include <tests/topology/strands.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace capstan {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<Crossing> crossingsOf(const Polylines& ropes, Vec3d toViewer) {
    CrossingFinder finder;
    const auto found = finder.find(ropes, viewFrom(toViewer).value());
    EXPECT_TRUE(found) << found.error().text();
    return found ? std::vector<Crossing>(found->begin(), found->end()) : std::vector<Crossing>{};
}

Curve randomCurve(RandomWords& random, int points) {
    Curve c;
    for (int k = 0; k < points; ++k) {
        const double x = unit(random), y = unit(random), z = unit(random);
        c.push_back({x, y, z});
    }
    return c;
}

// A difference of 2^-60 relative to 1, which double arithmetic loses.
TEST(Exact, SignsBeyondRounding) {
    const double e = 0x1p-52;
    EXPECT_EQ(flatArea(0, 0, 1, 1, 3, 3), 0.0);
    EXPECT_GT(flatArea(0.1, 0.1, 1, 1, 3, 3 + 2 * e), 0.0);
    EXPECT_LT(flatArea(0.1, 0.1, 1, 1, 3, 3 - 2 * e), 0.0);
    // Kettner et al. 2008: plain floating point gives wrong signs here.
    EXPECT_EQ(signum(flatArea(12, 12, 24, 24, 0.5, 0.5 + e)), 1);
    // d lies on the plane through a, b, c, or is off it by one unit in the last place. The coordinates are integers,
    // so the exact value is a sum of integers.
    const Vec3d a{1e15 + 1, 3, 5}, b{7, 1e15 + 3, 11}, c{13, 17, 1e15 + 9};
    const Vec3d d = b + c - a; // exact, and in the plane
    EXPECT_EQ(spanVolume(a, b, c, d), 0.0);
    EXPECT_EQ(signum(spanVolume(a, b, c, {d.x, d.y, d.z + 1})),
              -signum(spanVolume(a, b, c, {d.x, d.y, d.z - 1})));
    EXPECT_NE(spanVolume(a, b, c, {d.x, d.y, d.z + 1}), 0.0);
    EXPECT_EQ(spanVolume({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 1.0);
}

// A strand to the east over a strand to the north. The shorter rotation of the upper one onto the lower one is
// counter- clockwise, so the crossing is right-handed.
TEST(Crossings, OneByHand) {
    const Polylines ropes = asRopes({{{-1, 0, 0}, {3, 0, 0}}, {{0, -1, -1}, {0, 0.5, -1}, {0, 2, -1}}});
    const auto list = crossingsOf(ropes, {0, 0, 1});
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].over.rope, 0);
    EXPECT_EQ(list[0].under.rope, 1);
    EXPECT_EQ(list[0].sign, 1);
    EXPECT_EQ(list[0].over.segment, 0);
    EXPECT_DOUBLE_EQ(list[0].over.t, 0.25);
    EXPECT_EQ(list[0].under.segment, 0);
    EXPECT_NEAR(list[0].under.t, 2.0 / 3, 1e-15);
    const auto behind = crossingsOf(ropes, {0, 0, -1});
    ASSERT_EQ(behind.size(), 1u);
    EXPECT_EQ(behind[0].over.rope, 1);
    EXPECT_EQ(behind[0].sign, 1);
}

// In every view, the signs between two closed ropes sum up to twice their linking number.
TEST(Crossings, SumIsTheLinkingNumberFromEverySide) {
    RandomWords random{std::mt19937(21)};
    for (int k = 0; k < 60; ++k) {
        const Curve p = randomCurve(random, 9), q = randomCurve(random, 40);
        const Polylines ropes = asRopes({p, q}, true);
        const int lk = linkingNumber(p, q).value();
        for (int view = 0; view < 8; ++view) {
            const auto list = crossingsOf(ropes, {spread(random), spread(random), spread(random)});
            EXPECT_EQ(signSum(list, 0, 1), 2 * lk);
        }
        for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, -1, 0}, Vec3d{0, 0, 1}})
            EXPECT_EQ(signSum(crossingsOf(ropes, axis), 0, 1), 2 * lk);
    }
}

// Points of a coarse grid: in the view many corners coincide and many segments are collinear. The crossings must give
// the linking number of all curves that do not touch.
TEST(Crossings, GridsSeenAlongTheirAxes) {
    RandomWords random{std::mt19937(22)};
    int judged = 0, linked = 0;
    for (int k = 0; k < 400; ++k) {
        Curve p, q;
        for (int i = 0; i < 7; ++i) {
            p.push_back({double(random.below(5)), double(random.below(5)), double(random.below(5))});
            q.push_back({double(random.below(5)), double(random.below(5)), double(random.below(5))});
        }
        const auto lk = linkingNumber(p, q);
        Polylines ropes;
        CrossingFinder exact;
        if (!lk || !ropes.add(p, true) || !ropes.add(q, true)) continue;
        // If the curves touch, find() fails in a view along x, which needs no rounding.
        if (!exact.find(ropes, viewFrom({1, 0, 0}).value())) continue;
        for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, -1}, Vec3d{1, 1, 0}}) {
            CrossingFinder finder;
            const auto found = finder.find(ropes, viewFrom(axis).value());
            ASSERT_TRUE(found) << found.error().text();
            EXPECT_EQ(signSum(*found, 0, 1), 2 * lk.value());
            ++judged;
            linked += lk.value() != 0;
        }
    }
    EXPECT_GT(judged, 100);
    EXPECT_GT(linked, 20);
}

TEST(Crossings, RopesThatTouchAreNamed) {
    CrossingFinder finder;
    const View view = viewFrom({0, 0, 1}).value();
    const Polylines cross = asRopes({{{-1, 0, 0}, {1, 0, 0}}, {{5, 5, 5}, {0, -1, 0}, {0, 1, 0}}});
    const auto found = finder.find(cross, view);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().text(), "rope 0, segment 0 and rope 1, segment 1: two segments touch");
    const Polylines corner = asRopes({{{-1, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {0, 1, 3}}});
    EXPECT_FALSE(finder.find(corner, view));
    const Polylines along = asRopes({{{-1, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {4, 0, 0}}});
    EXPECT_FALSE(finder.find(along, view));
    const Polylines inLine = asRopes({{{-1, 0, 0}, {1, 0, 0}}, {{2, 0, 0}, {4, 0, 0}}});
    EXPECT_TRUE(finder.find(inLine, view)->empty());
    const Polylines straight = asRopes({{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}});
    EXPECT_TRUE(finder.find(straight, view)->empty());
}

TEST(Crossings, BadRopesAndViews) {
    Polylines ropes;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    ASSERT_TRUE(ropes.add(Curve{{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}));
    EXPECT_EQ(ropes.of(0).size(), 2u); // the repeated point was removed
    EXPECT_EQ(ropes.origin[1], 2);
    EXPECT_EQ(ropes.add(Curve{{0, 0, 0}, {1, nan, 0}}).error().text(),
              "rope 1, point 1: a coordinate must be finite and not too large");
    EXPECT_EQ(ropes.add(Curve{{2, 2, 2}, {2, 2, 2}}).error().text(),
              "rope 1: an open rope needs two different points");
    EXPECT_EQ(ropes.add(Curve{{2, 2, 2}, {2, 3, 2}, {2, 2, 2}}, true).error().text(),
              "rope 1: a closed rope needs three different points");
    EXPECT_FALSE(ropes.add(Curve{}));
    EXPECT_EQ(ropes.points.size(), 2u);
    EXPECT_EQ(ropes.ropes.size(), 1u);
    EXPECT_FALSE(viewFrom({0, 0, 0}));
    EXPECT_FALSE(viewFrom({nan, 0, 1}));
    EXPECT_EQ(viewFrom({0, 0, 1}, {0, 0, 3}).error().what, "the axes of the view must not be parallel");
    const View tilted = viewFrom({0, 0, 2}, {0, 1, 5}).value();
    EXPECT_EQ(tilted.up, (Vec3d{0, 1, 0}));
    EXPECT_EQ(tilted.right, (Vec3d{1, 0, 0}));
}

// A long zigzag: the sweep must find all crossings that a test of all pairs finds.
TEST(Crossings, SweepFindsWhatAllPairsFind) {
    RandomWords random{std::mt19937(23)};
    const Curve p = randomCurve(random, 120);
    const auto list = crossingsOf(asRopes({p}), {0, 0, 1});
    std::size_t count = 0;
    int sum = 0;
    for (std::size_t i = 0; i + 1 < p.size(); ++i)
        for (std::size_t j = i + 2; j + 1 < p.size(); ++j) {
            const Vec3d u = p[i + 1] - p[i], v = p[j + 1] - p[j], w = p[j] - p[i];
            const double det = u.x * v.y - u.y * v.x;
            const double s = (w.x * v.y - w.y * v.x) / det, t = (w.x * u.y - w.y * u.x) / det;
            if (!(s > 0 && s < 1 && t > 0 && t < 1)) continue;
            ++count;
            sum += (det > 0) == (p[i].z + s * u.z > p[j].z + t * v.z) ? 1 : -1;
        }
    EXPECT_EQ(list.size(), count);
    EXPECT_EQ(signSum(list, 0, 0), sum);
}

// The sum of Klenin and Langowski for an open rope equals the mean of the signs over evenly distributed views.
TEST(Crossings, OpenWritheIsTheMeanOverViews) {
    RandomWords random{std::mt19937(24)};
    const Curve p = randomCurve(random, 9);
    const Polylines ropes = asRopes({p});
    const int views = 4000;
    int sum = 0;
    for (int i = 0; i < views; ++i) {
        const double z = 1.0 - (2.0 * i + 1.0) / views, angle = 2.399963229728653 * i;
        const double r = std::sqrt(1.0 - z * z);
        sum += signSum(crossingsOf(ropes, {r * std::cos(angle), r * std::sin(angle), z}), 0, 0);
    }
    EXPECT_NEAR(writhe(p, false), double(sum) / views, 0.02);
    Curve loop = p;
    loop.push_back(p.front());
    // The last point repeats the first one, which closes the curve.
    EXPECT_NEAR(writhe(loop, false), writhe(p), 1e-12);
}

Curve helix(double turns, double radius, double pitch, int points) {
    Curve c;
    for (int k = 0; k <= points; ++k) {
        const double a = 2 * pi * turns * k / points;
        c.push_back({radius * std::cos(a), pitch * std::abs(a) / (2 * pi), -radius * std::sin(a)});
    }
    return c;
}

TEST(Wrap, TurnsOfAHelixAroundAStraightRope) {
    const Curve axis{{0, -50, 0}, {0, 0.2, 0}, {0, 50, 0}};
    for (const double turns : {-3.0, -0.5, 0.25, 1.0, 4.75}) {
        const Polylines ropes = asRopes({helix(turns, 0.2, 0.1, 200), axis});
        EXPECT_NEAR(wrapAngle(ropes, 0, 1).value(), 2 * pi * turns, 1e-9);
        // Right-handed is positive, as for the Gauss integral.
        EXPECT_GT(turns * gaussIntegral(ropes.of(0), ropes.of(1)), 0.0);
        // A coil with few corners per turn, in the opposite direction.
        Curve back = helix(turns, 0.2, 0.1, 24);
        std::reverse(back.begin(), back.end());
        EXPECT_NEAR(wrapAngle(asRopes({back, axis}), 0, 1).value(), -2 * pi * turns, 1e-9);
        EXPECT_EQ(wrapAngle(ropes, 0, 1, 0.1).value(), 0.0); // the strand is out of range
    }
}

// The wrap angle around a bent rope: m turns around a ring.
TEST(Wrap, AroundARing) {
    Curve ring, coil;
    for (int k = 0; k < 90; ++k) {
        const double a = 2 * pi * k / 90;
        ring.push_back({std::cos(a), std::sin(a), 0});
    }
    for (int k = 0; k < 600; ++k) {
        const double a = 2 * pi * k / 600, b = -7 * a, r = 1 + 0.2 * std::cos(b);
        coil.push_back({r * std::cos(a), r * std::sin(a), 0.2 * std::sin(b)});
    }
    const Polylines ropes = asRopes({coil, ring}, true);
    EXPECT_NEAR(wrapAngle(ropes, 0, 1).value(), 14 * pi, 0.05);
    EXPECT_EQ(linkingNumber(coil, ring).value(), 7);
}

TEST(Wrap, BeyondTheEndNothingCountsAndTouchingIsAnError) {
    const Polylines beyond = asRopes({helix(2, 0.3, 0.1, 80), {{0, -5, 0}, {0, -1, 0}}});
    EXPECT_EQ(wrapAngle(beyond, 0, 1).value(), 0.0);
    const Polylines through = asRopes({{{-1, 0, 0}, {1, 0, 0}}, {{0, -1, 0}, {0, 1, 0}}});
    EXPECT_EQ(wrapAngle(through, 0, 1).error().what, "the ropes touch");
    EXPECT_FALSE(wrapAngle(through, 0, 0));
    EXPECT_FALSE(wrapAngle(through, 0, 2));
}

} // namespace
} // namespace capstan
