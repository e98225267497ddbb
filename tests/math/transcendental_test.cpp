// SPDX-License-Identifier: MIT
// Tests of the transcendental functions. The largest error against the C library in long double is within the bound
// of the header. Special values are those of the C standard. A Pack gives the bits of the scalar function.
#include "math/pack.hpp"
#include <capstan/math/transcendental.hpp>

#include <gtest/gtest.h>

#include <cfloat>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace capstan {
namespace {

using Exact = long double;
constexpr Exact pi = 3.14159265358979323846264338327950288L;

// Returns one unit in the last place of a T near y; |y| counts as at least `floor`.
template <class T> Exact ulp(Exact y, Exact floor) {
    using Limits = std::numeric_limits<T>;
    y = std::max(std::fabs(y), std::max(floor, Exact(Limits::min())));
    return std::ldexp(1.0L, std::ilogb(y) + 1 - Limits::digits);
}

template <class T> struct Samples {
    std::mt19937_64 rng{11};
    T uniform(T low, T high) { return std::uniform_real_distribution<T>(low, high)(rng); }
    T anyFinite() {
        for (;;) {
            T x = fromBits<T>(BitsOf<T>(rng()));
            if (std::isfinite(x)) return x;
        }
    }
    // Returns a number next to a multiple of pi / 2, within the range.
    T nearZeroOfSine(T range) {
        T x = T(std::floor(uniform(-range, range) / T(1.6)) * (pi / 2));
        for (int steps = int(rng() % 4); steps > 0; --steps)
            x = std::nextafter(x, T(rng() % 2 ? range : -range));
        return x;
    }
};

// Returns the largest error of f in ulp over n samples.
template <class T, class F, class G, class Next>
Exact worst(int n, F f, G exact, Next next, Exact floor = 0) {
    Exact most = 0;
    for (int i = 0; i < n; ++i) {
        T x = next();
        Exact y = exact(Exact(x));
        if (std::fabs(y) > Exact(std::numeric_limits<T>::max())) continue;
        Exact error = std::fabs(Exact(f(x)) - y) / ulp<T>(y, floor);
        if (!(error <= most)) most = error;
    }
    return most;
}

template <class T> struct TranscendentalTest : testing::Test {
    static constexpr bool single = std::is_same_v<T, float>;
    static constexpr int n = 200000;
    static constexpr T range = single ? T(1e4) : T(1e6);
    static constexpr Exact floor = single ? 0x1p-13L : 0x1p-40L;
    Samples<T> samples;
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(TranscendentalTest, Scalars);

TYPED_TEST(TranscendentalTest, SineAndCosine) {
    using T = TypeParam;
    auto& s = this->samples;
    const Exact bound = this->single ? 1.8L : 0.95L;
    for (T bounds : {T(4), this->range}) {
        auto next = [&] { return s.uniform(-bounds, bounds); };
        EXPECT_LT(
            worst<T>(
                this->n, [](T x) { return sin(x); }, [](Exact x) { return std::sin(x); }, next, this->floor),
            bound);
        EXPECT_LT(
            worst<T>(
                this->n, [](T x) { return cos(x); }, [](Exact x) { return std::cos(x); }, next, this->floor),
            bound);
    }
    auto next = [&] { return s.nearZeroOfSine(this->range); };
    EXPECT_LT(
        worst<T>(
            this->n, [](T x) { return sin(x); }, [](Exact x) { return std::sin(x); }, next, this->floor),
        bound);
    EXPECT_LT(
        worst<T>(
            this->n, [](T x) { return cos(x); }, [](Exact x) { return std::cos(x); }, next, this->floor),
        bound);
}

TYPED_TEST(TranscendentalTest, SineAndCosineStayBoundedOutOfRange) {
    using T = TypeParam;
    for (int i = 0; i < this->n; ++i) {
        T x = this->samples.anyFinite();
        EXPECT_LE(abs(sin(x)), T(1)) << x;
        EXPECT_LE(abs(cos(x)), T(1)) << x;
    }
}

TYPED_TEST(TranscendentalTest, Exponential) {
    using T = TypeParam;
    auto& s = this->samples;
    auto f = [](T x) { return exp(x); };
    auto exact = [](Exact x) { return std::exp(x); };
    const T low = this->single ? T(-104) : T(-745.2), high = this->single ? T(88.8) : T(709.8);
    EXPECT_LT(worst<T>(this->n, f, exact, [&] { return s.uniform(low, high); }), 1.0L);
    EXPECT_LT(worst<T>(this->n, f, exact, [&] { return s.uniform(-1, 1); }), 1.0L);
    EXPECT_EQ(exp(T(0)), T(1));
    EXPECT_EQ(exp(-std::numeric_limits<T>::infinity()), T(0));
    EXPECT_EQ(exp(T(-1e4)), T(0));
    EXPECT_EQ(exp(T(1e4)), std::numeric_limits<T>::infinity());
    EXPECT_EQ(exp(std::numeric_limits<T>::infinity()), std::numeric_limits<T>::infinity());
}

TYPED_TEST(TranscendentalTest, Logarithm) {
    using T = TypeParam;
    auto& s = this->samples;
    auto f = [](T x) { return log(x); };
    auto exact = [](Exact x) { return std::log(x); };
    EXPECT_LT(worst<T>(this->n, f, exact, [&] { return abs(s.anyFinite()); }), 0.9L);
    EXPECT_LT(worst<T>(this->n, f, exact, [&] { return s.uniform(T(0.5), T(2)); }), 0.9L);
    EXPECT_LT(worst<T>(this->n, f, exact, [&] { return s.uniform(0, std::numeric_limits<T>::min()); }), 0.9L);
    EXPECT_EQ(log(T(1)), T(0));
    EXPECT_EQ(log(T(0)), -std::numeric_limits<T>::infinity());
    EXPECT_EQ(log(-T(0)), -std::numeric_limits<T>::infinity());
    EXPECT_EQ(log(std::numeric_limits<T>::infinity()), std::numeric_limits<T>::infinity());
    EXPECT_TRUE(std::isnan(log(T(-1))));
}

TYPED_TEST(TranscendentalTest, ArcTangent) {
    using T = TypeParam;
    auto& s = this->samples;
    Exact most = 0;
    for (int i = 0; i < 3 * this->n; ++i) {
        T y = i % 3 ? s.uniform(-1, 1) : s.anyFinite(), x = i % 3 ? s.uniform(-1, 1) : s.anyFinite();
        Exact exact = std::atan2(Exact(y), Exact(x));
        most = std::max(most, std::fabs(Exact(atan2(y, x)) - exact) / ulp<T>(exact, 0));
    }
    EXPECT_LT(most, 1.6L);
    const T inf = std::numeric_limits<T>::infinity(), big = std::numeric_limits<T>::max();
    const T tiny = std::numeric_limits<T>::denorm_min();
    for (T y : {T(0), T(1), tiny, big, inf})
        for (T x : {T(0), T(1), tiny, big, inf})
            for (T sy : {T(1), T(-1)})
                for (T sx : {T(1), T(-1)}) {
                    T got = atan2(sy * y, sx * x);
                    Exact exact = std::atan2(Exact(sy * y), Exact(sx * x));
                    EXPECT_LE(std::fabs(Exact(got) - exact), ulp<T>(exact, 0)) << sy * y << " " << sx * x;
                    EXPECT_EQ(std::signbit(got), std::signbit(exact)) << sy * y << " " << sx * x;
                }
}

TYPED_TEST(TranscendentalTest, ArcSineAndArcCosine) {
    using T = TypeParam;
    auto& s = this->samples;
    auto next = [&] { return s.uniform(-1, 1); };
    auto nearEnd = [&] { return T(1) - abs(s.uniform(0, T(1e-3))); };
    auto small = [&] { return s.uniform(T(-1e-4), T(1e-4)); };
    for (const std::function<T()>& draw :
         {std::function<T()>(next), std::function<T()>(nearEnd), std::function<T()>(small)}) {
        EXPECT_LT(worst<T>(
                      this->n, [](T x) { return asin(x); }, [](Exact x) { return std::asin(x); }, draw),
                  1.7L);
        EXPECT_LT(worst<T>(
                      this->n, [](T x) { return acos(x); }, [](Exact x) { return std::acos(x); }, draw),
                  1.2L);
    }
    EXPECT_EQ(acos(T(1)), T(0));
    EXPECT_EQ(acos(T(2)), T(0));
    EXPECT_EQ(acos(T(-2)), T(pi));
    EXPECT_EQ(asin(T(-2)), T(-pi / 2));
    EXPECT_TRUE(std::signbit(asin(-T(0))));
}

TYPED_TEST(TranscendentalTest, NotANumberComesThrough) {
    using T = TypeParam;
    const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
    for (T y : {sin(nan), cos(nan), exp(nan), log(nan), asin(nan), acos(nan), atan2(nan, T(1)),
                atan2(T(1), nan), atan2(nan, inf), atan2(inf, nan), sin(inf), cos(-inf)})
        EXPECT_TRUE(std::isnan(y));
}

template <class P> struct TranscendentalPackTest : testing::Test {};
using WidePacks = testing::Types<Pack<float, 4>, Pack<float, 8>, Pack<float, 16>, Pack<double, 4>,
                                 Pack<double, 8>, Pack<double, 16>>;
TYPED_TEST_SUITE(TranscendentalPackTest, WidePacks);

template <class T> bool sameBits(T a, T b) { return toBits(a) == toBits(b) || (a != a && b != b); }

// Each call tests one f, so the scalar and the Pack version are both compiled once.
template <class P, class F> void expectSameBits(const char* name, F f) {
    using T = ElementOf<P>;
    constexpr int n = lanesOf<P>;
    Samples<T> s;
    for (int i = 0; i < 20000; ++i) {
        T x[n], y[n], got[n];
        for (int k = 0; k < n; ++k) x[k] = i % 2 ? s.anyFinite() : s.uniform(-20, 20);
        for (int k = 0; k < n; ++k) y[k] = i % 2 ? s.anyFinite() : s.uniform(-20, 20);
        store(got, f(load<P>(x), load<P>(y)));
        for (int k = 0; k < n; ++k)
            ASSERT_TRUE(sameBits(got[k], f(x[k], y[k]))) << name << "(" << x[k] << ", " << y[k] << ")";
    }
}

TYPED_TEST(TranscendentalPackTest, HasTheBitsOfTheScalar) {
    using P = TypeParam;
    expectSameBits<P>("sin", [](auto x, auto) { return sin(x); });
    expectSameBits<P>("cos", [](auto x, auto) { return cos(x); });
    expectSameBits<P>("exp", [](auto x, auto) { return exp(x); });
    expectSameBits<P>("log", [](auto x, auto) { return log(x); });
    expectSameBits<P>("atan2", [](auto x, auto y) { return atan2(y, x); });
    expectSameBits<P>("asin", [](auto x, auto y) { return asin(x / y); });
    expectSameBits<P>("acos", [](auto x, auto y) { return acos(x / y); });
}

} // namespace
} // namespace capstan
