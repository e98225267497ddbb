// SPDX-License-Identifier: MIT
//
// This file computes the signature of a knot: an integer, even for knots, whose sign changes in the mirror image. The
// regions of the diagram are coloured like a chess board, and G is Goeritz's matrix of the white ones. Then
//
//   sigma = signature of G - sum of eta over the crossings of the second type,
//
// where eta = +-1 by the colour that the over strand sweeps when it is turned counter-clockwise onto the under one. A
// crossing is of the second type where the rope does not run around its black regions in one sense. Source: C. Gordon
// and R. Litherland, "On the signature of a link", Inventiones Math. 47 (1978). With this sign the right-handed
// trefoil has -2. The arithmetic is in integers of 128 bits, and an overflow is an error.
#pragma once

#include <capstan/result.hpp>
#include <capstan/topology/gauss_code.hpp>

namespace capstan {

// The diagram must be connected, as that of a knot is.
Result<int> signature(const GaussCode& code);

} // namespace capstan
