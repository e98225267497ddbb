// SPDX-License-Identifier: MIT
// World: the calls for joints. An update cannot change the joined objects or the anchors of a joint. When a rope's
// nodes are renumbered, the node numbers of its joints are updated.
#include "world/impl.hpp"

#include "builder/joint.hpp"
#include "solver/rope/nodes.hpp"
#include <capstan/check.hpp>

namespace capstan {
namespace {

// Returns the slot of the object that `who` refers to, or -1 if `who` is empty. A name has priority over an id,
// because it is also valid in other worlds.
template <class Tag, class T>
Result<int> slotOf(const std::vector<T>& slots, const Ref<Tag>& who, const char* kind, const char* where) {
    if (who.empty()) return -1;
    const Id<Tag> id = who.name.empty() ? who.id : idNamed<Tag>(slots, who.name);
    if (tenant(slots, id)) return int(id.index);
    if (who.name.empty()) return Error{std::string("this ") + kind + " id is stale", where};
    return Error{std::string("there is no ") + kind + " named \"" + who.name + "\"", where};
}

template <class Tag> bool same(const Ref<Tag>& a, const Ref<Tag>& b) {
    return a.id == b.id && a.name == b.name;
}

// whether the joint fixes a node to a body
bool ties(const Joint& j) { return j.kind == Joint::Kind::Ball || j.kind == Joint::Kind::Spool; }

} // namespace

bool World::Impl::attached(int rope, int node) const {
    return std::any_of(model.joints.begin(), model.joints.end(), [&](const Joint& j) {
        return j.alive && ties(j) && j.rope == rope && j.node == node;
    });
}

void World::Impl::disturb(const Joint& j) {
    for (int b : j.body)
        if (b >= 0) state.bodies[b].history = false;
    if (j.rope >= 0) model.ropes[j.rope].history = false;
    model.changed = true;
}

void World::Impl::beforeRemove(JointId id) { disturb(model.joints[id.index]); }
void World::Impl::afterRemove(JointId id) { state.joints[id.index] = JointState{}; }

// Moves each joint of a rope to the rope and node that where(node) returns. A joint for which it returns rope -1 is
// removed.
void World::Impl::rehang(int rope, const std::function<std::pair<int, int>(int node)>& where) {
    for (std::uint32_t i = 0; i < model.joints.size(); ++i) {
        Joint& j = model.joints[i];
        if (!j.alive || j.rope != rope) continue;
        const auto [to, node] = where(j.node);
        if (to < 0) {
            removeAt<JointId>(i);
            continue;
        }
        j.rope = to;
        j.node = node;
        j.def.rope.id = idOf<RopeId>(std::uint32_t(to));
        if (!j.def.rope.name.empty()) j.def.rope.name = model.ropes[to].def.name;
        writeNode(j, model.ropes[to]);
        disturb(j);
    }
}

// Checks the rope's side of a joint, and sets `node` to the number counted from the first end.
Status World::Impl::checkRopeSide(const JointDef& d, int rope, int& node) const {
    const Rope& r = model.ropes[rope];
    if (!r.chain()) return Error{"only a rope solved by chain can be joined to a body", "/rope"};
    if (r.def.closed) return Error{"a closed rope cannot be joined to a body; cut it open first", "/rope"};
    node = d.node < 0 ? d.node + r.count : d.node;
    if (node < 0 || node >= r.count)
        return Error{"there is no node " + std::to_string(d.node) + "; the rope has " +
                         std::to_string(r.count) + " nodes",
                     "/node"};
    if (d.type == JointType::Spool && r.def.closed)
        return Error{"a closed rope has no end to wind up", "/rope"};
    if (d.type == JointType::Spool && node != 0 && node != r.count - 1)
        return Error{"a spool joint must be at an end of the rope: node 0 or -1", "/node"};
    if (std::any_of(r.pins.begin(), r.pins.end(), [&](const Pin& p) { return p.node == node; }))
        return Error{"the node is pinned", "/node"};
    if (d.type != JointType::Drag && attached(rope, node))
        return Error{"the node is attached already", "/node"};
    return done();
}

Status World::Impl::draft(const JointDef& d, JointDraft& made) const {
    const Model& m = model;
    const State& s = state;
    if (Status sound = checkJoint(d); !sound) return sound.error();

    const Result<int> body0 = slotOf(m.bodies, d.body0, "body", "/body0");
    if (!body0) return body0.error();
    const Result<int> body1 = slotOf(m.bodies, d.body1, "body", "/body1");
    if (!body1) return body1.error();
    const Result<int> rope = slotOf(m.ropes, d.rope, "rope", "/rope");
    if (!rope) return rope.error();
    if (*body0 >= 0 && *body0 == *body1) return Error{"a joint needs two different bodies", "/body1"};
    Joint& j = made.joint;
    j.body[0] = *body0;
    j.body[1] = *body1;
    j.rope = *rope;
    bool dynamic = j.rope >= 0;
    for (int b : j.body) dynamic = dynamic || (b >= 0 && m.bodies[b].def.type == BodyType::Dynamic);
    if (!dynamic) return Error{"a joint needs a dynamic body, or a rope", "/body1"};
    JointSides sides;
    if (j.rope >= 0) {
        if (Status sound = checkRopeSide(d, j.rope, j.node); !sound) return sound.error();
        sides.node = nodePosition(m.ropes[j.rope], s, j.node);
    }
    for (int i : {0, 1}) {
        if (j.body[i] < 0) continue;
        sides.body[i] = {s.bodies[j.body[i]].x, s.bodies[j.body[i]].q};
        sides.principal[i] = m.bodies[j.body[i]].principal;
    }
    if (Status good = makeJoint(d, sides, j, made.state); !good) return good.error();

    // A Def may give objects by name; the stored Def has their ids, too.
    if (j.body[0] >= 0) j.def.body0.id = idAt<BodyTag>(m.bodies, std::uint32_t(j.body[0]));
    if (j.body[1] >= 0) j.def.body1.id = idAt<BodyTag>(m.bodies, std::uint32_t(j.body[1]));
    if (j.rope >= 0) j.def.rope.id = idOf<RopeId>(std::uint32_t(j.rope));
    return done();
}

void World::Impl::insert(JointId id, const JointDef&, JointDraft&& made) {
    Joint& j = model.joints[id.index];
    j = std::move(made.joint);
    j.alive = true;
    j.generation = id.generation;
    state.joints.resize(model.joints.size());
    state.joints[id.index] = made.state;
    disturb(j);
}

Status World::Impl::applyUpdate(JointId id, const JointDef& d) {
    Joint* j = &model.joints[id.index];
    const JointDef& old = j->def;
    if (Status sound = checkJoint(d); !sound) return sound.error();
    const bool sameSides = d.type == old.type && same(d.body0, old.body0) && same(d.body1, old.body1) &&
                           same(d.rope, old.rope) && d.node == old.node;
    const bool samePosition = d.anchor == old.anchor && d.anchor1 == old.anchor1 && d.axis == old.axis &&
                              d.reference == old.reference && d.frame0 == old.frame0 &&
                              d.frame1 == old.frame1;
    if (!sameSides || !samePosition)
        return Error{"the type, bodies, rope, node, anchor, anchor1, axis, reference, frame0 and frame1 of a "
                     "joint cannot be changed",
                     ""};
    fitJoint(d, *j);
    disturb(*j);
    return done();
}

// Enabling a broken joint repairs it.
void World::setEnabled(JointId id, bool enabled) {
    Joint* j = in_->at(id);
    if (!j || j->on() == enabled) return;
    j->def.enabled = enabled;
    if (enabled) j->broken = false;
    in_->disturb(*j);
}

void World::setTarget(JointId id, float target) {
    Joint* j = in_->at(id);
    if (!j || !CAPSTAN_CHECK(finite(target), "the target must be finite")) return;
    JointDef d = j->def;
    switch (d.type) {
    case JointType::Hinge:
    case JointType::Servo:
        d.turn.target = target;
        break;
    case JointType::Motor:
        d.turn.speed = target;
        break;
    case JointType::Prismatic:
    case JointType::Cylinder:
        d.slide.target = target;
        break;
    default:
        CAPSTAN_CHECK(false, "setTarget needs a hinge, servo, motor, prismatic or cylinder joint");
        return;
    }
    const bool driven = j->turn.drive != JointAxis::Drive::None || j->slide.drive != JointAxis::Drive::None;
    fitJoint(d, *j);
    if (!driven) in_->disturb(*j); // until now the axis was free
}

void World::setTarget(JointId id, Vec3 target) {
    Joint* j = in_->at(id);
    if (!j || !CAPSTAN_CHECK(finite(target), "the target must be finite") ||
        !CAPSTAN_CHECK(j->kind == Joint::Kind::Drag, "setTarget with a point needs a drag joint"))
        return;
    j->target = widen(target);
}

void World::setControl(float x, float y) {
    if (!CAPSTAN_CHECK(finite(x) && finite(y), "the control vector must be finite")) return;
    in_->model.control[0] = double(x);
    in_->model.control[1] = double(y);
}

JointForces World::jointForces(JointId id) const {
    const Impl& w = in_.asItIs(); // joints, and ropes with joints, are never on a GPU
    const Joint* j = w.at(id);
    if (!j) return {};
    const JointState& s = w.state.joints[id.index];
    return {narrow(s.force), narrow(s.torque), narrow(s.angle), narrow(s.distance), narrow(s.gap), j->broken};
}

// A rope's node takes the place of side 0. A node has no axes, so side 0 keeps the axes that the joint had when it
// was added. Side 0 of a drag joint is its target, and side 1 is the point that it pulls.
Transform World::jointFrame(JointId id, int side) const {
    const Impl& w = in_.asItIs();
    const Joint* j = w.at(id);
    if (!j || !CAPSTAN_CHECK(side == 0 || side == 1, "a joint has the sides 0 and 1")) return {};
    const bool drag = j->kind == Joint::Kind::Drag;
    Pose at = j->frame[side];
    if (drag && side == 0) {
        at.x = j->target;
    } else if (j->rope >= 0 && side == (drag ? 1 : 0)) {
        at.x = nodePosition(w.model.ropes[j->rope], w.state, j->node);
    } else if (const int b = j->body[side]; b >= 0) {
        at = Pose{w.state.bodies[b].x, w.state.bodies[b].q} * at;
    }
    return {narrow(at.x), {narrow(at.q.x), narrow(at.q.y), narrow(at.q.z), narrow(at.q.w)}};
}

// Breaks the joints whose force or torque exceeds their limits. The forces of a disabled joint are set to 0. The
// forces of a joint that breaks in this step can be read until the next step.
void World::Impl::breakJoints() {
    for (std::uint32_t i = 0; i < model.joints.size(); ++i) {
        Joint& j = model.joints[i];
        JointState& s = state.joints[i];
        if (!j.alive) continue;
        if (!j.on()) {
            s.force = s.torque = {0, 0, 0};
            continue;
        }
        const double force = length(s.force), torque = length(s.torque);
        const bool broke = (j.def.breakForce > 0 && force > double(j.def.breakForce)) ||
                           (j.def.breakTorque > 0 && torque > double(j.def.breakTorque));
        if (!broke) continue;
        j.broken = true;
        disturb(j);
        Event e;
        e.kind = Event::Kind::Broke;
        e.a = idOf<JointId>(i);
        e.userDataA = j.def.userData;
        e.force = narrow(force);
        events.push_back(e);
    }
}

} // namespace capstan
