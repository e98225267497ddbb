// SPDX-License-Identifier: MIT
// A whole step of a strand with all substeps, between load and store. CPU and GPU use the same code.
#pragma once

#include "solver/hair/bend.hpp"
#include "solver/hair/frames.hpp"
#include "solver/hair/lengths.hpp"
#include "solver/hair/resolve.hpp"

namespace capstan {

// The root of a strand in the axes of the root body.
template <class R> struct HairRootOf {
    Vec<R> x;
    Quat<R> frame;
};

// Prediction of free motion. The tension of the last substep acts too, limited to |lambda| <= 1/2, because an
// explicit tension makes transverse waves unstable beyond 1. So bending, weight and contact are nearly in balance
// before the length solve, and its correction is small. Without the tension a strand that bends against its weight is
// 1 % too long.
template <bool Full, class R>
CAPSTAN_INLINE void hairPredict(HairChunk<R>& k, const HairChunkTable& t, const HairStep& d, R nextLambda,
                                Vec<R> nextE) {
    for (int i = 0; i < 4; ++i) {
        const Vec<R> move = addFused(spread<R>(d.fall), R(d.keep), k.v[i]);
        k.v[i] = k.x[i];
        k.x[i] += Full || t.w[i] > 0 ? move : Vec<R>{R(0.0f), R(0.0f), R(0.0f)};
    }
    hairPull<Full>(k, t, k.lambda, nextLambda, nextE);
}

// Moves the root and the fixed vertex before it with the body.
template <class S, class R>
CAPSTAN_INLINE void hairMoveRoot(S& s, HairChunk<R>& k, const HairPose& body, const HairRootOf<R>& root,
                                 float l) {
    k.x[0] = position(body, root.x);
    s.behind() = k.x[0] - R(l) * turn(body, axisZ(root.frame));
}

// Steps a strand s. fs is memory for its frames. All strands of the hair share the arrays substep, collider and
// faces. root() returns the root in the body's axes; it is called only if the root moves.
template <class R, class S, class F, class Root>
CAPSTAN_INLINE void hairStep(S& s, F& fs, const HairStep& d, const HairSubstep* substep,
                             const HairCollider* collider, const Point* faces, const Root& root) {
    using Chunk = HairChunk<R>;
    const HairTable& t = d.table;
    const Quat<R> turnOfBody = {R(d.rootTurn.x), R(d.rootTurn.y), R(d.rootTurn.z), R(d.rootTurn.w)};
    auto edges = [&](Chunk& k, int c) { hairEdges(k, s.from(c, -1, [](const Chunk& o) { return o.x[3]; })); };
    if (!S::straight && t.curls) hairFrames(s, fs, t, normalize(turnOfBody * root().frame));
    s.each([&](Chunk& k, int c) {
        edges(k, c);
        for (int i = 0; i < 4; ++i) k.v[i] = R(d.h) * k.v[i];
        k.near = MaskOf<R>(false);
        if (S::ball || substep[0].colliders > 0)
            k.near = hairNearAny<true, S>(k, t.chunk[c], collider + substep[0].collider, substep[0].colliders,
                                          true);
    });
    for (int i = 0; i < d.substeps; ++i) {
        const HairSubstep& now = substep[i];
        const HairCollider* shapes = collider + now.collider;
        s.each([&](Chunk& k, int) {
            for (int j = 0; j < 4; ++j) k.lambda[j] = clampTame(k.lambda[j], R(-0.5f), R(0.5f));
        });
        s.each([&](Chunk& k, int c) {
            const R next = s.from(c, 1, [](const Chunk& o) { return o.lambda[0]; });
            const Vec<R> e = s.from(c, 1, [](const Chunk& o) { return o.e[0]; });
            hairPredict<S::full>(k, t.chunk[c], d, hairHas(s, c, 1) ? next : R(0.0f), e);
            if (c != 0) return;
            k.x[0] = k.v[0];
            if (!now.still) hairMoveRoot(s, k, now.root, root(), t.l);
        });
        if (t.bends) hairBend<R>(s, t);
        s.each([&](Chunk& k, int c) { hairContacts(s, k, c, t.chunk[c], shapes, now.colliders, faces); });
        hairLengths<R>(s, t);
        s.each([&](Chunk& k, int c) {
            for (int j = 0; j < 4; ++j) k.lambda[j] = k.lambda[j] + k.solve.change[j];
            for (int j = 0; j < 4; ++j) k.v[j] = k.x[j] - k.v[j];
            hairLeave<true>(s, k, c, t.chunk[c], shapes, now.colliders, faces, MaskOf<R>(true));
        });
        s.each([&](Chunk& k, int c) {
            hairMeasure<S::full>(k, t.chunk[c], s.from(c, -1, [](const Chunk& o) { return o.x[3]; }), t.l2);
            // Bound of the length error that later substeps correct. It is larger than the error of one Newton step.
            const R most = R(0.05f * t.l2);
            HairOwed<R> owed = s.owed(c);
            for (int j = 0; j < 4; ++j) owed.of[j] = clampTame(owed.of[j] + k.solve.left[j], -most, most);
            s.owed(c) = owed;
        });
        const auto bad = s.some([&](const Chunk& k, int) { return hairIsOff(k, t.l2); });
        if (s.found(bad)) [[unlikely]]
            hairSolveAgain<R>(s, t, bad, shapes, now.colliders, faces);
    }
    s.each([&](Chunk& k, int) {
        for (int i = 0; i < 4; ++i) k.v[i] = R(d.invH) * k.v[i];
    });
}

// Returns the largest |length / l - 1| of the chunk's edges, or kNotFinite. k.e must be valid.
template <class R> CAPSTAN_INLINE R hairStrain(const HairChunk<R>& k, const HairChunkTable& t, float l) {
    R worst = R(0.0f);
    for (int i = 0; i < 4; ++i) {
        const R length = rootTame(clampTame(dot(k.e[i], k.e[i]), R(1e-24f), R(1e30f)));
        worst = largerTame(worst, R(t.edge[i]) * abs(length - R(l)));
    }
    worst = worst * inverseTame(R(l));
    Vec<R> sum = (k.x[0] + k.x[1]) + (k.x[2] + k.x[3]);
    const R all = sum.x + sum.y + sum.z;
    return select(all - all == R(0.0f), worst, R(kNotFinite));
}

} // namespace capstan
