// SPDX-License-Identifier: MIT
// The coupled solver where an island has bodies only: rounds of an exact solve in place of responses. See solve.cpp.
#pragma once

#include "solver/coupled/bodies/block_factor.hpp"
#include "solver/coupled/rows.hpp"

#include <utility>
#include <vector>

namespace capstan {

// A contact row as a function of the step x of the round: d = J x is the displacement of its first side from its second.
struct BodyRow {
    int unknown[2] = {-1, -1}; // -1: the body is not dynamic
    int block = -1;            // of both unknowns in the matrix; -1: one of them is not dynamic
    bool swapped = false;      // the first unknown is the column of that block
    Vec3d arm[2], n;
    double rho = 0, push = 0, grip = 0; // push: normal force at d = 0; grip: largest friction force
    Vec3d rub;                          // friction force at d = 0, not limited
    Vec3d d;                            // J x
};

// A row along the line of a Newton step: its values at the begin of the line, and their changes over the whole step.
struct RowLine {
    double push, pushChange, away, grip; // away: change of the gap
    Vec3d rub, rubChange, across;        // across: sideways displacement
};

struct BodySolver {
    BlockFactor matrix;
    std::vector<std::pair<int, int>> edges,
        edgesBefore;                    // unknowns whose bodies have rows, now and when ordered
    double limit = 0;                   // J: most kinetic energy of all bodies after the substep
    bool sparse = true;                 // the matrix of these edges has few blocks
    std::vector<int> unknownOf, bodyOf; // by body of the island, and by unknown
    std::vector<BodyRow> rows;
    std::vector<RowLine> lines;
    std::vector<double> grips;                     // by row: largest friction force of the round
    std::vector<BlockFactor::Block> own;           // by unknown: mass, inertia and geometric stiffness
    std::vector<BlockFactor::Part> x, step;        // step of the round, and Newton's step
    std::vector<BlockFactor::Part> pull, gradient; // gradient at x without rows, and with them
};

// Minimises the function of one round over the step x, from the present one. Returns whether the forces balance.
bool minimise(CoupledIsland& t, BodySolver& s);

} // namespace capstan
