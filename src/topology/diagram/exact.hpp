// SPDX-License-Identifier: MIT
//
// Signs of determinants that are right for any input, also where points are in line:
//
//   flatArea(a, b, c)      = (b - a) x (c - a)            in a plane, twice the area of the triangle
//   seenArea(a, b, c, n)   = det(b - a, c - a, n)         the same for one in space, seen along n
//   spanVolume(a, b, c, d) = det(b - a, c - a, d - a)     six times the volume of the tetrahedron
//
// First in plain doubles with a bound of the rounding error; where that cannot decide, as an exact sum of
// doubles that do not overlap. Zero comes back only for zero, and the value is good to a part in 10,000.
// Source: J. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates",
// Discrete & Computational Geometry 18 (1997); the products by Dekker's split, since no build fuses.
// Exact while no product of three coordinates leaves the range of a double: |x| < 1e90, and differences
// of coordinates above 1e-80.
#pragma once

#include <capstan/math/vec.hpp>

namespace capstan {

double flatArea(double ax, double ay, double bx, double by, double cx, double cy);
double seenArea(Vec3d a, Vec3d b, Vec3d c, Vec3d n);
double spanVolume(Vec3d a, Vec3d b, Vec3d c, Vec3d d);

inline int signum(double value) { return (value > 0.0) - (value < 0.0); }

} // namespace capstan
