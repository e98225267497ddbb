// SPDX-License-Identifier: MIT
// System: bodies, and ropes tied to them, that joints hold together. It is solved as one.
//
// A system is a tree of units (a body, or a whole rope), each held by one joint to its parent, which stands before it;
// joints that would close a circle are its loops. Static and kinematic bodies belong to no system: they are ground. A
// unit without a parent hangs on the ground, or is free.
#pragma once

#include "model/body.hpp"

#include <vector>

namespace capstan {

struct Model;
struct State;

struct Unit {
    bool rope = false;
    int slot = 0;         // of the body or the rope
    int index = 0;        // among the system's bodies, or its ropes
    int parent = -1;      // unit; -1: ground, or free
    int joint = -1;       // slot of the joint to the parent; -1: free
    bool flipped = false; // the joint's body[1] is the parent's side
    int ground = -1;      // slot of a static or kinematic body on the parent's side; -1: the world
    int root = 0;         // rope: the node that stands nearest to the parent

    bool free() const { return joint < 0; }
};

// A joint beside the tree, and the units of its two sides; -1: ground.
struct Tie {
    int joint = -1;
    int unit[2] = {-1, -1};
};

struct System {
    std::vector<Unit> units; // parents first
    std::vector<Tie> loops;
    std::vector<Tie> pulls;
    int bodies = 0, ropes = 0;
    bool xpbd = false; // solved joint by joint

    // Bodies and tree joints only: may share lanes.
    bool plain() const { return ropes == 0 && loops.empty() && pulls.empty() && !xpbd; }
};

// Systems of the same shape that are solved together, one per lane.
struct TreeGroup {
    static constexpr int kMost = 8;
    int system[kMost] = {};
    int systems = 0;
    int width = 1; // lanes
};

inline constexpr int kMostLoopRows = 300; // above, the dense solve of the loops costs more than it is worth

// Islands of the joints that are on, their spanning trees, and groups of equal ones of at most `lanes`.
void findSystems(Model& m, int lanes);

} // namespace capstan
