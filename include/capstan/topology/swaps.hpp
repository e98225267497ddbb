// SPDX-License-Identifier: MIT
//
// Conversion of swaps of strands into letters of a braid word. BraidMotion and BraidReader share it.
#pragma once

#include <capstan/api.hpp>
#include <capstan/topology/braid.hpp>

#include <vector>

namespace capstan {

// Strands a and b swap positions at `when`, a time or a height; `sign` is the sign of their crossing.
struct StrandSwap {
    double when = 0;
    int a = 0, b = 0;
    int sign = 0;
};

// Appends a letter, or removes the last letter if the two cancel. So the word stays freely reduced.
CAPSTAN_API void appendReduced(BraidWord& word, int letter);

// Appends the swaps to `word` in the order of `when`. `order` lists the strands from left to right and is updated.
// Two strands can swap only when they are neighbours. Rounding may have changed the order of swaps whose `when`
// differs by at most `tie`. Among these the first swap between neighbours is taken first. If three strands cross in
// one place, s_i s_(i+1) s_i and s_(i+1) s_i s_(i+1) are both right. Returns false if swaps that are further apart
// than `tie` do not fit the order; word and order are then incomplete.
CAPSTAN_API bool spellSwaps(std::vector<StrandSwap>& swaps, double tie, std::vector<int>& order,
                            BraidWord& word);

} // namespace capstan
