// SPDX-License-Identifier: MIT
// Winch: pays out or reels in rope at an end of a rope. A spool does this for the drum of a joint.
//
// Only the rest length of the end segment changes. When it exceeds 3/2 of an ordinary segment, a node is
// inserted one ordinary length from the segment's inner node. When it falls below 1/2, the node at its inner
// end is removed. Neither edit moves a node, so the motion stays smooth. A rope stops reeling in at its last
// half segment, and at a node that a joint holds. A step inserts at most kMostInserted nodes at an end, and the
// next steps insert the others.
#pragma once

#include "solver/rope/nodes.hpp"

#include <algorithm>

namespace capstan {

// Largest number of nodes that a step inserts at an end. At 60 steps a second it serves 3840 segments a second.
inline constexpr int kMostInserted = 64;

// Splits or merges the end segment so that its rest length stays in range. `change` is its change in this
// step [m].
inline void fitEnd(Model& m, Rope& r, State& s, int end, float change) {
    auto segment = [&] { return end == 0 ? 0 : r.count - 2; }; // the end segment
    auto rest = [&]() -> float& { return s.rest[r.begin + segment() + 1]; };
    const float l = r.segmentLength;
    const int slot = int(&r - m.ropes.data());
    // A length of 1e28 m less a segment is 1e28 m again in a float: a loop that only compares lengths never ends.
    for (int n = 0; n < kMostInserted && rest() > 1.5f * l && rest() - l < rest(); ++n) {
        // insertNode takes the distance from the segment's end. At end 0 of the rope that is the node next to
        // the winch.
        const int node = segment() + 1;
        insertNode(r, s, node - 1, end == 0 ? l : rest() - l);
        renumber(m, slot, node, 1);
        m.changed = true;
    }
    while (rest() + change < 0.5f * l && r.count > 2) {
        const int node = end == 0 ? 1 : r.count - 2;
        if (jointed(m, slot, node)) break;
        removeNode(r, s, node);
        renumber(m, slot, node + 1, -1);
        m.changed = true;
    }
    if (rest() + change < 0.5f * l) r.winchSpeed[end] = 0;
    setMasses(r, s);
}

inline void winch(Model& m, State& s, float dt) {
    for (Rope& r : m.ropes) {
        if (!r.alive || r.frozen || r.def.closed) continue;
        for (int end : {0, 1}) {
            if (r.winchSpeed[end] == 0 && r.spooled[end] == 0) continue;
            // For a spool, the change of the previous step is taken as an estimate of this step's.
            fitEnd(m, r, s, end, r.winchSpeed[end] * dt + r.spooled[end]);
            if (r.chain()) continue; // the elimination solver changes the length evenly over the substeps
            s.rest[r.begin + (end == 0 ? 1 : r.count - 1)] += r.winchSpeed[end] * dt;
            m.changed = true; // the constraints store the old length and must be rebuilt
        }
    }
}

} // namespace capstan
