// SPDX-License-Identifier: MIT
// Rope elimination, lengths: Newton's method on the whole rope, in O(n).
//
// The method linearises the stationarity of 1/2 |x - z|_M^2 + sum lambda_i C_i, with C_i = |x_(i-1) - x_i| -
// l_i. It includes the geometric stiffness t_i (I - n n^T), with t_i = |lambda_i| / length and n the unit
// vector to the parent. Without this term a light rope under a tension T blows up unless h < 0.5 sqrt(m l /
// T) (Tournier et al. 2015, Stable Constrained Dynamics). The absolute value and a small lower limit of t_i
// keep every block positive definite for slack ropes, too.
//
// Nodes are eliminated from the last to the first. Node i and everything past it act on it as a stiffness S
// and a gradient g. Segment i joins it to its parent, whose displacement is D. The node's displacement is
// dx. The segment has the force F, the compliance alpha, and the step of lambda f:
//     S dx + g = F,    F = t (I - n n^T)(D - dx) + n f,    n.(D - dx) + r = alpha f        (r: residual)
// With Q = (S + t)^-1, b = Q n, q = n.b, k = 1 - alpha t this solves to
//     f  = [ (n - t b).D + (1 - t q) r + b.g ] / (q + alpha (1 - t q))
//     dx = t Q D + b (t r + k f) - Q g
// and the parent receives
//     stiffness  W  = t I - t^2 Q + k (n - t b)(n - t b)^T / (q + alpha (1 - t q))
//     force      F0 = F at D = 0
// A pinned node has immense mass, so Q = 0 without a special case. A padding node (immense mass; length, n
// and t are zero) gives W = F0 = 0. The cost is one 3x3 inverse and one division per node. The usual form
// takes two inverses and four divisions.
//
// A ring is an open rope whose last node is joined to node 0. The closing segment joins node n - 1 to a ghost
// node that moves by z as node 0 does. The step of its lambda is phi. The gradient of every node gains a part
// that is linear in z and phi: g + M z + m phi. At the root, the Schur complement of (z, phi) gives both
// unknowns.
//
// Refused: eliminating the closing segment through its stiffness 1 / alpha, as if its ghost node were pinned.
// That loses all digits of M.
#pragma once

#include "solver/rope/chain.hpp"

namespace capstan {

// Computes direction, residual and geometric stiffness of segment i at the current iterate. `worst` is raised
// to |residual| / l if it is less.
template <class W> CAPSTAN_INLINE void measureSegment(ChainLanes<W>& c, int i, W& worst) {
    const W huge = W(1e30);
    ChainNode<W>& a = c.node[i];
    const Vec<W> d = c.node[i - 1].x - a.x;
    const W l = length(d), invL = W(1.0) / max(l, W(1e-30));
    a.n = invL * d;
    a.residual = l - a.rest - compliance(c, a) * a.lambda;
    // The floor of t vanishes with the length, so that nodes past the end of a shorter rope have no
    // stiffness.
    a.t = max(abs(a.lambda) * invL, c.stiffnessMin * min(a.rest * huge, W(1.0)));
    const W error = abs(a.residual) * c.invReach;
    worst = select(error < huge, max(worst, error), huge); // NaN counts as huge
}

template <class W> CAPSTAN_INLINE Sym3<W> adjugate(const Sym3<W>& a) {
    return {a.yy * a.zz - a.yz * a.yz, a.xx * a.zz - a.xz * a.xz, a.xx * a.yy - a.xy * a.xy,
            a.xz * a.yz - a.xy * a.zz, a.xy * a.yz - a.xz * a.yy, a.xy * a.xz - a.xx * a.yz};
}

// Data of a node of a ring for the back substitution: derivatives of f and dx by z and phi.
template <class W> struct RingNode {
    Vec<W> p;   // df/dz
    W pPhi;     // df/dphi
    Mat3<W> qm; // -dx/dz without the part through f
    Vec<W> qPhi;
    W gain; // k (q + alpha (1 - t q)): response of f to the ring's own gradient
};
// Data of a node for the response to external gradients (answerUnit in solver/coupled/rope_units.hpp). A
// gradient g at the node gives f = p.g; the parent's gradient is then t Q g + f w.
template <class W> struct LinkFactor { Vec<W> p, w; };
// Terms of the ring during elimination. m, mPhi: coupling of the current node to (z, phi), called M and m
// above. The other fields: Schur complement of (z, phi) and its gradient.
template <class W> struct Ring {
    Mat3<W> m, h;
    Vec<W> mPhi, hPhi, g;
    W hPhiPhi, gPhi;
};

// Starts the elimination of a ring. The closing segment acts on node n - 1 sideways as a spring t, and along
// n by phi.
template <class W> CAPSTAN_INLINE Ring<W> closeRing(const ChainNode<W>& a, W alpha, Sym3<W>& S, Vec<W>& g) {
    const Vec<W> n = a.n;
    S = Sym3<W>::scaledIdentity(a.t) - a.t * outer(n);
    g = a.lambda * n;
    Ring<W> r;
    r.h = toMat3(S);
    r.m = W(-1.0) * r.h;
    r.mPhi = n;
    r.hPhi = -n;
    r.g = -g;
    r.hPhiPhi = -alpha;
    r.gPhi = a.residual;
    return r;
}

// Result of the elimination of a node, kept for the back substitution. The stiffness for the parent is
// returned in S.
template <class W> struct Eliminated {
    Sym3<W> tq;  // t Q
    Vec<W> u, e; // (n - t b) / (q + alpha (1 - t q)); dx = tq D + e + f b
    Vec<W> b;    // k Q n
    W f;         // f at D = 0
    Sym3<W> J;   // Q and 1 / (q + alpha (1 - t q)) before the division by the determinant, for rings
    W invDet, invS, k;
    Vec<W> Jn, U;
};

// Eliminates a node whose S and g include everything past it. Its segment joins it to the parent along n. S
// becomes the stiffness that the parent receives. g is unchanged; gradientOf() returns the parent's gradient.
//
// Let det be the determinant of S + t, J = det Q, s = det (q + alpha (1 - t q)) and U = det (n - t b). In
// these terms there is one division, and only products depend on its result. This matters because the
// recursion of S is the critical path of a single rope.
template <class W>
CAPSTAN_INLINE Eliminated<W> eliminateLink(Vec<W> n, W t, W r, W alpha, Sym3<W>& S, Vec<W> g) {
    const W k = W(1.0) - t * alpha;
    const Sym3<W> A = {S.xx + t, S.yy + t, S.zz + t, S.xy, S.xz, S.yz}, J = adjugate(A);
    const W det = A.xx * J.xx + A.xy * J.xy + A.xz * J.xz;
    const Vec<W> Jn = J * n;
    const W nJn = dot(n, Jn), s = k * nJn + alpha * det;
    const W both = W(1.0) / (det * s), invDet = both * s, invS = both * det;
    const Vec<W> U = det * n - t * Jn, kU = k * U;
    const W m = t * t * s;
    S = {t + both * (kU.x * U.x - m * J.xx), t + both * (kU.y * U.y - m * J.yy),
         t + both * (kU.z * U.z - m * J.zz), both * (kU.x * U.y - m * J.xy),
         both * (kU.x * U.z - m * J.xz),     both * (kU.y * U.z - m * J.yz)};
    const W f = invS * ((det - t * nJn) * r + dot(Jn, g));
    const Vec<W> e = invDet * ((t * r) * Jn - J * g), b = (k * invDet) * Jn;
    return {(t * invDet) * J, invS * U, e, b, f, J, invDet, invS, k, Jn, U};
}
// Returns the gradient that the parent receives, without the present force lambda n of the segment.
template <class W> CAPSTAN_INLINE Vec<W> gradientOf(const Eliminated<W>& a, Vec<W> n, W t, W r) {
    return t * (r * n - a.e) + (a.k * a.f) * (a.invDet * a.U);
}

// Eliminates node i. S and g become those of its parent. The node keeps its result in its own fields.
template <class W>
CAPSTAN_INLINE void eliminate(ChainNode<W>& a, W alpha, Sym3<W>& S, Vec<W>& g, Ring<W>* ring,
                              RingNode<W>* kept, LinkFactor<W>* link) {
    const W t = a.t, r = a.residual;
    const Vec<W> n = a.n, pull = a.lambda * n;
    const Eliminated<W> x = eliminateLink(n, t, r, alpha, S, g);
    a.tq = x.tq;
    a.u = x.u;
    a.e = x.e;
    a.n = x.b;
    a.residual = x.f;
    if (link) *link = {x.invS * x.Jn, (x.k * x.invDet) * x.U};
    if (ring) {
        const Vec<W> u = x.invDet * x.U;
        const Vec<W> p = x.invS * transposeTimes(ring->m, x.Jn), qPhi = x.invDet * (x.J * ring->mPhi);
        const W pPhi = x.invS * dot(ring->mPhi, x.Jn);
        const Mat3<W> qm = x.invDet * (x.J * ring->m);
        const Vec<W> dx = x.e + x.f * x.b, dPhi = pPhi * x.b - qPhi;
        ring->g = ring->g + transposeTimes(ring->m, dx);
        ring->gPhi = ring->gPhi + dot(ring->mPhi, dx);
        ring->h = ring->h + transpose(ring->m) * (outer(x.b, p) - qm);
        ring->hPhi = ring->hPhi + transposeTimes(ring->m, dPhi);
        ring->hPhiPhi = ring->hPhiPhi + dot(ring->mPhi, dPhi);
        ring->m = t * qm + outer(x.k * u, p);
        ring->mPhi = t * qPhi + (x.k * pPhi) * u;
        *kept = {p, pPhi, qm, qPhi, x.k * (x.k * x.invDet * dot(n, x.Jn) + alpha)};
    }
    g = gradientOf(x, n, t, r) + pull;
}

// External stiffness and gradient on a node: those of contacts and attachments.
template <class W> struct NodeLoad {
    Sym3<W> S;
    Vec<W> g;
};

// Adds to S and g the inertia of a node, its external stiffness and gradient, and the force of the segment to
// its parent.
template <class W>
CAPSTAN_INLINE void addNode(const ChainNode<W>& a, bool root, const NodeLoad<W>* load, Sym3<W>& S,
                            Vec<W>& g) {
    S.xx = S.xx + a.mass;
    S.yy = S.yy + a.mass;
    S.zz = S.zz + a.mass;
    g = g + a.mass * (a.x - a.z);
    if (load) {
        S += load->S;
        g = g + load->g;
    }
    if (!root) g = g - a.lambda * a.n;
}

// Measures of convergence: the worst |residual| / l, the largest |x - z|^2 of a node, the largest |dx_i -
// dx_(i-1)|^2.
template <class W> struct Progress { W worst = W(0.0), moved = W(0.0), largest = W(0.0); };

// Measures the length error of segment i as a fraction of l. L is the length that the segment should have at
// its tension, and d its vector. Near the solution, |d^2 - L^2| / 2 l^2 is |residual| / l. It takes no square
// root or division. Most substeps end with this check.
template <class W> CAPSTAN_INLINE void checkSegment(const ChainLanes<W>& c, int i, W& worst) {
    const ChainNode<W>& a = c.node[i];
    const Vec<W> d = c.node[i - 1].x - a.x;
    const W target = a.rest + compliance(c, a) * a.lambda, huge = W(1e30);
    const W error = abs(dot(d, d) - target * target) * (W(0.5) * c.invReach * c.invReach);
    worst = select(error < huge, max(worst, error), huge); // NaN counts as huge
}

// Moves node i and changes lambda of segment i in the active lanes.
template <class W>
CAPSTAN_INLINE void moveNode(ChainLanes<W>& c, int i, MaskOf<W> active, Vec<W> dx, W f, Progress<W>& p) {
    ChainNode<W>& a = c.node[i];
    a.x = select(active, a.x + dx, a.x);
    const Vec<W> cost = a.x - a.z;
    p.moved = max(p.moved, select(held(a), W(0.0), dot(cost, cost)));
    if (i > 0) a.lambda = select(active, a.lambda + f, a.lambda);
}

// Moves node i, changes lambda of segment i in the active lanes, and checks the segment.
template <class W>
CAPSTAN_INLINE void advance(ChainLanes<W>& c, int i, MaskOf<W> active, Vec<W> dx, W f, Progress<W>& p) {
    moveNode(c, i, active, dx, f, p);
    if (i > 0) checkSegment(c, i, p.worst);
}

template <class W>
CAPSTAN_INLINE void advanceClosing(ChainLanes<W>& c, MaskOf<W> active, W phi, Progress<W>& p) {
    ChainNode<W>& a = c.node[c.nodes];
    a.x = c.node[0].x;
    a.lambda = select(active, a.lambda + phi, a.lambda);
    checkSegment(c, c.nodes, p.worst);
}

// Solution at the root after elimination: its displacement z, the closing multiplier phi of a ring, and data
// for their response to a gradient.
template <class W> struct ChainRoot {
    Sym3<W> Q; // inverse of the total stiffness at the root
    Vec<W> z;
    W phi;
    Vec<W> b, response; // for rings: gradient of phi at the root, and the root's displacement for it
    W invPhi;
};

// Solves the root after all other nodes are eliminated. For a ring it solves phi as well.
template <class W> CAPSTAN_INLINE ChainRoot<W> solveRoot(Sym3<W> S, Vec<W> g, const Ring<W>* ring) {
    if (ring) {
        const Mat3<W> h = ring->h + ring->m + transpose(ring->m);
        const W half = W(0.5);
        S = {S.xx + h.x.x,
             S.yy + h.y.y,
             S.zz + h.z.z,
             S.xy + half * (h.x.y + h.y.x),
             S.xz + half * (h.x.z + h.z.x),
             S.yz + half * (h.y.z + h.z.y)};
        g = g + ring->g;
    }
    ChainRoot<W> root;
    const Sym3<W> J = adjugate(S);
    const W invDet = W(1.0) / (S.xx * J.xx + S.xy * J.xy + S.xz * J.xz);
    root.Q = invDet * J;
    root.z = (-invDet) * (J * g);
    root.phi = W(0.0);
    if (ring) {
        root.b = ring->mPhi + ring->hPhi;
        root.response = invDet * (J * root.b);
        root.invPhi = dot(root.b, root.response) - ring->hPhiPhi;
        root.phi = (ring->gPhi + dot(root.b, root.z)) / root.invPhi;
        root.z = root.z - root.phi * root.response;
        root.invPhi = W(1.0) / root.invPhi;
    }
    return root;
}

// Eliminates nodes from the last to the first. `load` is null or holds external terms of all nodes. `links`
// is null or receives the data for responses to external gradients.
template <class W>
CAPSTAN_INLINE ChainRoot<W> chainEliminate(ChainLanes<W>& c, RingNode<W>* kept, const NodeLoad<W>* load,
                                           LinkFactor<W>* links) {
    const bool closed = c.closed;
    Ring<W> ring;
    Sym3<W> S = Sym3<W>::scaledIdentity(W(0.0));
    Vec<W> g = {W(0.0), W(0.0), W(0.0)};
    if (closed) ring = closeRing(c.node[c.nodes], compliance(c, c.node[c.nodes]), S, g);
    for (int i = c.nodes - 1; i >= 1; --i) {
        addNode(c.node[i], false, load ? load + i : nullptr, S, g);
        eliminate<W>(c.node[i], compliance(c, c.node[i]), S, g, closed ? &ring : nullptr,
                     closed ? kept + i : nullptr, links ? links + i : nullptr);
    }
    addNode(c.node[0], true, load, S, g);
    return solveRoot<W>(S, g, closed ? &ring : nullptr);
}

// Returns the displacement of node i, where D is that of its parent. f becomes the step of the node's lambda.
template <class W>
CAPSTAN_INLINE Vec<W> substituteNode(const ChainNode<W>& a, const RingNode<W>* ring, const ChainRoot<W>& root,
                                     Vec<W> D, Vec<W> e, W& f) {
    f = dot(a.u, D) + f;
    Vec<W> dx = a.tq * D + e;
    if (ring) {
        f = f + dot(ring->p, root.z) + ring->pPhi * root.phi;
        dx = dx - ring->qm * root.z - root.phi * ring->qPhi;
    }
    // Past the end of a shorter rope all nodes move with the rope's last node.
    return select(a.rest > W(0.0), dx + f * a.n, D);
}

// Does one Newton step in the active lanes. `load` is null or holds external terms of all nodes. Node i keeps
// dx in e and the step of lambda in u.x, for a later call of chainShorten.
template <class W>
Progress<W> chainSolve(ChainLanes<W>& c, RingNode<W>* kept, MaskOf<W> active,
                       const NodeLoad<W>* load = nullptr) {
    const ChainRoot<W> root = chainEliminate<W>(c, kept, load, nullptr);
    c.node[0].e = root.z;
    Progress<W> p;
    advance(c, 0, active, root.z, W(0.0), p);
    Vec<W> D = root.z;
    for (int i = 1; i < c.nodes; ++i) {
        ChainNode<W>& a = c.node[i];
        W f = a.residual;
        const Vec<W> dx = substituteNode(a, c.closed ? kept + i : nullptr, root, D, a.e, f);
        const Vec<W> change = dx - D;
        p.largest = max(p.largest, dot(change, change));
        a.e = dx;
        a.u.x = f;
        D = dx;
        advance(c, i, active, dx, f, p);
    }
    if (c.closed) {
        c.node[c.nodes].u.x = root.phi;
        advanceClosing(c, active, root.phi, p);
    }
    p.largest = p.largest * c.invReach * c.invReach;
    return p;
}

// Scales a step that was too long in some lanes to the fraction `scale` of it.
template <class W> void chainShorten(ChainLanes<W>& c, MaskOf<W> lanes, W scale, Progress<W>& p) {
    p.worst = W(0.0);
    p.moved = W(0.0);
    const W back = scale - W(1.0);
    for (int i = 0; i < c.nodes; ++i) advance(c, i, lanes, back * c.node[i].e, back * c.node[i].u.x, p);
    if (c.closed) advanceClosing(c, lanes, back * c.node[c.nodes].u.x, p);
}

struct NewtonDef {
    int iterations = 8;       // largest number of Newton steps
    double good = 2e-4;       // converged when the relative error of every length is below this
    double acceptable = 1e-3; // largest relative error that is accepted after the last iteration
    double stride = 0.5;      // a step is scaled so that no segment vector changes by more than this fraction
                              // of its length
    // the substep may be BDF2 history if the length solve moved no node by more than this fraction of a
    // segment
    double smooth = 0.3;
};

template <class W> struct NewtonResult {
    MaskOf<W> good;   // lanes whose length errors are below `acceptable`
    MaskOf<W> smooth; // lanes in which BDF2 may use this substep as history
    int solves[lanesOf<W>] = {};
};

// Predicts all nodes and measures all segments in one pass. Returns the worst length error, |residual| / l.
template <class W> W chainPredict(ChainLanes<W>& c) {
    W worst = W(0.0);
    for (int i = 0; i < c.nodes; ++i) {
        predictNode(c, i);
        if (i > 0) measureSegment(c, i, worst);
    }
    if (c.closed) {
        c.node[c.nodes].x = c.node[0].x;
        measureSegment(c, c.nodes, worst);
    }
    return worst;
}

template <class W> W chainMeasure(ChainLanes<W>& c) {
    W worst = W(0.0);
    if (c.closed) c.node[c.nodes].x = c.node[0].x;
    for (int i = 1; i < c.nodes + int(c.closed); ++i) measureSegment(c, i, worst);
    return worst;
}

// Solves the lengths of all lanes from the current iterate, whose worst length error is `worst`. A converged
// lane is no longer changed, so that its result does not depend on the other ropes of the group.
template <class W>
NewtonResult<W> chainNewton(ChainLanes<W>& c, RingNode<W>* kept, const NewtonDef& d, W worst) {
    NewtonResult<W> result;
    MaskOf<W> active = worst < W(1e30);
    W moved = W(0.0);
    for (int iteration = 0; iteration < d.iterations && any(active); ++iteration) {
        if (iteration > 0) chainMeasure(c);
        Progress<W> p = chainSolve(c, kept, active);
        const MaskOf<W> tooLong = active & !(p.largest <= W(d.stride * d.stride));
        if (any(tooLong)) chainShorten(c, tooLong, W(d.stride) / sqrt(p.largest), p);
        for (int k = 0; k < lanesOf<W>; ++k) result.solves[k] += lane(active, k) ? 1 : 0;
        worst = select(active, p.worst, worst);
        moved = select(active, p.moved, moved);
        active = active & (worst >= W(d.good)) & (worst < W(1e30));
    }
    result.good = worst < W(d.acceptable);
    result.smooth = moved * c.invReach * c.invReach < W(d.smooth * d.smooth);
    return result;
}

} // namespace capstan
