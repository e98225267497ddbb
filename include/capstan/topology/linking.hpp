// SPDX-License-Identifier: MIT
//
// Measures how often two ropes wind around each other, by Gauss's double integral over two curves,
//
//   G = 1/(4 pi) integral integral (x - y) . (dx cross dy) / |x - y|^3,
//
// For two closed curves G is their linking number, an integer that changes only when the curves cross. For a curve
// with itself G is its writhe. G is positive if the crossing is right-handed: the upper strand is turned onto the
// lower one counter-clockwise, by the smaller angle.
//
// For polylines G is exact, a sum over pairs of segments. The differences y - x of a pair form a parallelogram. Its
// solid angle, seen from the origin, is the share of the pair in the integral. Sources are T. Banchoff (Indiana Univ.
// Math. J. 25 (1976)) and K. Klenin and J. Langowski (Biopolymers 54 (2000)), method 1a. Here atan2 replaces their
// arcsine, which loses half of the digits near 1, where segments are close.
//
// All numbers are double, the order of pairs is fixed, and atan2 is that of math/transcendental.hpp. So every machine
// gives the same bits. The cost is proportional to |p| |q|, the number of pairs of segments.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>

#include <span>

namespace capstan {

// Returns the linking number of two closed polylines; the last point joins the first. Errors are a curve of fewer
// than three points, a coordinate that is not finite, and curves that touch, where the linking number is undefined.
CAPSTAN_API Result<int> linkingNumber(std::span<const Vec3> p, std::span<const Vec3> q);
CAPSTAN_API Result<int> linkingNumber(std::span<const Vec3d> p, std::span<const Vec3d> q);

// Returns G of two open polylines, a real number that changes as the ends move. It is the mean, over all directions
// of view, of half the sum of the signs of crossings. A polyline of fewer than two points has no length and gives 0.
CAPSTAN_API double gaussIntegral(std::span<const Vec3> p, std::span<const Vec3> q);
CAPSTAN_API double gaussIntegral(std::span<const Vec3d> p, std::span<const Vec3d> q);

// Returns the writhe of a polyline: the sum of the signs of its own crossings, averaged over all directions of view.
CAPSTAN_API double writhe(std::span<const Vec3> p, bool isClosed = true);
CAPSTAN_API double writhe(std::span<const Vec3d> p, bool isClosed = true);

} // namespace capstan
