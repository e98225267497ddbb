// SPDX-License-Identifier: MIT
// Mechanism solver, loops: joints that close a loop, as rows beside the elimination of the tree.
//
// A row requires J x = -C of the step x, with a compliance alpha and a multiplier mu between bounds. J has
// entries for at most two units. T is the matrix of the tree. The system is
//     (G + alpha + eps) mu = C + J x0,   G = J T^-1 J^T,   x = x0 - T^-1 J^T mu
// Here x0 is the step of the tree alone. Each column of G is one pass through the eliminated tree (respond).
// Redundant rows, such as two hinges on one axis, make G singular. Therefore eps, 1e-4 of the mean diagonal
// of G, is added, and distributes the force among such rows. A linkage that cannot close gets the
// least-squares compromise.
//
// Bounds of limits and drives are handled by an active set. Refused: Gauss-Seidel over the loops through the
// tree diverges on such rows in float.
#pragma once

#include "solver/mechanism/rope_unit.hpp"

#include <vector>

namespace capstan {

// One side of a row. Its gradient is t for the rotation of a body, and p for the displacement of the body's
// anchor or of a rope's node.
struct RowSide {
    int unit = -1; // -1: ground
    int node = 0;
    Vec3d t = {0, 0, 0}, p = {0, 0, 0};
};

struct LoopRow {
    RowSide side[2];
    double C = 0, alpha = 0;
    double low = -kNoLimit, high = kNoLimit; // bounds of mu
    bool angular = false;
    bool hard = true; // true: C is a gap that counts for convergence and gets eps
    double mu = 0;
};

// A joint that closes a loop, so it is not in the tree.
struct LoopJoint {
    Tie tie;
    const Joint* joint = nullptr;
    Pose ground[2];            // pose of a side on a static or kinematic body, at the end of the substep
    Vec3d position[2], arm[2]; // anchors; levers from each centre of mass to the point of the force
    JointAxes<double> axes;
    Vec3d gap = {0, 0, 0}, old = {0, 0, 0}; // as in TreeJoint
    Vec3d F = {0, 0, 0}, T = {0, 0, 0};     // on side 1, N and N m
    double angle = 0, slid = 0;
    double turnStart = 0, start = 0, swingStart = 0;
    double turnStep = 0, step = 0;          // change of angle and slid in the previous substep
    double turnTarget = 0, slideTarget = 0; // targets at the end of the step
    double turnFrom = 0, slideFrom = 0;     // targets at the start of the step
    std::size_t firstRow = 0;
};

// Solves (G + diag) mu = c within bounds. G is n x n, symmetric, stored by columns. The solve is dense, as
// there are few rows, and eps keeps the pivots above zero.
inline void solveRows(std::vector<double>& G, std::vector<LoopRow>& rows, const std::vector<double>& c,
                      std::vector<double>& work, std::vector<double>& b, std::vector<char>& fixed) {
    const std::size_t n = rows.size();
    fixed.assign(n, 0);
    auto factorSolve = [&] {
        work = G;
        b.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            b[i] = c[i];
            for (std::size_t k = 0; k < n; ++k)
                if (fixed[k]) b[i] -= G[i * n + k] * rows[k].mu;
        }
        for (std::size_t i = 0; i < n; ++i) { // L D L^T, without the fixed rows
            if (fixed[i]) continue;
            const double pivot = 1 / work[i * n + i];
            for (std::size_t k = i + 1; k < n; ++k) {
                if (fixed[k]) continue;
                const double l = work[k * n + i] * pivot;
                for (std::size_t q = i + 1; q <= k; ++q)
                    if (!fixed[q]) work[k * n + q] -= l * work[q * n + i];
                b[k] -= l * b[i];
            }
        }
        for (std::size_t i = n; i-- > 0;) {
            if (fixed[i]) continue;
            double sum = b[i];
            for (std::size_t k = i + 1; k < n; ++k)
                if (!fixed[k]) sum -= work[k * n + i] * rows[k].mu;
            rows[i].mu = sum / work[i * n + i];
        }
    };
    for (int iteration = 0; iteration < 8; ++iteration) {
        factorSolve();
        bool changed = false;
        for (std::size_t i = 0; i < n; ++i) {
            LoopRow& r = rows[i];
            if (!fixed[i] && (r.mu < r.low || r.mu > r.high)) {
                r.mu = r.mu < r.low ? r.low : r.high;
                fixed[i] = 1;
                changed = true;
            }
        }
        if (!changed) break;
    }
}

// Solves for another right-hand side b, with the factors in `work` from solveRows(). Overwrites b with the
// solution. Rows at their bounds stay fixed.
inline void solveRowsAgain(const std::vector<double>& work, std::vector<double>& b,
                           const std::vector<char>& fixed) {
    const std::size_t n = b.size();
    for (std::size_t i = 0; i < n; ++i) {
        if (fixed[i]) b[i] = 0;
        for (std::size_t k = i + 1; !fixed[i] && k < n; ++k)
            if (!fixed[k]) b[k] -= work[k * n + i] / work[i * n + i] * b[i];
    }
    for (std::size_t i = n; i-- > 0;) {
        if (fixed[i]) continue;
        for (std::size_t k = i + 1; k < n; ++k)
            if (!fixed[k]) b[i] -= work[k * n + i] * b[k];
        b[i] /= work[i * n + i];
    }
}

} // namespace capstan
