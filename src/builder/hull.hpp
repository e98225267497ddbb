// SPDX-License-Identifier: MIT
// The convex hull of a cloud of points.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>

#include <array>
#include <vector>

namespace capstan {

struct ConvexHull {
    std::vector<Vec3d> corners;                // only the corners of the hull, sorted by x, then y, then z
    std::vector<std::array<int, 3>> triangles; // counter-clockwise if seen from outside
};

// The hull of finite points. It is empty if the points have no volume: the cloud is then thinner than a millionth of
// its largest coordinate. Rounding to float can make points in one plane that thick.
// The function is exported although this header is not part of the API: the renderer draws hulls as the engine sees
// them.
CAPSTAN_API ConvexHull convexHull(const std::vector<Vec3d>& points);

} // namespace capstan
