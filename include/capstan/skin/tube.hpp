// SPDX-License-Identifier: MIT
// Tube: the surface of a rope. Ribbon: a strand of hair as a strip.
// The triangles and texture coordinates stay the same from picture to picture; only places and normals change.
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
    std::vector<std::array<float, 2>> uv;      // around or across, and along: 0 to 1
    std::vector<std::array<int, 3>> triangles; // counter-clockwise seen from outside
};

// Rings of `sides` vertices (3 or more; plus one where the seam of the texture is) around each point, with flat ends if it
// is open. The radius may change along the rope: one for all points, or one for each.
CAPSTAN_API void makeTube(std::span<const Vec3> points, std::span<const Quatf> frames,
                          std::span<const float> radius, bool closed, int sides, SurfaceMesh& mesh);

// A strip of the given width, two vertices for each point, narrowing to a tip. With a viewpoint it faces there; without
// one it lies along the x axis of the frames.
CAPSTAN_API void makeRibbon(std::span<const Vec3> points, std::span<const Quatf> frames, float width,
                            const Vec3* viewpoint, SurfaceMesh& mesh);

} // namespace capstan
