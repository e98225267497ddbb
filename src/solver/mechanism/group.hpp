// SPDX-License-Identifier: MIT
// A step of a group of mechanisms, which are solved together in lanes. A mechanism whose solve diverges is
// solved again by itself:
//   1. in two half substeps, without history; three levels of halving at most
//   2. held still: its bodies stop, and its joints are closed one by one, from the ground or root outwards
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
