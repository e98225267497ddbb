// SPDX-License-Identifier: MIT
// The coupled solver: objects that may come into contact during a step are solved together, substep by substep.
//
// A contact row joins two objects. It has two points (cores) a and b, and a normal n from b to a. The surfaces meet
// when the cores are the distance D apart. It has two multipliers: ln (normal) and lt (friction, a vector), in units
// of h^2 N. Both are kept from substep to substep. Its penalty rho is three times the local stiffness.
// One Newton iteration sees each row as a force on both sides,
//     gap = n.(a - b) - D,          fn  = max(0, ln - rho gap)
//     u   = sideways displacement,  tau = lt + rho u, held within the cone |tau| <= mu fn
// It also sees a stiffness in the diagonal blocks of the nodes and bodies that the row acts on:
//     2 |c| (kt I + (rho - kt) n n^T)
// The factor 2 allows all units to be solved at once. After the iteration ln = fn and lt = tau: this is an augmented
// Lagrangian. Since the multipliers persist, static friction does not creep, and a knot comes to rest. The refused
// alternative solves ropes and contact in turn: on a knot it never settles.
//     island.hpp         this file: the data of an island
//     broad_phase.cpp    the broad phase of a step: pairs of objects, and the islands they form
//     step/solve_islands.cpp    solves the islands one after the other
//     build.cpp   builds an island from the model
//     candidates.cpp    candidates: pairs of elements inside an island
//     near_segments.cpp    finds the pairs of segments that need a contact row
//     rows.cpp    turns candidates into contact rows and carries multipliers over
//     embedded.cpp  rows of elements that were created inside each other (embedded)
//     rope_units.hpp   ropes and bodies: prediction, one Newton iteration, end of the substep
//     mechanism_units.hpp the same for mechanisms
//     stiff_rope.hpp   ropes whose bending is too stiff to be solved before contact
//     forces.cpp   turns rows into forces and stiffness, and forces into multipliers
//     iterate.cpp  one Newton iteration: all units in one linear system
//     step_bound.cpp     the step bound: shortens moves so that nothing passes through anything
//     substep.cpp    the substeps of an island
//     halving.cpp    decides which substeps are halved because many moves were shortened
//     diverged.cpp    holds units whose solve diverged
//     store.cpp   writes the result to the model and stores the contacts
//     solver/impulse/island.hpp  islands of bodies without ropes and joints
#pragma once

#include "collision/geometry/box_pairs.hpp"
#include "collision/geometry/nearest.hpp"
#include "collision/manifold/manifold.hpp"
#include "model/model.hpp"
#include "solver/coupled/stiff_rope.hpp"
#include "solver/impulse/island.hpp"
#include "solver/mechanism/workspace.hpp"
#include "solver/rope/newton.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace capstan {

// Constants of the coupled solver, found by experiment on knots, capstans and impacts. An island is heavy if it has a
// mechanism, a free body or a kinematic body on its way. It is also heavy if a rope's loads outweigh the rope.
struct CoupledDef {
    // Penalty, in local stiffnesses; below 1 the solve runs into a limit cycle, at 10 knots are crushed.
    double rho = 3;
    // Rho of a heavy island; at 3 a tackle's rope trembles by 5 %, 30 takes three times as long.
    double heavyRho = 7;
    double slipping = 0.1; // of rho: least sideways stiffness of a slipping row
    // A segment that is pressed by fn resists turning with turn * fn / D; without it knots explode.
    double turn = 2;
    double least = 0.3;    // least geometric stiffness of a segment, as a share of a node's mass
    double margin = 0.15;  // of the thinner radius: largest gap at which nearness alone gives a pair a row
    double margin0 = 0.03; // of the thinner radius: a pair with a smaller gap always gets a row
    double near = 0.005;   // of D: a row that does not push is active up to this gap
    double floor = 0.2;    // of D: no pair comes nearer, whatever the world's minSeparationRatio
    double gamma = 0.9;    // share of the way to the floor that one pass of the step bound may use
    int cuts = 4;          // most passes of the step bound
    int outers = 3; // most times in a substep that rows are found; again only where moves were shortened
    // Of a radius in a substep: a sticking node that moves less is braked until it rests.
    double creeps = 0.02;
    double small = 0.05;  // of the thinnest radius: after a shorter step one Newton iteration is enough
    int rounds = 10;      // most Newton iterations of a substep
    double overlap = 0.1; // of D: after a deeper overlap another iteration follows
    double finer = 0.01;  // of D: in the k-th halving of a substep, `overlap` is at most finer / 2^k
    int answers = 5;      // most responses of the units in an iteration
    double still = 0.02;  // share of the forces; the responses end when the unbalanced force is less
    // Stiff ropes have stiffStill times their friction in place of `still`, but at least `stillest`: an unbalanced
    // force is felt as friction. In an elastic knot of five crossings 0.02 is more than the pull: it would stick
    // without friction.
    double stiffStill = 0.1, stillest = 0.002;
    int stiffAnswers = 40;
    int heavyRounds = 40;  // most Newton iterations of a substep, in a heavy island
    int heavyAnswers = 40; // most responses in an iteration, in a heavy island
    int work = 640; // after so many Newton iterations in a step a heavy island gets tiredRounds per substep
    int lostWork = 80;   // the same limit after a solve of the step has diverged
    int tiredRounds = 4; // most Newton iterations of a substep beyond these limits
    // `still` of a heavy island; with 0.02 a load balanced on a tackle sinks by centimetres in a second.
    double heavyStill = 0.005;
    // Heavy: iterations end when the forces change by less than this share of their sum.
    double settled = 0.0005;
    double felt = 0.02;       // heavy: or by less than this share of the ropes' weight
    double push = 1;          // m/s: overlapping surfaces are pushed apart no faster
    double pushOut = 0.1;     // m/s: recovery speed of an embedded core
    double drag = 1;          // penalty of an embedded row, in local stiffnesses
    double restitution = 0.5; // m/s: slower impacts have no restitution
    int substeps = 64;        // most substeps that fast motion may ask for in a step
    int finest = 256;         // most substeps of a step where pairs come too near: see halving.cpp
    double stiff = 12; // B h^2 / (m l^3): above this, bending is solved with contact: see stiff_rope.hpp
};

struct IslandRope {
    int slot = 0;
    int first = 0, count = 0, segments = 0; // first node in the island's columns; counts
    int firstSegment = 0;
    bool closed = false, self = true;
    double radius = 0, length = 0; // radius of the rope, length of a segment
    Bounds reach;                  // bounds that it keeps to during this step
    int system = -1, unit = -1;    // mechanism of the island and unit in it; -1: none
    // Move: longest of a segment; shifted: largest shift by a winch before the substep, squared.
    double move = 0, shifted = 0;
    double own = 0;    // longest move of a node by its own velocity, squared
    bool worn = false; // a node leaves the margin of the candidate list
    bool cut = false;  // a node's move is shortened by the bounds `reach`
    bool lost = false; // its solve diverged: see diverged.cpp
};

struct IslandSegment {
    int i, j; // nodes at its ends
    int rope, k;
    double radius;
    bool operator==(const IslandSegment&) const = default;
};

struct IslandBody {
    // Ground: static or kinematic. Free: dynamic, without joints. Jointed: dynamic, part of a mechanism.
    enum class Kind : std::uint8_t { Ground, Free, Jointed };
    int slot = 0;
    Kind kind = Kind::Ground;
    bool moves = false; // kinematic, on its way to a target
    int system = -1, unit = -1;
    TreeBody<double>* tree = nullptr; // null: not dynamic
    double invMass = 0;
    Vec3d invInertia = {0, 0, 0};
    Pose start, now, goal; // of the substep: at its start, at the iterate, at its end
    Pose current;          // as far as the step bound lets it go
    // Rotation matrices of start and now.
    Mat3<double> R0 = Mat3<double>::identity(), R = Mat3<double>::identity();
    Pose listed;       // pose for which the candidate list was made
    double reach = 0;  // m: radius about its centre of mass
    double margin = 0; // m: the list is made anew when the body moves farther
    double cut = 1;    // fraction of the move that the step bound allows
    bool lost = false; // its solve diverged
};

struct IslandShape {
    int body = 0; // index in the island
    int index = 0;
    const Shape* shape = nullptr;
    Pose local;       // in the body's principal axes
    double reach = 0; // m: radius about the shape's own centre; round and axis name turns that sweep nothing
    Vec3d axis = {0, 0, 0}; // of rotational symmetry, in the body's principal axes; zero: none
    bool round = false;     // a sphere
};

// A node that is tied to a body. Of the segments on each side of it, the first `segments` have no contact with that
// body.
struct TiedNode {
    int rope, node, body, segments; // rope: index in the island; body: slot
};
// Two ropes that are held at one point.
struct CommonEnd {
    int rope[2], node[2];
};
// The element of a box in the broad phase. `shape` is -1 for a segment, and `part` is its index. For a shape `part`
// is -1; for a triangle of a mesh it is the index of the triangle.
struct CandidateItem {
    int shape, part;
};

// Candidates: pairs of elements that may come into contact before the list is made anew.
struct SegmentPair {
    int a, b;
    double D;
    double far = -1e30; // m: the distance is at least far - CoupledIsland::travel
};
struct ShapePair {
    int segment, shape, triangle;
    double D;
};
struct BodyPair {
    int a, b, triangle; // a, b: shapes; triangle of a mesh, or -1
};

// A pair as the step bound sees it: its distance, the normal and the nearest point of the second side.
struct BoundPair {
    std::uint32_t pair;
    std::uint8_t kind;
    double d;
    Vec3d n, point;
};

// One side of a contact row.
struct RowEnd {
    int body = -1;                               // index in the island; -1: a segment
    int i = 0, j = 0;                            // nodes of the segment
    double c = 0;                                // weight of node j; node i has 1 - c
    Vec3d core = {0, 0, 0}, surface = {0, 0, 0}; // in the body's principal axes
};

struct ContactRow {
    std::uint64_t a = 0, b = 0; // names of the two elements: see elementOf in rows.cpp
    std::uint32_t feature = 0;
    bool slipping = false, fresh = true, shape = false;
    bool inside = false, slow = false; // embedded; recovering slowly: see embedded.cpp
    bool acts = false;                 // active in this iteration: it pushes, nearly pushes, or `met` is set
    bool met = false;                  // it was active, or overlapped, since the rows were found
    ShapePair pair = {0, 0, -1, 0};    // the candidate, if the second side is a shape
    RowEnd end[2];
    Vec3d n = {0, 1, 0};
    double D = 0;
    double allowed = 0;          // accepted gap, 0 or less: an overlap is worked off slowly
    double stick = 0, slide = 0; // static and dynamic friction coefficient
    double restitution = 0, approach = 0;
    double walk = 0; // m/s: recovery speed of an embedded row
    double gap0 = 0, change = 0, bears = 0;
    double majorise = 2; // factor that makes the diagonal blocks at least as stiff as the row
    double rho = 0, ln = 0, fn = 0, kt = 0;
    Vec3d lt = {0, 0, 0};
    Vec3d first = {0, 0, 0}; // force where the iteration began
    double gapHere = 0;      // gap and slip where the iteration began
    Vec3d slipHere = {0, 0, 0};
};

// A row acts on nodes and bodies. A RowUse is one of these actions; all uses are listed by node and body in a fixed
// order.
struct RowUse {
    int row, who; // who: 0 to 3; of each side nodes i and j, or a body and nothing
};

// Ropes that are solved in lanes.
template <class W> struct RopeUnits {
    ChainLanes<W> c;
    std::vector<ChainNode<W>> nodes;
    std::vector<ChainPast<W>> past;
    std::vector<RingNode<W>> rings;
    std::vector<NodeLoad<W>> load;
    std::vector<LinkFactor<W>> links; // factors of the elimination; root is the last of them
    ChainRoot<W> root;
    std::vector<Vec<W>> first, answer; // steps of the nodes: from the loads alone; response to the rows
    std::vector<W> firstPull, pull;    // steps of the tensions and their response
    int slot[lanesOf<W>] = {};         // slots in the Model
    int rope[lanesOf<W>] = {};         // index in the island
    int ropes = 0;
    StiffRope stiff; // bending that is solved with contact; one lane only
};

// A mechanism of the island.
struct MechanismUnit {
    int system = 0; // index in the Model
    TreeStore<double> store;
    MechanismSolver m;
    double stride = 1; // fraction of the step that keeps turns and changes of segments within bounds
    bool lost = false; // its solve diverged
};

// Bounds that an object keeps to during this step, and the key of its island; -1: it is not dynamic.
struct MotionBounds {
    Bounds box;
    int islandKey;
};

// An island: objects that may be in contact and are solved together. It is also the working memory, which each step
// empties and fills again.
struct CoupledIsland {
    CoupledDef def;
    int islandKey = 0;
    const std::vector<MotionBounds>* others = nullptr; // bounds of all objects
    std::vector<IslandRope> ropes;
    std::vector<IslandSegment> segments;
    std::vector<IslandBody> bodies;
    std::vector<IslandShape> shapes;

    // By node. Until something has moved, start and current are one column. Two columns with the same values would be
    // sent twice to the other cores.
    std::vector<Vec3d> positions[3];
    std::span<Vec3d> start, current, goal, spare;
    std::vector<Vec3d> hint, x, listed;
    std::vector<double> mass, stiff, cut, moved, margin;
    // Moves of the substep, shared between nodes that press on each other: see startTogether.
    std::vector<Vec3d> together;
    std::vector<double>
        turn; // stiffness against turning of the segment that begins at the node, from its contacts
    std::vector<NodeLoad<double>> load;
    std::vector<RowUse> use;
    std::vector<int> touched;        // nodes with a use
    std::vector<int> useBegin, fill; // by node, then by body
    std::size_t linkedNodes = 0;     // number of nodes when the rows were linked
    bool linked = false;             // the uses are those of the present rows
    // By node, then two entries per body (centre, turn): see iterate.cpp.
    std::vector<Vec3d> step, left, off, offNow, offBefore, xNow, xBefore;
    std::vector<char> kept;

    // By segment: a ball around it (middle, half), and how far its nodes will move.
    std::vector<Vec3d> middle;
    std::vector<double> half, move;

    std::vector<TiedNode> tiedNodes;
    std::vector<CommonEnd> commonEnds;
    std::vector<std::pair<int, int>> joinedBodies; // slots, the lower first
    std::vector<CandidateItem> items;
    std::vector<SegmentPair> segmentPairs;
    std::vector<ShapePair> shapePairs;
    std::vector<BodyPair> bodyPairs;
    std::vector<BoundPair> segmentLooks, shapeLooks;
    std::vector<std::uint32_t> segmentFails, shapeFails;
    std::vector<ContactRow> rows, old, before; // before: rows at the start of a substep that may be halved
    std::vector<std::pair<int, int>> openShapes,
        openSegments; // segments that pass through a shape or a segment: embedded.cpp
    std::vector<int> run, steps;
    std::vector<std::array<int, 4>> who; // by row: node, or number of nodes + body; -1: none
    // Columns that other cores read: a value that another core has written is expensive to read. They take two cache
    // lines per row: where the row acts (Acts), and how (Told).
    struct alignas(64) RowAction {
        double weight[4]; // by `who`; the second side counts negative
        Vec3d n;
        double majorise; // 0: the row is not active
    };
    struct alignas(64) RowForce {
        Vec3d first;
        double rho, kt, turn;
    };
    // Force added to the row since the iteration began, and the size of the whole force now.
    struct alignas(32) Added {
        Vec3d force;
        double size;
    };
    std::vector<RowAction> acts;
    std::vector<RowForce> told;
    std::vector<Added> added;
    std::vector<char> presses; // by row, at the start of the substep: 1 if it pushed, 2 if it also slipped
    std::vector<std::vector<int>> parts; // by part of the segment pairs: the pairs that need a row
    std::vector<std::vector<BoundPair>> lookParts;
    std::vector<int> needed;
    std::vector<std::vector<SegmentPair>> pairParts;
    std::vector<int> borders; // first segments of the pairs of each worker
    std::vector<double> sums;
    std::vector<double> undone; // by group of nodes: unbalanced share of the forces

    std::vector<RopeUnits<double>> ones;
    std::vector<RopeUnits<Pack<double, 4>>> fours;
    std::vector<RopeUnits<Pack<double, 8>>> eights;
    std::vector<TreeBody<double>> flyers; // free bodies: no joint holds them
    std::deque<MechanismUnit> mechanisms;
    int usedSystems = 0;

    // H: of the substep; clock: time from the start of the step to the end of the substep.
    double h = 0, clock = 0, stepTime = 0;
    Vec3d gravity = {0, 0, 0};
    double least = 0; // WorldDef::minSeparationRatio, as a share of D
    double slack = 0; // m: margin of the boxes of shapes
    bool listGood = false;
    bool ending = false; // ropes in lanes have yet to take over the result of the substep: see endIfDue
    double longest = 0;  // longest move of a node in a pass of the step bound
    double travel = 0;   // two objects may have come nearer by this much since the list was made
    double room = -1e30; // least SegmentPair::far over the step bound's floor, of all pairs
    double weight = 0;   // of all ropes, N h^2
    bool heavy = false;  // see CoupledDef
    double still = 0;    // share of the forces that may stay unbalanced in an iteration
    int answers = 0;     // most responses in an iteration
    double overlap = 0;  // largest overlap that needs no further iteration, as a share of D
    bool lasting = true; // the candidate list is made with margins
    Overlaps overlaps;
    std::vector<Bounds> boxes;

    TreeTime<double> time;
    std::vector<double> errors, goes; // by unit: of lengths and joints; longest move of a node, squared
    std::vector<int> mechanismOfRope, mechanismOfBody; // by slot; -1: none

    std::vector<int> signature, signatureBefore; // objects of the island for which the list was made
    std::vector<std::pair<Pose, double>> listedBefore;

    // Used while an island is built.
    struct HeldNode {
        int rope, node;
        Vec3d x;
    };
    std::vector<HeldNode> heldNodes;
    std::vector<int> looseRopes;

    // Counters for the report.
    int truncated = 0, substeps = 0, solves = 0, heldStill = 0, halvedSubsteps = 0;
    int wasted = 0; // Newton iterations of substeps that were halved
    double nearest = 1;

    ImpulseIsland impulse; // islands of bodies without ropes and joints
};

} // namespace capstan
