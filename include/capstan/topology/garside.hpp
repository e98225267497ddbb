// SPDX-License-Identifier: MIT
//
// Garside's left normal form: every braid is, in one way only,
//
//   Delta^p x_1 x_2 .. x_m,
//
// Delta the half twist of all strands, each x_k a simple braid (positive, two strands cross at most once,
// neither trivial nor Delta), each pair left-weighted: what x_(k+1) can start with, x_k can already end with.
// Two words are the same braid exactly when their forms are equal. A simple braid is its permutation (same
// meaning as in braid.hpp: p[k] = strand that ends at position k), so all work is on permutations.
// Source: F. Garside, Quart. J. Math. 20 (1969); E. Elrifai and H. Morton, "Algorithms for positive braids",
// Quart. J. Math. 45 (1994), left-weighted factors.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>

#include <vector>

namespace capstan {

struct GarsideForm {
    int strands = 2;
    int deltaPower = 0;
    std::vector<std::vector<int>> factors;

    friend bool operator==(const GarsideForm&, const GarsideForm&) = default;
};

CAPSTAN_API Result<GarsideForm> garsideForm(const BraidWord& word, int n);

// The form spelled out as a word: |p| half twists, then the factors.
CAPSTAN_API BraidWord garsideWord(const GarsideForm& form);

// A short word for the form. From Delta^-r x_1 .. x_m, each Delta^-1 is spent on one factor, since Delta^-1
// x is the inverse of a simple braid of length |Delta| - |x|: longest factors first, left over ones stay
// Delta^-1.
CAPSTAN_API BraidWord shortGarsideWord(const GarsideForm& form);

// For 3-braids that word is of least length: M. Berger, "Minimum crossing numbers for 3-braids", J. Phys. A
// 27 (1994). For more strands it is not; shortWord (untangle.hpp) tries further.
CAPSTAN_API Result<BraidWord> shortestWordB3(const BraidWord& word);

} // namespace capstan
