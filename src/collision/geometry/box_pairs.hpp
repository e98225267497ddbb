// SPDX-License-Identifier: MIT
// Finds which of many boxes overlap: the broad phase.
#pragma once

#include "collision/geometry/nearest.hpp"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace capstan {

struct IndexPair {
    std::int32_t a, b; // a < b
};

class Overlaps {
public:
    // Finds all pairs of boxes that overlap, sorted by a, then b. A box with min above max is empty and
    // overlaps no other box. The result is deterministic. The time is near-linear in the number of boxes and
    // pairs.
    void find(const std::vector<Bounds>& boxes, std::vector<IndexPair>& pairs);
    // Finds the same pairs in an unsorted order, which is the same for any number of threads. `atOnce(parts,
    // f)` must call f(0) to f(parts - 1), in any order and on any threads. Without it the calling thread does
    // all calls.
    using AtOnce = std::function<void(int parts, const std::function<void(int)>& f)>;
    const std::vector<IndexPair>& find(const std::vector<Bounds>& boxes, const AtOnce& atOnce = {});

private:
    struct Node {
        Bounds box;
        std::uint32_t begin, end; // range in sorted_
        std::uint32_t right;      // index of the second child; the first child is the next node; 0: a leaf
    };
    void sortByPosition(const std::vector<Bounds>& boxes);
    void buildTree(std::uint32_t begin, std::uint32_t end);
    void walkTree();
    void testAll(const AtOnce& atOnce);
    void testLeaves(const Node& u, const Node& v, std::vector<IndexPair>& found) const;
    void testImmense(const std::vector<Bounds>& boxes);
    void sortPairs(std::size_t boxes, std::vector<IndexPair>& pairs);
    static IndexPair pairOf(std::int32_t a, std::int32_t b) {
        return a < b ? IndexPair{a, b} : IndexPair{b, a};
    }

    // Working memory, kept from call to call.
    std::vector<std::int32_t> usual_, immense_; // boxes of ordinary size, and those longer than kImmense
    std::vector<std::uint64_t> keys_, other_;   // each key: Morton code, then index
    std::vector<std::int32_t> order_;           // boxes in the order of the keys
    std::vector<Bounds> sorted_;
    std::vector<Node> tree_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> leaves_; // pairs of leaves that overlap
    std::vector<std::vector<IndexPair>> parts_;                   // by part of leaves_: the pairs found
    std::vector<IndexPair> found_;
    std::vector<std::uint32_t> starts_;
};

} // namespace capstan
