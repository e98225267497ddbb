// SPDX-License-Identifier: MIT
//
// Functions that compute the exact Alexander polynomial of a knot or link in two independent ways.
//
//   from a diagram:  det of the matrix with a row per crossing and a column per arc,
//                     positive crossing: (1-t) over + t in - out = 0
//                     negative crossing: (1-t) over - in + t out = 0
//                     over: the arc above; in, out: the arcs that end and begin below; one row and one column left out
//   from a braid:    (1 - t) / (1 - t^n) det(1 - B(t)),    B the reduced Burau matrix (burau.hpp)
//
// Source: J. W. Alexander, Trans. AMS 30 (1928); W. Burau, Abh. Math. Sem. Hamburg 11 (1935). The polynomial is known
// up to a factor +-t^k. Here its lowest power is t^0 and, for a knot, its value at 1 is +1. For a link the lowest
// coefficient is positive; a split link has the polynomial 0 (the empty list). A mirror image has the same
// polynomial, and different knots may have the same one. So unequal polynomials prove that two knots differ, but
// equal ones prove nothing.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>
#include <capstan/topology/gauss_code.hpp>
#include <capstan/topology/integer_polynomial.hpp>

#include <cstdint>

namespace capstan {

// Time grows as the fourth power of the number of crossings.
inline constexpr std::size_t maxDiagramCrossings = 100;

// Returns the polynomial of a diagram. Returns an Error for more than maxDiagramCrossings crossings.
CAPSTAN_API Result<IntegerPolynomial> alexander(const GaussCode& code);

// Returns the polynomial of the closure of a braid with n strands. Returns an Error if the word is too long for exact
// coefficients (about 220 letters).
CAPSTAN_API Result<IntegerPolynomial> alexander(const BraidWord& word, int n);

// Returns |Delta(-1)|, the determinant of the knot: 1 for the unknot, 3 for the trefoil, 0 for split links.
CAPSTAN_API std::int64_t knotDeterminant(const IntegerPolynomial& delta);

} // namespace capstan
