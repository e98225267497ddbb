// SPDX-License-Identifier: MIT
// Implements ray.hpp. Every solid is convex, so a line is inside it for one interval of t. The interval goes
// from the largest t at which the line enters a bound to the least t at which it leaves a bound (Kay & Kajiya
// 1986, "Ray tracing complex scenes"). For a ray x + t d:
//   slab |x| <= h     t = (-+h - x) / dx
//   ball, tube        t = tc -+ sqrt((r^2 - |w|^2) / a). tc is where the line is nearest to the middle, w goes from
//                     the middle to that point, and a = d.d across the tube. The quadratic formula is refused: it
//                     subtracts the squares of two large numbers when the ray starts far away.
//   capsule           a tube cut by a slab, and two balls: again one span, from the first t to the last
//   plane             a half space: n.(a - x) / n.d
//   hull              one half space per triangle
// A mesh is tested triangle by triangle. The corners a, b, c are taken relative to the line. The line passes
// inside the triangle if d.(a x b), d.(b x c) and d.(c x a) have one sign. This is Plucker's side test
// (Amanatides & Choi 1997, "Ray tracing triangular meshes"). Two triangles compute the same number for their
// common edge, to the last bit and with the opposite sign. So no line passes between them. Refused: the test
// by barycentric coordinates, which has no common number for an edge.
#include "collision/geometry/ray.hpp"

#include <limits>

namespace capstan {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

struct Span {
    double enter = -kFar, leave = kFar;
    Vec3d normal = {0, 0, 0}; // of the surface at `enter`

    bool empty() const { return enter > leave; }
};
constexpr Span kMiss = {kFar, -kFar, {0, 0, 0}};

Span both(const Span& a, const Span& b) {
    return {max(a.enter, b.enter), min(a.leave, b.leave), a.enter < b.enter ? b.normal : a.normal};
}
// Returns the union of two intervals that touch, if neither is empty.
Span either(const Span& a, const Span& b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    return {min(a.enter, b.enter), max(a.leave, b.leave), b.enter < a.enter ? b.normal : a.normal};
}

Span slab(double half, double x, double d, Vec3d axis) {
    if (d == 0) return abs(x) <= half ? Span{} : kMiss;
    const double a = (-half - x) / d, b = (half - x) / d;
    return d > 0 ? Span{a, b, -axis} : Span{b, a, axis};
}

Span box(Vec3d half, Vec3d x, Vec3d d) {
    return both(slab(half.x, x.x, d.x, {1, 0, 0}),
                both(slab(half.y, x.y, d.y, {0, 1, 0}), slab(half.z, x.z, d.z, {0, 0, 1})));
}

// A ball about the origin with radius r. With x.y = d.y = 0 it is an infinite tube about the y axis.
Span round(double r, Vec3d x, Vec3d d) {
    const double a = dot(d, d);
    // The ray is parallel to the tube. A smaller `a` has lost its digits.
    if (a < 1e-30) return dot(x, x) <= r * r ? Span{} : kMiss;
    const double middle = -dot(x, d) / a;
    const Vec3d w = x + middle * d;
    const double rest = r * r - dot(w, w);
    if (rest < 0) return kMiss;
    const double half = sqrt(rest / a);
    return {middle - half, middle + half, normalize(w - half * d)};
}

Span cylinder(double r, double half, Vec3d x, Vec3d d) {
    return both(round(r, {x.x, 0, x.z}, {d.x, 0, d.z}), slab(half, x.y, d.y, {0, 1, 0}));
}

Span capsule(double r, double half, Vec3d x, Vec3d d) {
    const Vec3d end = {0, half, 0};
    return either(cylinder(r, half, x, d), either(round(r, x - end, d), round(r, x + end, d)));
}

// The half space below a plane. `height` is that of the ray's start above the plane, `speed` its change per
// unit of t.
Span below(double height, double speed, Vec3d normal) {
    if (speed == 0) return height <= 0 ? Span{} : kMiss;
    const double t = -height / speed;
    return speed < 0 ? Span{t, kFar, normal} : Span{-kFar, t, normal};
}

Span hull(const Shape& s, Vec3d x, Vec3d d) {
    Span span;
    for (const auto& t : s.triangles) {
        const Vec3d a = s.corners[t[0]], b = s.corners[t[1]], c = s.corners[t[2]];
        const Vec3d n = cross(b - a, c - a);
        span = both(span, below(dot(n, x - a), dot(n, d), n));
    }
    span.normal = normalize(span.normal);
    return span;
}

Span spanOf(const Shape& s, Vec3d x, Vec3d d) {
    switch (s.kind) {
    case ShapeKind::Box:
        return box(s.half, x, d);
    case ShapeKind::Sphere:
        return round(s.radius, x, d);
    case ShapeKind::Capsule:
        return capsule(s.radius, s.halfLength, x, d);
    case ShapeKind::Cylinder:
        return cylinder(s.radius, s.halfLength, x, d);
    case ShapeKind::Hull:
        return hull(s, x, d);
    case ShapeKind::Plane:
        return below(x.y, d.y, {0, 1, 0});
    case ShapeKind::Mesh: // not a solid
    case ShapeKind::None:
        break;
    }
    return kMiss;
}

// Positions are relative to the line's point nearest to the mesh's first corner, because a start far away
// would cost digits.
RayShape mesh(const Shape& s, Vec3d x, Vec3d d, double reach) {
    const double t0 = dot(s.corners.front() - x, d);
    const Vec3d o = x + t0 * d;
    RayShape nearest;
    for (const auto& t : s.triangles) {
        const Vec3d a = s.corners[t[0]] - o, b = s.corners[t[1]] - o, c = s.corners[t[2]] - o;
        const double ab = dot(d, cross(a, b)), bc = dot(d, cross(b, c)), ca = dot(d, cross(c, a));
        if (min(ab, min(bc, ca)) < 0 && max(ab, max(bc, ca)) > 0) continue;
        const Vec3d n = cross(b - a, c - a);
        const double speed = dot(n, d);
        if (speed == 0) continue; // the ray lies in the triangle's plane
        const double at = t0 + dot(n, a) / speed;
        if (at < 0 || at > reach) continue;
        reach = at; // of two hits at the same distance, the later triangle is kept
        nearest = {true, at, normalize(speed < 0 ? n : -n)};
    }
    return nearest;
}

} // namespace

RayShape castRay(const Shape& shape, Vec3d from, Vec3d direction, double reach) {
    const Vec3d d = rotate(conjugate(shape.at.q), direction), x = shape.at.local(from);
    if (shape.kind == ShapeKind::Mesh) {
        RayShape hit = mesh(shape, x, d, reach);
        hit.normal = rotate(shape.at.q, hit.normal);
        return hit;
    }
    const Span span = spanOf(shape, x, d);
    if (span.empty() || span.leave < 0 || span.enter > reach) return {};
    if (span.enter < 0) return {true, 0, -direction};
    return {true, span.enter, rotate(shape.at.q, span.normal)};
}

} // namespace capstan
