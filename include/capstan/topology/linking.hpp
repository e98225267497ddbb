// SPDX-License-Identifier: MIT
//
// How often do two ropes wind around each other? Gauss's double integral over two curves,
//
//   G = 1/(4 pi) integral integral (x - y) . (dx cross dy) / |x - y|^3,
//
// which for two closed curves is their linking number, an integer that no motion without a crossing can
// change, and for a curve with itself its writhe. Positive where the crossing is right-handed: turning the
// upper strand counter-clockwise onto the lower one is the shorter way.
//
// For polylines G is exact, a sum over pairs of segments: seen from the origin, the parallelogram of all
// differences y - x covers a solid angle, and that angle is the pair's share of the integral: T. Banchoff,
// Indiana Univ. Math. J. 25 (1976); K. Klenin and J. Langowski, Biopolymers 54 (2000), method 1a, with atan2
// in place of their arcsine, which loses half of the digits near 1, where segments are close.
//
// All in double, pairs in a fixed order, own atan2: the same bits everywhere. Cost: |p| |q| pairs.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>

#include <span>

namespace capstan {

// Closed polylines: the last point joins the first. An error says so when a curve has fewer than three points
// or a coordinate is not finite, and when the curves touch: there the number is not defined.
CAPSTAN_API Result<int> linkingNumber(std::span<const Vec3> p, std::span<const Vec3> q);
CAPSTAN_API Result<int> linkingNumber(std::span<const Vec3d> p, std::span<const Vec3d> q);

// Open polylines: a real number, which moves with the ends. Each crossing seen from all sides counts its
// share. Fewer than two points have no length and give 0.
CAPSTAN_API double gaussIntegral(std::span<const Vec3> p, std::span<const Vec3> q);
CAPSTAN_API double gaussIntegral(std::span<const Vec3d> p, std::span<const Vec3d> q);

// Writhe of a polyline, closed or open: the signed number of its own crossings, averaged over all directions
// of view.
CAPSTAN_API double writhe(std::span<const Vec3> p, bool isClosed = true);
CAPSTAN_API double writhe(std::span<const Vec3d> p, bool isClosed = true);

} // namespace capstan
