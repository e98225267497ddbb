// SPDX-License-Identifier: MIT
// What the files of nearest.hpp share.
#pragma once

#include <capstan/collide/closest.hpp>
#include <capstan/collide/nearest.hpp>

namespace capstan {

// A distance that changes by less than this from one end of a segment to the other counts as constant [m]:
// the contact then sits in the middle of what is above the face, and rounding does not throw it from end to
// end.
constexpr double kFlat = 5e-10;
// Nearer than this, the direction from one point to the other has lost too many digits to be a normal [m].
constexpr double kTouch = 1e-10;
constexpr double kNowhere = 1e30;

// Out of a solid that the segment enters: the shortest push. Of a convex solid with support h(n) = max n.y,
//     distance = max over n of min(n.a, n.b) - h(n),
// and every unit n gives a value that is not above the truth. So leaving out an n may cost depth, never
// safety.
struct Push {
    Vec3d a, b;
    double distance = -kNowhere;
    Vec3d normal = {0, 1, 0};

    void offer(Vec3d n, double support) {
        const double d = min(dot(n, a), dot(n, b)) - support;
        if (d > distance) distance = d, normal = n;
    }
    // inside: the parameter in the middle of what is inside, for a segment along the face.
    Nearest at(double inside) const {
        const double slope = dot(normal, b - a);
        const double t = abs(slope) <= kFlat ? inside : slope < 0 ? 1.0 : 0.0;
        return {t, a + t * (b - a) - distance * normal, normal, distance, -1};
    }
};

// The part of a segment, lo to hi, that is inside all of some half spaces.
struct Clip {
    double lo = 0, hi = 1;

    // Where value(t) = atA + t (atB - atA) is not above 0.
    void keepBelow(double atA, double atB) {
        if (atA <= 0 && atB <= 0) return;
        if (atA > 0 && atB > 0) {
            lo = 2, hi = -1;
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

// Of the segments a-b and p-q: the points, and the part of a-b at that distance (more than a point where they
// are parallel).
struct SegmentSpan {
    double lo, hi;
    Vec3d x, y; // in its middle: of a-b and of p-q
    double distanceSquared;
};
SegmentSpan closestSpan(Vec3d a, Vec3d b, Vec3d p, Vec3d q);

// A unit vector at a right angle to both; to the second, then to the first, where they are parallel or zero.
Vec3d across(Vec3d d, Vec3d e);

Nearest nearestOfBox(Vec3d half, Vec3d a, Vec3d b);
Nearest nearestOfCylinder(double radius, double halfLength, Vec3d a, Vec3d b);
Nearest nearestOfHull(const Shape& hull, Vec3d a, Vec3d b);
Nearest nearestOfMesh(const Shape& mesh, Vec3d a, Vec3d b);

} // namespace capstan
