// SPDX-License-Identifier: MIT
//
// This file finds the crossings of ropes as seen from one side: which rope passes over which, where, and with which
// sign.
//
//   sign = sign of (t_over x t_under) . n        n towards the viewer, t the directions the ropes run in
//
// +1 is a right-handed crossing, as in linking.hpp. Half the sum of the signs between two closed ropes is their
// linking number. The sum of the signs within one rope is the writhe of its diagram. A crossing has the same sign from
// the front and from the back. For segments ab and cd it is the sign of det(b - a, c - a, d - a).
//
// Exact signs and an infinitesimal turn make the result robust. No point is moved or rounded. Every decision is the
// exact sign of a determinant (topology/diagram/exact.hpp) of the given points and the given direction. A corner may
// be seen exactly on another segment, or two segments may be seen in line. Then the view is turned by an infinitesimal
// angle, n + eps right + eps^2 up, so the next component of the same cross product decides. This is H. Edelsbrunner
// and E. Muecke, "Simulation of simplicity" (ACM Trans. Graphics 9 (1990)), for the direction in place of the points.
// All crossings then belong to one and the same view. A finite turn was refused: it moves crossings, and how far it
// must go depends on the ropes. If no turn resolves a case, the ropes touch.
//
// Cost: the boxes of the segments are sorted along the wider axis of the picture and swept once. Nothing is allocated
// once the buffers have grown.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/polylines.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace capstan {

// The picture's coordinates of a point p are dot(p, right) and dot(p, up), with right x up = toViewer. viewFrom gives
// orthogonal unit vectors; a skew picture is allowed.
struct View {
    Vec3d right, up, toViewer;
};

// `up` of the result is as near to the wanted one as a right angle allows. Axes that are parallel, zero or not finite
// are an error.
CAPSTAN_API Result<View> viewFrom(Vec3d toViewer);
CAPSTAN_API Result<View> viewFrom(Vec3d toViewer, Vec3d up);

struct Crossing {
    struct Pass {
        int rope = 0;
        int segment = 0; // from point `segment` of the given rope to the next one
        double t = 0;    // position on the segment, 0 .. 1
    };
    Pass over, under;
    int sign = 0;
};

class CAPSTAN_API CrossingFinder {
public:
    // Crossings are sorted by the rope and segment that come first in `ropes`, then by the other. The span is valid
    // until the next call. The error names two segments that touch.
    Result<std::span<const Crossing>> find(const Polylines& ropes, const View& view);

private:
    struct Segment {
        double low, high, side, otherSide; // extent along the sweep, and across it
        std::uint32_t from, to, rope;      // indices of its points and its rope
    };
    struct Sides;
    void project(const Polylines& ropes, const View& view);
    Sides sidesOf(const Segment& line, const Segment& other) const;
    bool meet(const Polylines& ropes, const Segment& p, const Segment& q); // false: p and q touch

    View view_{};
    std::span<const Vec3d> points_; // valid during a call
    std::vector<Vec3d> seen_;       // points in the picture, rounded: for boxes and for clear cases
    double plain_ = 0;              // an area above this has the right sign
    std::vector<Segment> segments_;
    std::vector<Crossing> crossings_;
};

// The result is the sum of signs over the crossings of two ropes, half of which is their linking number where both are
// closed. For one rope with itself it is the writhe of its diagram.
CAPSTAN_API int signSum(std::span<const Crossing> crossings, int ropeA, int ropeB);

} // namespace capstan
