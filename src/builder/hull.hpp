// SPDX-License-Identifier: MIT
// The convex hull of a cloud of points.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>

#include <array>
#include <vector>

namespace capstan {

// Corners [m] and triangles of a convex hull.
struct ConvexHull {
    std::vector<Vec3d> corners;                // only the corners of the hull, sorted by x, then y, then z
    std::vector<std::array<int, 3>> triangles; // counter-clockwise if seen from outside
};

// Returns the hull of finite points. It is empty if the points are nearly coplanar: thinner than a millionth of their
// largest coordinate. Rounding to float can give coplanar points that thickness. The function is exported although
// this header is not part of the API, because the renderer draws the same hulls.
CAPSTAN_API ConvexHull convexHull(const std::vector<Vec3d>& points);

} // namespace capstan
