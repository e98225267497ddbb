// SPDX-License-Identifier: MIT
//
// A Straightener removes corners of ropes without letting them pass through each other or themselves. Let a and c be
// the neighbours of a corner b. The corner is cut off (a b c becomes a c) if nothing goes through the triangle a b c.
// Moving the rope across an empty triangle changes no knot and no tangle. Cuts are repeated until no corner can be
// cut. The result has the same knots, links and braid with far fewer segments. Ends of open ropes stay in place, and
// a closed rope keeps three corners. Source: K. Koniaris and M. Muthukumar, J. Chem. Phys. 95 (1991); W. Taylor,
// Nature 406 (2000).
//
// A cut only drops corners, so no coordinate is rounded. Each test is exact (topology/diagram/exact.hpp). A segment
// that only touches a triangle counts as going through it. A pass tries every other corner: small triangles come
// first, since they have the fewest obstacles. Greedy cutting can get stuck before the shortest form. Then relax()
// moves each corner part of the way towards the middle of its neighbours, across two triangles that must also be
// empty. After that more corners can be cut. Cost: each pass costs corners times segments, reduced by bounding boxes;
// the number of passes is about log2 of the number of points.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/topology/polylines.hpp>

#include <cstdint>
#include <vector>

namespace capstan {

class CAPSTAN_API Straightener {
public:
    void cut(Polylines& ropes);   // cuts corners until no corner can be cut
    void relax(Polylines& ropes); // moves every corner once

private:
    struct Box {
        Vec3d low, high;
    };
    void prepare(const Polylines& ropes);
    bool pass(const Polylines& ropes); // true if a corner was removed
    template <class Visit> bool near(const Polylines& ropes, std::uint32_t corner, Visit visit) const;
    bool isFree(const Polylines& ropes, std::uint32_t corner) const;
    bool mayMove(const Polylines& ropes, std::uint32_t corner, Vec3d to) const;
    void box(const Polylines& ropes, std::uint32_t from);
    void compact(Polylines& ropes);

    std::vector<std::uint32_t> previous_, next_; // previous and next point of each point; `none` at ends
    std::vector<std::uint32_t> segments_;        // index of the first point of each segment
    std::vector<Box> boxes_;                     // box of each segment, by index of its first point
    // Box around each eight elements of segments_; may be too large, never too small.
    std::vector<Box> blocks_;
    std::vector<std::uint32_t> blockOf_; // index in blocks_, by index of the segment's first point
    std::vector<bool> gone_;             // by point: whether it was cut off
    std::vector<std::uint32_t> left_;    // number of corners that each rope still has
};

} // namespace capstan
