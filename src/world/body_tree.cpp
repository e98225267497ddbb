// SPDX-License-Identifier: MIT
// Implements body_tree.hpp.
#include "world/body_tree.hpp"

namespace capstan {
namespace {

// Margin of a box, as a fraction of its longest edge. It is a choice; other values were not measured.
constexpr double kMargin = 0.1;
constexpr double kLeastMargin = 1e-6; // of the coordinates: far above their rounding

bool encloses(const Bounds& b, const Bounds& a) {
    return b.min.x <= a.min.x && b.min.y <= a.min.y && b.min.z <= a.min.z && a.max.x <= b.max.x &&
           a.max.y <= b.max.y && a.max.z <= b.max.z;
}

bool same(const Pose& a, const Pose& b) {
    return a.x == b.x && a.q.vector() == b.q.vector() && a.q.w == b.q.w;
}

} // namespace

const BoxTree& BodyTree::at(const Model& m, const State& s) {
    if (!fresh_.load(std::memory_order_acquire)) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!fresh_.load(std::memory_order_relaxed)) update(m, s);
        fresh_.store(true, std::memory_order_release);
    }
    return tree_;
}

void BodyTree::update(const Model& m, const State& s) {
    for (std::size_t i = m.bodies.size(); i < entries_.size(); ++i)
        if (entries_[i].leaf >= 0) tree_.remove(entries_[i].leaf);
    entries_.resize(m.bodies.size());
    for (std::size_t i = 0; i < m.bodies.size(); ++i) update(int(i), m.bodies[i], s.bodies[i]);
}

void BodyTree::update(int slot, const Body& b, const BodyState& s) {
    Entry& e = entries_[slot];
    const bool shaped = b.alive && !b.shapes.empty();
    if (e.leaf >= 0 && (!shaped || e.generation != b.generation)) {
        tree_.remove(e.leaf);
        e.leaf = -1;
    }
    const Pose now = {s.x, s.q};
    if (!shaped || (e.leaf >= 0 && same(now, e.pose))) return;
    Bounds box;
    for (const Shape& shape : b.shapes) {
        const Bounds one = boundsOf(shape, now * from(b.principal, shape.at));
        box.add(one.min);
        box.add(one.max);
    }
    e.pose = now;
    e.generation = b.generation;
    if (e.leaf >= 0 && encloses(tree_.boxOf(e.leaf), box)) return;
    const Vec3d edge = box.max - box.min, far = max(abs(box.min), abs(box.max));
    box.grow(kMargin * max(edge.x, max(edge.y, edge.z)) + kLeastMargin * (1 + max(far.x, max(far.y, far.z))));
    if (e.leaf >= 0)
        tree_.move(e.leaf, box);
    else
        e.leaf = tree_.insert(box, slot);
}

} // namespace capstan
