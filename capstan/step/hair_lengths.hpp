// SPDX-License-Identifier: MIT
// Lengths: all edges of a strand at once. With n_j = (x_(j-1) - x_j) / l and q = n.n, the constraint of edge j is
//     C_j = l (q - 1) / 2 = 0,   gradient n_j at vertex j - 1 and -n_j at vertex j.
// The square of the length and not the length: no square root and no division, and the same answer to second order. One
// Newton step, x += W J^T lambda with (J W J^T) lambda = -C, is a scalar tridiagonal system:
//     A_jj = (w_(j-1) + w_j) q_j,   A_j,j+1 = -w_j n_j.n_(j+1)
// Han & Harada 2012, "Real-time simulation of inextensible strands" (the matrix). Where q is small (an edge crushed to
// less than half) it is taken as 1/4: the step then opens the edge by a part of its length instead of many lengths.
//
// Transverse waves of a strand under tension T are too fast for this when T h^2 / (m l) > 1/3, and lengths then suffer
// first: eight substeps at 60 Hz are good for 2.5 g with edges of 1 cm. A larger mass for vertices under tension
// (Tournier et al. 2015, "Stable constrained dynamics", lumped) was tried and refused: together with the tension that
// hairPredict() takes along it made strands longer, not shorter.
//
// One Newton step leaves |e|^2 / 2l of C, e being the change of the edge, and collisions leave more. Where the strand
// bends against its weight that is the same in each substep, one per cent of an edge; a second Newton step would cost as
// much as the first. So what is left is added to what the next substep asks for, up to 2.5 % of the length.
//
// The system is solved in the order that eight threads need: in each chunk rows 0 1 2 are eliminated, the eight rows 3
// are solved by three rounds of parallel cyclic reduction (Hockney 1965; Zhang, Cohen, Owens 2010, "Fast tridiagonal
// solvers on the GPU"), and each chunk substitutes back.
#pragma once

#include <capstan/step/hair_strand.hpp>

namespace capstan {

// n of all edges; `left` is the last vertex of the chunk before.
template <class R> CAPSTAN_INLINE void hairEdges(HairChunk<R>& k, Vec<R> left, float invL) {
    for (int i = 0; i < 4; ++i) k.n[i] = R(invL) * ((i > 0 ? k.x[i - 1] : left) - k.x[i]);
}

// The rows without their first column; next is n of the edge after.
template <class R>
CAPSTAN_INLINE void hairRows(HairChunk<R>& k, const HairChunkTable& t, Vec<R> next, float halfL) {
    HairRow<R>* r = k.solve.row;
    for (int i = 0; i < 4; ++i) {
        const R q = max(dot(k.n[i], k.n[i]), R(0.25f));
        r[i].b = R(t.pair[i]) * q + R(t.idle[i]);
        r[i].c = R(t.link[i]) * dot(k.n[i], i < 3 ? k.n[i + 1] : next);
        r[i].d = R(t.edge[i] * halfL) * (R(1.0f) - q) - k.owed[i];
    }
}

// Afterwards row i (0, 1, 2) reads a lambda(last of the chunk before) + b lambda_i + c lambda_3 = d, and row 3 has lost
// its row 2.
template <class R> CAPSTAN_INLINE void hairEliminate(HairChunk<R>& k, R leftC) {
    HairRow<R>* r = k.solve.row;
    r[0].a = leftC, r[1].a = r[0].c, r[2].a = r[1].c, r[3].a = r[2].c;
    for (int i = 0; i < 3; ++i) { // downwards
        k.solve.inverse[i] = R(1.0f) / r[i].b;
        const R f = r[i + 1].a * k.solve.inverse[i];
        r[i + 1].a = -(f * r[i].a);
        r[i + 1].b = r[i + 1].b - f * r[i].c;
        r[i + 1].d = r[i + 1].d - f * r[i].d;
    }
    for (int i = 1; i >= 0; --i) { // and back up
        const R f = r[i].c * k.solve.inverse[i + 1];
        r[i].a = r[i].a - f * r[i + 1].a;
        r[i].c = -(f * r[i + 1].c);
        r[i].d = r[i].d - f * r[i + 1].d;
    }
}

// Row 3 loses row 0 of the chunk after, if there is one: what is left couples the rows 3 of neighbouring chunks.
template <class R> CAPSTAN_INLINE void hairCouple(HairChunk<R>& k, HairRow<R> next, R nextInverse, bool has) {
    k.solve.outer = k.solve.row[3];
    k.solve.outer.c = R(0.0f);
    if (has) {
        const R f = k.solve.row[3].c * nextInverse;
        k.solve.outer.b = k.solve.row[3].b - f * next.a;
        k.solve.outer.c = -(f * next.c);
        k.solve.outer.d = k.solve.row[3].d - f * next.d;
    }
}

template <class R> CAPSTAN_INLINE void hairScale(HairChunk<R>& k) {
    const R f = R(1.0f) / k.solve.outer.b;
    k.solve.scaled = {f * k.solve.outer.a, f, f * k.solve.outer.c, f * k.solve.outer.d};
}

// One round: the rows at distance `step` on both sides, already divided by their diagonals, are taken out.
template <class R>
CAPSTAN_INLINE void hairReduce(HairChunk<R>& k, HairRow<R> before, bool hasBefore, HairRow<R> after,
                               bool hasAfter) {
    HairRow<R> r = k.solve.outer;
    const R a = r.a, c = r.c;
    if (hasBefore) {
        r.b = r.b - a * before.c;
        r.d = r.d - a * before.d;
        r.a = -(a * before.a);
    }
    if (hasAfter) {
        r.b = r.b - c * after.a;
        r.d = r.d - c * after.d;
        r.c = -(c * after.c);
    }
    k.solve.outer = r;
}

// lambda of the chunk's edges, once lambda_3 of this chunk and of the one before are known.
template <class R> CAPSTAN_INLINE void hairSubstitute(HairChunk<R>& k, R before) {
    for (int i = 0; i < 3; ++i)
        k.solve.change[i] =
            (k.solve.row[i].d - k.solve.row[i].a * before - k.solve.row[i].c * k.solve.change[3]) *
            k.solve.inverse[i];
}

template <class R>
CAPSTAN_INLINE void hairMove(HairChunk<R>& k, const HairChunkTable& t, R nextChange, Vec<R> nextN) {
    for (int i = 0; i < 4; ++i) {
        const R after = i < 3 ? k.solve.change[i + 1] : nextChange;
        const Vec<R> n = i < 3 ? k.n[i + 1] : nextN;
        k.x[i] += R(t.w[i]) * (after * n - k.solve.change[i] * k.n[i]);
    }
}

// Debts of the substep: what is left of C now that everything has moved; `left` is the last vertex of the chunk before.
template <class R>
CAPSTAN_INLINE void hairOwe(HairChunk<R>& k, const HairChunkTable& t, Vec<R> left, float invL, float halfL) {
    const R most = R(0.05f * halfL);
    for (int i = 0; i < 4; ++i) {
        k.n[i] = R(invL) * ((i > 0 ? k.x[i - 1] : left) - k.x[i]);
        k.lambda[i] += k.solve.change[i];
        const R rest = R(t.edge[i] * halfL) * (dot(k.n[i], k.n[i]) - R(1.0f));
        k.owed[i] = clamp(k.owed[i] + rest, -most, most);
    }
}

template <class R, class S> CAPSTAN_INLINE void hairLengths(S& s, const HairTable& t) {
    using Chunk = HairChunk<R>;
    const float halfL = 0.5f * t.l;
    s.each(
        [&](Chunk& k, int c) { hairEdges(k, s.from(c, -1, [](const Chunk& o) { return o.x[3]; }), t.invL); });
    s.each([&](Chunk& k, int c) {
        const Vec<R> next = s.from(c, 1, [](const Chunk& o) { return o.n[0]; });
        hairRows(k, t.chunk[c], next, halfL);
    });
    s.each([&](Chunk& k, int c) {
        const R left = s.from(c, -1, [](const Chunk& o) { return o.solve.row[3].c; });
        hairEliminate(k, hairHas(s, c, -1) ? left : R(0.0f));
    });
    s.each([&](Chunk& k, int c) {
        const HairRow<R> next = s.from(c, 1, [](const Chunk& o) { return o.solve.row[0]; });
        const R inverse = s.from(c, 1, [](const Chunk& o) { return o.solve.inverse[0]; });
        hairCouple(k, next, inverse, hairHas(s, c, 1));
        hairScale(k);
    });
    for (int step = 1; step < t.chunks; step *= 2) {
        s.each([&](Chunk& k, int c) {
            const HairRow<R> before = s.from(c, -step, [](const Chunk& o) { return o.solve.scaled; });
            const HairRow<R> after = s.from(c, step, [](const Chunk& o) { return o.solve.scaled; });
            hairReduce(k, before, hairHas(s, c, -step), after, hairHas(s, c, step));
        });
        s.each([&](Chunk& k, int) { hairScale(k); });
    }
    s.each([&](Chunk& k, int) { k.solve.change[3] = k.solve.scaled.d; });
    s.each([&](Chunk& k, int c) {
        const R before = s.from(c, -1, [](const Chunk& o) { return o.solve.change[3]; });
        hairSubstitute(k, hairHas(s, c, -1) ? before : R(0.0f));
    });
    s.each([&](Chunk& k, int c) {
        const R after = s.from(c, 1, [](const Chunk& o) { return o.solve.change[0]; });
        const Vec<R> n = s.from(c, 1, [](const Chunk& o) { return o.n[0]; });
        hairMove(k, t.chunk[c], hairHas(s, c, 1) ? after : R(0.0f), n);
    });
}

} // namespace capstan
