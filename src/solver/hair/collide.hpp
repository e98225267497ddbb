// SPDX-License-Identifier: MIT
// Collision of strands with shapes: no vertex ends a substep inside a shape, at any velocity of the vertex or the
// shape.
//
// All shapes are convex. The start position of a vertex in the substep is moved along with the shape. The shape's
// nearest point to it defines a plane between the shape and the vertex. The vertex must not cross this plane: n.(x -
// p) >= skin. A vertex that slides by s in a substep around a sphere of radius R ends s^2 / 2R outside. On a head this
// is 20 um at 1 m/s.
//
// A test whether x is inside would let fast hair pass through thin shapes. The planes follow the idea of planar
// truncation (solvers of offset geometric contact, Chen et al. 2025). Friction shortens the sliding along the shape
// by at most mu times the push (Mueller et al. 2007, section 3.4).
#pragma once

#include "math/inverse.hpp"
#include "solver/hair/strand.hpp"

namespace capstan {

template <class R> CAPSTAN_INLINE R hairSide(R along) { return withSign(R(1.0f), along); }

// Returns the separating plane between a point x and a sphere around `middle`.
template <class R> CAPSTAN_INLINE HairPlane<R> hairIteration(Vec<R> x, Vec<R> middle, float radius) {
    const Vec<R> d = x - middle;
    const R l = sqrt(dot(d, d));
    const auto good = l > R(1e-12f);
    const Vec<R> n =
        select(good, (R(1.0f) / select(good, l, R(1.0f))) * d, Vec<R>{R(0.0f), R(1.0f), R(0.0f)});
    return {n, dot(n, middle) + R(radius)};
}

// Returns the separating plane between a point x and a box with the given half edges.
template <class R> CAPSTAN_INLINE HairPlane<R> hairBox(Vec<R> x, Vec3 half) {
    const Vec<R> h = spread<R>(half), over = abs(x) - h;
    const Vec<R> sign = {hairSide(x.x), hairSide(x.y), hairSide(x.z)};
    // Inside the box, or above a face: the plane of the nearest face.
    const auto isX = (over.x >= over.y) & (over.x >= over.z);
    const auto isY = (!isX) & (over.y >= over.z);
    const Vec<R> face = {select(isX, sign.x, R(0.0f)), select(isY, sign.y, R(0.0f)),
                         select(isX | isY, R(0.0f), sign.z)};
    // Outside the box: the plane perpendicular to the direction from the nearest point.
    const R zero = R(0.0f);
    const Vec<R> d = multiply(sign, Vec<R>{max(over.x, zero), max(over.y, zero), max(over.z, zero)});
    const R l = sqrt(dot(d, d));
    const auto out = l > R(1e-9f);
    const Vec<R> n = select(out, (R(1.0f) / select(out, l, R(1.0f))) * d, face);
    const Vec<R> a = abs(n);
    return {n, a.x * h.x + a.y * h.y + a.z * h.z}; // the support function of a box
}

// Returns the separating plane between a point x and a cylinder along y.
template <class R> CAPSTAN_INLINE HairPlane<R> hairCylinder(Vec<R> x, float radius, float halfLength) {
    const R across = sqrt(x.x * x.x + x.z * x.z);
    const auto good = across > R(1e-12f);
    const R inv = R(1.0f) / select(good, across, R(1.0f));
    const R ux = select(good, x.x * inv, R(1.0f)), uz = select(good, x.z * inv, R(0.0f)),
            side = hairSide(x.y);
    const R zero = R(0.0f), overA = across - R(radius), overY = abs(x.y) - R(halfLength);
    const R a = max(overA, zero), y = max(overY, zero), l = sqrt(a * a + y * y);
    const auto out = l > R(1e-9f), wall = overA >= overY;
    const R il = R(1.0f) / select(out, l, R(1.0f));
    const R na = select(out, a * il, select(wall, R(1.0f), zero));
    const R ny = select(out, y * il, select(wall, zero, R(1.0f)));
    return {{na * ux, ny * side, na * uz}, na * R(radius) + ny * R(halfLength)};
}

// Returns the plane with the largest distance from x, among the planes of the faces and of a sphere around the hull.
// It is a separating plane, though not always that of the nearest point.
template <class R>
CAPSTAN_INLINE HairPlane<R> hairHull(Vec<R> x, const Point* face, int faces, float radius) {
    HairPlane<R> best = hairIteration(x, Vec<R>{R(0.0f), R(0.0f), R(0.0f)}, radius);
    R above = dot(best.n, x) - best.offset;
    for (int i = 0; i < faces; ++i) {
        const Vec<R> n = {R(face[i].x), R(face[i].y), R(face[i].z)};
        const R height = dot(n, x) - R(face[i].w);
        const auto better = height > above;
        best.n = select(better, n, best.n);
        best.offset = select(better, R(face[i].w), best.offset);
        above = select(better, height, above);
    }
    return best;
}

// Returns the separating plane between x and a shape, in the shape's axes.
template <class R>
CAPSTAN_INLINE HairPlane<R> hairPlane(const HairCollider& k, const Point* faces, Vec<R> x) {
    const R zero = R(0.0f);
    switch (k.kind) {
    case HairSolid::Sphere:
        return hairIteration(x, Vec<R>{zero, zero, zero}, k.radius);
    case HairSolid::Capsule:
        return hairIteration(x, Vec<R>{zero, clamp(x.y, R(-k.half.y), R(k.half.y)), zero}, k.radius);
    case HairSolid::Box:
        return hairBox(x, k.half);
    case HairSolid::Cylinder:
        return hairCylinder(x, k.radius, k.half.y);
    case HairSolid::Hull:
        return hairHull(x, faces + k.face, k.faces, k.radius);
    case HairSolid::Plane:
        break;
    }
    return {{zero, R(1.0f), zero}, zero};
}

// Returns true for vertices except the root and padding.
template <class S> CAPSTAN_INLINE bool hairFree(const HairChunkTable& t, int i) {
    return (S::full && i > 0) || t.w[i] > 0;
}

// Returns true if a vertex of the chunk may be in contact with the shape in this substep. The test compares its
// distance from the middle of the shape with `reach` plus twice the largest displacement of a vertex. `fresh`: x is
// the position before the substep's move, and v the previous displacement. Moved: v is the displacement of x in this
// substep; otherwise v is the start position. If the test fails, the chunk has no contact in this substep, because
//     |u| > far + 2 |move|  follows from  u^2 > 1.05 far^2 + 84 |move|^2
// Here u is the vector from the middle, and far the radius of the shape and the strand. `reach` contains far and the
// displacement of the shape. |move|^2 is at most 3 times the square of its largest coordinate.
inline constexpr float kHairFast = 3 * 168;
template <bool Moved, class S, class R>
CAPSTAN_INLINE MaskOf<R> hairNear(const HairChunk<R>& k, const HairChunkTable& t, const HairCollider& o,
                                  bool fresh = false) {
    R low = R(1e30f), fast = R(0.0f);
    CAPSTAN_UNROLL
    for (int i = 0; i < 4; ++i) {
        const Vec<R> u = k.x[i] - spread<R>(fresh ? o.before.at : o.now.at);
        const Vec<R> m = abs(Moved ? k.v[i] : k.x[i] - k.v[i]);
        const R high = largerTame(largerTame(m.x, m.y), m.z);
        fast = i == 0 ? high : largerTame(fast, high);
        if (hairFree<S>(t, i)) low = smallerTame(low, dotFused(u, u)); // the root is always on the shape
    }
    return low < addFused(R(o.reach), R(kHairFast) * fast, fast);
}
template <bool Moved, class S, class R>
CAPSTAN_INLINE MaskOf<R> hairNearAny(const HairChunk<R>& k, const HairChunkTable& t, const HairCollider* o,
                                     int count, bool fresh = false) {
    MaskOf<R> near = hairNear<Moved, S>(k, t, o[0], fresh);
    for (int j = 1; !S::ball && j < count; ++j) near = near | hairNear<Moved, S>(k, t, o[j], fresh);
    return near;
}

// Returns the separating plane of a vertex in this substep, in the world's axes and relative to the shape's middle:
// n.(x - now.at) >= offset. For a sphere its rotation has no effect.
template <class S, class R>
CAPSTAN_INLINE HairPlane<R> hairLook(const HairCollider& o, const Point* faces, Vec<R> before) {
    const Vec<R> d = before - spread<R>(o.before.at);
    if (S::ball || o.kind == HairSolid::Sphere)
        return {inverseTame(rootTame(largerTame(dotFused(d, d), R(1e-24f)))) * d, R(o.skin + o.radius)};
    HairPlane<R> plane = hairPlane(o, faces, inPose(o.before, d));
    return {turn(o.now, plane.n), R(o.skin) + plane.offset};
}
template <class R> CAPSTAN_INLINE R hairDepth(const HairPlane<R>& plane, const HairCollider& o, Vec<R> x) {
    return plane.offset - dotFused(plane.n, x - spread<R>(o.now.at));
}

// Pushes x out by depth > 0 along n, with friction. `stuck` is the position for infinite friction: the start position
// moved with the shape.
template <class R>
CAPSTAN_INLINE Vec<R> hairProject(Vec<R> x, Vec<R> n, R depth, Vec<R> stuck, float friction) {
    const Vec<R> slide = x - stuck;
    const R along = dotFused(n, slide), across2 = takeFused(dotFused(slide, slide), along, along);
    const R hold =
        smallerTame(R(1.0f), (R(friction) * depth) * inverseTame(rootTame(largerTame(across2, R(1e-24f)))));
    return takeFused(addFused(x, addFused(depth, hold, along), n), hold, slide);
}

// Contact of the four vertices of a chunk with one shape. In this pass, v is the start position.
template <class S, class R>
CAPSTAN_INLINE void hairContact(S& s, HairChunk<R>& k, int c, const HairChunkTable& t, const HairCollider& o,
                                const Point* faces, bool keep) {
    HairPlane<R> plane[4];
    R depth[4];
    MaskOf<R> in[4], some = MaskOf<R>(false);
    CAPSTAN_UNROLL
    for (int i = 0; i < 4; ++i) {
        plane[i] = hairLook<S>(o, faces, k.v[i]);
        if (keep) s.plane(c, i) = plane[i];
        depth[i] = hairDepth(plane[i], o, k.x[i]);
        in[i] = k.near & (depth[i] > R(0.0f)) & MaskOf<R>(hairFree<S>(t, i));
        some = some | in[i];
    }
    if (!any(some)) return;
    Vec<R> stuck[4] = {k.v[0], k.v[1], k.v[2], k.v[3]};
    if (!o.still) {
        CAPSTAN_UNROLL
        for (int i = 0; i < 4; ++i)
            stuck[i] = position(o.now, inPose(o.before, k.v[i] - spread<R>(o.before.at)));
    }
    CAPSTAN_UNROLL
    for (int i = 0; i < 4; ++i)
        k.x[i] = select(in[i], hairProject(k.x[i], plane[i].n, depth[i], stuck[i], o.friction), k.x[i]);
}

// First collision pass of a substep, before the length solve: it pushes out vertices that rest on a shape. It handles
// the chunks that were near a shape at the start of the substep; hairLeave() handles all other chunks.
template <class S, class R>
CAPSTAN_INLINE void hairContacts(S& s, HairChunk<R>& k, int c, const HairChunkTable& t, const HairCollider* o,
                                 int count, const Point* faces) {
    if ((!S::ball && count == 0) || !any(k.near)) [[likely]]
        return;
    for (int j = 0; j < (S::ball ? 1 : count); ++j) {
        if (j > 0 && !any(hairNear<false, S>(k, t, o[j]))) continue; // no vertex is near this shape
        hairContact(s, k, c, t, o[j], faces, j == 0);
    }
}

// Last collision pass: after it no vertex is inside a shape, in the lanes `mine`. Moved: see hairNear().
template <bool Moved, class S, class R>
CAPSTAN_INLINE void hairLeave(S& s, HairChunk<R>& k, int c, const HairChunkTable& t, const HairCollider* o,
                              int count, const Point* faces, MaskOf<R> mine) {
    if (!S::ball && count == 0) return;
    const MaskOf<R> now = mine & hairNearAny<Moved, S>(k, t, o, count), fresh = now & !k.near;
    k.near = now | (k.near & !mine);
    if (!any(now)) [[likely]]
        return;
    auto look = [&](int j, int i) { return hairLook<S>(o[j], faces, Moved ? k.x[i] - k.v[i] : k.v[i]); };
    if (any(fresh)) {
        CAPSTAN_UNROLL
        for (int i = 0; i < 4; ++i) {
            const HairPlane<R> plane = look(0, i), known = s.plane(c, i);
            s.plane(c, i) = {select(fresh, plane.n, known.n), select(fresh, plane.offset, known.offset)};
        }
    }
    for (int j = 0; j < (S::ball ? 1 : count); ++j) {
        if (j > 0 && !any(hairNear<Moved, S>(k, t, o[j]))) continue; // no vertex is near this shape
        CAPSTAN_UNROLL
        for (int i = 0; i < 4; ++i) {
            const HairPlane<R> plane = j > 0 ? look(j, i) : s.plane(c, i);
            const R depth = hairDepth(plane, o[j], k.x[i]);
            const MaskOf<R> in = now & (depth > R(0.0f)) & MaskOf<R>(hairFree<S>(t, i));
            k.x[i] = select(in, addFused(k.x[i], depth, plane.n), k.x[i]);
            if (Moved) k.v[i] = select(in, addFused(k.v[i], depth, plane.n), k.v[i]);
        }
    }
}

} // namespace capstan
