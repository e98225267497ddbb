// SPDX-License-Identifier: MIT
// The face of a shape that looks at another shape, and the points that two such faces share.
#pragma once

#include "collision/manifold/gjk.hpp"

namespace capstan {

// A polygon, counter-clockwise as seen from outside. For a capsule or a lying cylinder it is the two ends of the
// axis, for a sphere the centre.
struct Outline {
    Vec3d p[kMostCorners];
    int count = 0;
    Vec3d normal = {0, 0, 0}; // outward normal of a polygon
    double radius = 0;        // rounding radius
    std::uint32_t name = 0;   // number of the face, below 256

    bool flat() const { return count >= 3; }
};

// Returns the face whose normal is most along d.
Outline outlineOf(const Core& c, Vec3d d);

// Finds the points of `incident` inside the prism over the polygon `reference` along n. Their distance from the plane
// of the reference is measured along n, too. The normal n points from b to a; `ofA` is true if the reference belongs
// to a.
int clipOutlines(const Outline& reference, const Outline& incident, Vec3d n, bool ofA, double rim,
                 Candidate* out);

} // namespace capstan
