// SPDX-License-Identifier: MIT
// Mechanism solver: bodies that joints connect, solved directly as a tree (an articulation elsewhere). W is a
// double, or a Pack of doubles with one mechanism in each lane. A mechanism gets the same bits with either
// type.
//
// As for a rope (solver/rope/chain.hpp), an implicit step is a minimisation, in units where forces are
// multiplied by h^2:
//     min  sum 1/2 m |x - y|^2 + 1/2 |turn from q*|^2_I   subject to   gaps = 0, axes aligned, drives, limits
// Here y and q* are the position and orientation of each body after free flight, and I is its inertia. A
// Newton step is one elimination from the leaves to the root, as in Featherstone's algorithm for articulated
// bodies. But it uses world coordinates and positions as unknowns. So gaps, teleports and loops need no
// special treatment. The velocity products that make reduced coordinates unstable are implicit.
//
// The unknowns of a body are its rotation vector dth and the displacement da of its anchor towards the
// parent. With the lever r from its centre of mass to that anchor, and the inertia I_w in world axes, its
// block is
//     [A B; B^T D],  A = I_w + m (r^2 - r r^T) + geometric stiffness,  B = -m [r],  D = m
// Geometric stiffness of a force l at a lever r, shifted to be positive:
//     (l r^T + r l^T)/2 + (|l||r| - l.r)/2 I
// Without this term, a hanging mass of a hundred times the chain's mass makes the step explode. With the
// wrong sign, every hanging mass does.
//
// Time stepping is BDF2 on velocity and angular momentum, with implicit Euler after a sudden change.
//     body.hpp         this file: a body and its free flight
//     four_bodies.hpp  free flight of four bodies at once
//     tree_joint.hpp   gap and axis error of a joint; limits and drives
//     elimination.hpp  elimination
//     rope_unit.hpp    ropes as units of the tree
//     loops.hpp        joints that close a circle
//     group.cpp        substeps, retries, memory
#pragma once

#include "math/pack.hpp"
#include "model/body.hpp"
#include "solver/rope/two_step.hpp"
#include <capstan/math/mat.hpp>
#include <capstan/math/quat.hpp>

namespace capstan {

// A body of the tree. The order of the fields is needed in four_bodies.hpp, where a phase for four bodies at
// once copies a range of neighbouring fields.
template <class W> struct TreeBody {
    // At the start of the substep.
    Vec<W> position;
    Quat<W> turn; // orientation
    Vec<W> v, L, vBefore, LBefore;
    Vec<W> dBefore, turnBefore; // displacement and rotation vector of the last substep
    Vec<W> push, twist;         // force and torque during this step
    W mass, dampingFactor;
    Vec<W> invInertia;

    // The Newton iterate.
    Vec<W> x;
    Quat<W> q;
    Vec<W> vNow, LNow; // velocity and angular momentum for x and q
    Vec<W> cp, ct;     // sum of the corrections of position and orientation since free flight
    Mat3<W> R;         // rotation matrix of q
    Vec<W> dx, dl;     // displacement and rotation vector of free flight
    W unused[2];

    Vec<W> dth, dp; // Newton step: rotation vector, and displacement of the centre of mass
    Sym3<W> Iw;     // inertia in world axes

    // The block of the body, about its anchor towards the parent. During elimination the blocks of its
    // children are added.
    Vec<W> r;
    Vec<W> inertia;
    Sym3<W> A, D;
    Mat3<W> B;
    Vec<W> gt, gp;
    Vec<W> da; // Newton step: displacement of the anchor
};

// select() for a matrix: a in the lanes where the mask is true, b in the others.
template <class W> CAPSTAN_INLINE Sym3<W> select(Same<MaskOf<W>> m, const Sym3<W>& a, const Sym3<W>& b) {
    return {select(m, a.xx, b.xx), select(m, a.yy, b.yy), select(m, a.zz, b.zz),
            select(m, a.xy, b.xy), select(m, a.xz, b.xz), select(m, a.yz, b.yz)};
}

// Returns exp(a) q without trigonometric functions: tan(|a|/2) to ninth order, then normalised. The error is
// 5e-5 of the angle at one radian. The result is a rotation for every angle.
template <class W> CAPSTAN_INLINE Quat<W> turned(Vec<W> a, Quat<W> q) {
    const W n = dot(a, a);
    const W s =
        W(0.5) *
        (W(1.0) + n * (W(1.0 / 12) + n * (W(1.0 / 120) + n * (W(17.0 / 20160) + n * W(31.0 / 362880)))));
    const Quat<W> p = Quat<W>::fromVector(s * a, W(1.0)) * q;
    return (W(1.0) / sqrt(dot(p, p))) * p;
}

// R diag(d) R^T v and R diag(d) R^T. Only two axes of R are used: the third follows from R R^T = 1.
template <class W> CAPSTAN_INLINE Vec<W> alongAxes(const Mat3<W>& R, Vec<W> d, Vec<W> v) {
    return d.z * v + ((d.x - d.z) * dot(R.x, v)) * R.x + ((d.y - d.z) * dot(R.y, v)) * R.y;
}
template <class W> CAPSTAN_INLINE Sym3<W> alongAxes(const Mat3<W>& R, Vec<W> d) {
    return Sym3<W>::scaledIdentity(d.z) + (d.x - d.z) * outer(R.x) + (d.y - d.z) * outer(R.y);
}
template <class W> CAPSTAN_INLINE Vec<W> angularVelocityOf(const TreeBody<W>& b, Quat<W> q, Vec<W> L) {
    const Mat3<W> axes = {axisX(q), axisY(q), {W(0.0), W(0.0), W(0.0)}};
    return alongAxes(axes, b.invInertia, L);
}

// Geometric stiffness of a force l at a lever r: the exact Hessian, shifted to be positive.
template <class W> CAPSTAN_INLINE Sym3<W> geometric(Vec<W> l, Vec<W> r) {
    const W half = W(0.5), shift = half * (sqrt(dot(l, l) * dot(r, r)) - dot(l, r));
    return {l.x * r.x + shift,
            l.y * r.y + shift,
            l.z * r.z + shift,
            half * (l.x * r.y + r.x * l.y),
            half * (l.x * r.z + r.x * l.z),
            half * (l.y * r.z + r.y * l.z)};
}

// The times of a substep; some differ by lane.
template <class W> struct TreeTime {
    W dt;    // length of the substep
    W carry; // rope/two_step.hpp: 1/3 after an equal substep, 0 without history
    W h;     // effective length: 2 dt / 3 after an equal substep
    W invH, h2;
    Vec<W> gravity;
    bool writeReading = true; // true: write joint torques (in the last substep of a step)
    double was = 1, now = 1;  // fraction of the step that has passed at the start and at the end of the
                              // substep
    double most = 0;          // N: upper bound of the forces in the geometric stiffness; 0: no bound

    // `before` is the length of the last substep, or 0 without history.
    void begin(W substep, W before) {
        dt = substep;
        const TwoStep<W> two = twoStep(dt, before);
        carry = two.carry;
        h = two.part * dt;
        invH = W(1.0) / h;
        h2 = h * h;
    }
};

// Free rotation. The angular momentum L is constant. The rotation is split into rotations about the principal
// axes (McLachlan 1993; Touma & Wisdom 1994): x h/2, y h/2, z h, y h/2, x h/2. Each of them is exact, with
// the angular velocity l_i / I_i, where l = R^T L. The splitting is of second order and symplectic. The
// energy of a tumbling box stays within 1e-6 for hours, and the box flips as Dzhanibekov's does. Refused:
// explicit Euler gains 46 % of its energy in 10 s, and the usual implicit gyroscopic term loses 27 %.
//
// turnAbout() does one rotation about a principal axis. u and w are the components of l across that axis.
template <class W> CAPSTAN_INLINE void turnAbout(W angle, W& u, W& w, Quat<W>& q, Vec<W> axis) {
    const SinCos<W> half = sincos(W(0.5) * angle);
    const W sine = W(2.0) * half.sin * half.cos, cosine = W(1.0) - W(2.0) * half.sin * half.sin;
    q = q * Quat<W>::fromVector(half.sin * axis, half.cos);
    const W turned = cosine * u + sine * w;
    w = cosine * w - sine * u;
    u = turned;
}

template <class W> CAPSTAN_INLINE Quat<W> tumble(Quat<W> q, Vec<W> L, Vec<W> invInertia, W h) {
    const W o = W(0.0), one = W(1.0), half = W(0.5) * h;
    Vec<W> l = rotate(conjugate(q), L);
    turnAbout(half * l.x * invInertia.x, l.y, l.z, q, {one, o, o});
    turnAbout(half * l.y * invInertia.y, l.z, l.x, q, {o, one, o});
    turnAbout(h * l.z * invInertia.z, l.x, l.y, q, {o, o, one});
    turnAbout(half * l.y * invInertia.y, l.z, l.x, q, {o, one, o});
    turnAbout(half * l.x * invInertia.x, l.y, l.z, q, {one, o, o});
    return normalize(q);
}

// Free flight. With history it is BDF2, whose rotation uses the angular velocity at its end. Without history
// it is the splitting of tumble(). A body of 300 rad/s rotates by more than a radian per substep, and there
// the midpoint rule gains energy.
template <class W> CAPSTAN_INLINE void fly(TreeBody<W>& b, const TreeTime<W>& t) {
    const Vec<W> zero = {W(0.0), W(0.0), W(0.0)};
    b.vNow = b.v + t.carry * (b.v - b.vBefore) + t.h * t.gravity + (t.h / b.mass) * b.push;
    b.LNow = b.L + t.carry * (b.L - b.LBefore) + t.h * b.twist;
    b.dx = t.carry * b.dBefore + t.h * b.vNow;
    b.x = b.position + b.dx;
    const MaskOf<W> history = t.carry > W(0.0);
    Quat<W> q = b.turn;
    Vec<W> dl = zero;
    if (any(history)) {
        const Vec<W> carried = t.carry * b.turnBefore, w = angularVelocityOf(b, b.turn, b.LNow);
        dl = carried + t.h * angularVelocityOf(b, turned(carried + t.h * w, b.turn), b.LNow);
        q = turned(dl, b.turn);
    }
    if (!all(history)) {
        const Quat<W> tumbled = tumble(b.turn, b.LNow, b.invInertia, t.h);
        q = select(history, q, tumbled);
        dl = select(history, dl, log(tumbled * conjugate(b.turn)));
    }
    b.q = q;
    b.dl = dl;
    b.R = toMat3(b.q);
    b.cp = zero;
    b.ct = zero;
}

// Sets the body's own block and gradient, about the anchor at the lever r.
template <class W> CAPSTAN_INLINE void assemble(TreeBody<W>& b) {
    const Vec<W> r = b.r, mr = b.mass * r;
    const W rr = dot(r, mr);
    b.Iw = alongAxes(b.R, b.inertia);
    b.A = {b.Iw.xx + rr - mr.x * r.x, b.Iw.yy + rr - mr.y * r.y, b.Iw.zz + rr - mr.z * r.z,
           b.Iw.xy - mr.x * r.y,      b.Iw.xz - mr.x * r.z,      b.Iw.yz - mr.y * r.z};
    b.B = crossMatrix(-mr);
    b.D = Sym3<W>::scaledIdentity(b.mass);
    b.gp = b.mass * b.cp;
    b.gt = b.Iw * b.ct - cross(r, b.gp);
}

// Applies a Newton step, times `scale`, in the active lanes.
template <class W>
CAPSTAN_INLINE void advance(TreeBody<W>& b, const TreeTime<W>& t, MaskOf<W> active, W scale) {
    const Vec<W> dth = select(active, scale * b.dth, Vec<W>{W(0.0), W(0.0), W(0.0)});
    const Vec<W> dp = select(active, scale * b.dp, Vec<W>{W(0.0), W(0.0), W(0.0)});
    b.x = b.x + dp;
    b.vNow = b.vNow + t.invH * dp;
    b.LNow = b.LNow + t.invH * (b.Iw * dth);
    b.q = select(active, turned(dth, b.q), b.q);
    b.R = toMat3(b.q);
    b.ct = b.ct + dth + W(0.5) * cross(dth, b.ct);
    b.cp = b.cp + dp;
}

// Accepts the iterate as the new state, in the lanes of `good`.
template <class W> CAPSTAN_INLINE void accept(TreeBody<W>& b, MaskOf<W> good) {
    b.vBefore = select(good, b.dampingFactor * b.v, b.vBefore);
    b.LBefore = select(good, b.dampingFactor * b.L, b.LBefore);
    b.dBefore = select(good, b.dampingFactor * (b.dx + b.cp), b.dBefore);
    b.turnBefore = select(good, b.dampingFactor * (b.dl + b.ct + W(0.5) * cross(b.ct, b.dl)), b.turnBefore);
    b.v = select(good, b.dampingFactor * b.vNow, b.v);
    b.L = select(good, b.dampingFactor * b.LNow, b.L);
    b.position = select(good, b.x, b.position);
    b.turn = select(good, b.q, b.turn);
}

} // namespace capstan
