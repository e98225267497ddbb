// SPDX-License-Identifier: MIT
// Free and kinematic bodies: all substeps of free bodies (dynamic, without joints), and the start and end of
// a step of kinematic bodies.
//
// A free body keeps its angular momentum. Its rotation is integrated by tumble() of body.hpp.
#pragma once

#include "core/step_def.hpp"
#include "math/pack.hpp"
#include "solver/mechanism/load.hpp"
#include "solver/rope/chain.hpp"
#include <capstan/report.hpp>

namespace capstan {

// Sets the velocities of kinematic bodies, so that they reach their targets at the end of the step.
inline void startBodies(Model& m, State& s, float dt) {
    for (std::size_t i = 0; i < m.bodies.size(); ++i) {
        Body& b = m.bodies[i];
        if (!b.alive || b.def.type != BodyType::Kinematic) continue;
        BodyState& at = s.bodies[i];
        at.v = at.L = {0, 0, 0};
        if (!b.hasTarget) continue;
        const double rate = 1 / double(dt);
        at.v = rate * (b.target.x - at.x);
        at.L = rate * log(normalize(b.target.q * conjugate(at.q)));
    }
}

// Returns true if all numbers of the state are finite: x - x is 0 for every finite x, and NaN for infinities
// and NaN.
inline bool sound(const BodyState& b) {
    double sum = b.q.x + b.q.y + b.q.z + b.q.w;
    for (Vec3d a : {b.x, b.v, b.L}) sum += a.x + a.y + a.z;
    return sum - sum == 0;
}

// Integrates all substeps of the free bodies list[0 .. number of lanes).
template <class W> void advanceFreeBodies(Model& m, State& s, const int* list, const StepDef& d) {
    auto at = [&](int k) -> BodyState& { return s.bodies[list[k]]; };
    auto body = [&](int k) -> Body& { return m.bodies[list[k]]; };
    auto vec = [&](Vec3d BodyState::*p) { return vecPerLane<W>([&](int k) { return at(k).*p; }); };
    Vec<W> x = vec(&BodyState::x), v = vec(&BodyState::v), L = vec(&BodyState::L);
    Quat<W> q = quatPerLane<W>([&](int k) { return at(k).q; });
    const Vec<W> invInertia = vecPerLane<W>([&](int k) {
        const Vec3d I = body(k).inertia;
        return Vec3d{1 / I.x, 1 / I.y, 1 / I.z};
    });
    const double dt = double(d.dt) / d.substeps;
    const W h = W(dt), half = W(0.5 * dt);
    const W dampingFactor = perLane<W>([&](int k) {
        const double rate = double(body(k).def.damping) + double(m.damping);
        return rate > 0 ? exp(-rate * dt) : 1.0;
    });
    const Vec<W> g = vecPerLane<W>([&](int) { return widen(d.gravity); }), twist = vec(&BodyState::torque);
    const W invMass = perLane<W>([&](int k) { return 1 / body(k).mass; });
    const Vec<W> a = g + invMass * vec(&BodyState::force);
    for (int i = 0; i < d.substeps; ++i) {
        x = x + h * (v + half * a);
        L = L + half * twist;
        q = tumble(q, L, invInertia, h);
        v = dampingFactor * (v + h * a);
        L = dampingFactor * (L + half * twist);
    }
    for (int k = 0; k < lanesOf<W>; ++k) {
        BodyState to = at(k);
        to.x = lane(x, k);
        to.v = lane(v, k);
        to.L = lane(L, k);
        to.history = false;
        to.q = {lane(q.x, k), lane(q.y, k), lane(q.z, k), lane(q.w, k)};
        body(k).frozen = !sound(to);
        if (body(k).frozen)
            at(k).v = at(k).L = {0, 0, 0}; // it stays at its last finite position
        else
            at(k) = to;
    }
}

template <class Exec> void solveBodies(Exec& exec, Model& m, State& s, const StepDef& d) {
    const int count = int(m.freeBodies.size());
    constexpr int width = Exec::chainLanes > 1 ? 4 : 1;
    exec.threads.run(count, 64, [&](int from, int to, int) {
        int i = from;
        if constexpr (width > 1)
            for (; i + width <= to; i += width)
                advanceFreeBodies<Pack<double, width>>(m, s, &m.freeBodies[i], d);
        for (; i < to; ++i) advanceFreeBodies<double>(m, s, &m.freeBodies[i], d);
    });
}

// Moves kinematic bodies, and the points of drag joints, to their targets. Clears forces, which act during
// one step only.
inline void endBodies(Model& m, State& s, Report& report) {
    for (std::size_t i = 0; i < m.bodies.size(); ++i) {
        Body& b = m.bodies[i];
        if (!b.alive) continue;
        BodyState& at = s.bodies[i];
        if (b.hasTarget && !b.blocked) {
            at.x = b.target.x;
            at.q = b.target.q;
            b.hasTarget = false;
        }
        b.blocked = false;
        at.force = at.torque = {0, 0, 0};
        report.quarantined += b.frozen;
    }
    for (std::size_t j = 0; j < m.joints.size(); ++j) {
        if (!m.joints[j].on()) continue;
        JointState& reading = s.joints[j];
        reading.dragPoint = m.joints[j].target;
        reading.lastTurnTarget = driveTarget(m, m.joints[j], m.joints[j].turn);
        reading.lastSlideTarget = driveTarget(m, m.joints[j], m.joints[j].slide);
        reading.targetsKnown = true;
        report.maxGap = max(report.maxGap, narrow(s.joints[j].gap));
    }
}

} // namespace capstan
