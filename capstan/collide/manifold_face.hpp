// SPDX-License-Identifier: MIT
// The face that a shape turns to another one, and what two such faces have in common.
#pragma once

#include <capstan/collide/manifold_gjk.hpp>

namespace capstan {

// A polygon, counter-clockwise seen from outside; of a capsule or a lying cylinder the two ends of its axis,
// of a sphere its centre.
struct Outline {
    Vec3d p[kMostCorners];
    int count = 0;
    Vec3d normal = {0, 0, 0}; // outwards, of a polygon
    double radius = 0;        // rounding
    std::uint32_t name = 0;   // which face it is, below 256

    bool flat() const { return count >= 3; }
};

// The face that looks most along d.
Outline outlineOf(const Core& c, Vec3d d);

// Points of `incident` within the prism over the polygon `reference` along n, and how far they are from its
// plane, measured along n. n looks from b to a; `ofA` says that the reference is a's.
int clipOutlines(const Outline& reference, const Outline& incident, Vec3d n, bool ofA, double rim,
                 Candidate* out);

} // namespace capstan
