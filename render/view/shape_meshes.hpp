// SPDX-License-Identifier: MIT
// Meshes of the solids, in a form that one vertex shader scales to any size:
//   vertex = core * size + rounding * normal
// Only the core is scaled, so that edges keep an even rounding. This file also computes normals of a Geometry.
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

// Scaled holds `size` (as `core`) and `rounding` of this formula for one Solid.
struct Scaled {
    Vec3 core = {0, 0, 0};
    float rounding = 0;
};
Scaled scaled(const Solid& solid);

// flatVertices returns the corners of all triangles of a Geometry, with normals. A computed normal is smooth over
// faces that meet at less than 30 degrees: their sum, weighted with the faces' areas.
struct FlatVertex {
    Vec3 position, normal;
};
std::vector<FlatVertex> flatVertices(const Geometry& geometry);

// smoothNormals computes one normal per point: the sum of the normals of the adjacent faces, weighted with their
// areas.
void smoothNormals(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles,
                   std::vector<Vec3>& normals);

} // namespace capstan::render
