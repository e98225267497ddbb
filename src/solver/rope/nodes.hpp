// SPDX-License-Identifier: MIT
// Nodes of a rope while it lives: room for them, a new one, one less, a rope cut in two.
#pragma once

#include "model/model.hpp"

namespace capstan {

// Gives the rope `room` points at the end of the columns; its old points are left behind until the next tidy().
void moveToRoom(Rope& r, State& s, int room);

// Masses from rest lengths and loads, inverse masses from pins; for all nodes.
void setMasses(Rope& r, State& s);

// A new node in segment `segment`, at rest length `behind` from the node at the segment's end.
void insertNode(Rope& r, State& s, int segment, float behind);

// Takes node `node` (not an end) away; its two segments become one.
void removeNode(Rope& r, State& s, int node);

// Cuts an open rope between nodes `segment` and `segment + 1`; the part behind becomes `tail`.
void cutRope(Rope& r, Rope& tail, State& s, int segment);

// Cuts a ring there: it becomes an open rope that starts behind the cut.
void openRing(Rope& r, State& s, int segment);

// A joint holds this node of the rope in slot `rope`; or, for node -1, any node.
bool jointed(const Model& m, int rope, int node = -1);

// After nodes from `from` on moved by `by` places: joints that hold them follow. (Ropes do not know their joints, so
// whoever inserts or removes a node calls this.)
void renumber(Model& m, int rope, int from, int by);

// The number of a node as its joint's def tells it: counted from the end from which it was given.
void writeNode(Joint& j, const Rope& r);

// Moves all living ropes together, if much is left behind.
void tidy(Model& m, State& s);

} // namespace capstan
