// SPDX-License-Identifier: MIT
//
// This file measures how often two ropes wind around each other. The measure is Gauss's double integral over two
// curves,
//
//   G = 1/(4 pi) integral integral (x - y) . (dx cross dy) / |x - y|^3,
//
// For two closed curves G is their linking number, an integer that no motion without a crossing can change. For a
// curve with itself G is its writhe. G is positive where the crossing is right-handed: the shorter way to turn the
// upper strand onto the lower one is counter-clockwise.
//
// For polylines G is exact, a sum over pairs of segments. Seen from the origin, the parallelogram of all differences y
// - x covers a solid angle, which is the pair's share of the integral. Sources are T. Banchoff (Indiana Univ. Math. J.
// 25 (1976)) and K. Klenin and J. Langowski (Biopolymers 54 (2000)), method 1a. Here atan2 replaces their arcsine,
// which loses half of the digits near 1, where segments are close.
//
// All numbers are double, pairs have a fixed order, and atan2 is our own, so every machine gives the same bits. Cost:
// |p| |q| pairs of segments.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>

#include <span>

namespace capstan {

// The polylines are closed: the last point joins the first. Errors are a curve of fewer than three points, a
// coordinate that is not finite, and curves that touch, where the linking number is undefined.
CAPSTAN_API Result<int> linkingNumber(std::span<const Vec3> p, std::span<const Vec3> q);
CAPSTAN_API Result<int> linkingNumber(std::span<const Vec3d> p, std::span<const Vec3d> q);

// The polylines are open. The result is a real number, which changes as the ends move. It is the mean, over all
// directions of view, of half the sum of the signs of crossings. A polyline of fewer than two points has no length and
// gives 0.
CAPSTAN_API double gaussIntegral(std::span<const Vec3> p, std::span<const Vec3> q);
CAPSTAN_API double gaussIntegral(std::span<const Vec3d> p, std::span<const Vec3d> q);

// The writhe of a polyline, closed or open, is the signed number of its own crossings, averaged over all directions of
// view.
CAPSTAN_API double writhe(std::span<const Vec3> p, bool isClosed = true);
CAPSTAN_API double writhe(std::span<const Vec3d> p, bool isClosed = true);

} // namespace capstan
