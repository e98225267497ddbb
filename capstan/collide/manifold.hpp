// SPDX-License-Identifier: MIT
// Manifold: where two shapes touch, or will when they come nearer by `margin`: at most four points.
//
// A point is given by a core on each side, the rounding radius of that side and one normal: the surfaces are at
// core -+ radius normal, and the gap between them is n.(a - b) - radiusA - radiusB. What is round keeps the centre of its
// curvature as its core (sphere: its centre; capsule, and a cylinder lying on its side: a point of its axis), so that
// rolling changes nothing in the gap.
#pragma once

#include <capstan/model/shape.hpp>

#include <cstdint>

namespace capstan {

struct ManifoldPoint {
    Vec3d a, b;              // cores, in the world
    double radiusA, radiusB; // rounding
    Vec3d normal;            // unit, from B to A
    double gap;              // below 0: they overlap
    std::uint32_t feature;   // the same as long as the same corners, edges and faces meet
};

struct Manifold {
    int count = 0;
    ManifoldPoint point[4];
};

// Shapes a and b with their places in the world. Meshes only as b, one triangle of it at a time.
void collide(const Shape& a, const Pose& atA, const Shape& b, const Pose& atB, int triangleB, double margin,
             Manifold& out);

} // namespace capstan
