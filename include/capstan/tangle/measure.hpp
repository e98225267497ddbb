// SPDX-License-Identifier: MIT
//
// What is measured at a tangle, from places and tensions alone: wrap angle, load, ratio of tensions, distance, sign.
#pragma once

#include <capstan/api.hpp>
#include <capstan/tangle/tangle.hpp>
#include <capstan/world.hpp>

#include <span>

namespace capstan {

// An arc of a rope: its segments from `from` to `to`.
struct Arc {
    int from = 0, to = 0;
};

// To each side by `reach` metres, at least one segment.
CAPSTAN_API Arc widened(const World& world, RopeId rope, Arc arc, float reach);

// rad: sum of the angles between neighbouring segments, from the first to the last.
CAPSTAN_API float turning(const World& world, RopeId rope, Arc arc);

// Between two parts of one rope that may count as touching lies at least this much rope, over the distance of touch: a
// bend of it touches itself within less.
inline constexpr float kOwnReach = 4;

// Where the two ropes are nearest around the tangle, and how near; below 0 if all of it is one bend of one rope.
struct Nearness {
    int segmentA = 0, segmentB = 0;
    float s = 0, t = 0; // along them, 0 to 1
    Vec3 p = {0, 0, 0}, q = {0, 0, 0};
    float distance = -1;
};
CAPSTAN_API Nearness look(const World& world, const Tangle& t);

// m: the distance at which the two ropes of the tangle touch.
CAPSTAN_API float touchDistance(const World& world, const Tangle& t);

// A contact of two ropes, the one with the lower slot first; of one rope the lower segment first.
struct RopeTouch {
    RopeId ropeA, ropeB;
    int segmentA = 0, segmentB = 0;
    Vec3 point = {0, 0, 0}, normal = {0, 0, 0}; // from B to A
    float force = 0;
    bool slips = false;
};

// Fills in all that the touches of one tangle tell. True if it binds: all four sides are pulled with more than
// minTension, and at the places of touch the tension of the rope that is bent more presses it onto the other,
//   sum of n . (T_out t_out - T_in t_in) > 0,   n towards the other rope.
// (The angle between a segment and the line to the other rope, which is a right angle wherever ropes cross, tells
// nothing.)
CAPSTAN_API bool measure(const World& world, Tangle& t, std::span<const RopeTouch> touches, float friction,
                         float minTension);

} // namespace capstan
