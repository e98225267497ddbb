// SPDX-License-Identifier: MIT
//
// The signature of a knot: a whole number, even for knots, that changes its sign in the mirror. The regions
// of the diagram are coloured like a chess board; G is Goeritz's matrix of the white ones,
//
//   sigma = signature of G - sum of eta over the crossings of the second type,
//
// eta = +-1 by the colour swept when the over strand is turned counter-clockwise onto the under one; a
// crossing is of the second type where the rope does not run around its black regions in one sense. Source:
// C. Gordon and R. Litherland, "On the signature of a link", Inventiones Math. 47 (1978). With the sign in
// which the right-handed trefoil has -2. Whole arithmetic, 128 bits, overflow is an error.
#pragma once

#include <capstan/result.hpp>
#include <capstan/topology/gauss_code.hpp>

namespace capstan {

// The diagram must be connected, as that of a knot is.
Result<int> signature(const GaussCode& code);

} // namespace capstan
