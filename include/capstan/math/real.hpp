// SPDX-License-Identifier: MIT
// Real: the number type of a formula. One formula runs on several types:
//   float    one item at a time (scalar CPU, and one CUDA thread)
//   Pack     several items at a time, one in each lane (math/pack.hpp)
//   double   the reference in tests, and recursions that need more digits
// Three rules keep the same bits for all of these types:
//   - a formula never branches on a Real; it calls select(mask, a, b);
//   - masks combine with & | and ! (never ~ or &&, which differ in meaning on a bool);
//   - min and max are defined here by a comparison: std::fmin, the SSE instruction and CUDA's fminf differ
//     on NaN and on the sign of zero.
// The functions are templates. So a program with `using namespace capstan` can still call sqrt(2.0). Plain overloads
// would be ambiguous with those of the C library.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__CUDACC__)
#define CAPSTAN_HD __host__ __device__
#define CAPSTAN_INLINE __host__ __device__ __forceinline__
// For a loop over an array that a GPU must keep in registers. Registers cannot be indexed, so the loop must be
// unrolled.
#define CAPSTAN_UNROLL _Pragma("unroll")
// For a loop whose iterations are independent.
#define CAPSTAN_UNROLL_FOUR _Pragma("unroll 4")
#else
#define CAPSTAN_HD
#define CAPSTAN_UNROLL
#define CAPSTAN_UNROLL_FOUR
// A Pack wider than a register would be passed through memory, so small functions are inlined in every build type.
#define CAPSTAN_INLINE __attribute__((always_inline)) inline
#endif

// GCC 12 vectorises neighbouring (double)(float)x, and then drops both conversions (seen at -O2 with two neighbours
// and default flags). An empty asm statement with x as operand prevents this, at no cost. So a double that may be
// widened again is converted to float by narrow() or store(), never by a cast.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__) && defined(__SSE2__)
#define CAPSTAN_KEEP_NARROW(x) __asm__("" : "+x"(x))
#elif defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__) && defined(__aarch64__)
#define CAPSTAN_KEEP_NARROW(x) __asm__("" : "+w"(x))
#else
#define CAPSTAN_KEEP_NARROW(x) (void)0
#endif

namespace capstan {

template <class T>
concept Scalar = std::is_same_v<T, float> || std::is_same_v<T, double>;

// Properties of a Real. Bits is the unsigned integer of the same size, for operations on exponents
// (transcendental.hpp). epsilon is the difference between 1 and the next larger number.
template <class R> struct RealTraits;
template <> struct RealTraits<float> {
    using Element = float;
    using Wide = double;
    using Narrow = float;
    using Bits = std::uint32_t;
    static constexpr int lanes = 1;
    static constexpr float epsilon = 0x1p-23f;
};
template <> struct RealTraits<double> {
    using Element = double;
    using Wide = double;
    using Narrow = float;
    using Bits = std::uint64_t;
    static constexpr int lanes = 1;
    static constexpr double epsilon = 0x1p-52;
};

template <class R>
concept Real = requires {
    RealTraits<R>::lanes;
};

template <class R> inline constexpr int lanesOf = RealTraits<R>::lanes;
template <class R> using ElementOf = typename RealTraits<R>::Element;
template <class R> using Wide = typename RealTraits<R>::Wide;
template <class R> using Narrow = typename RealTraits<R>::Narrow;
template <class R> using BitsOf = typename RealTraits<R>::Bits;
template <class R> using MaskOf = decltype(R() < R());

template <class R> inline constexpr bool isSingle = std::is_same_v<ElementOf<R>, float>;

// Returns the constant in the precision of R: f for single precision, d for double.
template <class R> CAPSTAN_INLINE R constant(float f, double d) {
    if constexpr (isSingle<R>)
        return R(f);
    else
        return R(d);
}

// A parameter of type Same<T> is not used to deduce T. So 0.5f * v compiles for every Real.
template <class T> using Same = std::type_identity_t<T>;

template <Scalar T> CAPSTAN_INLINE T select(bool m, T a, T b) { return m ? a : b; }
CAPSTAN_INLINE bool any(bool m) { return m; }
CAPSTAN_INLINE bool all(bool m) { return m; }

template <Scalar T> CAPSTAN_INLINE T sqrt(T a) {
    if constexpr (sizeof(T) == 4)
        return ::sqrtf(a);
    else
        return ::sqrt(a);
}
template <Scalar T> CAPSTAN_INLINE T abs(T a) {
    if constexpr (sizeof(T) == 4)
        return ::fabsf(a);
    else
        return ::fabs(a);
}
// The magnitude of a with the sign of s.
template <Scalar T> CAPSTAN_INLINE T withSign(T a, T s) {
    if constexpr (sizeof(T) == 4)
        return ::copysignf(a, s);
    else
        return ::copysign(a, s);
}
// min and max return the first argument if the two compare equal or one is NaN.
template <Scalar T> CAPSTAN_INLINE T min(T a, T b) { return b < a ? b : a; }
template <Scalar T> CAPSTAN_INLINE T max(T a, T b) { return a < b ? b : a; }
template <Real R> CAPSTAN_INLINE R clamp(R a, Same<R> low, Same<R> high) { return min(max(a, low), high); }

// Conversions between precisions: widen gives double, narrow gives float.
template <Scalar T> CAPSTAN_INLINE double widen(T a) { return double(a); }
template <Scalar T> CAPSTAN_INLINE float narrow(T a) {
    float r = float(a);
    if constexpr (sizeof(T) == 8) CAPSTAN_KEEP_NARROW(r);
    return r;
}
CAPSTAN_INLINE bool widen(bool m) { return m; }
CAPSTAN_INLINE bool narrow(bool m) { return m; }

template <Scalar T> CAPSTAN_INLINE BitsOf<T> toBits(T a) {
    BitsOf<T> b;
    std::memcpy(&b, &a, sizeof b);
    return b;
}
template <class R> CAPSTAN_INLINE R fromBits(BitsOf<R> b) {
    if constexpr (Scalar<R>) {
        R a;
        std::memcpy(&a, &b, sizeof a);
        return a;
    } else {
        return R::fromBits(b);
    }
}

// Reads lanesOf<R> neighbouring elements from memory. Elements of the other precision are converted.
template <class R, Scalar T> CAPSTAN_INLINE R load(const T* p) {
    if constexpr (std::is_same_v<R, float>)
        return narrow(*p);
    else if constexpr (std::is_same_v<R, double>)
        return widen(*p);
    else
        return R::load(p);
}
template <Scalar T, Scalar R> CAPSTAN_INLINE void store(T* p, R a) {
    if constexpr (sizeof(T) == 4)
        *p = narrow(a);
    else
        *p = widen(a);
}
template <Scalar T> CAPSTAN_INLINE T lane(T a, int) { return a; }
CAPSTAN_INLINE bool lane(bool m, int) { return m; }

} // namespace capstan
