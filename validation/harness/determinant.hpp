// SPDX-License-Identifier: MIT
// The determinant |Delta(-1)| of a knot or link, where Delta is the Alexander polynomial. It distinguishes many
// knots. It is computed from one projection of the curves. At each crossing the lower strand goes from arc `in` to
// arc `out` under the arc `over`. Each crossing gives a row
//
//   2 over - in - out = 0,
//
// and any minor with one row and one column removed is the determinant (R. Fox, "A quick trip through knot
// theory", 1962; C. Livingston, "Knot Theory", 1993, ch. 3). A motion in which no rope passes through a rope
// cannot change it. Its values:
//
//   1 ring   3 trefoil   5 figure eight   2 Hopf link   8 Whitehead link   16 Borromean rings
//   0 rings that can be pulled apart
//
// So it also detects links whose linking numbers are all 0.
//
// The minor is computed modulo the prime p = 2^31 - 1 and taken as the residue nearest to 0, which is exact below
// 2^30. Elimination in double was refused: a crumpled rope has hundreds of crossings, and its minor would have no
// correct digits left.
#pragma once

#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>

#include <cstdint>
#include <vector>

namespace capstan::validation {

using Curve = std::vector<Vec3d>; // closed: a segment joins the last point to the first

// Returns an error if a curve has fewer than three points, if a point is not finite, or if no direction of view is
// clear. In the last case the curves touch.
Result<std::int64_t> determinant(const std::vector<Curve>& curves);

} // namespace capstan::validation
