// SPDX-License-Identifier: MIT
// Mechanism solver, loop rows: computes the rows of a joint that closes a loop at the current iterate.
//
// A joint of the tree has columns for its free axes. A loop joint has rows for its locked axes instead. Gaps,
// axis errors, springs, drives and limits are those of tree_joint.hpp. Each row has a value C, its gradient,
// a compliance, and bounds of its force.
#pragma once

#include "solver/mechanism/mechanism.hpp"

namespace capstan {

// Computes the anchors and axes of both sides of a loop joint.
inline void measureSides(MechanismSolver& m, LoopJoint& l) {
    Mat3<double> R[2];
    Vec3d center[2];
    for (int k : {0, 1}) {
        const Pose& frame = l.joint->frame[k];
        const int unit = l.tie.unit[k];
        if (unit >= 0 && m.t.unit(unit, 0).rope) {
            l.position[k] = m.ropeOf(unit).node(l.joint->node).x;
            center[k] = l.position[k];
            R[k] = Mat3<double>::identity();
            continue;
        }
        R[k] = unit >= 0 ? m.t.body[unit].R : toMat3(l.ground[k].q);
        center[k] = unit >= 0 ? m.t.body[unit].x : l.ground[k].x;
        l.position[k] = center[k] + R[k] * frame.x;
    }
    // The forces act at the anchor of side 1, because the two anchors of a slide are apart.
    for (int k : {0, 1}) l.arm[k] = l.position[1] - center[k];
    const Pose &f0 = l.joint->frame[0], &f1 = l.joint->frame[1];
    l.axes = {R[0] * axisX(f0.q), R[0] * axisY(f0.q), R[1] * axisX(f1.q), R[1] * axisY(f1.q)};
}

class LoopRows {
public:
    LoopRows(MechanismSolver& m, LoopJoint& l) : m_(m), l_(l), time_(m.t.time) {}

    // Adds the rows of the joint. Returns its gap in m.
    double add() {
        measureSides(m_, l_);
        const Joint& j = *l_.joint;
        l_.firstRow = m_.rows.size();
        l_.gap = l_.position[1] - l_.position[0];
        if (j.kind == Joint::Kind::Rod) return rod();
        if (j.kind == Joint::Kind::Axial) return axial();
        const Vec3d gap = l_.gap - l_.old;
        for (Vec3d n : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) push(n, dot(gap, n));
        if (j.kind == Joint::Kind::Ball && j.rope < 0) ball();
        return length(gap);
    }

private:
    LoopRow& row(double C) {
        LoopRow r;
        r.C = C;
        for (int k : {0, 1}) {
            r.side[k].unit = l_.tie.unit[k];
            r.side[k].node = l_.joint->node;
        }
        m_.rows.push_back(r);
        return m_.rows.back();
    }
    // Adds a row along n on the relative displacement of the sides.
    LoopRow& push(Vec3d n, double C) {
        LoopRow& r = row(C);
        for (int k : {0, 1}) {
            if (l_.tie.unit[k] < 0) continue;
            const bool rope = m_.t.unit(l_.tie.unit[k], 0).rope;
            const Vec3d p = k == 1 ? n : -n;
            r.side[k].p = p;
            if (!rope) r.side[k].t = cross(l_.arm[k] - m_.t.body[l_.tie.unit[k]].r, p);
        }
        return r;
    }
    // Adds a row about n on the relative rotation of the sides.
    LoopRow& turn(Vec3d n, double C) {
        LoopRow& r = row(C);
        r.side[0].t = -n;
        r.side[1].t = n;
        r.angular = true;
        return r;
    }
    // Adds the rows of a free axis with the coordinate c: damping, drive and limits.
    template <class Add>
    void axis(const JointAxis& a, double from, double target, double c, double start, double step,
              Add&& addRow) {
        const double h2 = time_.h2;
        if (a.limited() && a.max - a.min < kLockedRange) {
            addRow(c - 0.5 * (a.min + a.max));
            return;
        }
        if (a.damping > 0) {
            LoopRow& r = addRow(c - start - time_.carry * step);
            r.alpha = 1 / (time_.h * a.damping);
            r.hard = false;
        }
        const double low = backTo(a.min, start, time_.dt, kBackSpeed);
        const double high = -backTo(-a.max, -start, time_.dt, kBackSpeed);
        if (a.drive != JointAxis::Drive::None) {
            const bool soft = a.drive == JointAxis::Drive::Position && a.compliance > 0;
            const bool timed = a.drive == JointAxis::Drive::Velocity;
            const double before = from + time_.was * (target - from),
                         now = from + time_.now * (target - from);
            const double reference =
                timed ? start + 0.5 * (before + now) * time_.dt : now + 0.8 * (start - before);
            LoopRow& r = addRow(c - (soft ? now : clamp(reference, low, high)));
            if (soft) {
                r.alpha = a.compliance / h2;
                r.hard = false;
            }
            r.low = -h2 * a.strength;
            r.high = h2 * a.strength;
        }
        // Only the nearer limit has a row.
        if (a.min > -kNoLimit && !(high - c < c - low)) addRow(c - low).high = 0;
        if (a.max < kNoLimit && high - c < c - low) addRow(c - high).low = 0;
    }

    double axial() {
        const Joint& j = *l_.joint;
        const JointAxes<double>& f = l_.axes;
        const Vec3d x = f.x0, y = f.y0, z = cross(x, y);
        const Vec3d gap = l_.gap - l_.old, e = cross(x, f.x1); // e: rotation of side 1 relative to side 0
        push(y, dot(gap, y));
        push(z, dot(gap, z));
        turn(y, dot(e, y));
        turn(z, dot(e, z));
        double off = kRadian * length(e);
        l_.angle = hingeAngle(f, l_.angle);
        l_.slid = dot(l_.gap, x);
        if (j.turn.free) {
            axis(j.turn, l_.turnFrom, l_.turnTarget, l_.angle, l_.turnStart, l_.turnStep,
                 [&](double C) -> LoopRow& { return turn(x, C); });
        } else {
            const double twisted = dot(cross(y, f.y1), x);
            turn(x, twisted);
            off = max(off, kRadian * abs(twisted));
        }
        Vec3d across = gap;
        if (j.slide.free) {
            axis(j.slide, l_.slideFrom, l_.slideTarget, l_.slid, l_.start, l_.step,
                 [&](double C) -> LoopRow& { return push(x, C); });
            across = gap - dot(gap, x) * x;
        } else {
            push(x, dot(gap, x));
        }
        return max(off, length(across));
    }

    void ball() {
        const Joint& j = *l_.joint;
        const JointAxes<double>& f = l_.axes;
        const Vec3d bisector = f.x0 + f.x1, twist = normalize(bisector, f.x0);
        l_.angle = twistAngle(f, l_.angle);
        const double swing = swingAngle(f), scale = max(0.5 * length(bisector), 0.05);
        JointAxis limits = j.turn;
        limits.damping = 0; // the damping of a ball joint acts about all three axes
        if (limits.limited())
            axis(limits, 0, 0, l_.angle, l_.turnStart, l_.turnStep,
                 [&](double C) -> LoopRow& { return turn(twist, C * scale); });
        const Vec3d n = normalize(cross(f.x0, f.x1), perpendicular(twist));
        if (j.cone < kNoLimit) turn(n, swing + backTo(-j.cone, -l_.swingStart, time_.dt, kBackSpeed)).low = 0;
        if (!(j.turn.damping > 0)) return;
        // Damping about all three axes, of the relative rotation since the start of the substep.
        Vec3d since = {0, 0, 0};
        for (int k : {0, 1})
            if (l_.tie.unit[k] >= 0) {
                const TreeBody<double>& b = m_.t.body[l_.tie.unit[k]];
                since = since + (k == 1 ? 1.0 : -1.0) * (b.dl + b.ct - time_.carry * b.turnBefore);
            }
        for (Vec3d a : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
            LoopRow& r = turn(a, dot(since, a));
            r.alpha = 1 / (time_.h * j.turn.damping);
            r.hard = false;
        }
    }

    double rod() {
        const Joint& j = *l_.joint;
        const double l = length(l_.gap);
        const Vec3d n = normalize(l_.gap, Vec3d{0, 1, 0});
        // The force acts on each side at that side's own anchor.
        l_.arm[0] = l_.arm[0] - l_.gap;
        l_.slid = l;
        const bool rigid = !(j.compliance > 0);
        const double rest = rigid ? easedRest(j.rest, l_.start) : j.rest;
        LoopRow& r = push(n, l - rest);
        if (rigid) return abs(l - rest);
        r.hard = false;
        r.alpha = j.compliance / time_.h2;
        if (j.damping > 0) {
            const double k = 1 / j.compliance, c = j.damping / time_.h;
            r.alpha = 1 / (time_.h2 * (k + c));
            r.C -= c / (k + c) * (l_.start + time_.carry * l_.step - j.rest);
        }
        return 0;
    }

    MechanismSolver& m_;
    LoopJoint& l_;
    const TreeTime<double>& time_;
};

// Computes all rows at the current iterate. Their multipliers are those of the last iteration, or 0 if
// `fresh`. Returns the largest gap of a loop [m].
inline double measureLoops(MechanismSolver& m, bool fresh) {
    m.rows.clear();
    double worst = 0;
    for (LoopJoint& l : m.loops) worst = max(worst, LoopRows(m, l).add());
    const bool same = !fresh && m.before.size() == m.rows.size();
    for (std::size_t k = 0; same && k < m.rows.size(); ++k)
        m.rows[k].mu = clamp(m.before[k], m.rows[k].low, m.rows[k].high);
    return worst;
}

// Computes the force and torque on side 1 of each loop joint from the multipliers of its rows.
inline void readLoops(MechanismSolver& m) {
    const double invH2 = m.t.time.invH * m.t.time.invH;
    for (std::size_t i = 0; i < m.loops.size(); ++i) {
        LoopJoint& l = m.loops[i];
        const std::size_t end = i + 1 < m.loops.size() ? m.loops[i + 1].firstRow : m.rows.size();
        l.F = l.T = {0, 0, 0};
        for (std::size_t k = l.firstRow; k < end; ++k) {
            const LoopRow& r = m.rows[k];
            const Vec3d n = l.tie.unit[1] >= 0 ? (r.angular ? r.side[1].t : r.side[1].p)
                                               : -(r.angular ? r.side[0].t : r.side[0].p);
            (r.angular ? l.T : l.F) = (r.angular ? l.T : l.F) - (r.mu * invH2) * n;
        }
    }
}

// Sets the coordinates of loop joints at the start of a substep. `moved`: a substep has just been solved.
inline void startLoops(MechanismSolver& m, bool moved) {
    for (LoopJoint& l : m.loops) {
        for (int unit : l.tie.unit) {
            if (unit < 0 || !m.t.unit(unit, 0).rope) continue;
            ChainNode<double>& a = m.ropeOf(unit).node(l.joint->node);
            a.x = a.position;
        }
        measureSides(m, l);
        const Vec3d gap = l.position[1] - l.position[0];
        const Joint& j = *l.joint;
        const Vec3d off =
            j.kind == Joint::Kind::Axial && j.slide.free ? gap - dot(gap, l.axes.x0) * l.axes.x0 : gap;
        l.old = dot(off, off) > 4e-8 && j.kind != Joint::Kind::Rod ? 0.8 * off : Vec3d{0, 0, 0};
        if (j.kind == Joint::Kind::Axial) l.angle = hingeAngle(l.axes, l.angle);
        if (j.kind == Joint::Kind::Ball) l.angle = twistAngle(l.axes, l.angle);
        const double at = j.kind == Joint::Kind::Rod ? length(gap) : dot(gap, l.axes.x0);
        if (moved) {
            l.turnStep = l.angle - l.turnStart;
            l.step = at - l.start;
        }
        l.turnStart = l.angle;
        l.start = at;
        l.swingStart = swingAngle(l.axes);
    }
}

} // namespace capstan
