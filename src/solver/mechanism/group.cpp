// SPDX-License-Identifier: MIT
// Implements group.hpp: substeps of mechanisms that are trees of bodies, and their retries.
#include "solver/mechanism/group.hpp"

#include "solver/mechanism/last_resort.hpp"
#include "solver/mechanism/workspace.hpp"

#include <algorithm>

namespace capstan {
namespace {

TreeStore<double>& storeOf(TreeWorkspace& m, double) { return m.one; }
TreeStore<Pack<double, 4>>& storeOf(TreeWorkspace& m, Pack<double, 4>) { return m.four; }
TreeStore<Pack<double, 8>>& storeOf(TreeWorkspace& m, Pack<double, 8>) { return m.eight; }

template <class W> TreeLanes<W> lanesFor(TreeContext& c, const int* mechanisms) {
    return storeOf(c.memory, W(0.0)).lanes(c.m, mechanisms);
}

// Returns the length of the last substep if BDF2 may use that of all bodies in lane k, else 0.
template <class W> double remembered(const TreeLanes<W>& t, const State& s, int k) {
    double before = -1;
    for (const Unit& u : t.mechanism[k]->units) {
        if (u.rope) continue;
        const double own = s.bodies[u.slot].remembered();
        before = before < 0 || before == own ? own : 0; // all must have made the same last substep
    }
    return before;
}

template <class W>
TreeResult<W> substep(TreeLanes<W>& t, const TreeContext& c, double clock, double dt, W before,
                      bool deepest) {
    t.time.begin(W(dt), before);
    t.time.was = (clock - dt) / c.stepTime;
    t.time.now = clock / c.stepTime;
    // The lambda of rods is stored in N, but Newton's step uses it in units of h^2.
    for (int i = 0; t.rods && i < t.units; ++i)
        if (t.joint[i].rod) t.joint[i].rod->lambda = t.joint[i].rod->lambda * t.time.h2;
    moveGround(t, clock, dt);
    TreeResult<W> result = newton(t, TreeDef{});
    // At a limit BDF2 would bounce, because it extrapolates the past motion. Such a substep is repeated
    // without history.
    result.good = result.good & !((t.time.carry > W(0.0)) & limitMet(t));
    if (!deepest) result.good = result.good & !turnsTooFar(t);
    result.smooth = smoothBodies(t, TreeDef{}) & result.good;
    for (int i = 0; t.rods && i < t.units; ++i)
        if (t.joint[i].rod) t.joint[i].rod->lambda = t.joint[i].rod->lambda / t.time.h2;
    acceptAll(t, result.good);
    return result;
}

// Repeats one substep of one mechanism in two halves. Reads the start from the State and stores the result
// there. `clock`: seconds from the start of the step to the end of the substep.
void rescue(TreeContext& c, int mechanism, double clock, double dt, int depth) {
    TreeLanes<double> t = lanesFor<double>(c, &mechanism);
    if (depth == kDeepest) {
        loadAll(t, c, dt, clock);
        holdStill(t, c.gravity, dt);
        const bool history = false;
        storeAll(t, c, 1, &history);
        ++c.counts.heldStill;
        return;
    }
    ++c.counts.retries;
    for (int half = 0; half < 2; ++half) {
        const double end = half == 0 ? clock - dt / 2 : clock;
        loadAll(t, c, dt / 2, end - dt / 2);
        const TreeResult<double> result = substep(t, c, end, dt / 2, 0.0, depth + 1 == kDeepest);
        c.counts.solves += result.solves[0];
        const bool history = false;
        storeAll(t, c, 1, &history);
        if (!result.good) rescue(c, mechanism, end, dt / 2, depth + 1);
    }
}

template <class W> void stepGroup(TreeContext& c, const TreeGroup& g, double dt, int substeps) {
    TreeLanes<W> t = lanesFor<W>(c, g.mechanism);
    bool history[lanesOf<W>];
    double before[lanesOf<W>];
    for (int k = 0; k < lanesOf<W>; ++k) before[k] = remembered(t, c.s, k);
    loadAll(t, c, dt, 0);
    for (int i = 0; i < substeps; ++i) {
        const double clock = dt * (i + 1);
        t.time.writeReading = i + 1 == substeps;
        const TreeResult<W> result = substep(t, c, clock, dt, load<W>(before), false);
        bool diverged = false;
        for (int k = 0; k < lanesOf<W>; ++k) {
            if (k < g.mechanisms) c.counts.solves += result.solves[k];
            history[k] = lane(result.smooth, k);
            before[k] = history[k] ? dt : 0;
            diverged = diverged || (k < g.mechanisms && !lane(result.good, k));
        }
        if (!diverged) continue;
        storeAll(t, c, g.mechanisms, history);
        for (int k = 0; k < g.mechanisms; ++k)
            if (!lane(result.good, k)) rescue(c, g.mechanism[k], clock, dt, 0);
        t = lanesFor<W>(c, g.mechanism);
        loadAll(t, c, dt, clock);
    }
    storeAll(t, c, g.mechanisms, history);
}

} // namespace

TreeScratch::TreeScratch() : memory(std::make_unique<TreeWorkspace>()) {}
TreeScratch::~TreeScratch() = default;
TreeScratch::TreeScratch(TreeScratch&&) noexcept = default;
TreeScratch& TreeScratch::operator=(TreeScratch&&) noexcept = default;

void TreeScratch::fit(const Model& m) {
    std::size_t width[3] = {0, 0, 0};
    for (const TreeGroup& g : m.trees) {
        const std::size_t units = m.mechanisms[g.mechanism[0]].units.size();
        std::size_t& most = width[g.width == 8 ? 2 : g.width == 4 ? 1 : 0];
        most = std::max(most, units);
        width[0] = std::max(width[0], units); // rescue solves one mechanism at a time
    }
    memory->one.fit(width[0]);
    memory->four.fit(width[1]);
    memory->eight.fit(width[2]);
}

std::size_t TreeScratch::bytes() const {
    return memory->one.bytes() + memory->four.bytes() + memory->eight.bytes();
}

ChainCounts stepTreeGroup(Model& m, State& s, const TreeGroup& g, TreeScratch& scratch, Vec3 gravity,
                          double dt, int substeps) {
    TreeContext c = {m, s, *scratch.memory, widen(gravity), dt * substeps};
    const Mechanism& mechanism = m.mechanisms[g.mechanism[0]];
    if (mechanism.xpbd)
        stepXpbd(c, g.mechanism[0], dt, substeps);
    else if (!mechanism.plain())
        stepMechanism(c, g.mechanism[0], dt, substeps);
    else if (g.width == 8)
        stepGroup<Pack<double, 8>>(c, g, dt, substeps);
    else if (g.width == 4)
        stepGroup<Pack<double, 4>>(c, g, dt, substeps);
    else
        stepGroup<double>(c, g, dt, substeps);
    return c.counts;
}

} // namespace capstan
