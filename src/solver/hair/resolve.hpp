// SPDX-License-Identifier: MIT
// Further Newton steps of the lengths. Some strands have an edge whose relative length error is kHairOff or more
// after the first Newton step and the collisions. These strands take further steps. Converged strands are not
// changed, even if they share a vector or a warp with a strand that has not converged.
//
// Alternating length steps and collision pushes converge slowly if the tip of a strand hits a shape. The length step
// moves the tip into the shape, and the push moves it out. The error shrinks by a fifth in each round, and 0.7 % is
// left after ten rounds.
//
// So in these steps the vertices that are in contact stay on their planes. Their inverse mass along the normal n is
// kHairGive times their tangential inverse mass:
//     W_i = w_i (I - m m^T),   m = sqrt(1 - kHairGive) n
// The system is that of lengths.hpp, with the entries
//     A_jj = 2 w_(j-1) (q_j - (m_(j-1).e_j)^2) + 2 w_j (q_j - (m_j.e_j)^2)
//     A_j,j+1 = -2 w_j (e_j.e_(j+1) - m_j.e_j m_j.e_(j+1))
// kHairGive must not be 0: an edge perpendicular to a shape between two vertices in contact would have an empty row.
#pragma once

#include "solver/hair/collide.hpp"
#include "solver/hair/lengths.hpp"

namespace capstan {

// Newton steps are repeated while the relative length error of an edge is above kHairOff at the end of a substep.
// kHairAgain is the largest number of repetitions.
inline constexpr float kHairOff = 9e-4f;
inline constexpr int kHairAgain = 40;

inline constexpr float kHairGive = 1.0f / 32;
inline constexpr float kHairHeld = 0.98425098f; // sqrt(1 - kHairGive)

// Returns the vector m of vertex i. It is 0 if the vertex is in contact with no shape. Here k.v holds the start
// position in the substep.
template <class S, class R>
CAPSTAN_INLINE Vec<R> hairHeld(const HairChunk<R>& k, int i, const HairChunkTable& t, float l,
                               const HairCollider* o, int count, const Point* faces) {
    Vec<R> m = {R(0.0f), R(0.0f), R(0.0f)};
    if ((!S::ball && count == 0) || !hairFree<S>(t, i) || !any(k.near)) return m;
    // A vertex that was pushed out lies on its plane except for rounding. A vertex above its plane is free to move
    // away.
    const Vec<R> size = abs(k.x[i]);
    R least = R(1e-5f * l) + R(2e-7f) * (size.x + size.y + size.z);
    for (int j = 0; j < (S::ball ? 1 : count); ++j) {
        const HairPlane<R> plane = hairLook<S>(o[j], faces, k.v[i]);
        const R gap = -hairDepth(plane, o[j], k.x[i]);
        const auto nearer = k.near & (gap < least);
        m = select(nearer, R(kHairHeld) * plane.n, m);
        least = select(nearer, gap, least);
    }
    return m;
}

// Subtracts the terms of vertices in contact from the rows of hairRows(). The term of the previous chunk's last
// vertex in row 0 is missing here; that chunk stores it in `slipping`.
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
            k.solve.slipping = R(2.0f) * (after * after);
    }
}

// x += W (pull of the next edge - pull of the previous edge), in the lanes `mine`.
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

// Returns the lanes in which the length of an edge is wrong by more than kHairOff.
template <class R> CAPSTAN_INLINE MaskOf<R> hairIsOff(const HairChunk<R>& k, float l2) {
    const R* c = k.solve.left;
    return largerTame(largerTame(abs(c[0]), abs(c[1])), largerTame(abs(c[2]), abs(c[3]))) >
           R(2 * kHairOff * l2);
}

// Repeats the solve for the strands in `wrong`. k.e and k.solve.left are valid before and after the call; k.v is the
// displacement in this substep.
template <class R, class S>
CAPSTAN_INLINE void hairSolveAgain(S& s, const HairTable& t, MaskOf<R> wrong, const HairCollider* o,
                                   int count, const Point* faces) {
    using Chunk = HairChunk<R>;
    auto turned = [&](Chunk& k, int) { // replaces a displacement by the start position, or the reverse
        for (int i = 0; i < 4; ++i) k.v[i] = select(wrong, k.x[i] - k.v[i], k.v[i]);
    };
    s.each(turned);
    auto bad = wrong;
    for (int iteration = 0; iteration < kHairAgain && s.found(bad); ++iteration) {
        s.each([&](Chunk& k, int c) {
            k.solve.next = s.from(c, 1, [](const Chunk& e) { return e.e[0]; });
            hairRows<S::full>(k, t.chunk[c], k.solve.next, t.l2);
            hairHoldRows<S>(k, t.chunk[c], t.l, o, count, faces);
        });
        s.each([&](Chunk& k, int c) {
            const R slipping = s.from(c, -1, [](const Chunk& e) { return e.solve.slipping; });
            k.solve.row[0].b = k.solve.row[0].b - (hairHas(s, c, -1) ? slipping : R(0.0f));
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
