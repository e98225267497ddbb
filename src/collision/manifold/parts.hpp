// SPDX-License-Identifier: MIT
// Declarations that the files of the manifold share. Positions are relative to the centre of one of the two
// shapes, in the world's axes. So no digits are lost far from the world's origin.
#pragma once

#include "collision/manifold/manifold.hpp"

namespace capstan {

// A shape at its pose.
struct PosedShape {
    const Shape* shape;
    Mat3<double> axes;
    Vec3d x;
    int triangle = -1; // triangle of a mesh

    Vec3d point(Vec3d local) const { return x + axes * local; }
    Vec3d local(Vec3d direction) const { return transposeTimes(axes, direction); }
    Vec3d end(double side) const {
        return x + (side * shape->halfLength) * axes.y;
    } // end of the axis of a capsule or cylinder
};

// Adds a point if there are fewer than four and its gap is less than the margin. The gap is computed from the
// cores.
inline void addPoint(Manifold& m, double margin, Vec3d a, Vec3d b, double radiusA, double radiusB, Vec3d n,
                     std::uint32_t feature) {
    const double gap = dot(n, a - b) - radiusA - radiusB;
    if (m.count < 4 && gap < margin) m.point[m.count++] = {a, b, radiusA, radiusB, n, gap, feature};
}

// Returns the unit vector along a if a is longer than `small`, else `otherwise`.
inline Vec3d directionOr(Vec3d a, double small, Vec3d otherwise) {
    const double l = length(a);
    return l > small ? (1 / l) * a : otherwise;
}

constexpr Vec3d kUp = {0, 1, 0};     // normal if no other direction is known
constexpr double kInContact = 1e-10; // relative to the size: cores nearer than this have no direction between
                                     // them
constexpr int kMostCorners = 64;     // largest number of corners of a polygon that is clipped

// Candidates for contact points in one plane. addFour keeps four of them: a wide quadrangle that includes the
// deepest candidate.
struct Candidate {
    Vec3d a, b;
    double gap;
    std::uint32_t feature;
};
void addFour(Manifold& m, double margin, const Candidate* c, int count, double radiusA, double radiusB,
             Vec3d n, double size);

// Adds a point at each end of the range in which two straight edges p (of a) and q (of b) are side by side.
// Returns false if they are not nearly parallel or not side by side. Then the caller uses their nearest
// points.
struct Segment {
    Vec3d from, to;
};
bool addParallel(Manifold& m, double margin, const Segment& p, const Segment& q, double radiusA,
                 double radiusB, Vec3d n);

void collidePlane(const PosedShape& a, const PosedShape& plane, double margin, Manifold& out);
void collideBoxes(const PosedShape& a, const PosedShape& b, double margin, Manifold& out);
void collideConvex(const PosedShape& a, const PosedShape& b, double margin, Manifold& out);

// Returns the point of a cylinder's rim that is farthest along d, on the end cap of side -1 or 1.
Vec3d rimPoint(const PosedShape& cylinder, double side, Vec3d d);
// Computes `count` (4 or 16) corners around an end cap, fixed to the cylinder. The corner nearest to d is
// moved to the point of the rim that is farthest along d. So corners do not move at rest, and in a tilt the
// depth is exact.
void capCorners(const PosedShape& cylinder, double side, Vec3d d, int count, Vec3d* corners);

} // namespace capstan
