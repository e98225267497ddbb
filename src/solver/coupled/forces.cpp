// SPDX-License-Identifier: MIT
// The coupled solver: computes forces and stiffness of rows, and multipliers from the forces. See island.hpp.
#include "solver/coupled/rows.hpp"

namespace capstan {
namespace {

// Returns the compliance of one side along n: the inverse of its local stiffness. With jointsHold, a body
// with joints counts as immovable, because its joints are stiffer than its own inertia.
double yieldOf(const CoupledIsland& t, const RowEnd& e, Vec3d n, bool jointsHold) {
    if (e.body < 0) {
        const double a = 1 - e.c, b = e.c;
        auto free = [&](int node) {
            const std::size_t i = std::size_t(node);
            return t.mass[i] >= kImmense ? 0.0 : 1 / t.stiff[i];
        };
        const double across = a * a * free(e.i) + b * b * free(e.j),
                     strut = max(t.endYield[e.i], t.endYield[e.j]);
        if (strut < 0) return across;
        const Vec3d d = t.x[e.j] - t.x[e.i];
        const double share = min(1.0, dot(n, d) * dot(n, d) / max(lengthSquared(d), 1e-300));
        return share * strut + (1 - share) * across;
    }
    const IslandBody& b = t.bodies[e.body];
    if (b.kind == IslandBody::Kind::Ground || (jointsHold && b.kind == IslandBody::Kind::Jointed)) return 0;
    const Vec3d l = transposeTimes(b.R, cross(b.R * e.surface, n)), &I = b.invInertia;
    return b.invMass + l.x * l.x * I.x + l.y * l.y * I.y + l.z * l.z * I.z;
}

bool ofStrut(const CoupledIsland& t, const RowEnd& e) {
    return e.body < 0 && max(t.endYield[e.i], t.endYield[e.j]) >= 0;
}

bool fixed(const CoupledIsland& t, const RowEnd& e) { return e.body >= 0 && !t.bodies[e.body].tree; }

// Returns whether both ends of the row are pinned nodes that are nearer than their ropes are thick. To open
// such a gap, the free nodes beside the pins would have to move many times as far. The step bound keeps such
// pins apart.
bool betweenHands(const CoupledIsland& t, const ContactRow& r) {
    auto hand = [&](const RowEnd& e) {
        if (e.body >= 0) return false;
        return t.mass[e.c > 0.5 ? e.j : e.i] >= kImmense && abs(e.c - 0.5) > 0.3;
    };
    return hand(r.end[0]) && hand(r.end[1]);
}

void rowForce(const CoupledIsland& t, ContactRow& r) {
    if (betweenHands(t, r)) {
        r.rho = r.ln = r.fn = 0;
        r.lt = {0, 0, 0};
        r.acts = r.met = false;
        r.gapHere = 1e30;
        return;
    }
    // The load of a strut moves as a whole, so there the mass of a body counts although joints hold it.
    const bool jointsHold = !ofStrut(t, r.end[0]) && !ofStrut(t, r.end[1]);
    double yield = yieldOf(t, r.end[0], r.n, jointsHold) + yieldOf(t, r.end[1], r.n, jointsHold);
    if (!(yield > 0)) yield = yieldOf(t, r.end[0], r.n, false) + yieldOf(t, r.end[1], r.n, false);
    r.rho = yield > 0 ? (t.heavy ? t.def.heavyRho : t.def.rho) / yield : 0;
    // The factor is the sum of the row's weights. With it the diagonal blocks are at least as stiff as the
    // row itself.
    r.majorise = fixed(t, r.end[0]) || fixed(t, r.end[1]) ? 1 : 2;
    if (r.inside) {
        r.rho = yield > 0 ? t.def.drag / yield : 0;
        r.kt = r.rho;
        r.fn = 0;
        r.acts = r.met = true;
        r.slipHere = shiftOf(t, r.end[0]) - shiftOf(t, r.end[1]) - (r.walk * t.h) * r.n;
        r.first = forceAt(r, {0, 0, 0});
        return;
    }
    r.gapHere = gapOf(t, r) - r.allowed;
    r.slipHere = slipOf(t, r);
    r.fn = r.ln - r.rho * r.gapHere;
    r.acts = r.met = r.fn > 0 || r.met || r.gapHere < t.def.near * r.D;
    if (!r.acts) return;
    r.first = forceAt(r, {0, 0, 0});
    // Sideways stiffness. For a row that slips or does not push yet, it is a fraction of rho. The fraction is
    // the friction limit over the trial force, but at least def.slipping.
    const double size = length(r.lt + r.rho * r.slipHere),
                 most = (r.slipping ? r.slide : r.stick) * max(r.fn, 0.0);
    r.kt = (size <= most || !r.slipping) && r.fn > 0
               ? r.rho
               : max(t.def.slipping, size > 0 ? min(1.0, most / size) : 0.0) * r.rho;
}

Sym3<double> stiffnessOf(double kt, double rho, Vec3d n, double weight) {
    return weight * (Sym3<double>::scaledIdentity(kt) + (rho - kt) * outer(n));
}

} // namespace

void rowForces(CoupledIsland& t, Threads& threads, bool opening) {
    threads.run(int(t.rows.size()), 16, [&](int from, int to, int) {
        for (int k = from; k < to; ++k) {
            fetchNodes(t, std::size_t(k) + kRowsAhead, t.x);
            fetchNodes(t, std::size_t(k) + kRowsAhead, t.stiff);
            ContactRow& r = t.rows[k];
            if (!opening) relinearize(t, r);
            rowForce(t, r);
            // The actions of rows with an impulse were written when the rows were found.
            const bool presses = t.presses[k] != 0;
            if (r.inside || (opening ? r.acts && !presses : r.acts || presses))
                tellPosition(t, std::size_t(k));
            tellForce(t, std::size_t(k));
        }
    });
}

void gatherRope(CoupledIsland& t, const IslandRope& rope) {
    for (std::size_t i = std::size_t(rope.first); i < std::size_t(rope.first + rope.count); ++i) {
        NodeLoad<double> sum = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
        double turn = 0;
        for (int u = t.useBegin[i]; u < t.useBegin[i + 1]; ++u) {
            fetchRow(t, u + 6);
            const RowUse& use = t.use[u];
            const CoupledIsland::RowAction& a = t.acts[use.row];
            const CoupledIsland::RowForce& r = t.told[use.row];
            if (a.majorise == 0) continue;
            const double c = a.weight[use.who];
            sum.S += stiffnessOf(r.kt, r.rho, a.n, a.majorise * abs(c));
            sum.g = sum.g + c * r.first;
            if (use.who % 2 == 0) turn += r.turn;
        }
        t.load[i] = sum;
        t.turn[i] = t.def.turn * turn;
    }
}

void gatherLoads(CoupledIsland& t) {
    const std::size_t nodes = t.x.size();
    for (int k = 0; k < t.usedSystems; ++k) t.mechanisms[k].m.touch.clear();
    for (const IslandRope& r : t.ropes) {
        if (r.system < 0) continue;
        gatherRope(t, r);
        MechanismSolver& m = t.mechanisms[r.system].m;
        TreeRope& rope = m.ropeOf(r.unit);
        for (int i = 0; i < r.count; ++i) {
            const std::size_t at = std::size_t(r.first + i);
            if (i + 1 < r.count) rope.node(i + 1).t += t.turn[at];
            if (t.useBegin[at] < t.useBegin[at + 1])
                m.touch.push_back({r.unit, i, {0, 0, 0}, t.load[at].S, t.load[at].g});
        }
    }
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        IslandBody& b = t.bodies[k];
        if (b.kind == IslandBody::Kind::Ground) continue;
        if (b.kind == IslandBody::Kind::Free) assemble(*b.tree);
        const std::size_t at = nodes + k;
        for (int u = t.useBegin[at]; u < t.useBegin[at + 1]; ++u) {
            const RowUse& use = t.use[u];
            const ContactRow& r = t.rows[use.row];
            if (!r.acts) continue;
            const Vec3d arm = b.R * r.end[use.who / 2].surface, g = (use.who == 0 ? 1.0 : -1.0) * r.first;
            const Sym3<double> K = stiffnessOf(r.kt, r.rho, r.n, r.majorise);
            if (b.kind == IslandBody::Kind::Free)
                addTouch(*b.tree, arm, K, g);
            else
                t.mechanisms[b.system].m.touch.push_back({b.unit, 0, arm, K, g});
        }
    }
}

void lookAtRound(CoupledIsland& t, Threads& threads) {
    threads.run(int(t.rows.size()), 64, [&](int from, int to, int) {
        for (int k = from; k < to; ++k) {
            ContactRow& r = t.rows[k];
            const double fn = r.inside ? 0 : max(0.0, r.ln - r.rho * (gapOf(t, r) - r.allowed));
            r.change = abs(fn - r.ln);
            r.bears = fn;
        }
    });
}

double keepMultipliers(CoupledIsland& t, Threads& threads, bool known, bool fresh) {
    sumOver(t, threads, t.rows.size(), [&](std::size_t from, std::size_t to) {
        double least = 0;
        for (std::size_t k = from; k < to; ++k) {
            fetchNodes(t, k + kRowsAhead, t.x);
            ContactRow& r = t.rows[k];
            if (r.inside) continue;
            const double gap = gapOf(t, r) - r.allowed;
            if (r.ln > 0 || r.acts) least = min(least, gap / max(r.D, 1e-3));
            if (!(r.fresh ? fresh : known)) continue;
            const double fn = r.ln - r.rho * gap;
            if (!(fn > 0)) {
                r.ln = 0;
                r.lt = {0, 0, 0};
                r.slipping = false;
                continue;
            }
            Vec3d tau = r.lt + r.rho * slipOf(t, r);
            tau = tau - dot(tau, r.n) * r.n;
            const double size = length(tau), most = (r.slipping ? r.slide : r.stick) * fn;
            r.slipping = size > most;
            if (r.slipping) tau = (size > 0 ? r.slide * fn / size : 0.0) * tau;
            r.ln = fn;
            r.lt = tau;
        }
        return least;
    });
    double worst = 0;
    for (double x : t.sums) worst = min(worst, x);
    return worst;
}

// Where a rope without stretch carries a mass much larger than its nodes, local stiffness is too low an estimate.
// Multipliers then approach their limit by a nearly constant factor q in each iteration: 0.96 where 10 kg swing
// about a peg. The limit of the geometric series is q / (1 - q) times the last change away (Aitken). Without that
// the same pendulum takes 14 iterations a substep instead of 6. At 16 substeps they run out and it loses 34 %.
constexpr double kAlike = 0.98;       // least cosine of two changes that follow each other
constexpr double kLargestRatio = 0.9; // at 0.98 the pendulum gains 2 % at 16 substeps
constexpr double kLeastRatio = 0.3;

void beginSeries(CoupledIsland& t) {
    t.forceBefore.resize(t.rows.size());
    for (std::size_t k = 0; k < t.rows.size(); ++k)
        t.forceBefore[k] = t.rows[k].lt - t.rows[k].ln * t.rows[k].n;
}

void extrapolate(CoupledIsland& t) {
    std::swap(t.change, t.changeBefore);
    t.change.resize(t.rows.size());
    for (std::size_t k = 0; k < t.rows.size(); ++k)
        t.change[k] = (t.rows[k].lt - t.rows[k].ln * t.rows[k].n) - t.forceBefore[k];
    if (++t.changes < 2) return;
    double both = 0, square = 0, own = 0;
    for (std::size_t k = 0; k < t.rows.size(); ++k) {
        both += dot(t.change[k], t.changeBefore[k]);
        square += dot(t.changeBefore[k], t.changeBefore[k]);
        own += dot(t.change[k], t.change[k]);
    }
    const double q = square > 0 ? min(both / square, kLargestRatio) : 0;
    if (!(both > kAlike * sqrt(square * own)) || !(q > kLeastRatio)) return;
    t.changes = 0;
    for (std::size_t k = 0; k < t.rows.size(); ++k) {
        ContactRow& r = t.rows[k];
        if (!(r.ln > 0)) continue;
        const Vec3d more = (q / (1 - q)) * t.change[k];
        const double away = dot(more, r.n);
        r.ln = max(0.1 * r.ln, r.ln - away); // a row that presses goes on pressing
        r.lt = r.lt + (more - away * r.n);
    }
}

// Returns whether the forces of the rows have stopped changing.
bool settled(const CoupledIsland& t) {
    double change = 0, sum = 0;
    for (const ContactRow& r : t.rows) {
        change += r.change;
        sum += r.bears;
    }
    return change <= max(t.def.settled * sum, t.def.felt * t.weight);
}

} // namespace capstan
