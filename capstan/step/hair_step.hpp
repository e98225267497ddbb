// SPDX-License-Identifier: MIT
// A whole step of a strand, all substeps, from what was loaded to what is stored. Shared by CPU and GPU.
#pragma once

#include <capstan/step/hair_bend.hpp>
#include <capstan/step/hair_collide.hpp>
#include <capstan/step/hair_frames.hpp>
#include <capstan/step/hair_lengths.hpp>

namespace capstan {

// A strand's root in the axes of its body.
template <class R> struct HairRootOf {
    Vec<R> x;
    Quat<R> frame;
};

// Free motion. The tension of the last substep pulls along, as far as an explicit force may (|lambda| <= l / 2; beyond l
// transverse waves would blow up): then what bends, what hangs and what rests on a shape is in balance before the lengths
// are looked at, and they have little to correct. Without it a strand that bends against its weight is 1 % too long.
template <class R>
CAPSTAN_INLINE void hairPredict(HairChunk<R>& k, const HairChunkTable& t, const HairStep& d, R nextLambda,
                                Vec<R> nextN) {
    const Vec<R> g = spread<R>(d.gravityStep), wind = spread<R>(d.wind);
    const R most = R(0.5f * d.table.l);
    for (int i = 0; i < 4; ++i) k.lambda[i] = clamp(k.lambda[i], -most, most);
    nextLambda = clamp(nextLambda, -most, most);
    for (int i = 0; i < 4; ++i) {
        const Vec<R> v = k.v[i] + (g + R(d.windShare) * (wind - k.v[i]));
        const Vec<R> after = (i < 3 ? k.lambda[i + 1] : nextLambda) * (i < 3 ? k.n[i + 1] : nextN);
        k.v[i] = k.x[i];
        k.x[i] += R(t.w[i] > 0 ? d.h : 0.0f) * v + R(t.w[i]) * (after - k.lambda[i] * k.n[i]);
    }
}

template <class R> CAPSTAN_INLINE void hairSpeeds(HairChunk<R>& k, const HairStep& d) {
    const R rate = R(d.invH * d.fade);
    for (int i = 0; i < 4; ++i) k.v[i] = rate * (k.x[i] - k.v[i]);
}

// s: the strand; fs: room for its frames; substep, collider, faces: arrays that all strands of the hair share.
template <class R, class S, class F>
CAPSTAN_INLINE void hairStep(S& s, F& fs, const HairStep& d, const HairSubstep* substep,
                             const HairCollider* collider, const Point* faces, const HairRootOf<R>& root) {
    using Chunk = HairChunk<R>;
    const HairTable& t = d.table;
    const Quat<R> turnOfBody = {R(d.rootTurn.x), R(d.rootTurn.y), R(d.rootTurn.z), R(d.rootTurn.w)};
    const Vec<R> out = axisZ(root.frame);
    if (t.curls) hairFrames(s, fs, t, normalize(turnOfBody * root.frame));
    s.each(
        [&](Chunk& k, int c) { hairEdges(k, s.from(c, -1, [](const Chunk& o) { return o.x[3]; }), t.invL); });
    for (int i = 0; i < d.substeps; ++i) {
        const HairSubstep& now = substep[i];
        const Vec<R> at = place(now.root, root.x);
        auto push = [&](Chunk& k, int c) {
            for (int j = 0; j < now.colliders; ++j) CAPSTAN_UNROLL
            for (int v = 0; v < 4; ++v)
                hairPush(k.x[v], k.v[v], t.chunk[c].w[v], collider[now.collider + j], faces);
        };
        s.each([&](Chunk& k, int c) {
            const R next = s.from(c, 1, [](const Chunk& o) { return o.lambda[0]; });
            const Vec<R> n = s.from(c, 1, [](const Chunk& o) { return o.n[0]; });
            hairPredict(k, t.chunk[c], d, hairHas(s, c, 1) ? next : R(0.0f), n);
            if (c == 0) k.x[0] = at;
        });
        if (t.bends) hairBend(s, t, at - R(t.l) * turn(now.root, out));
        s.each(push); // what rests on a shape is taken out before lengths are looked at,
        hairLengths<R>(s, t);
        s.each([&](Chunk& k, int c) {
            push(k, c); // and in the end nothing is inside
            hairSpeeds(k, d);
        });
        s.each([&](Chunk& k, int c) {
            const Vec<R> left = s.from(c, -1, [](const Chunk& o) { return o.x[3]; });
            hairOwe(k, t.chunk[c], left, t.invL, 0.5f * t.l);
        });
    }
}

// The largest | length / l - 1 | of the chunk's edges, whose n hairOwe() has left.
template <class R> CAPSTAN_INLINE R hairStrain(const HairChunk<R>& k, const HairChunkTable& t) {
    R worst = R(0.0f);
    for (int i = 0; i < 4; ++i) worst = max(worst, R(t.edge[i]) * abs(sqrt(dot(k.n[i], k.n[i])) - R(1.0f)));
    Vec<R> sum = (k.x[0] + k.x[1]) + (k.x[2] + k.x[3]);
    const R all = sum.x + sum.y + sum.z;
    return select(all - all == R(0.0f), worst, R(kNotFinite));
}

} // namespace capstan
