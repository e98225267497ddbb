// SPDX-License-Identifier: MIT
// The distance of a point or a segment from a shape, and the nearest points.
//
// The distance to a convex solid is a convex function of position, also along a segment. Where there is no
// closed form, Newton steps with bisection find the zero of its slope n.(b - a).
// All positions are in the shape's own axes.
#pragma once

#include "collision/geometry/shape.hpp"

namespace capstan {

struct Nearest {
    double t = 0;             // along the segment, 0 to 1
    Vec3d point = {0, 0, 0};  // on the shape's surface
    Vec3d normal = {0, 1, 0}; // unit, out of the shape towards the point or segment
    double distance = 0;      // signed: below 0 inside (a mesh has no inside)
    int triangle = -1;        // of a mesh or hull: the nearest triangle
};

Nearest nearest(const Shape& shape, Vec3d x);
Nearest nearest(const Shape& shape, Vec3d a, Vec3d b);

// The distance from one triangle of a mesh. A degenerate triangle is a segment or a point.
Nearest nearestOfTriangle(Vec3d p, Vec3d q, Vec3d r, Vec3d a, Vec3d b);

// An axis-aligned box around a shape, in the axes in which `at` is given. Open directions of a plane have
// immense bounds.
struct Bounds {
    Vec3d min = {1e30, 1e30, 1e30}, max = {-1e30, -1e30, -1e30};

    void add(Vec3d x) {
        min = {x.x < min.x ? x.x : min.x, x.y < min.y ? x.y : min.y, x.z < min.z ? x.z : min.z};
        max = {x.x > max.x ? x.x : max.x, x.y > max.y ? x.y : max.y, x.z > max.z ? x.z : max.z};
    }
    void grow(double by) {
        min = min - Vec3d{by, by, by};
        max = max + Vec3d{by, by, by};
    }
    bool meets(const Bounds& b) const {
        return min.x <= b.max.x && min.y <= b.max.y && min.z <= b.max.z && b.min.x <= max.x &&
               b.min.y <= max.y && b.min.z <= max.z;
    }
};
Bounds boundsOf(const Shape& shape, const Pose& at);

} // namespace capstan
