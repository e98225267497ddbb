// SPDX-License-Identifier: MIT
// Chain: a whole rope, solved directly. W is a double, or a Pack of doubles with one rope per lane; a rope gives
// the same bits in both.
//
// An implicit step is a minimisation, per rope, in units where forces are multiplied by h^2:
//     min 1/2 |x - y|_M^2 + bending(x)    subject to    |x_(i-1) - x_i| = l_i (1 + T / EA)
// y is where the nodes would go with no rope around them. Time stepping is BDF2,
//     h' = 2h/3,  v* = v + (v - v_before)/3 + h' a,  y = x + d_before/3 + h' v*,  v = v* + (x - y)/h'
// with an implicit Euler step (h' = h, no history) after anything sudden. BDF2 keeps the swing of a heavy
// pendulum (0.02 % of its energy lost in 10 s at 1:1000) where implicit Euler loses half. Order of work:
//     load      this file             a lane-full of ropes from memory, once per step
//     per substep:
//       predict this file             y from the history
//       bend    chain_bend.hpp        implicit bending, one pentadiagonal solve
//       lengths chain_newton.hpp      Newton with geometric stiffness, one block-tridiagonal solve per round
//       accept  this file             speeds and history
//     store     this file             back to memory
// Memory holds floats, with the rounding of each place in State::low. The recursions need double: with floats a
// rope under a thousand times its weight diverges.
#pragma once

#include <capstan/math/lanes.hpp>
#include <capstan/math/mat.hpp>
#include <capstan/math/transcendental.hpp>
#include <capstan/model/model.hpp>

#include <cstdint>

namespace capstan {

// The mass of a node that is held: dx = force / mass is nothing beside its place, and mass^4 is still a double.
inline constexpr double kImmense = 1e20;

// One node of each lane's rope during a step. Segment i joins node i to node i - 1, "its parent".
template <class W> struct ChainNode {
    Vec<W> place; // at the start of the substep
    W mass;       // kImmense: pinned, or beyond the end of a shorter rope
    W rest;       // length of the segment; 0 beyond the end of a shorter rope
    Vec<W> x;     // current iterate
    Vec<W> z;     // where inertia and bending want it
    W lambda;     // tension times ChainLanes::unit
    Vec<W> n;     // unit vector to the parent; from its elimination on, k b (chain_newton.hpp)
    W residual;   // |x_(i-1) - x_i| - l - compliance lambda; from its elimination on, the step of lambda
    W t;          // geometric stiffness |lambda| / length
    Sym3<W> tq;   // t (S + t)^-1, S being the stiffness of everything beyond the segment
    Vec<W> u, e;  // see chain_newton.hpp; e becomes the step of the node
};

// What only prediction and acceptance look at. Apart from the node, so that more ropes fit where Newton works: the
// cache, or the shared memory of a GPU.
template <class W> struct ChainPast {
    Vec<W> v,
        vBefore; // speed at the start of the substep, and one before; of a pin, its speed during this step
    Vec<Narrow<W>> dBefore; // last substep's displacement
};

// What is the same for all nodes of a rope.
template <class W> struct ChainLanes {
    static constexpr int lanes = lanesOf<W>;
    ChainNode<W>* node = nullptr;
    ChainPast<W>* past = nullptr;
    const Point* force = nullptr; // on every point of the State
    int nodes = 0, shortest = 0;  // nodes of the longest and of the shortest rope
    bool closed = false, bends = false, limits = false, forced = false;
    std::int32_t begin[lanes] = {}, count[lanes] = {};
    W third;           // 1/3 with history, 0 without
    W h, invH;         // effective step h'
    W dt;              // the substep itself: h' = 2 dt / 3 with history
    W unit;            // of lambda: h'^2 during a substep, 1 when loaded
    W fade;            // exp(-damping dt)
    W perLength;       // compliance of a segment is perLength l + floor; 1 / (EA h'^2)
    W floor;           // keeps a segment between two pins solvable; strains below 1e-6
    W stiffnessMin;    // smallest t
    W invReach;        // 1 / segment length
    MaskOf<W> limited; // a bend limit acts in this substep
    W bend, maxBend;   // EI h'^2; largest |t_(i+1) - t_i|, t being unit vectors along the segments
    Vec<W> clamp[2];
    Vec<W> gravity;
};

// One number per lane, from a function of the lane.
template <class W, class F> CAPSTAN_INLINE W perLane(F&& f) {
    double a[lanesOf<W>];
    for (int k = 0; k < lanesOf<W>; ++k) a[k] = double(f(k));
    return load<W>(a);
}

template <class W> CAPSTAN_INLINE MaskOf<W> held(const ChainNode<W>& a) { return a.mass >= W(kImmense); }

// The points that hold node i of each lane; beyond the end of a shorter rope, its spare point.
template <class W>
CAPSTAN_INLINE void chainIndex(const ChainLanes<W>& c, int i, std::int32_t (&index)[lanesOf<W>]) {
    for (int k = 0; k < lanesOf<W>; ++k) index[k] = c.begin[k] + (i < c.count[k] ? i : c.count[k]);
}

// Numbers of the ropes that do not change during a step.
template <class W>
void chainSetup(ChainLanes<W>& c, const Model& m, const int* ropes, Vec3 gravity, double dt) {
    auto rope = [&](int k) -> const Rope& { return m.ropes[std::size_t(ropes[k])]; };
    c.nodes = 0;
    c.closed = rope(0).def.closed, c.bends = rope(0).bends(), c.limits = false, c.forced = false;
    for (int k = 0; k < lanesOf<W>; ++k) {
        c.begin[k] = rope(k).begin, c.count[k] = rope(k).count;
        c.nodes = c.count[k] > c.nodes ? c.count[k] : c.nodes;
        c.shortest = k == 0 || c.count[k] < c.shortest ? c.count[k] : c.shortest;
        c.forced = c.forced || rope(k).forced;
        c.limits = c.limits || rope(k).def.maxBend > 0;
    }
    c.dt = W(dt);
    c.fade = perLane<W>([&](int k) {
        const double rate = double(rope(k).def.damping) + double(m.damping);
        return rate > 0 ? exp(-rate * dt) : 1.0;
    });
    c.floor = perLane<W>([&](int k) { return 1e-5 / double(rope(k).totalMass); });
    c.stiffnessMin = perLane<W>([&](int k) { return 1e-4 * double(rope(k).nodeMass); });
    c.invReach = perLane<W>([&](int k) { return 1 / double(rope(k).segmentLength); });
    // Without a limit immense, not 4: where nodes want to go, turns have no bound, and a rope may share lanes with others
    // that have a limit.
    c.maxBend = perLane<W>(
        [&](int k) { return rope(k).def.maxBend > 0 ? 2 * sin(double(rope(k).def.maxBend) / 2) : 1e30; });
    for (int end = 0; end < 2; ++end) {
        auto part = [&](float Vec3::*p) { return perLane<W>([&](int k) { return rope(k).clamp[end].*p; }); };
        c.clamp[end] = {part(&Vec3::x), part(&Vec3::y), part(&Vec3::z)};
    }
    c.gravity = {W(double(gravity.x)), W(double(gravity.y)), W(double(gravity.z))};
}

// The same for one rope, from chain_group.cpp: for a GPU, whose compiler cannot take the templates above.
ChainLanes<double> setupOf(const Model& m, int rope, Vec3 gravity, double dt);

// Numbers that depend on whether a rope has a history; 1 / EA (0: does not stretch) and EI of each. Returns by how much
// lambda must be scaled, because its unit follows h'.
template <class W>
CAPSTAN_INLINE W chainUnits(ChainLanes<W>& c, MaskOf<W> history, W invEa, W bendStiffness) {
    c.third = select(history, W(1.0 / 3.0), W(0.0));
    c.h = c.dt * select(history, W(2.0 / 3.0), W(1.0));
    c.invH = W(1.0) / c.h;
    const W h2 = c.h * c.h;
    c.perLength = invEa / h2;
    c.bend = h2 * bendStiffness;
    const W scale = h2 / c.unit;
    c.unit = h2;
    return scale;
}

inline double inverseStretchStiffness(const Rope& r) {
    const double ea = double(r.def.stretchStiffness);
    return ea > 0 ? 1 / ea : 0.0;
}

template <class W> void chainSubstep(ChainLanes<W>& c, const Model& m, const int* ropes) {
    auto rope = [&](int k) -> const Rope& { return m.ropes[std::size_t(ropes[k])]; };
    const MaskOf<W> history = perLane<W>([&](int k) { return rope(k).history ? 1.0 : 0.0; }) > W(0.5);
    const W scale =
        chainUnits(c, history, perLane<W>([&](int k) { return inverseStretchStiffness(rope(k)); }),
                   perLane<W>([&](int k) { return rope(k).def.bendStiffness; }));
    if (all(scale == W(1.0))) return;
    for (int i = 1; i < c.nodes + int(c.closed); ++i) c.node[i].lambda = scale * c.node[i].lambda;
}

// Rest lengths at winches, evenly over the substeps.
template <class W> void chainWind(ChainLanes<W>& c, const Model& m, const int* ropes, double dt) {
    auto add = [&](int i, int k, double change) {
        double rest[lanesOf<W>];
        for (int j = 0; j < lanesOf<W>; ++j) rest[j] = lane(c.node[i].rest, j) + (j == k ? change : 0.0);
        c.node[i].rest = load<W>(rest);
    };
    for (int k = 0; k < lanesOf<W>; ++k) {
        const Rope& r = m.ropes[std::size_t(ropes[k])];
        if (r.winchSpeed[0] != 0) add(1, k, dt * double(r.winchSpeed[0]));
        if (r.winchSpeed[1] != 0) add(r.count - 1, k, dt * double(r.winchSpeed[1]));
    }
}

template <class W> CAPSTAN_INLINE W compliance(const ChainLanes<W>& c, const ChainNode<W>& a) {
    return c.perLength * a.rest + c.floor;
}

// One number per lane from a column of floats.
template <class W> CAPSTAN_INLINE W gatherColumn(const float* column, const std::int32_t* at) {
    float a[lanesOf<W>];
    for (int k = 0; k < lanesOf<W>; ++k) a[k] = column[at[k]];
    return load<W>(a);
}

// Asks for the cache lines of four nodes to come: so many lanes and columns are more streams than the hardware follows.
template <class W> CAPSTAN_INLINE void prefetch(const ChainLanes<W>& c, const StateView& s, int i) {
#ifndef __CUDACC__
    for (int k = 0; k < lanesOf<W>; ++k) {
        if (i >= c.count[k]) continue;
        const std::size_t p = std::size_t(c.begin[k] + i);
        for (const Point* column : {&s.x[p], &s.v[p], &s.low[p], &s.before[p], &s.dBefore[p]})
            __builtin_prefetch(column);
    }
#endif
}

template <class W> CAPSTAN_INLINE void loadNode(ChainLanes<W>& c, const StateView& s, int i) {
    std::int32_t at[lanesOf<W>];
    chainIndex(c, i, at);
    ChainNode<W>& a = c.node[i];
    ChainPast<W>& past = c.past[i];
    a.rest = gatherColumn<W>(s.rest, at), a.lambda = gatherColumn<W>(s.tension, at);
    const Four<W> x = gather<W>(s.x, at), v = gather<W>(s.v, at);
    a.mass = select(x.w > W(0.0), v.w, W(kImmense));
    a.place = xyz(x) + xyz(gather<W>(s.low, at));
    past.v = xyz(v);
    past.vBefore = xyz(gather<W>(s.before, at));
    past.dBefore = narrow(xyz(gather<W>(s.dBefore, at)));
    if (i == 0) a.rest = W(0.0), a.lambda = W(0.0); // there is no segment before node 0
}

// The segment that closes a ring ends at node 0. A shorter rope ends in nodes without mass or length, which ask
// nothing of it.
template <class W> CAPSTAN_INLINE void loadBeyond(ChainLanes<W>& c, int i) {
    const W zero = W(0.0);
    ChainNode<W>& a = c.node[i];
    const MaskOf<W> beyond = perLane<W>([&](int k) { return i < c.count[k] ? 0.0 : 1.0; }) > W(0.5);
    a.mass = select(beyond, W(kImmense), a.mass);
    if (c.closed) {
        a.place = c.node[0].place;
    } else {
        a.rest = select(beyond, zero, a.rest), a.lambda = select(beyond, zero, a.lambda);
        a.place = select(beyond, c.node[i - 1].place, a.place);
        c.past[i].v = select(beyond, Vec<W>{zero, zero, zero}, c.past[i].v);
    }
}

template <class W> void chainLoad(ChainLanes<W>& c, const StateView& s) {
    c.unit = W(1.0), c.force = s.force;
    for (int i = 0; i < c.nodes + int(c.closed); ++i) {
        if (i % 4 == 0) prefetch(c, s, i + 16);
        loadNode(c, s, i);
        if (i >= c.shortest) loadBeyond(c, i);
    }
}

// The same for some lanes only; the others go on with what they have, which memory would round.
template <class W> void chainReload(ChainLanes<W>& c, const StateView& s, MaskOf<W> lanes) {
    for (int i = 0; i < c.nodes + int(c.closed); ++i) {
        ChainNode<W>& a = c.node[i];
        ChainPast<W>& past = c.past[i];
        const Vec<W> place = a.place;
        const W lambda = a.lambda;
        const ChainPast<W> had = past;
        loadNode(c, s, i);
        if (i >= c.shortest) loadBeyond(c, i);
        a.place = select(lanes, a.place, place), a.lambda = select(lanes, a.lambda, lambda);
        past.v = select(lanes, past.v, had.v), past.vBefore = select(lanes, past.vBefore, had.vBefore);
        past.dBefore = select(narrow(lanes), past.dBefore, had.dBefore);
    }
    c.unit = select(lanes, W(1.0), c.unit);
}

// v*, the speed a node would have with no rope around it. A pin moves evenly at its own speed.
template <class W> CAPSTAN_INLINE Vec<W> freeSpeed(const ChainLanes<W>& c, int i) {
    const ChainNode<W>& a = c.node[i];
    const ChainPast<W>& past = c.past[i];
    Vec<W> star = past.v + c.third * (past.v - past.vBefore) + c.h * c.gravity;
    if (c.forced) {
        std::int32_t at[lanesOf<W>];
        chainIndex(c, i, at);
        star = star + (c.h / a.mass) * xyz(gather<W>(c.force, at));
    }
    return select(held(a), past.v, star);
}
// y - x, where that speed leads.
template <class W> CAPSTAN_INLINE Vec<W> freeMove(const ChainLanes<W>& c, int i, Vec<W> star) {
    return select(held(c.node[i]), c.dt * star, c.third * widen(c.past[i].dBefore) + c.h * star);
}

// Where each node wants to go, and where Newton starts: from the motion of the last substep, which at rest is the
// answer. (From z, which tension has not held back yet, one round leaves a rope at rest trembling by 1e-5 m/s, and its
// tension by 0.3 %.) After anything sudden, from z.
template <class W> CAPSTAN_INLINE void predictNode(ChainLanes<W>& c, int i) {
    ChainNode<W>& a = c.node[i];
    Vec<W> y = a.place + freeMove(c, i, freeSpeed(c, i));
    // Beyond a shorter rope everything stays with its last node. (A rope by itself has no such nodes.)
    constexpr bool uneven = lanesOf < W >> 1;
    if (uneven && i > 0) y = select(a.rest == W(0.0), c.node[i - 1].z, y);
    a.z = y;
    a.x = select((c.third > W(0.0)) & !held(a), a.place + widen(c.past[i].dBefore), y);
    if (uneven && i > 0) a.x = select(a.rest == W(0.0), c.node[i - 1].x, a.x);
}

// Newton may also start from where the nodes are, which is a shape of the right lengths: slower to converge, but it
// converges when a rope is kicked hard.
template <class W> void chainStartCautiously(ChainLanes<W>& c) {
    for (int i = 0; i < c.nodes; ++i) {
        ChainNode<W>& a = c.node[i];
        a.x = select(held(a), a.z, a.place);
        if (i > 0) a.x = select(a.rest > W(0.0), a.x, c.node[i - 1].x);
    }
}

// The iterate becomes the state, in the lanes where it is good.
template <class W> CAPSTAN_INLINE void acceptNode(ChainLanes<W>& c, MaskOf<W> good, int i) {
    ChainNode<W>& a = c.node[i];
    ChainPast<W>& past = c.past[i];
    const Vec<W> star = freeSpeed(c, i), move = a.x - a.place;
    const Vec<W> cost = c.bends ? move - freeMove(c, i, star) : a.x - a.z; // x - y
    const Vec<W> v = select(held(a), star, c.fade * (star + c.invH * cost));
    past.vBefore = select(good, c.fade * past.v, past.vBefore);
    past.dBefore = select(narrow(good), narrow(c.fade * move), past.dBefore);
    past.v = select(good, v, past.v);
    a.place = select(good, a.x, a.place);
}

template <class W> void chainAccept(ChainLanes<W>& c, MaskOf<W> good) {
    for (int i = 0; i < c.nodes; ++i) acceptNode(c, good, i);
}

// Arc length and rest length of each lane's rope, and the largest | length - l | of a segment.
template <class W> struct ChainLength { W arc = W(0.0), rest = W(0.0), off = W(0.0); };

// Length of segment i, which of a ring may be the one that closes it.
template <class W> CAPSTAN_INLINE W segmentLength(const ChainLanes<W>& c, int i) {
    return length(c.node[i - 1].place - (i < c.nodes ? c.node[i].place : c.node[0].place));
}

template <class W>
CAPSTAN_INLINE void storeNode(const ChainLanes<W>& c, const StateView& s, MaskOf<W> good, W invUnit, int i) {
    constexpr int lanes = lanesOf<W>;
    const ChainNode<W>& a = c.node[i];
    const ChainPast<W>& past = c.past[i];
    const W tension = a.lambda * invUnit;
    float t[lanes], rest[lanes];
    store(t, tension), store(rest, a.rest);
    for (int k = 0; i > 0 && k < lanes; ++k) {
        if (i >= c.count[k] + int(c.closed)) continue;
        s.rest[c.begin[k] + i] = rest[k]; // a winch changes it
        if (lane(good, k)) s.tension[c.begin[k] + i] = t[k];
    }
    if (i == c.nodes) return;
    std::int32_t at[lanes];
    chainIndex(c, i, at);
    const Vec<Narrow<W>> high = narrow(a.place);
    const Vec<W> low = a.place - widen(high);
    const Narrow<W> zero = Narrow<W>(0.0f);
    scatter(s.x, at, Four<Narrow<W>>{high.x, high.y, high.z, gather<Narrow<W>>(s.x, at).w});
    scatter(s.low, at, Four<W>{low.x, low.y, low.z, W(0.0)});
    scatter(s.v, at, Four<W>{past.v.x, past.v.y, past.v.z, gather<W>(s.v, at).w});
    scatter(s.before, at, Four<W>{past.vBefore.x, past.vBefore.y, past.vBefore.z, W(0.0)});
    scatter(s.dBefore, at, Four<Narrow<W>>{past.dBefore.x, past.dBefore.y, past.dBefore.z, zero});
}

// Back to memory. Nodes beyond the end of a rope write to its spare point. A lane that did not converge has the
// places and speeds of before the substep; its tension in memory, from before the step, is a better guess than lambda.
template <class W> ChainLength<W> chainStore(const ChainLanes<W>& c, const StateView& s, MaskOf<W> good) {
    const W invUnit = W(1.0) / c.unit;
    ChainLength<W> sum;
    for (int i = 0; i < c.nodes + int(c.closed); ++i) {
        if (i > 0) {
            const W l = segmentLength(c, i), rest = c.node[i].rest;
            sum.arc = sum.arc + l, sum.rest = sum.rest + rest, sum.off = max(sum.off, abs(l - rest));
        }
        storeNode(c, s, good, invUnit, i);
    }
    return sum;
}

} // namespace capstan
