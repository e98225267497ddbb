// SPDX-License-Identifier: MIT
// Passes: an oracle that no engine has a part in. Did a line go through another between two frames?
//
// Nodes move evenly from one frame to the next, so the signed volume (q1 - p1) . ((q2 - p2) x (p2 - p1)) of two
// segments is a cubic in time. Where it changes its sign the four nodes are in one plane; if the segments meet there,
// one has passed through the other. All pairs are looked at, in double, with no grid and no tolerance.
//
// Between frames real motion is not even, so a fast rope can seem to pass and come back. Where ends are held the
// linking number settles it: it depends on the two states alone.
// Sources: X. Provot, "Collision and self-collision handling in cloth model dedicated to design garments", 1997
// (cubic); K. Klenin, J. Langowski, "Computation of writhe in modeling of supercoiled DNA", Biopolymers 54 (2000)
// (method 1a).
#pragma once

#include <capstan/math/vec.hpp>

#include <vector>

namespace capstan::bench {

using Line = std::vector<Vec3d>; // the nodes of one rope
using Lines = std::vector<Line>; // of all ropes

// Which pairs of segments count. Neighbours share a node and never do.
struct PairRules {
    int skip = 0;      // so many segments at the first end of each line are left out
    int selfApart = 0; // pairs of one line count if they are at least so many segments apart; 0: they do not
};

// Whether segments p1 q1 and p2 q2 pass through each other on their way from [0] to [1]; twice through is no pass.
struct SegmentMove {
    Vec3d p[2], q[2];
};
bool passesThrough(const SegmentMove& a, const SegmentMove& b);

// Pairs that passed through each other. A node that is not finite passes through nothing: count those apart.
int passes(const Lines& before, const Lines& after, const PairRules& rules);

// Least distance between two segments that count, m.
double leastDistance(const Lines& lines, const PairRules& rules);

double distanceOfSegments(Vec3d p1, Vec3d q1, Vec3d p2, Vec3d q2);

// Gauss' linking number of two closed polygons: an integer, but for rounding.
double linkingNumber(const Line& a, const Line& b);

bool isFinite(const Lines& lines);

} // namespace capstan::bench
