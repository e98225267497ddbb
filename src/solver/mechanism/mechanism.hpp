// SPDX-License-Identifier: MIT
// Mechanism solver for mechanisms with ropes, loops or drag joints besides bodies and tree joints. They are
// solved one at a time, in double precision.
//
// The sequence is that of newton.hpp with these additions:
//     drag joints   springs from a point of a body or a node to a point that the user moves (diagonal)
//     ropes         units of the tree (rope_unit.hpp)
//     loops         rows beside the elimination (loops.hpp)
#pragma once

#include "solver/mechanism/loops.hpp"
#include "solver/mechanism/newton.hpp"

namespace capstan {

// The spring of a drag joint.
struct DragForce {
    Tie tie;
    const Joint* joint = nullptr;
    Vec3d from, to;      // target of the user's point at the start and at the end of the step
    Vec3d target;        // target of the user's point at the end of this substep
    Vec3d F = {0, 0, 0}; // N, on the body or node
};

// A contact force on a unit: stiffness and gradient at a lever from a body's centre of mass, or at a rope's
// node.
struct ContactLoad {
    int unit, node;
    Vec3d arm;
    Sym3<double> K;
    Vec3d g, twist = {0, 0, 0};
};

struct MechanismSolver {
    TreeLanes<double> t;
    bool answers = false; // true: keep the factors of the elimination, because respondAll() will be called
                          // for contact
    std::vector<ContactLoad> touch;
    std::vector<TreeRope> ropes; // by Unit::index; there may be more entries than ropes
    std::vector<LoopJoint> loops;
    std::vector<LoopRow> rows;
    std::vector<DragForce> drags;
    std::vector<Vec3d> rhsT, rhsP; // gradients that a response starts from, by unit
    std::vector<Vec3d> xT, xP, xF; // step of the response, and the force of a ball joint or of a rope's root
    std::vector<std::vector<Vec3d>> rhsNode, xNode; // gradients and steps of nodes, by rope and node
    std::vector<std::vector<double>> fNode;
    std::vector<Vec3d> keptT, keptP; // copies of gradients, because a response overwrites them
    std::vector<std::vector<Vec3d>> keptNode;
    std::vector<double> G, c, work, b;
    std::vector<char> fixed;
    std::vector<double> before; // multipliers of the rows in the previous iteration

    TreeRope& ropeOf(int unit) { return ropes[t.unit(unit, 0).index]; }
};

// Returns the displacement of a side of a row in the last step (dth, da) of its unit.
inline double seenBy(const RowSide& s, MechanismSolver& m) {
    if (s.unit < 0) return 0;
    if (m.t.unit(s.unit, 0).rope) return dot(s.p, m.ropeOf(s.unit).node(s.node).e);
    return dot(s.t, m.t.body[s.unit].dth) + dot(s.p, m.t.body[s.unit].da);
}
// Returns the displacement of a side of a row in the last response.
inline double seenInResponse(const RowSide& s, MechanismSolver& m) {
    if (s.unit < 0) return 0;
    const Unit& u = m.t.unit(s.unit, 0);
    if (u.rope) return dot(s.p, m.xNode[u.index][s.node]);
    return dot(s.t, m.xT[s.unit]) + dot(s.p, m.xP[s.unit]);
}

// Adds the part of a gradient that passes through joint i to the gradient of its parent.
inline void giveParent(MechanismSolver& m, int i, Vec3d t, Vec3d p) {
    const TreeJoint<double>& j = m.t.joint[i];
    if (j.parent >= 0) {
        m.rhsT[j.parent] = m.rhsT[j.parent] + t + cross(j.d, p);
        m.rhsP[j.parent] = m.rhsP[j.parent] + p;
    } else if (j.rope >= 0) {
        Vec3d& at = m.rhsNode[j.rope][j.node];
        at = at + p;
    }
}

// Response, from the leaves to the root: eliminates the gradient at body i.
inline void respondBodyUp(MechanismSolver& m, int i) {
    using Kind = TreeJoint<double>::Kind;
    TreeJoint<double>& j = m.t.joint[i];
    Vec3d gt = m.rhsT[i], gp = m.rhsP[i];
    if (j.kind == Kind::Axial || j.kind == Kind::RowBall) {
        for (int k = 0; k < j.columns; ++k) {
            Column<double>& c = j.column[k];
            c.t = dot(c.s, c.slide ? gp : gt);
            gt = gt - (c.t * c.inv) * c.Ut;
            gp = gp - (c.t * c.inv) * c.Up;
        }
        return giveParent(m, i, gt, gp);
    }
    Vec3d f = gp - transposeTimes(j.AB, gt);
    m.xT[i] = j.Ai * gt; // kept for respondBodyDown()
    m.xP[i] = f;
    if (j.kind == Kind::Free) return;
    if (j.kind == Kind::Rod) f = j.rod->tq * f + dot(j.rod->p, f) * j.rod->w;
    giveParent(m, i, {0, 0, 0}, f);
}

// Response, from the root to the leaves: computes the step of body i.
inline void respondBodyDown(MechanismSolver& m, int i) {
    using Kind = TreeJoint<double>::Kind;
    TreeJoint<double>& j = m.t.joint[i];
    Vec3d pt = {0, 0, 0}, pa = {0, 0, 0};
    if (j.parent >= 0) {
        pt = m.xT[j.parent];
        pa = m.xP[j.parent] + cross(pt, j.d);
    } else if (j.rope >= 0) {
        pa = m.xNode[j.rope][j.node];
    }
    if (j.kind == Kind::Axial || j.kind == Kind::RowBall) {
        for (int k = j.columns - 1; k >= 0; --k) {
            const Column<double>& c = j.column[k];
            const double psi = -(dot(c.Ut, pt) + dot(c.Up, pa) + c.t) * c.inv;
            (c.slide ? pa : pt) = (c.slide ? pa : pt) + psi * c.s;
        }
        m.xT[i] = pt;
        m.xP[i] = pa;
        return;
    }
    const Vec3d Aig = m.xT[i], g = m.xP[i];
    Vec3d da = pa;
    m.xF[i] = j.K * pa + g;
    if (j.kind == Kind::Free) da = solveRoot(j.K, g);
    if (j.kind == Kind::Rod) {
        const TreeRod<double>& rod = *j.rod;
        const double f = dot(rod.u, pa) + dot(rod.p, g);
        da = rod.tq * pa - (1 / rod.t) * (rod.tq * g) + f * rod.b;
    }
    m.xP[i] = da;
    m.xT[i] = -Aig - j.AB * da;
}

// Eliminates the gradients of a rope's nodes, from both ends to its root.
inline void respondRopeUp(MechanismSolver& m, int i) {
    TreeRope& r = m.ropeOf(i);
    const std::size_t which = std::size_t(m.t.unit(i, 0).index);
    Vec3d root = m.rhsNode[which][r.root];
    for (int step : {-1, 1}) {
        Vec3d g = {0, 0, 0};
        for (int k = step < 0 ? r.c.nodes - 1 : 0; k != r.root; k += step) {
            const ChainNode<double>& a = r.node(k);
            const RopeUnitFactor& kept = r.kept[k];
            g = g + m.rhsNode[which][k];
            m.fNode[which][k] = dot(kept.p, g);
            const Vec3d moved = a.tq * g;
            m.xNode[which][k] = (-1 / kept.t) * moved;
            g = moved + m.fNode[which][k] * kept.w;
        }
        root = root + g;
    }
    m.xNode[which][r.root] = root;
    if (r.parent < 0) return;
    m.rhsT[r.parent] = m.rhsT[r.parent] + cross(r.d, root);
    m.rhsP[r.parent] = m.rhsP[r.parent] + root;
}

// Computes the steps of a rope's nodes, from its root to both ends.
inline void respondRopeDown(MechanismSolver& m, int i) {
    TreeRope& r = m.ropeOf(i);
    const std::size_t which = std::size_t(m.t.unit(i, 0).index);
    std::vector<Vec3d>& x = m.xNode[which];
    Vec3d& root = x[r.root];
    const Vec3d g = root;
    root = r.parent >= 0 ? m.xP[r.parent] + cross(m.xT[r.parent], r.d) : solveRoot(r.S, g);
    m.xF[i] = r.S * root + g;
    for (int step : {1, -1}) {
        Vec3d D = root;
        for (int k = r.root + step; k >= 0 && k < r.c.nodes; k += step) {
            const ChainNode<double>&a = r.node(k), &seg = r.node(step > 0 ? k : k + 1);
            double& f = m.fNode[which][k];
            f = dot(a.u, D) + f;
            D = a.tq * D + x[k] + f * seg.n;
            x[k] = D;
        }
    }
}

inline void clearGradients(MechanismSolver& m) {
    for (Vec3d& a : m.rhsT) a = {0, 0, 0};
    for (Vec3d& a : m.rhsP) a = {0, 0, 0};
    for (auto& rope : m.rhsNode)
        for (Vec3d& a : rope) a = {0, 0, 0};
}
inline void addGradient(MechanismSolver& m, const LoopRow& row, double mu) {
    for (const RowSide& s : row.side) {
        if (s.unit < 0) continue;
        const Unit& u = m.t.unit(s.unit, 0);
        Vec3d& p = u.rope ? m.rhsNode[u.index][s.node] : m.rhsP[s.unit];
        p = p + mu * s.p;
        m.rhsT[s.unit] = m.rhsT[s.unit] + mu * s.t;
    }
}

// Computes the response -T^-1 rhs to the gradients rhs alone, with the factors of the last elimination.
// Overwrites rhs.
inline void respondTree(MechanismSolver& m) {
    for (int i = m.t.units - 1; i >= 0; --i) m.t.unit(i, 0).rope ? respondRopeUp(m, i) : respondBodyUp(m, i);
    for (int i = 0; i < m.t.units; ++i) m.t.unit(i, 0).rope ? respondRopeDown(m, i) : respondBodyDown(m, i);
}
inline void respond(MechanismSolver& m, const LoopRow& row) {
    clearGradients(m);
    addGradient(m, row, 1);
    respondTree(m);
}

// Solves for the multipliers of the rows that close the loops in this step. Starts from the multipliers of
// the previous iteration. The compliance eps applies only to their change, so a loop that can close does
// close.
inline void solveLoops(MechanismSolver& m) {
    const std::size_t n = m.rows.size();
    m.before.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
        LoopRow& row = m.rows[k];
        m.before[k] = row.mu;
        row.mu = 0;
        row.low -= m.before[k];
        row.high -= m.before[k];
    }
    m.G.assign(n * n, 0);
    m.c.assign(n, 0);
    double mean[2] = {0, 0}, count[2] = {0, 0};
    for (std::size_t k = 0; k < n; ++k) {
        respond(m, m.rows[k]);
        for (std::size_t i = 0; i < n; ++i)
            m.G[i * n + k] = -(seenInResponse(m.rows[i].side[0], m) + seenInResponse(m.rows[i].side[1], m));
        mean[m.rows[k].angular] += m.G[k * n + k];
        ++count[m.rows[k].angular];
        m.c[k] = m.rows[k].C + seenBy(m.rows[k].side[0], m) + seenBy(m.rows[k].side[1], m);
    }
    // A hard row gets eps in proportion to the mean response of all rows of its kind (angular or not). The
    // lower bound is in proportion to the response of the whole mechanism as one rigid mass. A row with
    // almost no response gets no force, because the tree's joints already block that motion. An example is
    // the motion out of the plane of a planar linkage.
    double mass = 0, inertia = 0;
    for (int i = 0; i < m.t.units; ++i) {
        if (m.t.unit(i, 0).rope) continue;
        const Vec3d I = m.t.body[i].inertia;
        mass += m.t.body[i].mass;
        inertia += max(I.x, max(I.y, I.z));
    }
    const double own[2] = {1 / mass, 1 / inertia};
    for (std::size_t k = 0; k < n; ++k) {
        LoopRow& row = m.rows[k];
        const bool a = row.angular;
        if (m.G[k * n + k] < 1e-4 * own[a]) row.low = row.high = -m.before[k];
        m.G[k * n + k] +=
            row.alpha + (row.hard ? max(1e-4 * mean[a] / count[a], 1e-2 * own[a]) : 1e-9 * own[a]);
    }
    solveRows(m.G, m.rows, m.c, m.work, m.b, m.fixed);
    for (std::size_t k = 0; k < n; ++k) {
        LoopRow& row = m.rows[k];
        row.mu += m.before[k];
        row.low += m.before[k];
        row.high += m.before[k];
        m.before[k] = row.mu;
    }
}

// Computes the response of the mechanism to the gradients rhs, with the loops held closed.
inline void respondAll(MechanismSolver& m) {
    const std::size_t n = m.rows.size();
    if (n == 0) return respondTree(m);
    m.keptT = m.rhsT;
    m.keptP = m.rhsP;
    m.keptNode = m.rhsNode;
    respondTree(m);
    m.b.resize(n);
    for (std::size_t k = 0; k < n; ++k)
        m.b[k] = seenInResponse(m.rows[k].side[0], m) + seenInResponse(m.rows[k].side[1], m);
    solveRowsAgain(m.work, m.b, m.fixed);
    m.rhsT = m.keptT;
    m.rhsP = m.keptP;
    m.rhsNode = m.keptNode;
    for (std::size_t k = 0; k < n; ++k) addGradient(m, m.rows[k], m.b[k]);
    respondTree(m);
}

} // namespace capstan
