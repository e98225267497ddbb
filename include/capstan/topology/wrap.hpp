// SPDX-License-Identifier: MIT
//
// How far one rope is wound around another: the angle by which the rope p turns around the axis rope q,
//
//   phi = sum of the angles from d_k to d_(k+1), seen along the tangent of q,      d = x - nearest point of q
//
// as x walks along p. Right-handed winding of two ropes that run the same way is positive; turning round
// either rope changes the sign. A rope wound m times has phi = 2 pi m, whatever its ends do, which is what a
// capstan formula wants; the Gauss integral (linking.hpp) tends to m only when both ropes go on far beyond
// the winding. Beyond an open end of q, and further than `reach` from it, nothing is counted. Where the
// nearest point jumps from one part of q to another the turn of that step is not counted: it has no axis.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/polylines.hpp>

namespace capstan {

// In radians. Cost |p| |q|, times the steps a segment is walked in (each at most half the distance, 64 at
// most). An error says so where p goes through q.
CAPSTAN_API Result<double> wrapAngle(const Polylines& ropes, std::size_t p, std::size_t q,
                                     double reach = 1e300);

} // namespace capstan
