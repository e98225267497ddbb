// SPDX-License-Identifier: MIT
// Access to memory by lanes: 16-byte records {float x, y, z, w}, read and written by index. A float reads one record.
// A Pack reads N records, and converts rows to columns by 4 x 4 transposes. This takes one load per record; a gather
// instruction needs four. For a Real of doubles the records are read as floats and widened, because memory always
// holds floats.
#pragma once
#include "math/pack.hpp"
#include <capstan/math/vec.hpp>

namespace capstan {

template <class R> struct Four { R x, y, z, w; };

template <class R> CAPSTAN_INLINE Vec<R> xyz(const Four<R>& a) { return {a.x, a.y, a.z}; }
template <class R> CAPSTAN_INLINE Four<Wide<R>> widen(const Four<R>& a) {
    return {widen(a.x), widen(a.y), widen(a.z), widen(a.w)};
}
template <class R> CAPSTAN_INLINE Four<Narrow<R>> narrow(const Four<R>& a) {
    return {narrow(a.x), narrow(a.y), narrow(a.z), narrow(a.w)};
}

#ifndef __CUDACC__
// Transposes in place: the rows a b c d become columns.
template <Scalar T>
CAPSTAN_INLINE void transpose(Pack<T, 4>& a, Pack<T, 4>& b, Pack<T, 4>& c, Pack<T, 4>& d) {
    if constexpr (Pack<T, 4>::split) {
        T rows[4][4];
        store(rows[0], a);
        store(rows[1], b);
        store(rows[2], c);
        store(rows[3], d);
        T columns[4][4];
        for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 4; ++k) columns[i][k] = rows[k][i];
        a = load<Pack<T, 4>>(columns[0]);
        b = load<Pack<T, 4>>(columns[1]);
        c = load<Pack<T, 4>>(columns[2]);
        d = load<Pack<T, 4>>(columns[3]);
    } else {
        using V = typename Pack<T, 4>::V;
        V ab0 = __builtin_shufflevector(a.v, b.v, 0, 4, 2, 6),
          ab1 = __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7);
        V cd0 = __builtin_shufflevector(c.v, d.v, 0, 4, 2, 6),
          cd1 = __builtin_shufflevector(c.v, d.v, 1, 5, 3, 7);
        a.v = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
        b.v = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
        c.v = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
        d.v = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
    }
}
#endif

#ifndef __CUDACC__
// Two records in a Pack, not transposed: of eight records, Pack k holds the records k and k + 4. Sums, and products
// with one factor per record, need no columns. One shuffle of a Pack acts on two records.
using TwoRecords = Pack<float, 8>;

CAPSTAN_INLINE void loadTwo(TwoRecords& to, const void* low, const void* high) {
    Pack<float, 4> a, b;
    std::memcpy(&a, low, 16);
    std::memcpy(&b, high, 16);
    to = TwoRecords(a, b);
}
CAPSTAN_INLINE void storeTwo(void* low, void* high, TwoRecords a) {
    const Pack<float, 4> l = a.low(), h = a.high();
    std::memcpy(low, &l, 16);
    std::memcpy(high, &h, 16);
}

// Keeps x, y, z of both records, and sets w to 0.
CAPSTAN_INLINE TwoRecords keepXyz(TwoRecords a) { // Keeps x, y, z of both records and sets w to 0.
    using Bits = TwoRecords::Unsigned;
    constexpr std::uint32_t all = 0xffffffffu, xyz[8] = {all, all, all, 0, all, all, all, 0};
    return TwoRecords::fromBits(toBits(a) & Bits::load(xyz));
}

// Fills the first half with lane k, and the second half with lane k + 4.
template <int k, Scalar T> CAPSTAN_INLINE Pack<T, 8> spread(Pack<T, 8> a) {
    if constexpr (Pack<T, 8>::split) {
        return Pack<T, 8>(Pack<T, 4>(lane(a.low(), k)), Pack<T, 4>(lane(a.high(), k)));
    } else {
        a.v = __builtin_shufflevector(a.v, a.v, k, k, k, k, k + 4, k + 4, k + 4, k + 4);
        return a;
    }
}

// Transposes eight records (four Packs of two) to columns, and columns to records.
template <Scalar T> CAPSTAN_INLINE Four<Pack<T, 8>> columns(const Pack<T, 8>* r) {
    using P = Pack<T, 8>;
    if constexpr (P::split) {
        Pack<T, 4> l[4], h[4];
        for (int k = 0; k < 4; ++k) {
            l[k] = r[k].low();
            h[k] = r[k].high();
        }
        transpose(l[0], l[1], l[2], l[3]);
        transpose(h[0], h[1], h[2], h[3]);
        return {P(l[0], h[0]), P(l[1], h[1]), P(l[2], h[2]), P(l[3], h[3])};
    } else {
        const auto xz01 = __builtin_shufflevector(r[0].v, r[1].v, 0, 8, 2, 10, 4, 12, 6, 14),
                   yw01 = __builtin_shufflevector(r[0].v, r[1].v, 1, 9, 3, 11, 5, 13, 7, 15),
                   xz23 = __builtin_shufflevector(r[2].v, r[3].v, 0, 8, 2, 10, 4, 12, 6, 14),
                   yw23 = __builtin_shufflevector(r[2].v, r[3].v, 1, 9, 3, 11, 5, 13, 7, 15);
        return {P::fromVector(__builtin_shufflevector(xz01, xz23, 0, 1, 8, 9, 4, 5, 12, 13)),
                P::fromVector(__builtin_shufflevector(yw01, yw23, 0, 1, 8, 9, 4, 5, 12, 13)),
                P::fromVector(__builtin_shufflevector(xz01, xz23, 2, 3, 10, 11, 6, 7, 14, 15)),
                P::fromVector(__builtin_shufflevector(yw01, yw23, 2, 3, 10, 11, 6, 7, 14, 15))};
    }
}
#endif

// Reads the record a[i[k]] into lane k.
template <class R, class Rec> CAPSTAN_INLINE Four<R> gather(const Rec* a, const std::int32_t* i) {
    static_assert(sizeof(Rec) == 16);
    if constexpr (!std::is_same_v<R, Narrow<R>>) {
        return widen(gather<Narrow<R>>(a, i));
    } else if constexpr (lanesOf<R> == 1) {
        const Rec& r = a[*i];
        return {r.x, r.y, r.z, r.w};
    } else if constexpr (lanesOf<R> == 4) {
        R r[4];
        for (int k = 0; k < 4; ++k) std::memcpy(&r[k], a + i[k], 16);
        transpose(r[0], r[1], r[2], r[3]);
        return {r[0], r[1], r[2], r[3]};
    } else if constexpr (lanesOf<R> == 8) {
        R r[4];
        for (int k = 0; k < 4; ++k) loadTwo(r[k], a + i[k], a + i[k + 4]);
        return columns(r);
    } else {
        using Half = typename R::Half;
        Four<Half> l = gather<Half>(a, i), h = gather<Half>(a, i + lanesOf<R> / 2);
        return {R(l.x, h.x), R(l.y, h.y), R(l.z, h.z), R(l.w, h.w)};
    }
}

// Writes lane k to the record a[i[k]]. If two lanes write the same record, the higher lane is kept.
template <class R, class Rec> CAPSTAN_INLINE void scatter(Rec* a, const std::int32_t* i, const Four<R>& s) {
    static_assert(sizeof(Rec) == 16);
    if constexpr (!std::is_same_v<R, Narrow<R>>) {
        scatter(a, i, narrow(s));
    } else if constexpr (lanesOf<R> == 1) {
        a[*i] = Rec{s.x, s.y, s.z, s.w};
    } else if constexpr (lanesOf<R> == 4) {
        R r[4] = {s.x, s.y, s.z, s.w};
        transpose(r[0], r[1], r[2], r[3]);
        for (int k = 0; k < 4; ++k) std::memcpy(a + i[k], &r[k], 16);
    } else if constexpr (lanesOf<R> == 8) {
        const R rows[4] = {s.x, s.y, s.z, s.w};
        const Four<R> r = columns(rows);
        storeTwo(a + i[0], a + i[4], r.x);
        storeTwo(a + i[1], a + i[5], r.y);
        storeTwo(a + i[2], a + i[6], r.z);
        storeTwo(a + i[3], a + i[7], r.w);
    } else {
        using Half = typename R::Half;
        scatter(a, i, Four<Half>{s.x.low(), s.y.low(), s.z.low(), s.w.low()});
        scatter(a, i + lanesOf<R> / 2, Four<Half>{s.x.high(), s.y.high(), s.z.high(), s.w.high()});
    }
}

} // namespace capstan
