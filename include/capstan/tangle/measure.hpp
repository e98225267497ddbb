// SPDX-License-Identifier: MIT
//
// Functions that measure a tangle from positions and tensions alone: wrap angle, ratio of tensions, distance, sign,
// and whether it binds.
#pragma once

#include <capstan/api.hpp>
#include <capstan/tangle/tangle.hpp>
#include <capstan/world.hpp>

#include <span>

namespace capstan {

// A range of segments of a rope, from `from` to `to` inclusive.
struct Arc {
    int from = 0, to = 0;
};

// Returns the arc, extended on each side by `reach` [m], but by at least one segment.
CAPSTAN_API Arc widened(const World& world, RopeId rope, Arc arc, float reach);

// Returns the sum of the angles between neighbouring segments of the arc [rad].
CAPSTAN_API float turning(const World& world, RopeId rope, Arc arc);

// Two parts of one rope count as in contact only if at least this length of rope lies between them. The unit is the
// contact distance. A shorter part is one bend, whose sides may touch each other.
inline constexpr float kOwnReach = 4;

// The nearest points of the two ropes in the range of the tangle. The distance is below 0 if the whole tangle is one
// bend of one rope.
struct Nearness {
    int segmentA = 0, segmentB = 0;
    float s = 0, t = 0;                // positions along segmentA and segmentB, 0 to 1
    Vec3 p = {0, 0, 0}, q = {0, 0, 0}; // m, nearest points of ropeA and ropeB
    float distance = -1;               // m
};
// Returns the nearest points of the two ropes of the tangle.
CAPSTAN_API Nearness look(const World& world, const Tangle& t);

// Returns the distance between the centre lines [m] at which the two ropes of the tangle touch.
CAPSTAN_API float contactDistance(const World& world, const Tangle& t);

// A contact of two ropes. The rope with the lower slot is ropeA. For a contact of one rope with itself, segmentA is
// the lower segment.
struct RopeContact {
    RopeId ropeA, ropeB;
    int segmentA = 0, segmentB = 0;
    Vec3 point = {0, 0, 0}, normal = {0, 0, 0}; // m; unit vector from B to A
    float force = 0;                            // N
    bool slipping = false;
};

// Fills in all members of the tangle that its contacts determine, and returns whether the tangle binds. It binds if
// two conditions hold. All four sides have a tension above minTension [N]. The tension of the rope that is bent more
// also presses that rope onto the other one, summed over the contacts:
//   sum of n . (T_out t_out - T_in t_in) > 0
// Here n is the normal towards the other rope, T the tension and t the direction of the rope. "in" and "out" are the
// two sides of the contact. The angle between a segment and the line to the other rope was refused as a measure: it
// is a right angle wherever ropes cross.
CAPSTAN_API bool measure(const World& world, Tangle& t, std::span<const RopeContact> touches, float friction,
                         float minTension);

} // namespace capstan
