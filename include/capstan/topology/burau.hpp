// SPDX-License-Identifier: MIT
//
// The Burau representation of the braid group B_n, computed exactly over integer Laurent polynomials in t.
//
//   unreduced, n x n:            s_i = 1 except rows i, i+1:    [ 1-t  t ]
//                                                               [  1   0 ]
//   reduced, (n-1) x (n-1):      s_i = 1 except row i:          ( .. t  -t  1 .. )   at columns i-1, i, i+1
//
// A word maps to the product of the matrices of its letters, from left to right. In both forms det = (-t)^(exponent
// sum), and the two traces differ by exactly 1. The representation is faithful for n <= 3 (Magnus & Peluso 1969) and
// not for n >= 5 (Bigelow 1999); n = 4 is open. So different matrices always mean different braids, but equal
// matrices mean equal braids only for n <= 3. Source: W. Burau, Abh. Math. Sem. Hamburg 11 (1935); J. Birman,
// "Braids, Links and Mapping Class Groups" (1974).
//
// Coefficients have type int64. They grow exponentially with the length of the word; for the hair braid s1 s2^-1 the
// factor is the golden ratio per letter. An overflow is an Error, never a wrapped value. Evaluation modulo a prime
// was refused: it never overflows, but equality would then be a probability.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace capstan {

// The polynomial sum_k coefficients[k] t^(lowest + k). The first and last coefficients are not zero. The polynomial 0
// is the empty list with lowest 0, so equal polynomials have equal members.
struct Laurent {
    int lowest = 0;
    std::vector<std::int64_t> coefficients;

    friend bool operator==(const Laurent&, const Laurent&) = default;
};

struct LaurentMatrix {
    int size = 0;
    std::vector<Laurent> entries; // row by row

    const Laurent& at(int row, int column) const {
        return entries[static_cast<std::size_t>(row) * static_cast<std::size_t>(size) +
                       static_cast<std::size_t>(column)];
    }
    friend bool operator==(const LaurentMatrix&, const LaurentMatrix&) = default;
};

// Return the unreduced and the reduced matrix of a word of n strands. An overflow of a coefficient is an Error.
CAPSTAN_API Result<LaurentMatrix> burau(const BraidWord& word, int n);
CAPSTAN_API Result<LaurentMatrix> reducedBurau(const BraidWord& word, int n);

// Returns the dilatation: the factor by which each repetition of a 3-braid stretches a loop around its strands. It is
// 1 if the braid is not pseudo-Anosov. At t = -1 the reduced Burau matrix maps B_3 onto SL(2,Z), the maps of a torus.
// This torus is the double cover of the disc, branched at the three strands. The dilatation of a matrix with the
// trace T is
//   dilatation = (|T| + sqrt(T^2 - 4)) / 2   for |T| > 2.
// The hair braid s1 s2^-1 has (3 + sqrt 5) / 2. The call fails only if the word is invalid or an entry of the product
// exceeds 64 bits.
CAPSTAN_API Result<double> dilatationB3(const BraidWord& word);

} // namespace capstan
