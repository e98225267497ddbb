// SPDX-License-Identifier: MIT
// See bodies.hpp.
#include "solver/cloth/contact/bodies.hpp"

#include "math/six.hpp"

#include <algorithm>

namespace capstan {
namespace {

constexpr int kIterations = 6; // largest number of solves, after each of which pulling contacts are released
// Mass of a support, as a multiple of the mass of the body and the vertices on it.
constexpr double kProp = 1e3;

// Interpolates between two poses.
Pose between(const Pose& a, const Pose& b, double t) {
    Quatd q = b.q;
    if (dot(a.q, q) < 0) q = -q;
    return {a.x + t * (b.x - a.x), normalize(a.q + t * (q - a.q))};
}

// Returns the part of a displacement that the contact transmits: the normal part, and by friction a fraction of the
// tangential part.
Vec3d held(const ClothHit& hit, Vec3d move) {
    if (hit.whole) return move;
    const Vec3d along = dot(move, hit.n) * hit.n;
    return along + hit.grip * (move - along);
}

Vec3d inertiaTimes(const Body& b, const Quatd& q, Vec3d w) {
    const Vec3d local = rotate(conjugate(q), w);
    return rotate(q, multiply(b.inertia, local));
}

} // namespace

void findCoupledBodies(ClothBodyCoupling& p, const Model& m, const State& s) {
    p.contacts.clear();
    p.ofSlot.assign(m.bodies.size(), -1);
    std::size_t count = 0;
    for (std::size_t i = 0; i < m.bodies.size(); ++i) {
        const Body& b = m.bodies[i];
        if (!b.alive || !b.dynamic()) continue;
        p.ofSlot[i] = int(count++);
        if (p.bodies.size() < count) p.bodies.emplace_back();
        ClothBody& to = p.bodies[count - 1];
        to.slot = int(i);
        to.mass = b.mass;
        to.moved = false;
        to.off = to.velocity = to.spin = to.momentum = to.sum = to.sumTwist = {0, 0, 0};
        to.turn = Quatd::identity();
        to.props.clear();
        to.loads.clear();
    }
    p.bodies.resize(count);
    p.hits.resize(count);
    if (count == 0) return;
    const auto slotOf = [&](std::uint64_t name) { return int(name >> 32 & 0x7fffffffu); };
    for (const StoredContact& t : s.contacts) {
        if (!(t.a >> 63) || !(t.b >> 63) || !(t.force > 0))
            continue; // only contacts of two bodies that press are supports
        const int a = p.ofSlot[slotOf(t.a)], b = p.ofSlot[slotOf(t.b)];
        if (a >= 0) p.bodies[a].props.push_back({t.normal, t.point - s.bodies[slotOf(t.a)].x, t.force});
        if (b >= 0) p.bodies[b].props.push_back({-t.normal, t.point - s.bodies[slotOf(t.b)].x, t.force});
    }
}

Pose poseOf(const ClothBodyCoupling& p, const Model& m, const State& s, int slot, double t, double ahead) {
    const Pose now = {s.bodies[slot].x, s.bodies[slot].q};
    Pose at = between(m.bodies[slot].start, now, t);
    const int k = p.ofSlot[slot];
    if (k < 0 || !p.bodies[k].moved) return at;
    const ClothBody& b = p.bodies[k];
    at.x = at.x + b.off + ahead * b.velocity;
    at.q = normalize(exp(ahead * b.spin) * b.turn * at.q);
    return at;
}

Six massOf(const ClothBody& b, const Body& body, const Quatd& q) {
    Six six;
    const Mat3<double> R = toMat3(q);
    const double axes[3][3] = {{R.x.x, R.y.x, R.z.x}, {R.x.y, R.y.y, R.z.y}, {R.x.z, R.y.z, R.z.z}};
    const double I[3] = {body.inertia.x, body.inertia.y, body.inertia.z};
    for (int i = 0; i < 3; ++i) {
        six.a[i][i] = b.mass;
        for (int j = 0; j <= i; ++j)
            for (int k = 0; k < 3; ++k) six.a[3 + i][3 + j] += I[k] * axes[i][k] * axes[j][k];
    }
    return six;
}

namespace {

// Displacement of a body in a substep by cloth.
struct Yield {
    Vec3d shift = {0, 0, 0}, turn = {0, 0, 0};
    Vec3d at(Vec3d arm) const { return shift + cross(turn, arm); }
};

// Solves the 6x6 system with the active contacts and supports.
Yield yieldOf(const ClothBodyCoupling& p, const ClothBody& b, const Body& body, const Pose& at,
              const std::vector<ClothBodyCoupling::Hit>& hits, double heavy, double h) {
    Six six = massOf(b, body, at.q);
    six.load(-(h * h) * body.couplingForce, -(h * h) * body.twist);
    for (const ClothBodyCoupling::Hit& hit : hits) {
        if (!hit.on) continue;
        const Vec3d arm = hit.hit.at - at.x, f = -hit.mass * held(hit.hit, hit.hit.push);
        six.add(hit.mass, arm, hit.hit.n, hit.hit.whole ? 1 : hit.hit.grip);
        six.load(f, cross(arm, f));
    }
    for (const ClothAttachedMass& load : b.loads) {
        six.add(load.mass, load.arm, {0, 1, 0}, 1);
        six.load(load.push, cross(load.arm, load.push));
    }
    for (std::size_t i = 0; i < b.props.size(); ++i)
        if (!p.let[i]) six.add(kProp * heavy, b.props[i].arm, b.props[i].n, 0);
    double u[6];
    six.factor();
    six.solve(u);
    return {{u[0], u[1], u[2]}, {u[3], u[4], u[5]}};
}

// Deactivates contacts and supports that would pull. Returns true if there were any.
bool letGo(ClothBodyCoupling& p, const ClothBody& b, const Body& body, const Pose& at,
           std::vector<ClothBodyCoupling::Hit>& hits, const Yield& u, double heavy, double h) {
    bool changed = false;
    for (ClothBodyCoupling::Hit& hit : hits) {
        if (!hit.on || hit.hit.whole || dot(hit.hit.push + u.at(hit.hit.at - at.x), hit.hit.n) >= 0) continue;
        hit.on = false;
        changed = true;
    }
    for (std::size_t i = 0; i < b.props.size(); ++i) {
        const ClothBodySupport& prop = b.props[i];
        // The support's force includes the predicted load of cloth. If that load is absent in this step, its absence
        // alone must not count as lifting off. So the limit is raised by the predicted force.
        const double most = prop.force + length(body.couplingForce);
        if (p.let[i] || kProp * heavy * dot(prop.n, u.at(prop.arm)) <= h * h * most) continue;
        p.let[i] = 1;
        changed = true;
    }
    return changed;
}

// Solves a body, moves the vertices on it, and adds the impulses to its sums.
void pressBody(ClothBodyCoupling& p, ClothBody& b, const Body& body, const Pose& at,
               std::vector<ClothBodyCoupling::Hit>& hits, double h) {
    double heavy = b.mass;
    for (const ClothBodyCoupling::Hit& hit : hits) heavy += hit.mass;
    for (const ClothAttachedMass& load : b.loads) heavy += load.mass;
    p.let.assign(b.props.size(), 0);
    Yield u;
    for (int iteration = 0; iteration < kIterations; ++iteration) {
        u = yieldOf(p, b, body, at, hits, heavy, h);
        if (!letGo(p, b, body, at, hits, u, heavy, h)) break;
    }
    for (const ClothBodyCoupling::Hit& hit : hits) {
        const Vec3d arm = hit.hit.at - at.x, was = held(hit.hit, hit.hit.push);
        const Vec3d is = hit.on ? held(hit.hit, hit.hit.push + u.at(arm)) : Vec3d{0, 0, 0};
        const Vec3 to = narrow(widen(Vec3(*hit.x)) + is - was);
        *hit.x = {to.x, to.y, to.z, hit.x->w};
        const Vec3d impulse = -(hit.mass / h) * is;
        p.contacts.add(clothElement(hit.cloth), bodyElement(b.slot), -impulse, hit.hit.n, hit.hit.at);
        b.sum = b.sum + impulse;
        b.sumTwist = b.sumTwist + cross(arm, impulse);
    }
    hits.clear();
    for (const ClothAttachedMass& load : b.loads) {
        const Vec3d impulse = (1 / h) * (load.push - load.mass * u.at(load.arm));
        b.sum = b.sum + impulse;
        b.sumTwist = b.sumTwist + cross(load.arm, impulse);
    }
    b.loads.clear();
    b.off = b.off + h * b.velocity + u.shift;
    b.turn = normalize(exp(u.turn) * exp(h * b.spin) * b.turn);
    b.velocity = b.velocity + (1 / h) * u.shift;
    b.spin = b.spin + (1 / h) * u.turn;
    b.momentum = b.momentum + (1 / h) * inertiaTimes(body, at.q, u.turn);
    b.moved = true;
}

} // namespace

void moveCoupledBodies(ClothBodyCoupling& p, const Model& m, const State& s, double t, double h) {
    for (std::size_t k = 0; k < p.bodies.size(); ++k) {
        ClothBody& b = p.bodies[k];
        const Body& body = m.bodies[b.slot];
        const bool expected = dot(body.couplingForce, body.couplingForce) + dot(body.twist, body.twist) > 0;
        if (b.moved || !p.hits[k].empty() || !b.loads.empty() || expected)
            pressBody(p, b, body, poseOf(p, m, s, b.slot, t, h), p.hits[k], h);
    }
}

void endBodyCoupling(ClothBodyCoupling& p, Model& m, State& s, double dt) {
    for (const ClothBody& b : p.bodies) {
        Body& body = m.bodies[b.slot];
        if (!b.moved) continue;
        BodyState& at = s.bodies[b.slot];
        BodyState to = at;
        to.x = to.x + b.off;
        to.v = to.v + b.velocity;
        to.L = to.L + b.momentum;
        to.q = normalize(b.turn * to.q);
        to.history = false;
        const double odd = dot(to.x, to.x) + dot(to.v, to.v) + dot(to.L, to.L) + dot(to.q, to.q);
        if (!(odd - odd == 0)) {
            body.couplingForce = body.twist = {0, 0, 0};
            continue;
        }
        at = to;
        body.couplingForce = expectedAfter(body.couplingForce, (1 / dt) * b.sum);
        body.twist = expectedAfter(body.twist, (1 / dt) * b.sumTwist);
        // A vanishing load is set to 0 in the end. Otherwise the bits of a body that cloth once touched would never
        // come to rest.
        if (lengthSquared(b.sum) == 0 && length(body.couplingForce) * dt < 1e-6 * b.mass)
            body.couplingForce = body.twist = {0, 0, 0};
    }
}

} // namespace capstan
