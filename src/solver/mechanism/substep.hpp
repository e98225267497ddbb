// SPDX-License-Identifier: MIT
// Mechanism solver, one substep of a mechanism with ropes, loops or drag joints (mechanism.hpp).
#pragma once

#include "solver/mechanism/loop_rows.hpp"

namespace capstan {

// Sets the parent anchor of a body that hangs on a rope to the position of the rope's node.
inline void followNode(MechanismSolver& m, int i) {
    TreeJoint<double>& j = m.t.joint[i];
    if (j.rope >= 0) j.gx = m.ropes[j.rope].node(j.node).x;
}

// Measures and returns the gap between a rope's root and the body to which it is tied [m].
inline double measureRopeRoot(MechanismSolver& m, TreeRope& r) {
    if (r.parent < 0) return 0;
    const TreeBody<double>& p = m.t.body[r.parent];
    r.rp = p.R * r.lp;
    r.d = r.rp - p.r;
    r.gap = r.node(r.root).x - (p.x + r.rp) - r.old;
    return length(r.gap);
}

// Predicts all units by free flight, and measures the joints for the first time.
inline TreeWorst<double> advanceFreeMechanism(MechanismSolver& m, const Model& model, bool cautious) {
    TreeWorst<double> worst;
    for (int i = 0; i < m.t.units; ++i) {
        if (!m.t.unit(i, 0).rope) {
            fly(m.t.body[i], m.t.time);
            followNode(m, i);
            measureJoint(m.t.joint[i], m.t.body[i], parentOf(m.t, i), m.t.time, true, true, worst);
            continue;
        }
        TreeRope& r = m.ropeOf(i);
        chainSubstep(r.c, model, &r.slot);
        double strain = chainPredict(r.c);
        if (cautious) {
            chainStartCautiously(r.c);
            strain = chainMeasure(r.c);
        }
        if (r.c.bends) chainBend(r.c);
        worst.gap = max(worst.gap, max(kStrainAsGap * strain, measureRopeRoot(m, r)));
    }
    return worst;
}

// The spring of a drag joint, linearised at the current iterate.
struct DragStep {
    bool rope;
    int unit;
    Vec3d arm, g; // lever and gradient
    double k;     // stiffness
};
inline DragStep measureDrag(MechanismSolver& m, const DragForce& p) {
    const TreeTime<double>& t = m.t.time;
    DragStep now;
    now.unit = p.tie.unit[p.joint->rope >= 0 ? 0 : 1];
    now.rope = m.t.unit(now.unit, 0).rope;
    const TreeBody<double>& b = m.t.body[now.unit];
    const ChainNode<double>* node = now.rope ? &m.ropeOf(now.unit).node(p.joint->node) : nullptr;
    now.arm = now.rope ? Vec3d{0, 0, 0} : b.R * p.joint->frame[1].x;
    const Vec3d at = now.rope ? node->x : b.x + now.arm, off = at - p.target;
    double k = t.h2 / p.joint->compliance;
    const double most = t.h2 * p.joint->strength, far = length(off), c = t.h * p.joint->damping;
    if (k * far > most) k = most / far;
    const Vec3d before = now.rope ? node->position : b.position + rotate(b.turn, p.joint->frame[1].x);
    const Vec3d went = now.rope ? widen(m.ropeOf(now.unit).c.past[p.joint->node].dBefore)
                                : b.dBefore + cross(b.turnBefore, now.arm);
    now.g = k * off + c * (at - before - t.carry * went);
    now.k = k + c;
    return now;
}
// Adds the springs of drag joints to the blocks of their units.
inline void addDrags(MechanismSolver& m) {
    for (const DragForce& p : m.drags) {
        const DragStep now = measureDrag(m, p);
        const Sym3<double> K = Sym3<double>::scaledIdentity(now.k);
        if (now.rope) {
            RopeLoad& load = m.ropeOf(now.unit).load(p.joint->node);
            load.S += K;
            load.g = load.g + now.g;
        } else {
            TreeBody<double>& b = m.t.body[now.unit];
            b.A += geometric(now.g, now.arm);
            receive(b, now.arm - b.r, K, now.g);
        }
    }
}
inline void readDrags(MechanismSolver& m) {
    for (DragForce& p : m.drags) p.F = (-m.t.time.invH * m.t.time.invH) * measureDrag(m, p).g;
}

// Adds contact forces and stiffness to the blocks of their units.
inline void addTouch(MechanismSolver& m) {
    for (const ContactLoad& f : m.touch) {
        if (m.t.unit(f.unit, 0).rope) {
            RopeLoad& load = m.ropeOf(f.unit).load(f.node);
            load.S += f.K;
            load.g = load.g + f.g;
        } else {
            TreeBody<double>& b = m.t.body[f.unit];
            b.A += geometric(f.g, f.arm);
            receive(b, f.arm - b.r, f.K, f.g);
            b.gt = b.gt + f.twist;
        }
    }
}

// Adds the forces of loop rows to the gradients, and their geometric stiffness to the blocks.
inline void addLoopForces(MechanismSolver& m) {
    for (const LoopJoint& l : m.loops)
        for (int k : {0, 1}) {
            const int unit = l.tie.unit[k];
            if (unit < 0 || m.t.unit(unit, 0).rope) continue;
            const double share = min(1.0, m.t.time.most / max(length(l.F), 1e-30)) * m.t.time.h2;
            const Vec3d F = (k == 1 ? -share : share) * l.F;
            m.t.body[unit].A += geometric(F, l.arm[k]);
        }
    for (const LoopRow& r : m.rows) {
        for (const RowSide& s : r.side) {
            if (s.unit < 0) continue;
            if (m.t.unit(s.unit, 0).rope) {
                RopeLoad& load = m.ropeOf(s.unit).load(s.node);
                load.g = load.g + r.mu * s.p;
            } else {
                m.t.body[s.unit].gt = m.t.body[s.unit].gt + r.mu * s.t;
                m.t.body[s.unit].gp = m.t.body[s.unit].gp + r.mu * s.p;
            }
        }
    }
}

// Eliminates all units, with the present multipliers of the loop rows. Afterwards the segments of ropes must
// be measured again, because the elimination overwrites their residuals.
inline void eliminateMechanism(MechanismSolver& m) {
    for (TreeRope& r : m.ropes)
        for (RopeLoad& load : r.loads) load = {};
    for (int i = 0; i < m.t.units; ++i)
        if (!m.t.unit(i, 0).rope) assemble(m.t.body[i]);
    addDrags(m);
    addTouch(m);
    addLoopForces(m);
    for (int i = m.t.units - 1; i >= 0; --i) {
        if (m.t.unit(i, 0).rope) {
            TreeRope& r = m.ropeOf(i);
            eliminateRope(r);
            if (r.parent < 0) continue;
            TreeBody<double>& p = m.t.body[r.parent];
            p.A += geometric(m.t.time.h2 * r.F, r.rp);
            receive(p, r.d, r.S, r.g - r.S * r.gap);
            continue;
        }
        TreeJoint<double>& j = m.t.joint[i];
        eliminateBody(j, m.t.body[i], parentOf(m.t, i), m.t.time);
        if (j.rope < 0) continue;
        RopeLoad& load = m.ropes[j.rope].load(j.node);
        load.S += j.K;
        load.g = load.g + j.f;
    }
}

// `scale` keeps the rotation of every body and the change of every segment within their limits; `turn` is the
// largest rotation [rad].
struct Stride {
    double scale = 1, turn = 0;
};
inline Stride substituteMechanism(MechanismSolver& m, const TreeDef& d) {
    const Vec3d zero = {0, 0, 0};
    double largest = 0, stretched = 0;
    for (int i = 0; i < m.t.units; ++i) {
        if (m.t.unit(i, 0).rope) {
            TreeRope& r = m.ropeOf(i);
            const TreeBody<double>* p = r.parent >= 0 ? &m.t.body[r.parent] : nullptr;
            const Vec3d root = p ? p->da + cross(p->dth, r.d) - r.gap : solveRoot(r.S, r.g);
            if (p) r.F = (m.t.time.invH * m.t.time.invH) * (r.S * root + r.g);
            stretched = max(stretched, substituteRope(r, root));
            continue;
        }
        TreeJoint<double>& j = m.t.joint[i];
        const TreeBody<double>* p = parentOf(m.t, i);
        Vec3d pa = p ? p->da + cross(p->dth, j.d) : zero;
        if (j.rope >= 0) pa = m.ropes[j.rope].node(j.node).e;
        substituteBody(j, m.t.body[i], p ? p->dth : zero, pa, m.t.time, true);
        largest = max(largest, dot(m.t.body[i].dth, m.t.body[i].dth));
    }
    return {min(strideOf(largest, d.stride), strideOf(stretched, NewtonDef{}.stride)), sqrt(largest)};
}

// Does one Newton step: an elimination, the multipliers of the loops, and an elimination with these
// multipliers.
inline Stride solveMechanism(MechanismSolver& m, const TreeDef& d) {
    eliminateMechanism(m);
    Stride stride = substituteMechanism(m, d);
    if (m.rows.empty()) return stride;
    solveLoops(m);
    for (TreeRope& r : m.ropes) {
        double worst = 0;
        for (int i = 1; i < r.c.nodes; ++i) measureSegment(r.c, i, worst);
    }
    eliminateMechanism(m);
    stride = substituteMechanism(m, d);
    readLoops(m);
    return stride;
}

// Returns true if every joint is a ball joint and there are no loops. Only then may a response (respondTree)
// and its forces be added to a step and its forces.
inline bool addsUp(const MechanismSolver& m) {
    using Kind = TreeJoint<double>::Kind;
    bool simple = m.rows.empty();
    for (int i = 0; i < m.t.units; ++i)
        simple = simple &&
                 (m.t.unit(i, 0).rope || m.t.joint[i].kind == Kind::Ball || m.t.joint[i].kind == Kind::Free);
    return simple;
}
// Adds the last response to the step. Returns the scale of the sum, as substituteMechanism() does.
inline double addAnswer(MechanismSolver& m, const TreeDef& d) {
    const double invH2 = m.t.time.invH * m.t.time.invH;
    double largest = 0, stretched = 0;
    for (int i = 0; i < m.t.units; ++i) {
        const std::size_t at = std::size_t(i);
        if (!m.t.unit(i, 0).rope) {
            TreeBody<double>& b = m.t.body[i];
            b.dth = b.dth + m.xT[at];
            b.da = b.da + m.xP[at];
            b.dp = b.da - cross(b.dth, b.r);
            m.t.joint[i].F = m.t.joint[i].F + invH2 * m.xF[at];
            largest = max(largest, dot(b.dth, b.dth));
            continue;
        }
        TreeRope& r = m.ropeOf(i);
        const std::size_t which = std::size_t(m.t.unit(i, 0).index);
        if (r.parent >= 0) r.F = r.F + invH2 * m.xF[at];
        double most = 0;
        for (int k = 0; k < r.c.nodes; ++k) {
            r.node(k).e = r.node(k).e + m.xNode[which][k];
            if (k != r.root) r.step[k] += m.fNode[which][k];
            const Vec3d change = k > 0 ? r.node(k).e - r.node(k - 1).e : Vec3d{0, 0, 0};
            most = max(most, dot(change, change));
        }
        stretched = max(stretched, most * r.c.invReach * r.c.invReach);
    }
    return min(strideOf(largest, d.stride), strideOf(stretched, NewtonDef{}.stride));
}

inline TreeWorst<double> advanceMechanism(MechanismSolver& m, double scale) {
    TreeWorst<double> worst;
    for (int i = 0; i < m.t.units; ++i) {
        if (!m.t.unit(i, 0).rope) {
            advance(m.t.body[i], m.t.time, true, scale);
            followNode(m, i);
            remeasure(m.t, i, true, scale, worst);
            continue;
        }
        TreeRope& r = m.ropeOf(i);
        const double strain = advanceRope(r, scale);
        worst.gap = max(worst.gap, max(kStrainAsGap * strain, measureRopeRoot(m, r)));
    }
    return worst;
}

struct MechanismResult {
    bool good = false, smooth = false;
    int solves = 0;
};

// Newton's method for a mechanism. Some linkages are impossible to close. Iterations go on while they reduce
// the gap of the loops. A gap that remains after a full step without progress is accepted.
inline MechanismResult newtonMechanism(MechanismSolver& m, const Model& model, bool cautious, bool deepest) {
    TreeDef d;
    if (!m.loops.empty()) {
        d.good *= 0.1;
        d.iterations = 12;
    } // a gap that the tree leaves is amplified by its lever at a loop
    MechanismResult result;
    double gap = advanceFreeMechanism(m, model, cautious).gap;
    double loop = measureLoops(m, true);
    bool active = gap < 1e30, stuck = false, changed = false;
    for (int iteration = 0; iteration < d.iterations && active; ++iteration) {
        const Stride stride = solveMechanism(m, d);
        const double before = loop;
        const TreeWorst<double> worst = advanceMechanism(m, stride.scale);
        loop = measureLoops(m, false);
        ++result.solves;
        gap = worst.gap;
        stuck = stride.scale == 1 && loop > 0.7 * before && iteration > 1;
        const bool restless = changed && stride.turn > d.settled;
        changed = changed || worst.change > 0;
        active = (unsolved(worst, d.good) || restless || (loop >= d.good && !stuck)) && max(gap, loop) < 1e30;
    }
    // In the deepest halves a gap of a loop is accepted; the following substeps reduce it.
    const double acceptable = deepest && !m.loops.empty() ? 100 * d.acceptable : d.acceptable;
    result.good = gap < acceptable && (loop < d.acceptable || ((stuck || deepest) && loop < 1e30));
    if (!deepest) result.good = result.good && !turnsTooFar(m.t);
    readDrags(m);
    bool smooth = smoothBodies(m.t, d);
    for (const TreeRope& r : m.ropes) {
        if (r.c.nodes == 0) continue;
        smooth =
            smooth && movedRope(r) < NewtonDef{}.smooth * NewtonDef{}.smooth && !(r.c.limits && r.c.limited);
    }
    bool met = limitMet(m.t);
    for (const LoopRow& r : m.rows) met = met || (r.mu != 0 && (r.high == 0 || r.low == 0));
    result.good = result.good && !(met && m.t.time.carry > 0); // at a limit BDF2 would bounce
    result.smooth = smooth && !met && result.good;
    return result;
}

} // namespace capstan
