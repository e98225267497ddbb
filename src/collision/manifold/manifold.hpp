// SPDX-License-Identifier: MIT
// A manifold: the contact points of two shapes that are in contact, or nearer to each other than `margin`. It
// has at most four points.
//
// A point has a core on each side, the rounding radius of each side, and one normal. The surfaces are at
//     a - radiusA n,  b + radiusB n,      and the gap is  n.(a - b) - radiusA - radiusB.
// The core of a round surface is its centre of curvature. That is the centre of a sphere, or a point on the
// axis of a capsule or of a cylinder on its side. So rolling does not change the gap.
#pragma once

#include "collision/geometry/shape.hpp"

#include <cstdint>

namespace capstan {

struct ManifoldPoint {
    Vec3d a, b;              // cores, in world axes
    double radiusA, radiusB; // rounding radii of the sides
    Vec3d normal;            // unit, from b to a
    double gap;              // below 0: overlap [m]
    std::uint32_t feature;   // identifier; equal while the same corners, edges and faces are in contact
};

struct Manifold {
    int count = 0;
    ManifoldPoint point[4];
};

// Finds the contact points of shapes a and b at poses in the world. A mesh can only be b, and only its
// triangle `triangleB` is tested.
void collide(const Shape& a, const Pose& atA, const Shape& b, const Pose& atB, int triangleB, double margin,
             Manifold& out);

} // namespace capstan
