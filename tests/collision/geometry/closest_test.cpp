// SPDX-License-Identifier: MIT
// Tests of the closest points of two segments. The exact minimum of the distance over the unit square of parameters
// lies inside the square or on one of its four edges. The least of these five candidates, in long double, is
// expected.
#include "collision/geometry/closest.hpp"
#include "math/pack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace capstan {
namespace {

using L = long double;
struct V {
    L x, y, z;
};
V operator+(V a, V b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
V operator-(V a, V b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
V operator*(L s, V a) { return {s * a.x, s * a.y, s * a.z}; }
L dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
V cross(V a, V b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
template <class T> V exact(Vec<T> a) { return {a.x, a.y, a.z}; }

struct Pair {
    V p1, d1, q1, d2;
    L distance(L s, L t) const {
        V d = p1 - q1 + s * d1 - t * d2;
        return std::sqrt(dot(d, d));
    }
    // Magnitude of the squared lengths, for the tolerance.
    L size() const {
        V r = p1 - q1;
        return std::sqrt(std::max({dot(r, r), dot(d1, d1), dot(d2, d2)}));
    }
    // Returns the parameter of the point of a segment that is closest to the point `to`.
    static L along(V from, V d, V to) {
        L e = dot(d, d);
        return e > 0 ? std::clamp(dot(to - from, d) / e, 0.0L, 1.0L) : 0.0L;
    }
    L least() const {
        L best = std::min({distance(0, along(q1, d2, p1)), distance(1, along(q1, d2, p1 + d1)),
                           distance(along(p1, d1, q1), 0), distance(along(p1, d1, q1 + d2), 1)});
        V n = cross(d1, d2), r = q1 - p1;
        if (dot(n, n) > 0) {
            L s = dot(cross(r, d2), n) / dot(n, n), t = dot(cross(r, d1), n) / dot(n, n);
            if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best = std::min(best, distance(s, t));
        }
        return best;
    }
};

enum Kind { general, degenerate, parallel, nearlyParallel, collinear, touching, kindCount };
const char* const names[] = {"general", "degenerate", "parallel", "nearly parallel", "collinear", "contacts"};

template <class T> struct Segments {
    Vec<T> p1, p2, q1, q2;
    Pair exactly() const { return {exact(p1), exact(p2) - exact(p1), exact(q1), exact(q2) - exact(q1)}; }
};

template <class T> struct DrawSegments {
    std::mt19937 rng{12};
    std::uniform_real_distribution<T> unit{-1, 1};
    Vec<T> vec() { return {unit(rng), unit(rng), unit(rng)}; }
    T power(T low, T high) { return std::pow(T(10), std::uniform_real_distribution<T>(low, high)(rng)); }

    Segments<T> operator()(Kind kind, T scale) {
        Vec<T> p1 = vec(), d1 = vec(), q1 = vec(), d2 = vec();
        if (kind == degenerate) {
            int which = int(rng() % 3);
            if (which != 1) d1 = {};
            if (which != 0) d2 = {};
        }
        if (kind == parallel) d2 = unit(rng) * T(2) * d1;
        if (kind == nearlyParallel) d2 = unit(rng) * d1 + power(-12, 0) * vec();
        if (kind == collinear) {
            q1 = p1 + T(3) * unit(rng) * d1;
            d2 = unit(rng) * d1;
        }
        if (kind == touching) q1 = p1 + abs(unit(rng)) * d1 - abs(unit(rng)) * d2;
        // In some cases the lengths of the two segments differ widely.
        if (rng() % 4 == 0) d2 = power(-3, 0) * d2;
        return {scale * p1, scale * (p1 + d1), scale * q1, scale * (q1 + d2)};
    }
};

template <class T> struct ClosestTest : testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(ClosestTest, Scalars);

TYPED_TEST(ClosestTest, SegmentsAgreeWithTheExactMinimum) {
    using T = TypeParam;
    const T scales[] = {T(1), T(1e-6), T(1e6), T(1e-3), T(1)};
    const int n = 1000000;
    DrawSegments<T> draw;
    L worst[kindCount] = {};
    for (int i = 0; i < n; ++i) {
        Kind kind = Kind(i % kindCount);
        Segments<T> g = draw(kind, scales[i % 5]);
        SegmentSegment<T> c = closest(g.p1, g.p2, g.q1, g.q2);
        ASSERT_TRUE(c.s >= T(0) && c.s <= T(1) && c.t >= T(0) && c.t <= T(1));
        Pair pair = g.exactly();
        L least = pair.least(), found = pair.distance(c.s, c.t),
          unit = std::numeric_limits<T>::epsilon() * pair.size();
        if (!(unit > 0)) continue;
        worst[kind] = std::max(
            {worst[kind], (found - least) / unit, std::fabs(std::sqrt(L(c.distanceSquared)) - least) / unit});
    }
    for (int k = 0; k < kindCount; ++k)
        EXPECT_LT(worst[k], 4.0L) << names[k] << ", in epsilons of the size of the pair";
}

TYPED_TEST(ClosestTest, PointsLieOnTheSegments) {
    using T = TypeParam;
    DrawSegments<T> draw;
    const T tol = 4 * std::numeric_limits<T>::epsilon();
    for (int i = 0; i < 10000; ++i) {
        Segments<T> g = draw(Kind(i % kindCount), T(1));
        SegmentSegment<T> c = closest(g.p1, g.p2, g.q1, g.q2);
        EXPECT_LT(length(c.p - (g.p1 + c.s * (g.p2 - g.p1))), tol);
        EXPECT_LT(length(c.q - (g.q1 + c.t * (g.q2 - g.q1))), tol);
        EXPECT_LT(std::fabs(length(c.p - c.q) - std::sqrt(c.distanceSquared)), 4 * tol);
    }
}

TYPED_TEST(ClosestTest, KnownPairs) {
    using T = TypeParam;
    using P = Vec<T>;
    // Crossed segments, one above the other.
    SegmentSegment<T> c = closest(P{-1, 0, 0}, P{1, 0, 0}, P{0, 2, -1}, P{0, 2, 3});
    EXPECT_EQ(c.s, T(0.5));
    EXPECT_EQ(c.t, T(0.25));
    EXPECT_EQ(c.distanceSquared, T(4));
    // Collinear segments with a gap of 1: the facing ends are closest.
    c = closest(P{0, 0, 0}, P{2, 0, 0}, P{5, 0, 0}, P{3, 0, 0});
    EXPECT_EQ(c.s, T(1));
    EXPECT_EQ(c.t, T(1));
    EXPECT_EQ(c.distanceSquared, T(1));
    // All four points are equal.
    c = closest(P{1, 2, 3}, P{1, 2, 3}, P{1, 2, 3}, P{1, 2, 3});
    EXPECT_EQ(c.distanceSquared, T(0));
    EXPECT_TRUE((c.p == P{1, 2, 3}));
    // Parallel segments, side by side.
    c = closest(P{0, 0, 0}, P{4, 0, 0}, P{1, 1, 0}, P{2, 1, 0});
    EXPECT_EQ(c.distanceSquared, T(1));
}

TYPED_TEST(ClosestTest, PointAndSegment) {
    using T = TypeParam;
    using P = Vec<T>;
    PointSegment<T> c = closest(P{1, 3, 0}, P{0, 0, 0}, P{4, 0, 0});
    EXPECT_EQ(c.t, T(0.25));
    EXPECT_TRUE((c.point == P{1, 0, 0}));
    EXPECT_EQ(c.distanceSquared, T(9));
    EXPECT_EQ(closest(P{-3, 4, 0}, P{0, 0, 0}, P{4, 0, 0}).distanceSquared, T(25));
    EXPECT_EQ(closest(P{7, 4, 0}, P{0, 0, 0}, P{4, 0, 0}).t, T(1));
    EXPECT_EQ(closest(P{3, 4, 0}, P{0, 0, 0}, P{0, 0, 0}).distanceSquared, T(25));
    DrawSegments<T> draw;
    for (int i = 0; i < 10000; ++i) {
        Segments<T> g = draw(Kind(i % kindCount), T(1));
        PointSegment<T> a = closest(g.p1, g.q1, g.q2);
        Pair pair = g.exactly();
        L least = pair.distance(0, Pair::along(pair.q1, pair.d2, pair.p1));
        EXPECT_LT(std::fabs(std::sqrt(L(a.distanceSquared)) - least),
                  4 * std::numeric_limits<T>::epsilon() * pair.size());
    }
}

TEST(ClosestPackTest, EachLaneHasTheBitsOfTheScalar) {
    DrawSegments<float> draw;
    for (int i = 0; i < 2000; ++i) {
        float m[12][kLanes], got[4][kLanes];
        Segments<float> g[kLanes];
        for (int k = 0; k < kLanes; ++k) {
            g[k] = draw(Kind((i + k) % kindCount), 1.0f);
            float row[12];
            std::memcpy(row, &g[k], sizeof row);
            for (int j = 0; j < 12; ++j) m[j][k] = row[j];
        }
        auto vec = [&](int j) {
            return Vec<PackF>{load<PackF>(m[j]), load<PackF>(m[j + 1]), load<PackF>(m[j + 2])};
        };
        SegmentSegment<PackF> c = closest(vec(0), vec(3), vec(6), vec(9));
        store(got[0], c.s);
        store(got[1], c.t);
        store(got[2], c.p.x);
        store(got[3], c.distanceSquared);
        for (int k = 0; k < kLanes; ++k) {
            SegmentSegment<float> e = closest(g[k].p1, g[k].p2, g[k].q1, g[k].q2);
            EXPECT_EQ(toBits(got[0][k]), toBits(e.s));
            EXPECT_EQ(toBits(got[1][k]), toBits(e.t));
            EXPECT_EQ(toBits(got[2][k]), toBits(e.p.x));
            EXPECT_EQ(toBits(got[3][k]), toBits(e.distanceSquared));
        }
    }
}

} // namespace
} // namespace capstan
