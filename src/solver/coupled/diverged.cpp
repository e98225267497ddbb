// SPDX-License-Identifier: MIT
// The coupled solver: handles units whose solve diverged. Such units stay where they are, at rest, and their
// contacts are dropped. See island.hpp.
//
// Newton iterations need not converge. One example is a mechanism that moves at hundreds of metres a second.
// Another is bodies that were created inside each other and that joints hold there. Their multipliers grow in
// every iteration until the bodies are flung apart. So the result is examined before the step bound. A unit
// has diverged if one of these holds:
//   - One of its positions is not finite. This would spread through the rows to everything in contact.
//   - It is a mechanism, and a body of it moves farther than 50 m/s times h plus ten times its free move.
//   - A heavy island has not settled, and the unit and the whole island have more energy than allowed.
//
// The allowed energy is 1.1 times the energy before, plus the work of gravity and external forces, plus
// m u^2 / 2. Here m is the mass, and u is the velocity that contact may give. That is the velocity that
// pushes overlaps apart, plus twice that of a moving pin or kinematic body.
#include "solver/coupled/rows.hpp"

#include <algorithm>

namespace capstan {
namespace {

void forget(ContactRow& r) {
    r.ln = 0;
    r.lt = {0, 0, 0};
    r.slipping = false;
}

// Clears the multipliers of all rows with an end for which `gone` is true.
template <class F> void forgetRowsOf(CoupledIsland& t, const F& gone) {
    for (ContactRow& row : t.rows)
        for (const RowEnd& e : row.end)
            if (gone(e)) forget(row);
}

// The kinetic energy that a unit may have at the end of the substep, and the kinetic energy that it would
// have [J].
struct Gain {
    double may = 0, has = 0;
    bool tooMuch() const { return !(has <= may); }
    void operator+=(const Gain& g) {
        may += g.may;
        has += g.has;
    }
};
// `work` is the work of external forces [J], `apart` the velocity that contact may give [m/s].
Gain gainOf(double mass, double before, double after, double work, double apart) {
    return {1.1 * before + max(work, 0.0) + 0.5 * mass * apart * apart, after};
}

Gain gainOf(const CoupledIsland& t, const IslandBody& b, double apart) {
    const TreeBody<double>& a = *b.tree;
    auto energy = [&](Vec3d v, Vec3d L, Quatd q) {
        return 0.5 * (a.mass * dot(v, v) + dot(L, angularVelocityOf(a, q, L)));
    };
    const Vec3d turn = log(normalize(b.now.q * conjugate(b.start.q)));
    const double work = dot(a.push + a.mass * t.gravity, b.now.x - b.start.x) + dot(a.twist, turn);
    return gainOf(a.mass, energy(a.v, a.L, a.turn), energy(a.vNow, a.LNow, a.q), work, apart);
}

Gain gainOf(const CoupledIsland& t, const IslandRope& r, double apart) {
    double mass = 0, before = 0, after = 0; // no work: the positions in `hint` already include gravity
    for (std::size_t i = std::size_t(r.first); i < std::size_t(r.first + r.count); ++i) {
        if (t.mass[i] >= kImmense) continue;
        mass += t.mass[i];
        before += t.mass[i] * lengthSquared(t.hint[i] - t.start[i]);
        after += t.mass[i] * lengthSquared(t.x[i] - t.start[i]);
    }
    const double half = 0.5 / (t.h * t.h);
    return gainOf(mass, half * before, half * after, 0, apart);
}

// Returns whether the pose is finite, and the move of a jointed body below the limit at the top of this file.
bool believable(const CoupledIsland& t, const IslandBody& b) {
    const Quatd& q = b.now.q;
    if (!finite(b.now.x) || !finite({q.x, q.y, q.z})) return false;
    const double usual = t.h * length(b.tree->v) + t.h * t.h * length(t.gravity);
    return b.kind == IslandBody::Kind::Free || length(b.now.x - b.start.x) <= 10 * usual + 50 * t.h;
}
bool finiteRope(const CoupledIsland& t, const IslandRope& r) {
    for (int i = r.first; i < r.first + r.count; ++i)
        if (!finite(t.x[i])) return false;
    return true;
}

// Returns the greatest velocity that contact may give [m/s]. Overlaps are pushed apart at def.push. A body
// that a moving pin or kinematic body hits leaves with at most twice the speed of that pin or body.
double fastestApart(const CoupledIsland& t) {
    double way = 0;
    for (std::size_t i = 0; i < t.x.size(); ++i)
        if (t.mass[i] >= kImmense) way = max(way, length(t.hint[i] - t.start[i]));
    for (const IslandBody& b : t.bodies)
        if (b.moves)
            way = max(way, length(b.now.x - b.start.x) +
                               length(log(normalize(b.now.q * conjugate(b.start.q)))) * b.reach);
    return t.def.push + 2 * way / t.h;
}

void findRunaways(CoupledIsland& t) {
    const double apart = fastestApart(t);
    Gain all;
    for (const IslandBody& b : t.bodies)
        if (b.tree && !b.lost) all += gainOf(t, b, apart);
    for (const IslandRope& r : t.ropes)
        if (!r.lost) all += gainOf(t, r, apart);
    if (!all.tooMuch()) return;
    for (IslandBody& b : t.bodies) b.lost = b.lost || (b.tree && gainOf(t, b, apart).tooMuch());
    for (IslandRope& r : t.ropes) r.lost = r.lost || gainOf(t, r, apart).tooMuch();
}

} // namespace

void findDiverged(CoupledIsland& t, bool settled) {
    bool numbers = true;
    for (double way : t.goes) numbers = numbers && way < kNoNumber;
    if (numbers && t.bodies.empty() && !t.heavy) return;
    for (IslandBody& b : t.bodies) b.lost = b.lost || (b.tree && !believable(t, b));
    for (IslandRope& r : t.ropes) r.lost = r.lost || !finiteRope(t, r);
    if (!settled && t.heavy && !t.exact) findRunaways(t); // bodies/solve.cpp limits the energy itself
    // If one unit of a mechanism has diverged, the whole mechanism has.
    for (int k = 0; k < t.usedSystems; ++k) {
        bool& lost = t.mechanisms[k].lost;
        lost = false;
        for (const IslandBody& b : t.bodies) lost = lost || (b.system == k && b.lost);
        for (const IslandRope& r : t.ropes) lost = lost || (r.system == k && r.lost);
    }
    for (IslandBody& b : t.bodies) {
        b.lost = b.lost || (b.system >= 0 && t.mechanisms[b.system].lost);
        if (b.lost) b.now = b.system >= 0 ? b.start : b.current;
    }
    for (IslandRope& r : t.ropes) {
        r.lost = r.lost || (r.system >= 0 && t.mechanisms[r.system].lost);
        const std::span<const Vec3d> stay = r.system >= 0 ? t.start : t.current;
        for (std::size_t i = std::size_t(r.first); r.lost && i < std::size_t(r.first + r.count); ++i)
            t.x[i] = stay[i];
    }
}

void holdDiverged(CoupledIsland& t) {
    bool any = false;
    for (const IslandRope& r : t.ropes) any = any || r.lost;
    for (const IslandBody& b : t.bodies) any = any || b.lost;
    if (!any) return;
    forgetRowsOf(t, [&](const RowEnd& e) {
        if (e.body >= 0) return t.bodies[e.body].lost;
        return std::any_of(t.ropes.begin(), t.ropes.end(), [&](const IslandRope& r) {
            return r.lost && e.i >= r.first && e.i < r.first + r.count;
        });
    });
    for (ContactRow& r : t.rows)
        if (!(r.ln < 1e30 && dot(r.lt, r.lt) < 1e60)) forget(r);
    eachGroup(t, [&](auto& g) {
        using W = std::decay_t<decltype(g.c.h)>;
        // Spare lanes repeat the first rope and are stored after it.
        auto lost = [&](int k) { return t.ropes[g.rope[k]].lost; };
        const MaskOf<W> gone = perLane<W>([&](int k) { return lost(k) ? 1.0 : 0.0; }) > W(0.5);
        for (int i = 1; i < g.c.nodes + int(g.c.closed); ++i)
            g.c.node[i].lambda = select(gone, W(0.0), g.c.node[i].lambda);
        for (int k = 0; k < g.ropes; ++k) t.heldStill += lost(k);
    });
    for (IslandBody& b : t.bodies) {
        if (!b.lost || b.kind != IslandBody::Kind::Free) continue;
        for (auto* speed : {&b.tree->v, &b.tree->L, &b.tree->vBefore, &b.tree->LBefore, &b.tree->dBefore,
                            &b.tree->turnBefore})
            *speed = {0, 0, 0};
        ++t.heldStill;
    }
    dropDiverged(t);
}

void dropDiverged(CoupledIsland& t) {
    for (IslandRope& r : t.ropes) r.lost = false;
    for (IslandBody& b : t.bodies) b.lost = false;
}

void standStill(CoupledIsland& t, MechanismUnit& s) {
    ++t.heldStill;
    for (int i = 0; i < s.m.t.units; ++i) {
        if (!s.m.t.unit(i, 0).rope) {
            s.m.t.body[i].v = s.m.t.body[i].L = {0, 0, 0};
            continue;
        }
        TreeRope& r = s.m.ropeOf(i);
        for (int k = 0; k < r.c.nodes; ++k)
            if (!held(r.node(k))) r.c.past[k].v = {0, 0, 0};
        for (int k = 1; k < r.c.nodes; ++k) r.node(k).lambda = 0;
    }
}

} // namespace capstan
