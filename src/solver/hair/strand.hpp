// SPDX-License-Identifier: MIT
// One step of a strand of hair, for a CPU lane and for a group of eight GPU threads from the same source. On
// the CPU R is a float, or a Pack with one strand per lane. On the GPU each thread holds four vertices. Both do
// the same operations in the same order.
//
// A strand is a chain of vertices x_i, root first, with edges of one length l. The steps of a substep h, in
// units in which an inner vertex has mass 1:
//   predict   u = keep (x - x_before);  x += u + fall     gravity, wind and damping are in keep and fall
//   bend      bend.hpp      implicit bending toward the rest shape
//   lengths   lengths.hpp   all edges together, one tridiagonal system
//   collide   collide.hpp   before the lengths, and as the last step: no vertex ends inside a shape
// The rest shape is carried along the strand once per step (frames.hpp).
//
// The interface of the strand is `s`. It is memory on the CPU, and registers with shuffles on the GPU:
//   s.each(f)              calls f(chunk, c) for the strand's chunks c; a GPU's thread does so for its own chunk
//   s.from(c, k, get)      get(chunk c + k); out of range it is any finite value, and the caller does not use it
//   s.chunks               number of chunks in use
//   s.some(test)           true if test(chunk, c) is true for any chunk, in each lane; s.found(it): in any lane
//   s.owed(c)              HairOwed of a chunk
//   s.behind()             the held vertex before the root, as chunk 0 stored it
//   s.plane(c, i)          the plane of vertex i and the first shape in this substep
//                          These three are apart from the chunk, to save registers of a GPU.
//   S::full                known to have 32 vertices: only the first and the last vertex of a chunk can be special;
//                          factors of 1 are omitted, which changes no bit
//   S::straight            known to have no curls
//   S::ball                known to have one shape, a sphere
// In one each() no chunk writes data that its neighbours read. So the order of the chunks does not matter. A
// serial Thomas solve would be less work on the CPU. But on the GPU seven of eight threads would wait, and its
// bits differ.
#pragma once

#include "math/fused.hpp"
#include "model/hair_table.hpp"
#include <capstan/math/quat.hpp>

namespace capstan {

// Rows of the tridiagonal system: a lambda_(i-1) + b lambda_i + c lambda_(i+1) = d.
template <class R> struct HairRow { R a, b, c, d; };
template <class R> struct HairTwo { Vec<R> a, b; }; // two neighbouring vertices

// Memory of the two solves, which are never in use at the same time.
template <class R> struct HairBending {
    HairTwo<R> first, second; // vertices 0 1 and 2 3 of the right-hand side
    HairTwo<R> reduced;       // the move of vertices 2 3
};
template <class R> struct HairSolving {
    HairRow<R> row[4], outer, scaled;
    R inverse[3];
    Vec<R> next; // the edge after the chunk's last one
    R slipping;  // part of that edge's row that the contact of the last vertex removes
    R change[4]; // change of lambda
    R left[4];   // remaining C after the solve
};

// A plane: the shape is on the side n.x < offset.
template <class R> struct HairPlane {
    Vec<R> n;
    R offset;
};

// Its size matters: eight chunks of eight lanes should fit into a first-level cache of 32 KiB.
template <class R> struct HairChunk {
    Vec<R> x[4];
    // The move of the last substep. Within a substep, until lengths are solved, it is x at the start of the substep.
    Vec<R> v[4];
    Vec<R> e[4];    // edge to the previous vertex; during bending, the vertex's deviation from its rest shape
    Vec<R> rest[4]; // curls: target of bending, in the world
    R lambda[4];    // of the edges, from the last substep; negative: the edge pulls
    MaskOf<R> near; // some vertex was near a shape at the end of the last substep
    union {
        HairBending<R> bend;
        HairSolving<R> solve;
    };
};

// The remaining C of the chunk's edges from earlier substeps. The next substep corrects it.
template <class R> struct alignas(alignof(R) > 16 ? alignof(R) : 16) HairOwed { R of[4]; };

// The strain of a strand with a position that is not finite.
inline constexpr float kNotFinite = 1e30f;

// Returns true if the chunk at distance k exists.
template <class S> CAPSTAN_INLINE bool hairHas(const S& s, int c, int k) {
    return c + k >= 0 && c + k < s.chunks;
}

template <class R> CAPSTAN_INLINE Vec<R> spread(Vec3 a) { return {R(a.x), R(a.y), R(a.z)}; }

// Rotates a direction from the pose's axes to the world, and back; and transforms a point.
template <class R> CAPSTAN_INLINE Vec<R> turn(const HairPose& p, Vec<R> x) {
    return addFused(addFused(x.x * spread<R>(p.X), x.y, spread<R>(p.Y)), x.z, spread<R>(p.Z));
}
template <class R> CAPSTAN_INLINE Vec<R> inPose(const HairPose& p, Vec<R> x) {
    return {dotFused(spread<R>(p.X), x), dotFused(spread<R>(p.Y), x), dotFused(spread<R>(p.Z), x)};
}
template <class R> CAPSTAN_INLINE Vec<R> position(const HairPose& p, Vec<R> x) {
    return addFused(addFused(addFused(spread<R>(p.at), x.x, spread<R>(p.X)), x.y, spread<R>(p.Y)), x.z,
                    spread<R>(p.Z));
}

} // namespace capstan
