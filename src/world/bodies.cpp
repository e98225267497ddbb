// SPDX-License-Identifier: MIT
// World: the calls for bodies. The program reads and sets the transform O of the body's origin. The engine stores the
// transform of the principal axes, P = O C, where C is their pose in the body. So O = P C^-1.
#include "world/impl.hpp"

#include "builder/body.hpp"
#include "builder/field_check.hpp"
#include "collision/geometry/ray.hpp"
#include <capstan/check.hpp>

#include <algorithm>

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

// Returns the angular velocity [rad/s] w = q I^-1 q* L. A body that is not dynamic has no momentum; its member L
// holds w itself.
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

// Fails a check unless the body is dynamic.
bool canBeGivenSpeed(const Body& b) {
    return CAPSTAN_CHECK(b.def.type != BodyType::Kinematic,
                         "a kinematic body takes no velocity; use moveTo()") &&
           CAPSTAN_CHECK(b.def.type != BodyType::Static, "a static body cannot move");
}

} // namespace

Status World::Impl::draft(const BodyDef& d, BodyDraft& made) const {
    return makeBody(d, made.body, made.state);
}

void World::Impl::insert(BodyId id, const BodyDef&, BodyDraft&& made) {
    made.body.generation = id.generation;
    model.bodies[id.index] = std::move(made.body);
    state.bodies.resize(model.bodies.size());
    state.bodies[id.index] = made.state;
    bodyTree.markStale();
    model.changed = true;
}

void World::Impl::beforeRemove(BodyId id) {
    const int slot = int(id.index);
    for (std::uint32_t i = 0; i < model.joints.size(); ++i) {
        const Joint& j = model.joints[i];
        if (j.alive && (j.body[0] == slot || j.body[1] == slot)) removeAt<JointId>(i);
    }
    dropContacts(bodyElement(slot));
}

void World::Impl::afterRemove(BodyId id) {
    state.bodies[id.index] = BodyState{};
    bodyTree.markStale();
    model.changed = true;
}

Vec3 World::Impl::worldPoint(BodyId id, Vec3 local) const {
    return transformOf(originOf(model.bodies[id.index], state.bodies[id.index])).point(local);
}

namespace {

// Recomputes mass and inertia for a new density, mass or inertia. Joints and shapes are stored in the body's
// principal axes. So an Error is returned if the centre of mass or the principal axes would change.
Status weighAgain(Body& b, const BodyDef& d) {
    Body made;
    BodyState start;
    if (Status good = makeBody(d, made, start); !good) return good;
    const Error moved = {"an edit must not move the body's centre of mass or turn its axes of inertia", ""};
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
    b.mass = made.mass;
    b.inertia = {inertia[0], inertia[1], inertia[2]};
    b.massProperties.mass = narrow(b.mass);
    b.massProperties.inertia = narrow(b.inertia);
    b.def.density = d.density;
    b.def.mass = d.mass;
    b.def.inertia = d.inertia;
    return done();
}

bool sameShape(const ShapeDef& a, const ShapeDef& b) {
    return a.kind == b.kind && a.size == b.size && a.radius == b.radius && a.length == b.length &&
           a.points == b.points && a.triangles == b.triangles && a.density == b.density &&
           Transform{a.position, a.rotation} == Transform{b.position, b.rotation};
}

bool sameShapes(const BodyDef& a, const BodyDef& b) {
    return sameShape(a.shape, b.shape) &&
           std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), sameShape);
}

} // namespace

Status World::Impl::applyUpdate(BodyId id, const BodyDef& d) {
    Body* b = &model.bodies[id.index];
    if (auto e = checkFields(d)) return *e;
    if (d.type != b->def.type || d.centerOfMass != b->def.centerOfMass)
        return Error{"the type of a body and its centre of mass cannot be changed", ""};
    if (!sameShapes(d, b->def)) return Error{"the shapes of a body (shape, parts) cannot be changed", ""};
    BodyState& s = state.bodies[id.index];
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
    model.changed = true;
    return done();
}

// The velocity and the angular velocity keep their values in the world.
void World::teleport(BodyId id, const Transform& at) {
    Body* b = in_->at(id);
    if (!b || !goodTransform(at)) return;
    BodyState& s = in_->state.bodies[id.index];
    const Vec3d w = spinOf(*b, s);
    b->target = poseOf(at) * b->principal;
    b->hasTarget = false;
    s.x = b->target.x;
    s.q = b->target.q;
    setSpinOf(*b, s, w);
    s.history = false;
    in_->bodyTree.markStale();
}

void World::moveTo(BodyId id, const Transform& at) {
    Body* b = in_->at(id);
    if (!b || !goodTransform(at) ||
        !CAPSTAN_CHECK(b->def.type == BodyType::Kinematic, "moveTo() needs a kinematic body; use teleport()"))
        return;
    b->target = poseOf(at) * b->principal;
    b->hasTarget = true;
}

void World::setVelocity(BodyId id, Vec3 velocity) {
    const Body* b = in_->at(id);
    if (!b || !CAPSTAN_CHECK(finite(velocity), "the velocity must be finite") || !canBeGivenSpeed(*b)) return;
    if (!b->dynamic()) return; // quarantined
    BodyState& s = in_->state.bodies[id.index];
    s.v = widen(velocity);
    s.history = false;
}

void World::setAngularVelocity(BodyId id, Vec3 angularVelocity) {
    const Body* b = in_->at(id);
    if (!b || !CAPSTAN_CHECK(finite(angularVelocity), "the angular velocity must be finite") ||
        !canBeGivenSpeed(*b))
        return;
    if (!b->dynamic()) return;
    BodyState& s = in_->state.bodies[id.index];
    setSpinOf(*b, s, widen(angularVelocity));
    s.history = false;
}

// An impulse has no effect on a body that is not dynamic, as on a pinned node.
void World::applyImpulse(BodyId id, Vec3 impulse) {
    const Body* b = in_->at(id);
    if (!b || !CAPSTAN_CHECK(finite(impulse), "the impulse must be finite") || !b->dynamic()) return;
    BodyState& s = in_->state.bodies[id.index];
    s.v += widen(impulse) / b->mass;
    s.history = false;
}

void World::applyImpulse(BodyId id, Vec3 impulse, Vec3 at) {
    const Body* b = in_->at(id);
    if (!b || !CAPSTAN_CHECK(finite(impulse) && finite(at), "impulse and point must be finite") ||
        !b->dynamic())
        return;
    BodyState& s = in_->state.bodies[id.index];
    s.v += widen(impulse) / b->mass;
    s.history = false;
    s.L += cross(widen(at) - s.x, widen(impulse));
}

void World::applyAngularImpulse(BodyId id, Vec3 impulse) {
    const Body* b = in_->at(id);
    if (!b || !CAPSTAN_CHECK(finite(impulse), "the impulse must be finite") || !b->dynamic()) return;
    BodyState& s = in_->state.bodies[id.index];
    s.L += widen(impulse);
    s.history = false;
}

void World::applyForce(BodyId id, Vec3 force) {
    const Body* b = in_->at(id);
    if (!b || !CAPSTAN_CHECK(finite(force), "the force must be finite") || !b->dynamic()) return;
    in_->state.bodies[id.index].force += widen(force);
}

void World::applyForce(BodyId id, Vec3 force, Vec3 at) {
    const Body* b = in_->at(id);
    if (!b || !CAPSTAN_CHECK(finite(force) && finite(at), "force and point must be finite") || !b->dynamic())
        return;
    BodyState& s = in_->state.bodies[id.index];
    s.force += widen(force);
    s.torque += cross(widen(at) - s.x, widen(force));
}

void World::applyTorque(BodyId id, Vec3 torque) {
    const Body* b = in_->at(id);
    if (!b || !CAPSTAN_CHECK(finite(torque), "the torque must be finite") || !b->dynamic()) return;
    in_->state.bodies[id.index].torque += widen(torque);
}

Transform World::pose(BodyId id) const {
    const Impl& w = in_.asItIs(); // bodies are never on a GPU
    const Body* b = w.at(id);
    return b ? transformOf(originOf(*b, w.state.bodies[id.index])) : Transform{};
}

Vec3 World::position(BodyId id) const { return pose(id).position; }

Vec3 World::centerOfMass(BodyId id) const {
    const Impl& w = in_.asItIs();
    return w.at(id) ? narrow(w.state.bodies[id.index].x) : Vec3{0, 0, 0};
}

Vec3 World::velocity(BodyId id) const {
    const Impl& w = in_.asItIs();
    return w.at(id) ? narrow(w.state.bodies[id.index].v) : Vec3{0, 0, 0};
}

Vec3 World::angularVelocity(BodyId id) const {
    const Impl& w = in_.asItIs();
    const Body* b = w.at(id);
    return b ? narrow(spinOf(*b, w.state.bodies[id.index])) : Vec3{0, 0, 0};
}

std::span<const Transform> World::bodyPoses() const {
    Impl& w = in_.asItIs();
    w.bodyPoses.clear();
    for (std::size_t i = 0; i < w.model.bodies.size(); ++i)
        if (w.model.bodies[i].alive)
            w.bodyPoses.push_back(transformOf(originOf(w.model.bodies[i], w.state.bodies[i])));
    return w.bodyPoses;
}

std::span<const BodyVelocity> World::bodyVelocities() const {
    Impl& w = in_.asItIs();
    w.bodyVelocities.clear();
    for (std::size_t i = 0; i < w.model.bodies.size(); ++i) {
        const Body& b = w.model.bodies[i];
        const BodyState& s = w.state.bodies[i];
        if (b.alive) w.bodyVelocities.push_back({narrow(s.v), narrow(spinOf(b, s))});
    }
    return w.bodyVelocities;
}

const MassProperties& World::massProperties(BodyId id) const {
    static const MassProperties none;
    const Body* b = in_.asItIs().at(id);
    return b ? b->massProperties : none;
}

RayHit World::castRay(Vec3 from, Vec3 direction, float maxDistance) const {
    Impl& w = in_.asItIs();
    const Vec3d start = widen(from), along = normalize(widen(direction));
    if (!CAPSTAN_CHECK(finite(from) && finite(direction) && finite(maxDistance), "the ray must be finite") ||
        !CAPSTAN_CHECK(length(along) > 0, "the direction of a ray must not be zero") ||
        !CAPSTAN_CHECK(maxDistance >= 0, "the length of a ray must be at least 0"))
        return {};
    RayHit nearest;
    std::uint32_t body = 0;
    w.bodyTree.at(w.model, w.state).castRay(start, along, double(maxDistance), [&](int item, double best) {
        const auto slot = std::uint32_t(item);
        const Body& b = w.model.bodies[slot];
        const Pose origin = originOf(b, w.state.bodies[slot]);
        const Vec3d a = origin.local(start), d = rotate(conjugate(origin.q), along);
        for (std::size_t k = 0; k < b.shapes.size(); ++k) {
            const RayShape hit = capstan::castRay(b.shapes[k], a, d, best);
            // Of equal distances that of the lowest slot and the first shape is kept, whatever the order of the tree.
            if (!hit.hit || (nearest && (hit.t > best || (hit.t == best && slot >= body)))) continue;
            best = hit.t;
            body = slot;
            nearest = {w.idOf<BodyId>(slot),
                       int(k),
                       narrow(start + best * along),
                       narrow(rotate(origin.q, hit.normal)),
                       narrow(best),
                       b.def.userData};
        }
        return best;
    });
    return nearest;
}

} // namespace capstan
