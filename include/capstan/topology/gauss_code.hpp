// SPDX-License-Identifier: MIT
//
// A Gauss code is a diagram of knots and links without its picture. It lists the crossings along each closed rope,
// over or under, and the sign of each. On a sphere this is the whole diagram (C. F. Gauss; with signs, L. Kauffman,
// "Virtual knot theory" 1999).
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
    std::vector<std::vector<Visit>> ropes; // each one is cyclic; empty: a ring without crossings
    std::vector<int> signs;                // by crossing

    int writhe() const; // the sum of the signs
};

// The Gauss code of closed ropes. The call returns an error where two crossings on one segment are closer than 1e-9 of
// it, so their order is not certain. Another view will help.
CAPSTAN_API Result<GaussCode> gaussCode(const Polylines& ropes, std::span<const Crossing> crossings);

// The Gauss code of the closure of a braid. Strands' ends are joined from the last position to the first, one ring per
// cycle of the permutation.
CAPSTAN_API Result<GaussCode> gaussCode(const BraidWord& word, int n);

// simplify removes loops of one crossing, and pairs of crossings in which one rope lies over the other, until none is
// left. These are Reidemeister's first and second moves.
CAPSTAN_API void simplify(GaussCode& code);

} // namespace capstan
