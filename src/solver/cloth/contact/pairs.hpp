// SPDX-License-Identifier: MIT
// Contact of cloth with itself, with other cloth and with ropes, between corners and triangles, and between edges.
//
// The vertices of cloth and the nodes of ropes are points in one column. An element is a triangle, or a segment of a
// rope. A pair is a corner of one element and a triangle of another, or an edge of each.
//
// Push: two features that are nearer than their contact distance D are pushed apart. The direction n is that between
// their nearest points at the start of the substep. So n preserves the side of each feature. g_k are the weights of
// the four points x_k of the pair, and w_k their inverse masses.
//     C = n . sum_k g_k x_k - D < 0,   x_k -= w_k g_k n C / sum s w g^2,   Coulomb's friction on the motion across n
// All pushes of a pass use the same positions. s is the number of pairs that push a point: mass splitting (Tonge,
// Benevolenski, Voroshilov 2012). So the sum cannot overshoot, and momentum is conserved. The mean of all corrections
// of a point was refused: it loses momentum if the two sides are in different numbers of pairs.
//
// Step bound, after all pushes: d is the distance of a pair at the start of the substep, and b = 0.9 (d - 0.2 D). A
// pair is safe if the displacements of its two features differ by at most b. If they differ more, a plane between the
// features bounds the displacement of each side.
//
// A shortened move is a fraction of the same straight path, so planes stay valid when other moves are shortened. But
// pairs that were safe by the difference are tested again after each pass, until no new plane is needed. The planes
// are those of Chen, Hsu, Liu, Macklin, Yang, Yuksel: Offset geometric contact (SIGGRAPH 2025), made directional.
//
// Candidates: each point has a box that contains its path in this substep, with a margin. Elements stay at least D
// apart if their boxes, grown by half of D, do not overlap and every point stays in its box. When a point leaves its
// box, all candidates are found again. The boxes for pairs inside one object move with the mean motion of the object.
//
// Moves of pins are not shortened, so a pin that the program drags through the cloth passes through.
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
    bool meets = false;     // another object may be near
    bool sound = true;      // all its positions are finite
    Vec3 shift = {0, 0, 0}; // displacement of the moving boxes since they were computed
    Vec3 drift = {0, 0, 0}; // m, mean motion of the object in this substep
    Bounds way;             // bounds of its path in the step, then of its candidates' boxes
};

struct ClothElement {
    std::int32_t v[3];  // indices of points; a segment has its second end twice
    std::int32_t thing; // index of the object in things
    bool face;          // true: a triangle
    std::uint8_t owns;  // bits 0-2: corners, bits 3-5: edges that this element owns
};

struct ClothPairs {
    // Indices of points: a corner and a triangle; from index `corners` on, two edges.
    std::vector<std::int32_t> v[4];
    std::vector<float> apart; // m, the distance D of the pair
    std::vector<float> friction;
    // g: sum_k g_k x_k is the vector from the second feature's nearest point to the first's.
    std::vector<Point> weight;
    std::vector<Point> normal; // n, and in w the distance d, at the start of the substep
    // Result of the last phase: positive if the pair may come into contact or is not safe.
    std::vector<float> told;
    std::vector<char> planed; // 1: the pair has a plane
    int corners = 0;          // number of corner-triangle pairs, which come first
    int size() const { return int(apart.size()); }
};

// A rope in the substeps of cloth. It follows the path of its own solve, plus a deviation by cloth.
struct ClothRope {
    int thing = 0;
    bool moved = false; // it deviates from its path
};
struct ClothNode {
    Vec3d from = {0, 0, 0}, to = {0, 0, 0}; // m, start and end of its path in this step
    Vec3d off = {0, 0, 0};                  // m, deviation from the path
    Vec3d velocity = {0, 0, 0};             // m/s, velocity of the deviation
    Vec3d expected = {0, 0, 0};             // N, load of cloth that its own solve included (prediction)
    Vec3d sum = {0, 0, 0};                  // N s, impulse of cloth during this step
    Vec3d aim = {0, 0, 0};                  // m, target in this substep
};

struct ClothContactWorkspace {
    std::vector<ClothContactObject> things;
    std::vector<Point> x, before; // positions of all points now, and at the start of the substep
    std::vector<ClothElement> pieces;
    ClothPairs pairs;
    bool listed = false; // the candidates are valid
    // Number of points with shortened moves in this step, and of pushed pairs in the last pass.
    int truncated = 0, pushed = 0;

    std::vector<ClothNode> nodes; // by node of a rope: index of the point minus firstNode
    int firstNode = 0;            // index of the first point of ropes
    std::vector<ClothRope> ropes;
    // m, node positions by slot of the rope, at the start of the step.
    std::vector<std::vector<Vec3d>> ropeStart;
    ClothBodyCoupling coupling;                    // coupling with bodies
    ClothAttachments attachments;                  // attached vertices
    std::vector<ClothShapeContacts> shapeContacts; // by cloth; so are the next two columns
    std::vector<ClothView> views;
    std::vector<ClothPlan> plans;

    // Working memory.
    std::vector<Six> holdMatrix;                       // 6x6 matrix of each host
    std::vector<Point> low, high, crossLow, crossHigh; // boxes of points
    std::vector<Point> pieceLow, pieceHigh, entryLow, entryHigh;
    std::vector<std::int32_t> listedPieces, bucketEnd, entry, cell;
    std::vector<Vec3d> ask;
    std::vector<float> split, share;
    std::vector<std::int32_t> active; // indices of the pairs that may be in contact in this substep
    std::vector<double> deep;
};

// Start of a step: stores the positions of ropes, and adds the predicted forces of cloth to ropes and bodies.
void startBodyCoupling(ClothContactWorkspace& w, Model& m, State& s);
// Finds the objects that may be in contact, and the paths of ropes. `touch`: contact is on in the World.
void findContactObjects(ClothContactWorkspace& w, const Model& m, const State& s, const StepDef& d,
                        bool touch);
bool hasContactPairs(const ClothContactWorkspace& w);
// Sets the targets of rope nodes for substep k.
void aimRopes(ClothContactWorkspace& w, const Model& m, const State& s, const StepDef& d, int k);
// Copies the points of cloth into the workspace.
void loadContactPoints(ClothContactWorkspace& w, const State& s);
// Copies the points back to the sheets. With `ends`, at the end of a substep, it updates ropes, too.
void storeContactPoints(ClothContactWorkspace& w, State& s, const StepDef& d, bool ends);
// Copies the positions of cloth again after the contact with shapes.
void reloadContactPoints(ClothContactWorkspace& w, const State& s);
// Adds the deviations by cloth to the ropes, at the end of the step.
void endContactObjects(ClothContactWorkspace& w, Model& m, State& s, const StepDef& d);

// True if the filters let the two objects collide, and neither hangs on the other.
bool touchEachOther(const Model& m, const ClothContactObject& a, const ClothContactObject& b);

// Completes the candidates. Returns true if they were found again.
bool listClothPairs(ClothContactWorkspace& w, const Model& m);
// Pushes the pairs in w.active once, in a substep of h seconds.
void pushClothPairs(ClothContactWorkspace& w, double h);
// Adds planes for the pairs whose `told` is above 0. With `all`, it adds planes for all pairs that may come into
// contact. Returns true if planes were added.
bool planeClothPairs(ClothContactWorkspace& w, bool all);
// Shortens the moves of points to their `share`.
void cutClothPairs(ClothContactWorkspace& w);

} // namespace capstan
