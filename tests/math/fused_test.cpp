// SPDX-License-Identifier: MIT
// Tests of the fused multiply-add, which has one rounding. The instruction, its emulation and all Packs are compared
// with the C library's fma, whose bits IEEE 754 defines.
#include "math/fused.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace capstan {
namespace {

struct Triple {
    float c, a, b;
};

bool same(float a, float b) { return toBits(a) == toBits(b) || (a != a && b != b); }

// Inputs: zeros, subnormals, infinities and NaN in all positions; random bits; sums that nearly cancel or whose parts
// differ widely in size.
std::vector<Triple> triples() {
    using Limits = std::numeric_limits<float>;
    const float awkward[] = {0.0f,
                             -0.0f,
                             1.0f,
                             -3.0f,
                             1.0f / 3,
                             Limits::min(),
                             Limits::max(),
                             -Limits::max(),
                             Limits::denorm_min(),
                             -Limits::min(),
                             Limits::epsilon(),
                             Limits::infinity(),
                             Limits::quiet_NaN()};
    std::vector<Triple> all;
    for (float c : awkward)
        for (float a : awkward)
            for (float b : awkward) all.push_back({c, a, b});
    std::mt19937 rng(1);
    auto any = [&] { return fromBits<float>(std::uint32_t(rng())); };
    auto tame = [&] {
        return std::ldexp(float(rng()) + 1, int(rng() % 40) - 52) * (rng() % 2 ? 1.0f : -1.0f);
    };
    for (int i = 0; i < 20000; ++i) {
        all.push_back({any(), any(), any()});
        const float a = tame(), b = tame();
        all.push_back({tame(), a, b});
        all.push_back({-a * b, a, b});
        all.push_back({std::ldexp(tame(), int(rng() % 60) - 150), std::ldexp(a, -70), std::ldexp(b, -70)});
    }
    return all;
}

// The exact sum is no tie between two floats, but its rounding to double is. Rounding twice gives a wrong result.
constexpr Triple kTwice = {1 + 0x1p-23f, (1 + 0x1p-15f) * 0x1p-12f, (1 - 0x1p-15f) * 0x1p-12f};

TEST(Fused, RoundsOnce) {
    const float twice = narrow(double(kTwice.a) * double(kTwice.b) + double(kTwice.c));
    EXPECT_EQ(addFused(kTwice.c, kTwice.a, kTwice.b), 1 + 0x1p-23f);
    EXPECT_EQ(addFusedByHand(kTwice.c, kTwice.a, kTwice.b), 1 + 0x1p-23f);
    EXPECT_EQ(
        twice,
        1 + 0x1p-22f); // two roundings give another result, so the test detects an operation that is not fused
    for (const Triple& t : triples()) {
        const float sum = std::fma(t.a, t.b, t.c), rest = std::fma(-t.a, t.b, t.c);
        ASSERT_TRUE(same(addFused(t.c, t.a, t.b), sum)) << t.c << " + " << t.a << " * " << t.b;
        ASSERT_TRUE(same(takeFused(t.c, t.a, t.b), rest)) << t.c << " - " << t.a << " * " << t.b;
        ASSERT_TRUE(same(addFusedByHand(t.c, t.a, t.b), sum)) << t.c << " + " << t.a << " * " << t.b;
    }
}

template <class P> struct FusedTest : testing::Test {};
using Packs = testing::Types<Pack<float, 2>, Pack<float, 4>, Pack<float, 8>, Pack<float, 16>>;
TYPED_TEST_SUITE(FusedTest, Packs);

TYPED_TEST(FusedTest, AllLanesAreTheScalar) {
    constexpr int n = lanesOf<TypeParam>;
    const std::vector<Triple> all = triples();
    for (std::size_t i = 0; i + n <= all.size(); i += n) {
        float c[n], a[n], b[n], sum[n], rest[n];
        for (int k = 0; k < n; ++k) {
            c[k] = all[i + k].c;
            a[k] = all[i + k].a;
            b[k] = all[i + k].b;
        }
        const auto C = load<TypeParam>(c), A = load<TypeParam>(a), B = load<TypeParam>(b);
        store(sum, addFused(C, A, B));
        store(rest, takeFused(C, A, B));
        for (int k = 0; k < n; ++k) {
            ASSERT_TRUE(same(sum[k], addFused(c[k], a[k], b[k]))) << "lane " << k;
            ASSERT_TRUE(same(rest[k], takeFused(c[k], a[k], b[k]))) << "lane " << k;
        }
    }
}

TEST(Fused, DotsAndVectors) {
    const Vec3 a = {1.5f, -2.25f, 3}, b = {4, 0.5f, -1}; // these products and sums are exact
    EXPECT_EQ(dotFused(a, b), dot(a, b));
    EXPECT_EQ(addDot(2.0f, a, b), 2 + dot(a, b));
    EXPECT_EQ(addFused(a, 2.0f, b), a + 2.0f * b);
    EXPECT_EQ(takeFused(a, 2.0f, b), a - 2.0f * b);
}

} // namespace
} // namespace capstan
