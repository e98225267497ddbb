// SPDX-License-Identifier: MIT
// Contact points of any shape and a plane: the lowest corners, or the lowest points of round surfaces.
//
// For a cylinder of radius r, let s = n.u be the sine between its axis u and the plane of normal n. The
// lowest point of its rim is
//     end - r (n - s u) / c,   c = sqrt(1 - s^2)
//
// If the cylinder lies on its side (|s| < c), the core is r c above that point, with the radius r c. Surface
// and gap are exact at any tilt. A rotation about the cylinder's own axis does not change the gap, up to s^2.
// If the cylinder stands, the rim is sharp, and the radius is 0.
#include "collision/manifold/parts.hpp"

namespace capstan {
namespace {

struct Ground {
    Vec3d x, n;
    double height(Vec3d p) const { return dot(n, p - x); }
    Vec3d foot(Vec3d p) const { return p - height(p) * n; }
};

void cylinderOnPlane(const PosedShape& a, const Ground& g, double margin, Manifold& out) {
    const double s = dot(g.n, a.axes.y), c = sqrt(max(0.0, 1 - s * s));
    if (abs(s) < c) {
        const double r = a.shape->radius * c;
        for (int i = 0; i < 2; ++i) {
            const Vec3d core = rimPoint(a, i == 0 ? -1 : 1, -g.n) + r * g.n;
            addPoint(out, margin, core, g.foot(core), r, 0, g.n, std::uint32_t(i));
        }
        return;
    }
    Vec3d corners[4];
    const bool top = s < 0;
    capCorners(a, top ? 1 : -1, -g.n, 4, corners);
    for (int i = 0; i < 4; ++i)
        addPoint(out, margin, corners[i], g.foot(corners[i]), 0, 0, g.n, std::uint32_t(2 + 4 * int(top) + i));
}

// Adds the corners of the lowest face. The corners of the opposite face are never used, even deep below the
// plane.
void boxOnPlane(const PosedShape& a, const Ground& g, double margin, Manifold& out) {
    const Vec3d d = a.local(g.n), h = a.shape->half, size = abs(d);
    const int k = size.y >= size.x && size.y >= size.z ? 1 : size.x >= size.z ? 0 : 2;
    const double down = (k == 0 ? d.x : k == 1 ? d.y : d.z) < 0 ? 1 : -1;
    for (int i = 0; i < 4; ++i) {
        const double u = i == 0 || i == 3 ? -1 : 1, v = i < 2 ? -1 : 1;
        const Vec3d corner = k == 0   ? Vec3d{down * h.x, u * h.y, v * h.z}
                             : k == 1 ? Vec3d{u * h.x, down * h.y, v * h.z}
                                      : Vec3d{u * h.x, v * h.y, down * h.z};
        const Vec3d p = a.point(corner);
        addPoint(out, margin, p, g.foot(p), 0, 0, g.n, std::uint32_t(8 * k + 4 * int(down > 0) + i));
    }
}

void hullOnPlane(const PosedShape& a, const Ground& g, double margin, Manifold& out) {
    Candidate low[kMostCorners];
    int count = 0, highest = 0;
    double size = 0;
    for (std::size_t i = 0; i < a.shape->corners.size(); ++i) {
        const Vec3d p = a.point(a.shape->corners[i]);
        const double gap = g.height(p);
        size = max(size, length(p - a.x));
        if (gap >= margin) continue;
        // If there are more corners than fit, the highest ones are dropped.
        int at = count;
        if (count == kMostCorners) {
            for (int k = 0; k < count; ++k)
                if (low[k].gap > low[highest].gap) highest = k;
            if (gap >= low[highest].gap) continue;
            at = highest;
        } else {
            ++count;
        }
        low[at] = {p, g.foot(p), gap, std::uint32_t(i)};
    }
    addFour(out, margin, low, count, 0, 0, g.n, size);
}

} // namespace

void collidePlane(const PosedShape& a, const PosedShape& plane, double margin, Manifold& out) {
    const Ground g = {plane.x, plane.axes.y};
    switch (a.shape->kind) {
    case ShapeKind::Sphere:
        return addPoint(out, margin, a.x, g.foot(a.x), a.shape->radius, 0, g.n, 0);
    case ShapeKind::Capsule:
        addPoint(out, margin, a.end(-1), g.foot(a.end(-1)), a.shape->radius, 0, g.n, 0);
        if (a.shape->halfLength == 0) return;
        return addPoint(out, margin, a.end(1), g.foot(a.end(1)), a.shape->radius, 0, g.n, 1);
    case ShapeKind::Cylinder:
        return cylinderOnPlane(a, g, margin, out);
    case ShapeKind::Box:
        return boxOnPlane(a, g, margin, out);
    case ShapeKind::Hull:
        return hullOnPlane(a, g, margin, out);
    case ShapeKind::None:
    case ShapeKind::Plane:
    case ShapeKind::Mesh:
        return;
    }
}

} // namespace capstan
