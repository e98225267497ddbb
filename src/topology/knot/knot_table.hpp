// SPDX-License-Identifier: MIT
//
// The table of all knots that have a diagram of at most eight crossings: 0_1, the 35 prime knots up to 8_21, and
// their sums. The names are those of Alexander & Briggs (1927) and D. Rolfsen, "Knots and Links" (1976).
#pragma once

#include <capstan/topology/integer_polynomial.hpp>

#include <array>
#include <span>

namespace capstan {

// In a sum, * marks the mirror image: "3_1#3_1" is the granny knot, "3_1#3_1*" the square (reef) knot.
struct KnownKnot {
    const char* name;
    int crossings;             // least number over all diagrams
    int signature;             // absolute value
    bool amphichiral;          // equal to its mirror image
    std::array<int, 4> middle; // Alexander polynomial from the middle coefficient outwards; it is symmetric

    IntegerPolynomial alexander() const;
};

std::span<const KnownKnot> knotTable();

} // namespace capstan
