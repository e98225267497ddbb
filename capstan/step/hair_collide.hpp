// SPDX-License-Identifier: MIT
// Collide: no vertex ends a substep inside a shape, however fast it or the shape moves.
//
// All shapes are convex. Where the vertex was at the start of the substep, carried along with the shape, the nearest
// point of the shape gives a plane that has the shape on one side and the vertex on the other. The vertex may not cross
// it: n.(x - p) >= skin. Around a sphere of radius R a vertex that slides by s in a substep is so kept s^2 / 2R outside
// (20 um at 1 m/s on a head). Testing only whether x is inside lets fast hair through thin shapes.
// The plane idea is that of planar truncation (solvers of offset geometric contact, Chen et al. 2025).
// Friction: sliding against the shape is shortened by at most mu times the push (Mueller et al. 2007, section 3.4).
#pragma once

#include <capstan/math/inverse.hpp>
#include <capstan/step/hair_strand.hpp>

namespace capstan {

template <class R> CAPSTAN_INLINE R hairSide(R along) { return withSign(R(1.0f), along); }

// Of a point x outside a sphere around the point `middle`.
template <class R> CAPSTAN_INLINE HairPlane<R> hairRound(Vec<R> x, Vec<R> middle, float radius) {
    const Vec<R> d = x - middle;
    const R l = sqrt(dot(d, d));
    const auto good = l > R(1e-12f);
    const Vec<R> n =
        select(good, (R(1.0f) / select(good, l, R(1.0f))) * d, Vec<R>{R(0.0f), R(1.0f), R(0.0f)});
    return {n, dot(n, middle) + R(radius)};
}

template <class R> CAPSTAN_INLINE HairPlane<R> hairBox(Vec<R> x, Vec3 half) {
    const Vec<R> h = spread<R>(half), over = abs(x) - h;
    const Vec<R> sign = {hairSide(x.x), hairSide(x.y), hairSide(x.z)};
    // Inside, or above a face: the nearest face.
    const auto isX = (over.x >= over.y) & (over.x >= over.z);
    const auto isY = (!isX) & (over.y >= over.z);
    const Vec<R> face = {select(isX, sign.x, R(0.0f)), select(isY, sign.y, R(0.0f)),
                         select(isX | isY, R(0.0f), sign.z)};
    // Outside: away from the nearest point.
    const R zero = R(0.0f);
    const Vec<R> d = multiply(sign, Vec<R>{max(over.x, zero), max(over.y, zero), max(over.z, zero)});
    const R l = sqrt(dot(d, d));
    const auto out = l > R(1e-9f);
    const Vec<R> n = select(out, (R(1.0f) / select(out, l, R(1.0f))) * d, face);
    const Vec<R> a = abs(n);
    return {n, a.x * h.x + a.y * h.y + a.z * h.z}; // the support of a box
}

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

// Of the planes of the faces and of a sphere around the hull, the one that x is farthest above. It divides as well as that
// of the nearest point.
template <class R>
CAPSTAN_INLINE HairPlane<R> hairHull(Vec<R> x, const Point* face, int faces, float radius) {
    HairPlane<R> best = hairRound(x, Vec<R>{R(0.0f), R(0.0f), R(0.0f)}, radius);
    R above = dot(best.n, x) - best.offset;
    for (int i = 0; i < faces; ++i) {
        const Vec<R> n = {R(face[i].x), R(face[i].y), R(face[i].z)};
        const R height = dot(n, x) - R(face[i].w);
        const auto better = height > above;
        best.n = select(better, n, best.n), best.offset = select(better, R(face[i].w), best.offset);
        above = select(better, height, above);
    }
    return best;
}

template <class R>
CAPSTAN_INLINE HairPlane<R> hairPlane(const HairCollider& k, const Point* faces, Vec<R> x) {
    const R zero = R(0.0f);
    switch (k.kind) {
    case HairSolid::Sphere:
        return hairRound(x, Vec<R>{zero, zero, zero}, k.radius);
    case HairSolid::Capsule:
        return hairRound(x, Vec<R>{zero, clamp(x.y, R(-k.half.y), R(k.half.y)), zero}, k.radius);
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

// Not the root, nor what is no vertex.
template <class S> CAPSTAN_INLINE bool hairFree(const HairChunkTable& t, int i) {
    return (S::full && i > 0) || t.w[i] > 0;
}

// Whether a vertex of the chunk may meet the shape: its distance from the middle of the shape, now, is not above reach and
// twice its move. `fresh`: x has not moved yet, and v is the last move. `moved`: v is the move of x in this substep; else
// v is where x was. A chunk that is not near touches nothing in this substep, however it moved:
//     |u| > far + 2 |move|  follows from  u^2 > 1.05 far^2 + 84 |move|^2,   and the shape's part of the move is in reach.
inline constexpr float kHairFast = 168;
template <bool Moved, class S, class R>
CAPSTAN_INLINE MaskOf<R> hairNear(const HairChunk<R>& k, const HairChunkTable& t, const HairCollider& o,
                                  bool fresh = false) {
    R low = R(1e30f);
    CAPSTAN_UNROLL
    for (int i = 0; i < 4; ++i) {
        const Vec<R> u = k.x[i] - spread<R>(fresh ? o.before.at : o.now.at), m = Moved ? k.v[i] : k.x[i] - k.v[i];
        const R now = dot(u, u) - R(kHairFast) * dot(m, m);
        low = smallerTame(low, hairFree<S>(t, i) ? now : R(1e30f)); // the root lies on the shape, always
    }
    return low < R(o.reach);
}
template <bool Moved, class S, class R>
CAPSTAN_INLINE MaskOf<R> hairNearAny(const HairChunk<R>& k, const HairChunkTable& t, const HairCollider* o,
                                     int count, bool fresh = false) {
    MaskOf<R> near = hairNear<Moved, S>(k, t, o[0], fresh);
    for (int j = 1; !S::ball && j < count; ++j) near = near | hairNear<Moved, S>(k, t, o[j], fresh);
    return near;
}

// The plane of a vertex in this substep, in the world, and where the vertex would be if it stuck to the shape. A sphere
// looks the same however it is turned.
template <bool Sphere, class R>
CAPSTAN_INLINE HairPlane<R> hairLook(const HairCollider& o, const Point* faces, Vec<R> before,
                                     Vec<R>& stuck) {
    const Vec<R> d = before - spread<R>(o.before.at);
    Vec<R> local = d;
    stuck = before;
    if (!Sphere || !o.still)
        local = {dot(spread<R>(o.before.X), d), dot(spread<R>(o.before.Y), d), dot(spread<R>(o.before.Z), d)};
    if (!o.still) stuck = place(o.now, local);
    HairPlane<R> plane;
    if (Sphere)
        plane = {inverseTame(rootTame(largerTame(dot(d, d), R(1e-24f)))) * d, R(o.radius)};
    else
        plane = hairPlane(o, faces, local), plane.n = turn(o.now, plane.n);
    plane.offset = R(o.skin) + plane.offset + dot(plane.n, spread<R>(o.now.at));
    return plane;
}

// Out of the shape, with friction, where `free`.
template <class R>
CAPSTAN_INLINE void hairPush(Vec<R>& x, const HairPlane<R>& plane, Vec<R> stuck, MaskOf<R> free, float friction) {
    const Vec<R> slide = x - stuck;
    const R along = dot(plane.n, slide), across2 = dot(slide, slide) - along * along;
    const R depth = (plane.offset - dot(plane.n, stuck)) - along;
    const R hold =
        smallerTame(R(1.0f), (R(friction) * depth) * inverseTame(rootTame(largerTame(across2, R(1e-24f)))));
    x = select(free & (depth > R(0.0f)), x + ((depth + hold * along) * plane.n - hold * slide), x);
}
// How far, without.
template <class R> CAPSTAN_INLINE Vec<R> hairOut(Vec<R> x, const HairPlane<R>& plane, MaskOf<R> free) {
    const R depth = plane.offset - dot(plane.n, x);
    return select(free & (depth > R(0.0f)), depth * plane.n, Vec<R>{R(0.0f), R(0.0f), R(0.0f)});
}

template <class S, class R>
CAPSTAN_INLINE HairPlane<R> hairLookAt(const HairCollider& o, const Point* faces, Vec<R> before, Vec<R>& stuck) {
    return S::ball || o.kind == HairSolid::Sphere ? hairLook<true>(o, faces, before, stuck)
                                                  : hairLook<false>(o, faces, before, stuck);
}

// The first look of a substep: what rests on a shape is taken out before lengths are looked at. Of the chunks that were
// near at its start; the others are seen to by the last look.
template <class S, class R>
CAPSTAN_INLINE void hairMeet(HairChunk<R>& k, const HairChunkTable& t, const HairCollider* o, int count,
                             const Point* faces) {
    if ((!S::ball && count == 0) || !any(k.near)) return;
    for (int j = 0; j < (S::ball ? 1 : count); ++j) {
        if (!S::ball && count > 1 && !any(hairNear<false, S>(k, t, o[j]))) continue; // would change nothing
        CAPSTAN_UNROLL
        for (int i = 0; i < 4; ++i) {
            if (!hairFree<S>(t, i)) continue;
            Vec<R> stuck;
            const HairPlane<R> plane = hairLookAt<S>(o[j], faces, k.v[i], stuck);
            hairPush(k.x[i], plane, stuck, k.near, o[j].friction);
        }
    }
}

// The last act: in the end nothing is inside. Of the lanes `mine`. Moved: see hairNear().
template <bool Moved, class S, class R>
CAPSTAN_INLINE void hairLeave(HairChunk<R>& k, const HairChunkTable& t, const HairCollider* o, int count,
                              const Point* faces, MaskOf<R> mine) {
    if (!S::ball && count == 0) return;
    const MaskOf<R> now = mine & hairNearAny<Moved, S>(k, t, o, count);
    k.near = now | (k.near & !mine);
    if (!any(now)) return;
    for (int j = 0; j < (S::ball ? 1 : count); ++j) {
        if (!S::ball && count > 1 && !any(hairNear<Moved, S>(k, t, o[j]))) continue; // would change nothing
        CAPSTAN_UNROLL
        for (int i = 0; i < 4; ++i) {
            if (!hairFree<S>(t, i)) continue;
            Vec<R> stuck;
            const HairPlane<R> plane = hairLookAt<S>(o[j], faces, Moved ? k.x[i] - k.v[i] : k.v[i], stuck);
            const Vec<R> out = hairOut(k.x[i], plane, now);
            k.x[i] = select(now, k.x[i] + out, k.x[i]);
            if (Moved) k.v[i] = select(now, k.v[i] + out, k.v[i]);
        }
    }
}

} // namespace capstan
