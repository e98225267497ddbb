// SPDX-License-Identifier: MIT
// Assist mode: two drag joints pull each tangle together. See tangles.hpp.
#include <capstan/tangle/tangles.hpp>

#include <algorithm>

namespace capstan {

// Returns the two joints of a tangle and creates them at the first call. Returns null if they are not possible,
// because a node is pinned.
Tangles::Hold* Tangles::holdOf(World& world, const Tangle& t) {
    for (Hold& h : holds_)
        if (h.of == t.id) return world.isValid(h.a) && world.isValid(h.b) ? &h : nullptr;
    const Nearness n = look(world, t);
    if (n.distance < 0) return nullptr;
    const auto node = [&](RopeId rope, int k, float s) {
        return s < 0.5f ? k : k + 1 < int(world.positions(rope).size()) ? k + 1 : 0;
    };
    Hold h;
    h.of = t.id;
    h.nodeA = node(t.ropeA, n.segmentA, n.s);
    h.nodeB = node(t.ropeB, n.segmentB, n.t);
    const Point a = world.positions(t.ropeA)[h.nodeA], b = world.positions(t.ropeB)[h.nodeB];
    h.start = length(Vec3(a) - Vec3(b));
    h.factor = std::min(t.bound, 3.0f);
    JointDef d;
    d.type = JointType::Drag;
    d.enabled = false;
    // Two joints in series, each with twice the stiffness, have the stiffness k.
    d.distance.compliance = 1 / std::max(2 * def_.stiffness * h.factor, 1e-6f);
    d.distance.maxForce = def_.breakTension;
    d.rope = t.ropeA;
    d.node = h.nodeA;
    d.anchor = a;
    const Result<JointId> made = world.tryAdd(d);
    if (!made) return nullptr;
    d.rope = t.ropeB;
    d.node = h.nodeB;
    d.anchor = b;
    const Result<JointId> other = world.tryAdd(d);
    if (!other) {
        world.remove(*made);
        return nullptr;
    }
    h.a = *made;
    h.b = *other;
    holds_.push_back(h);
    return &holds_.back();
}

void Tangles::pull(World& world, Tangle& t) {
    if (t.phase == TanglePhase::Forming || def_.stiffness == 0) return;
    Hold* h = holdOf(world, t);
    if (!h) return;
    const Vec3 a = world.positions(t.ropeA)[h->nodeA], b = world.positions(t.ropeB)[h->nodeB];
    const float touch = contactDistance(world, t), d = length(a - b);
    const float d0 =
        std::max(h->start - (def_.maxDistance - t.restDistance) * touch, def_.minDistance * touch);
    t.pull = world.def(h->a).enabled ? length(world.jointForces(h->a).force) : 0;
    const bool on = d > d0;
    if (on) {
        const Vec3 middle = 0.5f * (a + b), half = (0.5f * d0 / d) * (a - b);
        world.setTarget(h->a, middle + half);
        world.setTarget(h->b, middle - half);
    }
    world.setEnabled(h->a, on);
    world.setEnabled(h->b, on);
    const float factor = std::min(t.bound, 3.0f);
    if (factor < 1.25f * h->factor)
        return; // the stiffness changes only when the factor has grown by a quarter
    h->factor = factor;
    for (JointId joint : {h->a, h->b}) {
        JointDef changed = world.def(joint);
        changed.distance.compliance = 1 / (2 * def_.stiffness * factor);
        if (!world.update(joint, changed)) return;
    }
}

// Removes the joints of tangles that no longer exist. It also removes joints whose node now belongs to another rope,
// because its rope was cut.
void Tangles::dropAttachments(World& world) {
    const auto sound = [&](const Hold& h) {
        const std::size_t i = indexOf(h.of);
        if (i == tangles_.size() || !world.isValid(h.a) || !world.isValid(h.b)) return false;
        const Tangle& t = tangles_[i];
        return world.def(h.a).rope.id == t.ropeA && world.def(h.b).rope.id == t.ropeB &&
               std::size_t(h.nodeA) < world.positions(t.ropeA).size() &&
               std::size_t(h.nodeB) < world.positions(t.ropeB).size();
    };
    std::erase_if(holds_, [&](const Hold& h) {
        if (sound(h)) return false;
        for (JointId joint : {h.a, h.b})
            if (world.isValid(joint)) world.remove(joint);
        return true;
    });
}

} // namespace capstan
