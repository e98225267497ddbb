// SPDX-License-Identifier: MIT
//
// A Gauss code describes a diagram of knots and links without coordinates. It lists the crossings along each closed
// rope, over or under, and the sign of each crossing. On a sphere this determines the diagram (C. F. Gauss; with
// signs, L. Kauffman, "Virtual knot theory" 1999).
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>
#include <capstan/topology/crossings.hpp>
#include <capstan/topology/polylines.hpp>

#include <span>
#include <vector>

namespace capstan {

struct CAPSTAN_API GaussCode {
    struct Visit {
        int crossing = 0;
        bool over = false;
    };
    // Visits of each rope in cyclic order; empty: a ring without crossings.
    std::vector<std::vector<Visit>> ropes;
    std::vector<int> signs; // by crossing: +1 or -1

    int writhe() const; // the sum of the signs
};

// Returns the Gauss code of closed ropes. Returns an Error if two crossings on one segment are closer than 1e-9 of
// its length, because their order is then not certain. Another view resolves this.
CAPSTAN_API Result<GaussCode> gaussCode(const Polylines& ropes, std::span<const Crossing> crossings);

// Returns the Gauss code of the closure of a braid with n strands. The end of each position is joined to the start of
// that position, one ring for each cycle of the permutation.
CAPSTAN_API Result<GaussCode> gaussCode(const BraidWord& word, int n);

// Removes loops of one crossing, and pairs of crossings in which one rope lies over the other, until there are no
// more. These are Reidemeister's first and second moves.
CAPSTAN_API void simplify(GaussCode& code);

} // namespace capstan
