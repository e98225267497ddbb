// SPDX-License-Identifier: MIT
// This file implements grip.hpp.
#include <apps/viewer/session/grip.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace capstan::viewer {
namespace {

constexpr float kRate = 15; // rad/s, the natural frequency w of grip.hpp
constexpr float kMostWeights = 20;
constexpr float kGravity = 9.81f;
constexpr float kCalm = 6;       // 1/s, damping rate of rotation
constexpr float kCarrySpeed = 8; // m/s, largest speed of a kinematic body that is moved

float massOf(const World& world, RopeId rope) {
    float sum = 0;
    const int n = static_cast<int>(world.positions(rope).size());
    for (int i = 0; i < n; ++i) sum += world.mass({rope, i});
    return sum;
}

float massOf(const World& world, ClothId cloth) {
    float sum = 0;
    const int n = static_cast<int>(world.positions(cloth).size());
    for (int i = 0; i < n; ++i) sum += world.mass({cloth, i});
    return sum;
}

// carrierOf returns the body on which picked hair grows, because forces on hair have no effect. Other objects are
// returned unchanged.
Picked carrierOf(const World& world, const Picked& picked) {
    if (!picked.hair || !world.isValid(picked.hair)) return picked;
    Picked head;
    head.body = world.find<BodyId>(world.def(picked.hair).rootBody);
    head.point = picked.point;
    head.distance = picked.distance;
    return head;
}

// Key of a body or a rope for the flood fill over joints.
using Thing = std::pair<bool, std::uint32_t>; // true for a rope, then the slot

} // namespace

float massTied(const World& world, const Picked& picked) {
    if (picked.cloth) return massOf(world, picked.cloth);
    std::set<Thing> tied;
    std::vector<std::pair<Thing, Thing>> links;
    auto dynamic = [&](BodyId id) {
        return id && world.isValid(id) && world.def(id).type == BodyType::Dynamic;
    };
    for (JointId id : world.ids<JointId>()) {
        const JointDef& d = world.def(id);
        if (!d.enabled) continue;
        std::vector<Thing> sides;
        if (dynamic(d.body0.id)) sides.push_back({false, d.body0.id.index});
        if (dynamic(d.body1.id)) sides.push_back({false, d.body1.id.index});
        if (d.rope.id) sides.push_back({true, d.rope.id.index});
        if (sides.size() == 2) links.push_back({sides[0], sides[1]});
    }
    tied.insert(picked.body ? Thing{false, picked.body.index} : Thing{true, picked.rope.index});
    for (bool grown = true; grown;) {
        grown = false;
        for (const auto& [a, b] : links) {
            if (tied.count(a) == tied.count(b)) continue;
            tied.insert(a);
            tied.insert(b);
            grown = true;
        }
    }
    float sum = 0;
    for (BodyId id : world.ids<BodyId>())
        if (tied.count({false, id.index})) sum += world.massProperties(id).mass;
    for (RopeId id : world.ids<RopeId>())
        if (tied.count({true, id.index})) sum += massOf(world, id);
    return sum;
}

Status Grip::take(World& world, const Picked& what, Vec3 facing, float strength) {
    release(world);
    const Picked picked = carrierOf(world, what);
    if (what.hair && !picked)
        return Error{"hair is pulled by the body that carries it, and this hair grows in the world", ""};
    if (!alive(world, picked)) return Error{"no object is here to be pulled", ""};
    if (picked.body && world.def(picked.body).type == BodyType::Static)
        return Error{"a static body cannot be pulled", ""};
    facing_ = normalize(facing, {0, 0, 1});
    const float mass = strength * massTied(world, picked);
    stiffness_ = mass * kRate * kRate;
    damping_ = 2 * mass * kRate;
    most_ = kMostWeights * mass * kGravity;
    if (picked.cloth) {
        picked_ = picked;
        if (Status taken = takeCloth(world, mass); !taken) {
            picked_ = {};
            return taken;
        }
        goal_ = plane_ = held_;
        return done();
    }
    JointDef def;
    def.type = JointType::Drag;
    def.distance.compliance = 1 / stiffness_;
    def.distance.damping = damping_;
    def.distance.maxForce = most_;
    if (picked.body) {
        way_ = world.def(picked.body).type == BodyType::Dynamic ? Way::Joint : Way::Carry;
        held_ = picked.point;
        local_ = world.pose(picked.body).local(picked.point);
        def.body1 = picked.body;
        def.anchor = picked.point;
    } else {
        const Point& p = world.positions(picked.rope)[static_cast<std::size_t>(picked.node)];
        way_ = p.w == 0 ? Way::Pin : Way::Joint;
        held_ = p;
        def.rope = picked.rope;
        def.node = picked.node;
    }
    if (way_ == Way::Joint) {
        Result<JointId> made = world.tryAdd(def);
        if (made) joint_ = *made;
        if (!made && picked.body) return made.error();
        if (!made) way_ = Way::Force;
    }
    picked_ = picked;
    goal_ = plane_ = held_;
    return done();
}

Status Grip::takeCloth(World& world, float mass) {
    const Point& p = world.positions(picked_.cloth)[static_cast<std::size_t>(picked_.node)];
    const ClothDef& def = world.def(picked_.cloth);
    const int n = static_cast<int>(world.positions(picked_.cloth).size());
    for (const AttachmentDef& a : def.attachments)
        if (p.w == 0 && (a.vertex < 0 ? a.vertex + n : a.vertex) == picked_.node)
            return Error{"this vertex is attached to another object; pull that object", ""};
    held_ = p;
    way_ = p.w == 0 ? Way::Pin : Way::Hand;
    if (way_ == Way::Pin) return done();
    bare_ = world.mass({picked_.cloth, picked_.node});
    hand_ = mass;
    world.setMass({picked_.cloth, picked_.node}, bare_ + hand_);
    return done();
}

void Grip::release(World& world) {
    if (joint_ && world.isValid(joint_)) world.remove(joint_);
    if (way_ == Way::Hand && !lost(world) && world.mass({picked_.cloth, picked_.node}) == bare_ + hand_)
        world.setMass({picked_.cloth, picked_.node}, bare_);
    *this = Grip{};
}

// If the ray is parallel to the plane or points away from it, the target stays.
void Grip::lead(const render::Ray& ray) {
    const float along = dot(ray.direction, facing_);
    const float t = dot(plane_ - ray.from, facing_) / along;
    if (std::isfinite(t) && t > 0) goal_ = ray.from + t * ray.direction;
}

void Grip::shift(float metres) {
    plane_ += metres * facing_;
    goal_ += metres * facing_;
}

// lost returns true if a cut, a break or a removal has removed the held object. A joint stays with its own part.
bool Grip::lost(const World& world) const {
    return way_ == Way::Joint ? !world.isValid(joint_) : !alive(world, picked_);
}

void Grip::act(World& world, float dt) {
    if (!holds()) return;
    if (lost(world)) return release(world);
    if (way_ == Way::Joint && picked_.body) calm(world);
    if (way_ == Way::Joint) return world.setTarget(joint_, goal_);
    if (way_ == Way::Force) return pullNode(world, dt);
    if (way_ == Way::Hand) return pullVertex(world, dt);
    const Vec3 gap = goal_ - held_;
    const Vec3 move = std::min(1.0f, kCarrySpeed * dt / std::max(length(gap), 1e-6f)) * gap;
    if (way_ == Way::Pin && picked_.cloth) return world.pin({picked_.cloth, picked_.node}, held_ + move);
    if (way_ == Way::Pin) return world.pin({picked_.rope, picked_.node}, held_ + move);
    Transform at = world.pose(picked_.body);
    at.position += move;
    world.moveTo(picked_.body, at);
}

// calm damps the rotation of a held body. The spring acts at one point and does not damp it, so the body would swing
// for ever.
void Grip::calm(World& world) const {
    const Vec3 i = world.massProperties(picked_.body).inertia;
    world.applyTorque(picked_.body, -kCalm * std::min({i.x, i.y, i.z}) * world.angularVelocity(picked_.body));
}

// springForce returns the implicit spring force of grip.hpp [N], for mass m [kg] at velocity v [m/s], clamped to
// most_.
Vec3 Grip::springForce(Vec3 v, float m, float dt) {
    const float soften = 1 + dt * (damping_ + dt * stiffness_) / m;
    Vec3 f = (1 / soften) * (stiffness_ * (goal_ - held_) - (damping_ + dt * stiffness_) * v);
    const float size = length(f);
    if (size > most_) f *= most_ / size;
    force_ = std::min(size, most_);
    return f;
}

void Grip::pullNode(World& world, float dt) {
    const Vec3 v = world.velocities(picked_.rope)[static_cast<std::size_t>(picked_.node)];
    world.applyForce({picked_.rope, picked_.node},
                     springForce(v, world.mass({picked_.rope, picked_.node}), dt));
}

// A tear, or an edit of the density, resets the masses of vertices. Then the hand's mass is added again.
void Grip::pullVertex(World& world, float dt) {
    const float now = world.mass({picked_.cloth, picked_.node});
    if (now != bare_ + hand_) {
        bare_ = now;
        world.setMass({picked_.cloth, picked_.node}, bare_ + hand_);
    }
    const Vec3 v = world.velocities(picked_.cloth)[static_cast<std::size_t>(picked_.node)];
    world.applyForce({picked_.cloth, picked_.node},
                     springForce(v, bare_ + hand_, dt) - hand_ * world.def().gravity);
}

void Grip::look(const World& world) {
    if (!holds() || lost(world)) return;
    if (way_ == Way::Joint) force_ = length(world.jointForces(joint_).force);
    if (way_ == Way::Joint && picked_.rope) { // a cut may have renumbered the nodes
        const JointDef& d = world.def(joint_);
        picked_.rope = d.rope.id;
        picked_.node = d.node < 0 ? d.node + static_cast<int>(world.positions(d.rope.id).size()) : d.node;
    }
    held_ = picked_.body ? world.pose(picked_.body).point(local_) : positionOf(world, picked_);
}

} // namespace capstan::viewer
