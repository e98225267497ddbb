// SPDX-License-Identifier: MIT
//
// Ropes made as straight as they will go without passing through each other or themselves. A corner b
// between its neighbours a and c is cut off (a b c becomes a c) when nothing goes through the triangle a b
// c: pulling the rope across an empty triangle changes no knot and no tangle. Repeated until no corner can
// go. What stays has the same knots, links and braid with far fewer segments; ends of open ropes stay in
// place, a closed rope keeps three corners. Source: K. Koniaris and M. Muthukumar, J. Chem. Phys. 95 (1991);
// W. Taylor, Nature 406 (2000).
//
// Cutting only drops corners, so no coordinate is rounded, and each test is exact (topology/diagram/exact.hpp). What only
// touches a triangle counts as going through it. Every other corner is tried in a pass: small triangles
// first meet the fewest obstacles. Greedy cutting can get stuck before the shortest form; relax() then pulls
// each corner part of the way towards the middle of its neighbours, across two triangles that must be empty
// as well, after which more corners can be cut. Cost: corners times segments of each pass, by boxes; passes
// are about log2 of the points.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/topology/polylines.hpp>

#include <cstdint>
#include <vector>

namespace capstan {

class CAPSTAN_API Straightener {
public:
    void cut(Polylines& ropes);   // until no corner can go
    void relax(Polylines& ropes); // one pull at every corner

private:
    struct Box {
        Vec3d low, high;
    };
    void prepare(const Polylines& ropes);
    bool pass(const Polylines& ropes); // whether a corner went
    template <class Visit> bool near(const Polylines& ropes, std::uint32_t corner, Visit visit) const;
    bool isFree(const Polylines& ropes, std::uint32_t corner) const;
    bool mayMove(const Polylines& ropes, std::uint32_t corner, Vec3d to) const;
    void box(const Polylines& ropes, std::uint32_t from);
    void compact(Polylines& ropes);

    std::vector<std::uint32_t> previous_, next_; // of each point; `none` at ends
    std::vector<std::uint32_t> segments_;        // points that begin a segment
    std::vector<Box> boxes_;                     // of the segment that begins at a point
    std::vector<Box> blocks_;                    // around each eight of the list of segments, never too small
    std::vector<std::uint32_t> blockOf_;         // of the segment that begins at a point
    std::vector<bool> gone_;
    std::vector<std::uint32_t> left_; // corners each rope still has
};

} // namespace capstan
