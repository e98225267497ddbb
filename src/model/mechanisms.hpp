// SPDX-License-Identifier: MIT
// Mechanisms: bodies, and ropes tied to them, that joints connect. A mechanism is solved as a whole.
//
// A mechanism is a tree of units. A unit is a body or a whole rope. One joint connects a unit to its parent, and
// parents come before their children. Each further joint, which would close a circle, is a loop of the mechanism.
// Static and kinematic bodies belong to no mechanism: they are ground. A unit without a parent is connected to the
// ground, or free.
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
    int parent = -1;      // index of the parent unit; -1: ground or none
    int joint = -1;       // slot of the joint to the parent; -1: none, the unit is free
    bool flipped = false; // body[1] of the joint is on the parent's side
    int ground = -1;      // slot of a static or kinematic body on the parent's side; -1: the world
    int root = 0;         // rope: the node at the joint to the parent

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
    std::vector<Tie> drags; // drag joints
    int bodies = 0, ropes = 0;
    bool xpbd = false; // solved joint by joint with XPBD

    // Returns true if the mechanism has only bodies and tree joints. Such mechanisms may share lanes.
    bool plain() const { return ropes == 0 && loops.empty() && drags.empty() && !xpbd; }
};

// Mechanisms of equal shape that are solved together, one in each lane.
struct TreeGroup {
    static constexpr int kMost = 8; // largest number of lanes
    int mechanism[kMost] = {};
    int mechanisms = 0; // number of mechanisms
    int width = 1;      // lanes
};

// With more loop rows than this, XPBD solves a mechanism without ropes, because the dense solve of its loops would
// cost more.
inline constexpr int kMostLoopRows = 300;

// Finds the mechanisms of the enabled joints, their spanning trees, and groups of at most `lanes` mechanisms of equal
// shape.
void findMechanisms(Model& m, int lanes);

} // namespace capstan
