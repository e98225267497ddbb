// SPDX-License-Identifier: MIT
//
// Determinants whose signs are correct for any input, also for collinear or coplanar points:
//
//   flatArea(a, b, c)      = (b - a) x (c - a)            in a plane, twice the area of the triangle
//   seenArea(a, b, c, n)   = det(b - a, c - a, n)         twice the area of a triangle in space, projected along n
//   spanVolume(a, b, c, d) = det(b - a, c - a, d - a)     six times the volume of the tetrahedron
//
// The first attempt uses plain doubles with a bound of the rounding error. If this bound does not decide the sign,
// the determinant is computed as an exact sum of doubles that do not overlap. The result is zero only if the
// determinant is zero, and it is accurate to a part in 10,000. Source: J. Shewchuk, "Adaptive precision
// floating-point arithmetic and fast robust geometric predicates" (Discrete & Computational Geometry 18 (1997)).
// Products use Dekker's split, because no build uses fused multiply-add here. Results are exact as long as no product
// of three coordinates leaves the range of a double: |x| < 1e90, and differences of coordinates above 1e-80.
#pragma once

#include <capstan/math/vec.hpp>

namespace capstan {

double flatArea(double ax, double ay, double bx, double by, double cx, double cy);
double seenArea(Vec3d a, Vec3d b, Vec3d c, Vec3d n);
double spanVolume(Vec3d a, Vec3d b, Vec3d c, Vec3d d);

inline int signum(double value) { return (value > 0.0) - (value < 0.0); }

} // namespace capstan
