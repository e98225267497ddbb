// SPDX-License-Identifier: MIT
// System: a mechanism. It consists of bodies, and of ropes tied to them, that joints connect. It is solved
// as a whole.
//
// A mechanism is a tree of units. A unit is a body or a whole rope. One joint connects a unit to its parent,
// and parents come before their children. Each joint that would close a circle is a loop of the mechanism.
// Static and kinematic bodies belong to no mechanism: they are ground. A unit without a parent hangs on the
// ground, or is free.
#pragma once

#include "model/body.hpp"

#include <vector>

namespace capstan {

struct Model;
struct State;

struct Unit {
    bool rope = false;
    int slot = 0;         // of the body or the rope
    int index = 0;        // index among the bodies, or the ropes, of the mechanism
    int parent = -1;      // unit; -1: ground or free
    int joint = -1;       // slot of the joint to the parent; -1: free
    bool flipped = false; // body[1] of the joint is on the parent's side
    int ground = -1;      // slot of a static or kinematic body on the parent's side; -1: the world
    int root = 0;         // rope: the node nearest to the parent

    bool free() const { return joint < 0; }
};

// A joint that is not in the tree, and the units of its two sides (-1: ground).
struct Tie {
    int joint = -1;
    int unit[2] = {-1, -1};
};

struct Mechanism {
    std::vector<Unit> units; // parents first
    std::vector<Tie> loops;
    std::vector<Tie> drags;
    int bodies = 0, ropes = 0;
    bool xpbd = false; // solved joint by joint, by XPBD

    // Returns true if the mechanism has only bodies and tree joints. Such mechanisms may share lanes.
    bool plain() const { return ropes == 0 && loops.empty() && drags.empty() && !xpbd; }
};

// Mechanisms of the same shape that are solved together, one in each lane.
struct TreeGroup {
    static constexpr int kMost = 8;
    int mechanism[kMost] = {};
    int mechanisms = 0;
    int width = 1; // lanes
};

// Above this number of loop rows, XPBD solves a mechanism without ropes. The dense solve of its loops would
// cost more.
inline constexpr int kMostLoopRows = 300;

// Finds the islands of the joints that are on, their spanning trees, and groups of at most `lanes` equal
// ones.
void findMechanisms(Model& m, int lanes);

} // namespace capstan
