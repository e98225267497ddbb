// SPDX-License-Identifier: MIT
// Declarations that the source files of nearest.hpp share.
#pragma once

#include "collision/geometry/closest.hpp"
#include "collision/geometry/nearest.hpp"

namespace capstan {

// m: a distance that changes by less than this along a segment counts as constant. The contact is then in the
// middle of the part of the segment above the face. So rounding does not move it from end to end.
constexpr double kFlat = 5e-10;
// m: if two points are nearer than this, the direction between them has lost too many digits to be a normal.
constexpr double kOnSurface = 1e-10;
constexpr double kNowhere = 1e30;

// The shortest push that frees a segment a-b from a solid that it enters. A convex solid has the support
// h(n) = max n.y over its points y. The signed distance of the segment is
//     distance = max over n of min(n.a, n.b) - h(n)
//
// Every unit vector n gives a lower bound of the signed distance. So a search over few n may overestimate the
// depth, but never misses an overlap.
struct Push {
    Vec3d a, b;
    double distance = -kNowhere;
    Vec3d normal = {0, 1, 0};

    void offer(Vec3d n, double support) {
        const double d = min(dot(n, a), dot(n, b)) - support;
        if (d > distance) {
            distance = d;
            normal = n;
        }
    }
    // inside: the parameter of the middle of the part inside the solid, used if the segment is parallel to
    // the face.
    Nearest at(double inside) const {
        const double slope = dot(normal, b - a);
        const double t = abs(slope) <= kFlat ? inside : slope < 0 ? 1.0 : 0.0;
        return {t, a + t * (b - a) - distance * normal, normal, distance, -1};
    }
};

// The part of a segment, lo to hi, that is inside several half spaces.
struct Clip {
    double lo = 0, hi = 1;

    // Keeps the part where the linear function with value(0) = atA and value(1) = atB is at most 0.
    void keepBelow(double atA, double atB) {
        if (atA <= 0 && atB <= 0) return;
        if (atA > 0 && atB > 0) {
            lo = 2;
            hi = -1;
            return;
        }
        const double t = atA / (atA - atB);
        if (atA > 0)
            lo = max(lo, t);
        else
            hi = min(hi, t);
    }
    bool empty() const { return lo > hi; }
    double middle() const { return 0.5 * (lo + hi); }
};

// The nearest points of the segments a-b and p-q, and the range lo to hi of a-b at that distance. The range
// has a length only if the segments are parallel.
struct SegmentSpan {
    double lo, hi;
    Vec3d x, y; // in the middle of that range: x on a-b, y on p-q
    double distanceSquared;
};
SegmentSpan closestSpan(Vec3d a, Vec3d b, Vec3d p, Vec3d q);

// Returns a unit vector at a right angle to d and e. If they are parallel or zero, it is at a right angle to
// e, or else to d.
Vec3d across(Vec3d d, Vec3d e);

Nearest nearestOfBox(Vec3d half, Vec3d a, Vec3d b);
Nearest nearestOfCylinder(double radius, double halfLength, Vec3d a, Vec3d b);
Nearest nearestOfHull(const Shape& hull, Vec3d a, Vec3d b);
Nearest nearestOfMesh(const Shape& mesh, Vec3d a, Vec3d b);

} // namespace capstan
