// SPDX-License-Identifier: MIT
// A manifold: the contact points of two shapes that are in contact, or will be when they come nearer by `margin`.
// There are at most four points.
//
// A point has a core on each side, the rounding radius of that side and one normal. The surfaces are at
//     a - radiusA n,  b + radiusB n,      and the gap is  n.(a - b) - radiusA - radiusB.
// A round surface has its centre of curvature as core. That is the centre of a sphere, or a point of the axis of a
// capsule or of a cylinder on its side. So rolling does not change the gap.
#pragma once

#include "collision/geometry/shape.hpp"

#include <cstdint>

namespace capstan {

struct ManifoldPoint {
    Vec3d a, b;              // cores, in world axes
    double radiusA, radiusB; // rounding radii of the sides
    Vec3d normal;            // unit, from b to a
    double gap;              // below 0: they overlap
    std::uint32_t feature;   // the same while the same corners, edges and faces meet
};

struct Manifold {
    int count = 0;
    ManifoldPoint point[4];
};

// Finds the contact points of shapes a and b at poses in the world. A mesh can only be b, one triangle of it at a
// time.
void collide(const Shape& a, const Pose& atA, const Shape& b, const Pose& atB, int triangleB, double margin,
             Manifold& out);

} // namespace capstan
