// SPDX-License-Identifier: MIT
// Implements box_pairs.hpp. The boxes are sorted along a space-filling curve. A binary tree of boxes is built
// over that order, and a traversal visits the pairs of tree nodes that overlap. (Lauterbach et al. 2009,
// "Fast BVH construction on GPUs": the order is the Morton code of the centre, the interleaved bits of x, y,
// z.)
// Refused: a uniform grid needs one cell size for all boxes, and a rope beside a ship has no such size. Sweep
// and prune is slow for a pile, where all boxes are in one interval of each axis.
// The index of a box is in the low bits of its key. So no two keys are equal, and the order is the same on
// all machines.
#include "collision/geometry/box_pairs.hpp"

#include <algorithm>

namespace capstan {
namespace {

constexpr double kImmense = 1e6;  // m: a box with a longer edge is tested against all other boxes
constexpr std::size_t kLeaf = 12; // largest number of boxes in a leaf
constexpr std::size_t kFew = 512; // for fewer keys, std::sort is faster than the radix sort
constexpr std::size_t kPart = 64; // pairs of leaves in a part of the work
constexpr int kDigit = 11;        // bits of a key that are sorted in one pass

bool isEmpty(const Bounds& b) { return !(b.min.x <= b.max.x && b.min.y <= b.max.y && b.min.z <= b.max.z); }
bool isImmense(const Bounds& b) {
    const Vec3d e = b.max - b.min;
    return !(e.x <= kImmense && e.y <= kImmense && e.z <= kImmense);
}
// Tests for overlap as Bounds::meets, but without branches: it is hard to predict which of the six tests
// fails first.
bool meet(const Bounds& a, const Bounds& b) {
    return (a.min.x <= b.max.x) & (b.min.x <= a.max.x) & (a.min.y <= b.max.y) & (b.min.y <= a.max.y) &
           (a.min.z <= b.max.z) & (b.min.z <= a.max.z);
}
void enclose(Bounds& a, const Bounds& b) {
    a.min = min(a.min, b.min);
    a.max = max(a.max, b.max);
}

// Inserts two zero bits between the bits of v: abc -> a00b00c, for up to 21 bits.
std::uint64_t spread(std::uint64_t v) {
    v = (v | v << 32) & 0x001f00000000ffff;
    v = (v | v << 16) & 0x001f0000ff0000ff;
    v = (v | v << 8) & 0x100f00f00f00f00f;
    v = (v | v << 4) & 0x10c30c30c30c30c3;
    return (v | v << 2) & 0x1249249249249249;
}

// Radix sort by the bits from `low` on, from the lowest digit to the highest. Each pass keeps the order of
// equal digits.
void sortKeys(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& other, int low) {
    if (keys.size() < kFew) {
        std::sort(keys.begin(), keys.end());
        return;
    }
    other.resize(keys.size());
    for (int shift = low; shift < 64; shift += kDigit) {
        std::uint32_t start[1 << kDigit] = {};
        const auto digit = [&](std::uint64_t key) { return key >> shift & ((1u << kDigit) - 1); };
        for (std::uint64_t key : keys) ++start[digit(key)];
        if (start[digit(keys[0])] == keys.size()) continue;
        std::uint32_t sum = 0;
        for (std::uint32_t& s : start) {
            const std::uint32_t count = s;
            s = sum;
            sum += count;
        }
        for (std::uint64_t key : keys) other[start[digit(key)]++] = key;
        keys.swap(other);
    }
}

} // namespace

void Overlaps::sortByPosition(const std::vector<Bounds>& boxes) {
    Bounds all;
    for (std::int32_t i : usual_) all.add(0.5 * (boxes[i].min + boxes[i].max));
    int low = 1;
    while (low < 32 && (std::uint64_t(1) << low) < boxes.size()) ++low;
    const int bits = std::min(21, (64 - low) / 3);
    // One scale for all three axes, so that a long thin heap is divided along its longest axis.
    const Vec3d size = all.max - all.min;
    const double most = double((std::uint64_t(1) << bits) - 1), widest = max(size.x, max(size.y, size.z));
    const double scale = widest > 1e-300 ? most / widest : 0;
    keys_.clear();
    for (std::int32_t i : usual_) {
        const Bounds& b = boxes[i];
        const Vec3d c = scale * (0.5 * (b.min + b.max) - all.min);
        const auto cell = [&](double x) { return spread(std::uint64_t(clamp(x, 0.0, most))); };
        keys_.push_back((cell(c.x) << 2 | cell(c.y) << 1 | cell(c.z)) << low | std::uint64_t(i));
    }
    sortKeys(keys_, other_, low);
    order_.resize(keys_.size());
    sorted_.resize(keys_.size());
    const std::uint64_t mask = (std::uint64_t(1) << low) - 1;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        order_[k] = std::int32_t(keys_[k] & mask);
        sorted_[k] = boxes[order_[k]];
    }
}

// Builds the tree of the boxes from begin to end in sorted_. A node is divided where the highest bit that
// differs among its keys changes. So a node never spans a large jump of the curve. The left child of a node
// is the next node.
void Overlaps::buildTree(std::uint32_t begin, std::uint32_t end) {
    const std::size_t k = tree_.size();
    tree_.push_back({Bounds{}, begin, end, 0});
    Bounds box;
    if (end - begin <= kLeaf) {
        for (std::uint32_t i = begin; i < end; ++i) enclose(box, sorted_[i]);
    } else {
        std::uint64_t differ = keys_[begin] ^ keys_[end - 1];
        while (differ & (differ - 1)) differ &= differ - 1;
        const auto clear = [&](std::uint64_t key) { return !(key & differ); };
        const auto cut = std::partition_point(keys_.begin() + begin, keys_.begin() + end, clear);
        const std::uint32_t middle = std::uint32_t(cut - keys_.begin());
        buildTree(begin, middle);
        const std::size_t right = tree_.size();
        buildTree(middle, end);
        tree_[k].right = std::uint32_t(right);
        box = tree_[k + 1].box;
        enclose(box, tree_[right].box);
    }
    tree_[k].box = box;
}

// Tests all boxes of leaf u against those of leaf v. First lists the boxes of each leaf that overlap the box
// of the other leaf, usually few.
void Overlaps::testLeaves(const Node& u, const Node& v, std::vector<IndexPair>& found) const {
    std::uint32_t inU[kLeaf], inV[kLeaf];
    const auto reach = [&](const Node& from, const Bounds& into, std::uint32_t* list) {
        int count = 0;
        for (std::uint32_t i = from.begin; i < from.end; ++i) {
            list[count] = i;
            count += meet(sorted_[i], into);
        }
        return count;
    };
    const int m = reach(u, v.box, inU), n = &u == &v ? m : reach(v, u.box, inV);
    for (int i = 0; i < m; ++i)
        for (int j = &u == &v ? i + 1 : 0; j < n; ++j) {
            const std::uint32_t a = inU[i], b = &u == &v ? inU[j] : inV[j];
            if (meet(sorted_[a], sorted_[b])) found.push_back(pairOf(order_[a], order_[b]));
        }
}

void Overlaps::walkTree() {
    struct NodePair {
        std::uint32_t a, b;
    };
    // Each level of the traversal uses at least one of the 64 bits of a key, in one of the two nodes. It adds
    // at most two pairs to the stack.
    NodePair waiting[512];
    int count = 0;
    const auto wait = [&](std::uint32_t a, std::uint32_t b) {
        waiting[count] = {a, b};
        count += a == b || meet(tree_[a].box, tree_[b].box);
    };
    leaves_.clear();
    wait(0, 0);
    while (count > 0) {
        const NodePair p = waiting[--count];
        const Node &u = tree_[p.a], &v = tree_[p.b];
        if (u.right == 0 && v.right == 0)
            leaves_.emplace_back(p.a, p.b);
        else if (p.a == p.b) {
            wait(p.a + 1, p.a + 1);
            wait(u.right, u.right);
            wait(p.a + 1, u.right);
        } else if (v.right == 0 || (u.right != 0 && u.end - u.begin >= v.end - v.begin)) {
            wait(p.a + 1, p.b);
            wait(u.right, p.b);
        } else {
            wait(p.a, p.b + 1);
            wait(p.a, v.right);
        }
    }
}

// Tests the pairs of leaves in parts, each with its own list. The lists are joined in order.
void Overlaps::testAll(const AtOnce& atOnce) {
    const std::size_t parts = (leaves_.size() + kPart - 1) / kPart;
    if (parts_.size() < parts) parts_.resize(parts);
    const std::function<void(int)> test = [&](int part) {
        std::vector<IndexPair>& list = parts_[part];
        list.clear();
        list.reserve(16 * kPart); // usually enough, so that no later step allocates memory
        const std::size_t begin = std::size_t(part) * kPart, end = std::min(leaves_.size(), begin + kPart);
        for (std::size_t k = begin; k < end; ++k)
            testLeaves(tree_[leaves_[k].first], tree_[leaves_[k].second], list);
    };
    if (atOnce)
        atOnce(int(parts), test);
    else
        for (int part = 0; part < int(parts); ++part) test(part);
    std::size_t count = 0;
    for (std::size_t k = 0; k < parts; ++k) count += parts_[k].size();
    if (found_.capacity() < count) found_.reserve(2 * count);
    for (std::size_t k = 0; k < parts; ++k) found_.insert(found_.end(), parts_[k].begin(), parts_[k].end());
}

void Overlaps::testImmense(const std::vector<Bounds>& boxes) {
    for (std::size_t k = 0; k < immense_.size(); ++k) {
        const Bounds& box = boxes[immense_[k]];
        for (std::int32_t i : usual_)
            if (box.meets(boxes[i])) found_.push_back(pairOf(immense_[k], i));
        for (std::size_t j = k + 1; j < immense_.size(); ++j)
            if (box.meets(boxes[immense_[j]])) found_.push_back(pairOf(immense_[k], immense_[j]));
    }
}

// Sorts pairs by a with a counting sort, then the pairs of each a by b.
void Overlaps::sortPairs(std::size_t boxes, std::vector<IndexPair>& pairs) {
    const auto byB = [](IndexPair p, IndexPair q) { return p.b < q.b; };
    pairs.resize(found_.size());
    starts_.assign(boxes + 1, 0);
    for (IndexPair p : found_) ++starts_[std::size_t(p.a) + 1];
    for (std::size_t i = 0; i < boxes; ++i) starts_[i + 1] += starts_[i];
    for (IndexPair p : found_) pairs[starts_[p.a]++] = p;
    // starts_[i] is now the end of the pairs of a = i, where those of a = i + 1 begin.
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < boxes; ++i) {
        if (starts_[i] - begin > 1) std::sort(pairs.begin() + begin, pairs.begin() + starts_[i], byB);
        begin = starts_[i];
    }
}

void Overlaps::find(const std::vector<Bounds>& boxes, std::vector<IndexPair>& pairs) {
    find(boxes);
    sortPairs(boxes.size(), pairs);
}

const std::vector<IndexPair>& Overlaps::find(const std::vector<Bounds>& boxes, const AtOnce& atOnce) {
    usual_.clear();
    immense_.clear();
    found_.clear();
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (!isEmpty(boxes[i])) (isImmense(boxes[i]) ? immense_ : usual_).push_back(std::int32_t(i));
    if (!usual_.empty()) {
        sortByPosition(boxes);
        tree_.clear();
        buildTree(0, std::uint32_t(sorted_.size()));
        walkTree();
        testAll(atOnce);
    }
    testImmense(boxes);
    return found_;
}

} // namespace capstan
