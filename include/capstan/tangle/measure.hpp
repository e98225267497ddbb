// SPDX-License-Identifier: MIT
//
// These functions measure a tangle from positions and tensions alone: wrap angle, load, ratio of tensions, distance,
// sign.
#pragma once

#include <capstan/api.hpp>
#include <capstan/tangle/tangle.hpp>
#include <capstan/world.hpp>

#include <span>

namespace capstan {

// An Arc is a part of a rope: its segments from `from` to `to`.
struct Arc {
    int from = 0, to = 0;
};

// widened extends the arc on each side by `reach` metres, by at least one segment.
CAPSTAN_API Arc widened(const World& world, RopeId rope, Arc arc, float reach);

// The result is the sum of the angles between neighbouring segments, in rad, from the first to the last.
CAPSTAN_API float turning(const World& world, RopeId rope, Arc arc);

// Two parts of one rope count as in contact only if this length of rope lies between them, in contact distances. A
// shorter part is one bend, which may be in contact with itself.
inline constexpr float kOwnReach = 4;

// Nearness says where the two ropes are nearest around the tangle, and how near. The distance is below 0 if all of the
// tangle is one bend of one rope.
struct Nearness {
    int segmentA = 0, segmentB = 0;
    float s = 0, t = 0; // positions along the segments, 0 to 1
    Vec3 p = {0, 0, 0}, q = {0, 0, 0};
    float distance = -1;
};
CAPSTAN_API Nearness look(const World& world, const Tangle& t);

// The result is the distance, in m, at which the two ropes of the tangle are in contact.
CAPSTAN_API float contactDistance(const World& world, const Tangle& t);

// A RopeContact is a contact of two ropes; the rope with the lower slot comes first. In one rope, the lower segment
// comes first.
struct RopeContact {
    RopeId ropeA, ropeB;
    int segmentA = 0, segmentB = 0;
    Vec3 point = {0, 0, 0}, normal = {0, 0, 0}; // from B to A
    float force = 0;
    bool slipping = false;
};

// measure fills in all that the contacts of one tangle determine. The result is true if the tangle binds. Then all
// four sides are pulled with more than minTension. The tension of the rope that is bent more also presses it onto the
// other at the contacts,
//   sum of n . (T_out t_out - T_in t_in) > 0,   n towards the other rope.
// The angle between a segment and the line to the other rope was refused as a measure: it is a right angle wherever
// ropes cross.
CAPSTAN_API bool measure(const World& world, Tangle& t, std::span<const RopeContact> touches, float friction,
                         float minTension);

} // namespace capstan
