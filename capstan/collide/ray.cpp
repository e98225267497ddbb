// SPDX-License-Identifier: MIT
// See ray.hpp. Every shape is convex, so a line is inside it for one span of t, from the largest t at which
// it enters a bound to the least at which it leaves one (Kay & Kajiya 1986, "Ray tracing complex scenes").
//   slab |x| <= h     t = (-+h - x) / dx
//   ball, tube        t = tc -+ sqrt((r^2 - |w|^2) / a), tc where the line is nearest to the middle, w from
//                     there to that place, a = d.d across the tube. The quadratic formula is refused: it
//                     subtracts the squares of two large numbers when the ray starts far away.
//   capsule           a tube cut by a slab, and two balls: one span again, from the first t to the last
//   hull              one half space per triangle: n.(a - x) / n.d
#include <capstan/collide/ray.hpp>

#include <limits>

namespace capstan {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

struct Span {
    double enter = -kFar, leave = kFar;
    Vec3d normal = {0, 0, 0}; // where it enters

    bool empty() const { return enter > leave; }
};
constexpr Span kMiss = {kFar, -kFar, {0, 0, 0}};

Span both(const Span& a, const Span& b) {
    return {max(a.enter, b.enter), min(a.leave, b.leave), a.enter < b.enter ? b.normal : a.normal};
}
// Of two spans that touch, if neither is empty.
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

// All that is within r of the origin, for a ray in space; of the y axis, for one with x.y = d.y = 0.
Span round(double r, Vec3d x, Vec3d d) {
    const double a = dot(d, d);
    if (a < 1e-30) return dot(x, x) <= r * r ? Span{} : kMiss; // along the tube; below, a loses its digits
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

Span hull(const Shape& s, Vec3d x, Vec3d d) {
    Span span;
    for (const auto& t : s.triangles) {
        const Vec3d a = s.corners[std::size_t(t[0])], b = s.corners[std::size_t(t[1])],
                    c = s.corners[std::size_t(t[2])];
        const Vec3d n = cross(b - a, c - a);
        const double height = dot(n, x - a), speed = dot(n, d);
        if (speed == 0 && height > 0) return kMiss;
        if (speed < 0) span = both(span, {-height / speed, kFar, n});
        if (speed > 0) span = both(span, {-kFar, -height / speed, n});
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
    case ShapeKind::None:
        break;
    }
    return kMiss;
}

} // namespace

RayShape castRay(const Shape& shape, Vec3d from, Vec3d direction, double reach) {
    const Vec3d d = rotate(conjugate(shape.at.q), direction);
    const Span span = spanOf(shape, shape.at.local(from), d);
    if (span.empty() || span.leave < 0 || span.enter > reach) return {};
    if (span.enter < 0) return {true, 0, -direction};
    return {true, span.enter, rotate(shape.at.q, span.normal)};
}

} // namespace capstan
