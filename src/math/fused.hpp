// SPDX-License-Identifier: MIT
// Fused multiply-add of IEEE 754-2008: c + a b and c - a b with one rounding. Its result is as reproducible as that
// of + and *, and it is one instruction instead of two. A formula must call it explicitly, because compilers differ
// in which operations they fuse (see CMakeLists.txt).
//
// A GPU, ARM64 and every x86 with AVX2 have the instruction. On x86 it is written as assembly: with the intrinsic
// enabled, GCC 12 would fuse other operations too. On other machines the sum is computed in double, which holds a b
// exactly. It is rounded to odd and then to float (Boldo & Melquiond 2008, "Emulation of a FMA and correctly rounded
// sums: proved algorithms using rounding to odd").
#pragma once

#include "math/pack.hpp"
#include <capstan/math/vec.hpp>

namespace capstan {

template <class R> CAPSTAN_INLINE R addFusedByHand(R c, R a, R b) {
    using Real = Wide<R>;
    const Real p = widen(a) * widen(b), q = widen(c), sum = p + q;
    const Real back = sum - p, lost = (p - (sum - back)) + (q - back); // Knuth's two-sum: exact
    // Rounds to odd. If the sum is inexact and its last bit is 0, the result is the neighbouring double on the side
    // of the exact sum.
    const BitsOf<Real> bits = toBits(sum), one = std::uint64_t(1);
    const Real up = fromBits<Real>(bits + one), down = fromBits<Real>(bits - one);
    const auto even = fromBits<Real>(bits & one) == Real(0.0), finite = sum - sum == Real(0.0);
    const Real odd = select(lost * sum > Real(0.0), up, down);
    return narrow(select((lost != Real(0.0)) & even & finite, odd, sum));
}

// addFused is c + a b, and takeFused is c - a b.
#if defined(__CUDA_ARCH__)
CAPSTAN_INLINE float addFused(float c, float a, float b) { return __fmaf_rn(a, b, c); }
CAPSTAN_INLINE float takeFused(float c, float a, float b) { return __fmaf_rn(-a, b, c); }
#elif defined(__AVX2__) && defined(__GNUC__)
#define CAPSTAN_FUSED_VECTOR 1
CAPSTAN_INLINE float addFused(float c, float a, float b) {
    __asm__("vfmadd231ss %2, %1, %0" : "+x"(c) : "x"(a), "x"(b));
    return c;
}
CAPSTAN_INLINE float takeFused(float c, float a, float b) {
    __asm__("vfnmadd231ss %2, %1, %0" : "+x"(c) : "x"(a), "x"(b));
    return c;
}
#elif defined(__FP_FAST_FMAF)
CAPSTAN_INLINE float addFused(float c, float a, float b) { return __builtin_fmaf(a, b, c); }
CAPSTAN_INLINE float takeFused(float c, float a, float b) { return __builtin_fmaf(-a, b, c); }
#else
CAPSTAN_INLINE float addFused(float c, float a, float b) { return addFusedByHand(c, a, b); }
CAPSTAN_INLINE float takeFused(float c, float a, float b) { return addFusedByHand(c, -a, b); }
#endif

// Formulas in double are only references of tests, so two roundings are good enough.
CAPSTAN_INLINE double addFused(double c, double a, double b) { return c + a * b; }
CAPSTAN_INLINE double takeFused(double c, double a, double b) { return c - a * b; }

#ifndef __CUDACC__
template <int N>
CAPSTAN_INLINE Pack<float, N> addFused(Pack<float, N> c, Pack<float, N> a, Pack<float, N> b) {
    if constexpr (Pack<float, N>::split) return {addFused(c.lo, a.lo, b.lo), addFused(c.hi, a.hi, b.hi)};
#if defined(CAPSTAN_FUSED_VECTOR)
    if constexpr (!Pack<float, N>::split && N >= 4) {
        __asm__("vfmadd231ps %2, %1, %0" : "+x"(c.v) : "x"(a.v), "x"(b.v));
        return c;
    }
#elif defined(__FP_FAST_FMAF)
    if constexpr (!Pack<float, N>::split) {
        for (int i = 0; i < N; ++i) c.v[i] = addFused(c.v[i], a.v[i], b.v[i]);
        return c;
    }
#endif
    return addFusedByHand(c, a, b);
}
template <int N>
CAPSTAN_INLINE Pack<float, N> takeFused(Pack<float, N> c, Pack<float, N> a, Pack<float, N> b) {
#if defined(CAPSTAN_FUSED_VECTOR)
    if constexpr (Pack<float, N>::split) return {takeFused(c.lo, a.lo, b.lo), takeFused(c.hi, a.hi, b.hi)};
    if constexpr (!Pack<float, N>::split && N >= 4) {
        __asm__("vfnmadd231ps %2, %1, %0" : "+x"(c.v) : "x"(a.v), "x"(b.v));
        return c;
    }
#endif
    return addFused(c, -a, b);
}
#endif

template <class R> CAPSTAN_INLINE Vec<R> addFused(Vec<R> c, Same<R> a, Vec<R> b) {
    return {addFused(c.x, a, b.x), addFused(c.y, a, b.y), addFused(c.z, a, b.z)};
}
template <class R> CAPSTAN_INLINE Vec<R> takeFused(Vec<R> c, Same<R> a, Vec<R> b) {
    return {takeFused(c.x, a, b.x), takeFused(c.y, a, b.y), takeFused(c.z, a, b.z)};
}
// addDot returns c + a.b, and dotFused returns a.b.
template <class R> CAPSTAN_INLINE R addDot(R c, Vec<R> a, Vec<R> b) {
    return addFused(addFused(addFused(c, a.x, b.x), a.y, b.y), a.z, b.z);
}
template <class R> CAPSTAN_INLINE R dotFused(Vec<R> a, Vec<R> b) {
    return addFused(addFused(a.x * b.x, a.y, b.y), a.z, b.z);
}

} // namespace capstan
