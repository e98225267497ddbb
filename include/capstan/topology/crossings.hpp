// SPDX-License-Identifier: MIT
//
// Finds the crossings of ropes in a view: which rope passes over which, where, and with which sign.
//
//   sign = sign of (t_over x t_under) . n        n: direction towards the viewer; t: directions of the two ropes
//
// +1 is a right-handed crossing, as in linking.hpp. Half the sum of the signs between two closed ropes is their
// linking number. The sum of the signs within one rope is the writhe of its diagram. A crossing has the same sign from
// the front and from the back. For segments ab and cd it is the sign of det(b - a, c - a, d - a).
//
// Exact signs and an infinitesimal turn of the view make the result robust. No point is moved or rounded. Every
// decision is the exact sign of a determinant (topology/diagram/exact.hpp) of the given points and the given
// direction. A corner may be seen exactly on another segment, or two segments may be seen in line. Then the view is
// turned by an infinitesimal angle, n + eps right + eps^2 up, so the next component of the same cross product
// decides. This is the method of H. Edelsbrunner and E. Muecke, "Simulation of simplicity" (ACM Trans. Graphics 9
// (1990)), applied to the direction instead of the points. All crossings then belong to one and the same view. A
// finite turn was refused: it moves crossings, and the angle it needs depends on the ropes. If no turn resolves a
// case, the ropes touch.
//
// Cost: the boxes of the segments are sorted along the wider axis of the picture and swept once. After the first
// calls the buffers have grown, and nothing is allocated.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/polylines.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace capstan {

// Axes of a picture. A point p has the picture coordinates dot(p, right) and dot(p, up), and right x up = toViewer.
// viewFrom gives orthogonal unit vectors; a skew picture is allowed.
struct View {
    Vec3d right, up, toViewer;
};

// Returns the View from a direction. Its `up` is the given one, made perpendicular to toViewer. Axes that are
// parallel, zero or not finite are an Error.
CAPSTAN_API Result<View> viewFrom(Vec3d toViewer);
CAPSTAN_API Result<View> viewFrom(Vec3d toViewer, Vec3d up);

struct Crossing {
    struct Pass {
        int rope = 0;
        int segment = 0; // the segment from point `segment` of the given rope to the next point
        double t = 0;    // position on the segment, 0 .. 1
    };
    Pass over, under;
    // +1 or -1, see above
    int sign = 0;
};

class CAPSTAN_API CrossingFinder {
public:
    // Returns all crossings. They are sorted by the rope and segment that come first in `ropes`, then by the other
    // rope and segment. The span is valid until the next call. The Error names two segments that touch.
    Result<std::span<const Crossing>> find(const Polylines& ropes, const View& view);

private:
    struct Segment {
        double low, high, side, otherSide; // extents of its box along the sweep axis and across it
        std::uint32_t from, to, rope;      // indices of its two points and of its rope
    };
    struct Sides;
    void project(const Polylines& ropes, const View& view);
    Sides sidesOf(const Segment& line, const Segment& other) const;
    bool meet(const Polylines& ropes, const Segment& p, const Segment& q); // false: p and q touch

    View view_{};
    std::span<const Vec3d> points_; // valid during a call
    // Points in the picture, rounded; for boxes and for cases that rounding cannot change.
    std::vector<Vec3d> seen_;
    double plain_ = 0; // an area whose absolute value is above this has the right sign in spite of rounding
    std::vector<Segment> segments_;
    std::vector<Crossing> crossings_;
};

// Returns the sum of signs over the crossings of two ropes. If both are closed, half of it is their linking number.
// For ropeA == ropeB it is the writhe of the rope's diagram.
CAPSTAN_API int signSum(std::span<const Crossing> crossings, int ropeA, int ropeB);

} // namespace capstan
