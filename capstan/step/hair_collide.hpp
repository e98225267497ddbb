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

#include <capstan/step/hair_strand.hpp>

namespace capstan {

// A plane in the shape's axes: n.x >= offset leaves the shape on the other side.
template <class R> struct HairPlane {
    Vec<R> n;
    R offset;
};

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

// Of the planes of the faces, the one that x is farthest above. It divides as well as that of the nearest point.
template <class R> CAPSTAN_INLINE HairPlane<R> hairHull(Vec<R> x, const Point* face, int faces) {
    HairPlane<R> best = {{R(face[0].x), R(face[0].y), R(face[0].z)}, R(face[0].w)};
    R above = dot(best.n, x) - best.offset;
    for (int i = 1; i < faces; ++i) {
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
        return hairHull(x, faces + k.face, k.faces);
    case HairSolid::Plane:
        break;
    }
    return {{zero, R(1.0f), zero}, zero};
}

// One vertex and one shape. w is the vertex's inverse mass: what is held is not pushed.
template <class R>
CAPSTAN_INLINE void hairPush(Vec<R>& x, Vec<R> before, float w, const HairCollider& k, const Point* faces) {
    const Vec<R> d = before - spread<R>(k.before.at), move = x - before;
    const auto near = (dot(d, d) < R(k.reach) + R(10.0f) * dot(move, move)) & (R(w) > R(0.0f));
    if (!any(near)) return;
    const Vec<R> local = {dot(spread<R>(k.before.X), d), dot(spread<R>(k.before.Y), d),
                          dot(spread<R>(k.before.Z), d)};
    const HairPlane<R> plane = hairPlane(k, faces, local);
    const Vec<R> n = turn(k.now, plane.n);
    const R depth = (plane.offset + R(k.skin)) - dot(n, x - spread<R>(k.now.at));
    const auto hit = near & (depth > R(0.0f));
    if (!any(hit)) return;
    const Vec<R> slide = x - place(k.now, local), across = slide - dot(n, slide) * n;
    const R l = sqrt(dot(across, across));
    const R hold = min(R(1.0f), R(k.friction) * depth / select(l > R(0.0f), l, R(1.0f)));
    x = select(hit, x + (depth * n - hold * across), x);
}

} // namespace capstan
