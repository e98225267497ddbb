// SPDX-License-Identifier: MIT
// The distance and the normal of two convex cores: by GJK if they are disjoint, by EPA if they overlap. Both
// use the Minkowski difference of the cores, the set of all a - b with a and b in the two cores. Its distance
// from the origin is the distance of the cores.
#pragma once

#include "collision/manifold/parts.hpp"

namespace capstan {

// A shape without its rounding. For a sphere it is the centre, for a capsule the axis, for a mesh one
// triangle. For a cylinder it is the axis, or the whole cylinder if its rim may be in contact. For other
// shapes it is the whole shape.
struct Core {
    PosedShape placed;
    Vec3d corner[3];
    int count = 0; // number of corners; 0: a box, hull or cylinder
    double radius = 0;
    double size = 0; // radius about `center` that contains the shape
    Vec3d center;

    Vec3d support(Vec3d d) const; // returns the point farthest along d
};
Core coreOf(const PosedShape& p, bool axisOnly);

// Returns the gap of the shapes along the normal n (from b to a).
inline double separation(const Core& a, const Core& b, Vec3d n) {
    return dot(n, a.support(-n) - b.support(n)) - a.radius - b.radius;
}

// A point w = a - b of the Minkowski difference, and the points a and b.
struct Difference {
    Vec3d w, a, b;
};
inline Difference differenceAlong(const Core& a, const Core& b, Vec3d d) {
    const Vec3d p = a.support(d), q = b.support(-d);
    return {p - q, p, q};
}

struct Simplex {
    Difference at[4];
    double weight[4] = {1, 0, 0, 0};
    int count = 0;
};

struct Apart {
    bool far = false;                   // farther than `reach`: the other fields are not set
    bool overlap = false;               // the cores overlap
    double distance = 0;                // distance of the cores, negative in overlap
    Vec3d n = kUp;                      // from b to a
    Vec3d a = {0, 0, 0}, b = {0, 0, 0}; // nearest points of the cores
};

// Finds distances of the cores up to `reach`. If the cores touch or overlap, `s` is a simplex around the
// origin.
Apart gjk(const Core& a, const Core& b, double reach, Simplex& s);
// Finds depth and normal of cores that overlap. Starts from the simplex that gjk() returned.
Apart epa(const Core& a, const Core& b, const Simplex& s);

} // namespace capstan
