// SPDX-License-Identifier: MIT
// Rope elimination, bending: one implicit step of the beam energy before the lengths are solved.
//
//   B_i = (x_(i+1) - x_i)/l_(i+1) - (x_i - x_(i-1))/l_i         change of direction at node i
//   E   = sum 1/2 EI 2/(l_i + l_(i+1)) |B_i|^2                  (exact 2 EI/l sin^2(angle/2) for equal segments)
//   (M + h^2 K) (z - y) = -h^2 K y                              one matrix for x, y and z
//
// Here x, y and z are node positions: the current ones, the prediction, and the prediction after bending. The
// length of segment i is l_i, and h is the substep. M is the mass matrix, and K the Hessian of E. The three
// components of a position share one matrix. K is constant for fixed lengths, so the step is stable for any
// stiffness.
// Explicit bending is only conditionally stable: a segment of 2 cm with EI = 1e-3 N m^2 needs h < 1/500 s.
// The matrix is pentadiagonal and is solved by L D L^T in O(n).
//
// Bending and lengths are solved one after the other. In statics this costs an error of first order in h^2:
// 0.1 % on the cantilever of validation R1. A clamped end is a spring 2 EI/l between the direction of the
// first segment and that of the clamp. The spring stands for half a segment of beam. A spring for a full
// segment, or a rigid first segment, is wrong by 5 % there. The bend limit is a one-sided spring.
#pragma once

#include "solver/rope/chain.hpp"

namespace capstan {

// Names for the matrix of the bending solve. It is stored in the node's Newton fields, which are unused until
// the length solve.
template <class W> struct BendFields {
    ChainNode<W>& a;
    CAPSTAN_INLINE W& diagonal() { return a.tq.xx; }
    CAPSTAN_INLINE W& below1() { return a.tq.xy; } // A(i, i-1), then L(i, i-1)
    CAPSTAN_INLINE W& below2() { return a.tq.xz; } // A(i, i-2), then L(i, i-2)
    CAPSTAN_INLINE Vec<W>& rhs() { return a.e; }
    CAPSTAN_INLINE W& border1() { return a.tq.yy; } // for rings: A(i, n-2)
    CAPSTAN_INLINE W& border2() { return a.tq.zz; } // for rings: A(i, n-1)
};

// A bent node with its two neighbours. segAt is the index of the segment that ends at the node (n for node 0
// of a ring).
template <class W> struct BentNode {
    const ChainNode<W>&before, &at, &after;
    W alpha, beta; // 1 / l of the two segments; both are 0 in lanes whose rope has no such node
    MaskOf<W> there;
    W span;

    CAPSTAN_INLINE BentNode(const ChainLanes<W>& c, int b, int o, int a, int segAt)
        : before(c.node[b]), at(c.node[o]), after(c.node[a]) {
        const W l = c.node[segAt].rest, lAfter = c.node[o + 1].rest;
        there = (l > W(0.0)) & (lAfter > W(0.0));
        alpha = select(there, W(1.0) / l, W(0.0));
        beta = select(there, W(1.0) / lAfter, W(0.0));
        span = select(there, l + lAfter, W(1.0));
    }
    CAPSTAN_INLINE Vec<W> turn(Vec<W> ChainNode<W>::*x) const {
        return beta * (after.*x - at.*x) - alpha * (at.*x - before.*x);
    }
    // Returns the largest allowed |B| in this substep. If the limit is exceeded already, the allowed value
    // decreases so that a fifth of the excess is removed in each substep. If all of the excess were removed
    // at once, the node would keep the velocity of the correction. The rope would then gain energy until it
    // breaks.
    CAPSTAN_INLINE W limit(const ChainLanes<W>& c) const {
        const W had = length(turn(&ChainNode<W>::position));
        return c.maxBend + max(W(0.0), W(0.8) * (had - c.maxBend));
    }
};

// Stiffness and force of the row of one bent node. The limit is a one-sided spring of ten times the stiffness
// m/h^2 that a node's inertia has. Stiffer springs and springs with a multiplier were tried and are not
// stable: the length solve bends again the nodes that the spring straightened. So the limit is soft: a rope
// that carries a large weight at a limited node exceeds it.
template <class W> struct BendRow {
    W k;         // stiffness of the row, times h^2
    Vec<W> pull; // -dE/dB, times h^2
    MaskOf<W> limited;
};

template <class W> CAPSTAN_INLINE BendRow<W> bendRow(const ChainLanes<W>& c, const BentNode<W>& node) {
    const W zero = W(0.0);
    const Vec<W> B = node.turn(&ChainNode<W>::z);
    const W k = select(node.there, c.bend * W(2.0) / node.span, zero);
    if (!c.limits) return {k, (-k) * B, MaskOf<W>(false)};
    const W size = length(B), over = size - node.limit(c);
    const MaskOf<W> limited = node.there & (over > zero);
    const W half = W(0.5) * node.span, mass = c.stiffnessMin * W(1e4); // mass of a node
    const W spring = select(limited, W(10.0) * (mass + abs(node.at.lambda) / half) * half * half, zero);
    return {k + spring, (-(k + spring * over / max(size, W(1e-30)))) * B, limited};
}

// Assembles (M + h^2 K) and -h^2 K y row by row. In a ring, indices of neighbours are modulo n. c.limited
// becomes true in lanes where a bend limit acts.
template <class W> CAPSTAN_HD void bendAssemble(ChainLanes<W>& c, bool closed) {
    const W zero = W(0.0);
    const int n = c.nodes;
    c.limited = MaskOf<W>(false);
    for (int i = 0; i < n; ++i) {
        BendFields<W> f{c.node[i]};
        f.diagonal() = c.node[i].mass;
        f.below1() = zero;
        f.below2() = zero;
        f.border1() = zero;
        f.border2() = zero;
        f.rhs() = {zero, zero, zero};
    }
    // A(i, j) += a for i > j, in the column that stores this entry.
    auto couple = [&](int i, int j, W a) {
        const int high = i < j ? j : i, low = i < j ? i : j;
        BendFields<W> row{c.node[high]}, column{c.node[low]};
        if (closed && high == n - 1)
            column.border2() += a;
        else if (closed && high == n - 2)
            column.border1() += a;
        else if (high - low == 1)
            row.below1() += a;
        else
            row.below2() += a;
    };
    for (int i = closed ? 0 : 1; i < (closed ? n : n - 1); ++i) {
        const int before = (i + n - 1) % n, after = (i + 1) % n;
        const BentNode<W> node(c, before, i, after, i > 0 ? i : n);
        const BendRow<W> r = bendRow(c, node);
        c.limited = c.limited | r.limited;
        const W cb = node.alpha, ca = node.beta, co = -(node.alpha + node.beta);
        BendFields<W> fb{c.node[before]}, fo{c.node[i]}, fa{c.node[after]};
        fb.diagonal() += r.k * cb * cb;
        fo.diagonal() += r.k * co * co;
        fa.diagonal() += r.k * ca * ca;
        couple(i, before, r.k * cb * co);
        couple(after, i, r.k * co * ca);
        couple(after, before, r.k * cb * ca);
        fb.rhs() += cb * r.pull;
        fo.rhs() += co * r.pull;
        fa.rhs() += ca * r.pull;
    }
}

// Adds the spring between an end segment and the direction of its clamp. `at` is the node next to the end
// node `end`.
template <class W>
CAPSTAN_INLINE void bendClamp(ChainLanes<W>& c, int at, int end, W rest, Vec<W> direction, MaskOf<W> here) {
    MaskOf<W> on = here & (dot(direction, direction) > W(0.0)) & (rest > W(0.0));
    W k = select(on, c.bend * W(2.0) / (rest * rest * rest), W(0.0));
    Vec<W> off = c.node[at].z - c.node[end].z - rest * direction;
    BendFields<W> f{c.node[at]};
    f.diagonal() += k;
    f.rhs() += (W(-1.0) * k) * select(on, off, Vec<W>{W(0.0), W(0.0), W(0.0)});
}

template <class W> CAPSTAN_HD void bendClamps(ChainLanes<W>& c) {
    bendClamp(c, 1, 0, c.node[1].rest, c.clamp[0], MaskOf<W>(true));
    for (int i = 1; i + 1 < c.nodes; ++i) {
        MaskOf<W> here = perLane<W>([&](int k) { return i == c.count[k] - 2 ? 1.0 : 0.0; }) > W(0.5);
        if (any(here)) bendClamp(c, i, i + 1, c.node[i + 1].rest, c.clamp[1], here);
    }
}

// Factors the first n rows as L D L^T and does the forward half of the solve. 1/D replaces the diagonal.
template <class W> CAPSTAN_HD void bendFactor(ChainLanes<W>& c, int n, bool closed) {
    W d1 = W(0.0), d2 = W(0.0); // D of the two previous rows
    for (int i = 0; i < n; ++i) {
        BendFields<W> f{c.node[i]};
        W l2 = W(0.0), l1 = W(0.0), d = f.diagonal();
        if (i > 1) {
            BendFields<W> p{c.node[i - 1]}, pp{c.node[i - 2]};
            l2 = f.below2() * pp.diagonal();
            l1 = (f.below1() - l2 * d2 * p.below1()) * p.diagonal();
        } else if (i == 1) {
            l1 = f.below1() * BendFields<W>{c.node[0]}.diagonal();
        }
        d = d - l2 * l2 * d2 - l1 * l1 * d1;
        f.below1() = l1;
        f.below2() = l2;
        if (i > 0) f.rhs() = f.rhs() - l1 * c.node[i - 1].e;
        if (i > 1) f.rhs() = f.rhs() - l2 * c.node[i - 2].e;
        if (closed) {
            BendFields<W> p{c.node[i > 0 ? i - 1 : 0]}, pp{c.node[i > 1 ? i - 2 : 0]};
            f.border1() = f.border1() - l1 * p.border1() - l2 * pp.border1();
            f.border2() = f.border2() - l1 * p.border2() - l2 * pp.border2();
        }
        f.diagonal() = W(1.0) / d;
        d2 = d1;
        d1 = d;
    }
}

// Solves the two border unknowns of a ring, nodes n-2 and n-1, by their Schur complement. After bendFactor,
// the fields border1 and border2 hold the columns of L^-1 A.
template <class W> CAPSTAN_HD void bendRing(ChainLanes<W>& c, int n, W a11, W a12, W a22) {
    BendFields<W> g{c.node[n - 2]}, h{c.node[n - 1]};
    Vec<W> r1 = g.rhs(), r2 = h.rhs();
    for (int i = 0; i < n - 2; ++i) {
        BendFields<W> f{c.node[i]};
        W s1 = f.border1() * f.diagonal(), s2 = f.border2() * f.diagonal();
        a11 = a11 - s1 * f.border1();
        a12 = a12 - s1 * f.border2();
        a22 = a22 - s2 * f.border2();
        r1 = r1 - s1 * f.rhs();
        r2 = r2 - s2 * f.rhs();
    }
    W inv = W(1.0) / (a11 * a22 - a12 * a12);
    g.rhs() = inv * (a22 * r1 - a12 * r2);
    h.rhs() = inv * (a11 * r2 - a12 * r1);
    for (int i = 0; i < n - 2; ++i) {
        BendFields<W> f{c.node[i]};
        f.rhs() = f.rhs() - f.border1() * c.node[n - 2].e - f.border2() * c.node[n - 1].e;
    }
}

// Moves z from the prediction y to the minimum of inertia and bending.
template <class W> CAPSTAN_HD void chainBend(ChainLanes<W>& c) {
    const bool closed = c.closed;
    const int n = c.nodes, core = closed ? n - 2 : n;
    bendAssemble(c, closed);
    if (!closed) bendClamps(c);
    BendFields<W> g{c.node[n - 2]}, h{c.node[n - 1]};
    const W a11 = g.diagonal(), a22 = h.diagonal(), a12 = g.border2();
    bendFactor(c, core, closed);
    if (closed) bendRing(c, n, a11, a12, a22);
    for (int i = core - 1; i >= 0; --i) {
        BendFields<W> f{c.node[i]};
        Vec<W> x = f.diagonal() * f.rhs();
        if (i + 1 < core) x = x - BendFields<W>{c.node[i + 1]}.below1() * c.node[i + 1].e;
        if (i + 2 < core) x = x - BendFields<W>{c.node[i + 2]}.below2() * c.node[i + 2].e;
        f.rhs() = x;
    }
    for (int i = 0; i < n; ++i) {
        ChainNode<W>& a = c.node[i];
        a.z = select(held(a), a.z, a.z + a.e);
        if (i > 0) a.z = select(a.rest > W(0.0), a.z, c.node[i - 1].z);
    }
}

} // namespace capstan
