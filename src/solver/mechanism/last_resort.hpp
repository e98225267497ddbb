// SPDX-License-Identifier: MIT
// Mechanism solver, last resort: a substep that Newton cannot solve in any halving.
//
// Joints are closed one by one, from the ground or the root outwards, and the parts stop. A mechanism that nothing
// holds keeps its momentum P: as a whole it moves on at v = P / M + h g. Stopping it in mid-air was refused.
#pragma once

#include "solver/mechanism/mechanism.hpp"

namespace capstan {

inline constexpr double kNoSpeed =
    1e6; // m/s: a faster mechanism stops, because its momentum is none of a motion

// The momentum and mass of a mechanism, and whether something holds it.
struct CommonMotion {
    Vec3d momentum = {0, 0, 0};
    double mass = 0;
    bool held = false;

    void add(double nodeMass, Vec3d v) {
        momentum = momentum + nodeMass * v;
        mass += nodeMass;
    }
    void addBodies(const TreeLanes<double>& t) {
        for (int i = 0; i < t.units; ++i) {
            if (t.unit(i, 0).rope) continue;
            const TreeJoint<double>& j = t.joint[i];
            add(t.body[i].mass, t.body[i].v);
            held = held || (j.kind != TreeJoint<double>::Kind::Free && j.parent < 0 && j.rope < 0);
        }
    }
    void addRope(const TreeRope& r) {
        for (int k = 0; k < r.c.nodes; ++k) {
            if (capstan::held(r.node(k)))
                held = true;
            else
                add(r.node(k).mass, r.c.past[k].v);
        }
    }
    Vec3d velocity(Vec3d gravity, double dt) const {
        if (held || !(mass > 0)) return {0, 0, 0};
        const Vec3d v = (1 / mass) * momentum + dt * gravity;
        return dot(v, v) < kNoSpeed * kNoSpeed ? v : Vec3d{0, 0, 0};
    }
};

inline void moveOn(TreeBody<double>& b, Vec3d v, double dt) {
    b.v = v;
    b.position = b.position + dt * v;
    b.x = b.position;
}

inline void holdStill(TreeLanes<double>& t, Vec3d gravity, double dt) {
    CommonMotion all;
    all.addBodies(t);
    const Vec3d v = all.velocity(gravity, dt);
    for (int i = 0; i < t.units; ++i) {
        t.body[i].v = t.body[i].L = {0, 0, 0};
        putTogether(t, i);
    }
    for (int i = 0; i < t.units; ++i) moveOn(t.body[i], v, dt);
}

// Puts a rope's root to its body, and all nodes to their lengths from the root outwards.
inline void straighten(MechanismSolver& m, TreeRope& r) {
    if (r.parent >= 0) {
        const TreeBody<double>& p = m.t.body[r.parent];
        r.node(r.root).position = p.position + p.R * r.lp;
    }
    for (int step : {1, -1})
        for (int k = r.root + step; k >= 0 && k < r.c.nodes; k += step) {
            ChainNode<double>&a = r.node(k), &seg = r.node(step > 0 ? k : k + 1);
            const Vec3d from = r.node(k - step).position;
            if (!held(a)) a.position = from + seg.rest * normalize(a.position - from, Vec3d{0, -1, 0});
        }
}

inline void holdStill(MechanismSolver& m, Vec3d gravity, double dt) {
    CommonMotion all;
    all.addBodies(m.t);
    for (const TreeRope& r : m.ropes) all.addRope(r);
    for (const LoopJoint& l : m.loops) all.held = all.held || l.tie.unit[0] < 0 || l.tie.unit[1] < 0;
    const Vec3d v = all.velocity(gravity, dt);
    for (int i = 0; i < m.t.units; ++i) {
        if (m.t.unit(i, 0).rope) {
            straighten(m, m.ropeOf(i));
            continue;
        }
        TreeBody<double>& b = m.t.body[i];
        TreeJoint<double>& j = m.t.joint[i];
        b.v = b.L = {0, 0, 0};
        if (j.rope >= 0) j.gx = m.ropes[j.rope].node(j.node).position;
        putTogether(m.t, i);
    }
    for (int i = 0; i < m.t.units; ++i)
        if (!m.t.unit(i, 0).rope) moveOn(m.t.body[i], v, dt);
    for (TreeRope& r : m.ropes)
        for (int k = 0; k < r.c.nodes; ++k) {
            ChainNode<double>& a = r.node(k);
            if (!held(a)) a.position = a.position + dt * v;
            r.c.past[k].v = v;
            a.lambda = 0;
        }
}

} // namespace capstan
