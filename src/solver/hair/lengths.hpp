// SPDX-License-Identifier: MIT
// Lengths: the constraints of all edges of a strand are solved together. With e_j = x_(j-1) - x_j and q = e.e, the
// constraint of edge j is
//     C_j = q - l^2 = 0,   gradient 2 e_j at vertex j - 1 and -2 e_j at vertex j.
// The constraint uses the square of the length: it needs no square root and no division, and the result is equal to
// second order. W is the diagonal matrix of inverse masses w. One Newton step is x += W J^T lambda / 2 with (J W J^T
// / 2) lambda = -C. That is a scalar tridiagonal system:
//     A_jj = 2 (w_(j-1) + w_j) q_j,   A_j,j+1 = -2 w_j e_j.e_(j+1)
// The matrix is that of Han & Harada 2012, "Real-time simulation of inextensible strands". If q is below l^2 / 4 (an
// edge crushed to less than half of its length), l^2 / 4 replaces it. The step then opens the edge by a part of its
// length, not by a multiple.
//
// Transverse waves of a strand under tension T are too fast for this method if T h^2 / (m l) > 1/3. Then lengths
// become inaccurate first. Eight substeps at 60 Hz are enough for 2.5 g with edges of 1 cm. A larger mass for
// vertices under tension (Tournier et al. 2015, "Stable constrained dynamics", lumped) was refused: hairPredict()
// also applies the previous tension, and both together made strands longer.
//
// One Newton step leaves |change of e|^2 of C, and collisions leave more. If a strand bends against its weight, the
// remaining error is equal in each substep: one per cent of an edge. So the next substep adds the remaining error to
// its target, up to 2.5 % of the length. This is not enough for a strand in violent motion: see resolve.hpp.
//
// The order of the solve is made for eight threads. In each chunk the rows 0, 2 and 1 are eliminated, in this order.
// Three rounds of parallel cyclic reduction solve the system of the rows 3 of eight chunks (Hockney 1965; Zhang,
// Cohen, Owens 2010, "Fast tridiagonal solvers on the GPU"). Then each chunk substitutes back.
#pragma once

#include "math/inverse.hpp"
#include "solver/hair/strand.hpp"

namespace capstan {

// Computes e of all edges; `left` is the last vertex of the previous chunk.
template <class R> CAPSTAN_INLINE void hairEdges(HairChunk<R>& k, Vec<R> left) {
    for (int i = 0; i < 4; ++i) k.e[i] = (i > 0 ? k.x[i - 1] : left) - k.x[i];
}

// Computes the rows except their first column; `next` is e of the next chunk's first edge.
template <bool Full, class R>
CAPSTAN_INLINE void hairRows(HairChunk<R>& k, const HairChunkTable& t, Vec<R> next, float l2) {
    HairRow<R>* r = k.solve.row;
    for (int i = 0; i < 4; ++i) {
        const R q = largerTame(dotFused(k.e[i], k.e[i]), R(0.25f * l2)), d = R(l2) - q;
        r[i].b = R(t.pair[i]) * q;
        if (!Full || i == 0) r[i].b = r[i].b + R(t.idle[i]);
        r[i].c = R(t.link[i]) * dotFused(k.e[i], i < 3 ? k.e[i + 1] : next);
        r[i].d = Full && i > 0 ? d : R(t.edge[i]) * d;
    }
}

// Eliminates rows 0 and 2, which are independent, and then row 1. lambda_i is the multiplier of edge i of the chunk.
// Afterwards rows 0 and 1 have the form
//     a lambda_3(previous chunk) + b lambda_i + c lambda_3 = d
// Row 2 still contains lambda_1, and row 3 contains neither lambda_1 nor lambda_2.
template <class R> CAPSTAN_INLINE void hairEliminate(HairChunk<R>& k, R leftC) {
    HairRow<R>* r = k.solve.row;
    R* inverse = k.solve.inverse;
    r[0].a = leftC;
    r[2].a = r[1].c;
    inverse[0] = inverseTame(r[0].b);
    inverse[2] = inverseTame(r[2].b);
    const R f = r[0].c * inverse[0], g = r[1].c * inverse[2], h = r[2].c * inverse[2];
    r[1].b = takeFused(takeFused(r[1].b, f, r[0].c), g, r[1].c);
    r[1].d = takeFused(takeFused(r[1].d, f, r[0].d), g, r[2].d);
    r[1].a = -(f * r[0].a);
    r[1].c = -(g * r[2].c);
    r[3].b = takeFused(r[3].b, h, r[2].c);
    r[3].d = takeFused(r[3].d, h, r[2].d);
    inverse[1] = inverseTame(r[1].b);
    // In row 3, lambda_1 has the factor that lambda_3 has in row 1, because the matrix is symmetric.
    const R p = r[0].c * inverse[1], q = r[1].c * inverse[1];
    r[3].a = -(q * r[1].a);
    r[3].b = takeFused(r[3].b, q, r[1].c);
    r[3].d = takeFused(r[3].d, q, r[1].d);
    r[0].a = takeFused(r[0].a, p, r[1].a);
    r[0].c = -(p * r[1].c);
    r[0].d = takeFused(r[0].d, p, r[1].d);
}

// Eliminates row 0 of the next chunk from row 3. The result couples the rows 3 of neighbouring chunks. After the last
// edge c is 0, so the value of `next` has no effect there, neither here nor in the rounds below.
template <class R> CAPSTAN_INLINE void hairCouple(HairChunk<R>& k, HairRow<R> next, R nextInverse) {
    const R f = k.solve.row[3].c * nextInverse;
    k.solve.outer = {k.solve.row[3].a, takeFused(k.solve.row[3].b, f, next.a), -(f * next.c),
                     takeFused(k.solve.row[3].d, f, next.d)};
}

// Divides the reduced row by its diagonal.
template <class R> CAPSTAN_INLINE void hairScale(HairChunk<R>& k) {
    const R f = inverseTame(k.solve.outer.b);
    k.solve.scaled = {f * k.solve.outer.a, f, f * k.solve.outer.c, f * k.solve.outer.d};
}

// One round of cyclic reduction: eliminates the rows at distance `step` on both sides, which are already divided by
// their diagonals.
template <class R> CAPSTAN_INLINE void hairReduce(HairChunk<R>& k, HairRow<R> before, HairRow<R> after) {
    const HairRow<R> r = k.solve.outer;
    k.solve.outer = {-(r.a * before.a), takeFused(takeFused(r.b, r.a, before.c), r.c, after.a),
                     -(r.c * after.c), takeFused(takeFused(r.d, r.a, before.d), r.c, after.d)};
}

// Computes lambda of the chunk's edges from lambda_3 of this chunk and of the previous chunk.
template <class R> CAPSTAN_INLINE void hairSubstitute(HairChunk<R>& k, R before) {
    const HairRow<R>* r = k.solve.row;
    R* change = k.solve.change;
    for (int i = 0; i < 2; ++i)
        change[i] = takeFused(takeFused(r[i].d, r[i].a, before), r[i].c, change[3]) * k.solve.inverse[i];
    change[2] = takeFused(takeFused(r[2].d, r[2].a, change[1]), r[2].c, change[3]) * k.solve.inverse[2];
}

// x += w (pull of the next edge - pull of the previous edge), where pull = factor e. The root has w = 0, and padding
// edges have no pull.
template <bool Full, class R>
CAPSTAN_INLINE void hairPull(HairChunk<R>& k, const HairChunkTable& t, const R* factor, R nextFactor,
                             Vec<R> nextE) {
    for (int i = 0; i < 4; ++i) {
        R before = factor[i], after = i < 3 ? factor[i + 1] : nextFactor;
        if (!Full || i == 0 || i == 3) {
            before = R(t.w[i]) * before;
            after = R(t.w[i]) * after;
        }
        k.x[i] = takeFused(addFused(k.x[i], after, i < 3 ? k.e[i + 1] : nextE), before, k.e[i]);
    }
}

// Computes e of all edges, and the remaining C after all displacements.
template <bool Full, class R>
CAPSTAN_INLINE void hairMeasure(HairChunk<R>& k, const HairChunkTable& t, Vec<R> left, float l2) {
    hairEdges(k, left);
    for (int i = 0; i < 4; ++i) {
        const R rest = addDot(R(-l2), k.e[i], k.e[i]);
        k.solve.left[i] = Full && i > 0 ? rest : R(t.edge[i]) * rest;
    }
}

// Computes k.solve.change from the rows.
template <class R, class S> CAPSTAN_INLINE void hairSolve(S& s) {
    using Chunk = HairChunk<R>;
    s.each([&](Chunk& k, int c) {
        const R left = s.from(c, -1, [](const Chunk& o) { return o.solve.row[3].c; });
        hairEliminate(k, hairHas(s, c, -1) ? left : R(0.0f));
    });
    s.each([&](Chunk& k, int c) {
        const HairRow<R> next = s.from(c, 1, [](const Chunk& o) { return o.solve.row[0]; });
        const R inverse = s.from(c, 1, [](const Chunk& o) { return o.solve.inverse[0]; });
        hairCouple(k, next, inverse);
        hairScale(k);
    });
    for (int step = 1; step < s.chunks; step *= 2) {
        s.each([&](Chunk& k, int c) {
            const HairRow<R> before = s.from(c, -step, [](const Chunk& o) { return o.solve.scaled; });
            const HairRow<R> after = s.from(c, step, [](const Chunk& o) { return o.solve.scaled; });
            hairReduce(k, before, after);
        });
        s.each([&](Chunk& k, int) { hairScale(k); });
    }
    s.each([&](Chunk& k, int) { k.solve.change[3] = k.solve.scaled.d; });
    s.each([&](Chunk& k, int c) {
        const R before = s.from(c, -1, [](const Chunk& o) { return o.solve.change[3]; });
        hairSubstitute(k, before);
    });
}

// One Newton step. Its target includes the remaining errors of earlier substeps.
template <class R, class S> CAPSTAN_INLINE void hairLengths(S& s, const HairTable& t) {
    using Chunk = HairChunk<R>;
    s.each([&](Chunk& k, int c) { hairEdges(k, s.from(c, -1, [](const Chunk& o) { return o.x[3]; })); });
    s.each([&](Chunk& k, int c) {
        k.solve.next = s.from(c, 1, [](const Chunk& o) { return o.e[0]; });
        hairRows<S::full>(k, t.chunk[c], k.solve.next, t.l2);
        const HairOwed<R> owed = s.owed(c);
        for (int i = 0; i < 4; ++i) k.solve.row[i].d = k.solve.row[i].d - owed.of[i];
    });
    hairSolve<R>(s);
    s.each([&](Chunk& k, int c) {
        const R after = s.from(c, 1, [](const Chunk& o) { return o.solve.change[0]; });
        hairPull<S::full>(k, t.chunk[c], k.solve.change, hairHas(s, c, 1) ? after : R(0.0f), k.solve.next);
    });
}

} // namespace capstan
