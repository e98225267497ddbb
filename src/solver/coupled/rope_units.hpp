// SPDX-License-Identifier: MIT
// Units of the coupled solver: ropes in lanes, free bodies, and mechanisms (mechanism_units.hpp). Each unit
// is predicted, iterated by Newton's method with its contact loads, and accepted at the end of the substep.
//
// Time integration is implicit Euler, and BDF2 where friction and bending cannot act: see halving.cpp.
// Newton starts from the present position of a rope, moved by its own velocity along the rope and along
// surfaces on which it slides. Refused starts: from the present position, sliding crawls; from the whole move
// by the velocity, a knot never comes to rest.
#pragma once

#include "solver/coupled/island.hpp"
#include "solver/rope/bend.hpp"

namespace capstan {

// Calls f(group) for the groups of ropes of every width.
template <class F> void eachGroup(CoupledIsland& t, F&& f) {
    for (auto& g : t.ones) f(g);
    for (auto& g : t.fours) f(g);
    for (auto& g : t.eights) f(g);
}

// tellNodes writes the positions of one lane's nodes into the island's columns.
template <class W> void tellNodes(CoupledIsland& t, const ChainLanes<W>& c, int rope, int k) {
    const IslandRope& r = t.ropes[rope];
    for (int i = 0; i < r.count; ++i) t.x[r.first + i] = lane(c.node[i].x, k);
}
// In units of B h^2 / l^3: bending stiffness of an end node, on which a rod stands. Without it the penalty of the row
// is too soft. A rod of 1.1 g then hops on its end for ever, at 4, 8 and 16 substeps. With 2 or 6 it hops at 64.
// Refused: 6 at all nodes. A ring between plates then trembled at 0.3 mm/s, and a tied knot came loose.
constexpr double kEndBending = 20;

// tellStrut writes the compliance along a strut at its two ends. Beyond the angle a to its neighbour, a segment yields
// by cos^2 a of what is farther along, and by sin^2 a of the node's local compliance.
// With the local compliance alone, a plate of 100 g on a rod of 1.1 g hopped by 1.4 mm at 64 substeps.
template <class W> void tellStrut(CoupledIsland& t, const ChainLanes<W>& c, const IslandRope& r, int k) {
    const auto mass = [&](int i) { return t.mass[r.first + i]; };
    const auto walk = [&](int i, int way) {
        Vec3d before = {0, 0, 0};
        double yield = mass(i) < kImmense ? 1 / mass(i) : 0;
        for (int n = 1; n < r.count; ++n) {
            const Vec3d along = normalize(lane(c.node[i + way].x, k) - lane(c.node[i].x, k), {0, 1, 0});
            if (n > 1) {
                const double share = dot(along, before) * dot(along, before);
                yield = share * yield + (mass(i) < kImmense ? (1 - share) / t.stiff[r.first + i] : 0);
            }
            before = along;
            i += way;
            yield = yield / (1 + mass(i) * yield);
        }
        return max(yield, r.strut);
    };
    t.endYield[r.first + r.count - 1] = walk(0, 1);
    t.endYield[r.first] = walk(r.count - 1, -1);
}

// tellStiffness writes the local stiffness of one lane's nodes into the columns. It is the sum of the mass, the
// geometric stiffness of the segments, and at an end the bending stiffness.
template <class W> void tellStiffness(CoupledIsland& t, const ChainLanes<W>& c, int rope, int k) {
    const IslandRope& r = t.ropes[rope];
    const double bending = kEndBending * lane(c.bend, k) / (r.length * r.length * r.length);
    for (int i = 0; i < r.count; ++i) {
        const bool end = !r.closed && (i == 0 || i + 1 == r.count);
        double s = t.mass[r.first + i] + (end ? bending : 0);
        if (i > 0) s += lane(c.node[i].t, k);
        if (i + 1 < r.count || r.closed) s += lane(c.node[i + 1].t, k);
        if (i == 0 && r.closed) s += lane(c.node[r.count].t, k);
        t.stiff[r.first + i] = max(s, r.carries);
    }
    if (r.strut > 0) tellStrut(t, c, r, k);
}

// Writes start, hint and mass of a lane's nodes from a predicted rope. A node's start is rewritten only if a
// winch has moved the node. A value that is not written again stays in every core's cache.
template <class W> void tellStart(CoupledIsland& t, const ChainLanes<W>& c, int rope, int k) {
    IslandRope& r = t.ropes[rope];
    const double dt = lane(c.dt, k);
    r.shifted = 0;
    for (int i = 0; i < r.count; ++i) {
        const std::size_t at = std::size_t(r.first + i);
        const ChainNode<W>& a = c.node[i];
        const bool pinned = lane(a.mass, k) >= kImmense;
        const Vec3d v = lane(c.past[i].v, k), position = lane(a.position, k);
        if (const Vec3d shift = position - t.start[at]; !(dot(shift, shift) == 0)) {
            t.start[at] = position;
            r.shifted = max(r.shifted, dot(shift, shift));
        }
        t.hint[at] = position + dt * (pinned ? v : v + dt * t.gravity);
        if (t.mass[at] != lane(a.mass, k)) t.mass[at] = lane(a.mass, k);
    }
}

// Sets the start of Newton: the present position, moved by the node's own velocity along the rope.
template <class W> void touchStart(ChainLanes<W>& c) {
    const W half = W(0.5) / c.invReach;
    for (int i = 0; i < c.nodes; ++i) {
        ChainNode<W>& a = c.node[i];
        const int before = i > 0 ? i - 1 : (c.closed ? c.nodes - 1 : 0);
        const int after = i + 1 < c.nodes ? i + 1 : (c.closed ? 0 : i);
        Vec<W> along = c.node[after].position - c.node[before].position;
        const W l = length(along);
        along = (W(1.0) / max(l, W(1e-30))) * along;
        const Vec<W> move = c.dt * c.past[i].v; // without forces, so that a rope at rest starts from rest
        const W u = clamp(dot(move, along), -half, half);
        a.x = select(held(a), a.z, a.position + u * along);
    }
    for (int i = c.shortest; i < c.nodes; ++i)
        c.node[i].x = select(c.node[i].rest > W(0.0), c.node[i].x, c.node[i - 1].x);
}

// `again`: the substep is taken again, and winches have already turned.
template <class W> void beginGroup(CoupledIsland& t, RopeUnits<W>& g, const Model& m, bool again) {
    ChainLanes<W>& c = g.c;
    chainSubstep(c, m, g.slot);
    if (!again) chainWind(c, m, g.slot, t.h);
    for (int i = 0; i < c.nodes; ++i) predictNode(c, i);
    if (c.bends && !g.stiff.on) chainBend(c);
    touchStart(c);
    for (int k = 0; k < g.ropes; ++k) {
        tellStart(t, c, g.rope[k], k);
        if (!t.bodies.empty())
            tellNodes(t, c, g.rope[k], k); // restitution reads the approach velocity from
                                           // them
    }
}

// Copies the contact loads of the nodes from the columns into lanes.
template <class W> void takeLoads(const CoupledIsland& t, RopeUnits<W>& g) {
    constexpr int lanes = lanesOf<W>;
    const NodeLoad<double> none = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < g.c.nodes; ++i) {
        const NodeLoad<double>* at[lanes];
        for (int k = 0; k < lanes; ++k) {
            const IslandRope& r = t.ropes[g.rope[k]];
            at[k] = i < r.count ? &t.load[r.first + i] : &none;
        }
        auto part = [&](auto&& f) { return perLane<W>([&](int k) { return f(*at[k]); }); };
        using L = NodeLoad<double>;
        g.load[i] = {{part([](const L& l) { return l.S.xx; }), part([](const L& l) { return l.S.yy; }),
                      part([](const L& l) { return l.S.zz; }), part([](const L& l) { return l.S.xy; }),
                      part([](const L& l) { return l.S.xz; }), part([](const L& l) { return l.S.yz; })},
                     {part([](const L& l) { return l.g.x; }), part([](const L& l) { return l.g.y; }),
                      part([](const L& l) { return l.g.z; })}};
        if (i + 1 < g.c.nodes + int(g.c.closed))
            g.c.node[i + 1].t = g.c.node[i + 1].t + perLane<W>([&](int k) {
                                    const IslandRope& r = t.ropes[g.rope[k]];
                                    return i + 1 < r.count + int(r.closed) ? t.turn[r.first + i] : 0.0;
                                });
    }
}

// Starts an iteration: factors the rope and writes the nodes' steps from the present loads into the columns.
template <class W> void openUnit(CoupledIsland& t, RopeUnits<W>& g) {
    ChainLanes<W>& c = g.c;
    takeLoads(t, g);
    if constexpr (lanesOf<W> == 1)
        if (g.stiff.on) return openStiff(t, g);
    g.root = chainEliminate(c, g.rings.data(), g.load.data(), g.links.data());
    Vec<W> D = g.first[0] = g.root.z;
    for (int i = 1; i < c.nodes; ++i) {
        ChainNode<W>& a = c.node[i];
        W f = a.residual;
        D = substituteNode(a, c.closed ? &g.rings[i] : nullptr, g.root, D, a.e, f);
        g.first[i] = D;
        g.firstPull[i] = f;
    }
    for (int k = 0; k < g.ropes; ++k) {
        const IslandRope& r = t.ropes[g.rope[k]];
        for (int i = 0; i < r.count; ++i) t.step[r.first + i] = lane(g.first[i], k);
    }
}

// Sets xNow of node `at` to the first step plus `answer`. Returns the node's part of the measure of going
// uphill (see answer() in iterate.cpp).
inline double goesTo(CoupledIsland& t, std::size_t at, Vec3d answer) {
    t.xNow[at] = t.step[at] + answer;
    return dot(t.left[at], t.xNow[at] - t.xBefore[at]);
}

// Computes the response to forces t.off on the nodes with the present factorization, and writes the positions
// into t.xNow. Writes the rope's measure of going uphill into t.sums.
template <class W> void answerUnit(CoupledIsland& t, RopeUnits<W>& g) {
    ChainLanes<W>& c = g.c;
    if constexpr (lanesOf<W> == 1)
        if (g.stiff.on) return answerStiff(t, g);
    const bool closed = c.closed;
    const Vec<W> zero = {W(0.0), W(0.0), W(0.0)};
    ChainRoot<W> root = g.root;
    Vec<W> sum = zero, ring = zero;
    W ringPhi = W(0.0);
    auto force = [&](int i) {
        return vecPerLane<W>([&](int k) {
            const IslandRope& r = t.ropes[g.rope[k]];
            return i < r.count ? t.off[r.first + i] : Vec3d{0, 0, 0};
        });
    };
    for (int i = c.nodes - 1; i >= 1; --i) {
        const ChainNode<W>& a = c.node[i];
        const LinkFactor<W>& link = g.links[i];
        sum = sum - force(i);
        const W f = dot(link.p, sum);
        const Vec<W> moved = a.tq * sum;
        g.pull[i] = f;
        g.answer[i] = select(a.rest > W(0.0), (W(-1.0) / max(a.t, W(1e-30))) * moved, zero);
        if (closed) {
            const RingNode<W>& r = g.rings[i];
            ring = ring - transposeTimes(r.qm, sum) + (r.gain * f) * r.p;
            ringPhi = ringPhi - dot(r.qPhi, sum) + r.gain * f * r.pPhi;
        }
        sum = moved + f * link.w;
    }
    root.z = -(root.Q * (sum - force(0) + ring));
    root.phi = W(0.0);
    if (closed) {
        root.phi = (ringPhi + dot(root.b, root.z)) * root.invPhi;
        root.z = root.z - root.phi * root.response;
        g.pull[0] = root.phi; // change of tension in the segment that closes the ring
    }
    Vec<W> D = g.answer[0] = root.z;
    for (int i = 1; i < c.nodes; ++i)
        D = g.answer[i] =
            substituteNode(c.node[i], closed ? &g.rings[i] : nullptr, root, D, g.answer[i], g.pull[i]);
    for (int k = 0; k < g.ropes; ++k) {
        const IslandRope& r = t.ropes[g.rope[k]];
        double uphill = 0;
        for (int i = 0; i < r.count; ++i) uphill += goesTo(t, std::size_t(r.first + i), lane(g.answer[i], k));
        t.sums[g.rope[k]] = uphill;
    }
}

// Ends an iteration: moves the nodes by their first steps and, if there were any, by the responses. Returns
// the worst length error of a segment, in hundredths of its length, so 1 is the tolerance.
template <class W> double closeUnit(CoupledIsland& t, RopeUnits<W>& g, bool answered) {
    ChainLanes<W>& c = g.c;
    const MaskOf<W> all = W(0.0) < W(1.0);
    W phi = g.root.phi, largest = W(0.0);
    if (answered) {
        for (int i = 0; i < c.nodes; ++i) {
            g.first[i] = g.first[i] + g.answer[i];
            g.firstPull[i] = g.firstPull[i] + g.pull[i];
        }
        if (c.closed) phi = phi + g.pull[0];
    }
    for (int i = 1; i < c.nodes; ++i) {
        const Vec<W> change = g.first[i] - g.first[std::size_t(i) - 1];
        largest = max(largest, dot(change, change));
    }
    largest = largest * c.invReach * c.invReach;
    const W scale =
        select(largest <= W(1.0), W(1.0), W(1.0) / sqrt(largest)); // no segment changes by more than its
                                                                   // length
    Progress<W> p;
    for (int i = 0; i < c.nodes; ++i) advance(c, i, all, scale * g.first[i], scale * g.firstPull[i], p);
    if (c.closed) advanceClosing(c, all, scale * phi, p);
    double worst = 0;
    for (int k = 0; k < g.ropes; ++k) {
        tellNodes(t, c, g.rope[k], k);
        worst = max(worst, lane(p.worst, k));
        t.ropes[g.rope[k]].corrected = lane(p.moved, k) * lane(c.invReach, k) * lane(c.invReach, k);
    }
    return 100 * worst;
}

// Measures the segments before an iteration starts, since the previous elimination has overwritten their
// data.
template <class W> void measureUnit(CoupledIsland& t, RopeUnits<W>& g) {
    chainMeasure(g.c);
    for (int k = 0; k < g.ropes; ++k) tellStiffness(t, g.c, g.rope[k], k);
}

template <class W> void takeNodes(const CoupledIsland& t, RopeUnits<W>& g, std::span<const Vec3d> from) {
    for (int i = 0; i < g.c.nodes; ++i) {
        auto at = [&](int k) {
            const IslandRope& r = t.ropes[g.rope[k]];
            return from[r.first + (i < r.count ? i : r.count - 1)];
        };
        g.c.node[i].x = vecPerLane<W>(at);
    }
    if (g.c.closed) g.c.node[g.c.nodes].x = g.c.node[0].x;
}

// Sets the iterate of the nodes to the positions `from`.
template <class W> void restartUnit(CoupledIsland& t, RopeUnits<W>& g, std::span<const Vec3d> from) {
    takeNodes(t, g, from);
    for (int i = 0; i < g.c.nodes; ++i) {
        ChainNode<W>& a = g.c.node[i];
        a.x = select(held(a), a.z, a.x);
        if (i > 0)
            a.x = select(a.rest > W(0.0), a.x, g.c.node[i - 1].x); // padding of a lane with a shorter
                                                                   // rope
    }
    for (int k = 0; k < g.ropes; ++k) tellNodes(t, g.c, g.rope[k], k);
    measureUnit(t, g);
}

// Accepts the iterate as the new state, shortened or not. A held node with a shortened move is behind its
// target.
template <class W> void endGroup(CoupledIsland& t, RopeUnits<W>& g) {
    takeNodes(t, g, t.current);
    const MaskOf<W> all = W(0.0) < W(1.0);
    chainAccept(g.c, all);
}
// Ends the group in the same parallel job as its next use, since each job costs a synchronisation.
template <class W> void endIfDue(CoupledIsland& t, RopeUnits<W>& g) {
    if (t.ending) endGroup(t, g);
}

// Free bodies.

inline void tellBody(IslandBody& b) {
    b.now = {b.tree->x, b.tree->q};
    b.R = b.tree->R;
}

inline void loadFlyer(TreeBody<double>& b, const Body& body, const BodyState& s, double damping) {
    b = {};
    b.position = s.x;
    b.turn = s.q;
    b.v = s.v;
    b.L = s.L;
    b.vBefore = s.vBefore;
    b.LBefore = s.LBefore;
    b.dBefore = s.dBefore;
    b.turnBefore = s.turnBefore;
    b.push = s.force;
    b.twist = s.torque;
    b.mass = body.mass;
    b.inertia = body.inertia;
    b.invInertia = {1 / body.inertia.x, 1 / body.inertia.y, 1 / body.inertia.z};
    b.dampingFactor = damping;
    b.r = {0, 0, 0};
    b.x = b.position;
    b.q = b.turn;
    b.R = toMat3(b.turn);
}

inline void addTouch(TreeBody<double>& b, Vec3d arm, const Sym3<double>& K, Vec3d g) {
    b.A += geometric(g, arm);
    receive(b, arm, K, g);
}

// Computes the step of a free body, dp and dth, for the gradient gp and gt at its centre. The body's matrix
// is already assembled.
inline void solveFlyer(const TreeBody<double>& b, Vec3d gp, Vec3d gt, Vec3d& dp, Vec3d& dth) {
    const Sym3<double> J = adjugate(b.A);
    const Sym3<double> Ai = (1 / (b.A.xx * J.xx + b.A.xy * J.xy + b.A.xz * J.xz)) * J;
    const Mat3<double> Q = Ai * b.B;
    const Mat3<double>& B = b.B;
    const Sym3<double> K = b.D - Sym3<double>{dot(B.x, Q.x), dot(B.y, Q.y), dot(B.z, Q.z),
                                              dot(B.x, Q.y), dot(B.x, Q.z), dot(B.y, Q.z)};
    dp = solveRoot(K, gp - transposeTimes(Q, gt));
    dth = -(Ai * gt) - Q * dp;
}
inline void moveFlyer(TreeBody<double>& b, const TreeTime<double>& time) {
    const double turn = dot(b.dth, b.dth);
    advance(b, time, true, turn > 0.25 ? 0.5 / sqrt(turn) : 1.0);
}

} // namespace capstan
