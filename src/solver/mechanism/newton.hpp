// SPDX-License-Identifier: MIT
// Mechanism solver, one substep of a tree: free flight, Newton's method until every joint is closed,
// acceptance.
#pragma once

#include "solver/mechanism/four_bodies.hpp"
#include "solver/mechanism/load.hpp"

namespace capstan {

struct TreeDef {
    int iterations = 8;           // largest number of Newton steps in a substep
    double good = kGapGood;       // m: converged if every gap is smaller than this
    double acceptable = 1e-4;     // m: largest gap that is accepted after the last iteration
    double stride = 0.5;          // rad: a step is scaled so that no body rotates by more than this
    double smooth = 0.1;          // rad: history is kept if the joints rotate no body by more than this
    double angularVelocity = 0.2; // rad: history is kept if no body rotates by more than this in free flight
    double shift = 0.3;    // history is kept if the joints shift no body by more than this fraction of its
                           // size
    double settled = 1e-3; // rad: after a row has changed its state, iterations go on until the largest
                           // rotation is less
};

template <class W> struct TreeResult {
    MaskOf<W> good;   // the gaps of all joints are acceptable
    MaskOf<W> smooth; // BDF2 may use this substep as history
    int solves[lanesOf<W>] = {};
};

// Moves the ground of the joints to its pose at the end of the substep. `clock` is the time from the start of
// the step to then [s].
template <class W> void moveGround(TreeLanes<W>& t, double clock, double dt) {
    for (int i = 0; i < t.units; ++i) {
        const TreeAnchor<W>& g = t.ground[i];
        if (!g.moves) continue;
        TreeJoint<W>& j = t.joint[i];
        j.gx = g.x + W(clock) * g.v;
        j.gR = toMat3(integrate(g.q, W(clock) * g.angularVelocity));
        j.gTurn = W(dt) * g.angularVelocity;
    }
}

template <class W> CAPSTAN_INLINE TreeBody<W>* parentOf(TreeLanes<W>& t, int i) {
    return t.joint[i].parent >= 0 ? &t.body[t.joint[i].parent] : nullptr;
}

template <class W> TreeWorst<W> advanceAllFree(TreeLanes<W>& t, MaskOf<W> active) {
    TreeWorst<W> worst;
    advanceFreeBodies(t.body, t.units, t.time);
    for (int i = 0; i < t.units; ++i)
        measureJoint(t.joint[i], t.body[i], parentOf(t, i), t.time, true, active, worst);
    return worst;
}

// Does one Newton step by elimination and substitution. Returns the square of the largest rotation [rad^2].
template <class W> W solveAll(TreeLanes<W>& t, MaskOf<W> active) {
    for (int i = 0; i < t.units; ++i) assemble(t.body[i]);
    for (int i = t.units - 1; i >= 0; --i) eliminateBody(t.joint[i], t.body[i], parentOf(t, i), t.time);
    W largest = W(0.0);
    for (int i = 0; i < t.units; ++i) {
        const TreeBody<W>* p = parentOf(t, i);
        const Vec<W> zero = {W(0.0), W(0.0), W(0.0)};
        const Vec<W> pt = p ? p->dth : zero, pa = p ? p->da + cross(p->dth, t.joint[i].d) : zero;
        substituteBody(t.joint[i], t.body[i], pt, pa, t.time, active);
        const Vec<W> dth = t.body[i].dth;
        largest = max(largest, dot(dth, dth));
    }
    return largest;
}

template <class W> CAPSTAN_INLINE W strideOf(W largest, double most) {
    const MaskOf<W> tooLong = !(largest <= W(most * most));
    return select(tooLong, W(most) / sqrt(largest), W(1.0));
}

// Measures the joint of body i again, after the body has moved.
template <class W>
CAPSTAN_INLINE void remeasure(TreeLanes<W>& t, int i, MaskOf<W> active, W scale, TreeWorst<W>& worst) {
    if (t.joint[i].rod) {
        TreeRod<W>& rod = *t.joint[i].rod;
        rod.lambda = select(active, rod.lambda + scale * rod.f, rod.lambda);
    }
    measureJoint(t.joint[i], t.body[i], parentOf(t, i), t.time, false, active, worst);
}

template <class W> CAPSTAN_INLINE MaskOf<W> unsolved(const TreeWorst<W>& w, double good) {
    return ((w.gap >= W(good)) | (w.change > W(0.0))) & (w.gap < W(1e30));
}

template <class W> TreeResult<W> newton(TreeLanes<W>& t, const TreeDef& d) {
    TreeResult<W> result;
    MaskOf<W> active = W(0.0) < W(1.0);
    W gap = advanceAllFree(t, active).gap, changed = W(0.0);
    active = gap < W(1e30);
    for (int iteration = 0; iteration < d.iterations && any(active); ++iteration) {
        const W largest = solveAll(t, active), scale = strideOf(largest, d.stride);
        TreeWorst<W> worst;
        advanceBodies(t.body, t.units, t.time, active, scale);
        for (int i = 0; i < t.units; ++i) remeasure(t, i, active, scale, worst);
        for (int k = 0; k < lanesOf<W>; ++k) result.solves[k] += lane(active, k) ? 1 : 0;
        gap = select(active, worst.gap, gap);
        const MaskOf<W> restless = (changed > W(0.0)) & (largest > W(d.settled * d.settled));
        changed = max(changed, worst.change);
        active = active & (unsolved(worst, d.good) | (restless & (gap < W(1e30))));
    }
    result.good = gap < W(d.acceptable);
    return result;
}

// Returns true in the lanes where a limit is reached.
template <class W> MaskOf<W> limitMet(const TreeLanes<W>& t) {
    W met = W(0.0);
    for (int i = 0; t.limits && i < t.units; ++i) {
        if (t.unit(i, 0).rope || !t.joint[i].rows) continue;
        const TreeRows<W>& rows = *t.joint[i].rows;
        for (const AxisRow<W>* a : {&rows.turn, &rows.slide, &rows.swing}) met = max(met, abs(a->side));
    }
    return met > W(0.0);
}

// Returns true if a body rotates by more than kTurnsTooFar in free flight. Its joints would have to rotate it
// back or rotate their neighbours as far. Such a substep is halved.
inline constexpr double kTurnsTooFar = 0.5; // rad
template <class W> MaskOf<W> turnsTooFar(const TreeLanes<W>& t) {
    W flown = W(0.0);
    for (int i = 0; i < t.units; ++i)
        if (!t.unit(i, 0).rope) flown = max(flown, dot(t.body[i].dl, t.body[i].dl));
    return flown > W(kTurnsTooFar * kTurnsTooFar);
}

// Returns true if BDF2 may use this substep as history.
template <class W> MaskOf<W> smoothBodies(const TreeLanes<W>& t, const TreeDef& d) {
    W turned = W(0.0), flown = W(0.0), moved = W(0.0);
    for (int i = 0; i < t.units; ++i) {
        if (t.unit(i, 0).rope) continue;
        const TreeBody<W>& b = t.body[i];
        turned = max(turned, dot(b.ct, b.ct));
        flown = max(flown, dot(b.dl, b.dl));
        // The squared size of a body about its anchor: its lever and its radii of gyration.
        const W size = dot(b.r, b.r) + (b.inertia.x + b.inertia.y + b.inertia.z) / b.mass;
        moved = max(moved, dot(b.cp, b.cp) / size);
    }
    return (turned < W(d.smooth * d.smooth)) & (flown < W(d.angularVelocity * d.angularVelocity)) &
           (moved < W(d.shift * d.shift)) & !limitMet(t);
}

// Accepts the iterate as the new state in good lanes. In the other lanes the iterate is reset to the state.
// Joint angles count full turns.
template <class W> void acceptAll(TreeLanes<W>& t, MaskOf<W> good) {
    const bool allGood = all(good);
    for (int i = 0; i < t.units; ++i) {
        if (t.unit(i, 0).rope) continue;
        TreeJoint<W>& j = t.joint[i];
        TreeBody<W>& b = t.body[i];
        if (j.kind == TreeJoint<W>::Kind::Axial && j.turnFree && !j.rows) {
            const TreeBody<W>* p = parentOf(t, i); // accept() does not change dl and ct
            const Vec<W> axis = (p ? p->R : j.gR) * j.xp;
            j.angle = select(good, j.angle + dot(axis, turnSince(j, b, p)), j.angle);
        }
        accept(b, good);
    }
    if (!allGood)
        for (int i = 0; i < t.units; ++i) {
            TreeBody<W>& b = t.body[i];
            b.x = b.position;
            b.q = b.turn;
            b.R = toMat3(b.turn);
        }
    for (int i = 0; i < t.units; ++i)
        if (!t.unit(i, 0).rope) startJoint(t, i, good);
}

// Last resort: moves body i to a pose that closes its joint.
inline void putTogether(TreeLanes<double>& t, int i) {
    TreeBody<double>& b = t.body[i];
    const TreeJoint<double>& j = t.joint[i];
    if (j.kind != TreeJoint<double>::Kind::Free && !j.rod) {
        const TreeBody<double>* p = parentOf(t, i);
        const Mat3<double> Rp = p ? p->R : j.gR;
        if (j.kind == TreeJoint<double>::Kind::Axial) {
            b.turn = normalize(fromTo(b.R * j.xc, Rp * j.xp) * b.turn);
            if (!j.turnFree) b.turn = normalize(fromTo(rotate(b.turn, j.yc), Rp * j.yp) * b.turn);
            b.q = b.turn;
            b.R = toMat3(b.turn);
        }
        Vec3d apart = (b.position + b.R * j.lc) - ((p ? p->position : j.gx) + Rp * j.lp);
        if (j.slideFree) apart = apart - dot(apart, Rp * j.xp) * (Rp * j.xp);
        b.position = b.position - apart;
    }
    b.x = b.position;
}

} // namespace capstan
