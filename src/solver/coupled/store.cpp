// SPDX-License-Identifier: MIT
// The coupled solver: copies positions and velocities back into the State, and stores contacts for the next
// step. See island.hpp.
#include "solver/coupled/rows.hpp"

namespace capstan {
namespace {

State partOf(State& s, const Rope& r) {
    State part;
    part.resize(r.count + 1);
    for (int k = 0; k <= r.count; ++k) part.copyPoint(k, s, r.begin + k);
    return part;
}
void rollback(State& s, const Rope& r, State& part) {
    for (int k = 0; k <= r.count; ++k) {
        s.copyPoint(r.begin + k, part, k);
        s.v[r.begin + k] = {0, 0, 0, s.v[r.begin + k].w};
    }
}

template <class W> void storeGroup(const CoupledIsland& t, RopeUnits<W>& g, Model& m, State& s) {
    MaskOf<W> good = W(0.0) < W(1.0);
    for (int k = 0; k < g.ropes; ++k) {
        Rope& r = m.ropes[g.slot[k]];
        for (int i = 0; i < r.count; ++i)
            r.frozen = r.frozen || !finite(lane(g.c.node[i].position, k) + lane(g.c.past[i].v, k));
    }
    // A rope with a value that is not finite returns to its stored positions.
    std::vector<State> kept;
    for (int k = 0; k < g.ropes; ++k)
        if (const Rope& r = m.ropes[g.slot[k]]; r.frozen) kept.push_back(partOf(s, r));
    const ChainLength<W> l = chainStore(g.c, s, good);
    for (int k = 0, next = 0; k < g.ropes; ++k)
        if (const Rope& r = m.ropes[g.slot[k]]; r.frozen) rollback(s, r, kept[next++]);
    const W strain = l.off * g.c.invReach;
    for (int k = 0; k < g.ropes; ++k) {
        Rope& r = m.ropes[g.slot[k]];
        r.stretch = float(lane(l.arc, k) / lane(l.rest, k) - 1);
        r.strain = float(lane(strain, k));
        r.history = t.remembered > 0 && !r.frozen;
        r.hBefore = t.remembered;
    }
}

} // namespace

void storeAll(CoupledIsland& t, TreeContext& c, Threads& threads, bool ends) {
    eachGroupAtOnce(t, threads, [&](auto& g) {
        endIfDue(t, g);
        storeGroup(t, g, c.m, c.s);
    });
    t.ending = false;
    for (const IslandRope& r : t.ropes) c.m.changed = c.m.changed || c.m.ropes[r.slot].frozen;
    for (int k = 0; k < t.usedSystems; ++k) storeMechanism(t.mechanisms[k].m, c, true, t.remembered > 0);
    for (const IslandBody& b : t.bodies) {
        BodyState& to = c.s.bodies[b.slot];
        if (b.kind == IslandBody::Kind::Free) {
            if (!finite(b.tree->position + b.tree->v + b.tree->L)) {
                c.m.bodies[b.slot].frozen = true;
                c.m.changed = true;
                to.v = to.L = {0, 0, 0};
                continue;
            }
            to.x = b.tree->position;
            to.q = b.tree->turn;
            to.v = b.tree->v;
            to.L = b.tree->L;
            to.history = t.remembered > 0;
            if (!to.history) continue;
            to.vBefore = b.tree->vBefore;
            to.LBefore = b.tree->LBefore;
            to.dBefore = b.tree->dBefore;
            to.turnBefore = b.tree->turnBefore;
            to.hBefore = t.remembered;
        } else if (b.moves && ends) {
            // A kinematic body that was blocked continues towards its target in the next step.
            Body& body = c.m.bodies[b.slot];
            body.blocked = length(b.current.x - body.target.x) > 1e-9 ||
                           length(log(normalize(body.target.q * conjugate(b.current.q)))) > 1e-9;
            if (body.blocked) {
                to.x = b.current.x;
                to.q = b.current.q;
            }
        }
    }
}

namespace {

// Returns the distance of the two sides of a rope's row, in units of the distance of contact D. Neighbours
// along one rope are always nearer than D and count as 1.
double distanceOf(const CoupledIsland& t, const ContactRow& r) {
    auto x = [&](const RowEnd& e, int k) { return t.x[k == 0 ? e.i : e.j]; };
    if (r.shape) {
        Pose at;
        return nearestTo(t, r.pair, t.bodies[r.end[1].body].now, x(r.end[0], 0), x(r.end[0], 1), at)
                   .distance /
               r.D;
    }
    if ((r.a >> 32) == (r.b >> 32))
        for (const IslandRope& rope : t.ropes)
            if (rope.slot == int(r.a >> 32) && r.D < 0.999 * 2 * rope.radius) return 1;
    return sqrt(closest(x(r.end[0], 0), x(r.end[0], 1), x(r.end[1], 0), x(r.end[1], 1)).distanceSquared) /
           r.D;
}

} // namespace

void storeContacts(CoupledIsland& t, Threads& threads, std::vector<StoredContact>& to) {
    const double perH2 = 1 / t.unit;
    for (int k = 0; k < int(t.x.size()); ++k) t.x[k] = t.current[k];
    for (IslandBody& b : t.bodies) {
        b.now = b.current;
        b.R = toMat3(b.current.q);
    }
    t.sums.assign(t.rows.size(), 1);
    t.presses.resize(t.rows.size());
    threads.run(int(t.rows.size()), 64, [&](int from, int end, int) {
        for (std::size_t k = std::size_t(from); k < std::size_t(end); ++k) {
            ContactRow& r = t.rows[k];
            t.presses[k] = r.ln > 0 || r.inside || r.slow;
            if (r.end[0].body >= 0) continue;
            relinearize(t, r);
            t.sums[k] = distanceOf(t, r);
        }
    });
    for (double distance : t.sums) t.nearest = min(t.nearest, distance);
    t.needed.clear();
    for (std::size_t k = 0; k < t.rows.size(); ++k)
        if (t.presses[k]) t.needed.push_back(int(k));
    const std::size_t before = to.size();
    to.resize(before + t.needed.size());
    threads.run(int(t.needed.size()), 64, [&](int from, int end, int) {
        for (std::size_t k = std::size_t(from); k < std::size_t(end); ++k) {
            const ContactRow& r = t.rows[t.needed[k]];
            const Vec3d a = coreOf(t, r.end[0]), b = coreOf(t, r.end[1]);
            to[before + k] = {r.a,          r.b, r.feature,     r.slipping,        perH2 * r.ln,
                              perH2 * r.lt, r.n, 0.5 * (a + b), r.inside || r.slow};
        }
    });
}

void warmStart(CoupledIsland& t, Threads& threads, const std::vector<StoredContact>& from,
               const std::vector<int>& mine) {
    t.unit = t.h * t.h;
    t.rows.resize(mine.size());
    threads.run(int(mine.size()), 64, [&](int begin, int end, int) {
        for (std::size_t k = std::size_t(begin); k < std::size_t(end); ++k) {
            const StoredContact& o = from[mine[k]];
            ContactRow& r = t.rows[k];
            r = {}; // the memory may hold a row of the previous step
            r.a = o.a;
            r.b = o.b;
            r.feature = o.feature;
            r.slipping = o.slipping;
            r.slow = o.embedded;
            r.n = o.normal;
            r.ln = t.h * t.h * o.force;
            r.lt = (t.h * t.h) * o.friction;
            r.end[0].body = o.a >> 63 ? 0 : -1;
        }
    });
}

} // namespace capstan
