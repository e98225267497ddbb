// SPDX-License-Identifier: MIT
// Executes the actions of a Playback.
#include <capstan/scene/playback.hpp>

#include <capstan/scene/json_text.hpp>

#include <algorithm>
#include <limits>

namespace capstan {

void Playback::act(std::size_t index) {
    const Action& a = scene_.actions[index];
    doing_ = "/actions/" + std::to_string(index);
    RopeId rope = a.body.empty() && a.joint.empty() ? this->rope(a.rope) : RopeId{};
    BodyId body = a.body.empty() ? BodyId{} : world_.find<BodyId>(a.body);
    JointId joint = a.joint.empty() ? JointId{} : world_.find<JointId>(a.joint);
    std::string why;
    if (!a.body.empty() && !body) why = "the body does not exist at " + jsonNumber(a.at) + " s";
    if (!a.joint.empty() && !joint) why = "the joint does not exist at " + jsonNumber(a.at) + " s";
    if (a.body.empty() && a.joint.empty()) why = whyNot(a, rope);
    if (!why.empty()) {
        summary_.problems.push_back(errorAt(scene_, doing_, why));
    } else if (body) {
        actOnBody(a, index, body);
    } else if (joint) {
        actOnJoint(a, joint);
    } else {
        actOnRope(a, index, rope);
    }
}

// Returns the number of the frame at which the action ends.
int Playback::lasts(const Action& a) const {
    return summary_.frames + (a.duration ? std::max(1, frameOf(*a.duration)) : 1);
}

void Playback::actOnRope(const Action& a, std::size_t index, RopeId id) {
    Running running;
    running.action = index;
    running.rope = id;
    running.until = lasts(a);
    switch (a.act) {
    case Act::Cut:
        cutAs(a, id);
        break;
    case Act::Winch:
        world_.setWinchSpeed(id, *a.node, *a.speed);
        // a later winch at the same end replaces the earlier one.
        std::erase_if(running_, [&](const Running& r) {
            const Action& b = scene_.actions[r.action];
            return b.act == Act::Winch && r.rope == id && *b.node == *a.node;
        });
        if (a.duration) running_.push_back(running);
        break;
    case Act::Pin: {
        std::span<const Point> points = world_.positions(id);
        Vec3 here = points[static_cast<std::size_t>(indexOf(*a.node, points.size()))];
        world_.pin({id, *a.node}, a.position ? *a.position : here);
        break;
    }
    case Act::Unpin:
        world_.unpin({id, *a.node});
        break;
    case Act::ApplyImpulse:
        world_.applyImpulse({id, *a.node}, *a.impulse);
        break;
    case Act::ApplyForce:
        running_.push_back(running);
        break;
    case Act::Remove:
        world_.remove(id);
        break;
    default: // actions for bodies and joints
        break;
    }
}

void Playback::actOnBody(const Action& a, std::size_t index, BodyId id) {
    if (a.act == Act::Remove) {
        world_.remove(id);
    } else if (a.act == Act::ApplyImpulse && a.position) {
        world_.applyImpulse(id, *a.impulse, *a.position);
    } else if (a.act == Act::ApplyImpulse) {
        world_.applyImpulse(id, *a.impulse);
    } else { // applyForce, applyTorque
        Running running;
        running.action = index;
        running.body = id;
        if (a.position) running.point = world_.pose(id).local(*a.position);
        running.until = lasts(a);
        running_.push_back(running);
    }
}

void Playback::actOnJoint(const Action& a, JointId id) {
    if (a.act == Act::Remove) {
        world_.remove(id);
    } else if (a.act == Act::SetTarget) {
        world_.setTarget(id, *a.value);
    } else {
        world_.setEnabled(id, a.act == Act::Enable);
    }
}

// Returns the reason why an action on a rope is not possible now, or an empty text if it is possible.
std::string Playback::whyNot(const Action& a, RopeId id) const {
    if (!id) return "the rope does not exist at " + jsonNumber(a.at) + " s";
    std::size_t nodes = world_.positions(id).size(), segments = world_.tensions(id).size();
    if (a.node && indexOf(*a.node, nodes) < 0) {
        return "there is no node " + std::to_string(*a.node) + " at " + jsonNumber(a.at) +
               " s; the rope has " + std::to_string(nodes) + " nodes";
    }
    if (a.segment && indexOf(*a.segment, segments) < 0) {
        return "there is no segment " + std::to_string(*a.segment) + " at " + jsonNumber(a.at) +
               " s; the rope has " + std::to_string(segments) + " segments";
    }
    if (a.act == Act::Pin && attached(id, indexOf(*a.node, nodes))) return "the node is attached to a body";
    if (a.act == Act::Cut && segments < 2) return "a rope of one segment cannot be cut";
    if (a.act == Act::Winch && world_.def(id).closed) return "a closed rope has no end for a winch";
    return "";
}

bool Playback::attached(RopeId id, int node) const {
    std::vector<JointId> joints = world_.ids<JointId>();
    std::size_t nodes = world_.positions(id).size();
    return std::any_of(joints.begin(), joints.end(), [&](JointId j) {
        const JointDef& d = world_.def(j);
        return d.rope.id == id && d.type != JointType::Drag && indexOf(d.node, nodes) == node;
    });
}

void Playback::cutAs(const Action& a, RopeId id) {
    RopeId other = cut(id, indexOf(*a.segment, world_.tensions(id).size()));
    if (!other || a.part.empty()) return;
    names_[a.part] = other;
    // checkScene has ensured that this name is not in use.
    RopeDef part = world_.def(other);
    part.name = a.part;
    if (Status named = world_.update(other, part); !named) summary_.problems.push_back(named.error());
}

// Continues actions with a duration. Forces and torques act until their time ends; winches stop at the end of their
// time.
void Playback::goOn() {
    for (Running& r : running_) goOn(r);
    doing_.clear();
    std::erase_if(running_, [&](const Running& r) { return summary_.frames >= r.until; });
}

void Playback::giveUp(Running& r, const std::string& what) {
    summary_.problems.push_back(errorAt(scene_, doing_, what));
    r.until = summary_.frames;
}

void Playback::goOn(Running& r) {
    const Action& a = scene_.actions[r.action];
    doing_ = "/actions/" + std::to_string(r.action);
    bool lasting = summary_.frames < r.until;
    if (r.body) {
        if (!world_.isValid(r.body) || !lasting) return;
        if (a.act == Act::ApplyTorque) {
            world_.applyTorque(r.body, *a.torque);
        } else if (!a.position) {
            world_.applyForce(r.body, *a.force);
        } else {
            // The body may be so far from the position that no float holds the point on it.
            const Vec3 at = world_.pose(r.body).point(r.point);
            if (!(lengthSquared(widen(at)) < std::numeric_limits<double>::infinity())) {
                return giveUp(r, "position: must stay within the range of a float, got a body at " +
                                     jsonNumber(length(widen(world_.pose(r.body).position))) +
                                     " m from the origin; leave it out to pull at the centre");
            }
            world_.applyForce(r.body, *a.force, at);
        }
        return;
    }
    if (!world_.isValid(r.rope) || indexOf(*a.node, world_.positions(r.rope).size()) < 0) return;
    if (a.act == Act::ApplyForce && lasting) world_.applyForce({r.rope, *a.node}, *a.force);
    if (a.act == Act::Winch && !lasting) world_.setWinchSpeed(r.rope, *a.node, 0);
}

} // namespace capstan
