// SPDX-License-Identifier: MIT
// Cloth against itself, other cloth and ropes: corners and triangles, edges and edges.
//
// Everything that may meet is points: vertices of cloth and nodes of ropes, in one column. A piece is a triangle, or a
// segment of a rope; a pair is a corner of one and a triangle of another, or an edge of each.
//
// Push: where two features came nearer than the distance D they keep, they are pushed apart along the line n that joined
// their nearest points at the start of the substep. So n remembers which side each was on.
//     C = n . sum_k g_k x_k - D < 0,   x_k -= w_k g_k n C / sum s w g^2,   Coulomb's friction on what moved across n
// All pushes see the same places. s is the number of pairs that push a point: mass splitting (Tonge, Benevolenski,
// Voroshilov 2012). So the sum cannot overshoot, and what one side gains the other loses. (The mean of what a point is
// asked for was refused: it loses momentum where the two sides are in different numbers of pairs.)
//
// Cut, last: with d the distance of a pair at the start of the substep, b = 0.9 (d - 0.2 D), it is safe if the moves of
// its two features differ by no more than b. Where they do, a plane between the two holds each side back. A share of a
// move that is cut is on the same straight way, so planes stay true whatever else is cut; the pairs that were safe by
// the difference are looked at again, until none is left. research: knots.md 1.4; planes are those of Chen, Hsu, Liu,
// Macklin, Yang, Yuksel: Offset geometric contact (SIGGRAPH 2025), made directional.
//
// Lists: each point has a box that holds its way in this substep, and room for some more. Pieces whose boxes, grown by
// half of D, do not meet stay at least D apart as long as every point is in its box; when one leaves, all is listed anew.
// The boxes for pairs within one thing travel with its mean motion.
//
// Pins are not cut short: one that is dragged through the cloth goes through.
#pragma once

#include <capstan/model/model.hpp>
#include <capstan/step/cloth_hold.hpp>
#include <capstan/step/cloth_press.hpp>
#include <capstan/step/cloth_six.hpp>
#include <capstan/step/cloth_touch.hpp>
#include <capstan/step/cloth_walk.hpp>
#include <capstan/step/step_def.hpp>

#include <vector>

namespace capstan {

// A sheet, or a rope, that may meet something.
struct ClothThing {
    int cloth = -1, rope = -1; // slots
    int begin = 0, count = 0;  // points
    int firstPiece = 0, pieces = 0;
    float half = 0; // m, half the thickness, or the radius
    float friction = 0;
    bool self = false;      // it touches itself
    bool meets = false;     // others may be near
    bool sound = true;      // all its numbers are finite
    Vec3 shift = {0, 0, 0}; // of the boxes that travel with it, since they were made
    Vec3 drift = {0, 0, 0}; // its mean motion in this substep
    Bounds way;             // of the substep
};

struct ClothPiece {
    std::int32_t v[3]; // of a segment: both ends, and the last again
    std::int32_t thing;
    bool face;
    std::uint8_t owns; // bits 0-2 corners, 3-5 edges
};

struct ClothPairs {
    std::vector<std::int32_t> v[4]; // a corner and a triangle, then (from `corners` on) two edges
    std::vector<float> apart;       // m, the distance they keep
    std::vector<float> friction;
    std::vector<Point> weight; // g: sum_k g_k x_k leads from the second feature to the first
    std::vector<Point> normal; // n, and the distance as w, at the start of the substep
    std::vector<float> told;   // what a phase has to say
    std::vector<char> planed;  // a plane is between them
    int corners = 0;
    int size() const { return int(apart.size()); }
};

// A rope in the steps of cloth: it goes the way its own solve found, and `off` it as far as cloth pushes it.
struct ClothRope {
    int thing = 0;
    bool moved = false; // it is off its way
};
struct ClothNode {
    Vec3d from = {0, 0, 0}, to = {0, 0, 0}; // its way in this step
    Vec3d off = {0, 0, 0};                  // m
    Vec3d speed = {0, 0, 0};                // m/s, of that
    Vec3d expected = {0, 0, 0};             // N, of cloth, that its way already knows of
    Vec3d sum = {0, 0, 0};                  // N s, of cloth in this step
    Vec3d aim = {0, 0, 0};                  // where it would go in this substep
};

struct ClothMeeting {
    std::vector<ClothThing> things;
    std::vector<Point> x, before; // of all points
    std::vector<ClothPiece> pieces;
    ClothPairs pairs;
    bool listed = false;
    int truncated = 0, pushed = 0; // points cut, and pairs that touch, in the last substep

    std::vector<ClothNode> nodes; // by point; ropes only
    int firstNode = 0;            // their first point
    std::vector<ClothRope> ropes;
    std::vector<std::vector<Vec3d>> ropeStart; // by slot, at the start of the step
    ClothPress press;                          // bodies
    ClothHolds holds;                          // vertices sewn to what gives way
    std::vector<ClothTouching> touching;       // by cloth, as are:
    std::vector<ClothView> views;
    std::vector<ClothPlan> plans;

    // Working memory.
    std::vector<Six> holdMatrix;                       // by carrier
    std::vector<Point> low, high, crossLow, crossHigh; // boxes of points
    std::vector<Point> pieceLow, pieceHigh, entryLow, entryHigh;
    std::vector<std::int32_t> listedPieces, bucketEnd, entry, cell;
    std::vector<Vec3d> ask;
    std::vector<float> split, share;
    std::vector<std::int32_t> active; // pairs that may push in this substep
    std::vector<double> deep;
};

// At the start of a step: where ropes are; what cloth is expected to press on ropes and bodies with.
void startPressing(ClothMeeting& w, Model& m, State& s);
// Who may meet, if anything touches at all; ropes with their ways.
void findThings(ClothMeeting& w, const Model& m, const State& s, const StepDef& d, bool touch);
bool meetsOthers(const ClothMeeting& w);
// Where ropes would go in substep k.
void aimRopes(ClothMeeting& w, const Model& m, const State& s, const StepDef& d, int k);
// The points of cloth in this substep.
void loadThings(ClothMeeting& w, const State& s);
// Cloth goes where its points are now; with the end of the substep ropes do too.
void storeThings(ClothMeeting& w, State& s, const StepDef& d, bool ends);
// Cloth has been against shapes meanwhile.
void reloadThings(ClothMeeting& w, const State& s);
// Ropes go where cloth has pushed them.
void endThings(ClothMeeting& w, Model& m, State& s, const StepDef& d);

bool touchEachOther(const Model& m, const ClothThing& a, const ClothThing& b);

// Makes sure that all pairs that may meet are listed. True if they were listed anew.
bool listClothPairs(ClothMeeting& w, const Model& m);
// Pushes those of w.active once.
void pushClothPairs(ClothMeeting& w, double h);
// Puts planes between the pairs that `told` names (or all that may come near); true if there were any.
bool planeClothPairs(ClothMeeting& w, bool all);
void cutClothPairs(ClothMeeting& w);

} // namespace capstan
