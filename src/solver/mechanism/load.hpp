// SPDX-License-Identifier: MIT
// Mechanism solver, loading: copies mechanisms from the Model and State into the solver's arrays, one per
// lane.
#pragma once

#include "model/model.hpp"
#include "solver/mechanism/elimination.hpp"

namespace capstan {

// The static or kinematic body to which a joint is attached: its pose at the start of the step, and its
// velocity.
template <class W> struct TreeAnchor {
    bool moves = false;
    Vec<W> x, v, angularVelocity;
    Quat<W> q;
};

template <class W> struct TreeLanes {
    static constexpr int lanes = lanesOf<W>;
    const Mechanism* mechanism[lanes] = {};
    int units = 0;
    TreeBody<W>* body = nullptr;   // by unit; not used for ropes
    TreeJoint<W>* joint = nullptr; // joint of the body with the same index, to its parent
    TreeAnchor<W>* ground = nullptr;
    TreeRows<W>* rows = nullptr;
    TreeRod<W>* rod = nullptr;
    TreeTime<W> time;
    bool rods = false, limits = false; // true if a joint is a rod; true if a joint has a limit

    const Unit& unit(int i, int lane) const { return mechanism[lane]->units[i]; }
};

template <class W, class F> CAPSTAN_INLINE Vec<W> vecPerLane(F&& f) {
    return {perLane<W>([&](int k) { return f(k).x; }), perLane<W>([&](int k) { return f(k).y; }),
            perLane<W>([&](int k) { return f(k).z; })};
}
template <class W, class F> CAPSTAN_INLINE Quat<W> quatPerLane(F&& f) {
    return {perLane<W>([&](int k) { return f(k).x; }), perLane<W>([&](int k) { return f(k).y; }),
            perLane<W>([&](int k) { return f(k).z; }), perLane<W>([&](int k) { return f(k).w; })};
}

// Returns the target of a drive, with the world's control inputs added, within the target's bounds.
inline double driveTarget(const Model& m, const Joint& j, const JointAxis& a) {
    const double target = a.target + j.control[0] * m.control[0] + j.control[1] * m.control[1];
    return clamp(target, a.least, a.most);
}

// Loads the rows of an axis in the direction from parent to child: if the joint is flipped, all signs change.
template <class W, class JointOf, class Flip>
void loadAxis(AxisRow<W>& row, const Model& m, JointAxis Joint::*which, JointOf&& joint, Flip&& flip) {
    const JointAxis& shape = joint(0).*which;
    auto sign = [&](int k) { return flip(k) ? -1.0 : 1.0; };
    auto axis = [&](int k) -> const JointAxis& { return joint(k).*which; };
    row.limited = shape.limited();
    row.damped = shape.damping > 0;
    row.timed = shape.drive == JointAxis::Drive::Velocity;
    row.sprung = shape.drive == JointAxis::Drive::Position && shape.compliance > 0;
    row.driven = shape.drive != JointAxis::Drive::None && !row.sprung;
    const bool single = shape.limited() && shape.max - shape.min < kLockedRange;
    if (single) {
        row.limited = false;
        row.driven = true;
        row.timed = false;
        row.sprung = false;
    }
    row.side = W(0.0);
    row.saturated = W(0.0);
    row.react = W(0.0);
    row.soft = W(0.0);
    if (!row.acts()) return;
    row.min = perLane<W>([&](int k) { return flip(k) ? -axis(k).max : axis(k).min; });
    row.max = perLane<W>([&](int k) { return flip(k) ? -axis(k).min : axis(k).max; });
    row.target = perLane<W>([&](int k) {
        return sign(k) * (single ? 0.5 * (axis(k).min + axis(k).max) : driveTarget(m, joint(k), axis(k)));
    });
    row.from = row.target; // startDriveFrom() sets it if the target of the previous step is known
    row.ramped = (row.driven || row.sprung) && !single;
    row.stiffness = perLane<W>([&](int k) { return axis(k).compliance > 0 ? 1 / axis(k).compliance : 0.0; });
    row.damping = perLane<W>([&](int k) { return axis(k).damping; });
    row.strength = perLane<W>([&](int k) { return single ? kNoLimit : axis(k).strength; });
}

// Sets the target of the previous step as the start of a drive's reference.
template <class W, class Target, class Known>
void startDriveFrom(AxisRow<W>& row, Target&& lastTarget, Known&& known) {
    if (!row.ramped) return;
    row.from = perLane<W>([&](int k) { return known(k) ? lastTarget(k) : lane(row.target, k); });
}

template <class W>
void loadBody(TreeBody<W>& b, const TreeLanes<W>& t, const Model& m, const State& s, int i) {
    auto at = [&](int k) -> const BodyState& { return s.bodies[t.unit(i, k).slot]; };
    auto body = [&](int k) -> const Body& { return m.bodies[t.unit(i, k).slot]; };
    auto vec = [&](Vec3d BodyState::*p) { return vecPerLane<W>([&](int k) { return at(k).*p; }); };
    b.position = vec(&BodyState::x);
    b.v = vec(&BodyState::v);
    b.L = vec(&BodyState::L);
    b.turn = quatPerLane<W>([&](int k) { return at(k).q; });
    b.vBefore = vec(&BodyState::vBefore);
    b.LBefore = vec(&BodyState::LBefore);
    b.dBefore = vec(&BodyState::dBefore);
    b.turnBefore = vec(&BodyState::turnBefore);
    b.push = vec(&BodyState::force);
    b.twist = vec(&BodyState::torque);
    b.mass = perLane<W>([&](int k) { return body(k).mass; });
    b.inertia = vecPerLane<W>([&](int k) { return body(k).inertia; });
    b.invInertia = {W(1.0) / b.inertia.x, W(1.0) / b.inertia.y, W(1.0) / b.inertia.z};
    b.x = b.position;
    b.q = b.turn;
    b.R = toMat3(b.q);
    b.dl = b.ct = b.r = {W(0.0), W(0.0), W(0.0)};
}

// Returns true if a limit, a drive or damping acts on the free axes of a joint.
inline bool hasRows(const Joint& j) {
    auto acts = [](const JointAxis& a) {
        return a.limited() || a.drive != JointAxis::Drive::None || a.damping > 0;
    };
    return acts(j.turn) || acts(j.slide) || j.cone < kNoLimit;
}

template <class W> void loadRows(TreeLanes<W>& t, TreeJoint<W>& j, const Model& m, int i) {
    using Kind = typename TreeJoint<W>::Kind;
    auto joint = [&](int k) -> const Joint& { return m.joints[t.unit(i, k).joint]; };
    auto flip = [&](int k) { return t.unit(i, k).flipped; };
    TreeRows<W>& rows = t.rows[i];
    loadAxis(rows.turn, m, &Joint::turn, joint, flip);
    loadAxis(rows.slide, m, &Joint::slide, joint, flip);
    rows.swing = {};
    rows.swing.limited = joint(0).cone < kNoLimit;
    // The damping of a ball joint acts about all three axes.
    const bool ball = j.kind == Kind::Ball;
    rows.swing.damped = ball && joint(0).turn.damping > 0;
    if (ball) rows.turn.damped = false;
    rows.swing.min = W(-kNoLimit);
    rows.swing.max = perLane<W>([&](int k) { return joint(k).cone; });
    rows.swing.damping = perLane<W>([&](int k) { return joint(k).turn.damping; });
    j.rows = rows.turn.acts() || rows.slide.acts() || rows.swing.acts() ? &rows : nullptr;
    if (j.kind == Kind::Ball && j.rows) {
        j.kind = Kind::RowBall;
        j.columns = 3;
    }
    t.limits = t.limits || rows.turn.limited || rows.slide.limited || rows.swing.limited;
}

// Loads joint i in its state at the start of the step.
template <class W> void loadJoint(TreeLanes<W>& t, const Model& m, const State& s, int i) {
    using Kind = typename TreeJoint<W>::Kind;
    TreeJoint<W>& j = t.joint[i];
    TreeAnchor<W>& ground = t.ground[i];
    const Unit& u = t.unit(i, 0);
    const Vec<W> zero = {W(0.0), W(0.0), W(0.0)};
    j.rows = nullptr;
    j.rod = nullptr;
    j.columns = 0;
    j.rope = -1;
    j.old = zero;
    j.e = zero;
    j.gap = zero;
    j.F = zero;
    j.T = zero;
    j.angle = W(0.0);
    j.gTurn = zero;
    j.turnFree = j.slideFree = false;
    ground.moves = false;
    j.parent = -1;
    j.kind = Kind::Free;
    if (u.free()) return;
    const Unit* parent = u.parent >= 0 ? &t.unit(u.parent, 0) : nullptr;
    if (parent && !parent->rope) j.parent = u.parent;
    if (parent && parent->rope) j.rope = parent->index;
    auto joint = [&](int k) -> const Joint& { return m.joints[t.unit(i, k).joint]; };
    auto reading = [&](int k) -> const JointState& { return s.joints[t.unit(i, k).joint]; };
    auto flip = [&](int k) { return t.unit(i, k).flipped; };
    auto child = [&](int k) -> const Pose& { return joint(k).frame[flip(k) ? 0 : 1]; };
    auto other = [&](int k) -> const Pose& { return joint(k).frame[flip(k) ? 1 : 0]; };
    auto sign = [&](int k) { return flip(k) ? -1.0 : 1.0; };
    j.node = joint(0).node;
    j.lc = vecPerLane<W>([&](int k) { return child(k).x; });
    j.lp = j.rope >= 0 ? zero : vecPerLane<W>([&](int k) { return other(k).x; });
    const Quat<W> fc = quatPerLane<W>([&](int k) { return child(k).q; });
    const Quat<W> fp = quatPerLane<W>([&](int k) { return other(k).q; });
    j.xc = axisX(fc);
    j.yc = axisY(fc);
    j.xp = axisX(fp);
    j.yp = axisY(fp);
    j.F = vecPerLane<W>([&](int k) { return sign(k) * reading(k).force; });
    j.angle = perLane<W>([&](int k) { return sign(k) * reading(k).angle; });
    if (!parent) {
        auto pose = [&](int k) -> const BodyState* {
            const int slot = t.unit(i, k).ground;
            return slot >= 0 ? &s.bodies[slot] : nullptr;
        };
        ground.x = vecPerLane<W>([&](int k) { return pose(k) ? pose(k)->x : Vec3d{0, 0, 0}; });
        ground.q = quatPerLane<W>([&](int k) { return pose(k) ? pose(k)->q : Quatd::identity(); });
        ground.v = vecPerLane<W>([&](int k) { return pose(k) ? pose(k)->v : Vec3d{0, 0, 0}; });
        ground.angularVelocity = vecPerLane<W>([&](int k) { return pose(k) ? pose(k)->L : Vec3d{0, 0, 0}; });
        for (int k = 0; k < lanesOf<W>; ++k)
            ground.moves = ground.moves || (pose(k) && m.bodies[t.unit(i, k).ground].hasTarget);
        j.gx = ground.x;
        j.gR = toMat3(ground.q);
    }
    switch (joint(0).kind) {
    case Joint::Kind::Axial:
        j.kind = Kind::Axial;
        j.turnFree = joint(0).turn.free;
        j.slideFree = joint(0).slide.free;
        j.columns = int(j.turnFree) + int(j.slideFree);
        for (Column<W>& c : j.column) c.slide = &c == &j.column[j.turnFree ? 1 : 0];
        for (Column<W>& c : j.column) {
            c.kr = W(0.0);
            c.u = W(0.0);
            c.locked = W(1.0) < W(0.0);
        }
        if (!hasRows(joint(0))) break;
        loadRows(t, j, m, i);
        startDriveFrom(
            t.rows[i].turn, [&](int k) { return sign(k) * reading(k).lastTurnTarget; },
            [&](int k) { return reading(k).targetsKnown; });
        startDriveFrom(
            t.rows[i].slide, [&](int k) { return sign(k) * reading(k).lastSlideTarget; },
            [&](int k) { return reading(k).targetsKnown; });
        t.rows[i].turn.saturated = perLane<W>([&](int k) { return sign(k) * reading(k).turnSaturated; });
        t.rows[i].slide.saturated = perLane<W>([&](int k) { return sign(k) * reading(k).slideSaturated; });
        t.rows[i].turn.step = perLane<W>([&](int k) { return sign(k) * reading(k).turnStep; });
        t.rows[i].slide.step = perLane<W>([&](int k) { return sign(k) * reading(k).slideStep; });
        break;
    case Joint::Kind::Rod: {
        TreeRod<W>& rod = t.rod[i];
        j.kind = Kind::Rod;
        j.rod = &rod;
        t.rods = true;
        rod.rest = perLane<W>([&](int k) { return joint(k).rest; });
        rod.stiffness =
            perLane<W>([&](int k) { return joint(k).compliance > 0 ? 1 / joint(k).compliance : 0.0; });
        rod.damping = perLane<W>([&](int k) { return joint(k).damping; });
        rod.lambda = perLane<W>([&](int k) { return reading(k).tension; });
        rod.step = perLane<W>([&](int k) { return reading(k).slideStep; });
        break;
    }
    default:
        j.kind = Kind::Ball;
        j.turnFree = true;
        if (joint(0).kind == Joint::Kind::Ball && j.rope < 0 && hasRows(joint(0))) loadRows(t, j, m, i);
    }
}

// Computes the coordinates and carried gaps of joint i at the start of a substep, from the present positions.
// `on`: the lanes that have just finished a substep.
template <class W> void startJoint(TreeLanes<W>& t, int i, MaskOf<W> on) {
    using Kind = typename TreeJoint<W>::Kind;
    TreeJoint<W>& j = t.joint[i];
    if (j.kind == Kind::Free || j.rope >= 0) return;
    if (!j.rows && !j.rod && all(on)) { // the last measured gap, since the positions have not changed
        const Vec<W> off = j.gap + j.old;
        j.old = select(dot(off, off) > W(4e-8), W(0.8) * off, Vec<W>{W(0.0), W(0.0), W(0.0)});
        return;
    }
    const TreeBody<W>&b = t.body[i], *p = j.parent >= 0 ? &t.body[j.parent] : nullptr;
    const Mat3<W> Rp = p ? p->R : j.gR;
    const Vec<W> apart = (b.x + b.R * j.lc) - ((p ? p->x : j.gx) + Rp * j.lp);
    const JointAxes<W> f = {Rp * j.xp, Rp * j.yp, b.R * j.xc, b.R * j.yc};
    if (j.kind == Kind::Rod) {
        const W l = length(apart);
        j.rod->step = select(on, l - j.rod->start, j.rod->step);
        j.rod->start = l;
        return;
    }
    Vec<W> off = j.slideFree ? apart - dot(apart, f.x0) * f.x0 : apart;
    if (!j.rows) off = select(on, j.gap + j.old, off);
    j.old = select(dot(off, off) > W(4e-8), W(0.8) * off, Vec<W>{W(0.0), W(0.0), W(0.0)});
    if (!j.rows) return;
    if (j.kind == Kind::Axial && j.turnFree) j.angle = hingeAngle(f, j.angle);
    if (j.kind == Kind::RowBall) j.angle = twistAngle(f, j.angle);
    auto begin = [&](AxisRow<W>& a, W c) {
        a.step = select(on, c - a.start, a.step);
        a.start = c;
    };
    begin(j.rows->turn, j.angle);
    begin(j.rows->slide, dot(apart, f.x0));
    begin(j.rows->swing, swingAngle(f));
}

} // namespace capstan
