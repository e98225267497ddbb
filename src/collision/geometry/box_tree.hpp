// SPDX-License-Identifier: MIT
// A tree of boxes that is updated, not built again: a leaf is inserted, moved or removed by itself.
//
// A new leaf goes where it adds least area to the boxes above it. The chance that a ray meets a box is in proportion
// to the box's area (Goldsmith & Salmon 1987, "Automatic creation of object hierarchies for ray tracing"). On the way up
// two nodes change places where that makes a box smaller (Kopta et al. 2012, "Fast, effective BVH updates for
// animated scenes"). The result depends on the order of the calls alone.
// Before, each ray asked every body. `./run bench rays` compares the tree with Bullet's.
#pragma once

#include "collision/geometry/nearest.hpp"

#include <array>
#include <utility>
#include <vector>

namespace capstan {

class BoxTree {
public:
    // Returns the index of the new leaf. It stays the same until remove().
    int insert(const Bounds& box, int item);
    void remove(int leaf);
    void move(int leaf, const Bounds& box);
    void clear();

    const Bounds& boxOf(int leaf) const { return nodes_[leaf].box; }
    int height() const { return root_ < 0 ? 0 : nodes_[root_].height; }

    // Calls visit(item, reach) for the items whose boxes the ray enters within its reach, the nearer boxes first.
    // visit() returns how far the ray reaches from then on, so a hit makes it shorter.
    template <class Visit> void castRay(Vec3d from, Vec3d direction, double reach, const Visit& visit) const;

    // Calls visit(item) for the items whose boxes overlap the given box, in an order that depends on the tree.
    template <class Visit> void overlaps(const Bounds& box, const Visit& visit) const;

private:
    struct Node {
        Bounds box;
        int parent = -1;
        std::array<int, 2> child = {-1, -1}; // -1: a leaf
        int item = -1;
        int height = 0; // 0: a leaf
        bool isLeaf() const { return child[0] < 0; }
    };
    struct Waiting {
        double entry;
        int node;
    };
    // A depth-first walk waits at no more than one node per level, and one more.
    template <class Entry> struct Stack {
        explicit Stack(int height) {
            if (std::size_t(height) + 2 > fixed.size()) grown.resize(std::size_t(height) + 2);
        }
        Entry* data() { return grown.empty() ? fixed.data() : grown.data(); }
        std::array<Entry, 64> fixed;
        std::vector<Entry> grown;
    };

    int claim();
    void link(int leaf);
    void unlink(int leaf);
    int siblingFor(const Bounds& box) const;
    void mend(int node);
    void improve(int node);
    void swapWithGrandchild(int node, int side, int below);

    std::vector<Node> nodes_;
    std::vector<int> free_;
    int root_ = -1;
};

// A ray as far as boxes need it. A component of 0 has a huge inverse in place of an infinite one. So a ray in the
// plane of a face gives no 0 * infinity.
struct RayOfBoxes {
    Vec3d from, inverse;

    RayOfBoxes(Vec3d start, Vec3d direction)
        : from(start), inverse{over(direction.x), over(direction.y), over(direction.z)} {}
    static double over(double d) { return abs(d) < 1e-300 ? 1e300 : 1 / d; }
    // Returns where the ray enters the box, at least 0, or more than `reach` if it does not enter it.
    double entry(const Bounds& box, double reach) const {
        const Vec3d a = multiply(box.min - from, inverse), b = multiply(box.max - from, inverse);
        const Vec3d low = min(a, b), high = max(a, b);
        const double enter = max(max(low.x, low.y), max(low.z, 0.0));
        const double leave = min(min(high.x, high.y), high.z);
        return enter <= leave ? enter : 2 * reach + 1;
    }
};

template <class Visit>
void BoxTree::castRay(Vec3d from, Vec3d direction, double reach, const Visit& visit) const {
    if (root_ < 0) return;
    const RayOfBoxes ray(from, direction);
    Stack<Waiting> memory(height());
    Waiting* stack = memory.data();
    int count = 0;
    stack[count++] = {ray.entry(nodes_[root_].box, reach), root_};
    while (count > 0) {
        const Waiting next = stack[--count];
        if (next.entry > reach) continue;
        const Node& n = nodes_[next.node];
        if (n.isLeaf()) {
            reach = visit(n.item, reach);
            continue;
        }
        Waiting a = {ray.entry(nodes_[n.child[0]].box, reach), n.child[0]};
        Waiting b = {ray.entry(nodes_[n.child[1]].box, reach), n.child[1]};
        if (a.entry < b.entry) std::swap(a, b);
        if (a.entry <= reach) stack[count++] = a;
        if (b.entry <= reach) stack[count++] = b; // the nearer one, which is taken next
    }
}

template <class Visit> void BoxTree::overlaps(const Bounds& box, const Visit& visit) const {
    if (root_ < 0) return;
    Stack<int> memory(height());
    int* stack = memory.data();
    int count = 0;
    stack[count++] = root_;
    while (count > 0) {
        const Node& n = nodes_[stack[--count]];
        if (!n.box.meets(box)) continue;
        if (n.isLeaf()) {
            visit(n.item);
            continue;
        }
        stack[count++] = n.child[1];
        stack[count++] = n.child[0];
    }
}

} // namespace capstan
