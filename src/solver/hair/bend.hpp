// SPDX-License-Identifier: MIT
// Bend: an implicit step of the bending energy
//     E = B / (2 l^3) sum_i c_i |b_i|^2,   b_i = x_(i-1) - 2 x_i + x_(i+1) - r_i
// r_i is b_i in the rest shape. c_i is 1, but 2 at the root. Vertex 0 and an imaginary vertex before it are fixed to
// the scalp, so the strand leaves the scalp in a given direction. The displacement of all vertices is
//     (I + s K) dx = -s D^T b,   K = D^T D,   s = h^2 B / (l^3 m)
// Here D is the second difference, B the bending stiffness, l the length and m the mass of an edge. The matrix is
// equal for all strands: its factors are computed once, in double (solver/hair/factors.cpp), and x, y and z share
// them. The unknown is the displacement and not the position, so that floats lose digits of a small number only.
//
// An explicit step would be cheaper but needs s < 1/4. A human hair with edges of 1 cm has s = 0.5 at 480 substeps
// per second. The usual position-based iteration would be ten times too soft.
//
// Order of work for threads that hold four vertices each: first the rows of the first two vertices of each chunk are
// eliminated. The remaining system is block-tridiagonal over the chunks, with 2 x 2 blocks of the last two vertices.
// Cyclic reduction solves it. In float one or two rounds are enough, because the inverse decays fast along the
// strand. Then the first two vertices follow by substitution.
#pragma once

#include "solver/hair/strand.hpp"

namespace capstan {

// Returns m v; takeTimes returns u - m v.
template <class R> CAPSTAN_INLINE HairTwo<R> times(const Two& m, const HairTwo<R>& v) {
    return {addFused(R(m.a) * v.a, R(m.b), v.b), addFused(R(m.c) * v.a, R(m.d), v.b)};
}
template <class R>
CAPSTAN_INLINE HairTwo<R> takeTimes(const HairTwo<R>& u, const Two& m, const HairTwo<R>& v) {
    return {takeFused(takeFused(u.a, R(m.a), v.a), R(m.b), v.b),
            takeFused(takeFused(u.b, R(m.c), v.a), R(m.d), v.b)};
}

// Computes k.e: the deviation of b_i from its rest shape, times c_i.
template <bool Full, class R>
CAPSTAN_INLINE void hairBow(HairChunk<R>& k, const HairChunkTable& t, Vec<R> left, Vec<R> right, bool curls) {
    Vec<R> before = left - k.x[0];
    for (int i = 0; i < 4; ++i) {
        const Vec<R> after = k.x[i] - (i < 3 ? k.x[i + 1] : right);
        const Vec<R> bow = before - after, off = curls ? bow - k.rest[i] : bow;
        k.e[i] = Full && (i == 1 || i == 2) ? off : R(t.bends[i]) * off;
        before = after;
    }
}

// Computes the second differences of k.e, times -1 and w: the right-hand side -s D^T b without the factor s.
template <bool Full, class R>
CAPSTAN_INLINE void hairBendForce(HairChunk<R>& k, const HairChunkTable& t, Vec<R> left, Vec<R> right) {
    const Vec<R> a = k.e[0] - left, b = k.e[1] - k.e[0], c = k.e[2] - k.e[1], d = k.e[3] - k.e[2],
                 e = right - k.e[3];
    k.bend.first = {a - b, b - c};
    k.bend.second = {Full ? c - d : R(t.w[2]) * (c - d), R(t.w[3]) * (d - e)};
}

// The implicit bending step of a strand.
template <class R, class S> CAPSTAN_INLINE void hairBend(S& s, const HairTable& t) {
    using Chunk = HairChunk<R>;
    const Vec<R> none = {R(0.0f), R(0.0f), R(0.0f)};
    s.each([&](Chunk& k, int c) {
        const Vec<R> left = s.from(c, -1, [](const Chunk& o) { return o.x[3]; });
        const Vec<R> right = s.from(c, 1, [](const Chunk& o) { return o.x[0]; });
        hairBow<S::full>(k, t.chunk[c], hairHas(s, c, -1) ? left : s.behind(), right,
                         !S::straight && t.curls);
    });
    s.each([&](Chunk& k, int c) {
        const Vec<R> left = s.from(c, -1, [](const Chunk& o) { return o.e[3]; });
        const Vec<R> right = s.from(c, 1, [](const Chunk& o) { return o.e[0]; });
        // The value beyond the root has no effect, because its factors are 0.
        hairBendForce<S::full>(k, t.chunk[c], left, hairHas(s, c, 1) ? right : none);
    });
    s.each([&](Chunk& k, int c) {
        const HairTwo<R> next = s.from(c, 1, [](const Chunk& o) { return o.bend.first; });
        k.bend.second =
            takeTimes(takeTimes(k.bend.second, t.chunk[c].fromOwn, k.bend.first), t.chunk[c].fromNext, next);
    });
    CAPSTAN_UNROLL
    for (int iteration = 0; iteration < 3;
         ++iteration) { // with a constant bound a GPU's compiler can unroll the loop
        const int step = 1 << iteration;
        if (iteration >= t.iterations) break;
        s.each([&](Chunk& k, int c) {
            const HairTwo<R> before = s.from(c, -step, [](const Chunk& o) { return o.bend.second; });
            const HairTwo<R> after = s.from(c, step, [](const Chunk& o) { return o.bend.second; });
            k.bend.reduced = takeTimes(takeTimes(k.bend.second, t.chunk[c].fromLeft[iteration], before),
                                       t.chunk[c].fromRight[iteration], after);
        });
        s.each([&](Chunk& k, int) { k.bend.second = k.bend.reduced; });
    }
    s.each([&](Chunk& k, int c) { k.bend.reduced = times(t.chunk[c].last, k.bend.second); });
    s.each([&](Chunk& k, int c) {
        const HairTwo<R> before = s.from(c, -1, [](const Chunk& o) { return o.bend.reduced; });
        const HairTwo<R> front =
            takeTimes(takeTimes(times(t.chunk[c].own, k.bend.first), t.chunk[c].ownLast, k.bend.reduced),
                      t.chunk[c].ownLeft, before);
        k.x[0] += front.a;
        k.x[1] += front.b;
        k.x[2] += k.bend.reduced.a;
        k.x[3] += k.bend.reduced.b;
    });
}

} // namespace capstan
