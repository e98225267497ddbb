// SPDX-License-Identifier: MIT
// Tests of Vec against identities of vector algebra, for float, double and both Packs.
#include "math/pack.hpp"
#include <capstan/math/vec.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace capstan {
namespace {

template <class R> struct VecTest : testing::Test {
    std::mt19937 rng{3};
    R number() {
        ElementOf<R> v[lanesOf<R>];
        std::uniform_real_distribution<ElementOf<R>> d(-2, 2);
        for (auto& x : v) x = d(rng);
        return load<R>(v);
    }
    Vec<R> vec() { return {number(), number(), number()}; }
};
using VecReals = testing::Types<float, double, PackF, PackD>;
TYPED_TEST_SUITE(VecTest, VecReals);

TYPED_TEST(VecTest, ObeysTheIdentities) {
    using R = TypeParam;
    R tol = R(100.0f * RealTraits<R>::epsilon);
    for (int i = 0; i < 1000; ++i) {
        Vec<R> a = this->vec(), b = this->vec(), c = this->vec();
        R s = this->number();
        EXPECT_TRUE(all(length((a + b) - b - a) < tol));
        EXPECT_TRUE(all(length(s * (a - b) - (a * s - b * s)) < tol));
        EXPECT_TRUE(all(abs(dot(a, cross(a, b))) < tol));
        EXPECT_TRUE(all(abs(dot(a, cross(b, c)) - dot(b, cross(c, a))) < tol));
        // Lagrange: |a x b|^2 = |a|^2 |b|^2 - (a.b)^2
        R lagrange = lengthSquared(a) * lengthSquared(b) - dot(a, b) * dot(a, b);
        EXPECT_TRUE(all(abs(lengthSquared(cross(a, b)) - lagrange) < R(10.0f) * tol));
        EXPECT_TRUE(all(length((a / R(3.0f)) * R(3.0f) - a) < tol));
        Vec<R> d = a;
        d += b;
        d -= c;
        d *= s;
        EXPECT_TRUE(all(length(d - s * (a + b - c)) < tol));
        EXPECT_TRUE(all(length(max(a, b) + min(a, b) - (a + b)) < tol));
        EXPECT_TRUE(all(length(multiply(a, Vec<R>{s, s, s}) - s * a) < tol));
        EXPECT_TRUE(all(length(select(a.x < b.x, a, b) - select(!(a.x < b.x), b, a)) == R(0.0f)));
        EXPECT_TRUE(all(length(widen(narrow(a)) - widen(a)) < Wide<R>(1e-6f)));
    }
}

TYPED_TEST(VecTest, NormalizesEveryMagnitude) {
    using R = TypeParam;
    R tol = R(8.0f * RealTraits<R>::epsilon);
    const Vec<R> up = {R(0.0f), R(1.0f), R(0.0f)};
    for (float scale : {1e-38f, 1e-25f, 1.0f, 1e25f, 1e38f}) {
        Vec<R> u = normalize(R(scale) * Vec<R>{R(1.0f), R(-2.0f), R(2.0f)}, up);
        EXPECT_TRUE(all(abs(length(u) - R(1.0f)) < tol)) << scale;
        EXPECT_TRUE(all(abs(u.x - R(1.0f) / R(3.0f)) < tol)) << scale;
    }
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    for (float bad : {0.0f, -0.0f, inf, -inf, nan}) {
        Vec<R> a{R(bad), R(0.0f), R(0.0f)}, b{R(0.0f), R(0.0f), R(bad)};
        EXPECT_TRUE(all(length(normalize(a, up) - up) == R(0.0f))) << bad;
        EXPECT_TRUE(all(length(normalize(b, up) - up) == R(0.0f))) << bad;
        EXPECT_TRUE(all(length(normalize(b)) == R(0.0f))) << bad;
    }
    Vec<R> oneNan{R(1.0f), R(nan), R(1.0f)};
    EXPECT_TRUE(all(length(normalize(oneNan, up) - up) == R(0.0f)));
}

TYPED_TEST(VecTest, PerpendicularIsUnitAndAtARightAngle) {
    using R = TypeParam;
    R tol = R(8.0f * RealTraits<R>::epsilon), o = R(0.0f), e = R(1.0f);
    const Vec<R> poles[] = {{o, o, e}, {o, o, -e}, {e, o, o}, {o, -e, o}, {o, R(1e-20f), -e}};
    auto check = [&](Vec<R> n) {
        Vec<R> p = perpendicular(n);
        EXPECT_TRUE(all(abs(dot(n, p)) < tol));
        EXPECT_TRUE(all(abs(length(p) - e) < tol));
    };
    for (Vec<R> n : poles) check(n);
    for (int i = 0; i < 1000; ++i) check(normalize(this->vec(), poles[0]));
}

TEST(VecPackTest, EachLaneHasTheBitsOfTheScalar) {
    std::mt19937 rng(5);
    std::uniform_real_distribution<float> d(-3, 3);
    for (int i = 0; i < 100; ++i) {
        float m[6][kLanes];
        for (auto& row : m)
            for (float& x : row) x = d(rng);
        Vec<PackF> a{load<PackF>(m[0]), load<PackF>(m[1]), load<PackF>(m[2])};
        Vec<PackF> b{load<PackF>(m[3]), load<PackF>(m[4]), load<PackF>(m[5])};
        Vec<PackF> r = cross(normalize(a, b), b) + dot(a, b) * perpendicular(normalize(a, b));
        for (int k = 0; k < kLanes; ++k) {
            Vec3 x = lane(a, k), y = lane(b, k);
            EXPECT_TRUE(lane(r, k) == cross(normalize(x, y), y) + dot(x, y) * perpendicular(normalize(x, y)));
        }
    }
}

} // namespace
} // namespace capstan
