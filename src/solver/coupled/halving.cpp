// SPDX-License-Identifier: MIT
// The coupled solver: decides whether a substep must be taken again, in halves or by implicit Euler. See island.hpp.
//
// A substep is halved because the step bound had to keep ropes apart (WorldDef::minSeparationRatio).
// The step bound (step_bound.cpp) keeps every pair at the world's least distance, whatever the solver's
// result. But a shortened move stretches the rope beside it. A pair is too near in the lowest fifth of the
// range from the world's least distance to the distance of contact. If a pair ends a substep in this fifth,
// and nearer than it began, the substep is repeated in halves. In a shorter substep the rows
// predict the motion better. Halving without a limit was refused: substeps of some microseconds do not
// converge, and nodes are thrown about.
//
// A substep of BDF2 (rope/two_step.hpp) in which a contact begins abruptly is repeated by implicit Euler.
// BDF2 carries on a third of the approach, so what strikes would bounce back. One formula holds for the whole
// island. If its two sides had different ones, a force would give them impulses that differ.
//
// Only islands whose ropes are limp take BDF2 (remembers()). If two of their objects have friction, none may be a
// dynamic body, and they take it only while nothing presses. Without the damping of implicit Euler, what the
// iterations leave unsolved goes on trembling. Refused, with the figures:
//   ropes that bend       a beam on a prop trembles at 8 mm/s for ever, a ring between plates at 0.4 mm/s
//   pairs with friction   the tension of a tackle at rest trembles by 5 %, that of a held capstan by 4 %
//   friction and bodies while nothing presses: seven balls on strings gain 0.1 % in their impacts, and a tackle sinks
//                         by 11 mm, where it sank by less than 10
//   friction, but implicit Euler while a row sticks or everything is slow: crossing ropes that rested at 1 mm/s
//                         then move at 0.1 m/s, because each change of the formula shakes them
#include "solver/coupled/rows.hpp"

#include <algorithm>

namespace capstan {
namespace {

constexpr double kWatched = 0.2; // fraction of the range in which a pair is too near
constexpr double kNearer = 1e-3; // of D; a smaller approach in a substep is ignored

double watched(const CoupledIsland& t, double D) { return (t.least + kWatched * (1 - t.least)) * D; }

bool tooNear(const CoupledIsland& t, SegmentPair& p) {
    const double least = watched(t, p.D);
    if (p.far - t.travel >= least) return false;
    const IslandSegment &a = t.segments[p.a], &b = t.segments[p.b];
    // The ball encloses the segment at the start of the last pass of the step bound. Since then its nodes
    // have moved by at most `moved`.
    const std::size_t pa = std::size_t(p.a), pb = std::size_t(p.b);
    const double reach =
        least + t.half[pa] + t.half[pb] + max(t.moved[a.i], t.moved[a.j]) + max(t.moved[b.i], t.moved[b.j]);
    if (lengthSquared(t.middle[pa] - t.middle[pb]) >= reach * reach) return false;
    const double d = sqrt(closestOf(a, b, t.current).distanceSquared);
    p.far = d + t.travel;
    if (!(d < least) || neighbours(t, p)) return false;
    return d < sqrt(closestOf(a, b, t.start).distanceSquared) - kNearer * p.D && !goesThrough(t, p);
}

bool tooNear(const CoupledIsland& t, const ShapePair& p) {
    const IslandSegment& s = t.segments[p.segment];
    const IslandBody& body = t.bodies[t.shapes[p.shape].body];
    auto distance = [&](const Pose& at, std::span<const Vec3d> x) {
        Pose shape;
        return nearestTo(t, p, at, x[s.i], x[s.j], shape).distance;
    };
    const double d = distance(body.current, t.current);
    return d < watched(t, p.D) && d < distance(body.start, t.start) - kNearer * p.D && !goesThrough(t, p);
}

// Of D: a contact begins abruptly if its two sides approach by more in a substep. In the peg of validation C3 contacts
// begin at 0.2 to 0.28; values from 0.0005 to 0.1 give the same bits.
constexpr double kAbrupt = 0.005;
constexpr double kTurns = 0.2; // rad: a free body that turns by more in a substep is stepped without history

// Fraction of NewtonDef::smooth. A sudden change of velocity moves nodes by its product with the substep. Islands take
// substeps of half the length, so half the way is as sudden as in a rope alone. With the whole way, ropes thrown taut
// against their pins gained up to 25 % of their energy in a step. These are the fuzz seeds 1085, 4874, 9455 and 11690.
// With 0.2 the four seeds do the same.
constexpr double kSudden = 0.5;

bool hasFriction(const MaterialDef& m) { return m.friction > 0 || m.staticFriction > 0; }

bool anyPresses(const CoupledIsland& t) {
    return std::any_of(t.rows.begin(), t.rows.end(), [](const ContactRow& r) { return r.ln > 0; });
}

} // namespace

// Two objects of the island must have friction. A rope may meet itself.
bool mayRub(const CoupledIsland& t, const Model& m) {
    int rough = 0;
    for (const IslandRope& r : t.ropes)
        if (hasFriction(m.ropes[r.slot].def.material)) rough += r.self ? 2 : 1;
    for (const IslandBody& b : t.bodies) rough += hasFriction(m.bodies[b.slot].def.material);
    return rough > 1;
}

namespace {

// Returns the displacement of one side of a row by its own velocity.
Vec3d leadOf(const CoupledIsland& t, const RowEnd& e) {
    if (e.body < 0) {
        const std::size_t i = std::size_t(e.i), j = std::size_t(e.j);
        return (1 - e.c) * (t.hint[i] - t.start[i]) + e.c * (t.hint[j] - t.start[j]);
    }
    const IslandBody& b = t.bodies[e.body];
    if (!b.tree)
        return b.moves ? (b.now.x - b.start.x) + (b.R * e.surface - b.R0 * e.surface) : Vec3d{0, 0, 0};
    const TreeBody<double>& a = *b.tree;
    return t.h * (a.v + cross(angularVelocityOf(a, a.turn, a.L), b.R0 * e.surface));
}

// Returns whether two surfaces strike: they press now, but did not at the start of the substep. Surfaces that overlap
// deeply count too. BDF2 would keep the speed at which they are pushed apart: bodies put into each other then gained
// twice the energy.
bool strikes(const CoupledIsland& t, std::size_t row) {
    const ContactRow& r = t.rows[row];
    if (r.inside || r.slow || r.allowed < 0) return true;
    if (!(r.ln > 0)) return false;
    if (r.end[0].body >= 0 && r.approach < -t.def.restitution) return true; // impacts.cpp reflects it
    return !t.presses[row] && dot(r.n, leadOf(t, r.end[0]) - leadOf(t, r.end[1])) < -kAbrupt * r.D;
}

bool smoothSystem(const MechanismSolver& m) {
    for (const LoopRow& r : m.rows)
        if (r.mu != 0 && (r.high == 0 || r.low == 0)) return false; // a limit
    return smoothBodies(m.t, TreeDef{});
}

} // namespace

bool remembers(const CoupledIsland& t, const Model& m) {
    for (const IslandRope& r : t.ropes)
        if (m.ropes[r.slot].bends() || !m.ropes[r.slot].chain()) return false;
    const auto moves = [](const IslandBody& b) { return b.kind != IslandBody::Kind::Ground; };
    // Cloth pushes ropes between steps. With history a rope that fell on a sheet at 50 m/s went through it.
    return !t.ropes.empty() &&
           (!mayRub(t, m) || (m.cloths.empty() && std::none_of(t.bodies.begin(), t.bodies.end(), moves)));
}

double commonHistory(const CoupledIsland& t, const Model& m, const State& s) {
    if (!t.remembers) return 0;
    double before = m.ropes[t.ropes[0].slot].remembered();
    for (const IslandRope& r : t.ropes)
        if (m.ropes[r.slot].remembered() != before) return 0;
    for (const IslandBody& b : t.bodies)
        if (b.kind != IslandBody::Kind::Ground && s.bodies[b.slot].remembered() != before) return 0;
    return before;
}

bool isSmooth(const CoupledIsland& t) {
    if (!t.remembers || (t.rubs && anyPresses(t))) return false;
    for (std::size_t k = 0; k < t.rows.size(); ++k)
        if (strikes(t, k)) return false;
    const double most = kSudden * NewtonDef{}.smooth;
    for (const IslandRope& r : t.ropes)
        if (!(r.corrected < most * most)) return false;
    for (const IslandBody& b : t.bodies)
        if (b.kind == IslandBody::Kind::Free && !(dot(b.tree->dl, b.tree->dl) < kTurns * kTurns))
            return false;
    for (int k = 0; k < t.usedSystems; ++k)
        if (!smoothSystem(t.mechanisms[k].m)) return false;
    return true;
}

bool tooNear(CoupledIsland& t, Threads& threads) {
    auto count = [&](auto& pairs) {
        return sumOver(t, threads, pairs.size(), [&](std::size_t from, std::size_t to) {
            double near = 0;
            for (std::size_t k = from; k < to; ++k) near += tooNear(t, pairs[k]);
            return near;
        });
    };
    return count(t.segmentPairs) > 0 || count(t.shapePairs) > 0;
}

} // namespace capstan
