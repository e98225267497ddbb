// SPDX-License-Identifier: MIT
// Mechanism solver, elimination: one Newton step of a tree, in O(n).
//
// From the leaves to the root, each body has the block S = [A B; B^T D] and the gradient (gt, gp). The
// degrees of freedom of its joint are eliminated from S, and the result is added to the parent's block:
//     ball        K = D - B^T A^-1 B,  f = gp - B^T A^-1 gt - K gap   (3 x 3: the joint passes only a force)
//     rod         as a ball, then along the rod as along a segment of rope (solver/rope/newton.hpp)
//     columns s   S -= (S s)(S s)^T / (s.S s + kr) for each free axis s; a locked axis is not eliminated
// Before it is added, the result is moved to the parent's anchor by the lever d. With P = [d] D:
//     A += A + sym([d] rows of (B + P/2)),  B += B + P,  D += D
// The back substitution then runs from the root to the leaves. The structure is that of Featherstone, Rigid
// Body Dynamics Algorithms, chapter 7.
#pragma once

#include "solver/mechanism/tree_joint.hpp"
#include "solver/rope/newton.hpp"

namespace capstan {

// Returns [d] K for a symmetric K; [d] is the cross product matrix.
template <class W> CAPSTAN_INLINE Mat3<W> crossTimes(Vec<W> d, const Sym3<W>& K) {
    return {cross(d, Vec<W>{K.xx, K.xy, K.xz}), cross(d, Vec<W>{K.xy, K.yy, K.yz}),
            cross(d, Vec<W>{K.xz, K.yz, K.zz})};
}
// Returns -M [d] - (M [d])^T.
template <class W> CAPSTAN_INLINE Sym3<W> symmetricCross(Vec<W> d, const Mat3<W>& M) {
    const W two = W(2.0);
    return {two * (d.y * M.z.x - d.z * M.y.x),
            two * (d.z * M.x.y - d.x * M.z.y),
            two * (d.x * M.y.z - d.y * M.x.z),
            d.z * M.x.x - d.x * M.z.x + d.y * M.z.y - d.z * M.y.y,
            d.x * M.y.x - d.y * M.x.x + d.y * M.z.z - d.z * M.y.z,
            d.x * M.y.y - d.y * M.x.y + d.z * M.x.z - d.x * M.z.z};
}

// Adds a 3 x 3 stiffness K and a gradient f, at a lever d, to the block of body p.
template <class W> CAPSTAN_INLINE void receive(TreeBody<W>& p, Vec<W> d, const Sym3<W>& K, Vec<W> f) {
    const Mat3<W> P = crossTimes(d, K);
    p.A += symmetricCross(d, W(0.5) * P);
    p.B += P;
    p.D += K;
    p.gt = p.gt + cross(d, f);
    p.gp = p.gp + f;
}

// Eliminates the rotation of body b. The stiffness K and the gradient f at its anchor remain. For a body
// without a joint this is the whole elimination.
template <class W> CAPSTAN_INLINE void takeRotation(TreeJoint<W>& j, const TreeBody<W>& b) {
    const Sym3<W> J = adjugate(b.A);
    const W inv = W(1.0) / (b.A.xx * J.xx + b.A.xy * J.xy + b.A.xz * J.xz);
    j.Ai = inv * J;
    j.AB = j.Ai * b.B;
    const Mat3<W>&B = b.B, &Q = j.AB;
    j.K = b.D -
          Sym3<W>{dot(B.x, Q.x), dot(B.y, Q.y), dot(B.z, Q.z), dot(B.x, Q.y), dot(B.x, Q.z), dot(B.y, Q.z)};
    j.f = b.gp - transposeTimes(Q, b.gt);
    j.Aig = j.Ai * b.gt;
}

// Eliminates the free axes of joint j from the block of b. Adds the result to the parent p; null: the parent
// is fixed.
template <class W> CAPSTAN_INLINE void takeColumns(TreeJoint<W>& j, const TreeBody<W>& b, TreeBody<W>* p) {
    Sym3<W> A = b.A, D = b.D;
    Mat3<W> B = b.B;
    Vec<W> ft = b.gt + A * j.e - B * j.gap, fp = b.gp + transposeTimes(B, j.e) - D * j.gap;
    for (int k = 0; k < j.columns; ++k) {
        Column<W>& c = j.column[k];
        c.Ut = c.slide ? B * c.s : A * c.s;
        c.Up = c.slide ? D * c.s : transposeTimes(B, c.s);
        c.t = dot(c.s, c.slide ? fp : ft) + c.u;
        const W own = dot(c.s, c.slide ? c.Up : c.Ut) + c.kr;
        c.inv = select(c.locked, W(0.0), W(1.0) / own);
        const Vec<W> Vt = c.inv * c.Ut, Vp = c.inv * c.Up;
        A = A -
            Sym3<W>{Vt.x * c.Ut.x, Vt.y * c.Ut.y, Vt.z * c.Ut.z, Vt.x * c.Ut.y, Vt.x * c.Ut.z, Vt.y * c.Ut.z};
        D = D -
            Sym3<W>{Vp.x * c.Up.x, Vp.y * c.Up.y, Vp.z * c.Up.z, Vp.x * c.Up.y, Vp.x * c.Up.z, Vp.y * c.Up.z};
        B = {B.x - Vp.x * c.Ut, B.y - Vp.y * c.Ut, B.z - Vp.z * c.Ut};
        ft = ft - c.t * Vt;
        fp = fp - c.t * Vp;
    }
    if (!p) return;
    const Mat3<W> P = crossTimes(j.d, D);
    p->A += A + symmetricCross(j.d, B + W(0.5) * P);
    p->B += B + P;
    p->D += D;
    p->gt = p->gt + ft + cross(j.d, fp);
    p->gp = p->gp + fp;
}

// Eliminates body b. If the parent is a node of a rope, the caller adds K and f to that node.
template <class W>
CAPSTAN_INLINE void eliminateBody(TreeJoint<W>& j, TreeBody<W>& b, TreeBody<W>* p, const TreeTime<W>& t) {
    using Kind = typename TreeJoint<W>::Kind;
    if (j.kind != Kind::Free) {
        Vec<W> F = t.h2 * j.F;
        if (t.most > 0) F = min(W(1.0), W(t.most) / max(length(j.F), W(1e-30))) * F;
        b.A += geometric(-F, b.r);
        if (p) p->A += geometric(F, j.rp);
    }
    if (j.kind == Kind::Axial || j.kind == Kind::RowBall) return takeColumns(j, b, p);
    takeRotation(j, b);
    if (j.kind == Kind::Free) return;
    Vec<W> f = j.f - j.K * j.gap;
    Sym3<W> K = j.K;
    if (j.kind == Kind::Rod) {
        TreeRod<W>& rod = *j.rod;
        const Vec<W> pull = rod.lambda * rod.n, g = f - pull;
        const Eliminated<W> x = eliminateLink(rod.n, rod.t, rod.residual, rod.alpha, K, g);
        rod.tq = x.tq;
        rod.u = x.u;
        rod.e = x.e;
        rod.b = x.b;
        rod.f = x.f;
        rod.p = x.invS * x.Jn;
        rod.w = (x.k * x.invDet) * x.U;
        f = gradientOf(x, rod.n, rod.t, rod.residual) + pull;
    }
    j.f = f;
    j.K = K;
    if (p) receive(*p, j.d, K, f);
}

// Computes the step of body b from that of its parent. The parent's rotation vector is pt. Its anchor of this
// joint has the displacement pa.
template <class W>
CAPSTAN_INLINE void substituteBody(TreeJoint<W>& j, TreeBody<W>& b, Vec<W> pt, Vec<W> pa,
                                   const TreeTime<W>& t, MaskOf<W> active) {
    using Kind = typename TreeJoint<W>::Kind;
    const W invH2 = t.invH * t.invH;
    if (j.kind == Kind::Axial || j.kind == Kind::RowBall) {
        for (int k = j.columns - 1; k >= 0; --k) {
            Column<W>& c = j.column[k];
            const W psi = -(dot(c.Ut, pt) + dot(c.Up, pa) + c.t) * c.inv;
            if (c.slide)
                pa = pa + psi * c.s;
            else
                pt = pt + psi * c.s;
        }
        b.dth = pt + j.e;
        b.da = pa - j.gap;
        const Vec<W> F = transposeTimes(b.B, b.dth) + b.D * b.da + b.gp;
        j.F = select(active, invH2 * F, j.F);
        if (!j.rows && !t.writeReading) {
            b.dp = b.da - cross(b.dth, b.r);
            return;
        }
        const Vec<W> T = b.A * b.dth + b.B * b.da + b.gt;
        if (j.rows) {
            TreeRows<W>& rows = *j.rows;
            int k = 0;
            if (j.kind == Kind::RowBall) rows.swing.react = dot(T, j.column[1].s);
            if (j.turnFree) rows.turn.react = dot(T, j.column[k++].s);
            if (j.slideFree) rows.slide.react = dot(F, j.column[k].s);
        }
        j.T = select(active, invH2 * T, j.T);
    } else if (j.kind == Kind::Free) {
        const Sym3<W> J = adjugate(j.K);
        b.da = (W(-1.0) / (j.K.xx * J.xx + j.K.xy * J.xy + j.K.xz * J.xz)) * (J * j.f);
        b.dth = -j.Aig - j.AB * b.da;
    } else if (j.kind == Kind::Rod) {
        TreeRod<W>& rod = *j.rod;
        const W f = dot(rod.u, pa) + rod.f;
        b.da = rod.tq * pa + rod.e + f * rod.b;
        b.dth = -j.Aig - j.AB * b.da;
        rod.f = f;
        j.F = select(active, (invH2 * (rod.lambda + f)) * rod.n, j.F);
    } else {
        j.F = select(active, invH2 * (j.K * pa + j.f), j.F);
        b.da = pa - j.gap;
        b.dth = -j.Aig - j.AB * b.da;
    }
    b.dp = b.da - cross(b.dth, b.r);
}

} // namespace capstan
