// SPDX-License-Identifier: MIT
// The coupled solver: one Newton iteration, all units at once. See island.hpp.
//
// The points and normals of the rows are fixed. The step x of all nodes and bodies is where the forces
// balance:
//     U x + J^T f(J x) = b
//
// U is the matrix of the units (ropes, bodies, mechanisms) alone, b their right-hand side. J x is the
// relative displacement of the two sides of a row. The force f of a row only pushes, and its friction stays
// within the cone. Each unit is factored once with M = U + D. The diagonal blocks D (forces.cpp) are at least
// as large as J^T f'(.) J. One factorization serves any number of right-hand sides:
//     x_(k+1) = M^-1 (b + D y - J^T f(J y)),    y = x_k + beta_k (x_k - x_(k-1))
// Each such response brings the forces nearer to balance, whichever rows open or slip meanwhile. Newton steps
// and conjugate gradients on the rows that are active at the moment were refused: knots fly apart.
// beta is Nesterov's momentum. It is reset to 0 where the last step went uphill: along the unbalanced force
// M (y - x), which is a gradient. Until the forces balance, the
// two sides of a row get forces that differ by D (y - x). Ropes that collide in free flight would lose
// momentum, and objects that move in contact would feel a drag. Source: Nesterov 1983; restart by O'Donoghue
// and Candes 2015; for contact Mazhar et al. 2015.
#include "solver/coupled/rows.hpp"

#include <algorithm>
#include <atomic>

namespace capstan {
namespace {

std::size_t bodyAt(const CoupledIsland& t, int body) { return t.x.size() + 2 * std::size_t(body); }

// Returns the displacement of one side of a row for the step x.
template <class X> Vec3d along(const CoupledIsland& t, const RowEnd& e, const X& x) {
    if (e.body < 0) return (1 - e.c) * x(std::size_t(e.i)) + e.c * x(std::size_t(e.j));
    const std::size_t at = bodyAt(t, e.body);
    return x(at) + cross(x(at + 1), t.bodies[e.body].R * e.surface);
}

// Computes the forces of all rows at y and returns the sum of their sizes. `more` becomes true if a row
// overlaps at y without being active: no force would resist that overlap.
template <class Y>
double rowsAt(CoupledIsland& t, Threads& threads, const Y& y, std::atomic<bool>* more = nullptr) {
    if (more) more->store(false, std::memory_order_relaxed);
    return sumOver(t, threads, t.rows.size(), [&](std::size_t from, std::size_t to) {
        double sum = 0;
        for (std::size_t k = from; k < to; ++k) {
            fetchNodes(t, k + kRowsAhead, t.step);
            ContactRow& r = t.rows[k];
            if (!r.acts) t.added[k] = {{0, 0, 0}, 0};
            if (!r.acts && !more) continue;
            const Vec3d d = along(t, r.end[0], y) - along(t, r.end[1], y);
            if (!r.acts) {
                if (r.gapHere + dot(r.n, d) < -2 * t.def.near * r.D) {
                    r.met = true;
                    more->store(true, std::memory_order_relaxed);
                }
                continue;
            }
            const Vec3d force = forceAt(r, d);
            const Vec3d added = force - r.first;
            t.added[k] = {added, length(r.first + added)};
            sum += length(force);
        }
        return sum;
    });
}

// The unbalanced force at y, in two measures. `sum` is the sum over all nodes and bodies. `share` is an
// average over groups of nodes: the unbalanced force of a group as a fraction of its contact forces. The
// second measure is needed because forces along one rope may differ by many powers of ten. Two turns around a
// drum at mu = 0.8 have 10 N and 200 kN at their ends. An error that is small in the sum exceeds friction
// where forces are small, and the rope would creep there. The worst group in place of the average was
// refused: a tangle always has a bad group, and the solve takes half as long again.
struct Unbalanced {
    double sum = 0, share = 0;
};
constexpr std::size_t kPosition = 8; // nodes in a group

// Writes D y - J^T (f(J y) - f(0)) into t.off and the unbalanced force at y, M (y - x), into t.left. The
// function pushY returns M y. Nodes without a row have no unbalanced force.
template <class Y, class P>
Unbalanced pushBack(CoupledIsland& t, Threads& threads, const Y& y, const P& pushY) {
    t.undone.assign((t.touched.size() + kPosition - 1) / kPosition, 0);
    double left = sumOver(t, threads, t.touched.size(), [&](std::size_t from, std::size_t to) {
        double sum = 0, here = 0, bears = 0;
        for (std::size_t k = from; k < to; ++k) {
            const int i = t.touched[k];
            const std::size_t at = std::size_t(i);
            Vec3d off = {0, 0, 0};
            if (t.mass[at] < kImmense) {
                off = t.load[at].S * y(at);
                for (int u = t.useBegin[at]; u < t.useBegin[at + 1]; ++u) {
                    const std::size_t ahead = std::min(std::size_t(u) + 8, t.use.size() - 1);
                    __builtin_prefetch(&t.added[t.use[ahead].row]);
                    const RowUse& use = t.use[u];
                    const std::size_t row = std::size_t(use.row);
                    const double weight = t.acts[row].weight[use.who];
                    off = off - weight * t.added[row].force;
                    bears += abs(weight) * t.added[row].size;
                }
            }
            t.left[at] = pushY(at) - off;
            t.off[at] = off;
            const double undone = length(t.left[at]);
            sum += undone;
            here += undone;
            if (k % kPosition != kPosition - 1 && k + 1 < to) continue;
            t.undone[k / kPosition] = bears > 0 ? min(1.0, here / bears) : -1;
            here = bears = 0;
        }
        return sum;
    });
    double shares = 0;
    int positions = 0;
    for (double share : t.undone)
        if (share >= 0) {
            shares += share;
            ++positions;
        }
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        const IslandBody& b = t.bodies[k];
        Vec3d force = {0, 0, 0}, torque = {0, 0, 0};
        for (int u = t.useBegin[t.x.size() + k]; b.tree && u < t.useBegin[t.x.size() + k + 1]; ++u) {
            const RowUse& use = t.use[u];
            const ContactRow& r = t.rows[use.row];
            if (!r.acts) continue;
            const RowEnd& e = r.end[use.who / 2];
            const Vec3d v = along(t, e, y);
            const Vec3d f = r.majorise * (r.kt * v + ((r.rho - r.kt) * dot(r.n, v)) * r.n) -
                            (use.who == 0 ? 1.0 : -1.0) * t.added[use.row].force;
            force = force + f;
            torque = torque + cross(b.R * e.surface, f);
        }
        const std::size_t at = bodyAt(t, int(k));
        t.left[at] = pushY(at) - force;
        t.left[at + 1] = pushY(at + 1) - torque;
        t.off[at] = force;
        t.off[at + 1] = torque;
        left += length(t.left[at]) + length(t.left[at + 1]) / max(b.reach, 1e-3);
    }
    return {left, shares / std::max(positions, 1)};
}

template <class F> void eachUnit(CoupledIsland& t, Threads& threads, const F& f) {
    const int a = int(t.ones.size()), b = a + int(t.fours.size()), c = b + int(t.eights.size());
    threads.run(c + t.usedSystems, 1, [&](int from, int to, int) {
        for (int k = from; k < to; ++k) {
            if (k < a)
                f(t.ones[k], k);
            else if (k < b)
                f(t.fours[k - a], k);
            else if (k < c)
                f(t.eights[k - b], k);
            else
                f(k - c, k);
        }
    });
}

// Calls f(first, end) with the range of nodes of each rope of a unit.
template <class W, class F> void eachRope(const CoupledIsland& t, const RopeUnits<W>& g, const F& f) {
    for (int k = 0; k < g.ropes; ++k) {
        const IslandRope& r = t.ropes[g.rope[k]];
        f(std::size_t(r.first), std::size_t(r.first + r.count));
    }
}
template <class F> void eachRope(const CoupledIsland& t, int system, const F& f) {
    for (const IslandRope& r : t.ropes)
        if (r.system == system) f(std::size_t(r.first), std::size_t(r.first + r.count));
}

// Gathers the contact loads of a unit of ropes. Those of a mechanism were gathered by gatherLoads().
template <class W> void gather(CoupledIsland& t, const RopeUnits<W>& g) {
    for (int k = 0; k < g.ropes; ++k) gatherRope(t, t.ropes[g.rope[k]]);
}
void gather(CoupledIsland&, int) {}

// Starts the columns at the first step, before any response. The worker that owns the unit fills the columns,
// and only if a response follows.
void begin(CoupledIsland& t, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
        t.xBefore[i] = t.step[i];
        t.offNow[i] = t.offBefore[i] = {0, 0, 0};
        if (t.useBegin[i] == t.useBegin[i + 1]) t.off[i] = t.left[i] = {0, 0, 0};
    }
}

void open(CoupledIsland& t, Threads& threads) {
    t.goes.assign(t.ones.size() + t.fours.size() + t.eights.size() + std::size_t(t.usedSystems), 0);
    eachUnit(t, threads, [&](auto&& unit, int k) {
        gather(t, unit);
        openUnit(t, unit);
        double most = 0; // a local variable: the column is in the caches of other cores, too
        eachRope(t, unit, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i)
                most = max(most, lengthSquared(t.x[i] + t.step[i] - t.start[i]));
        });
        t.goes[k] = most;
    });
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        IslandBody& b = t.bodies[k];
        const std::size_t at = bodyAt(t, int(k));
        if (b.kind == IslandBody::Kind::Free)
            solveFlyer(*b.tree, b.tree->gp, b.tree->gt, t.step[at], t.step[at + 1]);
        t.xNow[at] = t.xBefore[at] = t.step[at];
        t.xNow[at + 1] = t.xBefore[at + 1] = t.step[at + 1];
        for (auto* column : {&t.off, &t.offNow, &t.offBefore, &t.left})
            (*column)[at] = (*column)[at + 1] = {0, 0, 0};
    }
}

// Computes the response: writes the positions after M^-1 t.off into t.xNow. Returns the dot product
// of the unbalanced force and the displacement from t.xBefore to t.xNow; a positive value is uphill.
double answer(CoupledIsland& t, Threads& threads, bool first) {
    t.sums.assign(t.ropes.size(), 0);
    eachUnit(t, threads, [&](auto&& unit, int) {
        if (first) eachRope(t, unit, [&](std::size_t from, std::size_t to) { begin(t, from, to); });
        answerUnit(t, unit);
    });
    double uphill = 0;
    for (double x : t.sums) uphill += x;
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        const IslandBody& b = t.bodies[k];
        if (!b.tree) continue;
        const std::size_t at = bodyAt(t, int(k));
        if (b.kind == IslandBody::Kind::Free) {
            Vec3d dp, dth;
            solveFlyer(*b.tree, -t.off[at], -t.off[at + 1], dp, dth);
            t.xNow[at] = t.step[at] + dp;
            t.xNow[at + 1] = t.step[at + 1] + dth;
        }
        for (std::size_t i : {at, at + 1}) uphill += dot(t.left[i], t.xNow[i] - t.xBefore[i]);
    }
    return uphill;
}

bool close(CoupledIsland& t, Threads& threads, bool answered) {
    const std::vector<Vec3d>& goes = answered ? t.xNow : t.step;
    t.errors.assign(t.ones.size() + t.fours.size() + t.eights.size() + std::size_t(t.usedSystems), 0);
    eachUnit(t, threads, [&](auto&& unit, int k) {
        t.errors[k] = closeUnit(t, unit, answered);
        double most = 0, sum = 0; // a NaN shows in the sum, but not in the maximum
        eachRope(t, unit, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                const double way = lengthSquared(goes[i]);
                most = max(most, way);
                sum += way;
            }
        });
        t.goes[k] = sum < kNoNumber ? most : kNoNumber;
    });
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        IslandBody& b = t.bodies[k];
        if (b.kind != IslandBody::Kind::Free) continue;
        const std::size_t at = bodyAt(t, int(k));
        b.tree->dp = goes[at];
        b.tree->dth = goes[at + 1];
        moveFlyer(*b.tree, t.time);
        tellBody(b);
    }
    for (double e : t.errors)
        if (!(e <= 1)) return false;
    return true;
}

// Returns whether everything stays where it was at the start of the substep.
bool rests(const CoupledIsland& t) {
    double most = 0, thin = 1e30;
    for (const IslandRope& r : t.ropes) thin = min(thin, r.radius);
    for (double way : t.goes) most = max(most, way);
    return t.bodies.empty() && sqrt(most) < 0.25 * t.def.creeps * thin;
}

} // namespace

bool solveRound(CoupledIsland& t, Threads& threads) {
    const int most = t.heavy && tired(t) ? t.def.answers : t.answers;
    const double felt = t.heavy ? t.def.felt * t.weight : 0;
    auto stepOf = [&](std::size_t i) { return t.step[i]; };
    std::atomic<bool> more{false};
    open(t, threads);
    double bears = rowsAt(t, threads, stepOf, &more);
    for (int k = 0; k < 2 && more; ++k) {
        eachGroup(t, [&](auto& g) { chainMeasure(g.c); }); // the elimination has overwritten the segments
        for (int i = 0; i < t.usedSystems; ++i)
            for (TreeRope& r : t.mechanisms[i].m.ropes)
                if (r.c.nodes > 0) chainMeasure(r.c);
        rowForces(t, threads, true);
        gatherLoads(t);
        open(t, threads);
        bears = rowsAt(t, threads, stepOf, k == 0 ? &more : nullptr);
    }
    // The units have responded to y = 0. From here on they respond to the difference of y from 0.
    double momentum = 1, beta = 0;
    auto led = [&](const std::vector<Vec3d>& now, const std::vector<Vec3d>& before) {
        return [&](std::size_t i) { return now[i] + beta * (now[i] - before[i]); };
    };
    bool answered = false;
    for (int k = 0; k < most && !t.rows.empty(); ++k) {
        Unbalanced left;
        if (k == 0) {
            left = pushBack(t, threads, stepOf, [](std::size_t) { return Vec3d{0, 0, 0}; });
        } else {
            const auto y = led(t.xNow, t.xBefore);
            bears = rowsAt(t, threads, y);
            left = pushBack(t, threads, y, led(t.offNow, t.offBefore));
        }
        // An unbalanced force that lasts acts like an external force, except where nothing moves. So if
        // something moves, the limit of the sum is lower, and the limit of the average is lower still. Heavy
        // islands have their own limit below.
        const bool still = rests(t), even = t.heavy || left.share <= (still ? 1 : 0.1) * t.still;
        if (k == 0 && even && left.sum <= (still ? 1 : 0.3) * t.still * bears) break;
        std::swap(t.xBefore, t.xNow);
        const double uphill = answer(t, threads, k == 0);
        answered = true;
        if ((even && left.sum <= max(t.still * bears, felt)) || k + 1 == most) break;
        if (uphill > 0) momentum = 1;
        const double next = 0.5 * (1 + sqrt(1 + 4 * momentum * momentum));
        beta = uphill > 0 ? 0 : (momentum - 1) / next;
        momentum = next;
        std::swap(t.offBefore, t.offNow);
        std::swap(t.offNow, t.off);
    }
    return close(t, threads, answered);
}

} // namespace capstan
