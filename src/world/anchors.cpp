// SPDX-License-Identifier: MIT
// World: the calls that take an Anchor. They apply forces and impulses, and they pin or attach.
#include "world/impl.hpp"

namespace capstan {
namespace {

bool isNode(const Anchor& a) { return a.kind == ObjectKind::Rope; }
bool isVertex(const Anchor& a) { return a.kind == ObjectKind::Cloth; }
bool isBody(const Anchor& a) { return a.kind == ObjectKind::Body; }
bool isWorld(const Anchor& a) { return a.kind == ObjectKind::None; }

// Explains why attach() does not support a pair of kinds.
const char* whyNot(const Anchor& a, const Anchor& b) {
    if (isWorld(a) && isWorld(b)) return "one of the two anchors must not be a point of the world";
    if (isWorld(a) || isWorld(b)) return "a node or a vertex cannot be attached to the world; use pin()";
    if (isVertex(a) && isVertex(b)) return "cloth cannot be attached to cloth yet";
    return "a rope cannot be attached to a rope yet";
}

// Returns the Def of a ball joint between points of two bodies. Anchor a may be a point of the world, and b is always
// a body.
JointDef ballBetween(const Anchor& a, const Anchor& b) {
    JointDef d;
    d.type = JointType::Ball;
    d.body0 = a.object.as<BodyId>();
    d.body1 = b.object.as<BodyId>();
    d.frame0 = Transform{a.point};
    d.frame1 = Transform{b.point};
    return d;
}

} // namespace

// Finds a node of a rope or a vertex of cloth. If it does not exist, CAPSTAN_CHECK fails and x is null.
World::Impl::MassPoint World::Impl::massPoint(const Anchor& anchor) {
    MassPoint p;
    int element = anchor.element;
    if (isNode(anchor)) {
        p.rope = ropeNode(anchor.object.as<RopeId>(), element);
        if (p.rope) {
            p.index = p.rope->begin + element;
            p.x = &state.x[p.index];
            p.v = &state.v[p.index];
        }
    } else if (isVertex(anchor)) {
        p.cloth = clothVertex(anchor.object.as<ClothId>(), element);
        ClothState* of = p.cloth ? &state.cloths[anchor.object.index] : nullptr;
        if (of) {
            p.index = element;
            p.x = &of->x[element];
            p.v = &of->v[element];
        }
    } else {
        CAPSTAN_CHECK(false, "the anchor must be a node of a rope or a vertex of cloth");
    }
    return p;
}

void World::applyImpulse(const Anchor& anchor, Vec3 impulse) {
    if (isBody(anchor)) {
        const BodyId body = anchor.object.as<BodyId>();
        if (in_.asItIs().at(body)) applyImpulse(body, impulse, in_.asItIs().worldPoint(body, anchor.point));
        return;
    }
    const Impl::MassPoint p = in_->massPoint(anchor);
    if (!p.x || !CAPSTAN_CHECK(finite(impulse), "the impulse must be finite")) return;
    const float w = p.x->w;
    *p.v = {p.v->x + w * impulse.x, p.v->y + w * impulse.y, p.v->z + w * impulse.z, p.v->w};
    if (p.rope) p.rope->history = false;
}

void World::applyForce(const Anchor& anchor, Vec3 force) {
    if (isBody(anchor)) {
        const BodyId body = anchor.object.as<BodyId>();
        if (in_.asItIs().at(body)) applyForce(body, force, in_.asItIs().worldPoint(body, anchor.point));
        return;
    }
    const Impl::MassPoint p = in_->massPoint(anchor);
    if (!p.x || !CAPSTAN_CHECK(finite(force), "the force must be finite")) return;
    ClothState* cloth = p.cloth ? &in_->state.cloths[anchor.object.index] : nullptr;
    std::vector<Point>& forces = cloth ? cloth->force : in_->state.force;
    forces.resize(cloth ? cloth->x.size() : in_->state.x.size());
    Point& f = forces[p.index];
    f = {f.x + force.x, f.y + force.y, f.z + force.z, 0};
    if (p.rope) p.rope->forced = true;
}

void World::setVelocity(const Anchor& anchor, Vec3 velocity) {
    const Impl::MassPoint p = in_->massPoint(anchor);
    if (!p.x || !CAPSTAN_CHECK(finite(velocity), "the velocity must be finite")) return;
    if (p.x->w > 0) *p.v = {velocity.x, velocity.y, velocity.z, p.v->w};
    if (p.rope) p.rope->history = false;
}

void World::setMass(const Anchor& anchor, float mass) {
    if (!CAPSTAN_CHECK(isVertex(anchor), "only a vertex of cloth can be given another mass")) return;
    const Impl::MassPoint p = in_->massPoint(anchor);
    if (!p.x || !CAPSTAN_CHECK(finite(mass) && mass > 0, "the mass must be above 0")) return;
    p.v->w = mass;
    if (p.x->w > 0) p.x->w = 1 / mass;
    p.cloth->changed = true; // the rows hold inverse masses and must be rebuilt
}

float World::mass(const Anchor& anchor) const {
    if (isBody(anchor)) return massProperties(anchor.object.as<BodyId>()).mass;
    const Impl::MassPoint p = in_.asItIs().massPoint(anchor);
    return p.x ? p.v->w : 0;
}

// Tethers end at pins, and the tree of a mechanism has its root at a pin.
void World::Impl::regroupPinned(const Rope& r) {
    const auto slot = int(&r - model.ropes.data());
    const auto holds = [&](const Joint& j) { return j.on() && j.rope == slot; };
    if (r.def.tethers || std::any_of(model.joints.begin(), model.joints.end(), holds)) model.changed = true;
}

void World::pin(const Anchor& anchor, Vec3 target) {
    if (!CAPSTAN_CHECK(finite(target), "the target must be finite")) return;
    int element = anchor.element;
    if (isVertex(anchor)) {
        const ClothId cloth = anchor.object.as<ClothId>();
        if (!in_.asItIs().clothVertex(cloth, element)) return;
        if (ClothPin* p = in_->hold(cloth, element)) p->target = target;
        return;
    }
    if (!CAPSTAN_CHECK(isNode(anchor), "only a node of a rope or a vertex of cloth can be pinned")) return;
    Impl& w = in_.asItIs(); // a new target alone requires no copy of the rope from a GPU
    Rope* r = w.ropeNode(anchor.object.as<RopeId>(), element);
    if (!r ||
        !CAPSTAN_CHECK(!w.attached(int(anchor.object.index), element), "the node is attached to a body"))
        return;
    for (Pin& p : r->pins) {
        if (p.node != element) continue;
        p.target = target;
        return;
    }
    r->pins.push_back({element, target});
    in_->state.x[r->begin + element].w = 0;
    r->history = false;
    w.regroupPinned(*r);
}

void World::unpin(const Anchor& anchor) {
    const Impl::MassPoint p = in_->massPoint(anchor);
    if (!p.x) return;
    if (p.cloth) {
        for (ClothPin& pin : p.cloth->pins)
            if (pin.vertex == p.index) in_->forgetAttachment(pin);
        std::erase_if(p.cloth->pins, [&](const ClothPin& pin) { return pin.vertex == p.index; });
        p.cloth->changed = true;
    } else {
        Rope& r = *p.rope;
        const int node = p.index - r.begin;
        std::erase_if(r.pins, [&](const Pin& pin) { return pin.node == node; });
        if (node == 0) r.clamp[0] = {0, 0, 0};
        if (node == r.count - 1) r.clamp[1] = {0, 0, 0};
        r.history = false;
        in_->regroupPinned(r);
    }
    p.x->w = 1 / p.v->w;
}

Result<ObjectId> World::attach(const Anchor& a, const Anchor& b) {
    for (const Anchor* anchor : {&a, &b})
        if (!isWorld(*anchor) && !CAPSTAN_CHECK(isValid(anchor->object), "this id is stale or null"))
            return Error{"this id is stale or null", anchor == &a ? "/a" : "/b"};
    for (const Anchor* anchor : {&a, &b})
        if (!CAPSTAN_CHECK(finite(anchor->point), "the point must be finite"))
            return Error{"the point must be finite", anchor == &a ? "/a" : "/b"};
    if (isVertex(b) && !isVertex(a)) return attach(b, a);
    if (isNode(b) && isBody(a)) return attach(b, a);
    if (isVertex(a)) {
        ClothId cloth = a.object.as<ClothId>();
        int vertex = a.element, node = b.element;
        if (!isBody(b) && !isNode(b)) return Error{whyNot(a, b), ""};
        if (!in_.asItIs().clothVertex(cloth, vertex)) return Error{"the cloth has no such vertex", "/vertex"};
        if (isBody(b)) return ObjectId(in_->attachVertex(cloth, vertex, b.object.as<BodyId>()));
        if (!in_.asItIs().ropeNode(b.object.as<RopeId>(), node))
            return Error{"the rope has no such node", "/node"};
        return ObjectId(in_->attachVertex(cloth, vertex, b.object.as<RopeId>(), node));
    }
    JointDef d;
    if (isNode(a) && isBody(b)) {
        d.type = JointType::Ball;
        d.rope = a.object.as<RopeId>();
        d.node = a.element;
        d.body1 = b.object.as<BodyId>();
        d.anchor = in_.asItIs().worldPoint(b.object.as<BodyId>(), b.point);
    } else if ((isBody(a) || isBody(b)) && !isNode(a) && !isNode(b)) {
        d = isBody(b) ? ballBetween(a, b) : ballBetween(b, a);
    } else {
        return Error{whyNot(a, b), ""};
    }
    const Result<JointId> joint = tryAdd(d);
    if (!joint) return joint.error();
    return ObjectId(*joint);
}

} // namespace capstan
