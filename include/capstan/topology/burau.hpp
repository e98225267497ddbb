// SPDX-License-Identifier: MIT
//
// The Burau representation of the braid group B_n, exact over integer Laurent polynomials in t.
//
//   unreduced, n x n:            s_i = 1 except rows i, i+1:    [ 1-t  t ]
//                                                               [  1   0 ]
//   reduced, (n-1) x (n-1):      s_i = 1 except row i:          ( .. t  -t  1 .. )   at columns i-1, i, i+1
//
// A word maps to the product of its letters, left to right. det = (-t)^(exponent sum) in both, and the traces
// differ by exactly 1. Faithful for n <= 3 (Magnus & Peluso 1969), not for n >= 5 (Bigelow 1999), open for
// n = 4: different matrices always mean different braids, equal ones only for n <= 3.
// Source: W. Burau, Abh. Math. Sem. Hamburg 11 (1935); J. Birman, "Braids, Links and Mapping Class
// Groups" (1974).
//
// Coefficients are int64. They grow exponentially with the word (by the golden ratio per letter in the hair
// braid s1 s2^-1), and an overflow is an error, never a wrapped number. Evaluating modulo a prime was
// refused: it never overflows, but "equal" would then be a probability.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace capstan {

// sum_k coefficients[k] t^(lowest + k). Both end coefficients are non-zero; zero is the empty list with
// lowest 0, so that equality of fields is equality of polynomials.
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

// Factor by which a 3-braid, repeated, stretches a loop around its strands (1 if it is not pseudo-Anosov). At
// t = -1 reduced Burau maps B_3 onto SL(2,Z), the maps of a torus: the double cover of the disc branched at
// the three strands. There
//   dilatation = (|T| + sqrt(T^2 - 4)) / 2   for the trace T with |T| > 2.
// s1 s2^-1, the hair braid, gives (3 + sqrt 5) / 2. Fails only when an entry of the product leaves 64 bits.
CAPSTAN_API Result<double> dilatationB3(const BraidWord& word);

} // namespace capstan
