// SPDX-License-Identifier: MIT
//
// This file computes the exact Alexander polynomial of a knot or link in two independent ways.
//
//   from a diagram:  det of the matrix with a row per crossing and a column per arc,
//                    + : (1-t) over + t in - out = 0      - : (1-t) over - in + t out = 0
//                    one row and one column left out       (in, out: the arcs that end and begin below)
//   from a braid:    (1 - t) / (1 - t^n) det(1 - B(t)),    B the reduced Burau matrix (burau.hpp)
//
// Source: J. W. Alexander, Trans. AMS 30 (1928); W. Burau, Abh. Math. Sem. Hamburg 11 (1935). The polynomial is known
// up to a factor +-t^k. Here its lowest power is t^0 and, for a knot, its value at 1 is +1. For a link the lowest
// coefficient is positive; a link that comes apart has the polynomial 0 (the empty list). A mirror image has the same
// polynomial, and different knots may have the same one. So unequal polynomials prove that two knots differ, but equal
// ones prove nothing.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>
#include <capstan/topology/gauss_code.hpp>
#include <capstan/topology/integer_polynomial.hpp>

#include <cstdint>

namespace capstan {

inline constexpr std::size_t maxDiagramCrossings = 100; // the time grows as the fourth power of this

CAPSTAN_API Result<IntegerPolynomial> alexander(const GaussCode& code);

// The polynomial of the closed braid. The call returns an error when the word is too long for exact coefficients
// (about 220 letters).
CAPSTAN_API Result<IntegerPolynomial> alexander(const BraidWord& word, int n);

// The determinant is |Delta(-1)|: 1 for the unknot, 3 for the trefoil, 0 for split links.
CAPSTAN_API std::int64_t knotDeterminant(const IntegerPolynomial& delta);

} // namespace capstan
