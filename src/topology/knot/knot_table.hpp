// SPDX-License-Identifier: MIT
//
// All knots that can be drawn with at most eight crossings: 0_1, the 35 prime ones to 8_21, and their sums.
// Names are those of Alexander & Briggs (1927) and D. Rolfsen, "Knots and Links" (1976).
#pragma once

#include <capstan/topology/integer_polynomial.hpp>

#include <array>
#include <span>

namespace capstan {

// In a sum, * is the mirror image: "3_1#3_1" is the granny knot, "3_1#3_1*" the square (reef) knot.
struct KnownKnot {
    const char* name;
    int crossings;    // the fewest of any diagram
    int signature;    // without its sign
    bool amphichiral; // equal to its mirror image
    std::array<int, 4>
        middle; // Alexander polynomial from the middle coefficient outwards; it is a palindrome

    IntegerPolynomial alexander() const;
};

std::span<const KnownKnot> knotTable();

} // namespace capstan
