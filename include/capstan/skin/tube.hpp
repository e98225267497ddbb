// SPDX-License-Identifier: MIT
// makeTube builds the surface of a rope. makeRibbon builds a strand of hair as a flat strip. For an unchanged number
// of points, triangles and texture coordinates are the same in each picture; only positions and normals change.
#pragma once

#include <capstan/api.hpp>
#include <capstan/skin/frames.hpp>

#include <array>
#include <span>
#include <vector>

namespace capstan {

// A triangle mesh: vertices [m] with normals and texture coordinates.
struct SurfaceMesh {
    std::vector<Vec3> vertices;
    std::vector<Vec3> normals;
    std::vector<std::array<float, 2>> uv;      // u around the tube or across the ribbon, v along it: 0 to 1
    std::vector<std::array<int, 3>> triangles; // counter-clockwise seen from outside
};

// Builds a tube with a ring of `sides` vertices (3 or more) around each point, plus one vertex at the seam of the
// texture. An open tube has flat ends. `radius` [m] has one element for all points, or one for each point.
CAPSTAN_API void makeTube(std::span<const Vec3> points, std::span<const Quatf> frames,
                          std::span<const float> radius, bool closed, int sides, SurfaceMesh& mesh);

// Builds a strip of the given width [m] with two vertices for each point. The strip narrows to a tip. With a
// viewpoint [m] it faces that point; without one it lies along the x axis of the frames.
CAPSTAN_API void makeRibbon(std::span<const Vec3> points, std::span<const Quatf> frames, float width,
                            const Vec3* viewpoint, SurfaceMesh& mesh);

} // namespace capstan
