// SPDX-License-Identifier: MIT
// Stiff ropes of the coupled solver: one Newton iteration that includes bending.
//
// Ropes of ordinary stiffness solve bending before lengths and contact (solver/rope/bend.hpp). At rest such a
// rope gets the bending force of a shape that is smoothed over a length a,
//     a^4 = B h^2 l / m
//
// B is the bending stiffness, h the substep, l the length of a segment and m the mass of a node. Contact is
// too soft by the same amount. While a is a segment or two this is not visible. From (a / l)^4 = 30 on, the
// two solves push a rod in contact back and forth, and it trembles. So above 12 (CoupledDef::stiff, a / l =
// 1.9) the bending matrix K of bend.hpp is part of the Newton iteration:
//     [ M + h^2 K + T + D   A^T ] [ dx ]     [ g ]        g = M (x - y) + h^2 K x + contact + A^T lambda
//     [ A                -alpha ] [ f  ] = - [ r ]
// A, r, alpha, f and the geometric stiffness T are those of solver/rope/newton.hpp; D and contact are those
// of iterate.cpp. A node and the multiplier of its segment take four neighbouring rows, so the matrix has a
// band of 8. A ring orders its nodes alternately from both ends and has a band of 16. The factorization is L
// D L^T without pivoting. Pivots of nodes are positive. A multiplier is eliminated after a node of its
// segment, so its pivot is negative.
//
// A strut is an open rope that is pressed along itself in every segment, by more than a tenth of the least load of
// Euler. There the two solves one after the other act as a softer rod, and it buckles too early. So struts take the
// common solve already above 0.3 (CoupledDef::stiffStrut).
//
// This solve has no lanes, and no support for ropes of mechanisms or a bend limit; those ropes use
// solver/rope/bend.hpp. So only ropes that need it pay for it.
#pragma once

#include <vector>

namespace capstan {

struct StiffRope {
    bool on = false;
    std::vector<double> columns; // of the matrix from the diagonal down, then of L; the diagonal holds 1 / D
    std::vector<double> rhs;
};

struct CoupledIsland;
struct IslandRope;
struct Model;
struct Rope;
struct State;
template <class W> struct RopeUnits;

// Finds the struts of the island.
void findStruts(CoupledIsland& t, const Model& m, const State& s);

// Returns whether bending is so stiff that it must be solved together with contact.
bool tooStiff(const CoupledIsland& t, const IslandRope& rope, const Rope& r);

// The versions of openUnit and answerUnit (rope_units.hpp) for a stiff rope.
void openStiff(CoupledIsland& t, RopeUnits<double>& g);
void answerStiff(CoupledIsland& t, RopeUnits<double>& g);

} // namespace capstan
