// SPDX-License-Identifier: MIT
// Fast forms of 1 / x and sqrt(x) for magnitudes from 1e-30 to 1e30 (1 / x: both signs). Fast forms of max and min
// for numbers that are not NaN. The bits are those of / , sqrt, max and min.
//
// A GPU has no single instruction for / or sqrt. The code of nvcc first tests whether the number is in a safe range,
// and calls a function if it is not. The test costs as much as the computation. The functions below have only the
// path without a test: the approximation of the hardware, and one Newton step by fused multiply-adds. That step
// rounds correctly (Markstein 1990, "Computation of elementary functions on the IBM RISC System/6000 processor"). All
// mantissas were compared with / and sqrt on an H200, from 1e-30 to 1e30: none differs.
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
// largerTame returns the larger and smallerTame the smaller of two numbers. Do not use them for +0 and -0: the sign
// of the result may differ between CPU and GPU.
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
