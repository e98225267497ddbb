// SPDX-License-Identifier: MIT
//
// A diagram of knots and links without its picture: the crossings in the order in which each closed rope
// meets them, over or under, and the sign of each. On a sphere this is the whole diagram (C. F. Gauss; with
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
    std::vector<std::vector<Visit>> ropes; // each goes round; empty: a ring that crosses nothing
    std::vector<int> signs;                // of the crossings

    int writhe() const; // the sum of the signs
};

// Of closed ropes. An error where the order of two crossings on one segment cannot be told (closer than 1e-9
// of it): another view will do.
CAPSTAN_API Result<GaussCode> gaussCode(const Polylines& ropes, std::span<const Crossing> crossings);

// Of the closure of a braid: the strands' ends joined, last position to first, one ring per cycle of its
// permutation.
CAPSTAN_API Result<GaussCode> gaussCode(const BraidWord& word, int n);

// Undoes loops of one crossing and pairs of crossings in which one rope lies over the other (Reidemeister's
// first and second moves), as long as there are any.
CAPSTAN_API void simplify(GaussCode& code);

} // namespace capstan
