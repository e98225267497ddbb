// SPDX-License-Identifier: MIT
// Pack<T, N>: N numbers, one in each lane, by the vector extensions of GCC and Clang. One source serves SSE2, AVX2,
// AVX-512, NEON and WebAssembly SIMD. Intrinsics would need one copy per instruction set.
//
// A Pack is one machine vector, or two Packs of half the size if it is wider than a machine vector. The split is
// explicit here, because GCC 12 passes a 64-byte vector through the stack on AVX2, and warns about the ABI. Every
// operation acts lane by lane, so the split never changes a bit.
//
// nvcc does not compile this file, because on the GPU each thread is a lane.
#pragma once
#include <capstan/math/real.hpp>

#ifndef __CUDACC__

#ifndef CAPSTAN_LANES
#define CAPSTAN_LANES 8
#endif

namespace capstan {

inline constexpr int kLanes = CAPSTAN_LANES;

#if defined(__AVX512F__)
inline constexpr int kVectorBytes = 64;
#elif defined(__AVX__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

template <class T, int N> struct Pack;
template <class T, int N> struct Mask;

template <int bytes> struct IntegerOf;
template <> struct IntegerOf<4> {
    using Signed = std::int32_t;
    using Unsigned = std::uint32_t;
};
template <> struct IntegerOf<8> {
    using Signed = std::int64_t;
    using Unsigned = std::uint64_t;
};

template <class T, int N, bool split = (N * int(sizeof(T)) > kVectorBytes)> struct PackStorage;
template <class T, int N> struct PackStorage<T, N, false> {
    typedef T V __attribute__((vector_size(N * sizeof(T))));
    static constexpr bool split = false;
    V v;
};
template <class T, int N> struct PackStorage<T, N, true> {
    static constexpr bool split = true;
    Pack<T, N / 2> lo, hi;
};

#define CAPSTAN_PACK_BINARY(op)                                                                              \
    CAPSTAN_INLINE friend Pack operator op(Pack a, Pack b) {                                                 \
        if constexpr (Pack::split)                                                                           \
            return Pack(a.lo op b.lo, a.hi op b.hi);                                                         \
        else                                                                                                 \
            return fromVector(a.v op b.v);                                                                   \
    }
#define CAPSTAN_PACK_SHIFT(op)                                                                               \
    CAPSTAN_INLINE friend Pack operator op(Pack a, int k) {                                                  \
        if constexpr (Pack::split)                                                                           \
            return Pack(a.lo op k, a.hi op k);                                                               \
        else                                                                                                 \
            return fromVector(a.v op k);                                                                     \
    }
#define CAPSTAN_PACK_COMPARE(op)                                                                             \
    CAPSTAN_INLINE friend Mask<T, N> operator op(Pack a, Pack b) {                                           \
        if constexpr (Pack::split)                                                                           \
            return {Signed((a.lo op b.lo).bits, (a.hi op b.hi).bits)};                                       \
        else                                                                                                 \
            return {Signed::fromVector((typename Signed::V)(a.v op b.v))};                                   \
    }

// T is float or double. Packs of integers are only used for masks and operations on bits.
template <class T, int N> struct Pack : PackStorage<T, N> {
    static_assert(N == 2 || N == 4 || N == 8 || N == 16);
    using Half = Pack<T, N / 2>;
    using Signed = Pack<typename IntegerOf<sizeof(T)>::Signed, N>;
    using Unsigned = Pack<typename IntegerOf<sizeof(T)>::Unsigned, N>;

    Pack() = default;
    CAPSTAN_INLINE Pack(T a) {
        if constexpr (Pack::split)
            this->lo = this->hi = Half(a);
        else
            this->v = a - typename Pack::V{}; // a + 0 would change -0 to +0
    }
    CAPSTAN_INLINE Pack(Half a, Half b) {
        if constexpr (Pack::split) {
            this->lo = a;
            this->hi = b;
        } else
            this->v = join(a.v, b.v);
    }
    template <class V> CAPSTAN_INLINE static Pack fromVector(V a) {
        Pack r;
        r.v = a;
        return r;
    }

    CAPSTAN_PACK_BINARY(+)
    CAPSTAN_PACK_BINARY(-)
    CAPSTAN_PACK_BINARY(*)
    CAPSTAN_PACK_BINARY(/)
    CAPSTAN_PACK_BINARY(&)
    CAPSTAN_PACK_BINARY(|)
    CAPSTAN_PACK_SHIFT(<<)
    CAPSTAN_PACK_SHIFT(>>)
    CAPSTAN_PACK_COMPARE(<)
    CAPSTAN_PACK_COMPARE(>)
    CAPSTAN_PACK_COMPARE(<=)
    CAPSTAN_PACK_COMPARE(>=)
    CAPSTAN_PACK_COMPARE(==)
    CAPSTAN_PACK_COMPARE(!=)

    CAPSTAN_INLINE friend Pack operator-(Pack a) {
        if constexpr (Pack::split)
            return Pack(-a.lo, -a.hi);
        else
            return fromVector(-a.v);
    }
    CAPSTAN_INLINE friend Pack operator~(Pack a) {
        if constexpr (Pack::split)
            return Pack(~a.lo, ~a.hi);
        else
            return fromVector(~a.v);
    }
    CAPSTAN_INLINE Pack& operator+=(Pack b) { return *this = *this + b; }
    CAPSTAN_INLINE Pack& operator-=(Pack b) { return *this = *this - b; }
    CAPSTAN_INLINE Pack& operator*=(Pack b) { return *this = *this * b; }
    CAPSTAN_INLINE Pack& operator/=(Pack b) { return *this = *this / b; }

    CAPSTAN_INLINE friend Pack select(Mask<T, N> m, Pack a, Pack b) {
        if constexpr (Pack::split)
            return Pack(select(Mask<T, N / 2>{m.bits.lo}, a.lo, b.lo),
                        select(Mask<T, N / 2>{m.bits.hi}, a.hi, b.hi));
        else
            return fromVector(m.bits.v ? a.v : b.v);
    }
    CAPSTAN_INLINE friend Pack sqrt(Pack a) {
        if constexpr (Pack::split) {
            return Pack(sqrt(a.lo), sqrt(a.hi));
        } else { // compiled to one vector instruction with -fno-math-errno
            for (int i = 0; i < N; ++i) a.v[i] = capstan::sqrt(a.v[i]);
            return a;
        }
    }
    CAPSTAN_INLINE friend Pack abs(Pack a) { return fromBits(toBits(a) & ~signBit()); }
    CAPSTAN_INLINE friend Pack withSign(Pack a, Pack s) {
        return fromBits((toBits(a) & ~signBit()) | (toBits(s) & signBit()));
    }
    CAPSTAN_INLINE friend Pack min(Pack a, Pack b) { return select(b < a, b, a); }
    CAPSTAN_INLINE friend Pack max(Pack a, Pack b) { return select(a < b, b, a); }

    CAPSTAN_INLINE friend Pack<double, N> widen(Pack a) { return a.template to<double>(); }
    CAPSTAN_INLINE friend Pack<float, N> narrow(Pack a) { return a.template to<float>(); }

    CAPSTAN_INLINE friend Unsigned toBits(Pack a) { return a.template reinterpret<Unsigned>(); }
    CAPSTAN_INLINE static Pack fromBits(Unsigned b) { return b.template reinterpret<Pack>(); }

    CAPSTAN_INLINE friend T lane(Pack a, int i) {
        if constexpr (Pack::split)
            return i < N / 2 ? lane(a.lo, i) : lane(a.hi, i - N / 2);
        else
            return a.v[i];
    }

    template <class U> CAPSTAN_INLINE static Pack load(const U* p) {
        if constexpr (Pack::split) {
            return Pack(Half::load(p), Half::load(p + N / 2));
        } else if constexpr (sizeof(T) < sizeof(U)) {
            return Pack<U, N>::load(p).template to<T>();
        } else {
            typedef U From __attribute__((vector_size(N * sizeof(U))));
            From a;
            std::memcpy(&a, p, sizeof a);
            return fromVector(__builtin_convertvector(a, typename Pack::V));
        }
    }
    template <class U> CAPSTAN_INLINE friend void store(U* p, Pack a) {
        if constexpr (Pack::split) {
            store(p, a.lo);
            store(p + N / 2, a.hi);
        } else if constexpr (!std::is_same_v<T, U>)
            store(p, a.template to<U>());
        else
            std::memcpy(p, &a, sizeof a);
    }

    CAPSTAN_INLINE Half low() const {
        if constexpr (Pack::split)
            return this->lo;
        else if constexpr (N == 4)
            return Half::fromVector(__builtin_shufflevector(this->v, this->v, 0, 1));
        else if constexpr (N == 8)
            return Half::fromVector(__builtin_shufflevector(this->v, this->v, 0, 1, 2, 3));
        else
            return Half::fromVector(__builtin_shufflevector(this->v, this->v, 0, 1, 2, 3, 4, 5, 6, 7));
    }
    CAPSTAN_INLINE Half high() const {
        if constexpr (Pack::split)
            return this->hi;
        else if constexpr (N == 4)
            return Half::fromVector(__builtin_shufflevector(this->v, this->v, 2, 3));
        else if constexpr (N == 8)
            return Half::fromVector(__builtin_shufflevector(this->v, this->v, 4, 5, 6, 7));
        else
            return Half::fromVector(__builtin_shufflevector(this->v, this->v, 8, 9, 10, 11, 12, 13, 14, 15));
    }
    // Converts the value of each lane to U.
    template <class U> CAPSTAN_INLINE Pack<U, N> to() const {
        using To = Pack<U, N>;
        if constexpr (std::is_same_v<T, U>) {
            return *this;
        } else if constexpr (Pack::split || To::split) {
            return To(low().template to<U>(), high().template to<U>());
        } else { // GCC 12 compiles this loop to one instruction, and __builtin_convertvector to four
            To r;
            for (int i = 0; i < N; ++i) r.v[i] = U(this->v[i]);
            if constexpr (sizeof(U) < sizeof(T)) CAPSTAN_KEEP_NARROW(r.v);
            return r;
        }
    }
    // Reinterprets the bits as another Pack of the same size and number of lanes.
    template <class To> CAPSTAN_INLINE To reinterpret() const {
        if constexpr (Pack::split)
            return To(this->lo.template reinterpret<typename To::Half>(),
                      this->hi.template reinterpret<typename To::Half>());
        else
            return To::fromVector((typename To::V)this->v);
    }

private:
    CAPSTAN_INLINE static Unsigned signBit() {
        using U = typename IntegerOf<sizeof(T)>::Unsigned;
        return Unsigned(U(U(1) << (8 * sizeof(T) - 1)));
    }
    template <class V> CAPSTAN_INLINE static auto join(V a, V b) {
        if constexpr (N == 4)
            return __builtin_shufflevector(a, b, 0, 1, 2, 3);
        else if constexpr (N == 8)
            return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
        else
            return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
};

#undef CAPSTAN_PACK_BINARY
#undef CAPSTAN_PACK_SHIFT
#undef CAPSTAN_PACK_COMPARE

// The result of a comparison: all bits of a lane are set for true, none for false.
template <class T, int N> struct Mask {
    using Bits = typename Pack<T, N>::Signed;
    Bits bits;

    Mask() = default;
    CAPSTAN_INLINE Mask(Bits b) : bits(b) {}
    CAPSTAN_INLINE Mask(bool b) : bits(typename IntegerOf<sizeof(T)>::Signed(b ? -1 : 0)) {}

    CAPSTAN_INLINE friend Mask operator&(Mask a, Mask b) { return {a.bits & b.bits}; }
    CAPSTAN_INLINE friend Mask operator|(Mask a, Mask b) { return {a.bits | b.bits}; }
    CAPSTAN_INLINE friend Mask operator!(Mask a) { return {~a.bits}; }
    CAPSTAN_INLINE friend Mask<double, N> widen(Mask m) { return {m.bits.template to<std::int64_t>()}; }
    CAPSTAN_INLINE friend Mask<float, N> narrow(Mask m) { return {m.bits.template to<std::int32_t>()}; }
    CAPSTAN_INLINE friend bool lane(Mask m, int i) { return lane(m.bits, i) != 0; }
    CAPSTAN_INLINE friend bool any(Mask m) {
        if constexpr (N * sizeof(T) > 16) {
            return any(Mask<T, N / 2>{m.bits.low() | m.bits.high()});
        } else {
            std::uint64_t words[N * sizeof(T) / 8], sum = 0;
            std::memcpy(words, &m.bits, sizeof words);
            for (std::uint64_t w : words) sum |= w;
            return sum != 0;
        }
    }
    CAPSTAN_INLINE friend bool all(Mask m) { return !any(!m); }
};

template <class T, int N> struct RealTraits<Pack<T, N>> {
    using Element = T;
    using Wide = Pack<double, N>;
    using Narrow = Pack<float, N>;
    using Bits = typename Pack<T, N>::Unsigned;
    static constexpr int lanes = N;
    static constexpr T epsilon = RealTraits<T>::epsilon;
};

using PackF = Pack<float, kLanes>;
using PackD = Pack<double, kLanes>;

} // namespace capstan

#endif
