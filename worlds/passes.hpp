// SPDX-License-Identifier: MIT
// Passes: an independent check, without code of any engine, whether one line went through another between two frames.
//
// The check assumes that nodes move linearly from one frame to the next. The signed volume of two segments p1 q1 and
// p2 q2, (q1 - p1) . ((q2 - p2) x (p2 - p1)), is then a cubic in time. At a change of its sign the four nodes are
// coplanar. If the segments cross at that time, one has passed through the other. All pairs are tested in double,
// with no grid and no tolerance.
//
// Real motion between frames is not linear, so a fast rope may seem to pass and come back. If the ends are held, the
// linking number decides instead, because it depends only on the states before and after.
// Sources: X. Provot, "Collision and self-collision handling in cloth model dedicated to design garments", 1997
// (cubic); K. Klenin, J. Langowski, "Computation of writhe in modeling of supercoiled DNA", Biopolymers 54 (2000)
// (method 1a).
#pragma once

#include <capstan/math/vec.hpp>

#include <vector>

namespace capstan::bench {

using Line = std::vector<Vec3d>; // positions of the nodes of one rope
using Lines = std::vector<Line>; // of all ropes

// PairRules select the pairs of segments that count. Neighbours share a node and never count.
struct PairRules {
    int skip = 0;      // number of segments at the first end of each line that do not count
    int selfApart = 0; // pairs of one line count if their indices differ by at least this; 0: never
};

// The move of a segment p q from index 0 (before) to 1 (after). Two passes of the same pair cancel.
struct SegmentMove {
    Vec3d p[2], q[2];
};
bool passesThrough(const SegmentMove& a, const SegmentMove& b);

// Counts the pairs that passed through each other. A segment with a node that is not finite is ignored; isFinite()
// finds such nodes.
int passes(const Lines& before, const Lines& after, const PairRules& rules);

// Returns the least distance between two segments that count [m].
double leastDistance(const Lines& lines, const PairRules& rules);

double distanceOfSegments(Vec3d p1, Vec3d q1, Vec3d p2, Vec3d q2);

// Returns the signed area of the sphere of directions in which two segments are seen to cross [sr].
double signedSolidAngle(Vec3d p1, Vec3d q1, Vec3d p2, Vec3d q2);

// Returns Gauss's linking number of two closed polygons, an integer up to rounding.
double linkingNumber(const Line& a, const Line& b);

bool isFinite(const Lines& lines);

} // namespace capstan::bench
