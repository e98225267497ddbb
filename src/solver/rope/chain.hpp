// SPDX-License-Identifier: MIT
// Rope elimination: a direct solver for a whole rope. W is a double, or a Pack of doubles with one rope per
// lane. A rope gets the same bits with either type.
//
// An implicit step is one minimisation for each rope. Forces are multiplied by h^2:
//     min 1/2 |x - y|_M^2 + bending(x)    subject to    |x_(i-1) - x_i| = l_i (1 + T / EA)
// Node i has the position x_i, and its segment the rest length l_i. T is the tension, EA the stretch
// stiffness, M the mass matrix. The position that a node would reach without the rope's own forces is y. The
// time integration is BDF2,
//     h' = 2h/3,  v* = v + (v - v_before)/3 + h' a,  y = x + d_before/3 + h' v*,  v = v* + (x - y)/h'
// Those are the factors of equal substeps; two_step.hpp has them for any lengths.
// After a sudden change it is an implicit Euler step (h' = h, no history). BDF2 keeps the swing of a heavy
// pendulum: it loses 0.02 % of its energy in 10 s at a mass ratio of 1:1000. Implicit Euler loses half of it.
// Order of work: a step loads a group of ropes from memory. A substep predicts y from the history, bends
// (bend.hpp), solves the lengths (newton.hpp) and accepts the velocities. The step ends with a store to memory.
// Memory holds floats; State::low holds the rounding error of each position. The recursions need double: with
// floats, a rope that carries a thousand times its own weight diverges.
#pragma once

#include "math/lanes.hpp"
#include "model/model.hpp"
#include "solver/rope/two_step.hpp"
#include <capstan/math/mat.hpp>
#include <capstan/math/transcendental.hpp>

#include <cstdint>

namespace capstan {

// Mass of a held node [kg]. The displacement force / mass is negligible, and mass^4 is still a finite double.
inline constexpr double kImmense = 1e20;

// One node of each lane's rope during a step. Segment i joins node i to node i - 1, which is called its
// parent.
template <class W> struct ChainNode {
    Vec<W> position; // position at the start of the substep
    W mass;          // kg; kImmense: pinned, or past the end of a shorter rope
    W rest;          // rest length of the segment; 0 past the end of a shorter rope
    Vec<W> x;        // current iterate
    Vec<W> z;        // target position: the minimum of inertia and bending
    W lambda;        // tension times ChainLanes::unit, a multiplier of the length constraint
    Vec<W> n;        // unit vector from the node to its parent; after elimination, k b (newton.hpp)
    W residual;      // x_(i-1) - x_i| - l - compliance lambda; after elimination, the Newton step of lambda
    W t;             // geometric stiffness |lambda| / length
    Sym3<W> tq;      // t (S + t)^-1; S is the stiffness of all nodes past the segment's end
    Vec<W> u, e;     // see newton.hpp; after back substitution e is the displacement of the node
};

// Data that only prediction and acceptance use. They are stored apart from ChainNode. So more ropes fit into
// the memory in which Newton works: the cache of a CPU, or the shared memory of a GPU.
template <class W> struct ChainPast {
    // Velocity at the start of the substep, and at the start of the previous substep. For a pin, v is its
    // velocity during this step.
    Vec<W> v, vBefore;
    Vec<Narrow<W>> dBefore; // displacement during the previous substep
};

// Data that hold for all nodes of each lane's rope.
template <class W> struct ChainLanes {
    static constexpr int lanes = lanesOf<W>;
    ChainNode<W>* node = nullptr;
    ChainPast<W>* past = nullptr;
    const Point* force = nullptr; // external force on every point of the State; null if there is none
    int nodes = 0, shortest = 0;  // nodes of the longest and of the shortest rope
    bool closed = false, bends = false, limits = false, forced = false;
    std::int32_t begin[lanes] = {}, count[lanes] = {};
    W ratio, carry;    // two_step.hpp: r, and the share of the last displacement; without history 1 and 0
    W h, invH;         // effective step h'
    W dt;              // the substep itself: h' = 2 dt / 3 after an equal substep
    W unit;            // unit of lambda: h'^2 during a substep, 1 after loading
    W dampingFactor;   // exp(-damping dt)
    W perLength;       // the compliance of a segment is perLength l + floor; perLength = 1 / (EA h'^2)
    W floor;           // keeps a segment between two pins solvable; causes strains below 1e-6
    W floorFirst;      // the floor in the first substep of a history
    W stiffnessMin;    // smallest t
    W invReach;        // 1 / segment length
    MaskOf<W> limited; // lanes in which a bend limit acts in this substep
    W bend, maxBend;   // EI h'^2; largest |t_(i+1) - t_i| of the unit vectors t along two neighbouring
                       // segments
    Vec<W> clamp[2];
    Vec<W> gravity;
};

// Returns one value per lane: f(lane).
template <class W, class F> CAPSTAN_INLINE W perLane(F&& f) {
    double a[lanesOf<W>];
    for (int k = 0; k < lanesOf<W>; ++k) a[k] = double(f(k));
    return load<W>(a);
}

template <class W> CAPSTAN_INLINE MaskOf<W> held(const ChainNode<W>& a) { return a.mass >= W(kImmense); }

// Indices of the points of node i of each lane. Past the end of a shorter rope the index is that rope's spare
// point.
template <class W>
CAPSTAN_INLINE void chainIndex(const ChainLanes<W>& c, int i, std::int32_t (&index)[lanesOf<W>]) {
    for (int k = 0; k < lanesOf<W>; ++k) index[k] = c.begin[k] + (i < c.count[k] ? i : c.count[k]);
}

// Sets the parameters of the ropes that are constant during a step.
template <class W>
void chainSetup(ChainLanes<W>& c, const Model& m, const int* ropes, Vec3 gravity, double dt) {
    auto rope = [&](int k) -> const Rope& { return m.ropes[ropes[k]]; };
    c.nodes = 0;
    c.closed = rope(0).def.closed;
    c.bends = rope(0).bends();
    c.limits = false;
    c.forced = false;
    for (int k = 0; k < lanesOf<W>; ++k) {
        c.begin[k] = rope(k).begin;
        c.count[k] = rope(k).count;
        c.nodes = c.count[k] > c.nodes ? c.count[k] : c.nodes;
        c.shortest = k == 0 || c.count[k] < c.shortest ? c.count[k] : c.shortest;
        c.forced = c.forced || rope(k).forced;
        c.limits = c.limits || rope(k).def.maxBend > 0;
    }
    c.dt = W(dt);
    c.dampingFactor = perLane<W>([&](int k) {
        const double rate = double(rope(k).def.damping) + double(m.damping);
        return rate > 0 ? exp(-rate * dt) : 1.0;
    });
    c.floorFirst = perLane<W>([&](int k) { return 1e-5 / double(rope(k).totalMass); });
    c.stiffnessMin = perLane<W>([&](int k) { return 1e-4 * double(rope(k).nodeMass); });
    c.invReach = perLane<W>([&](int k) { return 1 / double(rope(k).segmentLength); });
    // Without a limit maxBend is immense. A bound for unit vectors, such as 4, would be too small, because
    // the target positions have segments of any length. The value is needed: ropes with and without a limit
    // may share a group.
    c.maxBend = perLane<W>(
        [&](int k) { return rope(k).def.maxBend > 0 ? 2 * sin(double(rope(k).def.maxBend) / 2) : 1e30; });
    for (int end = 0; end < 2; ++end) {
        auto part = [&](float Vec3::*p) { return perLane<W>([&](int k) { return rope(k).clamp[end].*p; }); };
        c.clamp[end] = {part(&Vec3::x), part(&Vec3::y), part(&Vec3::z)};
    }
    c.gravity = {W(double(gravity.x)), W(double(gravity.y)), W(double(gravity.z))};
}

// The same as chainSetup for one rope, compiled in group.cpp. The host code of the CUDA backend calls it,
// because its compiler cannot compile the templates above.
ChainLanes<double> setupOf(const Model& m, int rope, Vec3 gravity, double dt);

// Sets the values that depend on a rope's history. `before` is the length of its last substep, or 0 without history;
// `begun` is that of its first. Other inputs are 1 / EA (0: does not stretch) and EI of each rope.
// The floor keeps its strain when h changes. Without that, 100 kg that hang at rest on 1 kg are shaken by 1 % of
// their weight whenever dt changes by ten.
// Returns the factor by which lambda must be scaled, because its unit follows h'.
template <class W>
CAPSTAN_INLINE W chainUnits(ChainLanes<W>& c, W before, W begun, W invEa, W bendStiffness) {
    const TwoStep<W> two = twoStep(c.dt, before);
    c.ratio = two.ratio;
    c.carry = two.carry;
    c.h = c.dt * two.part;
    const W since = select(c.carry > W(0.0), begun / c.dt * (W(2.0 / 3.0) / two.part), W(1.0));
    c.floor = since * since * c.floorFirst;
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
    auto rope = [&](int k) -> const Rope& { return m.ropes[ropes[k]]; };
    const W before = perLane<W>([&](int k) { return rope(k).remembered(); });
    const W begun = perLane<W>([&](int k) { return rope(k).hFirst; });
    const W scale =
        chainUnits(c, before, begun, perLane<W>([&](int k) { return inverseStretchStiffness(rope(k)); }),
                   perLane<W>([&](int k) { return rope(k).def.bendStiffness; }));
    if (all(scale == W(1.0))) return;
    for (int i = 1; i < c.nodes + int(c.closed); ++i) c.node[i].lambda = scale * c.node[i].lambda;
}

// Changes the rest lengths of the end segments at winches by the share of one substep.
template <class W> void chainWind(ChainLanes<W>& c, const Model& m, const int* ropes, double dt) {
    auto add = [&](int i, int k, double change) {
        double rest[lanesOf<W>];
        for (int j = 0; j < lanesOf<W>; ++j) rest[j] = lane(c.node[i].rest, j) + (j == k ? change : 0.0);
        c.node[i].rest = load<W>(rest);
    };
    for (int k = 0; k < lanesOf<W>; ++k) {
        const Rope& r = m.ropes[ropes[k]];
        if (r.winchSpeed[0] != 0) add(1, k, dt * double(r.winchSpeed[0]));
        if (r.winchSpeed[1] != 0) add(r.count - 1, k, dt * double(r.winchSpeed[1]));
    }
}

template <class W> CAPSTAN_INLINE W compliance(const ChainLanes<W>& c, const ChainNode<W>& a) {
    return c.perLength * a.rest + c.floor;
}

// Returns one value per lane from a column of floats.
template <class W> CAPSTAN_INLINE W gatherColumn(const float* column, const std::int32_t* at) {
    float a[lanesOf<W>];
    for (int k = 0; k < lanesOf<W>; ++k) a[k] = column[at[k]];
    return load<W>(a);
}

// Prefetches the cache lines of node i. The lanes and columns are more streams than the hardware prefetcher
// tracks.
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
    a.rest = gatherColumn<W>(s.rest, at);
    a.lambda = gatherColumn<W>(s.tension, at);
    const Four<W> x = gather<W>(s.x, at), v = gather<W>(s.v, at);
    a.mass = select(x.w > W(0.0), v.w, W(kImmense));
    a.position = xyz(x) + xyz(gather<W>(s.low, at));
    past.v = xyz(v);
    past.vBefore = xyz(gather<W>(s.before, at));
    past.dBefore = narrow(xyz(gather<W>(s.dBefore, at)));
    if (i == 0) {
        a.rest = W(0.0);
        a.lambda = W(0.0);
    } // there is no segment before node 0
}

// Sets nodes past the end of a rope. In a ring, node n stands for node 0, where the closing segment ends. A
// shorter rope is padded with nodes without segment length, which exert no force on it.
template <class W> CAPSTAN_INLINE void loadBeyond(ChainLanes<W>& c, int i) {
    const W zero = W(0.0);
    ChainNode<W>& a = c.node[i];
    const MaskOf<W> beyond = perLane<W>([&](int k) { return i < c.count[k] ? 0.0 : 1.0; }) > W(0.5);
    a.mass = select(beyond, W(kImmense), a.mass);
    if (c.closed) {
        a.position = c.node[0].position;
    } else {
        a.rest = select(beyond, zero, a.rest);
        a.lambda = select(beyond, zero, a.lambda);
        a.position = select(beyond, c.node[i - 1].position, a.position);
        c.past[i].v = select(beyond, Vec<W>{zero, zero, zero}, c.past[i].v);
    }
}

template <class W> void chainLoad(ChainLanes<W>& c, const StateView& s) {
    c.unit = W(1.0);
    c.force = s.force;
    for (int i = 0; i < c.nodes + int(c.closed); ++i) {
        if (i % 4 == 0) prefetch(c, s, i + 16);
        loadNode(c, s, i);
        if (i >= c.shortest) loadBeyond(c, i);
    }
}

// Loads only the lanes of the mask again. The remaining lanes keep their values: a round trip through memory
// would round them to float.
template <class W> void chainReload(ChainLanes<W>& c, const StateView& s, MaskOf<W> lanes) {
    for (int i = 0; i < c.nodes + int(c.closed); ++i) {
        ChainNode<W>& a = c.node[i];
        ChainPast<W>& past = c.past[i];
        const Vec<W> position = a.position;
        const W lambda = a.lambda, rest = a.rest; // a winch has changed it in double
        const ChainPast<W> had = past;
        loadNode(c, s, i);
        if (i >= c.shortest) loadBeyond(c, i);
        a.rest = select(lanes, a.rest, rest);
        a.position = select(lanes, a.position, position);
        a.lambda = select(lanes, a.lambda, lambda);
        past.v = select(lanes, past.v, had.v);
        past.vBefore = select(lanes, past.vBefore, had.vBefore);
        past.dBefore = select(narrow(lanes), past.dBefore, had.dBefore);
    }
    c.unit = select(lanes, W(1.0), c.unit);
}

// Returns v*, the velocity that a node would have without the rope's own forces. For a pin it returns the
// pin's own constant velocity.
template <class W> CAPSTAN_INLINE Vec<W> freeSpeed(const ChainLanes<W>& c, int i) {
    const ChainNode<W>& a = c.node[i];
    const ChainPast<W>& past = c.past[i];
    Vec<W> star = past.v + c.carry * (past.v - past.vBefore) + c.h * c.gravity;
    if (c.forced) {
        std::int32_t at[lanesOf<W>];
        chainIndex(c, i, at);
        star = star + (c.h / a.mass) * xyz(gather<W>(c.force, at));
    }
    return select(held(a), past.v, star);
}
// Returns y - x, the displacement of a node at the velocity v* = star.
template <class W> CAPSTAN_INLINE Vec<W> freeMove(const ChainLanes<W>& c, int i, Vec<W> star) {
    return select(held(c.node[i]), c.dt * star, c.carry * widen(c.past[i].dBefore) + c.h * star);
}

// Computes the target y of a node and its start position for Newton. Newton starts from the displacement of
// the previous substep, which is the solution for a rope at rest. After a sudden change it starts from y.
//
// Refused: always starting from y, where tension does not act yet. Then one iteration leaves a rope at rest
// trembling by 1e-5 m/s, and its tension by 0.3 %.
template <class W> CAPSTAN_INLINE void predictNode(ChainLanes<W>& c, int i) {
    ChainNode<W>& a = c.node[i];
    Vec<W> y = a.position + freeMove(c, i, freeSpeed(c, i));
    // Past the end of a shorter rope all nodes stay at the rope's last node. A rope in a single lane has no
    // such nodes, so the scalar code skips this.
    constexpr bool uneven = lanesOf < W >> 1;
    if (uneven && i > 0) y = select(a.rest == W(0.0), c.node[i - 1].z, y);
    a.z = y;
    a.x = select((c.carry > W(0.0)) & !held(a), a.position + c.ratio * widen(c.past[i].dBefore), y);
    if (uneven && i > 0) a.x = select(a.rest == W(0.0), c.node[i - 1].x, a.x);
}

// Sets another start for Newton: the positions at the start of the substep, whose lengths are right. Newton
// converges more slowly from there, but it also converges after a hard kick.
template <class W> void chainStartCautiously(ChainLanes<W>& c) {
    for (int i = 0; i < c.nodes; ++i) {
        ChainNode<W>& a = c.node[i];
        a.x = select(held(a), a.z, a.position);
        if (i > 0) a.x = select(a.rest > W(0.0), a.x, c.node[i - 1].x);
    }
}

// Accepts the iterate of node i as its new state, in the lanes of `good`.
template <class W> CAPSTAN_INLINE void acceptNode(ChainLanes<W>& c, MaskOf<W> good, int i) {
    ChainNode<W>& a = c.node[i];
    ChainPast<W>& past = c.past[i];
    const Vec<W> star = freeSpeed(c, i), move = a.x - a.position;
    const Vec<W> cost = c.bends ? move - freeMove(c, i, star) : a.x - a.z; // x - y
    const Vec<W> v = select(held(a), star, c.dampingFactor * (star + c.invH * cost));
    past.vBefore = select(good, c.dampingFactor * past.v, past.vBefore);
    past.dBefore = select(narrow(good), narrow(c.dampingFactor * move), past.dBefore);
    past.v = select(good, v, past.v);
    a.position = select(good, a.x, a.position);
}

template <class W> void chainAccept(ChainLanes<W>& c, MaskOf<W> good) {
    for (int i = 0; i < c.nodes; ++i) acceptNode(c, good, i);
}

// Arc length and rest length of each lane's rope, and the largest |length - rest length| of a segment, all in
// m.
template <class W> struct ChainLength { W arc = W(0.0), rest = W(0.0), off = W(0.0); };

// Returns the length of segment i [m]. In a ring, i = nodes is the closing segment.
template <class W> CAPSTAN_INLINE W segmentLength(const ChainLanes<W>& c, int i) {
    return length(c.node[i - 1].position - (i < c.nodes ? c.node[i].position : c.node[0].position));
}

template <class W>
CAPSTAN_INLINE void storeNode(const ChainLanes<W>& c, const StateView& s, MaskOf<W> good, W invUnit, int i) {
    constexpr int lanes = lanesOf<W>;
    const ChainNode<W>& a = c.node[i];
    const ChainPast<W>& past = c.past[i];
    const W tension = a.lambda * invUnit;
    float t[lanes], rest[lanes];
    store(t, tension);
    store(rest, a.rest);
    for (int k = 0; i > 0 && k < lanes; ++k) {
        if (i >= c.count[k] + int(c.closed)) continue;
        s.rest[c.begin[k] + i] = rest[k]; // a winch may have changed it
        if (lane(good, k)) s.tension[c.begin[k] + i] = t[k];
    }
    if (i == c.nodes) return;
    std::int32_t at[lanes];
    chainIndex(c, i, at);
    const Vec<Narrow<W>> high = narrow(a.position);
    const Vec<W> low = a.position - widen(high);
    const Narrow<W> zero = Narrow<W>(0.0f);
    scatter(s.x, at, Four<Narrow<W>>{high.x, high.y, high.z, gather<Narrow<W>>(s.x, at).w});
    scatter(s.low, at, Four<W>{low.x, low.y, low.z, W(0.0)});
    scatter(s.v, at, Four<W>{past.v.x, past.v.y, past.v.z, gather<W>(s.v, at).w});
    scatter(s.before, at, Four<W>{past.vBefore.x, past.vBefore.y, past.vBefore.z, W(0.0)});
    scatter(s.dBefore, at, Four<Narrow<W>>{past.dBefore.x, past.dBefore.y, past.dBefore.z, zero});
}

// Writes all lanes back to memory. Nodes past the end of a rope write to the rope's spare point. A lane that
// did not converge still has the positions and velocities of the start of the substep. Its tension in memory,
// from before the step, is kept: it is a better guess than lambda.
template <class W> ChainLength<W> chainStore(const ChainLanes<W>& c, const StateView& s, MaskOf<W> good) {
    const W invUnit = W(1.0) / c.unit;
    ChainLength<W> sum;
    for (int i = 0; i < c.nodes + int(c.closed); ++i) {
        if (i > 0) {
            const W l = segmentLength(c, i), rest = c.node[i].rest;
            sum.arc = sum.arc + l;
            sum.rest = sum.rest + rest;
            sum.off = max(sum.off, abs(l - rest));
        }
        storeNode(c, s, good, invUnit, i);
    }
    return sum;
}

} // namespace capstan
