// SPDX-License-Identifier: MIT
// A step of a group of mechanisms. They are solved together in lanes; a mechanism whose solve diverges is
// solved again by itself:
//     1. again in two halves, without history; up to three times
//     2. held still: its bodies stop, and joints are closed one by one, outwards from the ground or the root
#pragma once

#include "model/model.hpp"
#include "solver/rope/group.hpp"

#include <memory>

namespace capstan {

// Working memory of one thread.
struct TreeWorkspace;
struct TreeScratch {
    TreeScratch();
    ~TreeScratch();
    TreeScratch(TreeScratch&&) noexcept;
    TreeScratch& operator=(TreeScratch&&) noexcept;
    void fit(const Model& m);
    std::size_t bytes() const;
    std::unique_ptr<TreeWorkspace> memory;
};

// Solves all substeps of length dt of one group.
ChainCounts stepTreeGroup(Model& m, State& s, const TreeGroup& g, TreeScratch& scratch, Vec3 gravity,
                          double dt, int substeps);

} // namespace capstan
