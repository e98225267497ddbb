// SPDX-License-Identifier: MIT
// Edits of a rope's nodes: room for them, inserting, removing, cutting a rope in two.
#pragma once

#include "model/model.hpp"

namespace capstan {

// Moves the rope to `room` new points at the end of the columns. Its old points are unused until the next
// tidy().
void moveToRoom(Rope& r, State& s, int room);

// Recomputes the masses of all nodes from rest lengths and attached masses, and the inverse masses from pins.
void setMasses(Rope& r, State& s);

// Inserts a node into segment `segment`, at the rest length `behind` [m] from the node at the segment's end.
void insertNode(Rope& r, State& s, int segment, float behind);

// Removes node `node`, which must not be an end. Its two segments become one.
void removeNode(Rope& r, State& s, int node);

// Cuts an open rope between nodes `segment` and `segment + 1`. The part from node `segment + 1` on becomes
// `tail`.
void cutRope(Rope& r, Rope& tail, State& s, int segment);

// Cuts a ring between nodes `segment` and `segment + 1`. It becomes an open rope that starts at the latter.
void openRing(Rope& r, State& s, int segment);

// Returns true if a joint holds node `node` of the rope in slot `rope`; with node -1, any of its nodes.
bool jointed(const Model& m, int rope, int node = -1);

// Adds `by` to the node of every joint that holds a node from `from` on. A rope has no list of its joints, so
// the caller of insertNode or removeNode must call this.
void renumber(Model& m, int rope, int from, int by);

// Writes the node of a joint back to its Def, counted from the same end of the rope as in the Def.
void writeNode(Joint& j, const Rope& r);

// Moves all living ropes next to each other, if more than half of all points is unused.
void tidy(Model& m, State& s);

} // namespace capstan
