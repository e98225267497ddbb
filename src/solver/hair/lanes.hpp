// SPDX-License-Identifier: MIT
// Strands on the CPU, one per lane of R: load, step, store.
#pragma once

#include "math/lanes.hpp"
#include "solver/hair/group.hpp"
#include "solver/hair/strand_step.hpp"

namespace capstan {

// The interface of a strand in memory (strand.hpp), for items of type T, one for each chunk.
template <class T> struct HairLanes {
    static constexpr bool full = false, straight = false, ball = false;
    T chunk[kHairChunks];
    int chunks = 0;

    template <class F> CAPSTAN_INLINE void each(const F& f) {
        for (int c = 0; c < chunks; ++c) f(chunk[c], c);
    }
    template <class Get> CAPSTAN_INLINE auto from(int c, int k, const Get& get) const {
        const int other = c + k;
        return get(chunk[other < 0 || other >= chunks ? c : other]);
    }
    CAPSTAN_INLINE T& at(int c) { return chunk[c]; }
    template <class Test> CAPSTAN_INLINE auto some(const Test& test) const {
        auto found = test(chunk[0], 0);
        for (int c = 1; c < chunks; ++c) found = found | test(chunk[c], c);
        return found;
    }
    template <class M> CAPSTAN_INLINE bool found(M bad) const { return any(bad); }
};

template <class R> struct HairStrand : HairLanes<HairChunk<R>> {
    HairOwed<R> debts[kHairChunks];
    HairPlane<R> planes[kHairChunks][kHairChunk];
    Vec<R> held;
    CAPSTAN_INLINE HairOwed<R>& owed(int c) { return debts[c]; }
    CAPSTAN_INLINE Vec<R>& behind() { return held; }
    CAPSTAN_INLINE HairPlane<R>& plane(int c, int i) { return planes[c][i]; }
};

// Working memory of one thread.
template <class R> struct HairScratch {
    HairStrand<R> strand;
    HairLanes<HairFrame<R>> frames;
};

// Steps the strands begin, begin + 1, ..., as many as R has lanes.
template <class R> void stepStrand(const HairRun& run, int begin, HairScratch<R>& memory) {
    constexpr int lanes = lanesOf<R>;
    const HairTable& t = run.d.table;
    const int stride = kHairChunk * t.chunks;
    const R toLambda = R(-1.0f / t.newtons), toTension = R(-t.newtons);
    HairStrand<R>& s = memory.strand;
    s.chunks = memory.frames.chunks = t.chunks;
    std::int32_t at[lanes];
    auto point = [&](int c, int i) {
        for (int k = 0; k < lanes; ++k) at[k] = k * stride + kHairChunk * c + i;
        return at;
    };
    const std::size_t base = std::size_t(begin) * std::size_t(stride);
    s.each([&](HairChunk<R>& k, int c) {
        for (int i = 0; i < kHairChunk; ++i) {
            const Four<R> x = gather<R>(run.x + base, point(c, i)), v = gather<R>(run.v + base, at);
            k.x[i] = xyz(x);
            k.v[i] = xyz(v);
            k.lambda[i] = toLambda * x.w;
            s.owed(c).of[i] = v.w;
        }
    });
    for (int k = 0; k < lanes; ++k) at[k] = 2 * k;
    const Point* half = reinterpret_cast<const Point*>(run.root + begin);
    const Four<R> where = gather<R>(half, at), frame = gather<R>(half + 1, at);
    const HairRootOf<R> root = {xyz(where), {frame.x, frame.y, frame.z, frame.w}};

    hairStep<R>(s, memory.frames, run.d, run.substep, run.collider, run.faces, [&] { return root; });

    R worst = R(0.0f);
    s.each([&](HairChunk<R>& k, int c) {
        worst = max(worst, hairStrain(k, t.chunk[c], t.l));
        for (int i = 0; i < kHairChunk; ++i) {
            const Vec<R>&x = k.x[i], &v = k.v[i];
            scatter(run.x + base, point(c, i), Four<R>{x.x, x.y, x.z, toTension * k.lambda[i]});
            scatter(run.v + base, at, Four<R>{v.x, v.y, v.z, s.owed(c).of[i]});
        }
    });
    store(run.strain + begin, worst);
}

} // namespace capstan
