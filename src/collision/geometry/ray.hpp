// SPDX-License-Identifier: MIT
// The first point of a shape that a ray hits.
#pragma once

#include "collision/geometry/shape.hpp"

namespace capstan {

struct RayShape {
    bool hit = false;
    double t = 0;             // m, from the start of the ray
    Vec3d normal = {0, 0, 0}; // outward normal of the shape at the hit
};

// Casts a ray in the axes of the body that holds the shape; `direction` is a unit vector. A ray that starts
// inside the shape hits at t = 0, and the normal is opposite to the ray. A mesh has two sides and no inside:
// the normal is that of the side that is hit.
RayShape castRay(const Shape& shape, Vec3d from, Vec3d direction, double reach);

} // namespace capstan
