// SPDX-License-Identifier: MIT
// Tests of every Pack operation against the scalar operation, lane by lane and bit for bit. The inputs include signed
// zeros, subnormals, infinities, NaN and random bit patterns.
#include "math/lanes.hpp"
#include "math/pack.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

namespace capstan {
namespace {

template <class T> std::vector<T> awkward(int count) {
    using Limits = std::numeric_limits<T>;
    std::vector<T> v = {T(0),
                        -T(0),
                        T(1),
                        T(-1),
                        T(0.5),
                        T(3),
                        T(-2.75),
                        Limits::min(),
                        Limits::denorm_min(),
                        Limits::max(),
                        -Limits::max(),
                        Limits::infinity(),
                        T(1) / T(3),
                        Limits::epsilon(),
                        -Limits::infinity(),
                        Limits::quiet_NaN()};
    std::mt19937_64 rng(1);
    while (int(v.size()) < count) v.push_back(fromBits<T>(BitsOf<T>(rng())));
    return v;
}

// Two results are equal if their bits are, or if both are NaN. The processor decides which NaN an addition returns.
template <class T> bool same(T a, T b) { return toBits(a) == toBits(b) || (a != a && b != b); }

template <class P> struct PackTest : testing::Test {};
using AllPacks = testing::Types<Pack<float, 2>, Pack<float, 4>, Pack<float, 8>, Pack<float, 16>,
                                Pack<double, 2>, Pack<double, 4>, Pack<double, 8>, Pack<double, 16>>;
TYPED_TEST_SUITE(PackTest, AllPacks);

template <class T>
void compare(const char* name, const T* a, const T* b, const T* got, const T* expected, int n) {
    for (int k = 0; k < n; ++k)
        ASSERT_TRUE(same(got[k], expected[k]))
            << name << "(" << a[k] << ", " << b[k] << ") = " << got[k] << ", not " << expected[k];
}

// Compares f(a, b) over Packs with f over scalars, for every pair of special values.
template <class P, class F> void expectSame(const char* name, F f) {
    using T = ElementOf<P>;
    constexpr int n = lanesOf<P>, count = 64;
    std::vector<T> v = awkward<T>(count), w = v;
    w.insert(w.end(), v.begin(), v.end());
    for (int shift = 0; shift < count; ++shift)
        for (int i = 0; i < count; i += n) {
            const T *a = v.data() + i, *b = w.data() + i + shift;
            T got[n], expected[n];
            store(got, f(load<P>(a), load<P>(b)));
            for (int k = 0; k < n; ++k) expected[k] = f(a[k], b[k]);
            compare(name, a, b, got, expected, n);
        }
}

TYPED_TEST(PackTest, ArithmeticIsTheScalarOne) {
    using P = TypeParam;
    expectSame<P>("+", [](auto a, auto b) { return a + b; });
    expectSame<P>("-", [](auto a, auto b) { return a - b; });
    expectSame<P>("*", [](auto a, auto b) { return a * b; });
    expectSame<P>("/", [](auto a, auto b) { return a / b; });
    expectSame<P>("negate", [](auto a, auto) { return -a; });
    expectSame<P>("sqrt", [](auto a, auto) { return sqrt(a); });
    expectSame<P>("abs", [](auto a, auto) { return abs(a); });
    expectSame<P>("withSign", [](auto a, auto b) { return withSign(a, b); });
    expectSame<P>("assign", [](auto a, auto b) {
        a += b;
        a *= a;
        a -= b;
        a /= b;
        return a;
    });
}

TYPED_TEST(PackTest, MinAndMaxKeepTheFirstWhenEqualOrUnordered) {
    using P = TypeParam;
    using T = ElementOf<P>;
    expectSame<P>("min", [](auto a, auto b) { return min(a, b); });
    expectSame<P>("max", [](auto a, auto b) { return max(a, b); });
    T nan = std::numeric_limits<T>::quiet_NaN();
    EXPECT_TRUE(std::signbit(lane(min(P(-T(0)), P(T(0))), 0)));
    EXPECT_FALSE(std::signbit(lane(min(P(T(0)), P(-T(0))), 0)));
    EXPECT_EQ(lane(max(P(T(2)), P(nan)), 1), T(2));
    EXPECT_TRUE(std::isnan(lane(max(P(nan), P(T(2))), 1)));
}

TYPED_TEST(PackTest, ComparisonsSelectTheSameSide) {
    using P = TypeParam;
    expectSame<P>("<", [](auto a, auto b) { return select(a < b, a, b); });
    expectSame<P>(">", [](auto a, auto b) { return select(a > b, a, b); });
    expectSame<P>("<=", [](auto a, auto b) { return select(a <= b, a, b); });
    expectSame<P>(">=", [](auto a, auto b) { return select(a >= b, a, b); });
    expectSame<P>("==", [](auto a, auto b) { return select(a == b, a, -b); });
    expectSame<P>("!=", [](auto a, auto b) { return select(a != b, a, -b); });
    expectSame<P>("masks", [](auto a, auto b) {
        return select(((a < b) & !(a == a)) | (b > decltype(b)(1.0f)), a, b);
    });
}

TYPED_TEST(PackTest, BroadcastKeepsEveryBit) {
    using P = TypeParam;
    using T = ElementOf<P>;
    for (T x : awkward<T>(40))
        for (int k = 0; k < lanesOf<P>; ++k) EXPECT_EQ(toBits(lane(P(x), k)), toBits(x));
    EXPECT_EQ(lane(P(0.5f) + 2, 1), T(2.5));
    EXPECT_EQ(lane(1.0f / P(4), 1), T(0.25));
}

TYPED_TEST(PackTest, AnyAndAllSeeEveryLane) {
    using P = TypeParam;
    using T = ElementOf<P>;
    constexpr int n = lanesOf<P>;
    EXPECT_FALSE(any(P(1) < P(0)));
    EXPECT_TRUE(all(P(0) < P(1)));
    EXPECT_TRUE(all(MaskOf<P>(true)));
    EXPECT_FALSE(any(MaskOf<P>(false)));
    for (int k = 0; k < n; ++k) {
        T v[n] = {};
        v[k] = T(1);
        MaskOf<P> one = load<P>(v) > P(0);
        EXPECT_TRUE(any(one));
        EXPECT_FALSE(all(one));
        EXPECT_FALSE(all(!one));
        for (int j = 0; j < n; ++j) EXPECT_EQ(lane(one, j), j == k);
    }
}

TYPED_TEST(PackTest, WidenAndNarrowConvertEachLane) {
    using P = TypeParam;
    using T = ElementOf<P>;
    constexpr int n = lanesOf<P>;
    static_assert(std::is_same_v<Wide<P>, Pack<double, n>> && std::is_same_v<Narrow<P>, Pack<float, n>>);
    std::vector<T> v = awkward<T>(64);
    for (int i = 0; i + n <= 64; i += n) {
        P a = load<P>(&v[i]);
        double wide[n];
        float small[n];
        store(wide, a);
        store(small, a);
        for (int k = 0; k < n; ++k) {
            T x = v[i + k];
            EXPECT_TRUE(same(lane(widen(a), k), double(x)));
            EXPECT_TRUE(same(lane(narrow(a), k), float(x)));
            EXPECT_TRUE(same(wide[k], double(x)));
            EXPECT_TRUE(same(small[k], float(x)));
            EXPECT_TRUE(same(lane(load<P>(wide), k), T(wide[k])));
            EXPECT_TRUE(same(lane(load<P>(small), k), T(small[k])));
            EXPECT_EQ(lane(widen(a > P(1)), k), x > T(1));
            EXPECT_EQ(lane(narrow(a > P(1)), k), x > T(1));
            EXPECT_EQ(toBits(lane(fromBits<P>(toBits(a)), k)), toBits(x));
        }
    }
}

// A double that is rounded to float and back differs from the original. GCC 12 assumed equality when it vectorised
// such conversions: see real.hpp.
TYPED_TEST(PackTest, NarrowThenWidenRounds) {
    using P = TypeParam;
    constexpr int n = lanesOf<P>;
    double v[16], packed[n], scalar[n];
    float stored[n];
    for (int k = 0; k < 16; ++k) v[k] = 1.0 / (k + 3);
    store(packed, widen(narrow(load<Wide<P>>(v))));
    for (int k = 0; k < n; ++k) scalar[k] = widen(narrow(v[k]));
    store(stored, load<Wide<P>>(v));
    Wide<P> loaded = load<Wide<P>>(stored);
    for (int k = 0; k < n; ++k) {
        volatile float rounded = float(v[k]);
        EXPECT_EQ(packed[k], double(rounded));
        EXPECT_EQ(scalar[k], double(rounded));
        EXPECT_EQ(lane(loaded, k), double(rounded));
    }
}

struct Rec {
    float x, y, z, w;
};

template <class R> struct LanesTest : testing::Test {};
using LaneReals = testing::Types<float, double, Pack<float, 4>, Pack<float, 8>, Pack<float, 16>,
                                 Pack<double, 4>, Pack<double, 8>, Pack<double, 16>>;
TYPED_TEST_SUITE(LanesTest, LaneReals);

TYPED_TEST(LanesTest, GatherAndScatterFollowTheIndices) {
    using R = TypeParam;
    constexpr int n = lanesOf<R>;
    Rec from[64], to[64] = {};
    for (int i = 0; i < 64; ++i) from[i] = {float(i), float(i) + 0.25f, float(i) + 0.5f, float(-i)};
    std::int32_t index[n], target[n];
    for (int k = 0; k < n; ++k) {
        index[k] = (k * 37 + 11) % 64;
        target[k] = (k * 29 + 5) % 64;
    }
    Four<R> a = gather<R>(from, index);
    for (int k = 0; k < n; ++k) {
        const Rec& r = from[index[k]];
        EXPECT_EQ(float(lane(a.x, k)), r.x);
        EXPECT_EQ(float(lane(a.y, k)), r.y);
        EXPECT_EQ(float(lane(a.z, k)), r.z);
        EXPECT_EQ(float(lane(a.w, k)), r.w);
        EXPECT_EQ(float(lane(xyz(a).y, k)), r.y);
    }
    scatter(to, target, a);
    int written = 0;
    for (const Rec& r : to) written += r.y != 0.0f;
    EXPECT_EQ(written, n);
    for (int k = 0; k < n; ++k) {
        EXPECT_EQ(to[target[k]].x, from[index[k]].x);
        EXPECT_EQ(to[target[k]].y, from[index[k]].y);
        EXPECT_EQ(to[target[k]].z, from[index[k]].z);
        EXPECT_EQ(to[target[k]].w, from[index[k]].w);
    }
}

TYPED_TEST(LanesTest, ScatterToOneRecordKeepsTheHighestLane) {
    using R = TypeParam;
    constexpr int n = lanesOf<R>;
    float column[n];
    std::int32_t zero[n] = {};
    for (int k = 0; k < n; ++k) column[k] = float(k + 1);
    R v = load<R>(column);
    Rec to{};
    scatter(&to, zero, Four<R>{v, v, v, v});
    EXPECT_EQ(to.x, float(n));
    EXPECT_EQ(to.w, float(n));
}

} // namespace
} // namespace capstan
