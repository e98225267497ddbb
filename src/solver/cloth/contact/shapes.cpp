// SPDX-License-Identifier: MIT
// See shapes.hpp.
#include "solver/cloth/contact/shapes.hpp"

#include "solver/cloth/rows.hpp"

#include <algorithm>

namespace capstan {
namespace {

// Largest number of steps of conservative advancement.
constexpr int kMostSteps = 24;
// Number of substeps per square root of the mass ratio r. In the experiment a ball of mass r m falls by a third of a
// metre on a sheet. The sheet has the mass m in the ball's shadow. With 1.5 sqrt(r) substeps or fewer the ball falls
// through, for any size, cells and iterations of the sheet. A ball of 10 m/s needs three times as many. A number that
// depends on the ball's velocity was refused: if it grows during a bounce, the ball gains energy.
constexpr double kSubsteps = 5;
// The same number for a body that is attached to stretchable cloth; r is its mass over the mass of the attached
// vertices. With this factor the strain at the attachment is within a tenth of the strain with twice as many
// substeps. Cloth that does not stretch has tethers, which transmit the weight of the body directly.
constexpr double kAttachedSubsteps = 1.5;
constexpr int kMostSubsteps = 128;
constexpr double kSkin = 0.25; // smallest distance to a surface, as a fraction of half the thickness

// The part of v tangential to the surface with the normal n.
Vec3d tangent(Vec3d v, Vec3d n) { return v - dot(v, n) * n; }

// Moves from a towards b, in the shape's axes, until it reaches the surface; then along the surface. Returns the
// position reached. `cut` becomes true if the move was shortened.
Vec3d walk(const Shape& shape, Vec3d a, Vec3d b, double r, bool& cut) {
    Nearest n = nearest(shape, a);
    const double floor = kSkin * r, whole = length(b - a);
    // A start inside the shape cannot pass through it. The contact then pushes it out.
    if (n.distance <= 0 && shape.kind != ShapeKind::Mesh) return b;
    if (n.distance + nearest(shape, b).distance > whole) return b;
    for (int iteration = 0; iteration < 2; ++iteration) {
        const Vec3d d = b - a;
        const double l = length(d);
        double gone = 0;
        for (int k = 0; k < kMostSteps && gone < l; ++k) {
            n = nearest(shape, a + (gone / l) * d);
            const double free = n.distance - floor;
            if (free <= 1e-3 * floor && dot(d, n.normal) < 0) break;
            // Away from the surface or along it, a step by `floor` is always free.
            gone += max(free, dot(d, n.normal) < 0 ? 1e-3 * floor : floor);
        }
        if (gone >= l) return b;
        cut = true;
        a = a + (gone / l) * d;
        if (iteration == 1) return a;
        b = a + tangent(b - a, n.normal);
    }
    return a;
}

// Returns the contact of a vertex at b that is pushed out by `deep` [m]. Positions are in the shape's axes; `wish` is
// the position before contact.
ClothHit hitOn(const ClothObstacle& o, bool cut, Vec3d b, Vec3d normal, Vec3d wish, double deep, Vec3d slid,
               double grip) {
    ClothHit hit;
    hit.body = o.pressed;
    hit.whole = cut;
    hit.grip = grip;
    hit.n = rotate(o.to.q, normal);
    hit.at = o.to.point(b);
    hit.push = rotate(o.to.q, cut ? b - grip * slid - wish : deep * normal - slid);
    return hit;
}

} // namespace

void findObstacles(ClothShapeContacts& w, const ClothBodyCoupling& coupling, const Model& m, const State& s,
                   const Cloth& c, const ClothState& at, double begin, double end, double h) {
    w.near.clear();
    const double r = 0.5 * double(c.def.thickness);
    Bounds box;
    bool known = false;
    for (std::size_t i = 0; i < m.bodies.size(); ++i) {
        const Body& b = m.bodies[i];
        if (!b.alive || b.shapes.empty() || !mayTouch(c.def.filter, b.def.filter)) continue;
        if (!known) {
            for (int k = 0; k < c.count; ++k) {
                box.add(widen(Vec3(at.x[k])));
                box.add(widen(Vec3(at.before[k])));
            }
            known = true;
        }
        const Pose home = from(b.principal, Pose{});
        const Pose before = poseOf(coupling, m, s, int(i), begin, 0),
                   after = poseOf(coupling, m, s, int(i), end, h);
        for (const Shape& shape : b.shapes) {
            ClothObstacle o = {
                &shape, before * home * shape.at, after * home * shape.at, {}, 0, coupling.ofSlot[i], {}};
            o.slot = int(i);
            o.reach = boundsOf(shape, o.from);
            const Bounds later = boundsOf(shape, o.to);
            o.reach.add(later.min);
            o.reach.add(later.max);
            o.reach.grow(r);
            if (!o.reach.meets(box)) continue;
            o.friction = sqrt(double(c.def.material.friction) * double(b.def.material.friction));
            w.near.push_back(o);
        }
    }
    w.hits.assign(w.near.empty() ? 0 : std::size_t(kClothHits * c.room), ClothHit{});
    const auto still = [](const ClothObstacle& o) { return o.pressed < 0; };
    const bool rests = std::any_of(w.near.begin(), w.near.end(), still);
    w.rests.assign(rests ? std::size_t(kClothHits * c.room) : 0, ClothRestingContact{});
}

namespace {

// Returns true if the supports of the body carry at least half of its weight.
bool standsOnSomething(const ClothBody& b, Vec3d gravity) {
    Vec3d up = {0, 0, 0};
    for (const ClothBodySupport& prop : b.props) up = up + prop.force * prop.n;
    return !b.props.empty() && -dot(up, gravity) >= 0.5 * b.mass * dot(gravity, gravity);
}

double densityOf(const Cloth& c, double mass) { // kg/m^2
    if (!(c.def.mass > 0)) return double(c.def.density);
    double area = 0;
    for (const auto& t : c.triangles) area += areaOf(c.rest, t);
    return mass / area;
}

// Bounds of the sheet's path at constant velocity.
Bounds wayOf(const Cloth& c, const ClothState& at, double dt) {
    Bounds box;
    for (int i = 0; i < c.count; ++i) {
        const Vec3d x = widen(Vec3(at.x[i]));
        box.add(x);
        box.add(x + dt * widen(Vec3(at.v[i])));
    }
    box.grow(0.5 * double(c.def.thickness));
    return box;
}

double massOf(const Cloth& c, const ClothState& at) {
    double mass = 0;
    for (int i = 0; i < c.count; ++i) mass += double(at.v[i].w);
    return mass;
}

} // namespace

namespace {

// Returns the representative of an object's mechanism (union-find).
int leaderOf(const std::vector<int>& leader, int i) {
    while (leader[i] != i) i = leader[i];
    return i;
}

// Sums the mass of bodies and ropes that joints connect. Cloth must support this mass as a whole, unless a floor, a
// pin or a joint to the ground supports a part.
void weighAfloat(ClothBodyCoupling& p, const Model& m, Vec3d gravity) {
    const int bodies = int(m.bodies.size()), count = bodies + int(m.ropes.size());
    p.leader.resize(std::size_t(count));
    for (int i = 0; i < count; ++i) p.leader[i] = i;
    for (const Joint& j : m.joints) {
        if (!j.on()) continue;
        const int a = j.rope >= 0 ? bodies + j.rope : j.body[0], b = j.body[1];
        if (a < 0 || b < 0) continue;
        if (a < bodies && !m.bodies[a].dynamic()) continue;
        if (!m.bodies[b].dynamic()) continue;
        const int one = leaderOf(p.leader, a), other = leaderOf(p.leader, b);
        p.leader[std::max(one, other)] = std::min(one, other);
    }
    p.afloat.assign(std::size_t(count), 0);
    const auto add = [&](int i, double mass, bool held) {
        double& sum = p.afloat[leaderOf(p.leader, i)];
        sum = held || sum < 0 ? -1 : sum + mass;
    };
    for (const ClothBody& b : p.bodies) add(b.slot, b.mass, standsOnSomething(b, gravity));
    for (std::size_t i = 0; i < m.ropes.size(); ++i)
        if (m.ropes[i].alive) add(bodies + int(i), double(m.ropes[i].totalMass), !m.ropes[i].pins.empty());
    for (const Joint& j : m.joints) {
        if (!j.on()) continue;
        const auto still = [&](int body) { return body < 0 || !m.bodies[body].dynamic(); };
        const bool first = j.rope < 0 && still(j.body[0]), second = still(j.body[1]);
        if (first && !second) add(j.body[1], 0, true);
        if (second && !first) add(j.rope >= 0 ? bodies + j.rope : j.body[0], 0, true);
    }
}

// Returns the mass of a body over the mass of the vertices that are attached to it.
double attachedRatio(const Model& m, const State& s, int slot) {
    double most = 0;
    for (std::size_t i = 0; i < m.cloths.size(); ++i) {
        const Cloth& c = m.cloths[i];
        if (!c.alive || c.frozen || (c.def.stretchStiffness == 0 && c.def.tethers > 0)) continue;
        double mass = 0;
        for (const ClothPin& pin : c.pins)
            if (pin.body == slot) mass += double(s.cloths[i].v[pin.vertex].w);
        if (mass > 0) most = max(most, m.bodies[slot].mass / mass);
    }
    return most;
}

} // namespace

int substepsOfCloths(ClothBodyCoupling& coupling, const Model& m, const State& s, const StepDef& d) {
    double most = 0, attached = 0; // largest ratios of masses: in contact, attached
    weighAfloat(coupling, m, widen(d.gravity));
    for (const ClothBody& pressed : coupling.bodies) {
        const int slot = pressed.slot;
        const double afloat = coupling.afloat[leaderOf(coupling.leader, slot)];
        if (!(afloat > 0)) continue;
        attached = max(attached, attachedRatio(m, s, slot));
        const Body& b = m.bodies[slot];
        if (b.inContact || b.shapes.empty()) continue; // other objects may support it
        const BodyState& at = s.bodies[slot];
        const Pose home = from(b.principal, Pose{}), now = {at.x, at.q};
        Bounds box, way;
        for (const Shape& shape : b.shapes) {
            const Bounds is = boundsOf(shape, now * home * shape.at),
                         was = boundsOf(shape, b.start * home * shape.at);
            box.add(is.min);
            box.add(is.max);
            way.add(was.min);
            way.add(was.max);
        }
        way.add(box.min);
        way.add(box.max);
        const Vec3d e = box.max - box.min;
        const double shadow = max(max(e.x * e.y, e.y * e.z), e.z * e.x);
        for (std::size_t i = 0; i < m.cloths.size(); ++i) {
            const Cloth& c = m.cloths[i];
            if (!c.alive || c.frozen || !mayTouch(c.def.filter, b.def.filter)) continue;
            if (!way.meets(wayOf(c, s.cloths[i], double(d.dt)))) continue;
            const double mass = massOf(c, s.cloths[i]), under = min(mass, densityOf(c, mass) * shadow);
            most = max(most, afloat / max(under, 1e-30));
        }
    }
    const double wanted = max(kSubsteps * sqrt(most), kAttachedSubsteps * sqrt(attached));
    return std::max(d.substeps, wanted < kMostSubsteps ? int(wanted) : kMostSubsteps);
}

// The mass of a vertex in this substep: 1 / x.w where the air makes it heavier (solver/cloth/formulas.hpp).
static double massInAir(const ClothState& s, std::size_t i) {
    const float w = s.x[i].w, m = s.v[i].w;
    return w > 0 && w < 1 / m ? 1 / double(w) : double(m);
}

void reportHits(const ClothShapeContacts& w, ClothBodyCoupling& coupling, int cloth, ClothState& s,
                double h) {
    for (std::size_t i = 0; i < w.rests.size(); ++i) {
        const ClothRestingContact& rest = w.rests[i];
        if (rest.slot < 0) continue;
        const std::size_t v = i / kClothHits;
        coupling.contacts.add(clothElement(cloth), bodyElement(rest.slot),
                              (massInAir(s, v) / h) * widen(rest.by), widen(rest.n), widen(Vec3(s.x[v])));
    }
    for (std::size_t i = 0; i < w.hits.size(); ++i) {
        const ClothHit& hit = w.hits[i];
        if (hit.body < 0) continue;
        const std::size_t v = i / kClothHits;
        coupling.hits[hit.body].push_back({hit, &s.x[v], massInAir(s, v), true, cloth});
    }
}

void ClothShapeContact::touch(int i) const {
    Point& x = s.x[i];
    if (!(x.w > 0)) return;
    const double r = 0.5 * double(c.def.thickness);
    const Vec3d start = widen(Vec3(s.before[i]));
    Vec3d position = widen(Vec3(x));
    bool moved = false, contacts = false, cut = false;
    int hits = 0, rests = 0;
    for (const ClothObstacle& o : w.near) {
        Bounds way;
        way.add(start);
        way.add(position);
        if (!o.reach.meets(way)) continue;
        const Vec3d a = o.from.local(start);
        Vec3d b = o.to.local(position);
        const Vec3d wish = b;
        const bool wasCut = cut;
        cut = false;
        b = walk(*o.shape, a, b, r, cut);
        const Nearest n = nearest(*o.shape, b);
        const double deep = r - n.distance;
        if (deep > 0) {
            b = b + deep * n.normal;
            const Vec3d u = tangent(b - a, n.normal);
            const double l = length(u);
            const double grip = l > 0 ? min(o.friction * deep / l, 1.0) : 1;
            if (o.pressed >= 0 && hits < kClothHits)
                w.hits[kClothHits * i + hits++] = hitOn(o, cut, b, n.normal, wish, deep, u, grip);
            b = b - grip * u;
            if (o.pressed < 0 && rests < kClothHits)
                w.rests[kClothHits * i + rests++] = {o.slot, narrow(rotate(o.to.q, n.normal)),
                                                     narrow(rotate(o.to.q, b - wish))};
            contacts = true;
        }
        if (deep > 0 || cut) {
            position = o.to.point(b);
            moved = true;
        }
        cut = cut || wasCut;
    }
    if (moved) {
        const Vec3 p = narrow(position);
        x = {p.x, p.y, p.z, x.w};
    }
    if (cut) w.truncated.fetch_add(1, std::memory_order_relaxed);
    if (contacts && last) w.count.fetch_add(1, std::memory_order_relaxed);
}

} // namespace capstan
