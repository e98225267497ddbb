// SPDX-License-Identifier: MIT
// These functions give triangles of the solids in a form that one vertex shader scales:
//   vertex = core * size + rounding * normal
// Only the core is scaled, so that edges stay evenly round at any size. This file also computes normals for a
// Geometry.
#pragma once

#include <render/view/scene_view.hpp>

#include <cstdint>
#include <vector>

namespace capstan::render {

struct ShapeVertex {
    Vec3 core, normal;
};

struct ShapeMesh {
    std::vector<ShapeVertex> vertices;
    std::vector<std::uint16_t> indices;
};

ShapeMesh shapeMesh(SolidKind kind, int detail); // detail 1 or 2

// Scaled is the `size` and `rounding` that a Solid has in this formula.
struct Scaled {
    Vec3 core = {0, 0, 0};
    float rounding = 0;
};
Scaled scaled(const Solid& solid);

// flatVertices gives the corners of a Geometry with their normals, ready to draw. Computed normals are smooth where
// two faces at a corner meet at less than 30 degrees. They are sums weighted with the faces' areas.
struct FlatVertex {
    Vec3 position, normal;
};
std::vector<FlatVertex> flatVertices(const Geometry& geometry);

// smoothNormals gives one normal per point: the sum of the normals of the faces around it, weighted with their areas.
void smoothNormals(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles,
                   std::vector<Vec3>& normals);

} // namespace capstan::render
