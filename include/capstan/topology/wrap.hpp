// SPDX-License-Identifier: MIT
//
// Measures how far one rope is wound around another: the angle by which the rope p turns around the axis rope q,
//
//   phi = sum of the angles from d_k to d_(k+1), seen along the tangent of q,      d = x - nearest point of q
//
// A point x moves along p, and d_k is d at its k-th position. Right-handed winding of two ropes that run the same way
// is positive. Reversing either rope changes the sign. A rope that is wound m times has phi = 2 pi m, independent of
// its ends, as the capstan formula needs it. The Gauss integral (linking.hpp) tends to m only if both ropes continue
// far beyond the winding. Parts of p beyond an open end of q, or further than `reach` [m] from q, do not count. A
// step in which the nearest point jumps from one part of q to another has no axis and does not count.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/polylines.hpp>

namespace capstan {

// Returns phi [rad] for the ropes with the numbers p and q. The cost is |p| |q| times the steps per segment. A step
// is at most half of the distance long, and a segment has at most 64 steps. Returns an Error if p passes through q.
CAPSTAN_API Result<double> wrapAngle(const Polylines& ropes, std::size_t p, std::size_t q,
                                     double reach = 1e300);

} // namespace capstan
