// SPDX-License-Identifier: MIT
// Implements group.hpp: substeps of a group of ropes, and the fallbacks for a rope that does not converge.
#include "solver/rope/group.hpp"

#include "math/pack.hpp"
#include "solver/rope/bend.hpp"
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

// Keeps free nodes where they are, but moves the pins. From each pin outward, nodes are pulled along at full
// rest length.
void holdStill(const Rope& r, State& s, double dt) {
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
    for (int k = 0; k < r.count; ++k) {
        Point& v = s.v[r.begin + k];
        Vec3d move = (1 / dt) * (position(k) - widen(Vec3(s.before[r.begin + k])));
        if (!pinned(k)) v = {float(move.x), float(move.y), float(move.z), v.w};
        s.tension[r.begin + k + 1] = 0;
    }
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
        holdStill(r, s, dt);
        ++n.heldStill;
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

// Solves all substeps of a group while its ropes are in the cache.
template <class W>
ChainCounts stepGroup(Model& m, State& s, const ChainGroup& g, ChainScratch& scratch, Vec3 gravity, double dt,
                      int substeps) {
    ChainCounts n;
    ChainLanes<W> c;
    c.node = as<ChainNode<W>>(scratch.nodes);
    c.past = as<ChainPast<W>>(scratch.past);
    chainSetup(c, m, g.rope, gravity, dt);
    chainLoad(c, s);
    for (int i = 0; i < substeps; ++i) {
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
        if (!diverged) continue;
        // Rescue works on one rope at a time, through the State. Tension is not written. So a rope that fails
        // later in this step starts from the tension before the step, whichever other rope failed before.
        chainStore(c, s, MaskOf<W>(false));
        for (int k = 0; k < g.ropes; ++k)
            if (!lane(result.good, k)) rescue(m, s, g.rope[k], {scratch, lanesOf<W> == 1}, gravity, dt, 0, n);
        chainReload(c, s, !result.good);
    }
    const ChainLength<W> l = chainStore(c, s, MaskOf<W>(true));
    const W strain = l.off * c.invReach;
    for (int k = 0; k < g.ropes; ++k) {
        Rope& r = m.ropes[g.rope[k]];
        r.stretch = float(lane(l.arc, k) / lane(l.rest, k) - 1);
        r.strain = float(lane(strain, k));
    }
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

ChainLanes<double> setupOf(const Model& m, int rope, Vec3 gravity, double dt) {
    ChainLanes<double> c;
    chainSetup(c, m, &rope, gravity, dt);
    return c;
}

ChainCounts finishChain(Model& m, State& s, int rope, ChainScratch& scratch, Vec3 gravity, double dt,
                        int substeps) {
    ChainCounts n;
    rescue(m, s, rope, {scratch, true}, gravity, dt, 0, n);
    ChainGroup g;
    g.rope[0] = rope;
    g.ropes = 1;
    const ChainCounts rest = stepGroup<double>(m, s, g, scratch, gravity, dt, substeps - 1);
    return {n.solves + rest.solves, n.retries + rest.retries, n.heldStill + rest.heldStill};
}

} // namespace capstan
