// SPDX-License-Identifier: MIT
// Again: more Newton steps of the lengths, for the strands that one step did not bring right: an edge off by kHairOff or
// more, after all vertices were taken out of the shapes. Strands that are right stay as they are, though they may share a
// vector or a warp with one that is not.
//
// Steps of the lengths and pushes in turn come together slowly where the tip of a strand strikes a shape: the length puts the
// tip in, the push puts it out (a fifth less in each turn, and 0.7 % left after ten of them). So the vertices that lie on a
// shape keep to their planes in these steps: their inverse mass along the normal n is kHairGive of what it is across,
//     W_i = w_i (I - m m^T),   m = sqrt(1 - kHairGive) n
// and the system is the one of hair_lengths.hpp with
//     A_jj = 2 w_(j-1) (q_j - (m_(j-1).e_j)^2) + 2 w_j (q_j - (m_j.e_j)^2)
//     A_j,j+1 = -2 w_j (e_j.e_(j+1) - m_j.e_j m_j.e_(j+1))
// Not 0: an edge that stands upright on a shape between two vertices that are held would have no row.
#pragma once

#include <capstan/step/hair_collide.hpp>
#include <capstan/step/hair_lengths.hpp>

namespace capstan {

// An edge may be off by this much of its length at the end of a substep, or the strand is solved again so often.
inline constexpr float kHairOff = 9e-4f;
inline constexpr int kHairAgain = 40;

inline constexpr float kHairGive = 1.0f / 32;
inline constexpr float kHairHeld = 0.98425098f; // sqrt(1 - kHairGive)

// m of vertex i, or 0 where it is above all shapes. v is where x was.
template <class S, class R>
CAPSTAN_INLINE Vec<R> hairHeld(const HairChunk<R>& k, int i, const HairChunkTable& t, float l,
                               const HairCollider* o, int count, const Point* faces) {
    Vec<R> m = {R(0.0f), R(0.0f), R(0.0f)};
    if ((!S::ball && count == 0) || !hairFree<S>(t, i) || !any(k.near)) return m;
    // A vertex that was pushed out lies on its plane but for rounding. One that is above may leave: it is let go.
    const Vec<R> size = abs(k.x[i]);
    R least = R(1e-5f * l) + R(2e-7f) * (size.x + size.y + size.z);
    for (int j = 0; j < (S::ball ? 1 : count); ++j) {
        const HairPlane<R> plane = hairLook<S>(o[j], faces, k.v[i]);
        const R gap = -hairDepth(plane, o[j], k.x[i]);
        const auto nearer = k.near & (gap < least);
        m = select(nearer, R(kHairHeld) * plane.n, m), least = select(nearer, gap, least);
    }
    return m;
}

// What vertices on shapes take from the rows of hairRows(), but for what the last of the chunk before takes from row 0.
template <class S, class R>
CAPSTAN_INLINE void hairHoldRows(HairChunk<R>& k, const HairChunkTable& t, float l, const HairCollider* o,
                                 int count, const Point* faces) {
    CAPSTAN_UNROLL
    for (int i = 0; i < 4; ++i) {
        const Vec<R> m = hairHeld<S>(k, i, t, l, o, count, faces);
        const R before = dotFused(m, k.e[i]), after = dotFused(m, i < 3 ? k.e[i + 1] : k.solve.next);
        HairRow<R>& r = k.solve.row[i];
        r.b = takeFused(r.b, R(2 * t.w[i]) * before, before);
        r.c = takeFused(r.c, R(t.link[i]) * before, after);
        if (i < 3)
            k.solve.row[i + 1].b = takeFused(k.solve.row[i + 1].b, R(2.0f) * after, after);
        else
            k.solve.slips = R(2.0f) * (after * after);
    }
}

// x += W (pull of the edge after - pull of the edge before), of the lanes `mine`.
template <class S, class R>
CAPSTAN_INLINE void hairHoldPull(HairChunk<R>& k, const HairChunkTable& t, R nextFactor, float l,
                                 const HairCollider* o, int count, const Point* faces, MaskOf<R> mine) {
    Vec<R> before = k.solve.change[0] * k.e[0];
    CAPSTAN_UNROLL
    for (int i = 0; i < 4; ++i) {
        const Vec<R> after = i < 3 ? k.solve.change[i + 1] * k.e[i + 1] : nextFactor * k.solve.next,
                     pull = after - before, m = hairHeld<S>(k, i, t, l, o, count, faces);
        k.x[i] = select(mine, addFused(k.x[i], R(t.w[i]), takeFused(pull, dotFused(m, pull), m)), k.x[i]);
        before = after;
    }
}

template <class R> CAPSTAN_INLINE MaskOf<R> hairIsOff(const HairChunk<R>& k, float l2) {
    const R* c = k.solve.left;
    return largerTame(largerTame(abs(c[0]), abs(c[1])), largerTame(abs(c[2]), abs(c[3]))) >
           R(2 * kHairOff * l2);
}

// Of the strands `first`. k.e and k.solve.left are up to date before and after; k.v is the move of this substep.
template <class R, class S>
CAPSTAN_INLINE void hairSolveAgain(S& s, const HairTable& t, MaskOf<R> first, const HairCollider* o,
                                   int count, const Point* faces) {
    using Chunk = HairChunk<R>;
    auto turned = [&](Chunk& k, int) { // from a move to where x was, or back
        for (int i = 0; i < 4; ++i) k.v[i] = select(first, k.x[i] - k.v[i], k.v[i]);
    };
    s.each(turned);
    auto bad = first;
    for (int round = 0; round < kHairAgain && s.found(bad); ++round) {
        s.each([&](Chunk& k, int c) {
            k.solve.next = s.from(c, 1, [](const Chunk& e) { return e.e[0]; });
            hairRows<S::full>(k, t.chunk[c], k.solve.next, t.l2);
            hairHoldRows<S>(k, t.chunk[c], t.l, o, count, faces);
        });
        s.each([&](Chunk& k, int c) {
            const R slips = s.from(c, -1, [](const Chunk& e) { return e.solve.slips; });
            k.solve.row[0].b = k.solve.row[0].b - (hairHas(s, c, -1) ? slips : R(0.0f));
        });
        hairSolve<R>(s);
        s.each([&](Chunk& k, int c) {
            const R after = s.from(c, 1, [](const Chunk& e) { return e.solve.change[0]; });
            hairHoldPull<S>(k, t.chunk[c], hairHas(s, c, 1) ? after : R(0.0f), t.l, o, count, faces, bad);
            for (int i = 0; i < 4; ++i)
                k.lambda[i] = select(bad, k.lambda[i] + k.solve.change[i], k.lambda[i]);
            hairLeave<false>(s, k, c, t.chunk[c], o, count, faces, bad);
        });
        s.each([&](Chunk& k, int c) {
            hairMeasure<S::full>(k, t.chunk[c], s.from(c, -1, [](const Chunk& e) { return e.x[3]; }), t.l2);
        });
        bad = s.some([&](const Chunk& k, int) { return hairIsOff(k, t.l2); });
    }
    s.each(turned);
}

} // namespace capstan
