// SPDX-License-Identifier: MIT
// makeTube builds the surface of a rope. makeRibbon builds a strand of hair as a strip. Triangles and texture
// coordinates stay the same from picture to picture; only positions and normals change.
#pragma once

#include <capstan/api.hpp>
#include <capstan/skin/frames.hpp>

#include <array>
#include <span>
#include <vector>

namespace capstan {

struct SurfaceMesh {
    std::vector<Vec3> vertices;
    std::vector<Vec3> normals;
    std::vector<std::array<float, 2>> uv;      // around or across, then along: 0 to 1
    std::vector<std::array<int, 3>> triangles; // counter-clockwise seen from outside
};

// The tube has a ring of `sides` vertices (3 or more) around each point, plus one vertex at the texture's seam. Its
// ends are flat if it is open. The radius may change along the rope: give one for all points, or one for each.
CAPSTAN_API void makeTube(std::span<const Vec3> points, std::span<const Quatf> frames,
                          std::span<const float> radius, bool closed, int sides, SurfaceMesh& mesh);

// The ribbon is a strip of the given width with two vertices for each point, and it narrows to a tip. With a viewpoint
// it faces that point; without one it lies along the x axis of the frames.
CAPSTAN_API void makeRibbon(std::span<const Vec3> points, std::span<const Quatf> frames, float width,
                            const Vec3* viewpoint, SurfaceMesh& mesh);

} // namespace capstan
