// SPDX-License-Identifier: MIT
// Implements box_tree.hpp: where a leaf goes, and how nodes change places.
#include "collision/geometry/box_tree.hpp"

namespace capstan {
namespace {

Bounds around(const Bounds& a, const Bounds& b) { return {min(a.min, b.min), max(a.max, b.max)}; }

// Half of the surface of the box.
double area(const Bounds& a) {
    const Vec3d e = a.max - a.min;
    return e.x * e.y + e.y * e.z + e.z * e.x;
}

} // namespace

int BoxTree::claim() {
    if (free_.empty()) {
        nodes_.emplace_back();
        return int(nodes_.size()) - 1;
    }
    const int node = free_.back();
    free_.pop_back();
    nodes_[node] = {};
    return node;
}

int BoxTree::insert(const Bounds& box, int item) {
    const int leaf = claim();
    nodes_[leaf].box = box;
    nodes_[leaf].item = item;
    link(leaf);
    return leaf;
}

void BoxTree::remove(int leaf) {
    unlink(leaf);
    free_.push_back(leaf);
}

void BoxTree::move(int leaf, const Bounds& box) {
    unlink(leaf);
    nodes_[leaf].box = box;
    link(leaf);
}

void BoxTree::clear() {
    nodes_.clear();
    free_.clear();
    root_ = -1;
}

// Goes down from the root while a child offers a cheaper place. A place costs the area of the new node, and what the
// boxes above it grow by. Of equal places the upper one and the first child are taken.
int BoxTree::siblingFor(const Bounds& box) const {
    int here = root_;
    double grown = 0; // area that the boxes above `here` have grown by
    while (!nodes_[here].isLeaf()) {
        const Node& n = nodes_[here];
        const double whole = area(around(n.box, box));
        const double stay = whole + grown;
        grown += whole - area(n.box);
        int best = -1;
        double least = stay;
        for (const int child : n.child) {
            const Node& c = nodes_[child];
            const double with = area(around(c.box, box));
            // Below an inner child some place costs at least the area of the leaf itself.
            const double cost = grown + (c.isLeaf() ? with : with - area(c.box) + area(box));
            if (cost < least) {
                least = cost;
                best = child;
            }
        }
        if (best < 0) break;
        here = best;
    }
    return here;
}

void BoxTree::link(int leaf) {
    nodes_[leaf].parent = -1;
    if (root_ < 0) {
        root_ = leaf;
        return;
    }
    const int sibling = siblingFor(nodes_[leaf].box);
    const int parent = claim(), above = nodes_[sibling].parent;
    nodes_[parent].parent = above;
    nodes_[parent].child = {sibling, leaf};
    nodes_[sibling].parent = nodes_[leaf].parent = parent;
    if (above < 0)
        root_ = parent;
    else
        nodes_[above].child[nodes_[above].child[1] == sibling] = parent;
    mend(parent);
}

void BoxTree::unlink(int leaf) {
    if (leaf == root_) {
        root_ = -1;
        return;
    }
    const int parent = nodes_[leaf].parent, above = nodes_[parent].parent;
    const int sibling = nodes_[parent].child[nodes_[parent].child[0] == leaf];
    nodes_[sibling].parent = above;
    free_.push_back(parent);
    if (above < 0) {
        root_ = sibling;
        return;
    }
    nodes_[above].child[nodes_[above].child[1] == parent] = sibling;
    mend(above);
}

// Computes boxes and heights again from the node to the root.
void BoxTree::mend(int node) {
    for (; node >= 0; node = nodes_[node].parent) {
        improve(node);
        Node& n = nodes_[node];
        const Node &a = nodes_[n.child[0]], &b = nodes_[n.child[1]];
        n.box = around(a.box, b.box);
        n.height = 1 + std::max(a.height, b.height);
    }
}

// A child of the node may change places with a child of its sibling, in four ways. The way that makes the sibling's box
// smallest is taken. The node's own box stays as it is.
void BoxTree::improve(int node) {
    double best = 0;
    int side = -1, below = -1;
    for (int s = 0; s < 2; ++s) {
        const Node& child = nodes_[nodes_[node].child[s]];
        const Node& sibling = nodes_[nodes_[node].child[1 - s]];
        if (sibling.isLeaf()) continue;
        for (int k = 0; k < 2; ++k) {
            const double gain = area(sibling.box) - area(around(child.box, nodes_[sibling.child[1 - k]].box));
            if (gain > best) {
                best = gain;
                side = s;
                below = k;
            }
        }
    }
    if (side >= 0) swapWithGrandchild(node, side, below);
}

void BoxTree::swapWithGrandchild(int node, int side, int below) {
    const int child = nodes_[node].child[side], sibling = nodes_[node].child[1 - side];
    const int grandchild = nodes_[sibling].child[below];
    nodes_[node].child[side] = grandchild;
    nodes_[grandchild].parent = node;
    nodes_[sibling].child[below] = child;
    nodes_[child].parent = sibling;
    Node& s = nodes_[sibling];
    const Node &a = nodes_[s.child[0]], &b = nodes_[s.child[1]];
    s.box = around(a.box, b.box);
    s.height = 1 + std::max(a.height, b.height);
}

} // namespace capstan
