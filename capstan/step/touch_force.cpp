// SPDX-License-Identifier: MIT
// Touch: rows into forces and stiffness, forces back into multipliers. See touch.hpp.
#include <capstan/step/touch_rows.hpp>

namespace capstan {
namespace {

// How easily a side moves along n: the inverse of its local stiffness. A body that joints hold counts as immovable:
// what holds it is stiffer than itself.
double yieldOf(const Touch& t, const RowEnd& e, Vec3d n, bool jointsHold) {
    if (e.body < 0) {
        const double a = 1 - e.c, b = e.c;
        auto free = [&](int node) {
            const std::size_t i = std::size_t(node);
            return t.mass[i] >= kImmense ? 0.0 : 1 / t.stiff[i];
        };
        return a * a * free(e.i) + b * b * free(e.j);
    }
    const TouchBody& b = t.bodies[std::size_t(e.body)];
    if (b.kind == TouchBody::Kind::Ground || (jointsHold && b.kind == TouchBody::Kind::Jointed)) return 0;
    const Vec3d l = transposeTimes(b.R, cross(b.R * e.surface, n)), &I = b.invInertia;
    return b.invMass + l.x * l.x * I.x + l.y * l.y * I.y + l.z * l.z * I.z;
}

void rowForce(Touch& t, TouchRow& r) {
    double yield = yieldOf(t, r.end[0], r.n, true) + yieldOf(t, r.end[1], r.n, true);
    if (!(yield > 0)) yield = yieldOf(t, r.end[0], r.n, false) + yieldOf(t, r.end[1], r.n, false);
    r.rho = yield > 0 ? t.def.rho / yield : 0;
    for (int k : {0, 1}) r.was[k] = coreOf(t, r.end[k]);
    r.fn = r.ln - r.rho * (dot(r.n, r.was[0] - r.was[1]) - r.D - r.allowed);
    r.acts = r.fn > 0;
    if (!r.acts) return;
    Vec3d tau = r.lt + r.rho * slipOf(t, r);
    const double size = length(tau), most = (r.slips ? r.slide : r.stick) * r.fn;
    r.kt = r.rho, r.along = {0, 0, 0};
    if (size > most) {
        const double bound = r.slide * r.fn / size;
        tau = bound * tau, r.kt = bound * r.rho;
        r.along = (1 / max(r.slide * r.fn, 1e-300)) * tau;
    } else if (r.slips && size > 0) {
        r.along = (1 / size) * tau; // it slipped before: it is not taken to stick from where the round begins
    }
    r.kt = max(r.kt, r.fn / max(r.D, 1e-3)); // geometric stiffness of the normal force
    r.F = tau - r.fn * r.n;
}

// Weight of node i, or of a body, in an end of a row; the second end counts against the first.
double weightOf(const TouchRow& r, int end, int node) {
    const RowEnd& e = r.end[end];
    const double w = e.body >= 0 ? 1 : node == e.i ? 1 - e.c : e.c;
    return end == 0 ? w : -w;
}

// Sideways, friction that slips hardly stiffens along its own direction. (Where it does, a rope that is pulled beyond
// the limit crawls; without any stiffness at all fine capstans shake.)
Sym3<double> stiffnessOf(const TouchRow& r, double weight, double slipping) {
    return weight * (Sym3<double>::scaledIdentity(r.kt) + (r.rho - r.kt) * outer(r.n) -
                     ((1 - slipping) * r.kt) * outer(r.along));
}

} // namespace

void rowForces(Touch& t, Threads& threads, bool opening) {
    threads.run(int(t.rows.size()), 64, [&](int from, int to, int) {
        for (int k = from; k < to; ++k) {
            TouchRow& r = t.rows[std::size_t(k)];
            if (!opening) relinearize(t, r);
            rowForce(t, r);
        }
    });
}

void gatherLoads(Touch& t, Threads& threads) {
    const int nodes = int(t.x.size());
    threads.run(nodes, 256, [&](int from, int to, int) {
        for (int i = from; i < to; ++i) {
            NodeLoad<double> sum = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
            for (int u = t.useBegin[std::size_t(i)]; u < t.useBegin[std::size_t(i) + 1]; ++u) {
                const RowUse& use = t.use[std::size_t(u)];
                const TouchRow& r = t.rows[std::size_t(use.row)];
                if (!r.acts) continue;
                const double c = weightOf(r, use.end, i);
                sum.S += stiffnessOf(r, t.def.majorise * abs(c), t.def.slipping);
                sum.g = sum.g + c * r.F;
            }
            t.load[std::size_t(i)] = sum;
        }
    });
    for (int k = 0; k < t.usedSystems; ++k) t.systems[std::size_t(k)].m.touch.clear();
    for (const TouchRope& r : t.ropes) {
        if (r.system < 0) continue;
        Mechanism& m = t.systems[std::size_t(r.system)].m;
        for (int i = 0; i < r.count; ++i) {
            const std::size_t at = std::size_t(r.first + i);
            if (t.useBegin[at] < t.useBegin[at + 1])
                m.touch.push_back({r.unit, i, {0, 0, 0}, t.load[at].S, t.load[at].g});
        }
    }
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        TouchBody& b = t.bodies[k];
        if (b.kind == TouchBody::Kind::Ground) continue;
        if (b.kind == TouchBody::Kind::Free) assemble(*b.tree);
        const std::size_t at = std::size_t(nodes) + k;
        for (int u = t.useBegin[at]; u < t.useBegin[at + 1]; ++u) {
            const RowUse& use = t.use[std::size_t(u)];
            const TouchRow& r = t.rows[std::size_t(use.row)];
            if (!r.acts) continue;
            const Vec3d arm = b.R * r.end[use.end].surface, g = weightOf(r, use.end, -1) * r.F;
            const Sym3<double> K = stiffnessOf(r, t.def.majorise, t.def.slipping);
            if (b.kind == TouchBody::Kind::Free)
                addTouch(*b.tree, arm, K, g);
            else
                t.systems[std::size_t(b.system)].m.touch.push_back({b.unit, 0, arm, K, g});
        }
    }
}

void lookAtRound(Touch& t, Threads& threads) {
    threads.run(int(t.rows.size()), 64, [&](int from, int to, int) {
        for (int k = from; k < to; ++k) {
            TouchRow& r = t.rows[std::size_t(k)];
            r.drag = 0;
            const double fn = max(0.0, r.ln - r.rho * (gapOf(t, r) - r.allowed));
            r.change = abs(fn - r.ln), r.bears = fn;
            if (!r.acts) continue;
            const Sym3<double> K = stiffnessOf(r, t.def.majorise, t.def.slipping);
            // What sticks hardly moves, and its multipliers take up the rest in the substeps to come.
            const double weight = r.slips || t.heavy ? 1 : 0.2;
            for (int e : {0, 1}) r.drag += weight * length(K * (coreOf(t, r.end[e]) - r.was[e]));
        }
    });
}

void keepMultipliers(Touch& t, Threads& threads, bool fresh) {
    threads.run(int(t.rows.size()), 64, [&](int from, int to, int) {
        for (int k = from; k < to; ++k) {
            TouchRow& r = t.rows[std::size_t(k)];
            if (r.fresh && !fresh) continue;
            const double fn = r.ln - r.rho * (gapOf(t, r) - r.allowed);
            if (!(fn > 0)) {
                r.ln = 0, r.lt = {0, 0, 0}, r.slips = false;
                continue;
            }
            Vec3d tau = r.lt + r.rho * slipOf(t, r);
            tau = tau - dot(tau, r.n) * r.n;
            const double size = length(tau), most = (r.slips ? r.slide : r.stick) * fn;
            r.slips = size > most;
            if (r.slips) tau = (size > 0 ? r.slide * fn / size : 0.0) * tau;
            r.ln = fn, r.lt = tau;
        }
    });
}

// What a round leaves undone: the stiffness of the rows times the steps just made, which acted like a force that is not
// there, and takes momentum and speed away; and, under heavy loads, how much the forces still change.
bool settled(const Touch& t) {
    double change = 0, drag = 0, sum = 0;
    for (const TouchRow& r : t.rows) change += r.change, drag += r.drag, sum += r.bears;
    return drag <= t.def.still * sum && (!t.heavy || change <= t.def.settled * sum);
}

double worstGap(const Touch& t) {
    double worst = 0;
    for (const TouchRow& r : t.rows)
        if (r.ln > 0 || r.acts) worst = min(worst, (gapOf(t, r) - r.allowed) / max(r.D, 1e-3));
    return worst;
}

// After the substep: what struck faster than a little gets the share of its speed back that its restitution says.
// Speeds are those of the bodies; a rope does not bounce.
void bounceBodies(Touch& t) {
    auto speed = [&](const RowEnd& e, Vec3d& arm) -> Vec3d {
        if (e.body < 0) return {0, 0, 0};
        TouchBody& b = t.bodies[std::size_t(e.body)];
        arm = b.R * e.surface;
        if (!b.tree) return (1 / t.h) * shiftOf(t, e);
        return b.tree->v + cross(spinOf(*b.tree, b.tree->turn, b.tree->L), arm);
    };
    for (TouchRow& r : t.rows) {
        if (!(r.bounce > 0) || !(r.ln > 0) || !(r.approach < -t.def.bounce)) continue;
        Vec3d arm[2] = {{0, 0, 0}, {0, 0, 0}};
        const Vec3d v0 = speed(r.end[0], arm[0]), v1 = speed(r.end[1], arm[1]);
        const double yield = yieldOf(t, r.end[0], r.n, false) + yieldOf(t, r.end[1], r.n, false);
        const double missing = -r.bounce * r.approach - dot(r.n, v0 - v1);
        if (!(missing > 0) || !(yield > 0)) continue;
        for (int k : {0, 1}) {
            if (r.end[k].body < 0) continue;
            TouchBody& b = t.bodies[std::size_t(r.end[k].body)];
            if (!b.tree) continue;
            const Vec3d impulse = ((k == 0 ? 1 : -1) * missing / yield) * r.n;
            b.tree->v = b.tree->v + b.invMass * impulse;
            b.tree->L = b.tree->L + cross(arm[k], impulse);
        }
    }
}

} // namespace capstan
