// SPDX-License-Identifier: MIT
//
// The signature of a knot: an integer, even for knots, whose sign changes in the mirror image. The regions of the
// diagram are coloured like a chess board, and G is Goeritz's matrix of the white regions. Then
//
//   sigma = signature of G - sum of eta over the crossings of the second type,
//
// where eta = +-1 by the colour of the regions that the over strand sweeps when it turns counter-clockwise onto the
// under strand. A crossing is of the second type if its two strands run around a black region there in opposite
// directions. Source: C. Gordon and R. Litherland, "On the signature of a link", Inventiones Math. 47 (1978). With
// this sign the right-handed trefoil has -2. The arithmetic is in 128-bit integers, and an overflow is an Error.
#pragma once

#include <capstan/result.hpp>
#include <capstan/topology/gauss_code.hpp>

namespace capstan {

// Returns the signature. The diagram must be connected, as that of a knot is.
Result<int> signature(const GaussCode& code);

} // namespace capstan
