// SPDX-License-Identifier: MIT
//
// This file measures how far one rope is wound around another: the angle by which the rope p turns around the axis
// rope q,
//
//   phi = sum of the angles from d_k to d_(k+1), seen along the tangent of q,      d = x - nearest point of q
//
// Here x walks along p. Right-handed winding of two ropes that run the same way is positive. Reversing either rope
// changes the sign. A rope that is wound m times has phi = 2 pi m, independent of its ends, as the capstan formula
// needs it. The Gauss integral (linking.hpp) tends to m only when both ropes go on far beyond the winding. Parts
// beyond an open end of q, or further than `reach` from q, do not count. Where the nearest point jumps from one part
// of q to another, that step has no axis and does not count.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/polylines.hpp>

namespace capstan {

// The angle is in radians. The cost is |p| |q| times the steps per segment (each at most half the distance long; 64 at
// most). The call returns an error where p goes through q.
CAPSTAN_API Result<double> wrapAngle(const Polylines& ropes, std::size_t p, std::size_t q,
                                     double reach = 1e300);

} // namespace capstan
