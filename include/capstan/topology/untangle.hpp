// SPDX-License-Identifier: MIT
//
// Plans how to undo a braid by moving the ends of its strands. The plan spells a short word for the inverse braid;
// each letter is one strand that passes in front of its neighbour. One move changes one crossing, so the least number
// of moves is the length of the shortest word.
//
//   2 strands   s1^k: |k| moves
//   3 strands   the least number (M. Berger 1994, through Garside's normal form), in linear time
//   more        short, not always shortest: finding the least number is NP-hard when the number of strands may grow
//               (M. Paterson and A. Razborov 1991). The shortest word of free reduction, handle reduction and
//               Garside's normal form from both sides is taken. Then superfluous pairs of letters are removed.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>
#include <capstan/topology/braid_reader.hpp>

#include <vector>

namespace capstan {

// Returns a short word for the same braid.
CAPSTAN_API Result<BraidWord> shortWord(const BraidWord& word, int n);

// The strand `mover` passes in front of the strand `other` (nearer to the viewer, as in braid_reader.hpp) and takes
// its position.
struct UntangleMove {
    int mover = 0, other = 0;
    bool toTheRight = false;
    int letter = 0; // letter that the move appends to the word

    friend bool operator==(const UntangleMove&, const UntangleMove&) = default;
};

// Return the moves that make a braid trivial. The first overload names strands by their start positions, from 0;
// after the moves the strands hang side by side in that order. The second overload names ropes by their numbers in
// the reading. It returns an Error if the reading is not readable.
CAPSTAN_API Result<std::vector<UntangleMove>> untangle(const BraidWord& word, int n);
CAPSTAN_API Result<std::vector<UntangleMove>> untangle(const BraidReading& reading);

} // namespace capstan
