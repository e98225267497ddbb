// SPDX-License-Identifier: MIT
//
// From swaps of strands to letters of a braid word: the common end of reading a motion and reading ropes.
#pragma once

#include <capstan/api.hpp>
#include <capstan/topology/braid.hpp>

#include <vector>

namespace capstan {

// Strands a and b change places; `when` is a time or a height, and the sign is that of the crossing.
struct StrandSwap {
    double when = 0;
    int a = 0, b = 0;
    int sign = 0;
};

// Appends a letter, or takes back the last one where the two cancel: the word stays freely reduced.
CAPSTAN_API void appendReduced(BraidWord& word, int letter);

// Spells the swaps in the order of their time, `order` being the strands from left to right, which is
// brought up to date. Two strands can only swap when they are neighbours. Where several swaps are no further
// apart than `tie`, rounding may have put them in a wrong order, and the first that is between neighbours
// goes first: of three strands that cross in one place s_i s_(i+1) s_i and s_(i+1) s_i s_(i+1) are both
// right. False, and word and order half done, when swaps further apart than that do not fit the order.
CAPSTAN_API bool spellSwaps(std::vector<StrandSwap>& swaps, double tie, std::vector<int>& order,
                            BraidWord& word);

} // namespace capstan
