// SPDX-License-Identifier: MIT
// How far two convex cores are apart, and along which normal: by GJK where they are apart, by EPA where they
// overlap. Both look at the difference of the cores, the solid of all a - b: its distance from the origin is
// theirs.
#pragma once

#include <capstan/collide/manifold_parts.hpp>

namespace capstan {

// What is left of a shape when its rounding is taken off: a sphere's centre, a capsule's axis, a triangle; of
// a cylinder its axis or, where its rim may touch, all of it; of the others all of it.
struct Core {
    Placed placed;
    Vec3d corner[3];
    int count = 0; // of corners; 0: a box, hull or cylinder
    double radius = 0;
    double size = 0; // of the shape: no point of it is farther from its centre
    Vec3d center;

    Vec3d support(Vec3d d) const; // the point farthest along d
};
Core coreOf(const Placed& p, bool axisOnly);

// How far the normal n (from b to a) separates the shapes.
inline double separation(const Core& a, const Core& b, Vec3d n) {
    return dot(n, a.support(-n) - b.support(n)) - a.radius - b.radius;
}

// A point a - b of the difference, and whence it comes.
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
    bool far = false;                   // farther than asked: the rest is not set
    bool overlap = false;               // of the cores
    double distance = 0;                // of the cores, below 0 in overlap
    Vec3d n = kUp;                      // from b to a
    Vec3d a = {0, 0, 0}, b = {0, 0, 0}; // nearest points of the cores
};

// Up to a distance of the cores of `reach`. Where they touch or overlap, `s` is a simplex around the origin.
Apart gjk(const Core& a, const Core& b, double reach, Simplex& s);
// Of cores that overlap, from such a simplex.
Apart epa(const Core& a, const Core& b, const Simplex& s);

} // namespace capstan
