// SPDX-License-Identifier: MIT
//
// This file turns swaps of strands into letters of a braid word. Readers of motions and of ropes share it.
#pragma once

#include <capstan/api.hpp>
#include <capstan/topology/braid.hpp>

#include <vector>

namespace capstan {

// Strands a and b swap positions; `when` is a time or a height, and `sign` is that of the crossing.
struct StrandSwap {
    double when = 0;
    int a = 0, b = 0;
    int sign = 0;
};

// appendReduced appends a letter, or removes the last one where the two cancel, so the word stays freely reduced.
CAPSTAN_API void appendReduced(BraidWord& word, int letter);

// spellSwaps turns swaps into letters in the order of `when`. `order` lists the strands from left to right and is
// updated. Two strands can swap only when they are neighbours. Rounding may have changed the order of swaps that are
// no further apart than `tie`. Among these the first swap between neighbours goes first. If three strands cross in one
// place, s_i s_(i+1) s_i and s_(i+1) s_i s_(i+1) are both right. The result is false when swaps further apart than
// `tie` do not fit the order; word and order are then incomplete.
CAPSTAN_API bool spellSwaps(std::vector<StrandSwap>& swaps, double tie, std::vector<int>& order,
                            BraidWord& word);

} // namespace capstan
