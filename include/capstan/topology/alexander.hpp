// SPDX-License-Identifier: MIT
//
// The Alexander polynomial of a knot or link, exact, in two independent ways.
//
//   from a diagram:  det of the matrix with a row per crossing and a column per arc,
//                    + : (1-t) over + t in - out = 0      - : (1-t) over - in + t out = 0
//                    one row and one column left out       (in, out: the arcs that end and begin below)
//   from a braid:    (1 - t) / (1 - t^n) det(1 - B(t)),    B the reduced Burau matrix (burau.hpp)
//
// Source: J. W. Alexander, Trans. AMS 30 (1928); W. Burau, Abh. Math. Sem. Hamburg 11 (1935). It is known up
// to a factor +-t^k; here the lowest power is t^0 and, for a knot, the value at 1 is +1. Links: the lowest
// coefficient is positive; 0 (the empty list) for links that come apart. A mirror image has the same
// polynomial, and so may different knots: it tells knots apart, it does not prove them equal.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>
#include <capstan/topology/gauss_code.hpp>
#include <capstan/topology/integer_polynomial.hpp>

#include <cstdint>

namespace capstan {

inline constexpr std::size_t maxDiagramCrossings = 100; // bounds the time: the fourth power of it

CAPSTAN_API Result<IntegerPolynomial> alexander(const GaussCode& code);

// Of the closed braid. An error when the word is too long for exact coefficients (about 220 letters).
CAPSTAN_API Result<IntegerPolynomial> alexander(const BraidWord& word, int n);

// |Delta(-1)|: 1 for the unknot, 3 for the trefoil, 0 for split links.
CAPSTAN_API std::int64_t knotDeterminant(const IntegerPolynomial& delta);

} // namespace capstan
