// SPDX-License-Identifier: MIT
// Solves all islands in contact in a step, one after the other. See solver/coupled/substep.hpp.
#include "solver/coupled/rows.hpp"
#include "solver/coupled/substep.hpp"
#include "solver/rope/kinks.hpp"
#include "step/choose_solver.hpp"

#include <algorithm>

namespace capstan {
namespace {

// keepList and reuseList: an island with the same objects as in the previous step keeps its list of
// candidates.
void keepList(CoupledIsland& t) {
    std::swap(t.signature, t.signatureBefore);
    t.listedBefore.clear();
    for (const IslandBody& b : t.bodies) t.listedBefore.push_back({b.listed, b.margin});
}
void reuseList(CoupledIsland& t, int version) {
    t.signature.clear();
    t.signature.push_back(version);
    for (const IslandRope& r : t.ropes) {
        t.signature.push_back(r.slot);
        t.signature.push_back(r.count);
    }
    for (const IslandBody& b : t.bodies) {
        t.signature.push_back(-1 - b.slot);
        t.signature.push_back(b.moves);
    }
    t.listGood = t.listGood && t.signature == t.signatureBefore;
    for (std::size_t k = 0; t.listGood && k < t.bodies.size(); ++k) {
        t.bodies[k].listed = t.listedBefore[k].first;
        t.bodies[k].margin = t.listedBefore[k].second;
    }
}

void empty(CoupledIsland& t) {
    t.ropes.clear();
    t.bodies.clear();
    t.shapes.clear();
    t.tiedNodes.clear();
    t.commonEnds.clear();
    t.struck.clear();
}

// Resizes the columns to the numbers of nodes and segments of the island.
void fit(CoupledIsland& t) {
    const IslandRope none, &end = t.ropes.empty() ? none : t.ropes.back();
    t.x.resize(std::size_t(end.first + end.count));
    t.segments.resize(std::size_t(end.firstSegment + end.segments));
}

// Writes the index of the mechanism of each rope and body; -1: none.
void nameMechanisms(std::vector<int>& ofRope, std::vector<int>& ofBody, const Model& m) {
    ofRope.assign(m.ropes.size(), -1);
    ofBody.assign(m.bodies.size(), -1);
    for (int i = 0; i < int(m.mechanisms.size()); ++i)
        for (const Unit& u : m.mechanisms[i].units) (u.rope ? ofRope : ofBody)[u.slot] = i;
}

// Lists the objects of every island, sorted by the island's key, then by object. A static or kinematic body
// is listed in every island that it is near.
void listMembers(ContactWorkspace& w) {
    std::vector<ContactWorkspace::Member>& list = w.members;
    list.clear();
    for (int i = 0; i < int(w.proxies.size()); ++i)
        if (w.proxies[i].contacts) list.push_back({w.proxies[i].islandKey, i});
    for (const IndexPair& p : w.pairs) {
        const BroadPhaseProxy &a = w.proxies[p.a], &b = w.proxies[p.b];
        if (a.ground && b.contacts) list.push_back({b.islandKey, p.a});
        if (b.ground && a.contacts) list.push_back({a.islandKey, p.b});
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

// Returns the key of the island of a stored contact, or -1. The contact may be on a unit without a shape,
// because an island contains whole mechanisms.
int islandOf(const ContactWorkspace& w, const StoredContact& o) {
    for (std::uint64_t side : {o.a, o.b}) {
        const std::size_t slot = std::size_t(side >> 32 & 0x7fffffff);
        const std::vector<int>& of = side >> 63 ? w.ofBody : w.ofRope;
        const int proxy = slot < of.size() ? of[slot] : -1;
        if (proxy >= 0 && w.proxies[proxy].contacts) return w.proxies[proxy].islandKey;
    }
    return -1;
}

// Returns the substeps of an island: twice as many where ropes are. A kink that turns fast takes more while nothing
// presses. In contact with friction the step damps the kink in any case.
int substepsOf(const CoupledIsland& t, const Model& m, const State& s, double dt, int substeps,
               bool presses) {
    if (t.ropes.empty()) return substeps;
    const int twice = 2 * substeps;
    if (presses || !m.cloths.empty()) return twice;
    double turn = 0; // largest rate of turn of a segment, squared [1 / s^2]
    for (const IslandRope& r : t.ropes) {
        const int begin = m.ropes[r.slot].begin;
        auto velocity = [&](int k) { return widen(Vec3(s.v[begin + k % r.count])); };
        double apart = 0;
        for (int k = 0; k < r.segments; ++k) apart = max(apart, lengthSquared(velocity(k + 1) - velocity(k)));
        turn = max(turn, apart / (r.length * r.length));
    }
    return kinked(turn, dt / twice) ? std::max(twice, partsOf(turn, dt, dt)) : twice;
}

} // namespace

void stepImpulseIsland(CoupledIsland& t, TreeContext& c, Threads& threads, int substeps,
                       const std::vector<StoredContact>& had, const std::vector<int>& mine,
                       std::vector<StoredContact>& has);
void stepContactIslands(ContactWorkspace& w, Model& m, State& s, Threads& threads, int lanes, Vec3d gravity,
                        double dt, int substeps, double least, TreeWorkspace& memory, Report& report) {
    w.struck.clear();
    if (!std::any_of(w.proxies.begin(), w.proxies.end(),
                     [](const BroadPhaseProxy& a) { return a.contacts; })) {
        s.contacts.clear();
        return;
    }
    nameMechanisms(w.mechanismOfRope, w.mechanismOfBody, m);
    std::size_t island = 0;
    double nearest = 1;
    listMembers(w);
    findInterlocked(w, m, s);
    const std::vector<ContactWorkspace::Member>& list = w.members;
    w.owners.resize(s.contacts.size());
    threads.run(int(s.contacts.size()), 64, [&](int from, int to, int) {
        for (int k = from; k < to; ++k) w.owners[k] = {islandOf(w, s.contacts[k]), k};
    });
    if (!std::is_sorted(w.owners.begin(), w.owners.end())) std::sort(w.owners.begin(), w.owners.end());
    w.others.clear();
    for (const BroadPhaseProxy& a : w.proxies) {
        Bounds box = a.box;
        box.grow(a.wide);
        w.others.push_back({box, a.ground ? -1 : a.islandKey});
    }
    std::vector<StoredContact>& has = w.has;
    std::vector<int>& mine = w.mine;
    has.clear();
    for (std::size_t i = 0; i < list.size();) {
        const int islandKey = list[i].first;
        if (island == w.islands.size()) w.islands.emplace_back();
        CoupledIsland& t = w.islands[island++];
        keepList(t);
        empty(t);
        t.gravity = gravity;
        t.truncated = t.substeps = t.solves = t.heldStill = t.halvedSubsteps = t.wasted = 0;
        t.nearest = 1;
        t.stepTime = dt;
        t.least = least;
        t.mechanismOfRope = w.mechanismOfRope;
        t.mechanismOfBody = w.mechanismOfBody;
        t.others = &w.others;
        t.exemptions = &w.exemptions;
        t.islandKey = islandKey;
        for (; i < list.size() && list[i].first == islandKey; ++i) {
            const BroadPhaseProxy& a = w.proxies[list[i].second];
            Bounds reach = a.box;
            reach.grow(a.wide);
            if (a.rope >= 0)
                addRope(t, m, s, a.rope, reach);
            else
                addBody(t, m, s, a.body);
        }
        fit(t);
        reuseList(t, m.version);
        mine.clear();
        auto at = std::lower_bound(w.owners.begin(), w.owners.end(), std::pair{islandKey, -1});
        for (; at != w.owners.end() && at->first == islandKey; ++at) mine.push_back(at->second);
        TreeContext c{m, s, memory, gravity, dt};
        if (impulsesSolve(w, t))
            stepImpulseIsland(t, c, threads, substeps, s.contacts, mine, has);
        else
            stepIsland(t, c, threads, lanes, substepsOf(t, m, s, dt, substeps, !mine.empty()), s.contacts,
                       mine, has);
        w.struck.insert(w.struck.end(), t.struck.begin(), t.struck.end());
        report.truncated += t.truncated;
        report.solves += t.solves + t.wasted;
        report.halvedSubsteps += t.halvedSubsteps;
        report.heldStill += t.heldStill;
        report.substeps = std::max(report.substeps, t.substeps);
        nearest = min(nearest, t.nearest);
    }
    const auto before = [](const StoredContact& a, const StoredContact& b) {
        const int ka = int(a.a >> 63) + int(a.b >> 63), kb = int(b.a >> 63) + int(b.b >> 63);
        if (ka != kb) return ka < kb;
        if (a.a != b.a) return a.a < b.a;
        return a.b != b.b ? a.b < b.b : a.feature < b.feature;
    };
    if (!std::is_sorted(has.begin(), has.end(), before)) std::sort(has.begin(), has.end(), before);
    std::swap(s.contacts, has);
    report.contacts = int(s.contacts.size());
    report.minSeparationRatio = narrow(nearest);
}

} // namespace capstan
