// SPDX-License-Identifier: MIT
//
// Crossings of ropes seen from one side: who passes over whom, where, and with which hand.
//
//   sign = sign of (t_over x t_under) . n        n towards the viewer, t the directions the ropes run in
//
// +1 is a right-handed crossing, as in linking.hpp: half the sum of the signs between two closed ropes is
// their linking number, the sum within one is the writhe of its diagram. Seen from the front or from the
// back a crossing has the same sign, since sign = sign of det(b - a, c - a, d - a) for segments ab and cd.
//
// Robust by exact signs and an infinitesimal turn. No point is moved or rounded: every decision is the exact
// sign of a determinant (topology/diagram/exact.hpp) of the points as they are and the direction as it is. Where a corner is
// seen exactly on another segment, or two segments are seen in line, the view is turned by an angle smaller
// than any number: n + eps right + eps^2 up, so that the next component of the same cross product decides
// (H. Edelsbrunner and E. Muecke, "Simulation of simplicity", ACM Trans. Graphics 9 (1990), for the
// direction in place of the points). All crossings then belong to one and the same view. A finite turn was
// refused: it moves crossings, and how far it must go depends on the ropes. What no turn resolves are ropes
// that touch.
//
// Cost: boxes of the segments sorted along the wider axis of the picture, swept once; no allocation once the
// buffers have grown.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/polylines.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace capstan {

// The picture's coordinates are dot(p, right) and dot(p, up), with right x up = toViewer. viewFrom gives unit
// vectors at right angles; a skew picture is allowed.
struct View {
    Vec3d right, up, toViewer;
};

// With `up` as near to the wanted one as a right angle allows. Axes that are parallel, zero or not finite are
// an error.
CAPSTAN_API Result<View> viewFrom(Vec3d toViewer);
CAPSTAN_API Result<View> viewFrom(Vec3d toViewer, Vec3d up);

struct Crossing {
    struct Pass {
        int rope = 0;
        int segment = 0; // from point `segment` to the next, as handed in
        double t = 0;    // place on it, 0 .. 1
    };
    Pass over, under;
    int sign = 0;
};

class CAPSTAN_API CrossingFinder {
public:
    // Sorted by the rope and segment that come first in `ropes`, then by the other. Valid until the next
    // call. The error names the two segments that touch.
    Result<std::span<const Crossing>> find(const Polylines& ropes, const View& view);

private:
    struct Segment {
        double low, high, side, otherSide; // extent along the sweep, and across it
        std::uint32_t from, to, rope;      // its points
    };
    struct Sides;
    void project(const Polylines& ropes, const View& view);
    Sides sidesOf(const Segment& line, const Segment& other) const;
    bool meet(const Polylines& ropes, const Segment& p, const Segment& q); // false: they touch

    View view_{};
    std::span<const Vec3d> points_; // during a call
    std::vector<Vec3d> seen_;       // in the picture, rounded: for boxes, and where the answer is plain
    double plain_ = 0;              // areas above it are right in their sign
    std::vector<Segment> segments_;
    std::vector<Crossing> crossings_;
};

// Sum of signs over crossings of two ropes (half of it is their linking number where both are closed), or of
// one with itself: the writhe of its diagram.
CAPSTAN_API int signSum(std::span<const Crossing> crossings, int ropeA, int ropeB);

} // namespace capstan
