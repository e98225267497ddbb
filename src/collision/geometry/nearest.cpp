// SPDX-License-Identifier: MIT
// Implements nearest.hpp for plane, sphere and capsule, and the bounds of all shapes.
//
// The signed distance of a segment is the distance of the origin from the Minkowski difference of solid and
// segment. Outside it is the least distance. Inside it is minus the length of the shortest push that frees
// the whole segment. It is continuous at the surface.
// Refused: the depth of the deepest point. For a plate that a segment pierces at a right angle, its normal
// pushes the segment along itself, which does not free it.
#include "collision/geometry/nearest.hpp"

#include "collision/geometry/nearest_parts.hpp"

namespace capstan {
namespace {

Nearest nearestOfPlane(Vec3d a, Vec3d b) {
    const double rise = b.y - a.y;
    const double t = abs(rise) <= kFlat ? 0.5 : rise < 0 ? 1.0 : 0.0;
    const Vec3d x = a + t * (b - a);
    return {t, {x.x, 0, x.z}, {0, 1, 0}, min(a.y, b.y), -1};
}

// Returns the result for the solid of all points within r of a point or segment, here called its core. The
// query has the direction d. Its nearest point is x, at the parameter t; the core's nearest point is y.
Nearest nearestOfRound(double r, double t, Vec3d x, Vec3d y, Vec3d d, Vec3d axis) {
    const Vec3d v = x - y;
    const double l = length(v);
    const Vec3d n = l > kOnSurface ? (1 / l) * v : across(d, axis);
    return {t, y + r * n, n, l - r, -1};
}

Nearest nearestOfSphere(double r, Vec3d a, Vec3d b) {
    const Vec3d centre = {0, 0, 0};
    const PointSegment<double> c = closest(centre, a, b);
    return nearestOfRound(r, c.t, c.point, centre, b - a, {0, 0, 0});
}

Nearest nearestOfCapsule(double r, double halfLength, Vec3d a, Vec3d b) {
    const Vec3d end = {0, halfLength, 0};
    const SegmentSpan c = closestSpan(a, b, -end, end);
    return nearestOfRound(r, 0.5 * (c.lo + c.hi), c.x, c.y, b - a, end);
}

// Bounds of the half space below the plane through x with the normal n. They are open in every direction but
// one: the normal of a plane that is level in these axes. Rounding tilts the plane by 1e-14, which is less
// than the slack over 1e8 m.
Bounds boundsOfPlane(Vec3d x, Vec3d n) {
    constexpr double level = 1e-14, slack = 1e-6, open = kNowhere;
    Bounds box = {{-open, -open, -open}, {open, open, open}};
    const auto close = [](double at, double along, double& low, double& high) {
        if (along > 0)
            high = at + slack;
        else
            low = at - slack;
    };
    const Vec3d m = abs(n);
    if (m.y <= level && m.z <= level) close(x.x, n.x, box.min.x, box.max.x);
    if (m.z <= level && m.x <= level) close(x.y, n.y, box.min.y, box.max.y);
    if (m.x <= level && m.y <= level) close(x.z, n.z, box.min.z, box.max.z);
    return box;
}

Bounds around(Vec3d centre, Vec3d half) { return {centre - half, centre + half}; }

// Returns half the width of a disc of radius r along an axis; u is the component of the disc's unit normal on
// that axis.
double discHalf(double r, double u) { return r * sqrt(max(0.0, 1 - u * u)); }

} // namespace

Nearest nearest(const Shape& shape, Vec3d a, Vec3d b) {
    switch (shape.kind) {
    case ShapeKind::Box:
        return nearestOfBox(shape.half, a, b);
    case ShapeKind::Sphere:
        return nearestOfSphere(shape.radius, a, b);
    case ShapeKind::Capsule:
        return nearestOfCapsule(shape.radius, shape.halfLength, a, b);
    case ShapeKind::Cylinder:
        return nearestOfCylinder(shape.radius, shape.halfLength, a, b);
    case ShapeKind::Hull:
        return nearestOfHull(shape, a, b);
    case ShapeKind::Plane:
        return nearestOfPlane(a, b);
    case ShapeKind::Mesh:
        return nearestOfMesh(shape, a, b);
    case ShapeKind::None:
        break;
    }
    return {0, a, {0, 1, 0}, kNowhere, -1};
}

Nearest nearest(const Shape& shape, Vec3d x) {
    Nearest n = nearest(shape, x, x);
    n.t = 0;
    return n;
}

Bounds boundsOf(const Shape& shape, const Pose& at) {
    const double r = shape.radius, l = shape.halfLength;
    const Vec3d ux = rotate(at.q, {1, 0, 0}), uy = rotate(at.q, {0, 1, 0}), uz = rotate(at.q, {0, 0, 1});
    Bounds box;
    switch (shape.kind) {
    case ShapeKind::Box:
        return around(at.x, shape.half.x * abs(ux) + shape.half.y * abs(uy) + shape.half.z * abs(uz));
    case ShapeKind::Sphere:
        return around(at.x, {r, r, r});
    case ShapeKind::Capsule:
        return around(at.x, l * abs(uy) + Vec3d{r, r, r});
    case ShapeKind::Cylinder:
        return around(at.x, l * abs(uy) + Vec3d{discHalf(r, uy.x), discHalf(r, uy.y), discHalf(r, uy.z)});
    case ShapeKind::Plane:
        return boundsOfPlane(at.x, uy);
    case ShapeKind::Hull:
    case ShapeKind::Mesh:
        for (Vec3d c : shape.corners) box.add(at.x + c.x * ux + c.y * uy + c.z * uz);
        break;
    case ShapeKind::None:
        break;
    }
    return box;
}

} // namespace capstan
