// SPDX-License-Identifier: MIT
// Contact of cloth with itself, with other cloth and with ropes: corners with triangles, edges with edges.
//
// All objects here consist of points: vertices of cloth and nodes of ropes, in one column. An element is a
// triangle, or a segment of a rope. A pair is a corner of one element and a triangle of another, or an edge of
// each.
//
// Push: two features that came nearer than their distance D are pushed apart. The direction is the line n that
// joined their nearest points at the start of the substep. So n remembers the side of each feature.
//     C = n . sum_k g_k x_k - D < 0,   x_k -= w_k g_k n C / sum s w g^2,   Coulomb's friction on what moved across n
// All pushes use the same positions. s is the number of pairs that push a point: mass splitting (Tonge,
// Benevolenski, Voroshilov 2012). So the sum cannot overshoot, and momentum is conserved. The mean of all
// corrections of a point was refused: it loses momentum if the two sides are in different numbers of pairs.
//
// Step bound, last: d is the distance of a pair at the start of the substep, and b = 0.9 (d - 0.2 D). A pair is
// safe if the moves of its two features differ by no more than b. If they differ more, a plane between the two
// bounds the move of each side.
//
// A shortened move is a fraction of the same straight path, so planes stay valid when other moves are
// shortened. But pairs that were safe by the difference are tested again, until no more planes are needed.
// research: knots.md 1.4. The planes are those of Chen, Hsu, Liu, Macklin, Yang, Yuksel: Offset geometric
// contact (SIGGRAPH 2025), made directional.
//
// Candidates: each point has a box that contains its path in this substep, with a margin. Elements stay at
// least D apart if their boxes, grown by half of D, do not overlap and every point stays in its box. When a
// point leaves its box, all candidates are found anew. The boxes for pairs inside one object move with its mean
// motion.
//
// Moves of pins are not shortened, so a pin that is dragged through the cloth passes through.
#pragma once

#include "core/step_def.hpp"
#include "math/six.hpp"
#include "model/model.hpp"
#include "solver/cloth/contact/attach.hpp"
#include "solver/cloth/contact/bodies.hpp"
#include "solver/cloth/contact/shapes.hpp"
#include "solver/cloth/substep.hpp"

#include <vector>

namespace capstan {

// A sheet or a rope that may be in contact.
struct ClothContactObject {
    int cloth = -1, rope = -1; // slots in the Model
    int begin = 0, count = 0;  // range of its points
    int firstPiece = 0, pieces = 0;
    float half = 0; // m, half the thickness of cloth, or the radius of a rope
    float friction = 0;
    bool self = false;      // self contact is on
    bool meets = false;     // other objects may be near
    bool sound = true;      // all its positions are finite
    Vec3 shift = {0, 0, 0}; // displacement of the moving boxes since they were made
    Vec3 drift = {0, 0, 0}; // its mean motion in this substep
    Bounds way;             // bounds of its path in the substep
};

struct ClothElement {
    std::int32_t v[3]; // indices of points; a segment has its two ends, the second one twice
    std::int32_t thing;
    bool face;
    std::uint8_t owns; // bits 0-2 corners, 3-5 edges
};

struct ClothPairs {
    std::vector<std::int32_t> v[4]; // indices of points: a corner and a triangle; from `corners` on two edges
    std::vector<float> apart;       // m, the distance D of the pair
    std::vector<float> friction;
    std::vector<Point> weight; // g: sum_k g_k x_k points from the second feature to the first
    std::vector<Point> normal; // n, and in w the distance, at the start of the substep
    std::vector<float> told;   // result of the last phase
    std::vector<char> planed;  // 1: a plane is between the features
    int corners = 0;
    int size() const { return int(apart.size()); }
};

// A rope in the substeps of cloth. It follows the path of its own solve, plus the deviation `off` by cloth.
struct ClothRope {
    int thing = 0;
    bool moved = false; // it deviates from its path
};
struct ClothNode {
    Vec3d from = {0, 0, 0}, to = {0, 0, 0}; // its path in this step
    Vec3d off = {0, 0, 0};                  // m, deviation from the path
    Vec3d velocity = {0, 0, 0};             // m/s, velocity of the deviation
    Vec3d expected = {0, 0, 0};             // N, load of cloth that its own solve included
    Vec3d sum = {0, 0, 0};                  // N s, impulse of cloth in this step
    Vec3d aim = {0, 0, 0};                  // its target in this substep
};

struct ClothContactWorkspace {
    std::vector<ClothContactObject> things;
    std::vector<Point> x, before; // positions of all points now, and at the start of the substep
    std::vector<ClothElement> pieces;
    ClothPairs pairs;
    bool listed = false;
    // Number of points with shortened moves, and of pairs in contact, in the last substep.
    int truncated = 0, pushed = 0;

    std::vector<ClothNode> nodes; // by point; for ropes only
    int firstNode = 0;            // index of the first point of ropes
    std::vector<ClothRope> ropes;
    std::vector<std::vector<Vec3d>> ropeStart;     // positions by slot, at the start of the step
    ClothBodyCoupling coupling;                    // coupling with bodies
    ClothAttachments attachments;                  // attached vertices
    std::vector<ClothShapeContacts> shapeContacts; // by cloth, like the next two
    std::vector<ClothView> views;
    std::vector<ClothPlan> plans;

    // Working memory.
    std::vector<Six> holdMatrix;                       // by host
    std::vector<Point> low, high, crossLow, crossHigh; // boxes of points
    std::vector<Point> pieceLow, pieceHigh, entryLow, entryHigh;
    std::vector<std::int32_t> listedPieces, bucketEnd, entry, cell;
    std::vector<Vec3d> ask;
    std::vector<float> split, share;
    std::vector<std::int32_t> active; // pairs that may push in this substep
    std::vector<double> deep;
};

// At the start of a step: stores the positions of ropes, and adds the expected loads of cloth to ropes and
// bodies.
void startBodyCoupling(ClothContactWorkspace& w, Model& m, State& s);
// Finds the objects that may be in contact, if contact is on at all, and the paths of ropes.
void findContactObjects(ClothContactWorkspace& w, const Model& m, const State& s, const StepDef& d,
                        bool touch);
bool hasContactPairs(const ClothContactWorkspace& w);
// Sets the targets of rope nodes in substep k.
void aimRopes(ClothContactWorkspace& w, const Model& m, const State& s, const StepDef& d, int k);
// Loads the points of cloth in this substep.
void loadContactPoints(ClothContactWorkspace& w, const State& s);
// Writes the points back to the sheets. At the end of the substep it updates ropes, too.
void storeContactPoints(ClothContactWorkspace& w, State& s, const StepDef& d, bool ends);
// Loads the points of cloth again after its contact with shapes.
void reloadContactPoints(ClothContactWorkspace& w, const State& s);
// Adds the deviations by cloth to the ropes.
void endContactObjects(ClothContactWorkspace& w, Model& m, State& s, const StepDef& d);

bool touchEachOther(const Model& m, const ClothContactObject& a, const ClothContactObject& b);

// Makes sure that all pairs in reach are candidates. Returns true if the candidates were found anew.
bool listClothPairs(ClothContactWorkspace& w, const Model& m);
// Pushes the pairs in w.active once.
void pushClothPairs(ClothContactWorkspace& w, double h);
// Puts planes between the pairs for which `told` is above 0, or between all that may meet. Returns true if
// there were any.
bool planeClothPairs(ClothContactWorkspace& w, bool all);
void cutClothPairs(ClothContactWorkspace& w);

} // namespace capstan
