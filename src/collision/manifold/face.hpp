// SPDX-License-Identifier: MIT
// The face of a shape that is opposite to another shape, and the points that two such faces have in common.
#pragma once

#include "collision/manifold/gjk.hpp"

namespace capstan {

// A polygon, counter-clockwise as seen from outside. For a capsule or a lying cylinder it is a segment along
// its axis, for a sphere the centre.
struct Outline {
    Vec3d p[kMostCorners];
    int count = 0;
    Vec3d normal = {0, 0, 0}; // outward normal of a polygon
    double radius = 0;        // rounding radius about the polygon
    std::uint32_t name = 0;   // identifier of the face, below 256

    bool flat() const { return count >= 3; }
};

// Returns the face of the core whose normal is nearest to d.
Outline outlineOf(const Core& c, Vec3d d);

// Clips the polygon `incident` to the prism over the polygon `reference` along n. Writes the corners with
// their gaps along n to `out`, and returns their number. The normal n points from b to a; `ofA` is true if
// the reference belongs to a.
int clipOutlines(const Outline& reference, const Outline& incident, Vec3d n, bool ofA, double rim,
                 Candidate* out);

} // namespace capstan
