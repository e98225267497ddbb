// SPDX-License-Identifier: MIT
// Which knot or link is it? The determinant |Delta(-1)|, Delta the Alexander polynomial, from one look at
// the curves: every crossing of the picture, whose lower strand goes from arc `in` to arc `out` beneath
// arc `over`, gives a row
//
//   2 over - in - out = 0,
//
// and any minor of one row and one column less is the determinant (R. Fox, "A quick trip through knot
// theory", 1962; C. Livingston, "Knot Theory", 1993, ch. 3). No motion without a crossing can change it.
// It is 1 for a ring, 3 trefoil, 5 figure eight, 2 Hopf link, 8 Whitehead link, 16 Borromean rings, and 0
// for rings that can be pulled apart: it sees links whose linking numbers are all 0.
//
// Computed modulo the prime p = 2^31 - 1 and taken as the residue next to 0: exact below 2^30. Elimination in
// double was refused: a crumpled rope has hundreds of crossings, and its minor no digits left.
#pragma once

#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>

#include <cstdint>
#include <vector>

namespace capstan::validation {

using Curve = std::vector<Vec3d>; // closed: the last point joins the first

// An error when a curve has fewer than three points or one is not finite, or when no view of them is clear:
// then the curves touch.
Result<std::int64_t> determinant(const std::vector<Curve>& curves);

} // namespace capstan::validation
