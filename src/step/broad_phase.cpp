// SPDX-License-Identifier: MIT
// The broad phase of a step: pairs of objects that may come into contact, and the islands they form. See
// substep.hpp.
//
// Every rope and body gets a bounding box of its motion in the step. The box encloses its motion at its
// present velocity, with a margin for the fastest object that may hit it. Objects whose boxes overlap are
// solved together, substep by substep. The remaining objects are solved by their own, faster solvers.
// Afterwards stayedInBounds() checks whether they stayed in their boxes.
#include "solver/coupled/substep.hpp"

#include <algorithm>

namespace capstan {
namespace {

Vec3d at(const State& s, int p) { return widen(Vec3(s.x[p])) + widen(Vec3(s.low[p])); }

void measureThing(BroadPhaseProxy& a, const Rope& r, const State& s, double fall, double dt) {
    double fastest = 0;
    for (int k = r.begin; k < r.begin + r.count; ++k) {
        const Vec3d x = at(s, k), v = widen(Vec3(s.v[k]));
        a.box.add(x);
        a.box.add(x + dt * v);
        fastest = max(fastest, dot(v, v));
    }
    a.box.grow(widen(r.def.radius));
    double pull = 0;
    for (int k = r.begin; r.forced && k < r.begin + r.count; ++k) pull += length(widen(Vec3(s.force[k])));
    a.speed = sqrt(fastest) + fall + pull / widen(r.totalMass) * dt;
    a.wide = 2 * widen(r.def.radius);
}

void addProxies(ContactWorkspace& w, const Model& m, const State& s, Threads& threads, Vec3d gravity,
                double dt) {
    w.proxies.clear();
    const double fall = length(gravity) * dt;
    for (int i = 0; i < int(m.ropes.size()); ++i)
        if (const Rope& r = m.ropes[i]; r.alive && !r.frozen) w.proxies.emplace_back().rope = i;
    threads.run(int(w.proxies.size()), 1, [&](int from, int to, int) {
        for (int i = from; i < to; ++i) {
            BroadPhaseProxy& a = w.proxies[i];
            measureThing(a, m.ropes[a.rope], s, fall, dt);
        }
    });
    for (int i = 0; i < int(m.bodies.size()); ++i) {
        const Body& b = m.bodies[i];
        if (!b.alive || b.frozen || b.shapes.empty()) continue;
        const BodyState& state = s.bodies[i];
        BroadPhaseProxy a;
        a.body = i;
        a.ground = !b.dynamic();
        const Pose now = {state.x, state.q};
        Vec3d angularVelocity = state.L;
        if (b.dynamic()) {
            const Vec3d l = rotate(conjugate(state.q), state.L);
            angularVelocity = rotate(state.q, {l.x / b.inertia.x, l.y / b.inertia.y, l.z / b.inertia.z});
        }
        const bool still = a.ground && !b.hasTarget;
        const Pose then =
            still ? now : Pose{state.x + dt * state.v, integrate(state.q, dt * angularVelocity)};
        double size = 0;
        for (const Shape& shape : b.shapes) {
            const Pose local = from(b.principal, shape.at);
            const Bounds x = boundsOf(shape, now * local), y = boundsOf(shape, then * local);
            a.box.add(x.min);
            a.box.add(x.max);
            a.box.add(y.min);
            a.box.add(y.max);
            size = max(size, length(x.max - x.min));
        }
        a.speed = still ? 0
                        : length(state.v) + (size < 1e6 ? length(angularVelocity) * size : 0.0) +
                              (b.dynamic() ? fall : 0.0);
        a.wide = a.ground ? 0 : 0.01;
        w.proxies.push_back(a);
    }
}

int leaderOf(std::vector<BroadPhaseProxy>& proxies, int i) {
    while (proxies[i].islandKey != i) {
        int& up = proxies[i].islandKey;
        up = proxies[up].islandKey;
        i = up;
    }
    return i;
}
void unite(std::vector<BroadPhaseProxy>& proxies, int a, int b) {
    a = leaderOf(proxies, a);
    b = leaderOf(proxies, b);
    if (a != b) proxies[std::max(a, b)].islandKey = std::min(a, b);
}

// Returns whether a rope without other contact may touch itself in the step. It may not if no part bends
// much, and parts that are far apart along it stay apart. For that, their distance must exceed the distance
// that their relative velocity can close.
bool meetsItself(const Rope& r, const State& s, double dt) {
    if (!r.def.selfContact || r.count < 4) return false;
    constexpr int kPart = 8;
    const double radius = widen(r.def.radius), l = widen(r.segmentLength);
    const double bend = min(0.5, 0.5 * l / radius), cosine = 1 - 0.5 * bend * bend;
    const int parts = (r.count + kPart - 1) / kPart;
    auto node = [&](int k) { return r.begin + k % r.count; };
    auto later = [&](int k) { return at(s, node(k)) + dt * widen(Vec3(s.v[node(k)])); };
    const int last = r.def.closed ? r.count : r.count - 2;
    for (int k = 0; k < last; ++k) {
        const Vec3d a = at(s, node(k)), b = at(s, node(k + 1)), c = at(s, node(k + 2));
        const Vec3d u = b - a, v = c - b, x = later(k + 1) - later(k), y = later(k + 2) - later(k + 1);
        if (dot(u, v) < cosine * sqrt(dot(u, u) * dot(v, v)) ||
            dot(x, y) < cosine * sqrt(dot(x, x) * dot(y, y)))
            return true;
    }
    struct Part {
        Vec3d x = {0, 0, 0}, v = {0, 0, 0};
        double size = 0, speed = 0;
    };
    static thread_local std::vector<Part> part;
    part.assign(std::size_t(parts), {});
    for (int p = 0; p < parts; ++p) {
        Part& a = part[p];
        const int from = p * kPart,
                  to = std::min(from + kPart + 1, r.def.closed ? from + kPart + 1 : r.count);
        const double share = 1.0 / (to - from);
        for (int k = from; k < to; ++k) {
            a.x = a.x + share * at(s, node(k));
            a.v = a.v + share * widen(Vec3(s.v[node(k)]));
        }
        for (int k = from; k < to; ++k) {
            a.size = max(a.size, length(at(s, node(k)) - a.x));
            a.speed = max(a.speed, length(widen(Vec3(s.v[node(k)])) - a.v));
        }
    }
    for (int a = 0; a < parts; ++a)
        for (int b = a + 2; b < parts; ++b) {
            if (r.def.closed && a == 0 && b == parts - 1) continue;
            const Part &p = part[a], &q = part[b];
            const double room = length(p.x - q.x) - p.size - q.size - 4 * radius;
            if (room < 1.5 * dt * (length(p.v - q.v) + p.speed + q.speed)) return true;
        }
    return false;
}

bool filtersAgree(const Model& m, const BroadPhaseProxy& a, const BroadPhaseProxy& b) {
    auto filter = [&](const BroadPhaseProxy& t) -> const FilterDef& {
        return t.rope >= 0 ? m.ropes[t.rope].def.filter : m.bodies[t.body].def.filter;
    };
    return mayTouch(filter(a), filter(b));
}

// Returns whether a rope comes near a body anywhere but at the nodes where it is tied to that body.
bool nearBesideTies(const Model& m, const State& s, int rope, const BroadPhaseProxy& body,
                    std::span<const RopeTie> ties, double wide, double dt) {
    const Rope& r = m.ropes[rope];
    Bounds box = body.box;
    box.grow(wide + widen(r.def.radius));
    for (int k = 0; k < r.segments(); ++k) {
        const auto atTie = [&](const RopeTie& tie) { return tie.node >= k - 1 && tie.node <= k + 2; };
        if (std::any_of(ties.begin(), ties.end(), atTie)) continue;
        Bounds b;
        for (int node : {r.begin + k, r.begin + (k + 1) % r.count}) {
            const Vec3d x = at(s, node);
            b.add(x);
            b.add(x + dt * widen(Vec3(s.v[node])));
        }
        if (b.meets(box)) return true;
    }
    return false;
}

bool nearPlane(const Body& b, const BodyState& at, const Bounds& box) {
    for (const Shape& shape : b.shapes) {
        if (shape.kind != ShapeKind::Plane) return true; // a compound shape: its overlapping box is enough
        const Pose p = Pose{at.x, at.q} * from(b.principal, shape.at);
        const Vec3d n = rotate(p.q, {0, 1, 0});
        const Vec3d low = {n.x > 0 ? box.min.x : box.max.x, n.y > 0 ? box.min.y : box.max.y,
                           n.z > 0 ? box.min.z : box.max.z};
        if (dot(n, low - p.x) <= 0) return true;
    }
    return false;
}

void meet(ContactWorkspace& w, Model& m, const State& s, double dt, int a, int b) {
    BroadPhaseProxy &x = w.proxies[a], &y = w.proxies[b];
    if (x.ground && y.ground) return;
    if (!filtersAgree(m, x, y)) return;
    if (x.body >= 0 && y.body >= 0 && w.exemptions.joined(x.body, y.body)) return;
    for (const BroadPhaseProxy* t : {&x, &y}) {
        const BroadPhaseProxy& other = t == &x ? y : x;
        if (t->ground && !nearPlane(m.bodies[t->body], s.bodies[t->body], w.boxes[t == &x ? b : a])) return;
        if (t->body >= 0 && other.rope >= 0 &&
            !nearBesideTies(m, s, other.rope, *t, w.exemptions.ties(other.rope, t->body), x.wide + y.wide,
                            dt))
            return;
    }
    if (!x.ground) x.contacts = true;
    if (!y.ground) y.contacts = true;
    if (!x.ground && !y.ground) unite(w.proxies, a, b);
}

void uniteMechanisms(ContactWorkspace& w, const Model& m) {
    std::vector<int>&ofRope = w.ofRope, &ofBody = w.ofBody;
    ofRope.assign(m.ropes.size(), -1);
    ofBody.assign(m.bodies.size(), -1);
    for (int i = 0; i < int(w.proxies.size()); ++i) {
        const BroadPhaseProxy& t = w.proxies[i];
        (t.rope >= 0 ? ofRope[t.rope] : ofBody[t.body]) = i;
    }
    for (const Mechanism& mechanism : m.mechanisms) {
        int first = -1;
        for (const Unit& u : mechanism.units) {
            const int i = (u.rope ? ofRope : ofBody)[u.slot];
            if (i < 0) continue;
            if (first >= 0) unite(w.proxies, first, i);
            first = i;
        }
    }
}

} // namespace

bool findIslands(ContactWorkspace& w, Model& m, const State& s, Threads& threads, Vec3d gravity, double dt) {
    w.exemptions.list(m);
    addProxies(w, m, s, threads, gravity, dt);
    const int count = int(w.proxies.size());
    w.widen.resize(std::size_t(count), 0.0);
    w.forced.resize(std::size_t(count), 0);
    for (int iteration = 0; iteration < 4; ++iteration) {
        w.boxes.clear();
        for (int i = 0; i < count; ++i) {
            BroadPhaseProxy& t = w.proxies[i];
            t.islandKey = i;
            t.contacts = false;
            if (iteration == 0 && !t.ground) t.wide += 0.5 * dt * t.speed + w.widen[i];
            Bounds b = t.box;
            b.grow(t.wide);
            w.boxes.push_back(b);
        }
        uniteMechanisms(w, m);
        w.overlaps.find(w.boxes, w.pairs);
        for (const IndexPair& p : w.pairs) meet(w, m, s, dt, p.a, p.b);
        // Each object of an island may become as fast as the island's fastest object.
        bool grown = false;
        std::vector<double>& fastest = w.fastest;
        fastest.assign(std::size_t(count), 0.0);
        for (int i = 0; i < count; ++i) {
            double& f = fastest[leaderOf(w.proxies, i)];
            f = max(f, w.proxies[i].speed);
        }
        for (int i = 0; i < count; ++i) {
            BroadPhaseProxy& t = w.proxies[i];
            if (t.ground || !t.contacts) continue;
            const double need = 1.5 * dt * fastest[leaderOf(w.proxies, i)];
            if (t.wide < need) {
                t.wide = need;
                grown = true;
            }
        }
        if (!grown) break;
    }
    for (int i = 0; i < count; ++i) {
        BroadPhaseProxy& t = w.proxies[i];
        if (!t.contacts && t.rope >= 0) t.contacts = meetsItself(m.ropes[t.rope], s, dt);
        if (!t.ground && w.forced[i]) t.contacts = true;
    }
    // An island is in contact if one of its objects is in contact.
    for (int i = 0; i < count; ++i)
        if (w.proxies[i].contacts) w.proxies[leaderOf(w.proxies, i)].contacts = true;
    bool changed = false;
    w.apart = 0;
    auto mark = [&](bool& flag, bool now) {
        changed = changed || flag != now;
        flag = now;
    };
    for (int i = 0; i < count; ++i) {
        BroadPhaseProxy& t = w.proxies[i];
        t.islandKey = leaderOf(w.proxies, i);
        t.contacts = !t.ground && w.proxies[t.islandKey].contacts;
        w.apart += !t.ground && !t.contacts;
        mark(t.rope >= 0 ? m.ropes[t.rope].inContact : m.bodies[t.body].inContact, t.contacts);
    }
    return changed;
}

bool clearIslands(Model& m) {
    bool any = false;
    for (Rope& r : m.ropes) {
        any = any || r.inContact;
        r.inContact = false;
    }
    for (Body& b : m.bodies) {
        any = any || b.inContact;
        b.inContact = false;
    }
    return any;
}

void checkpoint(ContactWorkspace& w, const Model& m, const State& s) {
    w.before.copyRopesAndBodies(s);
    w.flags.clear();
    for (const Rope& r : m.ropes)
        w.flags.push_back(
            {r.history, r.frozen, r.hBefore, r.hFirst, r.stretch, r.strain, {r.spooled[0], r.spooled[1]}});
}

void rollback(ContactWorkspace& w, Model& m, State& s) {
    s.copyRopesAndBodies(w.before);
    for (std::size_t i = 0; i < m.ropes.size(); ++i) {
        Rope& r = m.ropes[i];
        const ContactWorkspace::RopeFlags& f = w.flags[i];
        r.history = f.history;
        r.frozen = f.frozen;
        r.hBefore = f.hBefore;
        r.hFirst = f.hFirst;
        r.stretch = f.stretch;
        r.strain = f.strain;
        r.spooled[0] = f.spooled[0];
        r.spooled[1] = f.spooled[1];
    }
}

bool stayedInBounds(ContactWorkspace& w, const Model& m, const State& s, bool final) {
    bool good = true;
    for (std::size_t i = 0; i < w.proxies.size(); ++i) {
        const BroadPhaseProxy& t = w.proxies[i];
        if (t.ground || t.contacts) continue;
        Bounds now, room = t.box;
        room.grow(t.wide);
        if (t.rope >= 0) {
            const Rope& r = m.ropes[t.rope];
            for (int k = r.begin; k < r.begin + r.count; ++k) now.add(at(s, k));
            now.grow(widen(r.def.radius));
            if (meetsItself(r, s, 0)) {
                w.forced[i] = 1;
                good = false;
            }
        } else {
            const Body& b = m.bodies[t.body];
            const BodyState& state = s.bodies[t.body];
            for (const Shape& shape : b.shapes) {
                const Bounds x = boundsOf(shape, Pose{state.x, state.q} * from(b.principal, shape.at));
                now.add(x.min);
                now.add(x.max);
            }
        }
        const Vec3d low = room.min - now.min, high = now.max - room.max;
        const double out = max(max(max(low.x, low.y), low.z), max(max(high.x, high.y), high.z));
        if (out > 0 && out < 1e30) {
            w.widen[i] += 2 * out;
            good = false;
        }
    }
    if (!good && final) w.forced.assign(w.proxies.size(), 1);
    return good;
}

} // namespace capstan
