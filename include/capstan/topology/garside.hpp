// SPDX-License-Identifier: MIT
//
// Garside's left normal form of a braid. Every braid has exactly one form
//
//   Delta^p x_1 x_2 .. x_m,
//
// where Delta is the half twist of all strands and each x_k is a simple braid. A simple braid is positive, and two of
// its strands cross at most once; a factor x_k is neither trivial nor Delta. Each pair (x_k, x_(k+1)) is
// left-weighted: every letter that x_(k+1) can start with is a letter that x_k can end with. Two words are the same
// braid exactly when their forms are equal. A simple braid is represented by its permutation, so all work is on
// permutations. As in braid.hpp, p[k] is the start position of the strand that ends at position k. Source: F.
// Garside, Quart. J. Math. 20 (1969); E. Elrifai and H. Morton, "Algorithms for positive braids", Quart. J. Math. 45
// (1994), left-weighted factors.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>

#include <vector>

namespace capstan {

struct GarsideForm {
    int strands = 2;
    // p, the power of Delta
    int deltaPower = 0;
    std::vector<std::vector<int>> factors; // x_1 .. x_m as permutations

    friend bool operator==(const GarsideForm&, const GarsideForm&) = default;
};

// Returns the normal form of a word of n strands.
CAPSTAN_API Result<GarsideForm> garsideForm(const BraidWord& word, int n);

// Returns the form as a word: |p| half twists, then the factors.
CAPSTAN_API BraidWord garsideWord(const GarsideForm& form);

// Returns a short word for the form. In Delta^-r x_1 .. x_m each Delta^-1 is combined with one factor. This is
// shorter because Delta^-1 x is the inverse of a simple braid of length |Delta| - |x|. The longest factors are
// combined first. Each Delta^-1 for which there is no factor stays.
CAPSTAN_API BraidWord shortGarsideWord(const GarsideForm& form);

// Returns shortGarsideWord of a 3-braid, which is of least length: M. Berger, "Minimum crossing numbers for
// 3-braids", J. Phys. A 27 (1994). For more strands shortGarsideWord need not be the shortest; shortWord
// (untangle.hpp) searches further.
CAPSTAN_API Result<BraidWord> shortestWordB3(const BraidWord& word);

} // namespace capstan
