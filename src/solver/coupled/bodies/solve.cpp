// SPDX-License-Identifier: MIT
// The coupled solver: the rounds of a substep of an island that has bodies only, such as a chain of links. In each round
// the points, normals and multipliers of the rows are fixed, and all bodies are solved at once (minimise.cpp). After it
// the rows are found again at the new poses, and the multipliers take the forces of the round:
//     ln <- max(0, ln - rho (gap - allowed)),    lt <- lt + rho u, at most `grip`
//
// This is the augmented Lagrangian of island.hpp, but the penalty rho is thousands of times as stiff, since its round is
// exact. A load of 100 kg on 50 links of 0.4 kg would need thousands of rounds otherwise.
#include "solver/coupled/bodies/body_solver.hpp"

#include <algorithm>

namespace capstan {
namespace {

constexpr int kRounds = 20; // largest number of rounds in a substep
// Penalty of a row, in local stiffnesses. With 1e6 a chain that swings needs twice to four times as many steps of Newton.
// With 1e4 and 100 kg on 50 links it needs 1.4 times as many rounds.
constexpr double kStiff = 3e4;
constexpr double kMoves = 1e-4; // m/s: rounds end when no body moves faster than this from one to the next
// Rounds in which the limit of friction follows the normal force; further ones keep it. If all follow it, two contacts of
// one link hand the load to and fro, and the rounds of a swinging chain never end.
constexpr int kGrips = 3;
// A gap or overlap that is smaller is kept. A row that closes it would integrate what a round leaves, and the whole chain
// would tremble at 0.2 mm/s for ever.
constexpr double kSlack = 1e-7;   // m
constexpr double kRecovers = 0.2; // fraction of a larger overlap that a substep takes out
constexpr double kBlocks = 12;    // largest number of blocks below the diagonal, by body
constexpr double kGains = 1e-6; // of the kinetic energy: what rounding and free rotation may add in a substep
constexpr double kDeep = 0.005; // m: bodies that overlap by more were put into each other

double yieldOf(const CoupledIsland& t, const RowEnd& e, Vec3d n) {
    const IslandBody& b = t.bodies[e.body];
    if (!b.tree) return 0;
    const Vec3d l = transposeTimes(b.R, cross(b.R * e.surface, n)), &I = b.invInertia;
    return b.invMass + l.x * l.x * I.x + l.y * l.y * I.y + l.z * l.z * I.z;
}

void listUnknowns(const CoupledIsland& t, BodySolver& s) {
    s.unknownOf.assign(t.bodies.size(), -1);
    s.bodyOf.clear();
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        if (!t.bodies[k].tree) continue;
        s.unknownOf[k] = int(s.bodyOf.size());
        s.bodyOf.push_back(int(k));
    }
    s.edges.clear();
    for (const ContactRow& r : t.rows) {
        const int a = s.unknownOf[r.end[0].body], b = s.unknownOf[r.end[1].body];
        if (a >= 0 && b >= 0) s.edges.push_back({std::min(a, b), std::max(a, b)});
    }
    std::sort(s.edges.begin(), s.edges.end());
    s.edges.erase(std::unique(s.edges.begin(), s.edges.end()), s.edges.end());
    if (s.edges == s.edgesBefore && s.matrix.position.size() == s.bodyOf.size()) return;
    s.edgesBefore = s.edges;
    s.sparse = s.matrix.order(int(s.bodyOf.size()), s.edges, std::size_t(kBlocks * double(s.bodyOf.size())));
}

// The gaps to which the rows lead. A row between bodies that touch keeps a gap within kSlack.
void allowGaps(CoupledIsland& t) {
    for (ContactRow& r : t.rows)
        if (r.gap0 < 0)
            r.allowed = r.gap0 + min(kRecovers * max(0.0, -r.gap0 - kSlack), t.def.push * t.h);
        else
            r.allowed = r.ln > 0 ? min(r.gap0, kSlack) : 0;
}

// In the first round the limit of friction is that of the last substep. In the next ones it only falls, but for new
// contacts. Otherwise the force of a contact that opens in the round would rub on.
void limitFriction(const CoupledIsland& t, BodySolver& s, bool first) {
    s.grips.resize(t.rows.size());
    for (std::size_t k = 0; k < t.rows.size(); ++k) {
        const ContactRow& r = t.rows[k];
        const double grip = (r.slipping ? r.slide : r.stick) * r.ln;
        s.grips[k] = first || s.grips[k] == 0 ? grip : min(s.grips[k], grip);
    }
}

// The linear function of a row about the iterate.
BodyRow rowOf(const CoupledIsland& t, const BodySolver& s, ContactRow& r, double grip) {
    BodyRow out;
    out.n = r.n;
    for (int k : {0, 1}) {
        out.unknown[k] = s.unknownOf[r.end[k].body];
        out.arm[k] = t.bodies[r.end[k].body].R * r.end[k].surface;
    }
    if (out.unknown[0] >= 0 && out.unknown[1] >= 0) {
        out.block = s.matrix.blockOf(out.unknown[0], out.unknown[1]);
        out.swapped = s.matrix.position[out.unknown[0]] < s.matrix.position[out.unknown[1]];
    }
    const double yield = yieldOf(t, r.end[0], r.n) + yieldOf(t, r.end[1], r.n);
    out.rho = r.rho = yield > 0 ? kStiff / yield : 0;
    out.push = r.ln - r.rho * (gapOf(t, r) - r.allowed);
    r.lt = r.lt - dot(r.lt, r.n) * r.n; // the normal may be new
    out.rub = r.lt + r.rho * slipOf(t, r);
    out.grip = grip;
    return out;
}

// Writes the rows, and the blocks of the bodies alone with the geometric stiffness of the rows' forces.
void linearise(CoupledIsland& t, BodySolver& s) {
    for (int body : s.bodyOf) assemble(*t.bodies[body].tree);
    s.rows.clear();
    for (std::size_t i = 0; i < t.rows.size(); ++i) {
        ContactRow& r = t.rows[i];
        s.rows.push_back(rowOf(t, s, r, s.grips[i]));
        const Vec3d force = r.lt - r.ln * r.n;
        for (int k : {0, 1})
            if (TreeBody<double>* b = t.bodies[r.end[k].body].tree; b && r.ln > 0)
                b->A += geometric(k == 0 ? force : -force, s.rows.back().arm[k]);
    }
    s.own.resize(s.bodyOf.size());
    for (std::size_t k = 0; k < s.bodyOf.size(); ++k) {
        const TreeBody<double>& b = *t.bodies[s.bodyOf[k]].tree;
        const Sym3<double>& A = b.A;
        const double turn[9] = {A.xx, A.xy, A.xz, A.xy, A.yy, A.yz, A.xz, A.yz, A.zz};
        s.own[k].fill(0);
        for (int i = 0; i < 3; ++i) {
            s.own[k][7 * i] = b.mass;
            for (int j = 0; j < 3; ++j) s.own[k][6 * (i + 3) + j + 3] = turn[3 * i + j];
        }
    }
}

// Moves all bodies by the step. Returns the longest move of a point [m].
double move(CoupledIsland& t, const BodySolver& s) {
    double most = 0;
    for (std::size_t k = 0; k < s.bodyOf.size(); ++k) {
        IslandBody& b = t.bodies[s.bodyOf[k]];
        const BlockFactor::Part& x = s.x[k];
        b.tree->dp = {x[0], x[1], x[2]};
        b.tree->dth = {x[3], x[4], x[5]};
        const double way = length(b.tree->dp) + b.reach * length(b.tree->dth);
        if (!(way <= most)) most = way; // also if it is not a number
        moveFlyer(*b.tree, t.time);
        tellBody(b);
    }
    return most;
}

// Updates the multipliers. Returns the largest error of a gap between bodies that press each other [m].
double takeForces(CoupledIsland& t, const BodySolver& s) {
    double most = 0;
    for (std::size_t k = 0; k < t.rows.size(); ++k) {
        ContactRow& r = t.rows[k];
        const double gap = gapOf(t, r) - r.allowed;
        r.ln = r.ln - r.rho * gap;
        if (!(r.ln > 0)) {
            r.ln = 0;
            r.lt = {0, 0, 0};
            r.slipping = false;
            continue;
        }
        most = max(most, abs(gap));
        const Vec3d tau = r.lt + r.rho * slipOf(t, r);
        r.lt = tau - dot(tau, r.n) * r.n;
        const double size = length(r.lt);
        r.slipping = size > s.grips[k];
        if (r.slipping) r.lt = (s.grips[k] / size) * r.lt;
    }
    return most;
}

// The kinetic energy of a body [J].
double energyOf(const TreeBody<double>& b, Vec3d v, Vec3d L, Quatd q) {
    return 0.5 * (b.mass * dot(v, v) + dot(L, angularVelocityOf(b, q, L)));
}
// The work that moving ground does on the bodies in this substep [J].
double workOfGround(const CoupledIsland& t) {
    double work = 0;
    for (const ContactRow& r : t.rows)
        for (int k : {0, 1})
            if (t.bodies[r.end[k].body].moves && r.ln > 0)
                work += (k == 0 ? 1 : -1) * dot(r.lt - r.ln * r.n, shiftOf(t, r.end[k])) / (t.h * t.h);
    return work;
}

// Contact takes energy: an implicit step is a projection. Forces that are not balanced, and overlaps that are pushed apart,
// could add some. Then all bodies are slowed down. They keep the kinetic energy of before, plus the work of gravity, of
// external forces and of moving ground.
void limitEnergy(CoupledIsland& t, BodySolver& s) {
    bool presses = false;
    for (const ContactRow& r : t.rows) presses = presses || r.ln > 0;
    s.limit = kNoNumber;
    if (!presses) return;
    double before = 0, after = 0, work = workOfGround(t);
    for (const IslandBody& b : t.bodies) {
        if (!b.tree) continue;
        const double now = energyOf(*b.tree, b.tree->vNow, b.tree->LNow, b.tree->q);
        if (!(now < kNoNumber)) continue; // diverged.cpp stops this body
        after += now;
        before += energyOf(*b.tree, b.tree->v, b.tree->L, b.tree->turn);
        work += dot(b.tree->push + b.tree->mass * t.gravity, b.now.x - b.start.x) +
                dot(b.tree->twist, log(normalize(b.now.q * conjugate(b.start.q))));
    }
    s.limit = max(0.0, before + work);
    if (!(after > (1 + kGains) * s.limit)) return;
    const double share = sqrt(s.limit / after);
    for (const IslandBody& b : t.bodies) {
        if (!b.tree) continue;
        b.tree->vNow = share * b.tree->vNow;
        b.tree->LNow = share * b.tree->LNow;
    }
}

// Bodies that are put into each other need not balance, and their forces grow in each round. The next substep does not
// begin with them. Otherwise 70 J became 5,300 J as two such compounds came to be solved by impulses.
void dropForces(CoupledIsland& t) {
    for (ContactRow& r : t.rows) {
        if (r.gap0 >= -kDeep) continue;
        r.ln = 0;
        r.lt = {0, 0, 0};
        r.slipping = false;
    }
}

// Sets where Newton's method starts. In the first round bodies that press something start where their velocity leads them,
// without gravity. From free flight a chain at rest would need another two steps in each substep.
void startStep(const CoupledIsland& t, BodySolver& s, bool first) {
    s.x.assign(s.bodyOf.size(), BlockFactor::Part{});
    if (!first) return;
    for (const ContactRow& r : t.rows)
        for (const RowEnd& e : r.end) {
            const TreeBody<double>* b = t.bodies[e.body].tree;
            if (!b || !(r.ln > 0)) continue;
            const Vec3d back = (-t.h * t.h) * (t.gravity + (1 / b->mass) * b->push);
            s.x[s.unknownOf[e.body]] = {back.x, back.y, back.z, 0, 0, 0};
        }
}

bool roundsOf(CoupledIsland& t, BodySolver& s) {
    const double moves = kMoves * t.h;
    for (int round = 0; round < kRounds; ++round) {
        if (round > 0) relinearizeBodies(t);
        if (round < kGrips) limitFriction(t, s, round == 0);
        linearise(t, s);
        startStep(t, s, round == 0);
        const bool good = minimise(t, s);
        ++t.solves;
        const double way = move(t, s), gap = takeForces(t, s);
        if (round > 0 && good && way <= moves && gap <= moves) return true;
    }
    return false;
}

} // namespace

bool solveBodies(CoupledIsland& t) {
    if (!t.bodySolver) t.bodySolver = std::make_shared<BodySolver>();
    BodySolver& s = *t.bodySolver;
    listUnknowns(t, s);
    t.exact = s.sparse;
    if (!t.exact) return false;
    allowGaps(t);
    const bool settled = roundsOf(t, s);
    limitEnergy(t, s);
    if (!settled) dropForces(t);
    return settled;
}

void limitImpacts(CoupledIsland& t) {
    if (!t.exact) return;
    const double limit = t.bodySolver->limit;
    double after = 0;
    for (const IslandBody& b : t.bodies)
        if (b.tree) after += energyOf(*b.tree, b.tree->v, b.tree->L, b.tree->turn);
    if (!(after > (1 + kGains) * limit)) return;
    const double share = sqrt(limit / after);
    for (const IslandBody& b : t.bodies) {
        if (!b.tree) continue;
        b.tree->v = share * b.tree->v;
        b.tree->L = share * b.tree->L;
    }
}

} // namespace capstan
