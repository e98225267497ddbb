// SPDX-License-Identifier: MIT
// The calls that a Player makes on objects that are there. A line whose work cannot be added up says so.
#include <apps/fuzz/player.hpp>

#include <cmath>

namespace capstan::fuzz {
namespace {

// Returns whether the ends of a cut rope may overlap: they are one segment apart.
bool overlapsWhenCut(const World& world, RopeId rope) {
    if (!world.isValid(rope)) return false;
    const std::span<const Point> x = world.positions(rope);
    for (std::size_t k = 1; k < x.size(); ++k)
        if (std::hypot(x[k].x - x[k - 1].x, x[k].y - x[k - 1].y, x[k].z - x[k - 1].z) <
            2 * world.def(rope).radius)
            return true;
    return false;
}

} // namespace

// An anchor is an object and a node, a vertex or a point: "object=b1 point=0,1,0". Without an object it is a point of
// the world.
Anchor Player::anchor(const Op& op, std::string_view prefix) const {
    const std::string p(prefix);
    const std::string whose = p.empty() ? op.name : op.text(p + "object");
    const auto found = at_.names.find(whose);
    const ObjectId o = found == at_.names.end() ? ObjectId{} : found->second;
    if (o.kind == ObjectKind::Rope) return {o.as<RopeId>(), op.integer(p + "node")};
    if (o.kind == ObjectKind::Cloth) return {o.as<ClothId>(), op.integer(p + "node")};
    if (o.kind == ObjectKind::Body) return {o.as<BodyId>(), op.vector(p + "point")};
    return {op.vector(p + "point")};
}

void Player::doAttach(const Op& op) {
    // A node that lies off its body's point is drawn to it, which is work. At the start it lies there. But where an
    // object was refused, the other one is drawn to a point of the world.
    const auto there = [&](const char* whose) { return at_.names.contains(op.text(whose)); };
    if (at_.steps > 0 || !there("a.object") || !there("b.object")) at_.uncertain = true;
    for (const char* whose : {"a.object", "b.object"}) {
        const auto found = at_.names.find(op.text(whose));
        if (found == at_.names.end() || found->second.kind != ObjectKind::Body) continue;
        if (world_.def(found->second.as<BodyId>()).type != BodyType::Dynamic) at_.tied = true;
    }
    const Result<ObjectId> made = world_.attach(anchor(op, "a."), anchor(op, "b."));
    if (made) at_.names[op.name] = *made;
}

void Player::doPin(const Op& op) {
    at_.uncertain = true;
    world_.pin(anchor(op, ""), op.vector("target"));
}

void Player::doUnpin(const Op& op) { world_.unpin(anchor(op, "")); }

void Player::doForce(const Op& op) {
    at_.uncertain = true;
    const BodyId body = id<BodyId>(op);
    if (!body) return world_.applyForce(anchor(op, ""), op.vector("value"));
    if (op.text("at").empty()) return world_.applyForce(body, op.vector("value"));
    world_.applyForce(body, op.vector("value"), op.vector("at"));
}

void Player::doImpulse(const Op& op) {
    const BodyId body = id<BodyId>(op);
    if (!body) return world_.applyImpulse(anchor(op, ""), op.vector("value"));
    if (op.text("at").empty()) return world_.applyImpulse(body, op.vector("value"));
    world_.applyImpulse(body, op.vector("value"), op.vector("at"));
}

void Player::doTorque(const Op& op) {
    at_.uncertain = true;
    world_.applyTorque(id<BodyId>(op), op.vector("value"));
}

void Player::doSpin(const Op& op) {
    if (op.integer("impulse"))
        world_.applyAngularImpulse(id<BodyId>(op), op.vector("value"));
    else
        world_.setAngularVelocity(id<BodyId>(op), op.vector("value"));
}

void Player::doVelocity(const Op& op) {
    if (const BodyId body = id<BodyId>(op))
        world_.setVelocity(body, op.vector("value"));
    else
        world_.setVelocity(anchor(op, ""), op.vector("value"));
}

void Player::doMass(const Op& op) { world_.setMass(anchor(op, ""), op.number("value")); }

void Player::doMove(const Op& op) {
    at_.uncertain = true;
    Transform pose;
    pose.position = op.vector("position");
    if (const std::string turn = op.text("rotation"); !turn.empty()) read(turn, pose.rotation);
    if (const HairId hair = id<HairId>(op))
        world_.moveTo(hair, pose);
    else
        world_.moveTo(id<BodyId>(op), pose);
}

void Player::doTeleport(const Op& op) {
    at_.uncertain = true;
    Transform pose;
    pose.position = op.vector("position");
    if (const std::string turn = op.text("rotation"); !turn.empty()) read(turn, pose.rotation);
    world_.teleport(id<BodyId>(op), pose);
}

void Player::doWind(const Op& op) {
    at_.uncertain = true;
    if (const HairId hair = id<HairId>(op))
        world_.setWind(hair, op.vector("value"));
    else
        world_.setWind(id<ClothId>(op), op.vector("value"));
}

void Player::doTarget(const Op& op) {
    at_.uncertain = true;
    if (op.text("point").empty())
        world_.setTarget(id<JointId>(op), op.number("value"));
    else
        world_.setTarget(id<JointId>(op), op.vector("point"));
}

void Player::doControl(const Op& op) {
    at_.uncertain = true;
    world_.setControl(op.number("x"), op.number("y"));
}

void Player::doEnable(const Op& op) {
    at_.uncertain = true;
    world_.setEnabled(id<JointId>(op), op.integer("on") != 0);
}

void Player::doWinch(const Op& op) {
    at_.uncertain = true;
    world_.setWinchSpeed(id<RopeId>(op), op.integer("end"), op.number("speed"));
}

void Player::doCut(const Op& op) {
    // The halves of a cut have ends one segment apart. If that is less than their diameter, they overlap now.
    const RopeId rope = id<RopeId>(op);
    if (overlapsWhenCut(world_, rope)) at_.uncertain = true;
    const RopeId behind = world_.cut(rope, op.integer("segment"));
    if (behind) at_.names[op.text("as")] = behind;
}

void Player::doRemove(const Op& op) {
    // Two bodies that a joint kept from touching may overlap when it goes.
    at_.uncertain = true;
    world_.remove(object(op));
}

void Player::doRay(const Op& op) {
    world_.setViewpoint(op.vector("from"));
    (void)world_.castRay(op.vector("from"), op.vector("to"), op.number("distance", 10));
}

void Player::doSnapshot(const Op& op) { at_.kept[op.integer("slot")] = world_.snapshot(); }

void Player::doRestore(const Op& op) {
    const auto found = at_.kept.find(op.integer("slot"));
    if (found == at_.kept.end()) return;
    world_.restore(found->second);
    keepOn(world_.def());
}

void Player::doLawless(const Op&) { at_.lawless = at_.uncertain = true; }

} // namespace capstan::fuzz
