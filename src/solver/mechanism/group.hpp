// SPDX-License-Identifier: MIT
// A step of a group of systems: together in lanes; one that does not converge is rescued by itself.
//
// The ladder of a system that Newton cannot solve:
//   1. again in two halves, without history; up to three times
//   2. last resort: its bodies stand still and are put together joint by joint, from the ground or the root outwards.
#pragma once

#include "model/model.hpp"
#include "solver/rope/group.hpp"

#include <memory>

namespace capstan {

// Working memory of one thread.
struct TreeMemory;
struct TreeScratch {
    TreeScratch();
    ~TreeScratch();
    TreeScratch(TreeScratch&&) noexcept;
    TreeScratch& operator=(TreeScratch&&) noexcept;
    void fit(const Model& m);
    std::size_t bytes() const;
    std::unique_ptr<TreeMemory> memory;
};

// All substeps of length dt of one group.
ChainCounts stepTreeGroup(Model& m, State& s, const TreeGroup& g, TreeScratch& scratch, Vec3 gravity,
                          double dt, int substeps);

} // namespace capstan
