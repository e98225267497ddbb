// SPDX-License-Identifier: MIT
// Implements manifold.hpp. The method for each pair of shapes:
//   round with round     here: nearest points of centres and axes (collision/geometry/closest.hpp)
//   sphere with box      here: the centre clamped to the box (Arvo 1990, "A simple method for box-sphere
//                            intersection testing"); a centre inside is pushed through the nearest face
//   anything with plane  plane.cpp
//   box with box         box.cpp
//   all other pairs      convex.cpp
// Each pair of kinds is implemented in one order. For the other order the sides are exchanged.
#include "collision/geometry/closest.hpp"
#include "collision/manifold/parts.hpp"

namespace capstan {
namespace {

void collideSpheres(const PosedShape& a, const PosedShape& b, double margin, Manifold& out) {
    const double ra = a.shape->radius, rb = b.shape->radius;
    const Vec3d n = directionOr(a.x - b.x, kInContact * (ra + rb), kUp);
    addPoint(out, margin, a.x, b.x, ra, rb, n, 0);
}

void collideSphereCapsule(const PosedShape& a, const PosedShape& b, double margin, Manifold& out) {
    const double ra = a.shape->radius, rb = b.shape->radius;
    const Vec3d q = closest(a.x, b.end(-1), b.end(1)).point;
    const Vec3d n = directionOr(a.x - q, kInContact * (ra + rb), b.axes.x);
    addPoint(out, margin, a.x, q, ra, rb, n, 0);
}

void collideCapsules(const PosedShape& a, const PosedShape& b, double margin, Manifold& out) {
    const double ra = a.shape->radius, rb = b.shape->radius;
    const Segment p = {a.end(-1), a.end(1)}, q = {b.end(-1), b.end(1)};
    const SegmentSegment<double> c = closest(p.from, p.to, q.from, q.to);
    const double size = ra + rb + a.shape->halfLength + b.shape->halfLength;
    // Crossing axes are pushed apart at a right angle to both, towards a's centre. Axes on one line are
    // pushed across it.
    const Vec3d across = cross(a.axes.y, b.axes.y);
    const Vec3d apart = dot(across, a.x - b.x) < 0 ? -across : across;
    const Vec3d n = directionOr(c.p - c.q, kInContact * size, directionOr(apart, 1e-6, b.axes.x));
    if (addParallel(out, margin, p, q, ra, rb, n)) return;
    addPoint(out, margin, c.p, c.q, ra, rb, n, 0);
}

void collideSphereBox(const PosedShape& a, const PosedShape& b, double margin, Manifold& out) {
    const double r = a.shape->radius;
    const Vec3d h = b.shape->half, c = b.local(a.x - b.x), in = min(max(c, -h), h);
    Vec3d n = b.axes * directionOr(c - in, kInContact * (r + h.x + h.y + h.z), {0, 0, 0});
    Vec3d on = in;
    if (lengthSquared(n) == 0) {
        const Vec3d room = h - abs(c);
        const int k = room.x <= room.y && room.x <= room.z ? 0 : room.y <= room.z ? 1 : 2;
        const double side = withSign(1.0, k == 0 ? c.x : k == 1 ? c.y : c.z);
        n = side * (k == 0 ? b.axes.x : k == 1 ? b.axes.y : b.axes.z);
        (k == 0 ? on.x : k == 1 ? on.y : on.z) = side * (k == 0 ? h.x : k == 1 ? h.y : h.z);
    }
    addPoint(out, margin, a.x, b.point(on), r, 0, n, 0);
}

// Order of the kinds in a pair: the shape with the lower number is shape b.
int rank(ShapeKind k) {
    switch (k) {
    case ShapeKind::Sphere:
        return 6;
    case ShapeKind::Capsule:
        return 5;
    case ShapeKind::Cylinder:
        return 4;
    case ShapeKind::Box:
        return 3;
    case ShapeKind::Hull:
        return 2;
    case ShapeKind::Plane:
        return 1;
    case ShapeKind::Mesh:
    case ShapeKind::None:
        return 0;
    }
    return 0;
}

void collideOrdered(const PosedShape& a, const PosedShape& b, double margin, Manifold& out) {
    const ShapeKind ka = a.shape->kind, kb = b.shape->kind;
    if (kb == ShapeKind::Plane) return collidePlane(a, b, margin, out);
    if (ka == ShapeKind::Box && kb == ShapeKind::Box) return collideBoxes(a, b, margin, out);
    if (ka == ShapeKind::Sphere && kb == ShapeKind::Sphere) return collideSpheres(a, b, margin, out);
    if (ka == ShapeKind::Sphere && kb == ShapeKind::Capsule) return collideSphereCapsule(a, b, margin, out);
    if (ka == ShapeKind::Sphere && kb == ShapeKind::Box) return collideSphereBox(a, b, margin, out);
    if (ka == ShapeKind::Capsule && kb == ShapeKind::Capsule) return collideCapsules(a, b, margin, out);
    collideConvex(a, b, margin, out);
}

} // namespace

void collide(const Shape& a, const Pose& atA, const Shape& b, const Pose& atB, int triangleB, double margin,
             Manifold& out) {
    out.count = 0;
    const int rankA = rank(a.kind), rankB = rank(b.kind);
    const bool inOrder = rankA >= rankB;
    if ((inOrder ? rankA : rankB) <= 1 || rankA == 0 || b.kind == ShapeKind::None) return;
    if (b.kind == ShapeKind::Mesh && (triangleB < 0 || std::size_t(triangleB) >= b.triangles.size())) return;

    const Vec3d middle = atA.x;
    const PosedShape placedA = {&a, toMat3(atA.q), {0, 0, 0}},
                     placedB = {&b, toMat3(atB.q), atB.x - middle, triangleB};
    if (inOrder)
        collideOrdered(placedA, placedB, margin, out);
    else
        collideOrdered(placedB, placedA, margin, out);

    for (int i = 0; i < out.count; ++i) {
        ManifoldPoint& p = out.point[i];
        if (!inOrder) p = {p.b, p.a, p.radiusB, p.radiusA, -p.normal, p.gap, p.feature};
        p.a += middle;
        p.b += middle;
    }
}

} // namespace capstan
