// SPDX-License-Identifier: MIT
// Lists the objects near cloth, and moves ropes in the substeps of cloth. See pairs.hpp.
//
// In the substeps of cloth a rope follows the path of its own solve, plus a deviation by cloth. Its segments keep the
// lengths that they have on that path. Gauss-Seidel sweeps in both directions restore these lengths. The rope's own
// solve in the next step includes the predicted force of cloth, as for bodies (bodies.hpp). So the tension of the
// rope includes that force.
#include "collision/geometry/closest.hpp"
#include "solver/cloth/contact/pairs.hpp"
#include "solver/rope/measure.hpp"

#include <algorithm>

namespace capstan {

namespace {

// Segments of one rope whose indices differ by less than this do not collide with each other. Such segments form no
// loop that could hold another object. When they were kept apart, an impact that crumples a rope was hindered, and
// the rope passed through the sheet.
constexpr int kNeighbours = 4;

Vec3d positionOnRope(const std::vector<Point>& x, int i) { return widen(Vec3(x[i])); }
Point pointOnRope(Vec3d at, float w) {
    const Vec3 p = narrow(at);
    return {p.x, p.y, p.z, w};
}

// Returns bounds of a sheet's positions in the next two steps of dt seconds, at constant velocity.
Bounds wayOf(const ClothState& s, int count, double dt) {
    Bounds box;
    for (int i = 0; i < count; ++i) {
        const Vec3d x = positionOnRope(s.x, i), v = widen(Vec3(s.v[i]));
        box.add(x);
        box.add(x + (2 * dt) * v);
    }
    return box;
}
// Returns bounds of a rope's positions during the step.
Bounds wayOf(const Rope& r, const State& s, const std::vector<Vec3d>& from) {
    Bounds box;
    for (int k = 0; k < r.count; ++k) {
        box.add(from[k]);
        box.add(nodePosition(r, s, k));
    }
    return box;
}

void addCloth(ClothContactWorkspace& w, const Model& m, const State& s, int slot, double dt, bool bodies) {
    const Cloth& c = m.cloths[slot];
    ClothContactObject t;
    t.cloth = slot;
    t.count = c.count;
    t.half = 0.5f * c.def.thickness;
    t.friction = c.def.material.friction;
    t.self = c.def.selfContact;
    t.way = wayOf(s.cloths[slot], c.count, dt);
    // A body can drag a pinned sheet. Then its vertices move farther than their velocities predict.
    t.way.grow(double(c.def.thickness) + (bodies ? 0.1 : 0.02) + 20 * dt * dt);
    w.things.push_back(t);
}

void addPieces(ClothContactWorkspace& w, const Model& m, ClothContactObject& t) {
    t.firstPiece = int(w.pieces.size());
    const std::int32_t thing = std::int32_t(&t - w.things.data());
    if (t.cloth >= 0) {
        const Cloth& c = m.cloths[t.cloth];
        for (std::size_t k = 0; k < c.triangles.size(); ++k) {
            const auto& v = c.triangles[k];
            w.pieces.push_back({{t.begin + v[0], t.begin + v[1], t.begin + v[2]}, thing, true, c.owns[k]});
        }
    } else {
        const Rope& r = m.ropes[t.rope];
        for (int k = 0; k < r.segments(); ++k) {
            const std::int32_t a = t.begin + k, b = t.begin + (k + 1) % r.count;
            const bool end = !r.def.closed && k + 1 == r.segments();
            w.pieces.push_back({{a, b, b}, thing, false, std::uint8_t(8 | 1 | (end ? 2 : 0))});
        }
    }
    t.pieces = int(w.pieces.size()) - t.firstPiece;
}

} // namespace

namespace {

// Returns true if a cloth is attached to this rope.
bool carries(const Model& m, int rope) {
    for (const Cloth& c : m.cloths)
        for (const ClothPin& pin : c.pins)
            if (c.alive && !c.frozen && pin.rope == rope) return true;
    return false;
}

} // namespace

void startBodyCoupling(ClothContactWorkspace& w, Model& m, State& s) {
    w.ropeStart.resize(m.ropes.size());
    for (std::size_t i = 0; i < m.ropes.size(); ++i) {
        Rope& r = m.ropes[i];
        w.ropeStart[i].clear();
        if (!r.alive || r.frozen) continue;
        for (int k = 0; k < r.count; ++k) w.ropeStart[i].push_back(nodePosition(r, s, k));
        if (r.couplingForce.size() != std::size_t(r.count)) r.couplingForce.clear();
        if (r.couplingForce.empty()) continue;
        s.force.resize(s.x.size());
        for (int k = 0; k < r.count; ++k) {
            Point& f = s.force[r.begin + k];
            f = pointOnRope(widen(Vec3(f)) + r.couplingForce[k], 0);
        }
        r.forced = true;
    }
    for (std::size_t i = 0; i < m.bodies.size(); ++i) {
        if (!m.bodies[i].alive || !m.bodies[i].dynamic()) continue;
        s.bodies[i].force += m.bodies[i].couplingForce;
        s.bodies[i].torque += m.bodies[i].twist;
    }
    addClothMass(w.attachments, m, s);
}

void findContactObjects(ClothContactWorkspace& w, const Model& m, const State& s, const StepDef& d,
                        bool touch) {
    const double dt = double(d.dt);
    w.things.clear();
    w.ropes.clear();
    w.pieces.clear();
    w.listed = false;
    w.truncated = w.pushed = 0;
    for (std::size_t i = 0; i < m.cloths.size(); ++i)
        if (m.cloths[i].alive && !m.cloths[i].frozen) addCloth(w, m, s, int(i), dt, !m.bodies.empty());
    const std::size_t cloths = w.things.size();
    for (std::size_t i = 0; i < m.ropes.size(); ++i) {
        const Rope& r = m.ropes[i];
        if (!r.alive || r.frozen || w.ropeStart[i].size() != std::size_t(r.count)) continue;
        ClothContactObject t;
        t.rope = int(i);
        t.count = r.count;
        t.half = r.def.radius;
        t.friction = r.def.material.friction;
        t.way = wayOf(r, s, w.ropeStart[i]);
        t.way.grow(double(r.def.radius));
        bool near = !r.couplingForce.empty() || carries(m, int(i));
        for (std::size_t k = 0; touch && k < cloths; ++k) near = near || t.way.meets(w.things[k].way);
        if (near) w.things.push_back(t);
    }
    for (ClothContactObject& a : w.things)
        if (!touch) a.self = false;
    for (ClothContactObject& a : w.things)
        for (ClothContactObject& b : w.things)
            if (touch && &a != &b && a.way.meets(b.way) && touchEachOther(m, a, b)) a.meets = b.meets = true;
    int points = 0;
    w.firstNode = 0;
    for (ClothContactObject& t : w.things) {
        t.begin = points;
        points += t.count;
        if (t.cloth >= 0) w.firstNode = points;
        if (t.rope >= 0) w.ropes.push_back({int(&t - w.things.data()), false});
        addPieces(w, m, t);
    }
    w.x.resize(std::size_t(points));
    w.before.resize(std::size_t(points));
    w.nodes.assign(std::size_t(points - w.firstNode), ClothNode{});
    for (ClothRope& rope : w.ropes) {
        const ClothContactObject& t = w.things[rope.thing];
        const Rope& r = m.ropes[t.rope];
        for (int k = 0; k < t.count; ++k) {
            ClothNode& node = w.nodes[t.begin - w.firstNode + k];
            node.from = w.ropeStart[t.rope][k];
            node.to = nodePosition(r, s, k);
            if (!r.couplingForce.empty()) {
                node.expected = r.couplingForce[k];
                rope.moved = true;
            }
        }
    }
}

bool hasContactPairs(const ClothContactWorkspace& w) {
    for (const ClothContactObject& t : w.things)
        if (t.self || t.meets || t.rope >= 0) return true;
    return false;
}

namespace {

// Restores the segment lengths of a rope that deviates from its path.
void keepLengths(ClothContactWorkspace& w, const Model& m, const ClothContactObject& t, double end) {
    const Rope& r = m.ropes[t.rope];
    const auto node = [&](int k) -> ClothNode& { return w.nodes[t.begin - w.firstNode + k % t.count]; };
    const auto weight = [&](int k) { return double(w.x[t.begin + k % t.count].w); };
    const auto segment = [&](int k) {
        ClothNode &a = node(k), &b = node(k + 1);
        const double rest = length((b.from - a.from) + end * ((b.to - b.from) - (a.to - a.from)));
        const Vec3d d = b.aim - a.aim;
        const double l = length(d), wa = weight(k), wb = weight(k + 1);
        if (!(l > 0) || !(wa + wb > 0)) return;
        const Vec3d pull = ((l - rest) / (l * (wa + wb))) * d;
        a.aim = a.aim + wa * pull;
        b.aim = b.aim - wb * pull;
    };
    constexpr int kRopeIterations = 4;
    for (int sweep = 0; sweep < kRopeIterations; ++sweep) {
        for (int k = 0; k < r.segments(); ++k) segment(k);
        for (int k = r.segments() - 1; k >= 0; --k) segment(k);
    }
}

} // namespace

void loadContactPoints(ClothContactWorkspace& w, const State& s) {
    for (const ClothContactObject& t : w.things) {
        if (t.cloth >= 0) {
            const ClothState& from = s.cloths[t.cloth];
            std::copy_n(from.before.begin(), t.count, w.before.begin() + t.begin);
            std::copy_n(from.x.begin(), t.count, w.x.begin() + t.begin);
        }
    }
}

void aimRopes(ClothContactWorkspace& w, const Model& m, const State& s, const StepDef& d, int k) {
    const double begin = double(k) / d.substeps, end = double(k + 1) / d.substeps, h = double(d.h());
    for (const ClothRope& rope : w.ropes) {
        const ClothContactObject& t = w.things[rope.thing];
        const Rope& r = m.ropes[t.rope];
        for (int i = 0; i < t.count; ++i) {
            ClothNode& n = w.nodes[t.begin - w.firstNode + i];
            const float weight = s.x[r.begin + i].w;
            n.velocity = n.velocity - (h * double(weight)) * n.expected;
            n.aim = n.from + end * (n.to - n.from) + n.off + h * n.velocity;
            w.before[t.begin + i] = pointOnRope(n.from + begin * (n.to - n.from) + n.off, weight);
            w.x[t.begin + i] = pointOnRope(n.aim, weight);
        }
        if (!rope.moved) continue;
        keepLengths(w, m, t, end);
        for (int i = 0; i < t.count; ++i) {
            ClothNode& n = w.nodes[t.begin - w.firstNode + i];
            const Vec3d plain = n.from + end * (n.to - n.from) + n.off + h * n.velocity;
            n.velocity = n.velocity + (1 / h) * (n.aim - plain);
            Point& x = w.x[t.begin + i];
            x = pointOnRope(n.aim, x.w);
        }
    }
}

void reloadContactPoints(ClothContactWorkspace& w, const State& s) {
    for (const ClothContactObject& t : w.things)
        if (t.cloth >= 0) std::copy_n(s.cloths[t.cloth].x.begin(), t.count, w.x.begin() + t.begin);
}

void storeContactPoints(ClothContactWorkspace& w, State& s, const StepDef& d, bool ends) {
    for (const ClothContactObject& t : w.things)
        if (t.cloth >= 0) std::copy_n(w.x.begin() + t.begin, t.count, s.cloths[t.cloth].x.begin());
    if (!ends) return;
    const double h = double(d.h());
    for (ClothRope& rope : w.ropes) {
        const ClothContactObject& t = w.things[rope.thing];
        for (int i = 0; i < t.count; ++i) {
            ClothNode& n = w.nodes[t.begin - w.firstNode + i];
            const Point& x = w.x[t.begin + i];
            if (!(x.w > 0)) continue;
            // The comparison is in floats, so that a node without contact stays exactly on its path.
            const Vec3d by = widen(Vec3(x)) - widen(narrow(n.aim));
            n.off = n.off + h * n.velocity + by;
            if (!(lengthSquared(by) > 0)) continue;
            n.velocity = n.velocity + (1 / h) * by;
            n.sum = n.sum + (1 / (h * double(x.w))) * by;
            rope.moved = true;
        }
    }
}

namespace {

// Returns the fraction of their deviations by which all ropes may move at once. With this fraction no two segments
// approach by more than 0.9 of their distance, so ropes do not pass through each other.
double safeShare(const ClothContactWorkspace& w, const Model& m, const State& s) {
    std::vector<Vec3d> off(s.x.size(), Vec3d{0, 0, 0});
    double farthest = 0, share = 1;
    for (const ClothRope& rope : w.ropes) {
        const ClothContactObject& t = w.things[rope.thing];
        for (int i = 0; rope.moved && i < t.count; ++i) {
            const Vec3d by = w.nodes[t.begin - w.firstNode + i].off;
            off[m.ropes[t.rope].begin + i] = by;
            farthest = max(farthest, length(by));
        }
    }
    const auto look = [&](const Rope& r, const Rope& o, int k, int j) {
        const auto near = closest(nodePosition(r, s, k), nodePosition(r, s, k + 1), nodePosition(o, s, j),
                                  nodePosition(o, s, j + 1));
        const double d = sqrt(near.distanceSquared);
        const Vec3d n = normalize(near.p - near.q);
        double nearer = 0; // largest approach of the two segments along n
        for (int a : {k, k + 1})
            for (int b : {j, j + 1})
                nearer = max(nearer, dot(n, off[o.begin + b % o.count] - off[r.begin + a % r.count]));
        if (nearer > 0.9 * d) share = min(share, 0.9 * d / nearer);
    };
    for (const ClothRope& rope : w.ropes) {
        const ClothContactObject& t = w.things[rope.thing];
        const Rope& r = m.ropes[t.rope];
        for (int k = 0; rope.moved && k < r.segments(); ++k) {
            Bounds box;
            box.add(nodePosition(r, s, k));
            box.add(nodePosition(r, s, k + 1));
            box.grow(3 * farthest);
            for (const Rope& o : m.ropes)
                for (int j = 0; o.alive && j < o.segments(); ++j) {
                    const int gap = k > j ? k - j : j - k;
                    if (&o == &r && (gap < kNeighbours || (r.def.closed && gap > r.segments() - kNeighbours)))
                        continue;
                    Bounds other;
                    other.add(nodePosition(o, s, j));
                    other.add(nodePosition(o, s, j + 1));
                    if (box.meets(other)) look(r, o, k, j);
                }
        }
    }
    return share;
}

} // namespace

void endContactObjects(ClothContactWorkspace& w, Model& m, State& s, const StepDef& d) {
    const double share = safeShare(w, m, s);
    for (const ClothRope& rope : w.ropes) {
        if (!rope.moved) continue;
        const ClothContactObject& t = w.things[rope.thing];
        Rope& r = m.ropes[t.rope];
        r.couplingForce.resize(std::size_t(r.count), Vec3d{0, 0, 0});
        double pressed = 0;
        for (int i = 0; i < t.count; ++i) {
            const ClothNode& n = w.nodes[t.begin - w.firstNode + i];
            const std::size_t p = std::size_t(r.begin + i);
            const double odd = dot(n.off, n.off) + dot(n.velocity, n.velocity) + dot(n.sum, n.sum);
            if (!(s.x[p].w > 0) || !(odd - odd == 0)) continue;
            const Vec3d position = nodePosition(r, s, i) + share * n.off;
            s.x[p] = pointOnRope(position, s.x[p].w);
            if (r.chain()) s.low[p] = pointOnRope(position - widen(Vec3(s.x[p])), 0);
            s.v[p] = pointOnRope(widen(Vec3(s.v[p])) + n.velocity, s.v[p].w);
            Vec3d& coupling = r.couplingForce[i];
            coupling = expectedAfter(coupling, (1 / double(d.dt)) * n.sum);
            pressed = max(pressed, length(coupling) * double(s.x[p].w) * double(d.dt));
        }
        r.history = false;
        if (!(pressed > 1e-6)) r.couplingForce.clear(); // m/s: a vanishing load is set to 0
    }
}

} // namespace capstan
