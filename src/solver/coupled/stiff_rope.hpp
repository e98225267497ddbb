// SPDX-License-Identifier: MIT
// Stiff ropes of the coupled solver: one Newton iteration that includes bending.
//
// Other ropes solve bending before lengths and contact (solver/rope/bend.hpp). At rest such a rope bears the bending force
// of a shape that is smoothed over a length a with
//     a^4 = B h^2 l / m
// and contact is too soft by as much. While a is a segment or two this is not visible. From (a / l)^4 = 30 on the two
// solves throw a rod in contact to and fro: it trembles. So above 12 (CoupledDef::stiff, a / l = 1.9) the same bending
// matrix K goes into the iteration itself:
//     [ M + h^2 K + T + D   A^T ] [ dx ]     [ g ]        g = M (x - y) + h^2 K x + contact + A^T lambda
//     [ A                -alpha ] [ f  ] = - [ r ]
// A, r, alpha and the geometric stiffness T are those of solver/rope/newton.hpp; D and contact are those of
// iterate.cpp. A node and the multiplier of its segment take four neighbouring rows, so the matrix has a band of
// 8. A ring takes its nodes alternately from both ends and has a band of 16. The factor is L D L^T without pivoting.
// Pivots of nodes are positive. A multiplier comes after a node that it pulls at, so its pivot is negative.
//
// It has no lanes and does not serve ropes of mechanisms or a limit of the bend (these stay with the chain). So only
// ropes that need it pay for it.
#pragma once

#include <vector>

namespace capstan {

struct StiffRope {
    bool on = false;
    std::vector<double> columns; // of the matrix from the diagonal down, then of L; the diagonal holds 1 / D
    std::vector<double> rhs;
};

struct CoupledIsland;
template <class W> struct RopeUnits;

// The stiff versions of openUnit and answerUnit in rope_units.hpp.
void openStiff(CoupledIsland& t, RopeUnits<double>& g);
void answerStiff(CoupledIsland& t, RopeUnits<double>& g);

} // namespace capstan
