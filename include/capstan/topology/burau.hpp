// SPDX-License-Identifier: MIT
//
// This file gives the Burau representation of the braid group B_n, exactly, over integer Laurent polynomials in t.
//
//   unreduced, n x n:            s_i = 1 except rows i, i+1:    [ 1-t  t ]
//                                                               [  1   0 ]
//   reduced, (n-1) x (n-1):      s_i = 1 except row i:          ( .. t  -t  1 .. )   at columns i-1, i, i+1
//
// A word maps to the product of its letters, from left to right. In both forms det = (-t)^(exponent sum), and their
// traces differ by exactly 1. The representation is faithful for n <= 3 (Magnus & Peluso 1969) and not for n >= 5
// (Bigelow 1999); n = 4 is open. So different matrices always mean different braids, but equal matrices mean equal
// braids only for n <= 3. Source: W. Burau, Abh. Math. Sem. Hamburg 11 (1935); J. Birman, "Braids, Links and Mapping
// Class Groups" (1974).
//
// Coefficients are of type int64. They grow exponentially with the word, by the golden ratio per letter in the hair
// braid s1 s2^-1. An overflow is an error, never a wrapped value. Evaluating modulo a prime was refused: it never
// overflows, but "equal" would then be a probability.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace capstan {

// The polynomial is sum_k coefficients[k] t^(lowest + k). Its first and last coefficients are not zero. The polynomial
// 0 is the empty list with lowest 0, so equal polynomials have equal fields.
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

CAPSTAN_API Result<LaurentMatrix> burau(const BraidWord& word, int n);
CAPSTAN_API Result<LaurentMatrix> reducedBurau(const BraidWord& word, int n);

// The dilatation is the factor by which a repeated 3-braid stretches a loop around its strands. It is 1 if the braid
// is not pseudo-Anosov. At t = -1 the reduced Burau matrix maps B_3 onto SL(2,Z), the maps of a torus. This torus is
// the double cover of the disc, branched at the three strands. The formula there is
//   dilatation = (|T| + sqrt(T^2 - 4)) / 2   for the trace T with |T| > 2.
// The hair braid s1 s2^-1 has (3 + sqrt 5) / 2. The call fails only when an entry of the product exceeds 64 bits.
CAPSTAN_API Result<double> dilatationB3(const BraidWord& word);

} // namespace capstan
