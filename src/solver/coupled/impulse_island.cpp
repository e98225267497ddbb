// SPDX-License-Identifier: MIT
// The impulse solver: the step of an island of bodies without ropes and joints. See
// solver/impulse/island.hpp.
//
// Contact points are found once in a step, with a margin for the motion in the step. In each substep, gaps
// and levers are updated from the motion of the bodies.
#include "solver/coupled/rows.hpp"

#include <capstan/math/transcendental.hpp>

#include <algorithm>

namespace capstan {
namespace {

constexpr double kMargin = 0.005; // m: contact points are found up to this gap, even between bodies at rest
constexpr double kNear = 0.1;     // m: the impulse of a point that has vanished is given only to points
                                  // nearer than this
// Frequencies [Hz] of the contact springs between bodies, and between a body and a static body. At 240
// substeps per second, 60 Hz is a quarter of the rate of substeps. Above a sixth of that rate towers swing.
constexpr double kHertz[2] = {30, 60};
constexpr double kDamping = 10; // ratio to critical damping
constexpr int kLine = 16; // iterations in a substep with impacts; 1 leaves seven balls 1e-5 too much energy

SolverBody::Row row(Vec3d a, double w) { return {a.x, a.y, a.z, w}; }
SolverBody::Row row(Quatd q) { return {q.x, q.y, q.z, q.w}; }
Vec3d vec(const SolverBody::Row& r) { return {r.x, r.y, r.z}; }

// Coefficients of an implicit spring with the angular frequency w and the damping ratio z (kDamping): Catto
// 2011, "Soft constraints".
ContactSoftness softness(double hertz, double h) {
    const double w = 6.283185307179586 * min(hertz, 0.25 / h);
    const double a = 2 * kDamping + h * w, b = h * w * a;
    return {w / a, b / (1 + b), 1 / (1 + b)};
}

std::uint64_t nameOf(const CoupledIsland& t, const IslandShape& s, int triangle) {
    const std::uint64_t slot = std::uint32_t(t.bodies[s.body].slot);
    return std::uint64_t(1) << 63 | slot << 32 | std::uint64_t(s.index & 255) << 24 |
           std::uint32_t(triangle + 1);
}

SolverBody solverBodyOf(const CoupledIsland& t, const TreeContext& c, const IslandBody& b) {
    const BodyState& s = c.s.bodies[b.slot];
    SolverBody m;
    m.x = row(s.x, 1);
    m.q = row(s.q);
    if (b.kind == IslandBody::Kind::Free) {
        const double rate = widen(c.m.bodies[b.slot].def.damping) + widen(c.m.damping);
        if (rate > 0) m.x.w = exp(-rate * t.h);
        m.v = row(s.v, b.invMass);
        m.L = row(s.L, 1);
        m.yield = row(b.invInertia, 0);
        m.a = row(t.gravity + b.invMass * s.force, 0);
        m.twist = row(s.torque, 0);
    } else if (b.moves) {
        m.v = m.free = row(s.v, 0);
        m.L = m.freeL = row(s.L, 0);
        m.dx = row(t.h * s.v, 0);
        m.dl = row(t.h * s.L, 0);
    }
    return m;
}

void loadSolverBodies(CoupledIsland& t, const TreeContext& c) {
    ImpulseIsland& p = t.impulse;
    p.solverBodies.clear();
    p.solverBodyOf.resize(t.bodies.size());
    p.angularSpeed.resize(t.bodies.size());
    for (const bool ground : {false, true}) {
        for (std::size_t k = 0; k < t.bodies.size(); ++k) {
            if ((t.bodies[k].kind == IslandBody::Kind::Ground) != ground) continue;
            p.solverBodyOf[k] = int(p.solverBodies.size());
            p.solverBodies.push_back(solverBodyOf(t, c, t.bodies[k]));
        }
        while (!ground && p.solverBodies.size() % 4 != 0) p.solverBodies.push_back({});
        if (!ground) p.dynamic = int(p.solverBodies.size());
    }
    p.solverBodies.push_back({});
    p.turns.assign(p.solverBodies.size(), 0);
    for (std::size_t k = std::size_t(p.dynamic); k < p.solverBodies.size(); ++k)
        p.turns[k] = length(vec(p.solverBodies[k].dl)) > kLittle;
}

// Returns the bounding box of a shape's motion in the step, if nothing stops it.
Bounds sweepOf(const ImpulseIsland& p, const IslandShape& s, const Bounds& now, double dt) {
    const SolverBody& m = p.solverBodies[p.solverBodyOf[s.body]];
    const Vec3d way = dt * (vec(m.v) + dt * vec(m.a));
    Bounds b = now;
    b.add(now.min + way);
    b.add(now.max + way);
    b.grow(kMargin + dt * p.angularSpeed[s.body] * (length(s.local.x) + (s.round ? 0.0 : s.reach)));
    return b;
}

// Returns whether the candidate list of the previous step still covers the boxes of sweepOf.
bool lasts(const CoupledIsland& t, double dt) {
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        const IslandBody& b = t.bodies[k];
        if (!b.tree && !b.moves) continue;
        const SolverBody& m = t.impulse.solverBodies[t.impulse.solverBodyOf[k]];
        const Vec3d from = b.current.x - b.listed.x, to = from + dt * (vec(m.v) + dt * vec(m.a));
        const Quatd turn = b.current.q * conjugate(b.listed.q);
        const double angle =
            3.15 * length(turn.vector()) + dt * t.impulse.angularSpeed[k]; // pi/2 sin(x/2) is at least x/2
        if (!(sqrt(max(lengthSquared(from), lengthSquared(to))) + angle * b.reach <= b.margin)) return false;
    }
    return true;
}

void listBodies(CoupledIsland& t, const TreeContext& c, Threads& threads) {
    ImpulseIsland& p = t.impulse;
    const double dt = c.stepTime;
    t.flyers.resize(t.bodies.size());
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        IslandBody& b = t.bodies[k];
        const SolverBody& m = p.solverBodies[p.solverBodyOf[k]];
        b.tree = b.kind == IslandBody::Kind::Free ? &t.flyers[k] : nullptr;
        p.angularSpeed[k] = length(multiply(vec(m.yield), transposeTimes(b.R, vec(m.L))));
    }
    p.positions.resize(t.shapes.size());
    p.boxes.resize(t.shapes.size());
    for (std::size_t k = 0; k < t.shapes.size(); ++k) {
        const IslandShape& s = t.shapes[k];
        p.positions[k] = t.bodies[s.body].current * s.local;
        if (s.shape->kind != ShapeKind::Mesh)
            p.boxes[k] = sweepOf(p, s, boundsOf(*s.shape, p.positions[k]), dt);
    }
    if (t.listGood && lasts(t, dt)) return;
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        IslandBody& b = t.bodies[k];
        const SolverBody& m = p.solverBodies[p.solverBodyOf[k]];
        const Vec3d angularSpeed = b.R * multiply(vec(m.yield), transposeTimes(b.R, vec(m.L)));
        if (b.tree || b.moves)
            b.now = {b.current.x + dt * (vec(m.v) + dt * vec(m.a)),
                     integrate(b.current.q, dt * angularSpeed)};
    }
    t.listGood = false;
    t.lasting = true;
    t.slack = kMargin;
    listPairs(t, c.m, threads, t.x, t.x);
    t.slack = 0;
}

// Returns whether the boxes of a pair overlap. The list may be old and have more pairs than a new one. Since
// every pair of the list is tested here, the result is the same for both.
bool mayMeet(const CoupledIsland& t, const BodyPair& pair, double dt) {
    const Bounds& box = t.impulse.boxes[pair.a];
    if (pair.triangle < 0) return box.meets(t.impulse.boxes[pair.b]);
    const IslandShape& s = t.shapes[pair.b];
    const Pose& at = t.impulse.positions[pair.b];
    Bounds face;
    for (int c : s.shape->triangles[pair.triangle]) face.add(at.point(s.shape->corners[c]));
    return box.meets(sweepOf(t.impulse, s, face, dt));
}

// Lists the pairs whose boxes overlap, and finds the greatest speed that a neighbour may give to each body.
void findNear(CoupledIsland& t, double dt) {
    ImpulseIsland& p = t.impulse;
    p.near.clear();
    p.stirred.assign(t.bodies.size(), 0);
    auto speed = [&](int body) {
        const double angularSpeed = p.angularSpeed[body];
        return length(vec(p.solverBodies[p.solverBodyOf[body]].v)) +
               (angularSpeed > 0 ? angularSpeed * min(t.bodies[body].reach, 1e3) : 0.0);
    };
    for (std::size_t k = 0; k < t.bodyPairs.size(); ++k) {
        if (!mayMeet(t, t.bodyPairs[k], dt)) continue;
        const int a = t.shapes[t.bodyPairs[k].a].body, b = t.shapes[t.bodyPairs[k].b].body;
        const double most = max(speed(a), speed(b));
        for (int body : {a, b}) p.stirred[body] = max(p.stirred[body], most);
        p.near.push_back(int(k));
    }
}

// Returns how much nearer the two surfaces may come in the step [m]. The bound includes impacts that one of
// the bodies may receive from others.
double approach(const CoupledIsland& t, const IslandShape& a, const IslandShape& b, double dt) {
    const ImpulseIsland& p = t.impulse;
    const SolverBody& u = p.solverBodies[p.solverBodyOf[a.body]];
    const SolverBody& v = p.solverBodies[p.solverBodyOf[b.body]];
    auto stir = [&](const IslandShape& s, const SolverBody& m) {
        return m.v.w > 0 ? p.stirred[s.body] : 0.0;
    };
    auto swing = [&](const IslandShape& s) {
        return p.angularSpeed[s.body] * (length(s.local.x) + (s.round ? 0.0 : min(s.reach, 1e3)));
    };
    const double toward = length(vec(u.v) - vec(v.v)) + swing(a) + swing(b);
    return dt * (max(toward, max(stir(a, u), stir(b, v))) + dt * length(vec(u.a) - vec(v.a)));
}

bool addPatch(CoupledIsland& t, const Model& m, const BodyPair& pair, double dt) {
    ImpulseIsland& p = t.impulse;
    const IslandShape &a = t.shapes[pair.a], &b = t.shapes[pair.b];
    const IslandBody &A = t.bodies[a.body], &B = t.bodies[b.body];
    Manifold out;
    collide(*a.shape, p.positions[pair.a], *b.shape, p.positions[pair.b], pair.triangle,
            kMargin + approach(t, a, b, dt), out);
    if (out.count == 0) return false;
    ContactPatch patch;
    patch.a = nameOf(t, a, -1);
    patch.b = nameOf(t, b, pair.triangle);
    patch.solverBody[0] = p.solverBodyOf[a.body];
    patch.solverBody[1] = p.solverBodyOf[b.body];
    patch.first = int(p.points.size());
    patch.count = out.count;
    patch.fresh = true;
    patch.n = out.point[0].normal;
    const MaterialDef &d = m.bodies[A.slot].def.material, &e = m.bodies[B.slot].def.material;
    patch.dynamicFriction = sqrt(widen(d.friction) * widen(e.friction));
    patch.staticFriction =
        sqrt(widen(max(d.friction, d.staticFriction)) * widen(max(e.friction, e.staticFriction)));
    patch.restitution = widen(max(d.restitution, e.restitution));
    for (int k = 0; k < out.count; ++k) {
        const ManifoldPoint& q = out.point[k];
        PatchPoint point;
        point.core[0] = transposeTimes(A.R, q.a - A.current.x);
        point.core[1] = transposeTimes(B.R, q.b - B.current.x);
        point.radius[0] = q.radiusA;
        point.radius[1] = q.radiusB;
        point.gap = q.gap;
        point.feature = q.feature;
        point.slipping = false;
        point.fresh = true;
        point.ln = point.weight = 0;
        point.lt = {0, 0, 0};
        point.at = 0.5 * (q.a + q.b + (q.radiusB - q.radiusA) * q.normal);
        p.points.push_back(point);
    }
    p.patches.push_back(patch);
    return true;
}

// Warm start: adds each impulse of the previous step to the point of the same feature, otherwise to the
// nearest new point.
void warmStart(ImpulseIsland& p, ContactPatch& patch, const std::vector<StoredContact>& had, const int* from,
               const int* to, double h) {
    PatchPoint* const points = &p.points[patch.first];
    auto give = [&](PatchPoint& q, const StoredContact& o) {
        q.ln += h * o.force;
        q.lt = q.lt - h * (o.friction - dot(o.friction, patch.n) * patch.n);
        q.slipping = o.slipping;
    };
    auto same = [&](const StoredContact& o) -> PatchPoint* {
        for (int k = 0; k < patch.count; ++k)
            if (points[k].feature == o.feature) return &points[k];
        return nullptr;
    };
    for (const int* k = from; k != to; ++k)
        if (PatchPoint* q = same(had[*k])) {
            give(*q, had[*k]);
            q->fresh = patch.fresh = false;
        }
    for (const int* k = from; k != to; ++k) {
        const StoredContact& o = had[*k];
        if (same(o) || dot(o.normal, patch.n) < 0.5) continue;
        PatchPoint* best = nullptr;
        double least = kNear;
        for (int i = 0; i < patch.count; ++i) {
            const double far = length(points[i].at - o.point);
            if (points[i].fresh && far < least) {
                least = far;
                best = &points[i];
            }
        }
        if (best) {
            give(*best, o);
            patch.fresh = false;
        }
    }
}

void findPatches(CoupledIsland& t, const TreeContext& c, const std::vector<StoredContact>& had,
                 const std::vector<int>& mine) {
    ImpulseIsland& p = t.impulse;
    p.points.clear();
    p.patches.clear();
    auto memory = [&](std::size_t i) -> const StoredContact& { return had[mine[i]]; };
    std::size_t at = 0;
    findNear(t, c.stepTime);
    for (int k : p.near) {
        if (!addPatch(t, c.m, t.bodyPairs[k], c.stepTime)) continue;
        ContactPatch& patch = p.patches.back();
        while (at < mine.size() &&
               (memory(at).a != patch.a ? memory(at).a < patch.a : memory(at).b < patch.b))
            ++at;
        std::size_t end = at;
        while (end < mine.size() && memory(end).a == patch.a && memory(end).b == patch.b) ++end;
        warmStart(p, patch, had, mine.data() + at, mine.data() + end, t.h);
        at = end;
    }
}

void moveGround(CoupledIsland& t, const TreeContext& c) {
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        if (t.bodies[k].kind != IslandBody::Kind::Ground || !t.bodies[k].moves) continue;
        const Pose at = groundAt(c, t.bodies[k].slot, t.clock);
        SolverBody& m = t.impulse.solverBodies[t.impulse.solverBodyOf[k]];
        m.x = row(at.x, 1);
        m.q = row(at.q);
    }
}

void storeSolverBodies(CoupledIsland& t, TreeContext& c) {
    for (std::size_t k = 0; k < t.bodies.size(); ++k) {
        const IslandBody& b = t.bodies[k];
        if (b.kind != IslandBody::Kind::Free) continue;
        const SolverBody& m = t.impulse.solverBodies[t.impulse.solverBodyOf[k]];
        BodyState& to = c.s.bodies[b.slot];
        if (!finite(vec(m.x) + vec(m.v) + vec(m.L) + vec(m.q))) {
            c.m.bodies[b.slot].frozen = true;
            c.m.changed = true;
            to.v = to.L = {0, 0, 0};
            continue;
        }
        to.x = vec(m.x);
        to.q = {m.q.x, m.q.y, m.q.z, m.q.w};
        to.v = m.x.w * vec(m.v);
        to.L = m.x.w * vec(m.L);
        to.history = false;
    }
}

void storeContacts(const ImpulseIsland& p, std::vector<StoredContact>& has,
                   std::vector<ContactImpulse>& struck) {
    const double perH = 1 / p.h;
    for (const ContactPatch& patch : p.patches) {
        const PatchBatch& b = p.batches[patch.batch];
        const Vec3d t = lane(b.t, patch.lane), u = lane(b.u, patch.lane);
        for (int k = 0; k < patch.count; ++k) {
            const PointLanes& s = p.pointLanes[b.first + k];
            const PatchPoint& point = p.points[patch.first + k];
            const double ln = lane(s.ln, patch.lane), given = lane(s.given, patch.lane);
            if (given > 0) struck.push_back({patch.a, patch.b, given});
            if (!(ln > 0)) continue;
            const Vec3d lt = lane(s.lt, patch.lane) * t + lane(s.lu, patch.lane) * u;
            has.push_back({patch.a, patch.b, point.feature, lane(s.slipping, patch.lane) > 0, perH * ln,
                           -perH * lt, patch.n, point.at});
        }
    }
}

} // namespace

void stepImpulseIsland(CoupledIsland& t, TreeContext& c, Threads& threads, int substeps,
                       const std::vector<StoredContact>& had, const std::vector<int>& mine,
                       std::vector<StoredContact>& has) {
    ImpulseIsland& p = t.impulse;
    t.h = p.h = c.stepTime / substeps;
    p.push = t.def.push;
    for (int k : {0, 1}) p.soft[k] = softness(kHertz[k], p.h);
    p.soft[1].soft = 1; // a static body stops a falling one within one substep
    loadSolverBodies(t, c);
    listBodies(t, c, threads);
    findPatches(t, c, had, mine);
    spreadSupportLoads(p, t.gravity);
    packPatches(p);
    for (int k = 0; k < substeps; ++k) {
        speedUp(p, k == 0);
        noteEnergies(p, k == 0);
        k == 0 ? startBatches(p, 0.5 * t.def.restitution) : refreshBatches(p);
        const bool strikes = watchImpacts(p, t.def.restitution);
        if (strikes) noteVelocities(p);
        // Impacts only need the positions. In a line one iteration would leave overlaps, which push apart later.
        for (int i = 0; i < (strikes ? kLine : 1); ++i) iterate(p, true);
        moveOn(p);
        t.clock = p.h * (k + 1);
        moveGround(t, c);
        if (strikes) reflectImpacts(p);
        iterate(p, false);
        t.heldStill += limitEnergy(p);
        ++t.solves;
    }
    t.truncated += stopCores(t, c);
    storeSolverBodies(t, c);
    storeContacts(p, has, t.struck);
    t.substeps = std::max(t.substeps, substeps);
}

} // namespace capstan
