// SPDX-License-Identifier: MIT
// The coupled solver: solves objects that may come into contact together, substep by substep.
//
// A contact row joins two objects. It has a point (core) on each side, a and b, and a normal n from b to a.
// The surfaces touch when the cores are the distance D apart. A row has two multipliers, ln (normal) and lt
// (friction, a vector), in units of h^2 N, where h is the substep, or h' of rope/two_step.hpp. Multipliers are
// kept from substep to substep. The penalty rho of a row is three times the local stiffness. In one Newton
// iteration each row is a force on both sides,
//     gap = n.(a - b) - D,          fn  = max(0, ln - rho gap)
//     u   = sideways displacement,  tau = lt + rho u, clamped to the cone |tau| <= mu fn
//
// and a stiffness in the diagonal blocks of the nodes and bodies on which the row acts with the weight c:
//     2 |c| (kt I + (rho - kt) n n^T)
// The sideways stiffness is kt (forces.cpp). With the factor 2 all units can be solved at once. After
// the iteration ln = fn and lt = tau: this is an augmented Lagrangian. Since the multipliers persist, static
// friction does not creep, and a knot comes to rest. Refused: solving ropes and contact in turn, which never
// settles on a knot.
// README.md lists the files of this room.
#pragma once

#include "collision/contact/exemptions.hpp"
#include "collision/geometry/box_pairs.hpp"
#include "collision/geometry/nearest.hpp"
#include "collision/manifold/manifold.hpp"
#include "model/model.hpp"
#include "solver/coupled/coupled_def.hpp"
#include "solver/coupled/stiff_rope.hpp"
#include "solver/impulse/island.hpp"
#include "solver/mechanism/workspace.hpp"
#include "solver/rope/newton.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace capstan {

struct IslandRope {
    int slot = 0;
    int first = 0, count = 0, segments = 0; // first node in the columns; number of nodes and segments
    int firstSegment = 0;
    bool closed = false, self = true;
    double radius = 0, length = 0; // radius of the rope, rest length of a segment [m]
    bool even = true;              // true: all segments have this length, except those at a winch
    double whole = 0;              // length of an uneven rope [m]
    Bounds reach;                  // bounds in which it stays during this step
    int system = -1, unit = -1;    // index of its mechanism in the island, and of its unit there; -1: none
    // move: longest move of a segment [m]; shifted: largest shift by a winch before the substep [m^2].
    double move = 0, shifted = 0;
    double own = 0;       // longest move of a node by its own velocity, squared [m^2]
    bool worn = false;    // a node leaves its margin of the candidate list
    bool cut = false;     // a node's move is shortened by the bounds `reach`
    bool lost = false;    // its solve diverged: see diverged.cpp
    double carries = 0;   // least local stiffness of its nodes, from its loads [kg]
    double strut = 0;     // least compliance along it, if it is a strut [1/kg]; 0: it is none
    double corrected = 0; // longest way of a node from free flight by the solve, in segments, squared
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
    bool moves = false; // kinematic and moving to a target
    int system = -1, unit = -1;
    TreeBody<double>* tree = nullptr; // null: not dynamic
    double invMass = 0;
    Vec3d invInertia = {0, 0, 0};
    Pose start, now, goal; // at the start of the substep, at the iterate, and at the end of the whole move
    Pose current;          // at the end of the part of the move that the step bound allows
    // Rotation matrices of start and now.
    Mat3<double> R0 = Mat3<double>::identity(), R = Mat3<double>::identity();
    Pose listed;       // pose for which the candidate list was made
    double reach = 0;  // m: radius about its centre of mass
    double margin = 0; // m: the candidate list is rebuilt when the body moves farther
    double cut = 1;    // fraction of the move that the step bound allows
    bool lost = false; // its solve diverged
};

struct IslandShape {
    int body = 0; // index of its body in the island
    int index = 0;
    const Shape* shape = nullptr;
    Pose local;             // in the body's principal axes
    double reach = 0;       // m: radius about the shape's own centre
    Vec3d axis = {0, 0, 0}; // axis of rotational symmetry, in the body's principal axes; zero: none
    bool round = false;     // true: a sphere, whose rotation sweeps no volume
};

// A node that is tied to a body. On each side of the node, the first `segments` segments have no contact with
// that body.
struct TiedNode {
    int rope, node, body, segments; // rope: index in the island; body: slot
};
// Two ropes that are held at the same point, and their nodes there.
struct CommonEnd {
    int rope[2], node[2];
};
// The element of a bounding box in the broad phase of an island. For a segment, `shape` is -1 and `part` is
// the segment's index. For a shape, `part` is -1; for a triangle of a mesh, it is the index of the triangle.
struct CandidateItem {
    int shape, part;
};

// Candidates: pairs of elements that may come into contact before the list is rebuilt.
struct SegmentPair {
    int a, b;
    double D;
    double far = -1e30; // m: a lower bound of the distance is far - CoupledIsland::travel
};
struct ShapePair {
    int segment, shape, triangle;
    double D;
};
struct BodyPair {
    int a, b, triangle; // a, b: indices of shapes; triangle: of the mesh b, or -1
};

// Data of a pair for the step bound: its distance, its normal, and the nearest point on the second side.
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
    std::uint64_t a = 0, b = 0; // identifiers of the two elements: see elementOf in rows.cpp
    std::uint32_t feature = 0;
    bool slipping = false, fresh = true, shape = false;
    bool inside = false, slow = false; // embedded; recovering slowly: see embedded.cpp
    bool acts = false;                 // active in this iteration: it pushes, nearly pushes, or met is true
    bool met = false;                  // it was active or overlapped at some time since the rows were found
    ShapePair pair = {0, 0, -1, 0};    // the candidate, if the second side is a shape
    RowEnd end[2];
    Vec3d n = {0, 1, 0};
    double D = 0;
    double allowed = 0;          // accepted gap, 0 or negative: an overlap is resolved slowly
    double stick = 0, slide = 0; // static and dynamic friction coefficient
    double restitution = 0, approach = 0;
    double walk = 0; // m/s: recovery speed of an embedded row
    double gap0 = 0, change = 0, bears = 0;
    double majorise = 2; // factor that makes the diagonal blocks at least as stiff as the row
    double rho = 0, ln = 0, fn = 0, kt = 0;
    Vec3d lt = {0, 0, 0};
    double lnBefore = 0; // multipliers at the start of the substep
    Vec3d ltBefore = {0, 0, 0};
    Vec3d first = {0, 0, 0}; // force at the start of the iteration
    double gapHere = 0;      // gap and slip at the start of the iteration
    Vec3d slipHere = {0, 0, 0};
};

// One action of a row on a node or body. All uses are listed by node and body in a fixed order.
struct RowUse {
    int row, who; // who: nodes i, j of the first side (0, 1) and the second (2, 3); a body is 0 or 2
};

// A group of ropes that are solved in lanes.
template <class W> struct RopeUnits {
    ChainLanes<W> c;
    std::vector<ChainNode<W>> nodes;
    std::vector<ChainPast<W>> past;
    std::vector<RingNode<W>> rings;
    std::vector<NodeLoad<W>> load;
    std::vector<LinkFactor<W>> links; // factors of the elimination of each node; `root` has those of the root
    ChainRoot<W> root;
    std::vector<Vec<W>> first, answer; // steps of nodes: from the present loads, and by the last response
    std::vector<W> firstPull, pull;    // steps of tensions: from the present loads, and by the last response
    int slot[lanesOf<W>] = {};         // slots in the Model
    int rope[lanesOf<W>] = {};         // indices in the island
    int ropes = 0;
    StiffRope stiff; // bending that is solved with contact; one lane only
};

// A mechanism of the island.
struct MechanismUnit {
    int system = 0; // index in the Model
    TreeStore<double> store;
    MechanismSolver m;
    double stride = 1; // fraction of the step that keeps rotations and changes of segments within bounds
    bool lost = false; // its solve diverged
};

// Impacts of two elements in this step: the names of the elements, and the sum of the normal impulses.
struct ContactImpulse {
    std::uint64_t a, b;
    double impulse; // N s
};

// Bounds in which an object stays during this step, and the key of its island; key -1: it is not dynamic.
struct MotionBounds {
    Bounds box;
    int islandKey;
};

// An island: objects that may be in contact and are solved together. It also holds the working memory, which
// is reused in each step.
struct CoupledIsland {
    CoupledDef def;
    int islandKey = 0;
    const std::vector<MotionBounds>* others = nullptr; // bounds of all objects of the world
    const ContactExemptions* exemptions = nullptr;
    std::vector<IslandRope> ropes;
    std::vector<IslandSegment> segments;
    std::vector<double> arc; // by segment of an uneven rope: m of rope before it
    std::vector<IslandBody> bodies;
    std::vector<IslandShape> shapes;

    // By node. Until something has moved in a substep, start and current are the same column. Two columns
    // with equal values would be sent to the other cores twice.
    std::vector<Vec3d> positions[3];
    std::span<Vec3d> start, current, goal, spare;
    std::vector<Vec3d> hint, x, listed;
    std::vector<double> mass, stiff, cut, moved, margin;
    std::vector<double>
        endYield; // of the ends of struts: compliance along the end segment [1/kg]; others: -1
    // Moves of the substep, shared between nodes in contact: see startTogether in substep.cpp.
    std::vector<Vec3d> together;
    std::vector<double>
        turn; // stiffness against rotation of the segment that begins at the node, from its contacts
    std::vector<NodeLoad<double>> load;
    std::vector<RowUse> use;
    std::vector<int> touched;        // nodes on which a row acts
    std::vector<int> useBegin, fill; // begin of the uses of each node, then of each body
    std::size_t linkedNodes = 0;     // number of nodes when the rows were linked
    bool linked = false;             // true: the uses are those of the present rows
    // By node, then two entries per body (centre and rotation): see iterate.cpp.
    std::vector<Vec3d> step, left, off, offNow, offBefore, xNow, xBefore;
    std::vector<char> kept;

    // By segment: a ball around it (centre `middle`, radius `half`), and the longest move of its nodes.
    std::vector<Vec3d> middle;
    std::vector<double> half, move;

    std::vector<TiedNode> tiedNodes;
    std::vector<CommonEnd> commonEnds;
    std::vector<CandidateItem> items;
    std::vector<SegmentPair> segmentPairs;
    std::vector<ShapePair> shapePairs;
    std::vector<BodyPair> bodyPairs;
    std::vector<BoundPair> segmentLooks, shapeLooks;
    std::vector<std::uint32_t> segmentFails, shapeFails;
    double unitBefore = 0;                     // CoupledIsland::unit of `before`
    std::vector<ContactRow> rows, old, before; // before: rows at the start of a substep that may be halved
    std::vector<std::pair<int, int>> openShapes,
        openSegments; // segments that pass through a shape or a segment: embedded.cpp
    std::vector<int> run, steps;
    std::vector<std::array<int, 4>> who; // by row: a node, or number of nodes + a body; -1: none
    // Columns that other cores read. Reading a value that another core has written is expensive. So they take
    // only two cache lines per row: RowAction (where the row acts) and RowForce (how it acts).
    struct alignas(64) RowAction {
        double weight[4]; // by `who`; the second side has negative weights
        Vec3d n;
        double majorise; // 0: the row is not active
    };
    struct alignas(64) RowForce {
        Vec3d first;
        double rho, kt, turn;
    };
    // Force added to the row since the start of the iteration, and the size of its whole force now.
    struct alignas(32) Added {
        Vec3d force;
        double size;
    };
    std::vector<RowAction> acts;
    std::vector<RowForce> told;
    std::vector<Added> added;
    // By row: force before an iteration, its change in this iteration and in the one before: see extrapolate().
    std::vector<Vec3d> forceBefore, change, changeBefore;
    int changes = 0;           // number of changes that follow each other
    std::vector<char> presses; // by row, at the start of the substep: 1: with a force; 2: also slipping
    std::vector<std::vector<int>> parts; // by part of the segment pairs: the pairs that need a row
    std::vector<std::vector<BoundPair>> lookParts;
    std::vector<int> needed;
    std::vector<std::vector<SegmentPair>> pairParts;
    std::vector<int> borders; // first segments of the ranges of each worker
    std::vector<double> sums;
    std::vector<double> undone; // by group of nodes: unbalanced force as a fraction of the contact forces

    std::vector<RopeUnits<double>> ones;
    std::vector<RopeUnits<Pack<double, 4>>> fours;
    std::vector<RopeUnits<Pack<double, 8>>> eights;
    std::vector<TreeBody<double>> flyers; // free bodies, which no joint holds
    std::deque<MechanismUnit> mechanisms;
    int usedSystems = 0;

    // h: length of the substep [s]; clock: time from the start of the step to the end of the substep [s].
    double h = 0, clock = 0, stepTime = 0;
    // Length of the last substep if BDF2 may use it, for all objects of the island; 0: implicit Euler.
    double remembered = 0;
    bool remembers = false; // true: the island takes BDF2 while nothing sudden happens
    bool rubs = false;      // true: friction may act, so BDF2 needs that nothing presses
    // Number of substeps that are stepped by implicit Euler because BDF2 has failed; that of the next failure.
    int plain = 0, patience = 1;
    double unit = 0; // s^2: square of the effective substep h'. Multipliers of rows are forces times it.
    Vec3d gravity = {0, 0, 0};
    double least = 0; // WorldDef::minSeparationRatio, as a fraction of D
    double slack = 0; // m: margin of the bounding boxes of shapes
    bool listGood = false;
    bool ending = false; // ropes in lanes have not yet accepted the result of the substep: see endIfDue
    double longest = 0;  // longest move of a node in a pass of the step bound [m]
    double travel = 0;   // m: upper bound of how much nearer two objects may be than when the list was made
    double room = -1e30; // least value of SegmentPair::far minus the step bound's floor, over all pairs
    double weight = 0;   // weight of all ropes times h^2 [N s^2]
    bool heavy = false;  // see CoupledDef
    bool exact = false;  // bodies only, solved by bodies/solve.cpp in this substep
    double still = 0;    // largest unbalanced force at the end of an iteration, as a fraction of the forces
    int answers = 0;     // largest number of responses in an iteration
    double overlap = 0;  // largest overlap that needs no further iteration, as a fraction of D
    bool lasting = true; // true: make the candidate list with margins
    Overlaps overlaps;
    std::vector<Bounds> boxes;

    TreeTime<double> time;
    std::vector<double> errors, goes; // by unit: error of lengths and joints; longest move of a node, squared
    std::vector<int> mechanismOfRope, mechanismOfBody; // by slot: index of the mechanism; -1: none

    std::vector<int> signature, signatureBefore; // objects of the island for which the list was made
    std::vector<std::pair<Pose, double>> listedBefore;

    // Used only while an island is built.
    struct HeldNode {
        int rope, node;
        Vec3d x;
    };
    std::vector<HeldNode> heldNodes;
    std::vector<int> looseRopes;

    // Counters for the report of the step.
    int truncated = 0, substeps = 0, solves = 0, heldStill = 0, halvedSubsteps = 0;
    int wasted = 0; // Newton iterations of substeps that were halved
    double nearest = 1;

    std::vector<Vec3d> thrust, twist; // impulse [N s] and angular impulse [N m s] of impacts, by body
    ImpulseIsland impulse;            // islands of bodies without ropes and joints
    std::vector<ContactImpulse> struck;
    std::shared_ptr<struct BodySolver> bodySolver; // shared_ptr because the type is incomplete here
};

} // namespace capstan
