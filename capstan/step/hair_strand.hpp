// SPDX-License-Identifier: MIT
// One step of a strand of hair, written once for a CPU lane (R = float, or a Pack with one strand per lane) and for a
// group of eight GPU threads that hold four vertices each. Both do the same operations in the same order.
//
// A strand is a chain of vertices x_i, root first, with edges of one length l. Per substep h, in units where an inner
// vertex weighs 1:
//   predict   u = keep (x - x_before);  x += u + fall     gravity, wind and damping are in keep and fall
//   bend      hair_bend.hpp      implicit bending toward the rest shape
//   lengths   hair_lengths.hpp   all edges at once, one tridiagonal system
//   collide   hair_collide.hpp   before the lengths, and as the last act: no vertex ends inside a shape
// The rest shape is carried along the strand once per step (hair_frames.hpp).
//
// The strand is seen through `s`, which is memory on the CPU and registers with shuffles on the GPU:
//   s.each(f)              f(chunk, c) for the chunks c of the strand; on the GPU each thread calls it for its own
//   s.from(c, k, get)      get(chunk c + k): out of range it is any finite number, and the caller does not use it
//   s.chunks               how many chunks are in use
//   s.some(test)           test(chunk, c) of any chunk of the strand, in each lane; s.found(it): in any lane
//   s.owed(c)              HairOwed of a chunk; s.behind(): the vertex before the root, which is held too, as chunk 0 put
//                          it there; s.plane(c, i): of vertex i and the first shape, since it was looked at. All are
//                          apart because a GPU has more use for its registers.
//   S::full                known to have 32 vertices: then only the first and the last vertex of a chunk can be special,
//                          and factors of 1 are left out, which changes no bit
//   S::straight            known to have no curls
//   S::ball                known to meet one shape, a sphere
// What one each() reads from neighbours it does not write: then the order of the chunks does not matter.
// A serial Thomas sweep would be less work on the CPU, but on the GPU seven of eight threads would wait, and its bits
// differ.
#pragma once

#include <capstan/math/fused.hpp>
#include <capstan/math/quat.hpp>
#include <capstan/model/hair_table.hpp>

namespace capstan {

// Rows of the tridiagonal system: a lambda_(i-1) + b lambda_i + c lambda_(i+1) = d.
template <class R> struct HairRow { R a, b, c, d; };
template <class R> struct HairTwo { Vec<R> a, b; }; // two neighbouring vertices

// Memory of the two solves, which never live at the same time.
template <class R> struct HairBending {
    HairTwo<R> first, second; // vertices 0 1 and 2 3 of the right-hand side
    HairTwo<R> reduced;       // the move of vertices 2 3
};
template <class R> struct HairSolving {
    HairRow<R> row[4], outer, scaled;
    R inverse[3];
    Vec<R> next; // edge after the chunk's last
    R slips;     // what the contact of the last vertex takes from that edge
    R change[4]; // of lambda
    R left[4];   // of C afterwards
};

// A plane: n.x >= offset leaves the shape on the other side.
template <class R> struct HairPlane {
    Vec<R> n;
    R offset;
};

// As small as it can be: eight chunks of eight lanes should stay in a first-level cache of 32 KiB.
template <class R> struct HairChunk {
    Vec<R> x[4];
    Vec<R>
        v[4]; // what the last substep moved; during one, until lengths are solved, where x was at its start
    Vec<R> e[4];    // edge, to the vertex before; during bend, how far each vertex is from its rest shape
    Vec<R> rest[4]; // curls: where the strand wants to bend to, in the world
    R lambda[4];    // of the edges, as the last substep left it; below 0 it pulls
    MaskOf<R> near; // some vertex was near a shape at the end of the last substep
    union {
        HairBending<R> bend;
        HairSolving<R> solve;
    };
};

// What the last substeps left of C of the chunk's edges, to be made good by the next.
template <class R> struct alignas(alignof(R) > 16 ? alignof(R) : 16) HairOwed { R of[4]; };

// Told instead of a strain when a place is not finite.
inline constexpr float kNotFinite = 1e30f;

// The chunk at distance k is there.
template <class S> CAPSTAN_INLINE bool hairHas(const S& s, int c, int k) {
    return c + k >= 0 && c + k < s.chunks;
}

template <class R> CAPSTAN_INLINE Vec<R> spread(Vec3 a) { return {R(a.x), R(a.y), R(a.z)}; }

// A direction of the pose's axes in the world, and back; and a point.
template <class R> CAPSTAN_INLINE Vec<R> turn(const HairPose& p, Vec<R> x) {
    return addFused(addFused(x.x * spread<R>(p.X), x.y, spread<R>(p.Y)), x.z, spread<R>(p.Z));
}
template <class R> CAPSTAN_INLINE Vec<R> inPose(const HairPose& p, Vec<R> x) {
    return {dotFused(spread<R>(p.X), x), dotFused(spread<R>(p.Y), x), dotFused(spread<R>(p.Z), x)};
}
template <class R> CAPSTAN_INLINE Vec<R> place(const HairPose& p, Vec<R> x) {
    return addFused(addFused(addFused(spread<R>(p.at), x.x, spread<R>(p.X)), x.y, spread<R>(p.Y)), x.z,
                    spread<R>(p.Z));
}

} // namespace capstan
