// SPDX-License-Identifier: MIT
// The coupled solver: builds an island from the model and finds how many substeps it needs. See island.hpp.
#include "solver/coupled/substep.hpp"

#include "collision/geometry/closest.hpp"
#include "solver/coupled/rows.hpp"
#include <capstan/math/transcendental.hpp>

#include <algorithm>

namespace capstan {

void addRope(CoupledIsland& t, const Model& m, const State& s, int slot, const Bounds& reach) {
    const Rope& rope = m.ropes[slot];
    IslandRope r;
    r.slot = slot;
    r.count = rope.count;
    r.segments = rope.segments();
    r.closed = rope.def.closed;
    if (!t.ropes.empty()) {
        const IslandRope& other = t.ropes.back();
        r.first = other.first + other.count;
        r.firstSegment = other.firstSegment + other.segments;
    }
    r.radius = widen(rope.def.radius);
    r.length = widen(rope.segmentLength);
    r.even = rope.def.segments > 0;
    r.self = rope.def.selfContact;
    r.reach = reach;
    // Most segments are equal to those of the previous step. They are not written again, so they stay in the
    // cache of every core.
    t.segments.resize(std::max(t.segments.size(), std::size_t(r.firstSegment + r.segments)));
    for (int k = 0; k < r.segments; ++k) {
        const IslandSegment now = {r.first + k, r.first + (k + 1) % r.count, int(t.ropes.size()), k,
                                   r.radius};
        IslandSegment& segment = t.segments[r.firstSegment + k];
        if (segment != now) segment = now;
    }
    if (!r.even) {
        t.arc.resize(t.segments.size());
        for (int k = 0; k < r.segments; ++k) {
            t.arc[r.firstSegment + k] = r.whole;
            r.whole += widen(s.rest[rope.begin + k + 1]);
        }
    }
    t.ropes.push_back(r);
}

void addBody(CoupledIsland& t, const Model& m, const State& s, int slot) {
    const Body& body = m.bodies[slot];
    IslandBody b;
    b.slot = slot;
    b.moves = body.hasTarget;
    const BodyState& at = s.bodies[slot];
    b.start = b.now = b.goal = b.current = b.listed = {at.x, at.q};
    b.R = b.R0 = toMat3(at.q);
    if (body.dynamic()) {
        b.kind = IslandBody::Kind::Free;
        b.invMass = 1 / body.mass;
        b.invInertia = {1 / body.inertia.x, 1 / body.inertia.y, 1 / body.inertia.z};
    }
    for (std::size_t k = 0; k < body.shapes.size(); ++k) {
        const Shape& shape = body.shapes[k];
        IslandShape a;
        a.body = int(t.bodies.size());
        a.index = int(k);
        a.shape = &shape;
        a.local = from(body.principal, shape.at);
        const Bounds box = boundsOf(shape, {});
        const Vec3d far = max(abs(box.min), abs(box.max));
        a.reach = min(length(far), 1e6);
        a.round = shape.kind == ShapeKind::Sphere;
        if (shape.kind == ShapeKind::Capsule || shape.kind == ShapeKind::Cylinder)
            a.axis = rotate(a.local.q, {0, 1, 0});
        b.reach = max(b.reach, length(a.local.x) + a.reach);
        t.shapes.push_back(a);
    }
    t.bodies.push_back(b);
}

namespace {

void addTies(CoupledIsland& t, const Model& m, const State& s) {
    auto ropeOf = [&](int slot) {
        for (std::size_t k = 0; k < t.ropes.size(); ++k)
            if (t.ropes[k].slot == slot) return int(k);
        return -1;
    };
    std::vector<CoupledIsland::HeldNode>& held = t.heldNodes;
    held.clear();
    for (const Joint& j : m.joints) {
        if (!j.on() || j.rope < 0) continue;
        const int rope = ropeOf(j.rope);
        if (rope < 0 || j.kind == Joint::Kind::Drag) continue;
        const int point = m.ropes[j.rope].begin + j.node;
        const Vec3d x = widen(Vec3(s.x[point]));
        held.push_back({rope, j.node, x});
        if (j.body[1] < 0 || j.def.collideConnected) continue;
        // The segments without contact with the body reach from the anchor to the body's surface.
        const Body& body = m.bodies[j.body[1]];
        double depth = 0;
        for (const Shape& shape : body.shapes)
            if (shape.kind != ShapeKind::Mesh)
                depth =
                    max(depth, -nearest(shape, from(body.principal, shape.at).local(j.frame[1].x)).distance);
        const double l = t.ropes[rope].length;
        const int segments = 2 + int(min((1.5 * depth + t.ropes[rope].radius) / l, 1e6));
        t.tiedNodes.push_back({rope, j.node, j.body[1], segments});
    }
    for (std::size_t k = 0; k < t.ropes.size(); ++k) {
        const Rope& r = m.ropes[t.ropes[k].slot];
        for (const Pin& pin : r.pins)
            if (pin.joint < 0) held.push_back({int(k), pin.node, widen(Vec3(s.x[r.begin + pin.node]))});
    }
    for (std::size_t a = 0; a < held.size(); ++a)
        for (std::size_t b = a + 1; b < held.size(); ++b) {
            const double D = t.ropes[held[a].rope].radius + t.ropes[held[b].rope].radius;
            if (held[a].rope != held[b].rope && length(held[a].x - held[b].x) < D)
                t.commonEnds.push_back({{held[a].rope, held[b].rope}, {held[a].node, held[b].node}});
        }
}

template <class W>
void addGroup(CoupledIsland& t, std::vector<RopeUnits<W>>& groups, std::size_t& used,
              const std::vector<int>& ropes, std::size_t from, int count) {
    if (used == groups.size()) groups.emplace_back();
    RopeUnits<W>& g = groups[used++];
    g.ropes = count;
    for (int k = 0; k < lanesOf<W>; ++k) {
        g.rope[k] = ropes[from + std::size_t(k < count ? k : 0)];
        g.slot[k] = t.ropes[g.rope[k]].slot;
    }
}

template <class W> void loadGroup(CoupledIsland& t, RopeUnits<W>& g, const Model& m, State& s) {
    int nodes = 0;
    for (int k = 0; k < g.ropes; ++k) nodes = std::max(nodes, t.ropes[g.rope[k]].count);
    g.nodes.resize(std::size_t(nodes) + 1);
    g.past.resize(std::size_t(nodes) + 1);
    g.load.resize(std::size_t(nodes));
    g.links.resize(std::size_t(nodes));
    g.first.resize(std::size_t(nodes));
    g.answer.resize(std::size_t(nodes));
    g.firstPull.resize(std::size_t(nodes));
    g.pull.resize(std::size_t(nodes));
    const bool closed = t.ropes[g.rope[0]].closed;
    if (closed) g.rings.resize(std::size_t(nodes) + 1);
    g.c = {};
    g.c.node = g.nodes.data();
    g.c.past = g.past.data();
    chainSetup(g.c, m, g.slot, narrow(t.gravity), t.h);
    g.c.stiffnessMin = perLane<W>([&](int k) { return t.def.least * widen(m.ropes[g.slot[k]].nodeMass); });
    chainLoad(g.c, s);
    g.stiff.on = lanesOf<W> == 1 && tooStiff(t, t.ropes[g.rope[0]], m.ropes[g.slot[0]]);
}

// Groups ropes that are in no mechanism into lanes. The ropes of a group have the same kind and about the
// same number of nodes.
void addGroups(CoupledIsland& t, const Model& m, State& s, Threads& threads, int lanes) {
    std::vector<int>& list = t.looseRopes;
    list.clear();
    for (std::size_t k = 0; k < t.ropes.size(); ++k)
        if (t.ropes[k].system < 0) list.push_back(int(k));
    auto stiff = [&](int k) { return tooStiff(t, t.ropes[k], m.ropes[t.ropes[k].slot]); };
    auto kind = [&](int k) {
        const Rope& r = m.ropes[t.ropes[k].slot];
        return int(r.def.closed) + 2 * int(r.bends()) + 4 * int(stiff(k));
    };
    auto count = [&](int k) { return t.ropes[k].count; };
    std::sort(list.begin(), list.end(), [&](int a, int b) {
        if (kind(a) != kind(b)) return kind(a) < kind(b);
        return count(a) != count(b) ? count(a) > count(b) : a < b;
    });
    std::size_t ones = 0, fours = 0, eights = 0;
    const int most = std::min(lanes, 8);
    for (std::size_t i = 0; i < list.size();) {
        std::size_t end = i + 1;
        const bool closed = t.ropes[list[i]].closed;
        auto fits = [&](int k) {
            if (kind(k) != kind(list[i]) || stiff(k)) return false;
            return closed ? count(k) == count(list[i]) : count(k) * 5 >= count(list[i]) * 4;
        };
        while (end < list.size() && int(end - i) < most && fits(list[end])) ++end;
        const int n = int(end - i);
        if (n > 4)
            addGroup(t, t.eights, eights, list, i, n);
        else if (n > 1)
            addGroup(t, t.fours, fours, list, i, n);
        else
            addGroup(t, t.ones, ones, list, i, n);
        i = end;
    }
    t.ones.resize(ones);
    t.fours.resize(fours);
    t.eights.resize(eights);
    eachGroupAtOnce(t, threads, [&](auto& g) { loadGroup(t, g, m, s); });
}

// Adds the mechanisms and free bodies of the island.
void addSystems(CoupledIsland& t, TreeContext& c, double clock) {
    t.usedSystems = 0;
    auto take = [&](int system) {
        for (int k = 0; k < t.usedSystems; ++k)
            if (t.mechanisms[k].system == system) return k;
        if (t.usedSystems == int(t.mechanisms.size())) t.mechanisms.emplace_back();
        t.mechanisms[t.usedSystems].system = system;
        return t.usedSystems++;
    };
    for (IslandRope& r : t.ropes)
        if (t.mechanismOfRope[r.slot] >= 0) r.system = take(t.mechanismOfRope[r.slot]);
    for (IslandBody& b : t.bodies)
        if (t.mechanismOfBody[b.slot] >= 0) b.system = take(t.mechanismOfBody[b.slot]);
    for (int k = 0; k < t.usedSystems; ++k) {
        MechanismUnit& s = t.mechanisms[k];
        const Mechanism& system = c.m.mechanisms[s.system];
        s.store.fit(system.units.size());
        for (const Unit& u : system.units)
            if (u.rope && clock == 0) c.m.ropes[u.slot].spooled[0] = c.m.ropes[u.slot].spooled[1] = 0;
        s.m.answers = true;
        loadMechanism(s.m, s.store, c, s.system, t.h, clock);
        for (std::size_t u = 0; u < system.units.size(); ++u) {
            for (IslandRope& r : t.ropes)
                if (system.units[u].rope && r.slot == system.units[u].slot) r.unit = int(u);
            for (IslandBody& b : t.bodies)
                if (!system.units[u].rope && b.slot == system.units[u].slot) {
                    b.unit = int(u);
                    b.tree = &s.m.t.body[u];
                    b.kind = IslandBody::Kind::Jointed;
                }
        }
        for (int u = 0; u < s.m.t.units; ++u)
            if (s.m.t.unit(u, 0).rope)
                s.m.ropeOf(u).c.stiffnessMin = t.def.least * widen(c.m.ropes[s.m.t.unit(u, 0).slot].nodeMass);
    }
    const auto isFree = [](const IslandBody& b) { return b.kind == IslandBody::Kind::Free; };
    t.flyers.resize(std::size_t(std::count_if(t.bodies.begin(), t.bodies.end(), isFree)));
    std::size_t free = 0;
    for (IslandBody& b : t.bodies) {
        if (!isFree(b)) continue;
        b.tree = &t.flyers[free++];
        const Body& body = c.m.bodies[b.slot];
        const double rate = widen(body.def.damping) + widen(c.m.damping);
        loadFlyer(*b.tree, body, c.s.bodies[b.slot], rate > 0 ? exp(-rate * t.h) : 1.0);
        TreeBody<double>& to = *b.tree;
        if (!t.remembers) to.vBefore = to.LBefore = to.dBefore = to.turnBefore = {0, 0, 0};
    }
}

// Returns the fastest approach of two segments, or of a segment and a shape, that may touch within the step.
// The unit is the thinner radius per second. Approaches below `least` are skipped.
double fastestApproach(CoupledIsland& t, Threads& threads, std::span<const Vec3d> v, const State& s,
                       double dt, double least) {
    auto approach = [&](const SegmentPair& p) -> double {
        const IslandSegment &a = t.segments[p.a], &b = t.segments[p.b];
        const std::size_t i = std::size_t(a.i), j = std::size_t(a.j), k = std::size_t(b.i),
                          l = std::size_t(b.j);
        const double thin = min(a.radius, b.radius);
        const double differ = max(max(lengthSquared(v[i] - v[k]), lengthSquared(v[i] - v[l])),
                                  max(lengthSquared(v[j] - v[k]), lengthSquared(v[j] - v[l])));
        if (differ < least * least * thin * thin) return 0;
        const auto c = closest(t.current[i], t.current[j], t.current[k], t.current[l]);
        const double d = sqrt(c.distanceSquared);
        if (!(d > 0)) return 0;
        const Vec3d w = (1 - c.s) * v[i] + c.s * v[j] - (1 - c.t) * v[k] - c.t * v[l];
        const double toward = -dot(w, c.p - c.q) / d;
        return toward > 0 && d - p.D < toward * dt ? toward / thin : 0;
    };
    sumOver(t, threads, t.segmentPairs.size(), [&](std::size_t from, std::size_t to) {
        double fastest = 0;
        for (std::size_t k = from; k < to; ++k) fastest = max(fastest, approach(t.segmentPairs[k]));
        return fastest;
    });
    double most = 0;
    for (double fastest : t.sums) most = max(most, fastest);
    for (const ShapePair& p : t.shapePairs) {
        const IslandSegment& a = t.segments[p.segment];
        const std::size_t i = std::size_t(a.i), j = std::size_t(a.j);
        const IslandBody& body = t.bodies[t.shapes[p.shape].body];
        const Vec3d other =
            body.kind == IslandBody::Kind::Ground && !body.moves ? Vec3d{0, 0, 0} : s.bodies[body.slot].v;
        if (max(lengthSquared(v[i] - other), lengthSquared(v[j] - other)) <
            least * least * a.radius * a.radius)
            continue;
        Pose at;
        const Nearest c = nearestTo(t, p, body.current, t.current[i], t.current[j], at);
        const double toward = -dot((1 - c.t) * v[i] + c.t * v[j] - other, rotate(at.q, c.normal));
        if (toward > 0 && c.distance - p.D < toward * dt) most = max(most, toward / a.radius);
    }
    return most;
}

// Returns the number of substeps. No approach in a substep exceeds half of the thinner radius, so that impacts are
// accurate. That elements do not pass through each other is ensured by the step bound.
int substepsFor(CoupledIsland& t, const Model& m, Threads& threads, const State& s, double dt, int asked) {
    std::vector<Vec3d>& v = t.hint;
    double fastest = 0, thin = 1e30, shifted = 0;
    t.sums.assign(t.ropes.size(), 0);
    threads.run(int(t.ropes.size()), 1, [&](int from, int to, int) {
        for (std::size_t rope = std::size_t(from); rope < std::size_t(to); ++rope) {
            IslandRope& r = t.ropes[rope];
            const int begin = m.ropes[r.slot].begin;
            double speed = 0;
            r.shifted = 0;
            for (int k = 0; k < r.count; ++k) {
                const std::size_t i = std::size_t(r.first + k);
                const Vec3d x = widen(Vec3(s.x[begin + k])) + widen(Vec3(s.low[begin + k]));
                if (t.listGood) r.shifted = max(r.shifted, lengthSquared(x - t.current[i]));
                t.current[i] = x;
                v[i] = widen(Vec3(s.v[begin + k]));
                speed = max(speed, dot(v[i], v[i]));
            }
            t.sums[rope] = speed;
        }
    });
    for (std::size_t k = 0; k < t.ropes.size(); ++k) {
        thin = min(thin, t.ropes[k].radius);
        fastest = max(fastest, t.sums[k]);
        shifted = max(shifted, sqrt(t.ropes[k].shifted));
    }
    t.travel += 2 * shifted;
    for (const IslandBody& b : t.bodies)
        if (b.tree || b.moves) fastest = max(fastest, lengthSquared(s.bodies[b.slot].v));
    // Approach speed that `asked` substeps can resolve, in radii per second.
    const double least = 0.5 * asked / dt;
    if (t.ropes.empty() || 2 * sqrt(fastest) < least * thin) return asked;
    for (std::size_t i = 0; i < v.size(); ++i) t.goal[i] = t.current[i] + dt * v[i];
    for (IslandBody& b : t.bodies) {
        const BodyState& at = s.bodies[b.slot];
        if (b.tree || b.moves) b.now = {at.x + dt * at.v, at.q};
    }
    t.listGood = t.lasting = false;
    listPairs(t, m, threads, t.current, t.goal);
    t.listGood = false;
    t.lasting = true;
    const double most = fastestApproach(t, threads, v, s, dt, least);
    for (IslandBody& b : t.bodies) b.now = b.current;
    return std::max(asked, int(min(2 * most * dt + 1, double(std::max(t.def.substeps, asked)))));
}

} // namespace

int buildIsland(CoupledIsland& t, TreeContext& c, Threads& threads, int substeps) {
    const std::size_t n = t.x.size(), segments = t.segments.size();
    if (t.positions[0].size() != n) {
        for (std::vector<Vec3d>& column : t.positions) column.assign(n, Vec3d{0, 0, 0});
        t.start = t.current = t.positions[0];
        t.goal = t.positions[1];
        t.spare = t.positions[2];
    }
    t.hint.resize(n);
    t.together.resize(n);
    for (auto* column : {&t.mass, &t.stiff, &t.cut, &t.moved, &t.turn}) column->resize(n);
    const std::size_t unknowns = n + 2 * t.bodies.size();
    // The entries of nodes are written before they are read. Those of static bodies are only read, as these zeros.
    for (auto* column : {&t.step, &t.left, &t.off, &t.offNow, &t.offBefore, &t.xNow, &t.xBefore}) {
        column->resize(unknowns);
        std::fill(column->begin() + std::ptrdiff_t(n), column->end(), Vec3d{0, 0, 0});
    }
    t.load.resize(n);
    t.middle.resize(segments);
    t.half.resize(segments);
    t.move.resize(segments);
    t.linked = t.linked && t.linkedNodes == n && t.useBegin.size() == n + t.bodies.size() + 1;
    addTies(t, c.m, c.s);
    findStruts(t, c.m, c.s);
    return substepsFor(t, c.m, threads, c.s, c.stepTime, substeps);
}

void loadIsland(CoupledIsland& t, TreeContext& c, Threads& threads, int lanes, double h, double clock) {
    t.h = h;
    t.time.begin(t.h, 0);
    t.time.gravity = t.gravity;
    addSystems(t, c, clock);
    t.heavy = t.usedSystems > 0 || !t.flyers.empty();
    for (const IslandBody& b : t.bodies) t.heavy = t.heavy || b.moves;
    t.weight = 0;
    for (IslandRope& r : t.ropes) {
        const Rope& rope = c.m.ropes[r.slot];
        t.weight += double(rope.nodeMass) * rope.count * length(t.gravity) * t.h * t.h;
        const double finer = t.def.carriedTime / t.h, carried = t.def.carried * min(1 / finer, finer * finer);
        const bool loaded = rope.totalMass > 2 * rope.nodeMass * float(rope.count);
        r.carries = loaded ? carried * widen(rope.totalMass) / rope.count : 0;
        t.heavy = t.heavy || loaded;
    }
    t.still = t.heavy ? t.def.heavyStill : t.def.still;
    t.answers = t.heavy ? t.def.heavyAnswers : t.def.answers;
    for (const IslandRope& r : t.ropes) {
        const Rope& rope = c.m.ropes[r.slot];
        if (r.system >= 0 || !tooStiff(t, r, rope)) continue;
        t.still = min(t.still, max(t.def.stiffStill * widen(rope.def.material.friction), t.def.stillest));
        t.answers = std::max(t.answers, t.def.stiffAnswers);
    }
    addGroups(t, c.m, c.s, threads, lanes);
}

} // namespace capstan
