// SPDX-License-Identifier: MIT
// The coupled solver: impacts of bodies with restitution. See solver/impulse/reflect.hpp.
//
// The iterations of a substep bring bodies that strike to the same velocity. After it, all contacts of bodies give
// back what this substep has added to their multipliers. With the velocities before contact the bodies are reflected.
// An impulse moves whatever joints and ropes take along: the response of a mechanism is its elimination without
// contact, U^-1. The refused alternative takes each body by itself. Then an arm of a ragdoll bounces as if it were
// loose, and the next substep makes up for it.
#include "solver/coupled/rows.hpp"

namespace capstan {
namespace {

constexpr double kMeets = 1e-4; // m: a pair with a smaller gap passes impacts on
constexpr double kDeep = 0.005; // m: bodies that overlap by more when the substep begins do not bounce

bool ofBodies(const ContactRow& r) { return r.end[0].body >= 0 && r.end[1].body >= 0 && !r.inside; }

// The approach at the time of the impact. ContactRow::approach is that at the end of the substep.
double approachOf(const CoupledIsland& t, const ContactRow& r) {
    auto falls = [&](const RowEnd& e) { return t.bodies[e.body].tree ? 1.0 : 0.0; };
    const double share = clamp(r.gap0 / (-t.h * r.approach), 0.0, 1.0);
    return r.approach - (1 - share) * t.h * (falls(r.end[0]) - falls(r.end[1])) * dot(r.n, t.gravity);
}
bool strikes(const CoupledIsland& t, const ContactRow& r) {
    return ofBodies(r) && r.ln > 0 && r.approach < -t.def.restitution;
}

// The lever of the point at which the surfaces met. A ball that spins takes its surface on from there.
Vec3d armOf(const CoupledIsland& t, const RowEnd& e) { return t.bodies[e.body].R0 * e.surface; }

// Adds an impulse of a row to the sums of its bodies: at the levers of the solve, or where the surfaces met.
void thrust(CoupledIsland& t, const ContactRow& r, Vec3d impulse, bool solved) {
    for (int k : {0, 1}) {
        const std::size_t body = std::size_t(r.end[k].body);
        const Vec3d p = k == 0 ? impulse : -impulse;
        t.thrust[body] = t.thrust[body] + p;
        const Vec3d arm = solved ? t.bodies[body].R * r.end[k].surface : armOf(t, r.end[k]);
        t.twist[body] = t.twist[body] + cross(arm, p);
    }
}

// The elimination of a mechanism without contact. Loops keep their forces.
void freeMechanism(MechanismSolver& m) {
    m.touch.clear();
    std::vector<double> forces;
    for (const LoopRow& row : m.rows) forces.push_back(row.mu);
    for (TreeRope& r : m.ropes)
        if (r.c.nodes > 0) chainMeasure(r.c);
    eliminateMechanism(m);
    if (m.rows.empty()) return;
    solveLoops(m);
    for (std::size_t k = 0; k < m.rows.size(); ++k) m.rows[k].mu = forces[k];
}
// Adds an impulse p with the moment l about the centre of a body to the gradients of its mechanism.
void load(CoupledIsland& t, const IslandBody& b, Vec3d p, Vec3d l) {
    MechanismSolver& m = t.mechanisms[b.system].m;
    m.rhsP[b.unit] = m.rhsP[b.unit] - p;
    m.rhsT[b.unit] = m.rhsT[b.unit] + cross(b.tree->r, p) - l;
}
// The change of velocity that the last response gives to a body.
ImpactResponse responseOf(const CoupledIsland& t, int body) {
    const IslandBody& b = t.bodies[body];
    const MechanismSolver& m = t.mechanisms[b.system].m;
    const Vec3d turn = m.xT[b.unit];
    return {body, m.xP[b.unit] - cross(turn, b.tree->r), turn};
}
void turnFaster(TreeBody<double>& b, Vec3d more) {
    b.L = b.L + b.R * multiply(b.inertia, transposeTimes(b.R, more));
}

// Gives the sums of impulses to the bodies and to all that hangs on them.
void applyThrusts(CoupledIsland& t) {
    for (int s = 0; s < t.usedSystems; ++s) clearGradients(t.mechanisms[s].m);
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        IslandBody& b = t.bodies[k];
        if (b.kind == IslandBody::Kind::Jointed) load(t, b, t.thrust[k], t.twist[k]);
        if (b.kind != IslandBody::Kind::Free) continue;
        b.tree->v = b.tree->v + b.invMass * t.thrust[k];
        b.tree->L = b.tree->L + t.twist[k];
    }
    for (int s = 0; s < t.usedSystems; ++s) {
        MechanismSolver& m = t.mechanisms[s].m;
        respondAll(m);
        for (int i = 0; i < m.t.units; ++i) {
            const Unit& u = m.t.unit(i, 0);
            if (!u.rope) {
                TreeBody<double>& b = m.t.body[i];
                b.v = b.v + m.xP[i] - cross(m.xT[i], b.r);
                turnFaster(b, m.xT[i]);
                continue;
            }
            TreeRope& r = m.ropeOf(i);
            for (int k = 0; k < r.c.nodes; ++k) r.c.past[k].v = r.c.past[k].v + m.xNode[u.index][k];
        }
    }
    t.thrust.assign(t.bodies.size(), {0, 0, 0});
    t.twist.assign(t.bodies.size(), {0, 0, 0});
}

// All rows of bodies give back what the substep added.
void giveBack(CoupledIsland& t) {
    t.thrust.assign(t.bodies.size(), {0, 0, 0});
    t.twist.assign(t.bodies.size(), {0, 0, 0});
    for (ContactRow& r : t.rows) {
        if (!ofBodies(r)) continue;
        thrust(t, r, (1 / t.h) * ((r.lnBefore - r.ln) * r.n - (r.ltBefore - r.lt)), true);
        r.ln = r.lnBefore;
        r.lt = r.ltBefore;
    }
    applyThrusts(t);
}

void readVelocities(CoupledIsland& t) {
    Impacts& w = t.impulse.impacts;
    w.clear(t.bodies.size());
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        const IslandBody& b = t.bodies[k];
        if (b.tree) {
            w.v[k] = b.tree->v;
            w.y[k] = angularVelocityOf(*b.tree, b.tree->turn, b.tree->L);
        } else if (b.moves) {
            w.v[k] = (1 / t.h) * (b.now.x - b.start.x);
            w.y[k] = (1 / t.h) * log(normalize(b.now.q * conjugate(b.start.q)));
        }
    }
}

// Lists what an impulse along d at the point of a row does to the bodies that rows act on.
ImpactDirection directionOf(CoupledIsland& t, const ContactRow& r, Vec3d d, const std::vector<int>& jointed) {
    Impacts& w = t.impulse.impacts;
    ImpactDirection to = {
        d, {cross(armOf(t, r.end[0]), d), cross(armOf(t, r.end[1]), d)}, int(w.responses.size()), 0};
    int mechanisms[2] = {-1, -1};
    for (int k : {0, 1}) {
        const IslandBody& b = t.bodies[r.end[k].body];
        const Vec3d p = k == 0 ? d : -d, l = k == 0 ? to.k[0] : -to.k[1];
        if (b.kind == IslandBody::Kind::Free)
            w.responses.push_back(
                {r.end[k].body, b.invMass * p, b.R * multiply(b.invInertia, transposeTimes(b.R, l))});
        if (b.kind != IslandBody::Kind::Jointed) continue;
        if (b.system != mechanisms[0]) clearGradients(t.mechanisms[b.system].m);
        mechanisms[b.system == mechanisms[0] ? 0 : k] = b.system;
        load(t, b, p, l);
    }
    for (int system : mechanisms) {
        if (system < 0) continue;
        respondAll(t.mechanisms[system].m);
        for (int body : jointed)
            if (t.bodies[body].system == system) w.responses.push_back(responseOf(t, body));
    }
    to.end = int(w.responses.size());
    return to;
}

void addPoint(CoupledIsland& t, const ContactRow& r, const ImpactPair& pair,
              const std::vector<int>& jointed) {
    Impacts& w = t.impulse.impacts;
    const Vec3d side = perpendicular(r.n);
    ImpactPoint q;
    q.n = directionOf(t, r, r.n, jointed);
    q.t = directionOf(t, r, side, jointed);
    q.u = directionOf(t, r, cross(r.n, side), jointed);
    const double n = w.yields(pair, q.n, q.n), tt = w.yields(pair, q.t, q.t), uu = w.yields(pair, q.u, q.u),
                 tu = w.yields(pair, q.t, q.u), half = 0.5 * (tt - uu);
    const double most = 0.5 * (tt + uu) + sqrt(half * half + tu * tu);
    q.massN = n > 0 ? 1 / n : 0;
    q.massT = most > 0 ? 1 / most : 0;
    q.approach = r.approach < -t.def.restitution ? approachOf(t, r) : 0;
    q.ln = q.lt = q.lu = 0;
    w.points.push_back(q);
}

// Takes the bodies of mechanisms back to where the substep began: there the surfaces meet as the rows say. At the end
// friction has turned them, and a dumbbell whose ball strikes loses up to a fifth too much. Called again, it takes them
// to the end.
void exchangePoses(CoupledIsland& t, std::vector<Pose>& poses) {
    poses.resize(t.bodies.size());
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        if (t.bodies[k].kind != IslandBody::Kind::Jointed) continue;
        TreeBody<double>& b = *t.bodies[k].tree;
        const Pose now = {b.x, b.q};
        b.x = poses[k].x;
        b.q = poses[k].q;
        b.R = toMat3(b.q);
        poses[k] = now;
    }
    for (int s = 0; s < t.usedSystems; ++s) measureSystem(t.mechanisms[s].m);
}

// Rows of two bodies follow each other; those of one normal make a pair.
void addPairs(CoupledIsland& t, const std::vector<int>& rows, const std::vector<int>& jointed) {
    Impacts& w = t.impulse.impacts;
    const ContactRow* before = nullptr;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ContactRow& r = t.rows[rows[i]];
        if (!before || before->a != r.a || before->b != r.b)
            w.pairs.push_back({{r.end[0].body, r.end[1].body}, int(i), int(i), r.restitution, r.slide, 0});
        before = &r;
        addPoint(t, r, w.pairs.back(), jointed);
        w.pairs.back().end = int(i) + 1;
    }
}

// Returns whether bodies are embedded or a solve has diverged. Then the rows do not say how the bodies move. Impulses
// that the rows give back would drive the bodies apart: compounds put into each other reached 760 m/s.
bool stuck(const CoupledIsland& t) {
    for (const ContactRow& r : t.rows)
        if (ofBodies(r) && (r.inside || r.gap0 < -kDeep)) return true;
    for (int k = 0; k < t.usedSystems; ++k)
        if (t.mechanisms[k].lost) return true;
    for (const IslandBody& b : t.bodies)
        if (b.lost) return true;
    return false;
}

} // namespace

void restoreBodies(CoupledIsland& t) {
    bool some = false;
    for (const ContactRow& r : t.rows) some = some || (strikes(t, r) && (!t.exact || r.restitution > 0));
    if (!some || stuck(t)) return;
    std::vector<int> rows, jointed;
    for (std::size_t k = 0; k < t.rows.size(); ++k)
        if (ofBodies(t.rows[k]) && (t.rows[k].ln > 0 || gapOf(t, t.rows[k]) < kMeets)) rows.push_back(int(k));
    for (std::size_t k = 0; k < t.bodies.size(); ++k)
        if (t.bodies[k].kind == IslandBody::Kind::Jointed) jointed.push_back(int(k));
    for (int s = 0; s < t.usedSystems; ++s) freeMechanism(t.mechanisms[s].m);
    giveBack(t);
    readVelocities(t);
    std::vector<Pose> poses;
    for (const IslandBody& b : t.bodies) poses.push_back(b.start);
    exchangePoses(t, poses);
    for (int s = 0; s < t.usedSystems; ++s) freeMechanism(t.mechanisms[s].m);
    addPairs(t, rows, jointed);
    Impacts& w = t.impulse.impacts;
    reflect(w);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ContactRow& r = t.rows[rows[i]];
        const ImpactPoint& q = w.points[i];
        thrust(t, r, q.ln * q.n.d + q.lt * q.t.d + q.lu * q.u.d, false);
        if (q.ln > 0) t.struck.push_back({r.a, r.b, q.ln});
    }
    applyThrusts(t);
    exchangePoses(t, poses);
}

} // namespace capstan
