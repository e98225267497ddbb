// SPDX-License-Identifier: MIT
// Implements group.hpp: substeps of a group of ropes, and the fallbacks for a rope that does not converge.
#include "solver/rope/group.hpp"

#include "math/pack.hpp"
#include "solver/rope/bend.hpp"
#include "solver/rope/kinks.hpp"
#include "solver/rope/newton.hpp"

#include <memory>

namespace capstan {
namespace {

constexpr int kDeepest = 3; // largest number of nested halvings of a substep
constexpr std::size_t kAlignment = 64;

// Returns the scratch memory as an array of T. Every field is written before it is read.
template <class T> T* as(std::vector<double>& memory) {
    void* p = memory.data();
    std::size_t space = memory.size() * sizeof(double);
    return static_cast<T*>(std::align(kAlignment, 0, p, space));
}

// Solves bending and lengths of one group of ropes from the predicted positions. `worst` is their worst
// length error.
template <class W> NewtonResult<W> solveSubstep(ChainLanes<W>& c, std::vector<double>& rings, W worst) {
    if (c.bends) chainBend(c);
    NewtonResult<W> result = chainNewton(c, c.closed ? as<RingNode<W>>(rings) : nullptr, NewtonDef{}, worst);
    // When a bend limit starts or stops acting, the change is sudden.
    if (c.limits) result.smooth = result.smooth & !c.limited;
    return result;
}

// Returns the mean velocity of a rope without pins after dt [m/s].
Vec3d meanVelocity(const Rope& r, const State& s, Vec3 gravity, double dt) {
    Vec3d sum = dt * widen(gravity);
    for (int k = 0; k < r.count; ++k) {
        const Point& v = s.v[r.begin + k];
        sum = sum + (double(v.w) / double(r.totalMass)) * widen(Vec3(v));
    }
    return sum;
}

// Keeps free nodes where they are, but moves the pins. From each pin outward, nodes are pulled along at full
// rest length. A rope without pins moves on as a whole.
void holdStill(const Rope& r, State& s, Vec3 gravity, double dt) {
    auto position = [&](int node) {
        return widen(Vec3(s.x[r.begin + node])) + widen(Vec3(s.low[r.begin + node]));
    };
    auto put = [&](int node, Vec3d p) {
        Point &x = s.x[r.begin + node], &low = s.low[r.begin + node];
        const Vec3 high = narrow(p), rest = narrow(p - widen(high));
        x = {high.x, high.y, high.z, x.w};
        low = {rest.x, rest.y, rest.z, 0};
    };
    auto follow = [&](int node, int leader, double rest) {
        Vec3d d = position(node) - position(leader);
        put(node, position(leader) + rest * normalize(d, Vec3d{0, -1, 0}));
    };
    for (int k = 0; k < r.count; ++k) s.before[r.begin + k] = s.x[r.begin + k];
    for (const Pin& pin : r.pins)
        put(pin.node, position(pin.node) + dt * widen(Vec3(s.v[r.begin + pin.node])));
    auto pinned = [&](int node) { return !(s.x[r.begin + node].w > 0); };
    for (std::size_t i = 0; i < r.pins.size(); ++i) {
        const int from = r.pins[i].node;
        // Between two pins, each pin pulls half of the nodes.
        auto end = [&](int step) {
            int k = from + step;
            while (k >= 0 && k < r.count && !pinned(k)) k += step;
            return k >= 0 && k < r.count ? (from + k + (step < 0)) / 2 : k;
        };
        for (int k = from + 1; k < end(1); ++k) follow(k, k - 1, double(s.rest[r.begin + k]));
        for (int k = from - 1; k > end(-1); --k) follow(k, k + 1, double(s.rest[r.begin + k + 1]));
    }
    const Vec3d together = r.pins.empty() ? dt * meanVelocity(r, s, gravity, dt) : Vec3d{0, 0, 0};
    for (int k = 0; k < r.count && r.pins.empty(); ++k) put(k, position(k) + together);
    for (int k = 0; k < r.count; ++k) {
        Point& v = s.v[r.begin + k];
        Vec3d move = (1 / dt) * (position(k) - widen(Vec3(s.before[r.begin + k])));
        if (!pinned(k)) v = {float(move.x), float(move.y), float(move.z), v.w};
        s.tension[r.begin + k + 1] = 0;
    }
}

// Puts a rope back to its lengths, from each pin outward. Between two pins each pin pulls half of the nodes. A rope
// without pins keeps its centre of mass.
void keepLengths(ChainLanes<double>& c) {
    auto centre = [&] {
        Vec3d sum = {0, 0, 0};
        double mass = 0;
        for (int k = 0; k < c.nodes; ++k) {
            sum = sum + c.node[k].mass * c.node[k].position;
            mass += c.node[k].mass;
        }
        return (1 / mass) * sum;
    };
    auto follow = [&](int node, int leader, double rest) {
        const Vec3d from = c.node[leader].position;
        c.node[node].position = from + rest * normalize(c.node[node].position - from, Vec3d{0, -1, 0});
    };
    auto pull = [&](int from, int step, int end) {
        for (int k = from + step; k != end; k += step) follow(k, k - step, c.node[step > 0 ? k : k + 1].rest);
    };
    int last = -1; // the last pin so far
    const Vec3d before = centre();
    for (int k = 0; k < c.nodes; ++k) {
        if (!held(c.node[k])) continue;
        const int half = last < 0 ? -1 : (last + k) / 2;
        if (last >= 0) pull(last, 1, half + 1);
        pull(k, -1, half);
        last = k;
    }
    pull(last < 0 ? 0 : last, 1, c.nodes);
    if (last >= 0) return;
    const Vec3d off = before - centre();
    for (int k = 0; k < c.nodes; ++k) c.node[k].position = c.node[k].position + off;
}

// Last resort of an open rope: one linear step, which always has a solution. The speeds become the nearest ones that
// keep all lengths, so they lose energy, and the rope keeps its momentum. Returns false if they are not finite.
bool stepLinearly(Model& m, State& s, int rope, std::vector<double>& nodes, std::vector<double>& past,
                  Vec3 gravity, double dt) {
    ChainLanes<double> c;
    c.node = as<ChainNode<double>>(nodes);
    c.past = as<ChainPast<double>>(past);
    chainSetup(c, m, &rope, gravity, dt);
    chainLoad(c, s);
    chainSubstep(c, m, &rope);
    chainPredict(c);
    for (int k = 1; k < c.nodes; ++k) c.node[k].lambda = 0;
    chainStartCautiously(c);
    chainMeasure(c);
    chainSolve<double>(c, nullptr, true);
    chainAccept(c, true);
    keepLengths(c);
    bool good = true;
    for (int k = 0; k < c.nodes; ++k) {
        const Vec3d x = c.node[k].position, v = c.past[k].v;
        good = good && dot(x, x) < 1e30 && dot(v, v) < 1e30;
        c.node[k].lambda = 0;
    }
    if (good) chainStore(c, s, true);
    return good;
}

// Working memory for the rescue of one rope. A rope without others in its group uses the group's memory.
struct RescueRoom {
    std::vector<double>&nodes, &past, &rings;
    RescueRoom(ChainScratch& s, bool alone)
        : nodes(alone ? s.nodes : s.rescueNodes), past(alone ? s.past : s.rescuePast),
          rings(alone ? s.rings : s.rescueRings) {}
};

// Solves one substep of one rope as two half substeps with the cautious start. Works on the State in memory.
void rescue(Model& m, State& s, int rope, const RescueRoom& room, Vec3 gravity, double dt, int depth,
            ChainCounts& n) {
    Rope& r = m.ropes[rope];
    r.history = false;
    if (depth == kDeepest) {
        ++n.heldStill;
        if (r.def.closed || !stepLinearly(m, s, rope, room.nodes, room.past, gravity, dt))
            holdStill(r, s, gravity, dt);
        return;
    }
    ++n.retries;
    for (int half = 0; half < 2; ++half) {
        ChainLanes<double> c;
        c.node = as<ChainNode<double>>(room.nodes);
        c.past = as<ChainPast<double>>(room.past);
        chainSetup(c, m, &rope, gravity, dt / 2);
        chainLoad(c, s);
        chainSubstep(c, m, &rope);
        chainPredict(c);
        chainStartCautiously(c);
        const NewtonResult<double> result = solveSubstep(c, room.rings, chainMeasure(c));
        n.solves += result.solves[0];
        if (result.good) {
            chainAccept(c, true);
            chainStore(c, s, true);
        } else {
            rescue(m, s, rope, room, gravity, dt / 2, depth + 1, n);
        }
    }
}

// Solves one substep of length dt of a group.
template <class W>
void stepOnce(ChainLanes<W>& c, Model& m, State& s, const ChainGroup& g, ChainScratch& scratch, Vec3 gravity,
              double dt, ChainCounts& n) {
    for (int k = 0; k < g.ropes; ++k) m.ropes[g.rope[k]].begins(dt);
    chainSubstep(c, m, g.rope);
    chainWind(c, m, g.rope, dt);
    const W worst = chainPredict(c);
    const NewtonResult<W> result = solveSubstep(c, scratch.rings, worst);
    chainAccept(c, result.good);
    bool diverged = false;
    for (int k = 0; k < g.ropes; ++k) {
        Rope& r = m.ropes[g.rope[k]];
        n.solves += result.solves[k];
        r.history = lane(result.good, k) && lane(result.smooth, k);
        r.hBefore = dt;
        diverged = diverged || !lane(result.good, k);
    }
    if (!diverged) return;
    // Rescue works on one rope at a time, through the State. Tension is not written: a rope that fails
    // later in this step then starts from the tension before the step. So its result does not depend on
    // which other rope failed.
    chainStore(c, s, MaskOf<W>(false));
    for (int k = 0; k < g.ropes; ++k)
        if (!lane(result.good, k)) rescue(m, s, g.rope[k], {scratch, lanesOf<W> == 1}, gravity, dt, 0, n);
    chainReload(c, s, !result.good);
}

template <class W> void storeGroup(ChainLanes<W>& c, Model& m, State& s, const ChainGroup& g) {
    const ChainLength<W> l = chainStore(c, s, MaskOf<W>(true));
    const W strain = l.off * c.invReach;
    for (int k = 0; k < g.ropes; ++k) {
        Rope& r = m.ropes[g.rope[k]];
        r.stretch = float(lane(l.arc, k) / lane(l.rest, k) - 1);
        r.strain = float(lane(strain, k));
    }
}

template <class W>
ChainLanes<W> loadGroup(const Model& m, State& s, const ChainGroup& g, ChainScratch& scratch, Vec3 gravity,
                        double dt) {
    ChainLanes<W> c;
    c.node = as<ChainNode<W>>(scratch.nodes);
    c.past = as<ChainPast<W>>(scratch.past);
    chainSetup(c, m, g.rope, gravity, dt);
    chainLoad(c, s);
    return c;
}

// Solves all substeps of a group while its ropes are in the cache.
template <class W>
ChainCounts stepEvenly(ChainLanes<W>& c, Model& m, State& s, const ChainGroup& g, ChainScratch& scratch,
                       Vec3 gravity, double dt, int substeps) {
    ChainCounts n;
    for (int i = 0; i < substeps; ++i) stepOnce(c, m, s, g, scratch, gravity, dt, n);
    storeGroup(c, m, s, g);
    return n;
}

ChainGroup alone(int rope) {
    ChainGroup g;
    g.rope[0] = rope;
    g.ropes = 1;
    return g;
}

// Ropes with kinks leave the lanes, so that their neighbours pay nothing for them.
template <class W>
ChainCounts stepGroup(Model& m, State& s, const ChainGroup& g, ChainScratch& scratch, Vec3 gravity, double dt,
                      int substeps) {
    ChainLanes<W> c = loadGroup<W>(m, s, g, scratch, gravity, dt);
    const MaskOf<W> apart = kinked(turnRate(c), c.dt);
    if (!any(apart)) return stepEvenly(c, m, s, g, scratch, gravity, dt, substeps);
    ChainCounts n;
    ChainGroup others = g;
    others.ropes = 0;
    for (int k = 0; k < g.ropes; ++k) {
        if (lane(apart, k))
            n += stepChainInParts(m, s, g.rope[k], scratch, gravity, dt, substeps);
        else
            others.rope[others.ropes++] = g.rope[k];
    }
    if (others.ropes == 0) return n;
    for (int k = others.ropes; k < lanesOf<W>; ++k) others.rope[k] = others.rope[0];
    c = loadGroup<W>(m, s, others, scratch, gravity, dt);
    n += stepEvenly(c, m, s, others, scratch, gravity, dt, substeps);
    return n;
}

} // namespace

void ChainScratch::reserve(int laneNodes, int longest, bool withRings) {
    const std::size_t spare = kAlignment / sizeof(double);
    auto doubles = [&](int count, std::size_t size) {
        return std::size_t(count) * size / sizeof(double) + spare;
    };
    nodes.resize(doubles(laneNodes, sizeof(ChainNode<double>)));
    past.resize(doubles(laneNodes, sizeof(ChainPast<double>)));
    rings.resize(withRings ? doubles(laneNodes, sizeof(RingNode<double>)) : 0);
    rescueNodes.resize(doubles(longest, sizeof(ChainNode<double>)));
    rescuePast.resize(doubles(longest, sizeof(ChainPast<double>)));
    rescueRings.resize(withRings ? doubles(longest, sizeof(RingNode<double>)) : 0);
}

std::size_t ChainScratch::bytes() const {
    std::size_t sum = 0;
    for (auto* part : {&nodes, &past, &rings, &rescueNodes, &rescuePast, &rescueRings})
        sum += part->capacity() * sizeof(double);
    return sum;
}

ChainCounts stepChainGroup(Model& m, State& s, const ChainGroup& g, ChainScratch& scratch, Vec3 gravity,
                           double dt, int substeps) {
    if (g.width == 8) return stepGroup<Pack<double, 8>>(m, s, g, scratch, gravity, dt, substeps);
    if (g.width == 4) return stepGroup<Pack<double, 4>>(m, s, g, scratch, gravity, dt, substeps);
    return stepGroup<double>(m, s, g, scratch, gravity, dt, substeps);
}

ChainCounts stepChainInParts(Model& m, State& s, int rope, ChainScratch& scratch, Vec3 gravity, double dt,
                             int substeps) {
    ChainCounts n;
    const ChainGroup g = alone(rope);
    ChainLanes<double> c = loadGroup<double>(m, s, g, scratch, gravity, dt);
    for (int i = 0; i < substeps; ++i) {
        bool cut = false;
        for (double left = dt; left > 0;) {
            const int parts = partsOf(turnRate(c), left, dt);
            const double h = left / parts;
            chainSetup(c, m, &rope, gravity, h);
            stepOnce(c, m, s, g, scratch, gravity, h, n);
            cut = cut || parts > 1;
            left = parts > 1 ? left - h : 0;
        }
        n.refined += cut;
    }
    storeGroup(c, m, s, g);
    return n;
}

ChainLanes<double> setupOf(const Model& m, int rope, Vec3 gravity, double dt) {
    ChainLanes<double> c;
    chainSetup(c, m, &rope, gravity, dt);
    return c;
}

ChainCounts finishChain(Model& m, State& s, int rope, ChainScratch& scratch, Vec3 gravity, double dt,
                        int substeps) {
    ChainCounts n;
    rescue(m, s, rope, {scratch, true}, gravity, dt, 0, n);
    const ChainGroup g = alone(rope);
    ChainLanes<double> c = loadGroup<double>(m, s, g, scratch, gravity, dt);
    n += stepEvenly(c, m, s, g, scratch, gravity, dt, substeps - 1);
    return n;
}

} // namespace capstan
