// SPDX-License-Identifier: MIT
// Triangles of the solids, written so that one vertex shader scales them all:
//   vertex = core * size + rounding * normal
// where only the core is scaled, so that edges stay evenly round whatever the size; and normals for Geometry.
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

// What `size` and `rounding` of a Solid are.
struct Scaled {
    Vec3 core = {0, 0, 0};
    float rounding = 0;
};
Scaled scaled(const Solid& solid);

// Corners of a Geometry with their normals, ready to draw. Made normals are smooth where two faces at a corner meet at less
// than 30 degrees, by sums weighted with the faces' areas.
struct FlatVertex {
    Vec3 place, normal;
};
std::vector<FlatVertex> flatVertices(const Geometry& geometry);

// One normal per point: the sum of the faces' around it, weighted with their areas.
void smoothNormals(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles,
                   std::vector<Vec3>& normals);

} // namespace capstan::render
