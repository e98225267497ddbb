// SPDX-License-Identifier: MIT
// 1 / x and sqrt(x) of numbers that are known to be tame, from 1e-30 to 1e30 (either sign for 1 / x), and the larger of
// two numbers where no NaN is expected. The bits are those of / and sqrt. A GPU has no instruction for either: nvcc's own
// code looks first whether the number is tame and calls a function if not, which costs as much again as the work. What is
// done here is its short way: the approximation of the hardware, and one Newton step by fused multiply-adds, which
// rounds correctly (Markstein 1990, "Computation of elementary functions on the IBM RISC System/6000 processor").
// All mantissas were compared with / and sqrt on an H200, from 1e-30 to 1e30: none differs.
#pragma once

#include <capstan/math/real.hpp>

namespace capstan {

#ifdef __CUDA_ARCH__
CAPSTAN_INLINE float inverseShort(float x) {
    float r, e, y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(e) : "f"(-x), "f"(r), "f"(1.0f));
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(y) : "f"(r), "f"(e), "f"(r));
    return y;
}
CAPSTAN_INLINE float rootShort(float x) {
    float r, e, y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    const float g = x * r, h = 0.5f * r;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(e) : "f"(-g), "f"(g), "f"(x));
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(y) : "f"(e), "f"(h), "f"(g));
    return y;
}
#endif

template <class R> CAPSTAN_INLINE R inverseTame(R x) {
#ifdef __CUDA_ARCH__
    if constexpr (std::is_same_v<R, float>) return inverseShort(x);
#endif
    return R(1.0f) / x;
}
template <class R> CAPSTAN_INLINE R rootTame(R x) {
#ifdef __CUDA_ARCH__
    if constexpr (std::is_same_v<R, float>) return rootShort(x);
#endif
    return sqrt(x);
}
// Not of two zeros with different signs.
template <class R> CAPSTAN_INLINE R largerTame(R a, R b) {
#ifdef __CUDA_ARCH__
    if constexpr (std::is_same_v<R, float>) return ::fmaxf(a, b);
#endif
    return max(a, b);
}
template <class R> CAPSTAN_INLINE R smallerTame(R a, R b) {
#ifdef __CUDA_ARCH__
    if constexpr (std::is_same_v<R, float>) return ::fminf(a, b);
#endif
    return min(a, b);
}
template <class R> CAPSTAN_INLINE R clampTame(R a, R low, R high) {
    return smallerTame(largerTame(a, low), high);
}

} // namespace capstan
