// SPDX-License-Identifier: MIT
//
// The table of knots. knot_table_test compares every line with two-bridge fractions and closed braids.
#include "topology/knot/knot_table.hpp"

namespace capstan {
namespace {

constexpr KnownKnot table[] = {
    {"0_1", 0, 0, true, {1}},
    {"3_1", 3, 2, false, {-1, 1}},
    {"4_1", 4, 0, true, {3, -1}},
    {"5_1", 5, 4, false, {1, -1, 1}},
    {"5_2", 5, 2, false, {-3, 2}},
    {"6_1", 6, 0, false, {5, -2}},
    {"6_2", 6, 2, false, {-3, 3, -1}},
    {"6_3", 6, 0, true, {5, -3, 1}},
    {"3_1#3_1", 6, 4, false, {3, -2, 1}},
    {"3_1#3_1*", 6, 0, true, {3, -2, 1}},
    {"7_1", 7, 6, false, {-1, 1, -1, 1}},
    {"7_2", 7, 2, false, {-5, 3}},
    {"7_3", 7, 4, false, {3, -3, 2}},
    {"7_4", 7, 2, false, {-7, 4}},
    {"7_5", 7, 4, false, {5, -4, 2}},
    {"7_6", 7, 2, false, {-7, 5, -1}},
    {"7_7", 7, 0, false, {9, -5, 1}},
    {"3_1#4_1", 7, 2, false, {-5, 4, -1}},
    {"8_1", 8, 0, false, {7, -3}},
    {"8_2", 8, 4, false, {3, -3, 3, -1}},
    {"8_3", 8, 0, true, {9, -4}},
    {"8_4", 8, 2, false, {-5, 5, -2}},
    {"8_5", 8, 4, false, {5, -4, 3, -1}},
    {"8_6", 8, 2, false, {-7, 6, -2}},
    {"8_7", 8, 2, false, {-5, 5, -3, 1}},
    {"8_8", 8, 0, false, {9, -6, 2}},
    {"8_9", 8, 0, true, {7, -5, 3, -1}},
    {"8_10", 8, 2, false, {-7, 6, -3, 1}},
    {"8_11", 8, 2, false, {-9, 7, -2}},
    {"8_12", 8, 0, true, {13, -7, 1}},
    {"8_13", 8, 0, false, {11, -7, 2}},
    {"8_14", 8, 2, false, {-11, 8, -2}},
    {"8_15", 8, 4, false, {11, -8, 3}},
    {"8_16", 8, 2, false, {-9, 8, -4, 1}},
    {"8_17", 8, 0, true, {11, -8, 4, -1}},
    {"8_18", 8, 0, true, {13, -10, 5, -1}},
    {"8_19", 8, 6, false, {1, 0, -1, 1}},
    {"8_20", 8, 0, false, {3, -2, 1}},
    {"8_21", 8, 2, false, {-5, 4, -1}},
    {"4_1#4_1", 8, 0, true, {11, -6, 1}},
    {"3_1#5_1", 8, 6, false, {-3, 3, -2, 1}},
    {"3_1#5_1*", 8, 2, false, {-3, 3, -2, 1}},
    {"3_1#5_2", 8, 4, false, {7, -5, 2}},
    {"3_1#5_2*", 8, 0, false, {7, -5, 2}},
};

} // namespace

IntegerPolynomial KnownKnot::alexander() const {
    std::size_t last = middle.size() - 1;
    while (middle[last] == 0) --last;
    IntegerPolynomial p;
    for (std::size_t k = last; k > 0; --k) p.push_back(middle[k]);
    for (std::size_t k = 0; k <= last; ++k) p.push_back(middle[k]);
    return p;
}

std::span<const KnownKnot> knotTable() { return table; }

} // namespace capstan
