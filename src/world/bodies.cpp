// SPDX-License-Identifier: MIT
// World: bodies. The user's transform is that of the body's origin O; the engine holds the principal axes P = O C,
// where C is the principal pose in the body. So O = P C^-1.
#include "world/impl.hpp"

#include "builder/body.hpp"
#include "builder/field_check.hpp"
#include "collision/geometry/ray.hpp"
#include <capstan/check.hpp>

namespace capstan {
namespace {

Pose poseOf(const Transform& t) {
    const Quatf& q = t.rotation;
    return {widen(t.position), normalize(Quatd{double(q.x), double(q.y), double(q.z), double(q.w)})};
}

Transform transformOf(const Pose& p) {
    return {narrow(p.x), {narrow(p.q.x), narrow(p.q.y), narrow(p.q.z), narrow(p.q.w)}};
}

Pose originOf(const Body& b, const BodyState& s) { return Pose{s.x, s.q} * from(b.principal, Pose{}); }

// w = q I^-1 q* L. A body without mass has no momentum: its L holds the spin itself.
Vec3d spinOf(const Body& b, const BodyState& s) {
    if (!(b.mass > 0)) return s.L;
    const Vec3d l = rotate(conjugate(s.q), s.L);
    return rotate(s.q, {l.x / b.inertia.x, l.y / b.inertia.y, l.z / b.inertia.z});
}

void setSpinOf(const Body& b, BodyState& s, Vec3d w) {
    s.L = b.mass > 0 ? rotate(s.q, multiply(b.inertia, rotate(conjugate(s.q), w))) : w;
}

bool goodTransform(const Transform& at) {
    const Quatf& q = at.rotation;
    return CAPSTAN_CHECK(finite(at.position) && finite(q.vector()) && finite(q.w),
                         "the transform must be finite") &&
           CAPSTAN_CHECK(!(q.vector() == Vec3{0, 0, 0}) || q.w != 0, "the rotation must not be zero");
}

// Only what obeys forces can be given a speed.
bool canBeGivenSpeed(const Body& b) {
    return CAPSTAN_CHECK(b.def.type != BodyType::Kinematic,
                         "a kinematic body goes where it is told: use moveTo()") &&
           CAPSTAN_CHECK(b.def.type != BodyType::Static, "a static body does not move");
}

} // namespace

Body* World::Inside::body(BodyId id) {
    const bool good = tenant(model.bodies, id) != nullptr;
    return CAPSTAN_CHECK(good, "this body id is stale or null") ? &model.bodies[id.index] : nullptr;
}

BodyId World::add(const BodyDef& def) {
    Result<BodyId> made = tryAdd(def);
    if (!made) CAPSTAN_CHECK(false, made.error().text().c_str());
    return made ? *made : BodyId{};
}

Result<BodyId> World::tryAdd(const BodyDef& def) {
    Body body;
    BodyState state;
    if (Status made = makeBody(def, body, state); !made) return made.error();
    if (findBody(def.name)) return Error{"there is a body of this name already", "/name"};
    const std::uint32_t slot = claimSlot(in_->model.bodies, in_->freeBody);
    body.generation = in_->model.bodies[slot].generation;
    in_->model.bodies[slot] = std::move(body);
    in_->state.bodies.resize(in_->model.bodies.size());
    in_->state.bodies[slot] = state;
    in_->model.changed = true;
    return idAt<BodyTag>(in_->model.bodies, slot);
}

void World::remove(BodyId id) {
    if (!in_->body(id)) return;
    const int slot = int(id.index);
    for (std::uint32_t i = 0; i < in_->model.joints.size(); ++i) {
        const Joint& j = in_->model.joints[i];
        if (j.alive && (j.body[0] == slot || j.body[1] == slot)) in_->dropJoint(i);
    }
    in_->forgetTouches(bodySide(int(id.index)));
    emptySlot(in_->model.bodies, id.index, in_->freeBody);
    in_->state.bodies[id.index] = BodyState{};
    in_->model.changed = true;
}

bool World::alive(BodyId id) const { return tenant(in_->model.bodies, id) != nullptr; }
BodyId World::findBody(std::string_view name) const { return idNamed<BodyTag>(in_->model.bodies, name); }
std::vector<BodyId> World::bodies() const { return everyId<BodyTag>(in_->model.bodies); }

const BodyDef& World::def(BodyId id) const {
    static const BodyDef none;
    const Body* b = in_->body(id);
    return b ? b->def : none;
}

// Only what is named below is taken over: shapes are part of the mass, and where it started is past.
namespace {

// Mass and inertia of another density, mass or inertia. Joints and shapes are kept in the axes that the body has, so its
// centre of mass must stay where it is and its inertia must still have those axes.
Status weighAgain(Body& b, const BodyDef& d) {
    Body made;
    BodyState start;
    if (Status good = makeBody(d, made, start); !good) return good;
    const Error moved = {"this would move the body's centre of mass or turn its axes of inertia", ""};
    const double size = 1e-6 * (made.inertia.x + made.inertia.y + made.inertia.z);
    if (length(made.principal.x - b.principal.x) > 1e-6 * (1 + length(b.principal.x))) return moved;
    double inertia[3];
    for (int k = 0; k < 3; ++k) {
        const Vec3d axis = {double(k == 0), double(k == 1), double(k == 2)};
        const Vec3d there = rotate(conjugate(made.principal.q), rotate(b.principal.q, axis));
        const Vec3d back =
            rotate(conjugate(b.principal.q), rotate(made.principal.q, multiply(made.inertia, there)));
        inertia[k] = dot(back, axis);
        if (length(back - inertia[k] * axis) > size) return moved;
    }
    b.mass = made.mass, b.inertia = {inertia[0], inertia[1], inertia[2]};
    b.told.mass = narrow(b.mass), b.told.inertia = narrow(b.inertia);
    b.def.density = d.density, b.def.mass = d.mass, b.def.inertia = d.inertia;
    return done();
}

} // namespace

Status World::edit(BodyId id, const std::function<void(BodyDef&)>& change) {
    Body* b = in_->body(id);
    if (!b) return Error{"this body id is stale or null", ""};
    BodyDef d = b->def;
    change(d);
    if (auto e = checkFields(d)) return *e;
    if (d.name != b->def.name && findBody(d.name))
        return Error{"there is a body of this name already", "/name"};
    if (d.type != b->def.type || d.centerOfMass != b->def.centerOfMass)
        return Error{"the type of a body and its centre of mass cannot be edited", ""};
    BodyState& s = in_->state.bodies[id.index];
    if (d.density != b->def.density || d.mass != b->def.mass || d.inertia != b->def.inertia) {
        const Vec3d w = spinOf(*b, s);
        if (Status weighed = weighAgain(*b, d); !weighed) return weighed;
        if (b->def.type == BodyType::Dynamic) setSpinOf(*b, s, w);
    }
    b->def.name = d.name;
    b->def.damping = d.damping;
    b->def.material = d.material;
    b->def.filter = d.filter;
    b->def.userData = d.userData;
    s.history = false;
    in_->model.changed = true;
    return done();
}

// Velocity and spin stay as they are in the world.
void World::place(BodyId id, const Transform& at) {
    Body* b = in_->body(id);
    if (!b || !goodTransform(at)) return;
    BodyState& s = in_->state.bodies[id.index];
    const Vec3d w = spinOf(*b, s);
    b->goal = poseOf(at) * b->principal;
    b->moving = false;
    s.x = b->goal.x, s.q = b->goal.q;
    setSpinOf(*b, s, w);
    s.history = false;
}

void World::moveTo(BodyId id, const Transform& at) {
    Body* b = in_->body(id);
    if (!b || !goodTransform(at) ||
        !CAPSTAN_CHECK(b->def.type == BodyType::Kinematic, "only a kinematic body is moved: use place()"))
        return;
    b->goal = poseOf(at) * b->principal;
    b->moving = true;
}

void World::setVelocity(BodyId id, Vec3 velocity) {
    const Body* b = in_->body(id);
    if (!b || !CAPSTAN_CHECK(finite(velocity), "the velocity must be finite") || !canBeGivenSpeed(*b)) return;
    if (!b->dynamic()) return; // frozen
    BodyState& s = in_->state.bodies[id.index];
    s.v = widen(velocity), s.history = false;
}

void World::setSpin(BodyId id, Vec3 spin) {
    const Body* b = in_->body(id);
    if (!b || !CAPSTAN_CHECK(finite(spin), "the spin must be finite") || !canBeGivenSpeed(*b)) return;
    if (!b->dynamic()) return;
    BodyState& s = in_->state.bodies[id.index];
    setSpinOf(*b, s, widen(spin)), s.history = false;
}

// As for a pinned node: what does not obey forces does not notice them.
void World::push(BodyId id, Vec3 impulse) {
    const Body* b = in_->body(id);
    if (!b || !CAPSTAN_CHECK(finite(impulse), "the impulse must be finite") || !b->dynamic()) return;
    BodyState& s = in_->state.bodies[id.index];
    s.v += widen(impulse) / b->mass, s.history = false;
}

void World::push(BodyId id, Vec3 impulse, Vec3 at) {
    const Body* b = in_->body(id);
    if (!b || !CAPSTAN_CHECK(finite(impulse) && finite(at), "impulse and point must be finite") ||
        !b->dynamic())
        return;
    BodyState& s = in_->state.bodies[id.index];
    s.v += widen(impulse) / b->mass, s.history = false;
    s.L += cross(widen(at) - s.x, widen(impulse));
}

void World::turn(BodyId id, Vec3 impulse) {
    const Body* b = in_->body(id);
    if (!b || !CAPSTAN_CHECK(finite(impulse), "the impulse must be finite") || !b->dynamic()) return;
    BodyState& s = in_->state.bodies[id.index];
    s.L += widen(impulse), s.history = false;
}

void World::pull(BodyId id, Vec3 force) {
    const Body* b = in_->body(id);
    if (!b || !CAPSTAN_CHECK(finite(force), "the force must be finite") || !b->dynamic()) return;
    in_->state.bodies[id.index].force += widen(force);
}

void World::pull(BodyId id, Vec3 force, Vec3 at) {
    const Body* b = in_->body(id);
    if (!b || !CAPSTAN_CHECK(finite(force) && finite(at), "force and point must be finite") || !b->dynamic())
        return;
    BodyState& s = in_->state.bodies[id.index];
    s.force += widen(force);
    s.torque += cross(widen(at) - s.x, widen(force));
}

void World::twist(BodyId id, Vec3 torque) {
    const Body* b = in_->body(id);
    if (!b || !CAPSTAN_CHECK(finite(torque), "the torque must be finite") || !b->dynamic()) return;
    in_->state.bodies[id.index].torque += widen(torque);
}

Transform World::transform(BodyId id) const {
    const Body* b = in_->body(id);
    return b ? transformOf(originOf(*b, in_->state.bodies[id.index])) : Transform{};
}

Vec3 World::center(BodyId id) const {
    return in_->body(id) ? narrow(in_->state.bodies[id.index].x) : Vec3{0, 0, 0};
}

Vec3 World::velocity(BodyId id) const {
    return in_->body(id) ? narrow(in_->state.bodies[id.index].v) : Vec3{0, 0, 0};
}

Vec3 World::spin(BodyId id) const {
    const Body* b = in_->body(id);
    return b ? narrow(spinOf(*b, in_->state.bodies[id.index])) : Vec3{0, 0, 0};
}

const MassProperties& World::massProperties(BodyId id) const {
    static const MassProperties none;
    const Body* b = in_->body(id);
    return b ? b->told : none;
}

RayHit World::pick(Vec3 from, Vec3 direction, float reach) const {
    const Vec3d start = widen(from), along = normalize(widen(direction));
    if (!CAPSTAN_CHECK(finite(from) && finite(direction) && finite(reach), "the ray must be finite") ||
        !CAPSTAN_CHECK(length(along) > 0, "the direction of a ray must not be zero") ||
        !CAPSTAN_CHECK(reach >= 0, "the reach of a ray must be at least 0"))
        return {};
    RayHit nearest;
    double best = double(reach);
    for (std::uint32_t i = 0; i < in_->model.bodies.size(); ++i) {
        const Body& b = in_->model.bodies[i];
        if (!b.alive) continue;
        const Pose origin = originOf(b, in_->state.bodies[i]);
        const Vec3d a = origin.local(start), d = rotate(conjugate(origin.q), along);
        for (const Shape& shape : b.shapes) {
            const RayShape hit = castRay(shape, a, d, best);
            if (!hit.hit || (nearest && hit.t >= best)) continue; // of equals, the first
            best = hit.t;
            nearest = {idAt<BodyTag>(in_->model.bodies, i), narrow(start + best * along),
                       narrow(rotate(origin.q, hit.normal)), narrow(best)};
        }
    }
    return nearest;
}

} // namespace capstan
