// SPDX-License-Identifier: MIT
// Passes: an oracle that uses no code of any engine. Did a line go through another line between two frames?
//
// The oracle assumes that nodes move linearly from one frame to the next. The signed volume of two segments,
// (q1 - p1) . ((q2 - p2) x (p2 - p1)), is then a cubic in time. When it changes its sign, the four nodes are in one
// plane. If the segments cross there, one has passed through the other. All pairs are tested in double, with no grid
// and no tolerance.
//
// Real motion between frames is not linear, so a fast rope can seem to pass and come back. If the ends are held, the
// linking number decides, because it depends on the two states alone.
// Sources: X. Provot, "Collision and self-collision handling in cloth model dedicated to design garments", 1997
// (cubic); K. Klenin, J. Langowski, "Computation of writhe in modeling of supercoiled DNA", Biopolymers 54 (2000)
// (method 1a).
#pragma once

#include <capstan/math/vec.hpp>

#include <vector>

namespace capstan::bench {

using Line = std::vector<Vec3d>; // the nodes of one rope
using Lines = std::vector<Line>; // of all ropes

// PairRules says which pairs of segments count. Neighbours share a node and never count.
struct PairRules {
    int skip = 0;      // number of segments at the first end of each line that do not count
    int selfApart = 0; // two segments of one line count if they are at least this far apart; 0: never
};

// The move of a segment p q from [0] to [1]. Two segments that pass through each other twice do not count as a pass.
struct SegmentMove {
    Vec3d p[2], q[2];
};
bool passesThrough(const SegmentMove& a, const SegmentMove& b);

// Counts the pairs that passed through each other. A segment with a node that is not finite never counts, so a caller
// counts such nodes separately.
int passes(const Lines& before, const Lines& after, const PairRules& rules);

// Least distance between two segments that count, m.
double leastDistance(const Lines& lines, const PairRules& rules);

double distanceOfSegments(Vec3d p1, Vec3d q1, Vec3d p2, Vec3d q2);

// Gauss' linking number of two closed polygons. It is an integer up to rounding.
double linkingNumber(const Line& a, const Line& b);

bool isFinite(const Lines& lines);

} // namespace capstan::bench
