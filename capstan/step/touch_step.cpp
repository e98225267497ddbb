// SPDX-License-Identifier: MIT
// Touch: the substeps of one cluster. See touch.hpp.
#include <capstan/math/transcendental.hpp>
#include <capstan/step/touch_rows.hpp>

#include <algorithm>

namespace capstan {
namespace {

// How a node moves by its own speed, at most half a segment.
Vec3d ownMove(const Touch& t, const TouchRope& rope, std::size_t at) {
    Vec3d m = t.hint[at] - t.start[at];
    if (t.mass[at] < kImmense) m = m - (t.h * t.h) * t.gravity;
    const double most = 0.5 * rope.length, way = lengthSquared(m);
    return way <= most * most ? m : (most / sqrt(way)) * m;
}

// A rope at the start of a substep: where it is, whether it leaves the margin of the list, and its own move. Returns by
// how much something wound it up since the last one, squared.
double lookAhead(Touch& t, int rope) {
    TouchRope& r = t.ropes[std::size_t(rope)];
    double shifted = 0;
    r.worn = false;
    for (int k = r.first; k < r.first + r.count; ++k) {
        const std::size_t i = std::size_t(k);
        shifted = max(shifted, lengthSquared(t.start[i] - t.current[i]));
        t.current[i] = t.start[i];
        r.worn = r.worn || (t.listGood && (beyond(t, i, t.start[i]) || beyond(t, i, t.hint[i])));
        t.together[i] = ownMove(t, r, i);
    }
    measureSegments(t, std::size_t(r.firstSegment), std::size_t(r.firstSegment + r.segments), t.current,
                    t.hint);
    return shifted;
}

void beginSubstepOf(Touch& t, TreeContext& c, Threads& threads) {
    for (TouchBody& b : t.bodies) {
        b.start = b.current;
        if (b.tree) b.start = {b.tree->place, b.tree->turn};
        b.R0 = toMat3(b.start.q);
    }
    t.sums.assign(t.ropes.size(), 0);
    eachGroupAtOnce(t, threads, [&](auto& g) {
        beginGroup(t, g, c.m);
        for (int k = 0; k < g.ropes; ++k) t.sums[std::size_t(g.rope[k])] = lookAhead(t, g.rope[k]);
    });
    for (int k = 0; k < t.usedSystems; ++k) beginSystem(t, t.systems[std::size_t(k)], c);
    for (std::size_t k = 0; k < t.ropes.size(); ++k)
        if (t.ropes[k].system >= 0) t.sums[k] = lookAhead(t, int(k));
    for (TouchBody& b : t.bodies) {
        if (b.kind == TouchBody::Kind::Free) {
            fly(*b.tree, t.time);
            tellBody(b);
        } else if (b.kind == TouchBody::Kind::Ground) {
            b.now = b.moves ? groundAt(c, b.slot, t.clock) : b.start;
            b.R = b.moves ? toMat3(b.now.q) : b.R0;
        }
        b.current = b.start;
    }
    double shifted = 0;
    for (double way : t.sums) shifted = max(shifted, way);
    t.travel += 2 * sqrt(shifted);
}

// Was the step so small that the rows are where they were?
bool small(const Touch& t) {
    double most = 0, thin = 1e30;
    for (const TouchRope& r : t.ropes) thin = min(thin, r.radius);
    for (double way : t.goes) most = max(most, way);
    return most < t.def.small * t.def.small * thin * thin;
}

// Two rounds are the rule. Where they leave much undone more follow, in which rows that are new in this substep keep
// their multipliers: renewed before the places have settled they would overshoot, and a rope that falls would jump.
void solveRounds(Touch& t, Threads& threads) {
    const int most = !t.heavy ? t.def.rounds : tired(t) ? t.def.tiredRounds : t.def.heavyRounds;
    for (int round = 0; round < most; ++round) {
        rowForces(t, threads, round == 0);
        gatherLoads(t, threads);
        const bool good = solveRound(t, threads);
        if (t.heavy) lookAtRound(t, threads);
        const bool fresh = t.heavy || round < 2 || round == most - 1;
        const double gap = keepMultipliers(t, threads, true, fresh);
        const bool done =
            (round >= 1 || (!t.heavy && small(t))) && good && gap > -0.1 && (!t.heavy || settled(t));
        if (done && !fresh) keepMultipliers(t, threads, false, true);
        ++t.solves;
        if (done) break;
    }
}

// What presses on each other moves together, and what sticks to each other in all directions.
void shareMoves(Touch& t) {
    const int nodes = int(t.x.size());
    for (int sweep = 0; sweep < 2; ++sweep)
        for (std::size_t k = 0; k < t.rows.size(); ++k) {
            const std::array<int, 4>& who = t.who[k];
            if (!t.presses[k] || who[0] >= nodes) continue;
            const Touch::Told& r = t.told[k];
            auto move = [&](int e) -> Vec3d& { return t.together[std::size_t(who[std::size_t(e)])]; };
            const bool body = who[2] >= nodes;
            const Vec3d other =
                body ? -shiftOf(t, t.rows[k].end[1]) : r.weight[2] * move(2) + r.weight[3] * move(3);
            Vec3d apart = r.weight[0] * move(0) + r.weight[1] * move(1) + other;
            if (t.presses[k] == 2) apart = dot(apart, r.n) * r.n;
            double share[4];
            for (int e = 0; e < 4; ++e) {
                const bool held = (body && e >= 2) || t.mass[std::size_t(who[std::size_t(e)])] >= kImmense;
                share[e] = held ? 0 : r.weight[e];
            }
            const double sum =
                (share[0] * share[0] + share[1] * share[1]) + (share[2] * share[2] + share[3] * share[3]);
            if (!(sum > 0)) continue;
            const Vec3d back = (-1 / sum) * apart;
            for (int e = 0; e < (body ? 2 : 4); ++e) move(e) = move(e) + share[e] * back;
        }
}

void startRope(Touch& t, const TouchRope& rope) {
    auto rowOf = [&](int use) { return std::size_t(t.use[std::size_t(use)].row); };
    for (int i = rope.first; i < rope.first + rope.count; ++i) {
        const std::size_t at = std::size_t(i);
        if (t.mass[at] >= kImmense) continue;
        bool sticks = false;
        for (int u = t.useBegin[at]; u < t.useBegin[at + 1]; ++u) sticks = sticks || t.presses[rowOf(u)] == 1;
        Vec3d slow = sticks ? t.x[at] - t.start[at] : ownMove(t, rope, at);
        for (int u = t.useBegin[at]; !sticks && u < t.useBegin[at + 1]; ++u)
            if (t.presses[rowOf(u)]) {
                const Vec3d n = t.told[rowOf(u)].n;
                slow = slow - dot(slow, n) * n;
            }
        const Vec3d move = t.together[at];
        const double creep = t.def.creeps * rope.radius, way = lengthSquared(move);
        const double fast = way <= creep * creep ? 0 : way >= 4 * creep * creep ? 1 : sqrt(way) / creep - 1;
        t.x[at] = t.start[at] + slow + fast * (move - slow);
    }
}

// Where the first round begins: everything has moved by its own speed, but what presses on each other together: from
// rest the rows would have to carry everything along. Only what sticks and hardly moves begins from rest, moved along
// itself: what comes to rest there is braked by the rows, and without that a knot never does.
// The moves are shared in the order of the rows, which is work for one; another links the rows meanwhile.
void startTogether(Touch& t, Threads& threads) {
    threads.run(2, 1, [&](int from, int to, int) {
        for (int k = from; k < to; ++k) k == 0 ? shareMoves(t) : linkRows(t);
    });
    eachGroupAtOnce(t, threads, [&](auto& g) {
        for (int k = 0; k < g.ropes; ++k) startRope(t, t.ropes[std::size_t(g.rope[k])]);
        restartUnit(t, g, t.x);
    });
    for (const TouchRope& r : t.ropes) {
        if (r.system < 0) continue;
        startRope(t, r);
        Mechanism& m = t.systems[std::size_t(r.system)].m;
        TreeRope& rope = m.ropeOf(r.unit);
        for (int i = 0; i < r.count; ++i) rope.node(i).x = t.x[std::size_t(r.first + i)];
        chainMeasure(rope.c);
        tellStiffness(t, rope.c, int(&r - t.ropes.data()), 0);
    }
    for (int k = 0; k < t.usedSystems; ++k) measureSystem(t.systems[std::size_t(k)].m);
}

void solveSubstep(Touch& t, TreeContext& c, Threads& threads) {
    for (int outer = 0; outer < (outer > 0 && tired(t) ? 1 : t.def.outers); ++outer) {
        const std::vector<Vec3d>& to = outer == 0 ? t.hint : t.goal;
        // (What was cut short is still on a way for which the list was found good.)
        if (outer > 0 || listPairs(t, c.m, threads, t.current, to))
            threads.run(int(t.segments.size()), 256, [&](int from, int end, int) {
                measureSegments(t, std::size_t(from), std::size_t(end), t.current, to);
            });
        findRows(t, c.m, threads, t.current, to);
        if (outer == 0) {
            startTogether(t, threads);
        } else {
            linkRows(t);
            eachGroupAtOnce(t, threads, [&](auto& g) { restartUnit(t, g, t.current); });
        }
        solveRounds(t, threads);
        if (!cutMoves(t, c.m, threads)) break;
    }
}

// A mechanism whose rounds did not converge throws its bodies about: none is flung by more than 50 m/s in a substep.
bool believable(const Touch& t, int system) {
    for (const TouchBody& b : t.bodies) {
        if (b.system != system) continue;
        const double usual = t.h * length(b.tree->v) + t.h * t.h * length(t.gravity);
        if (!(length(b.goal.x - b.start.x) <= 10 * usual + 50 * t.h)) return false;
    }
    return true;
}

// Last resort: it stays where it was, at rest, and what it pressed on is forgotten.
void standStill(Touch& t, TouchSystem& s, int system) {
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
    for (TouchBody& b : t.bodies)
        if (b.system == system) b.current = b.start;
    for (const TouchRope& r : t.ropes)
        for (int i = r.first; r.system == system && i < r.first + r.count; ++i)
            t.current[std::size_t(i)] = t.start[std::size_t(i)];
    for (TouchRow& row : t.rows)
        for (const RowEnd& e : row.end)
            if (e.body >= 0 && t.bodies[std::size_t(e.body)].system == system) row.ln = 0, row.lt = {0, 0, 0};
}

void endSubstepOf(Touch& t, TreeContext& c, Threads& threads) {
    eachGroupAtOnce(t, threads, [&](auto& g) { endGroup(t, g); });
    for (TouchBody& b : t.bodies) {
        if (!b.tree) continue;
        // Cut short, it keeps its speed: the rows have taken what had to be taken.
        b.tree->x = b.current.x, b.tree->q = b.current.q, b.tree->R = toMat3(b.current.q);
        if (b.kind == TouchBody::Kind::Free) accept(*b.tree, true);
    }
    for (int k = 0; k < t.usedSystems; ++k) {
        TouchSystem& s = t.systems[std::size_t(k)];
        for (const TouchRope& r : t.ropes)
            for (int i = 0; r.system == k && i < r.count; ++i)
                s.m.ropeOf(r.unit).node(i).x = t.current[std::size_t(r.first + i)];
        readPulls(s.m);
        const bool good = believable(t, k);
        if (!good) standStill(t, s, k), ++t.lastResorts;
        endSubstep(s.m, c, t.clock, good);
    }
    bounceBodies(t);
}

State partOf(State& s, const Rope& r) {
    State part;
    part.resize(r.count + 1);
    for (int k = 0; k <= r.count; ++k) part.copyPoint(k, s, r.begin + k);
    return part;
}
void putBack(State& s, const Rope& r, State& part) {
    for (int k = 0; k <= r.count; ++k) {
        s.copyPoint(r.begin + k, part, k);
        s.v[r.begin + k] = {0, 0, 0, s.v[r.begin + k].w};
    }
}

template <class W> void storeGroup(TouchGroup<W>& g, Model& m, State& s) {
    MaskOf<W> good = W(0.0) < W(1.0);
    for (int k = 0; k < g.ropes; ++k) {
        Rope& r = m.ropes[std::size_t(g.slot[k])];
        for (int i = 0; i < r.count; ++i)
            r.frozen = r.frozen || !finite(lane(g.c.node[i].place, k) + lane(g.c.past[i].v, k));
    }
    // A rope with a number that is not finite stays where it was.
    std::vector<State> kept;
    for (int k = 0; k < g.ropes; ++k)
        if (const Rope& r = m.ropes[std::size_t(g.slot[k])]; r.frozen) kept.push_back(partOf(s, r));
    const ChainLength<W> l = chainStore(g.c, s, good);
    for (int k = 0, next = 0; k < g.ropes; ++k)
        if (const Rope& r = m.ropes[std::size_t(g.slot[k])]; r.frozen)
            putBack(s, r, kept[std::size_t(next++)]);
    const W strain = l.off * g.c.invReach;
    for (int k = 0; k < g.ropes; ++k) {
        Rope& r = m.ropes[std::size_t(g.slot[k])];
        r.stretch = float(lane(l.arc, k) / lane(l.rest, k) - 1), r.strain = float(lane(strain, k));
        r.history = false;
    }
}

void storeAll(Touch& t, TreeContext& c, Threads& threads) {
    eachGroupAtOnce(t, threads, [&](auto& g) { storeGroup(g, c.m, c.s); });
    for (const TouchRope& r : t.ropes) c.m.changed = c.m.changed || c.m.ropes[std::size_t(r.slot)].frozen;
    for (int k = 0; k < t.usedSystems; ++k) storeMechanism(t.systems[std::size_t(k)].m, c, true, false);
    for (const TouchBody& b : t.bodies) {
        BodyState& to = c.s.bodies[std::size_t(b.slot)];
        if (b.kind == TouchBody::Kind::Free) {
            if (!finite(b.tree->place + b.tree->v + b.tree->L)) {
                c.m.bodies[std::size_t(b.slot)].frozen = true, c.m.changed = true;
                to.v = to.L = {0, 0, 0};
                continue;
            }
            to.x = b.tree->place, to.q = b.tree->turn, to.v = b.tree->v, to.L = b.tree->L, to.history = false;
        } else if (b.moves) {
            // A kinematic body that was held up goes on towards its goal in the next step.
            Body& body = c.m.bodies[std::size_t(b.slot)];
            body.late = length(b.current.x - body.goal.x) > 1e-9 ||
                        length(log(normalize(body.goal.q * conjugate(b.current.q)))) > 1e-9;
            if (body.late) to.x = b.current.x, to.q = b.current.q;
        }
    }
}

// How far the two sides of a rope's row are apart, 1 being the distance at which they touch. Neighbours along one rope,
// which are always near, do not count.
double distanceOf(const Touch& t, const TouchRow& r) {
    auto x = [&](const RowEnd& e, int k) { return t.x[std::size_t(k == 0 ? e.i : e.j)]; };
    if (r.shape) {
        Pose at;
        return nearestTo(t, r.pair, t.bodies[std::size_t(r.end[1].body)].now, x(r.end[0], 0), x(r.end[0], 1),
                         at)
                   .distance /
               r.D;
    }
    if ((r.a >> 32) == (r.b >> 32))
        for (const TouchRope& rope : t.ropes)
            if (rope.slot == int(r.a >> 32) && r.D < 0.999 * 2 * rope.radius) return 1;
    return sqrt(closest(x(r.end[0], 0), x(r.end[0], 1), x(r.end[1], 0), x(r.end[1], 1)).distanceSquared) /
           r.D;
}

void remember(Touch& t, Threads& threads, std::vector<TouchMemory>& to) {
    const double perH2 = 1 / (t.h * t.h);
    for (int k = 0; k < int(t.x.size()); ++k) t.x[std::size_t(k)] = t.current[std::size_t(k)];
    for (TouchBody& b : t.bodies) b.now = b.current, b.R = toMat3(b.current.q);
    t.sums.assign(t.rows.size(), 1);
    threads.run(int(t.rows.size()), 64, [&](int from, int end, int) {
        for (std::size_t k = std::size_t(from); k < std::size_t(end); ++k) {
            if (t.rows[k].end[0].body >= 0) continue;
            relinearize(t, t.rows[k]);
            t.sums[k] = distanceOf(t, t.rows[k]);
        }
    });
    for (double distance : t.sums) t.nearest = min(t.nearest, distance);
    for (const TouchRow& r : t.rows) {
        if (!(r.ln > 0) && !r.inside && !r.slow) continue;
        const Vec3d a = coreOf(t, r.end[0]), b = coreOf(t, r.end[1]);
        to.push_back({r.a, r.b, r.feature, r.slips, perH2 * r.ln, perH2 * r.lt, r.n, 0.5 * (a + b),
                      r.inside || r.slow});
    }
}

void recall(Touch& t, const std::vector<TouchMemory>& from, const std::vector<int>& mine) {
    t.rows.clear();
    for (int k : mine) {
        const TouchMemory& o = from[std::size_t(k)];
        t.rows.emplace_back();
        TouchRow& r = t.rows.back();
        r.a = o.a, r.b = o.b, r.feature = o.feature, r.slips = o.slips, r.slow = o.inside;
        r.n = o.normal, r.ln = t.h * t.h * o.force, r.lt = (t.h * t.h) * o.friction;
        r.end[0].body = o.a >> 63 ? 0 : -1;
    }
}

} // namespace

void stepCluster(Touch& t, TreeContext& c, Threads& threads, int lanes, int substeps,
                 const std::vector<TouchMemory>& had, const std::vector<int>& mine,
                 std::vector<TouchMemory>& has) {
    const int count = buildCluster(t, c, threads, lanes, substeps);
    recall(t, had, mine);
    for (int k = 0; k < count; ++k) {
        t.clock = t.h * (k + 1);
        beginSubstepOf(t, c, threads);
        solveSubstep(t, c, threads);
        endSubstepOf(t, c, threads);
    }
    storeAll(t, c, threads);
    remember(t, threads, has);
    t.substeps = std::max(t.substeps, count);
}

} // namespace capstan
