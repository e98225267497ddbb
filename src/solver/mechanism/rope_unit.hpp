// SPDX-License-Identifier: MIT
// Mechanism solver, ropes: a rope that is tied to bodies is a unit of their tree.
//
// It has the nodes of solver/rope/chain.hpp, and is predicted, bent and stored with the functions there. Its
// root is the node nearest to the parent. The root is tied to a body, or pinned, or free. Nodes are
// eliminated from both ends towards the root, as in solver/rope/newton.hpp. A body that hangs on a node adds
// the 3 x 3 block of its ball joint to that node. So hanging bodies of any mass are solved exactly.
#pragma once

#include "solver/mechanism/load.hpp"
#include "solver/rope/bend.hpp"

namespace capstan {

// The factors of a node's elimination that later responses need (loops.hpp, solver/coupled/iterate.cpp).
struct RopeUnitFactor {
    Vec3d p, w; // gradient g at the node: f = p.g, gradient of the parent = -t e + f w
    double t;
};

// External stiffness and gradient on a node: bodies that hang on it, and drag joints.
struct RopeLoad {
    Sym3<double> S = {0, 0, 0, 0, 0, 0};
    Vec3d g = {0, 0, 0};
};

struct TreeRope {
    ChainLanes<double> c;
    int slot = 0, root = 0;
    int parent = -1;          // unit of the body to which the root is tied
    int joint = -1;           // joint between the root and that body
    Vec3d lp = {0, 0, 0};     // anchor in the parent's principal axes
    Vec3d rp, d, gap, old, F; // see TreeJoint
    Sym3<double> S;           // block of the root, with everything that was eliminated into it
    Vec3d g;
    std::vector<RopeLoad> loads;
    std::vector<int> loadOf;          // by node: index into `loads`; -1: none
    std::vector<RopeUnitFactor> kept; // by node; used only with loops or contacts
    std::vector<ChainNode<double>> nodes;
    std::vector<ChainPast<double>> past;
    std::vector<double> step; // Newton step of lambda of the segment between each node and its neighbour
                              // towards the root

    ChainNode<double>& node(int i) const { return c.node[i]; }
    RopeLoad& load(int i) {
        int& which = loadOf[i];
        if (which < 0) {
            which = int(loads.size());
            loads.push_back({});
        }
        return loads[which];
    }
};

// Factor by which strain counts as a gap: 2e-4 of a segment's length counts as 5e-5 m.
inline constexpr double kStrainAsGap = 0.25;

// Adds the inertia and the external stiffness and gradient of node i to S and g.
inline void addRopeNode(TreeRope& r, int i, Sym3<double>& S, Vec3d& g) {
    const ChainNode<double>& a = r.node(i);
    S.xx += a.mass;
    S.yy += a.mass;
    S.zz += a.mass;
    g = g + a.mass * (a.x - a.z);
    if (r.loadOf[i] < 0) return;
    const RopeLoad& load = r.loads[r.loadOf[i]];
    S += load.S;
    g = g + load.g;
}

// Eliminates the nodes from `from` to the root. S and g become the stiffness and gradient that the root
// receives. Segment i lies between nodes i - 1 and i.
inline void eliminateArm(TreeRope& r, int from, int step, Sym3<double>& S, Vec3d& g) {
    S = {0, 0, 0, 0, 0, 0};
    g = {0, 0, 0};
    for (int i = from; i != r.root; i += step) {
        ChainNode<double>&a = r.node(i), &seg = r.node(step < 0 ? i : i + 1);
        const Vec3d n = step < 0 ? seg.n : -seg.n, pull = seg.lambda * n;
        addRopeNode(r, i, S, g);
        g = g - pull;
        const double t = seg.t, residual = seg.residual;
        const Eliminated<double> x = eliminateLink(n, t, residual, compliance(r.c, seg), S, g);
        g = gradientOf(x, n, t, residual) + pull;
        a.tq = x.tq;
        a.u = x.u;
        a.e = x.e;
        seg.n = x.b;
        seg.residual = x.f;
        if (!r.kept.empty()) r.kept[i] = {x.invS * x.Jn, (x.k * x.invDet) * x.U, t};
    }
}

// Eliminates the rope from both ends, and sets the block S and gradient g of its root.
inline void eliminateRope(TreeRope& r) {
    Sym3<double> far, near;
    Vec3d gFar, gNear;
    eliminateArm(r, r.c.nodes - 1, -1, far, gFar);
    eliminateArm(r, 0, 1, near, gNear);
    r.S = far + near;
    r.g = gFar + gNear;
    addRopeNode(r, r.root, r.S, r.g);
}

inline Vec3d solveRoot(const Sym3<double>& S, Vec3d g) {
    const Sym3<double> J = adjugate(S);
    return (-1 / (S.xx * J.xx + S.xy * J.xy + S.xz * J.xz)) * (J * g);
}

// Computes the displacements of the nodes (e) and the steps of lambda (step), from the root outwards. Returns
// the square of the largest change of a segment, in units of its length.
inline double substituteRope(TreeRope& r, Vec3d root) {
    double largest = 0;
    r.node(r.root).e = root;
    for (int step : {1, -1}) {
        Vec3d D = root;
        for (int i = r.root + step; i >= 0 && i < r.c.nodes; i += step) {
            ChainNode<double>&a = r.node(i), &seg = r.node(step > 0 ? i : i + 1);
            const double f = dot(a.u, D) + seg.residual;
            const Vec3d dx = a.tq * D + a.e + f * seg.n, change = dx - D;
            largest = max(largest, dot(change, change));
            a.e = dx;
            r.step[i] = f;
            D = dx;
        }
    }
    return largest * r.c.invReach * r.c.invReach;
}

// Applies the step, times `scale`, to all nodes and multipliers, and measures the segments. Returns the
// largest relative length error.
inline double advanceRope(TreeRope& r, double scale) {
    for (int i = 0; i < r.c.nodes; ++i) {
        ChainNode<double>& a = r.node(i);
        a.x = a.x + scale * a.e;
        if (i == r.root) continue;
        ChainNode<double>& seg = r.node(i > r.root ? i : i + 1);
        seg.lambda = seg.lambda + scale * r.step[i];
    }
    double worst = 0;
    for (int i = 1; i < r.c.nodes; ++i) measureSegment(r.c, i, worst);
    return worst;
}

// Returns the square of the largest displacement of a node since its prediction, in units of the segment
// length.
inline double movedRope(const TreeRope& r) {
    double moved = 0;
    for (int i = 0; i < r.c.nodes; ++i) {
        const ChainNode<double>& a = r.node(i);
        if (!held(a)) moved = max(moved, dot(a.x - a.z, a.x - a.z));
    }
    return moved * r.c.invReach * r.c.invReach;
}

} // namespace capstan
