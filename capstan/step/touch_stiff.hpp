// SPDX-License-Identifier: MIT
// Touch, stiff ropes: one round of Newton with bending in it.
//
// Elsewhere bending is solved before the lengths and the contact (chain_bend.hpp). At rest the rope then bears the bending
// force of a shape that is smoothed over a length a with
//     a^4 = B h^2 l / m
// and contact is felt that much too soft. While a is a segment or two nobody sees that. From (a / l)^4 = 30 on the two steps
// throw a rod in contact to and fro: it trembles. So above 12 (TouchDef::stiff, a / l = 1.9)
// bending K, the same matrix, goes into the round itself:
//     [ M + h^2 K + T + D   A^T ] [ dx ]     [ g ]        g = M (x - y) + h^2 K x + contact + A^T lambda
//     [ A                -alpha ] [ f  ] = - [ r ]
// with the lengths' A, r, alpha and geometric stiffness T of chain_newton.hpp and D and contact of touch_couple.cpp. A node
// and the multiplier of its segment are four rows beside each other, so the matrix has a band of 8, and a ring, whose
// nodes are taken alternately from both of its ends, one of 16. L D L^T without pivots: a multiplier comes after a node that
// it pulls at, its pivot is negative, those of the nodes are positive.
//
// It has no lanes and no ropes of mechanisms, and a limit of the bend stays with the chain: only ropes that need it pay.
#pragma once

#include <vector>

namespace capstan {

struct StiffRope {
    bool on = false;
    std::vector<double> columns; // of the matrix from the diagonal down, then of L; the diagonal holds 1 / D
    std::vector<double> rhs;
};

struct Touch;
template <class W> struct TouchGroup;

// openUnit and answerUnit of touch_units.hpp.
void openStiff(Touch& t, TouchGroup<double>& g);
void answerStiff(Touch& t, TouchGroup<double>& g);

} // namespace capstan
