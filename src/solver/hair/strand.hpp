// SPDX-License-Identifier: MIT
// One step of a strand of hair, with one source for a CPU lane and for a group of eight GPU threads. On the CPU R is
// a float, or a Pack with one strand per lane. On the GPU each thread holds four vertices (a chunk). Both execute
// equal operations in equal order.
//
// A strand is a chain of vertices x_i, root first, with edges of equal length l. The unit of mass is that of an inner
// vertex. The phases of a substep of length h are:
//   predict   u = keep (x - x_before);  x += u + fall     gravity, wind and damping are in keep and fall
//   bend      bend.hpp      implicit bending toward the rest shape
//   lengths   lengths.hpp   all edges together, one tridiagonal system
//   collide   collide.hpp   before and after the lengths; after the last pass no vertex is inside a shape
// The rest shape is transported along the strand once per step (frames.hpp).
//
// The algorithm uses a strand through this interface `s`. Data is in memory on the CPU, and in registers with
// shuffles on the GPU:
//   s.each(f)              calls f(chunk, c) for each chunk c of the strand; on a GPU, for the thread's own chunk
//   s.from(c, k, get)      get(chunk c + k); if that chunk does not exist, any finite value, which must not be used
//   s.chunks               number of chunks in use
//   s.some(test)           in each lane: true if test(chunk, c) is true for any chunk; s.found(result): true in any lane
//   s.owed(c)              HairOwed of a chunk
//   s.behind()             the fixed vertex before the root, as chunk 0 stored it
//   s.plane(c, i)          separating plane of vertex i and the first shape in this substep
//                          The last three are not members of the chunk, to save registers of a GPU.
//   S::full                true: 32 vertices, so only the first and the last vertex of a chunk can differ from the others;
//                          factors of 1 are omitted, which changes no bit
//   S::straight            true: the strand has no curls
//   S::ball                true: there is exactly one shape, a sphere
// In one each() no chunk writes data that its neighbours read. So the order of the chunks does not matter. A serial
// Thomas solve would be less work on the CPU. But on the GPU seven of eight threads would wait, and its bits differ.
#pragma once

#include "math/fused.hpp"
#include "model/hair_table.hpp"
#include <capstan/math/quat.hpp>

namespace capstan {

// Rows of the tridiagonal system: a lambda_(i-1) + b lambda_i + c lambda_(i+1) = d.
template <class R> struct HairRow { R a, b, c, d; };
template <class R> struct HairTwo { Vec<R> a, b; }; // two neighbouring vertices

// Memory of the bending solve and of the length solve, which are never in use at the same time.
template <class R> struct HairBending {
    HairTwo<R> first, second; // vertices 0 1 and 2 3 of the right-hand side
    HairTwo<R> reduced;       // displacement of vertices 2 3
};
template <class R> struct HairSolving {
    HairRow<R> row[4], outer, scaled;
    R inverse[3];
    Vec<R> next; // e of the edge after the chunk's last one
    R slipping;  // term that the contact of the last vertex removes from the row of that edge
    R change[4]; // change of lambda
    R left[4];   // remaining C after the solve
};

// A separating plane: the shape is on the side n.x < offset.
template <class R> struct HairPlane {
    Vec<R> n;
    R offset;
};

// Its size matters: eight chunks of eight lanes should fit into a first-level cache of 32 KiB.
template <class R> struct HairChunk {
    Vec<R> x[4];
    // Displacement in the last substep. From the prediction until the length solve: x at the start of the substep.
    Vec<R> v[4];
    // Vector from the vertex to the previous one; during bending: deviation of b_i from its rest shape.
    Vec<R> e[4];
    Vec<R> rest[4]; // curls: rest value of b_i, in the world
    R lambda[4];    // multipliers of the edges from the last substep; negative: tension
    MaskOf<R> near; // lanes in which a vertex was near a shape at the last test
    union {
        HairBending<R> bend;
        HairSolving<R> solve;
    };
};

// Remaining C of the chunk's edges from earlier substeps, which the next substep corrects.
template <class R> struct alignas(alignof(R) > 16 ? alignof(R) : 16) HairOwed { R of[4]; };

// Reported strain of a strand with a position that is not finite.
inline constexpr float kNotFinite = 1e30f;

// Returns true if the chunk c + k exists.
template <class S> CAPSTAN_INLINE bool hairHas(const S& s, int c, int k) {
    return c + k >= 0 && c + k < s.chunks;
}

template <class R> CAPSTAN_INLINE Vec<R> spread(Vec3 a) { return {R(a.x), R(a.y), R(a.z)}; }

// turn rotates a direction from the pose's axes to the world, and inPose rotates it back. position transforms a
// point.
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
