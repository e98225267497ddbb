// SPDX-License-Identifier: MIT
// The boxes of all bodies in a tree, for queries such as World::castRay().
//
// A query first moves the leaves of the bodies that have left their boxes since the last query. A box is larger than
// its body, so a body that moves little keeps its leaf. Worlds without queries pay nothing.
#pragma once

#include "collision/geometry/box_tree.hpp"
#include "model/model.hpp"

#include <atomic>
#include <mutex>

namespace capstan {

class BodyTree {
public:
    // Must be called when a body was added, removed or moved.
    void markStale() { fresh_.store(false, std::memory_order_release); }
    // Several threads may ask at the same time. The items are slots of bodies.
    const BoxTree& at(const Model& m, const State& s);

private:
    struct Entry {
        int leaf = -1;
        std::uint32_t generation = 0;
        Pose pose; // of the body when its box was last looked at
    };
    void update(const Model& m, const State& s);
    void update(int slot, const Body& b, const BodyState& s);

    std::mutex mutex_;
    std::atomic<bool> fresh_ = false;
    std::vector<Entry> entries_; // by slot
    BoxTree tree_;
};

} // namespace capstan
