// SPDX-License-Identifier: MIT
// Kinks: into how many parts a substep of a rope is cut, so that a fold that runs along it keeps its energy.
//
//     turn of segment i in a substep = |v_i - v_(i-1)| h / l      (lengths are kept, so the nodes turn about each other)
//
// A fold in a rope without weight is drawn out at speed v. With the energy kept, both ends are pulled with
// lambda v^2 / 4; a solver that loses it pulls 0 and lambda v^2 / 2. A half turn of 4 links, 4 links a frame:
//     turn in a substep (rad)     0.76     0.38     0.25     0.19     0.13     0.10
//     pull at the held end       -0.04     0.96     0.99     0.99     1.00     1.00      of lambda v^2 / 4
//     pull at the drawn end       2.04     1.04     1.01     1.00     1.00     1.00
//
// A step for the lengths that keeps energy was refused: the midpoint rule with the mean of the old and new
// directions. It has 1.00 and 1.00 at 0.76 rad and at 0.38 rad. That takes 6 and 4 Newton solves, where two
// parts of BDF2 take two. At 1.5 rad it gains 30 % of the energy and fails, so it needs parts as well. It
// damps nothing: a fold whose nodes begin at rest fails after 8 substeps, or its pulls tremble by ten times
// their mean. With the speeds projected after each substep it loses 8 % of the pull at 0.38 rad.
#pragma once

#include "solver/rope/chain.hpp"

namespace capstan {

inline constexpr double kKink = 0.35; // rad, largest turn in a substep that is not cut; the table above
inline constexpr double kTurn = 0.25; // rad, largest turn in a part
inline constexpr int kMostParts = 64; // of a substep

// Largest rate of turn of a segment, squared, in units of (segment length / s)^2.
template <class W> CAPSTAN_INLINE void turnOf(const ChainLanes<W>& c, int i, W& most) {
    const Vec<W> off = c.past[i < c.nodes ? i : 0].v - c.past[i - 1].v;
    most = max(most, select(c.node[i].rest > W(0.0), dot(off, off), W(0.0)));
}

template <class W> W turnRate(const ChainLanes<W>& c) {
    W most = W(0.0);
    for (int i = 1; i < c.nodes + int(c.closed); ++i) turnOf(c, i, most);
    return most * c.invReach * c.invReach;
}

// Does a segment turn too far in a substep at this rate? Speeds that overflow are none of a kink.
template <class W> CAPSTAN_INLINE MaskOf<W> kinked(W rate, W dt) {
    const W turn = rate * dt * dt;
    return (turn > W(kKink * kKink)) & (turn < W(1e12));
}

// Parts of `left`, the rest of a substep dt.
inline int partsOf(double rate, double left, double dt) {
    const double turn = sqrt(rate) * left / kTurn, most = kMostParts * left / dt;
    const double parts = turn < most ? turn : most;
    const int whole = int(parts);
    return whole < parts || whole < 1 ? whole + 1 : whole;
}

} // namespace capstan
