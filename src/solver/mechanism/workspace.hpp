// SPDX-License-Identifier: MIT
// Mechanism solver: working memory of one thread, and functions that the files of the solver share.
#pragma once

#include "solver/mechanism/group.hpp"
#include "solver/mechanism/substep.hpp"
#include "solver/mechanism/xpbd.hpp"

#include <vector>

namespace capstan {

template <class W> struct TreeStore {
    std::vector<TreeBody<W>> body;
    std::vector<TreeJoint<W>> joint;
    std::vector<TreeAnchor<W>> ground;
    std::vector<TreeRows<W>> rows;
    std::vector<TreeRod<W>> rod;

    void fit(std::size_t n) {
        body.resize(n);
        joint.resize(n);
        ground.resize(n);
        rows.resize(n);
        rod.resize(n);
    }
    std::size_t bytes() const {
        return body.capacity() * (sizeof(TreeBody<W>) + sizeof(TreeJoint<W>) + sizeof(TreeAnchor<W>) +
                                  sizeof(TreeRows<W>) + sizeof(TreeRod<W>));
    }
    TreeLanes<W> lanes(const Model& m, const int* mechanisms) {
        TreeLanes<W> t;
        for (int k = 0; k < lanesOf<W>; ++k) t.mechanism[k] = &m.mechanisms[mechanisms[k]];
        t.units = int(t.mechanism[0]->units.size());
        t.body = body.data();
        t.joint = joint.data();
        t.ground = ground.data();
        t.rows = rows.data();
        t.rod = rod.data();
        return t;
    }
};

struct TreeWorkspace {
    TreeStore<double> one;
    TreeStore<Pack<double, 4>> four;
    TreeStore<Pack<double, 8>> eight;
    MechanismSolver mechanism;
    std::vector<XpbdJoint> xpbd;
};

struct TreeContext {
    Model& m;
    State& s;
    TreeWorkspace& memory;
    Vec3d gravity;
    double stepTime; // s, length of the whole step
    ChainCounts counts = {};
};

// Returns the pose of the world, or of a static or kinematic body, `clock` seconds after the start of the
// step.
inline Pose groundAt(const TreeContext& c, int slot, double clock) {
    if (slot < 0) return {};
    const BodyState& b = c.s.bodies[slot];
    if (!c.m.bodies[slot].hasTarget) return {b.x, b.q};
    return {b.x + clock * b.v, integrate(b.q, clock * b.L)};
}

inline constexpr int kDeepest = 3; // most nested halvings of a substep that does not converge

// Sets by which factor damping slows down body i in a substep.
template <class W> void loadDamping(TreeLanes<W>& t, const TreeContext& c, double dt, int i) {
    t.body[i].dampingFactor = perLane<W>([&](int k) {
        const Body& b = c.m.bodies[t.unit(i, k).slot];
        const double rate = double(b.def.damping) + double(c.m.damping);
        return rate > 0 ? exp(-rate * dt) : 1.0;
    });
}

// Loads all bodies and joints. `clock`: time from the start of the step to the start of the substep [s].
template <class W> void loadAll(TreeLanes<W>& t, const TreeContext& c, double dt, double clock) {
    t.rods = t.limits = false;
    t.time.dt = W(dt); // storeAll reads it even if no substep follows
    t.time.gravity = {W(c.gravity.x), W(c.gravity.y), W(c.gravity.z)};
    for (int i = 0; i < t.units; ++i) {
        if (t.unit(i, 0).rope) continue;
        loadBody(t.body[i], t, c.m, c.s, i);
        loadDamping(t, c, dt, i);
        loadJoint(t, c.m, c.s, i);
    }
    moveGround(t, clock, dt);
    for (int i = 0; i < t.units; ++i)
        if (!t.unit(i, 0).rope) startJoint(t, i, W(1.0) < W(0.0));
}

// A substep that cannot be solved leaves numbers behind that are not finite. The next one starts from the reading, so
// they would stay for ever. Forces become 0 then, and angles and distances stay as they were.
inline void keepFinite(JointState& now, const JointState& before) {
    const auto keep = [](double& a, double was) { a = a - a == 0 ? a : was; };
    for (Vec3d* f : {&now.force, &now.torque})
        if (!(dot(*f, *f) < 1e300)) *f = {0, 0, 0};
    keep(now.angle, before.angle);
    keep(now.distance, before.distance);
    keep(now.gap, before.gap);
    keep(now.tension, before.tension);
    keep(now.turnStep, before.turnStep);
    keep(now.slideStep, before.slideStep);
}

// Writes the lanes [0, count) back to the State.
template <class W> void storeAll(const TreeLanes<W>& t, TreeContext& c, int count, const bool* history) {
    for (int i = 0; i < t.units; ++i) {
        if (t.unit(i, 0).rope) continue;
        const TreeBody<W>& b = t.body[i];
        const TreeJoint<W>& j = t.joint[i];
        const TreeBody<W>* p = j.parent >= 0 ? &t.body[j.parent] : nullptr;
        const Mat3<W> Rp = p ? p->R : j.gR;
        const Vec<W> apart = (b.position + b.R * j.lc) - ((p ? p->position : j.gx) + Rp * j.lp),
                     axis = Rp * j.xp;
        const W slid = j.rod ? length(apart) : dot(apart, axis);
        W gap = length(j.slideFree ? apart - slid * axis : apart);
        if (j.rod) gap = select(j.rod->stiffness > W(0.0), W(0.0), abs(slid - j.rod->rest));
        for (int k = 0; k < count; ++k) {
            const Unit& u = t.unit(i, k);
            BodyState& to = c.s.bodies[u.slot];
            to.x = lane(b.position, k);
            to.v = lane(b.v, k);
            to.L = lane(b.L, k);
            to.q = {lane(b.turn.x, k), lane(b.turn.y, k), lane(b.turn.z, k), lane(b.turn.w, k)};
            to.vBefore = lane(b.vBefore, k);
            to.LBefore = lane(b.LBefore, k);
            to.dBefore = lane(b.dBefore, k);
            to.turnBefore = lane(b.turnBefore, k);
            to.history = history[k];
            to.hBefore = lane(t.time.dt, k);
            if (u.free()) continue;
            const double sign = u.flipped ? -1 : 1;
            JointState& reading = c.s.joints[u.joint];
            const JointState before = reading;
            reading.force = sign * lane(j.F, k);
            reading.torque = sign * lane(j.T, k);
            reading.angle = sign * lane(j.angle, k);
            reading.distance = (j.rod ? 1.0 : sign) * lane(slid, k);
            reading.gap = lane(gap, k);
            if (j.rod) {
                reading.tension = lane(j.rod->lambda, k);
                reading.slideStep = lane(j.rod->step, k);
            }
            if (j.rows) {
                reading.turnSaturated = sign * lane(j.rows->turn.saturated, k);
                reading.slideSaturated = sign * lane(j.rows->slide.saturated, k);
                reading.turnStep = sign * lane(j.rows->turn.step, k);
                reading.slideStep = sign * lane(j.rows->slide.step, k);
            }
            keepFinite(reading, before);
        }
    }
}

// The parts of a mechanism's step. solver/coupled/mechanism_units.hpp calls them for mechanisms in contact.
// `clock`: time from the start of the step to the end of the substep [s].
void loadMechanism(MechanismSolver& m, TreeStore<double>& store, TreeContext& c, int mechanism, double dt,
                   double clock);
// `before` is the length of the last substep, or 0 without history.
void beginSubstep(MechanismSolver& m, TreeContext& c, double clock, double dt, double before);
void endSubstep(MechanismSolver& m, TreeContext& c, double clock, bool good);
void storeMechanism(MechanismSolver& m, TreeContext& c, bool good, bool history);
// Changes the rest lengths of the end segments at winches by the share of one substep.
void wind(MechanismSolver& m, const Model& model, double dt);

// Solves all substeps of a mechanism with ropes, loops or drag joints.
void stepMechanism(TreeContext& c, int mechanism, double dt, int substeps);

} // namespace capstan
