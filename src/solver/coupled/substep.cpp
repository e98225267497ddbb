// SPDX-License-Identifier: MIT
// The coupled solver: the substeps of an island. See island.hpp.
#include "solver/coupled/rows.hpp"
#include <capstan/math/transcendental.hpp>

#include <algorithm>

namespace capstan {
namespace {

// Returns the move of a node by its own velocity, without gravity; at most half a segment.
Vec3d ownMove(const CoupledIsland& t, const IslandRope& rope, std::size_t at) {
    Vec3d m = t.hint[at] - t.start[at];
    if (t.mass[at] < kImmense) m = m - (t.h * t.h) * t.gravity;
    const double most = 0.5 * rope.length, way = lengthSquared(m);
    return way <= most * most ? m : (most / sqrt(way)) * m;
}

// Prepares a rope at the start of a substep. Measures its segments and its nodes' own moves. Tests whether a
// node leaves its margin of the candidate list.
void lookAhead(CoupledIsland& t, int rope) {
    IslandRope& r = t.ropes[rope];
    r.worn = false;
    r.own = 0;
    for (int k = r.first; k < r.first + r.count; ++k) {
        const std::size_t i = std::size_t(k);
        r.worn = r.worn || (t.listGood && (beyond(t, i, t.start[i]) || beyond(t, i, t.hint[i])));
        t.together[i] = ownMove(t, r, i);
        r.own = max(r.own, lengthSquared(t.together[i]));
    }
    measureRope(t, r, t.start, t.hint);
}

// Sets the formula of the substep for all objects: BDF2 with history, else implicit Euler. Converts the multipliers
// of rows to its unit.
void chooseFormula(CoupledIsland& t, Model& m) {
    t.time.begin(t.h, t.remembered);
    for (const IslandRope& r : t.ropes) {
        Rope& rope = m.ropes[r.slot];
        rope.history = t.remembered > 0;
        rope.hBefore = t.remembered;
        rope.begins(t.h);
    }
    const double scale = t.time.h2 / t.unit;
    t.unit = t.time.h2;
    if (scale == 1) return;
    for (ContactRow& r : t.rows) {
        r.ln = scale * r.ln;
        r.lt = scale * r.lt;
    }
}

// `again`: the substep is taken again from where it began.
void beginSubstepOf(CoupledIsland& t, TreeContext& c, Threads& threads, bool again) {
    chooseFormula(t, c.m);
    for (IslandBody& b : t.bodies) {
        b.start = again ? b.start : b.current;
        if (b.tree) b.start = {b.tree->position, b.tree->turn};
        b.R0 = toMat3(b.start.q);
    }
    if (again && t.current.data() != t.start.data()) {
        t.spare = t.current;
        t.current = t.start;
    } else if (t.current.data() != t.start.data()) {
        t.spare = t.start;
        t.start = t.current;
    }
    eachGroupAtOnce(t, threads, [&](auto& g) {
        endIfDue(t, g);
        beginGroup(t, g, c.m, again);
        for (int k = 0; k < g.ropes; ++k) lookAhead(t, g.rope[k]);
    });
    t.ending = false;
    for (int k = 0; k < t.usedSystems; ++k) beginSystem(t, t.mechanisms[k], c, again);
    for (std::size_t k = 0; k < t.ropes.size(); ++k)
        if (t.ropes[k].system >= 0) lookAhead(t, int(k));
    for (IslandBody& b : t.bodies) {
        if (b.kind == IslandBody::Kind::Free) {
            fly(*b.tree, t.time);
            tellBody(b);
        } else if (b.kind == IslandBody::Kind::Ground) {
            b.now = b.moves ? groundAt(c, b.slot, t.clock) : b.start;
            b.R = b.moves ? toMat3(b.now.q) : b.R0;
        }
        b.current = b.start;
    }
    double shifted = 0;
    for (const IslandRope& r : t.ropes) shifted = max(shifted, r.shifted);
    t.travel += 2 * sqrt(shifted);
}

// Returns whether the step was so small that the rows need no second linearisation.
bool small(const CoupledIsland& t) {
    double most = 0, thin = 1e30;
    for (const IslandRope& r : t.ropes) thin = min(thin, r.radius);
    for (double way : t.goes) most = max(most, way);
    return most < t.def.small * t.def.small * thin * thin;
}

// Does the Newton iterations of a substep. Two are the rule, and more follow where errors are large. In the
// further iterations, rows that are new in this substep keep their multipliers until the last iteration. If
// these were updated before positions settle, they would overshoot, and a falling rope would jump. Returns
// whether the iterations have settled.
bool solveRounds(CoupledIsland& t, Threads& threads) {
    t.exact = false;
    if (t.ropes.empty() && t.usedSystems == 0) {
        const bool settled = solveBodies(t);
        if (t.exact) return settled;
    }
    const int most = !t.heavy ? t.def.rounds : tired(t) ? t.def.tiredRounds : t.def.heavyRounds;
    const bool series = t.heavy && t.remembered > 0;
    t.changes = 0;
    for (int round = 0; round < most; ++round) {
        if (series) beginSeries(t);
        if (round > 0) eachGroupAtOnce(t, threads, [&](auto& g) { measureUnit(t, g); });
        rowForces(t, threads, round == 0);
        gatherLoads(t);
        const bool good = solveRound(t, threads);
        if (t.heavy) lookAtRound(t, threads);
        const bool fresh = t.heavy || round < 2 || round == most - 1;
        const double gap = keepMultipliers(t, threads, true, fresh);
        const bool done =
            (round >= 1 || (!t.heavy && small(t))) && good && gap > -t.overlap && (!t.heavy || settled(t));
        if (done && !fresh) keepMultipliers(t, threads, false, true);
        ++t.solves;
        if (done) return true;
        if (series && fresh) extrapolate(t);
    }
    return false;
}

// Gives nodes and bodies that push each other a common move: along the normal if they slip, else in all
// directions.
void shareMoves(CoupledIsland& t) {
    constexpr std::size_t kAhead = 8;
    const int nodes = int(t.x.size());
    for (int sweep = 0; sweep < 2; ++sweep)
        for (std::size_t k = 0; k < t.rows.size(); ++k) {
            const std::array<int, 4>& who = t.who[k];
            if (!t.presses[k] || who[0] >= nodes) continue;
            if (k + kAhead < t.rows.size())
                __builtin_prefetch(&t.acts[k + kAhead]); // written by another
                                                         // core
            const CoupledIsland::RowAction& r = t.acts[k];
            auto move = [&](int e) -> Vec3d& { return t.together[who[e]]; };
            const bool body = who[2] >= nodes;
            const Vec3d other =
                body ? -shiftOf(t, t.rows[k].end[1]) : r.weight[2] * move(2) + r.weight[3] * move(3);
            Vec3d apart = r.weight[0] * move(0) + r.weight[1] * move(1) + other;
            if (t.presses[k] == 2) apart = dot(apart, r.n) * r.n;
            double share[4];
            for (int e = 0; e < 4; ++e) {
                const bool held = (body && e >= 2) || t.mass[who[e]] >= kImmense;
                share[e] = held ? 0 : r.weight[e];
            }
            const double sum =
                (share[0] * share[0] + share[1] * share[1]) + (share[2] * share[2] + share[3] * share[3]);
            if (!(sum > 0)) continue;
            const Vec3d back = (-1 / sum) * apart;
            for (int e = 0; e < (body ? 2 : 4); ++e) move(e) = move(e) + share[e] * back;
        }
}

// Returns whether everything moves so little that Newton starts from rest, whatever the contacts.
bool hardlyMoves(const CoupledIsland& t) {
    for (const IslandRope& r : t.ropes)
        if (r.own > 0.01 * t.def.creeps * t.def.creeps * r.radius * r.radius) return false;
    for (const IslandBody& b : t.bodies)
        if (b.tree || b.moves) return false;
    return true;
}

// Sets the start of Newton for a rope. `along(i)` is the position to which its own velocity takes node i
// along the rope.
template <class Along> void startRope(CoupledIsland& t, const IslandRope& rope, const Along& along) {
    auto rowOf = [&](int use) { return std::size_t(t.use[use].row); };
    for (int i = rope.first; i < rope.first + rope.count; ++i) {
        const std::size_t at = std::size_t(i);
        if (t.mass[at] >= kImmense) {
            t.x[at] = along(i - rope.first);
            continue;
        }
        bool sticks = false;
        for (int u = t.useBegin[at]; u < t.useBegin[at + 1]; ++u) sticks = sticks || t.presses[rowOf(u)] == 1;
        Vec3d slow = sticks ? along(i - rope.first) - t.start[at] : ownMove(t, rope, at);
        for (int u = t.useBegin[at]; !sticks && u < t.useBegin[at + 1]; ++u)
            if (t.presses[rowOf(u)]) {
                const Vec3d n = t.acts[rowOf(u)].n;
                slow = slow - dot(slow, n) * n;
            }
        const Vec3d move = t.together[at];
        const double creep = t.def.creeps * rope.radius, way = lengthSquared(move);
        const double fast = way <= creep * creep ? 0 : way >= 4 * creep * creep ? 1 : sqrt(way) / creep - 1;
        t.x[at] = t.start[at] + slow + fast * (move - slow);
    }
}

// Sets the start of the first Newton iteration. Everything is moved by its own velocity, since from rest the
// rows would have to accelerate all objects. Nodes and bodies that push each other share a move.
// A node that sticks and hardly moves starts from rest, moved along its rope only. Then its rows brake it;
// without that a knot never comes to rest.
// The moves are shared in the order of the rows, by one thread. Another thread meanwhile links the rows, if
// they have changed.
void startTogether(CoupledIsland& t, Threads& threads) {
    if (hardlyMoves(t))
        linkRows(t);
    else
        threads.run(t.linked ? 1 : 2, 1, [&](int from, int to, int) {
            for (int k = from; k < to; ++k) k == 0 ? shareMoves(t) : linkRows(t);
        });
    eachGroupAtOnce(t, threads, [&](auto& g) {
        for (int k = 0; k < g.ropes; ++k)
            startRope(t, t.ropes[g.rope[k]], [&](int i) { return lane(g.c.node[i].x, k); });
        restartUnit(t, g, t.x);
    });
    for (const IslandRope& r : t.ropes) {
        if (r.system < 0) continue;
        MechanismSolver& m = t.mechanisms[r.system].m;
        TreeRope& rope = m.ropeOf(r.unit);
        startRope(t, r, [&](int i) { return rope.node(i).x; });
        for (int i = 0; i < r.count; ++i) rope.node(i).x = t.x[r.first + i];
        chainMeasure(rope.c);
        tellStiffness(t, rope.c, int(&r - t.ropes.data()), 0);
    }
    for (int k = 0; k < t.usedSystems; ++k) measureSystem(t.mechanisms[k].m);
}

enum class Outcome { Done, Halve, Again };

// Solves one substep. `may`: it is tested whether the substep must be halved. `smooth` becomes true if BDF2 may use
// this substep as history.
Outcome solveSubstep(CoupledIsland& t, TreeContext& c, Threads& threads, bool may, bool& smooth) {
    for (int outer = 0; outer < (outer > 0 && tired(t) ? 1 : t.def.outers); ++outer) {
        const std::span<const Vec3d> to = outer == 0 ? std::span<const Vec3d>(t.hint) : t.goal;
        // The list is still valid for a shortened move, because it was valid for the whole move.
        if (outer > 0 || listPairs(t, c.m, threads, t.current, to))
            threads.run(int(t.ropes.size()), 1, [&](int from, int end, int) {
                for (int k = from; k < end; ++k) measureRope(t, t.ropes[k], t.current, to);
            });
        findRows(t, c.m, threads, t.current, to);
        if (outer == 0) {
            startTogether(t, threads);
        } else {
            linkRows(t);
            eachGroupAtOnce(t, threads, [&](auto& g) { restartUnit(t, g, t.current); });
        }
        const bool settled = solveRounds(t, threads);
        if (outer == 0) smooth = isSmooth(t);
        if (outer == 0 && !smooth && t.remembered > 0) return Outcome::Again;
        findDiverged(t, settled);
        const bool left = cutMoves(t, c.m, threads);
        if (may && tooNear(t, threads)) return Outcome::Halve;
        if (!left) break;
        smooth = false;
    }
    return Outcome::Done;
}

void endSubstepOf(CoupledIsland& t, TreeContext& c) {
    t.ending = true;
    for (IslandBody& b : t.bodies) {
        if (!b.tree) continue;
        // A shortened move leaves the velocity unchanged: the rows have already applied all impulses.
        b.tree->x = b.current.x;
        b.tree->q = b.current.q;
        b.tree->R = toMat3(b.current.q);
        if (b.kind == IslandBody::Kind::Free) accept(*b.tree, true);
    }
    holdDiverged(t);
    for (int k = 0; k < t.usedSystems; ++k) {
        MechanismUnit& s = t.mechanisms[k];
        for (const IslandRope& r : t.ropes)
            for (int i = 0; r.system == k && i < r.count; ++i)
                s.m.ropeOf(r.unit).node(i).x = t.current[r.first + i];
        readDrags(s.m);
        const bool good = !s.lost;
        if (!good) standStill(t, s);
        endSubstep(s.m, c, t.clock, good);
    }
    if (!t.bodies.empty()) restoreBodies(t);
    limitImpacts(t);
}

// Discards a substep in which a pair came too near. Units are loaded again from the State; everything else is
// restored here.
void takeBack(CoupledIsland& t, int truncated, int solves) {
    std::swap(t.rows, t.before);
    t.unit = t.unitBefore;
    for (IslandBody& b : t.bodies) b.current = b.start;
    t.wasted += t.solves - solves;
    t.truncated = truncated;
    t.solves = solves;
    dropDiverged(t);
    ++t.halvedSubsteps;
}

// Discards a substep of BDF2 in which something sudden happens. It follows implicit Euler: this time one substep, then
// two, then four, so that a step with many impacts costs little more.
void forgetHistory(CoupledIsland& t, int truncated, int solves) {
    std::swap(t.rows, t.old);
    t.remembered = 0;
    t.wasted += t.solves - solves;
    t.truncated = truncated;
    t.solves = solves;
    t.plain = t.patience;
    t.patience *= 2;
    dropDiverged(t);
}

} // namespace

void stepIsland(CoupledIsland& t, TreeContext& c, Threads& threads, int lanes, int substeps,
                const std::vector<StoredContact>& had, const std::vector<int>& mine,
                std::vector<StoredContact>& has) {
    const int count = buildIsland(t, c, threads, substeps);
    t.remembers = remembers(t, c.m);
    t.rubs = mayRub(t, c.m);
    t.remembered = commonHistory(t, c.m, c.s);
    t.plain = 0;
    t.patience = 1;
    loadIsland(t, c, threads, lanes, c.stepTime / count, 0);
    warmStart(t, threads, had, mine);
    // A substep of level k is 1 / 2^k of a substep asked for. `at` counts time in substeps of the deepest
    // level.
    int deepest = 0, level = 0;
    const double overlap = t.least > 0 ? min(t.def.overlap, 0.5 * (1 - t.least)) : t.def.overlap;
    t.overlap = overlap;
    while (t.least > 0 && 2 * (count << deepest) <= t.def.finest) ++deepest;
    auto goTo = [&](int to, int at) {
        const double h = c.stepTime / (count << to);
        level = to;
        t.overlap = level == 0 ? overlap : min(overlap, t.def.finer / (1 << level));
        loadIsland(t, c, threads, lanes, h, h * (at >> (deepest - to)));
    };
    for (int at = 0; at < count << deepest;) {
        const int size = 1 << (deepest - level);
        const bool may = level < deepest;
        t.clock = t.h * (at / size + 1);
        const int truncated = t.truncated, solves = t.solves;
        if (may) {
            t.before = t.rows;
            t.unitBefore = t.unit;
        }
        if (t.plain > 0 && t.plain-- > 0) t.remembered = 0;
        beginSubstepOf(t, c, threads, false);
        bool smooth = false;
        Outcome outcome = solveSubstep(t, c, threads, may, smooth);
        if (outcome == Outcome::Again) {
            forgetHistory(t, truncated, solves);
            beginSubstepOf(t, c, threads, true);
            outcome = solveSubstep(t, c, threads, may, smooth);
        }
        if (outcome == Outcome::Halve) {
            t.remembered = 0;
            takeBack(t, truncated, solves);
            goTo(level + 1, at);
            continue;
        }
        const int heldStill = t.heldStill;
        endSubstepOf(t, c);
        t.remembered = smooth && t.heldStill == heldStill ? t.h : 0;
        at += size;
        ++t.substeps;
        if (deepest == 0 || at == count << deepest) continue;
        storeAll(t, c, threads, false);
        if (level > 0 && at % (2 * size) == 0) goTo(level - 1, at);
    }
    storeAll(t, c, threads, true);
    storeContacts(t, threads, has);
}

} // namespace capstan
