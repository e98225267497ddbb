// SPDX-License-Identifier: MIT
// What the parts of manifold.cpp share. Lengths are measured from the centre of one of the two shapes, along
// the axes of the world: far from the origin of the world nothing is lost.
#pragma once

#include <capstan/collide/manifold.hpp>

namespace capstan {

// A shape in its place.
struct Placed {
    const Shape* shape;
    Mat3<double> axes;
    Vec3d x;
    int triangle = -1; // of a mesh

    Vec3d point(Vec3d local) const { return x + axes * local; }
    Vec3d local(Vec3d direction) const { return transposeTimes(axes, direction); }
    Vec3d end(double side) const {
        return x + (side * shape->halfLength) * axes.y;
    } // of a capsule's, cylinder's axis
};

// The gap follows from the cores; at most four points fit, and none farther than the margin.
inline void addPoint(Manifold& m, double margin, Vec3d a, Vec3d b, double radiusA, double radiusB, Vec3d n,
                     std::uint32_t feature) {
    const double gap = dot(n, a - b) - radiusA - radiusB;
    if (m.count < 4 && gap < margin) m.point[m.count++] = {a, b, radiusA, radiusB, n, gap, feature};
}

// The direction of a where it is longer than `small`.
inline Vec3d directionOr(Vec3d a, double small, Vec3d otherwise) {
    const double l = length(a);
    return l > small ? (1 / l) * a : otherwise;
}

constexpr Vec3d kUp = {0, 1, 0};    // the normal where nothing else speaks for a direction
constexpr double kTouching = 1e-10; // of the size: cores nearer than this have no direction between them
constexpr int kMostCorners = 64;    // of a polygon that is clipped

// Candidates for contact points on one plane; four of them are kept: a wide quadrangle, and the deepest.
struct Candidate {
    Vec3d a, b;
    double gap;
    std::uint32_t feature;
};
void addFour(Manifold& m, double margin, const Candidate* c, int count, double radiusA, double radiusB,
             Vec3d n, double size);

// Two straight pieces p (of a) and q (of b) side by side: a point at each end of the stretch they share.
// False where they are not nearly parallel, or share nothing: then their nearest points say more.
struct Segment {
    Vec3d from, to;
};
bool addParallel(Manifold& m, double margin, const Segment& p, const Segment& q, double radiusA,
                 double radiusB, Vec3d n);

void collidePlane(const Placed& a, const Placed& plane, double margin, Manifold& out);
void collideBoxes(const Placed& a, const Placed& b, double margin, Manifold& out);
void collideConvex(const Placed& a, const Placed& b, double margin, Manifold& out);

// Rim of a cylinder where it is farthest along d, on the end cap of the side `side`.
Vec3d rimPoint(const Placed& cylinder, double side, Vec3d d);
// Corners around an end cap, fixed to the cylinder, but for one that is moved to where the cap reaches
// farthest along d: at rest all of them stay, tilted the depth is exact. count is 4 or 16.
void capCorners(const Placed& cylinder, double side, Vec3d d, int count, Vec3d* corners);

} // namespace capstan
