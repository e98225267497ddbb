// SPDX-License-Identifier: MIT
// Frames that transport the rest shape along a strand. Each chunk has an axis a_c, the chord from the third vertex
// before it to the third vertex after it. Its frame is that of the previous chunk, rotated by the shortest rotation
// between the two axes. The frame of chunk 0 starts from the frame of the root, with its direction `out`. This is
// parallel transport (Bishop 1975, "There is more than one way to frame a curve"). So a curl keeps its handedness and
// does not flip when the strand passes through the vertical:
//     F_0 = fromTo(out, a_0) F_root,    F_c = fromTo(a_(c-1), a_c) F_(c-1),    r_i = F_c rest_i
// The axis is a chord over nine edges. Frames of single edges were refused: they follow each small wave of the strand
// without a reaction torque. Curls then gain energy, with tips at 5 m/s for ever. For the same reason frames are
// computed once per step and not per substep. Then the bending energy is a convex function during a step, for any
// motion of the strand.
//
// The products of rotations are computed over chunks by doubling (Hillis & Steele 1986), in the order of eight
// threads.
#pragma once

#include "solver/hair/strand.hpp"

namespace capstan {

template <class R> struct HairFrame {
    Vec<R> axis;         // unit vector
    Quat<R> turn, added; // turn: product of the rotations so far; added: the product of this round
};

// Returns the chord of chunk c, from the third vertex before its first to the third vertex after its last. At the
// ends of the strand it starts at the root or ends at the tip. `tip` is the index of the strand's last vertex in the
// chunk.
template <class R>
CAPSTAN_INLINE Vec<R> hairChord(const HairChunk<R>& k, Vec<R> before, bool hasBefore, Vec<R> after,
                                bool hasAfter, int tip) {
    Vec<R> end = k.x[3]; // not k.x[tip]: with a variable index a GPU would store the chunk in memory
    for (int i = 0; i < 3; ++i) end = select(MaskOf<R>(i == tip), k.x[i], end);
    return (hasAfter ? after : end) - (hasBefore ? before : k.x[0]);
}

// Computes the frames and the rest shape k.rest. fs stores a HairFrame for each chunk. It has the interface of a
// strand (strand.hpp), and fs.at(c) for the thread's own chunk.
template <class R, class S, class F>
CAPSTAN_INLINE void hairFrames(S& s, F& fs, const HairTable& t, Quat<R> root) {
    using Chunk = HairChunk<R>;
    using Frame = HairFrame<R>;
    const Vec<R> out = axisZ(root);
    s.each([&](Chunk& k, int c) {
        const Vec<R> before = s.from(c, -1, [](const Chunk& o) { return o.x[1]; });
        // The next chunk may be the last one, and have fewer than three vertices.
        const Vec<R> x0 = s.from(c, 1, [](const Chunk& o) { return o.x[0]; });
        const Vec<R> x2 = s.from(c, 1, [](const Chunk& o) { return o.x[2]; });
        // The index of the tip, counted from this chunk's first vertex.
        const int beyond = t.vertices - 1 - kHairChunk * c;
        fs.at(c).axis = normalize(hairChord(k, before, hairHas(s, c, -1), beyond < 6 ? x0 : x2,
                                            hairHas(s, c, 1), beyond < 3 ? beyond : 3),
                                  out);
    });
    fs.each([&](Frame& f, int c) {
        const Vec<R> left = fs.from(c, -1, [](const Frame& o) { return o.axis; });
        f.turn = fromTo(hairHas(s, c, -1) ? left : out, f.axis);
    });
    for (int step = 1; step < t.chunks; step *= 2) {
        fs.each([&](Frame& f, int c) {
            const Quat<R> before = fs.from(c, -step, [](const Frame& o) { return o.turn; });
            f.added = hairHas(s, c, -step) ? f.turn * before : f.turn;
        });
        fs.each([&](Frame& f, int) { f.turn = f.added; });
    }
    s.each([&](Chunk& k, int c) {
        const Quat<R> q = normalize(fs.at(c).turn * root);
        for (int i = 0; i < 4; ++i) k.rest[i] = rotate(q, spread<R>(t.chunk[c].rest[i]));
    });
}

} // namespace capstan
