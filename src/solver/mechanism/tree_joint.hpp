// SPDX-License-Identifier: MIT
// Mechanism solver, joints of the tree: their gaps, and the rows on their free axes.
//
// A joint connects a body (the child) to its parent. At the current iterate:
//     gap   from the parent's anchor to the child's, without the part along a free slide
//     e     rotation that aligns the child's axes with the parent's, without the part about a free axis
// Each free axis is a column s of the motion that the joint allows. The coordinate c of an axis is an angle
// or a displacement. A row on the axis is a limit, drive, spring or damping, and acts on c:
//     spring, damping     stiffness kr and gradient u are added to the column
//     limit, rigid drive  the column is locked, and c is moved to its reference
//     saturated drive     the column is not locked, and u is the constant force of the drive
// At the start of a substep a coordinate may be beyond its limit, or far from a rigid drive's reference. The
// error is then reduced by a fifth per substep. If all of the error were corrected at once, the bodies would
// keep the velocity of the correction. Energy would then grow (from 17 to 160 J on a chain of thirty hinges).
#pragma once

#include "solver/mechanism/body.hpp"

namespace capstan {

// The row of one free axis.
template <class W> struct AxisRow {
    bool limited = false, sprung = false, driven = false, timed = false; // timed: the target is a velocity
    bool damped = false, ramped = false; // damping acts; the target moves during the step
    W min, max, target;                  // target: a position, or a velocity if timed, at the end of the step
    W from;               // target at the start of the step; the reference moves linearly from it to target
    W stiffness, damping; // of the spring, and of the damper
    W strength;           // largest force of the drive or spring, N or N m
    W start = W(0.0), c = W(0.0); // coordinate at the start of the substep, and now
    W step = W(0.0);              // change of the coordinate in the last substep
    W side = W(0.0);              // which limit acts: 1 the lower, -1 the upper, 0 none
    W saturated = W(0.0);         // sign of the force of a saturated drive, else 0
    W react = W(0.0);             // force of the joint on the child along the column, times h^2
    W soft = W(0.0);              // part of react from springs, dampers and saturated drives

    bool acts() const { return limited || sprung || driven || damped; }
};

// A free axis of a joint, with its factors of the elimination.
template <class W> struct Column {
    bool slide = false;
    MaskOf<W> locked;
    Vec<W> s;                  // unit vector of the rotation or displacement
    W kr = W(0.0), u = W(0.0); // stiffness and gradient of the row
    Vec<W> Ut, Up;             // block of the body times s: the part on rotations, and the part on positions
    W inv, t;                  // 1 / (s.U + kr), 0 if locked; gradient along s
};

template <class W> struct TreeRows { AxisRow<W> turn, slide, swing; };

// Data of a rod, with the names of a segment in solver/rope/newton.hpp.
template <class W> struct TreeRod {
    W rest, stiffness, damping; // stiffness 0: rigid
    W start, step;              // length at the start of the substep, and its change in the last substep
    W lambda, alpha, residual, t;
    Vec<W> n, u, e, b;
    Sym3<W> tq;
    W f;
    Vec<W> p, w; // for responses: a gradient g gives f = p.g, and the parent gets the gradient -t e + f w
};

template <class W> struct TreeJoint {
    enum class Kind { Free, Ball, Axial, RowBall, Rod };
    Kind kind = Kind::Free;
    int parent = -1; // index of a body of the tree; -1: ground, a node of a rope, or none
    int rope = -1;   // rope of the tree if the parent is one of its nodes
    int node = 0;
    int columns = 0;
    bool turnFree = false, slideFree = false;
    TreeRows<W>* rows = nullptr;
    TreeRod<W>* rod = nullptr;

    Vec<W> lc, lp;         // anchors in the child's and in the parent's axes
    Vec<W> xc, yc, xp, yp; // x and y of the joint's frame in the axes of child and parent
    Vec<W> gx;             // position of the ground at the end of this substep
    Mat3<W> gR;            // axes of the ground
    Vec<W> gTurn;          // rotation vector of the ground during the substep

    Vec<W> rp, d; // levers to the parent's anchor of this joint: from the parent's centre, and from the
                  // parent's own anchor
    Vec<W> gap, e;
    Vec<W> old; // carried gap: the part of an earlier gap that may remain in this substep
    Column<W> column[3];
    Vec<W> F, T; // force and torque on the child at the anchor, N and N m
    W angle;     // about x, an estimate that counts full turns

    Sym3<W> Ai, K; // Ball, Rod, Free: factors of the elimination
    Mat3<W> AB;
    Vec<W> f, Aig;
};

// The largest errors of a mechanism's joints.
template <class W> struct TreeWorst {
    W gap = W(0.0);    // m; a radian counts as 0.1 m
    W change = W(0.0); // above 0: a row has changed its state in this iteration
};

inline constexpr double kRadian = 0.1;   // m: a length error of this size counts as one radian
inline constexpr double kGapGood = 5e-5; // m: gap of a closed joint
inline constexpr double kBackSpeed = 1;  // rad/s or m/s: largest speed at which a coordinate returns to its
                                         // limit

template <class W> CAPSTAN_INLINE W wrapAngle(W a) {
    return a - W(6.283185307179586) * roundToInteger(a * W(0.15915494309189535));
}
template <class W> CAPSTAN_INLINE W signOf(W a) { return select(a < W(0.0), W(-1.0), W(1.0)); }

// Returns the lower limit to use in this substep, for a coordinate that started at `start`. If it started
// beyond the limit, its error is reduced by a fifth, but not faster than `speed`. After a faster return the
// coordinate would move on, because a limit does not stop motion away from itself.
template <class W> CAPSTAN_INLINE W backTo(W limit, W start, W dt, double speed) {
    return select(start < limit, min(limit + W(0.8) * (start - limit), start + W(speed) * dt), limit);
}

// Evaluates the row of a free axis at the coordinate a.c. Sets the stiffness and gradient of the column, or
// locks the column and returns the displacement along it. `scale`: motion along the column per change of c.
// `metre`: length that one unit of c counts as. Lanes that are not active keep their state.
template <class W>
W applyRow(AxisRow<W>& a, Column<W>& k, const TreeTime<W>& t, W scale, W metre, bool fresh, MaskOf<W> active,
           TreeWorst<W>& worst) {
    const W zero = W(0.0), one = W(1.0), keep = W(0.8);
    k.kr = zero;
    k.u = zero;
    MaskOf<W> locked = one < zero;
    W target = a.c;
    const W invScale = one / scale;
    if (a.damped) {
        const W c = a.damping * t.h; // h is that of BDF2, or of implicit Euler without history
        k.kr = k.kr + c * invScale * invScale;
        k.u = k.u + c * (a.c - a.start - t.carry * a.step) * invScale;
    }
    if (a.sprung) {
        const W now = a.from + W(t.now) * (a.target - a.from);
        const W stiff = t.h2 * a.stiffness, f = stiff * (a.c - now), most = t.h2 * a.strength;
        const MaskOf<W> over = abs(f) > most;
        k.kr = k.kr + select(over, zero, stiff * invScale * invScale);
        k.u = k.u + select(over, signOf(f) * most, f) * invScale;
    }
    W low = W(-kNoLimit), high = W(kNoLimit);
    if (a.limited) {
        low = backTo(a.min, a.start, t.dt, kBackSpeed);
        high = -backTo(-a.max, -a.start, t.dt, kBackSpeed);
    }
    const W oldSide = a.side, oldSaturated = a.saturated,
            react = a.react + a.soft; // force of the limit or rigid drive alone
    if (a.driven) {
        const W before = a.from + W(t.was) * (a.target - a.from),
                now = a.from + W(t.now) * (a.target - a.from);
        const W position =
            a.timed ? a.start + W(0.5) * (before + now) * t.dt : now + keep * (a.start - before);
        const W drive = clamp(position, low, high), most = t.h2 * a.strength;
        W saturated = a.saturated;
        if (!fresh) {
            saturated = select((saturated == zero) & (abs(react) > most), signOf(react), saturated);
            saturated =
                select((oldSaturated != zero) & ((a.c - drive) * oldSaturated > zero), zero, saturated);
        }
        a.saturated = select(active, saturated, a.saturated);
        locked = a.saturated == zero;
        target = select(locked, drive, target);
        k.u = k.u - a.saturated * most;
    }
    if (a.limited) {
        W side = fresh ? zero : a.side;
        side = select(side * react < zero, zero, side);
        const MaskOf<W> unmet = (oldSide == zero) | (fresh ? one > zero : one < zero);
        side = select(unmet & (a.c < low), one, select(unmet & (a.c > high), -one, side));
        a.side = select(active & !locked, side, select(active, zero, a.side));
        target = select(a.side > zero, low, select(a.side < zero, high, target));
        locked = locked | (a.side != zero);
    }
    k.locked = locked;
    if (!fresh) worst.change = max(worst.change, max(abs(a.side - oldSide), abs(a.saturated - oldSaturated)));
    const W move = select(locked, target - a.c, zero);
    worst.gap = max(worst.gap, abs(move) * metre);
    a.soft = k.u + k.kr * move * scale;
    return move * scale;
}

// The axes of a joint on both of its sides, from which its coordinates are computed.
template <class W> struct JointAxes {
    Vec<W> x0, y0, x1, y1; // parent, child
};
template <class W> CAPSTAN_INLINE W hingeAngle(const JointAxes<W>& f, W near) {
    const W phi = atan2(dot(cross(f.y0, f.y1), f.x0), dot(f.y0, f.y1));
    return near + wrapAngle(phi - near);
}
// Coordinates of a ball joint: twistAngle is the rotation about x without the swing, swingAngle the angle
// between the x axes.
template <class W> CAPSTAN_INLINE W twistAngle(const JointAxes<W>& f, W near) {
    const Vec<W> z0 = cross(f.x0, f.y0), z1 = cross(f.x1, f.y1);
    const W phi = W(2.0) * atan2(dot(z0, f.y1) - dot(f.y0, z1),
                                 W(1.0) + dot(f.x0, f.x1) + dot(f.y0, f.y1) + dot(z0, z1));
    return near + wrapAngle(phi - near);
}
template <class W> CAPSTAN_INLINE W swingAngle(const JointAxes<W>& f) {
    return atan2(length(cross(f.x0, f.x1)), dot(f.x0, f.x1));
}

// Rotation vector of the child relative to its parent: turnSince during this substep, turnBefore during the
// previous one.
template <class W>
CAPSTAN_INLINE Vec<W> turnSince(const TreeJoint<W>& j, const TreeBody<W>& b, const TreeBody<W>* p) {
    return b.dl + b.ct - (p ? p->dl + p->ct : j.gTurn);
}
template <class W>
CAPSTAN_INLINE Vec<W> turnBefore(const TreeJoint<W>& j, const TreeBody<W>& b, const TreeBody<W>* p) {
    return b.turnBefore - (p ? p->turnBefore : j.gTurn);
}

template <class W>
void measureAxial(TreeJoint<W>& j, const JointAxes<W>& f, const TreeTime<W>& t, bool fresh, MaskOf<W> active,
                  TreeWorst<W>& worst, Vec<W> apart) {
    const Vec<W> a = f.x0;
    j.e = cross(f.x1, a);
    int k = 0;
    if (!j.turnFree) {
        j.e = j.e + dot(cross(f.y1, f.y0), a) * a;
    } else {
        Column<W>& c = j.column[k++];
        c.slide = false;
        c.s = a;
        if (j.rows && j.rows->turn.acts()) {
            j.rows->turn.c = hingeAngle(f, j.rows->turn.start);
            j.e = j.e + applyRow(j.rows->turn, c, t, W(1.0), W(kRadian), fresh, active, worst) * a;
        }
    }
    j.gap = apart;
    if (!j.slideFree) return;
    const W slid = dot(apart, a);
    j.gap = apart - slid * a;
    j.rp = j.rp + slid * a;
    j.d = j.d + slid * a;
    Column<W>& c = j.column[k];
    c.slide = true;
    c.s = a;
    if (j.rows && j.rows->slide.acts()) {
        j.rows->slide.c = slid;
        j.gap = j.gap - applyRow(j.rows->slide, c, t, W(1.0), W(1.0), fresh, active, worst) * a;
    }
}

// Measures a ball joint with rows. Its columns are the bisector of the two x axes (twist), their common
// normal (swing), and the direction perpendicular to these two.
template <class W>
void measureRowBall(TreeJoint<W>& j, const JointAxes<W>& f, const TreeTime<W>& t, Vec<W> turn, bool fresh,
                    MaskOf<W> active, TreeWorst<W>& worst) {
    const Vec<W> bisector = f.x0 + f.x1, axis = normalize(bisector, f.x0);
    Column<W>&twist = j.column[0], &swing = j.column[1], &third = j.column[2];
    twist.s = axis;
    swing.s = normalize(cross(f.x0, f.x1), perpendicular(axis));
    third.s = cross(twist.s, swing.s);
    for (Column<W>* c : {&twist, &swing, &third}) {
        c->slide = false;
        c->kr = W(0.0);
        c->u = W(0.0);
        c->locked = W(1.0) < W(0.0);
    }
    TreeRows<W>& rows = *j.rows;
    j.e = {W(0.0), W(0.0), W(0.0)};
    if (rows.turn.limited || rows.turn.driven) {
        rows.turn.c = twistAngle(f, rows.turn.start);
        const W scale = max(W(0.5) * length(bisector), W(0.05));
        j.e = j.e + applyRow(rows.turn, twist, t, scale, W(kRadian), fresh, active, worst) * twist.s;
    }
    if (rows.swing.limited) {
        rows.swing.c = swingAngle(f);
        j.e = j.e + applyRow(rows.swing, swing, t, W(1.0), W(kRadian), fresh, active, worst) * swing.s;
    }
    if (!rows.swing.damped) return;
    const W c = rows.swing.damping * t.h;
    for (Column<W>* k : {&twist, &swing, &third}) {
        k->kr = k->kr + c;
        k->u = k->u + c * dot(k->s, turn);
    }
}

// Returns the target length of a rigid rod in this substep: an error from before the substep is reduced by a
// fifth.
template <class W> CAPSTAN_INLINE W easedRest(W rest, W start) {
    const W off = start - rest;
    return rest + select(abs(off) > W(2e-4), W(0.8) * off, W(0.0));
}

// Measures a rod like a segment of rope, with a spring and a damper in place of the compliance.
template <class W> void measureRod(TreeJoint<W>& j, const TreeTime<W>& t, Vec<W> apart, W mass) {
    TreeRod<W>& rod = *j.rod;
    const W l = length(apart), zero = W(0.0), k = t.h2 * rod.stiffness, c = t.h * rod.damping;
    const MaskOf<W> soft = rod.stiffness > zero;
    rod.n = normalize(-apart, Vec<W>{zero, W(1.0), zero});
    rod.alpha = select(soft, W(1.0) / select(soft, k + c, W(1.0)), W(1e-9) / mass);
    const W old =
        select(soft, c / select(soft, k + c, W(1.0)) * (rod.start + t.carry * rod.step - rod.rest), zero);
    const W rest = select(soft, rod.rest + old, easedRest(rod.rest, rod.start));
    rod.residual = l - rest - rod.alpha * rod.lambda;
    rod.t = max(abs(rod.lambda) / max(l, W(1e-9)), W(1e-4) * mass);
    j.gap = {zero, zero, zero};
    j.e = {zero, zero, zero};
}

// Measures joint j of body b at the current iterate. The parent body is p, or null if the parent is no body
// of the tree.
template <class W>
CAPSTAN_INLINE void measureJoint(TreeJoint<W>& j, TreeBody<W>& b, const TreeBody<W>* p, const TreeTime<W>& t,
                                 bool fresh, MaskOf<W> active, TreeWorst<W>& worst) {
    using Kind = typename TreeJoint<W>::Kind;
    const W zero = W(0.0);
    if (j.kind == Kind::Free) {
        b.r = {zero, zero, zero};
        return;
    }
    b.r = b.R * j.lc;
    const Mat3<W>& Rp = p ? p->R : j.gR;
    const Vec<W> xp = p ? p->x : j.gx;
    j.rp = Rp * j.lp;
    j.d = p ? j.rp - p->r : j.rp;
    const Vec<W> apart = (b.x - xp) + (b.r - j.rp) - j.old;
    if (j.kind == Kind::Ball) {
        j.gap = apart;
    } else if (j.kind == Kind::Rod) {
        measureRod(j, t, apart, b.mass);
        worst.gap = max(worst.gap, abs(j.rod->residual));
        return;
    } else {
        const Vec<W> x0 = Rp * j.xp, x1 = b.R * j.xc;
        if (j.kind == Kind::Axial && j.turnFree && !j.slideFree &&
            !j.rows) { // a plain hinge: the common case
            j.gap = apart;
            j.e = cross(x1, x0);
            j.column[0].s = x0;
            const W off = sqrt(max(dot(apart, apart), W(kRadian * kRadian) * dot(j.e, j.e)));
            worst.gap = select(off < W(1e30), max(worst.gap, off), W(1e30));
            return;
        }
        const JointAxes<W> f = {x0, Rp * j.yp, x1, b.R * j.yc};
        if (j.kind == Kind::Axial) {
            measureAxial(j, f, t, fresh, active, worst, apart);
            worst.gap = max(worst.gap, W(kRadian) * sqrt(dot(j.e, j.e)));
        } else {
            j.gap = apart;
            measureRowBall(j, f, t, turnSince(j, b, p) - t.carry * turnBefore(j, b, p), fresh, active, worst);
        }
    }
    const W gap = sqrt(dot(j.gap, j.gap));
    worst.gap = select(gap < W(1e30), max(worst.gap, gap), W(1e30)); // NaN counts as huge
}

} // namespace capstan
