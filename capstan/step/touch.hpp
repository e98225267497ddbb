// SPDX-License-Identifier: MIT
// Touch: things that may meet during a step go through it together, substep by substep.
//
// Between two things lies a row: two points (cores) a and b, a normal n from b to a and a distance D at which the
// surfaces meet. With the multipliers ln (normal) and lt (friction, a vector), both in units of h^2 N and both kept
// from substep to substep, and a penalty rho of three times the local stiffness, one round of Newton sees
//     gap = n.(a - b) - D,          fn  = max(0, ln - rho gap)
//     u   = sideways displacement,  tau = lt + rho u, held within the cone |tau| <= mu fn
// as a force on both sides and as stiffness in the diagonal blocks of the nodes and bodies it acts on, doubled so
// that all may be solved at once: 2 |c| (kt I + (rho - kt) n n^T). After the round ln = fn, lt = tau: an augmented
// Lagrangian. A multiplier that persists is what makes friction stick without creeping, and a knot come to rest
// (alternating rope and contact solves never settle on a knot).
//     touch.hpp         this file: what a cluster of touching things is made of
//     touch_find.cpp    who may meet during the step
//     touch_walk.cpp    cluster by cluster
//     touch_build.cpp   a cluster from the model
//     touch_list.cpp    who may meet whom in it: pairs
//     touch_rows.cpp    pairs into rows, multipliers carried over
//     touch_inside.cpp  what was put inside something
//     touch_units.hpp   ropes and bodies: prediction, one round of Newton, what becomes of it
//     touch_systems.hpp the same of mechanisms
//     touch_stiff.hpp   ropes that are too stiff to be bent beforehand
//     touch_force.cpp   rows into forces and stiffness, and back into multipliers
//     touch_couple.cpp  one round: all units in one linear system
//     touch_cut.cpp     moves cut short so that nothing passes through anything
//     touch_step.cpp    the substeps
//     touch_near.cpp    which of them are taken again in halves: where much had to be cut
//     touch_lost.cpp    what no round could solve stays where it is
//     touch_store.cpp   back into the model
//     touch_bodies.hpp  clusters of bodies alone
#pragma once

#include <capstan/collide/manifold.hpp>
#include <capstan/collide/nearest.hpp>
#include <capstan/collide/overlaps.hpp>
#include <capstan/model/model.hpp>
#include <capstan/step/chain_newton.hpp>
#include <capstan/step/touch_bodies.hpp>
#include <capstan/step/touch_stiff.hpp>
#include <capstan/step/tree_memory.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace capstan {

// Found by experiment on knots, capstans and impacts. Heavy: with bodies, moving ground, or loads heavier than the rope.
struct TouchDef {
    double rho = 3;        // penalty, in local stiffnesses; below 1 limit cycles, at 10 knots are crushed
    double heavyRho = 7;   // with 3 the rope of a tackle trembles by 5 %, at 30 it takes three times as long
    double slipping = 0.1; // least share of the stiffness that counts sideways
    double turn = 2;    // a segment pressed by fn resists turning by so many fn / D: without it knots explode
    double least = 0.3; // of a node's mass: least geometric stiffness of a segment
    double margin = 0.15;  // of a radius: a row is made this early, and never later than
    double margin0 = 0.03; //  at this gap
    double near = 0.005;   // of D: rows that do not push count in a round up to this gap
    double floor = 0.2;    // of D: nothing comes nearer, whatever the world's minDistance
    double gamma = 0.9;    // of the way to the floor is used in one cut
    int cuts = 4;          // rounds of cutting
    int outers = 3;        // times that rows are looked for anew where moves were cut
    double creeps = 0.02;  // of a radius in a substep: what sticks and moves less is braked to come to rest
    double small = 0.05;   // of a radius: after a step that is shorter, one round is enough
    int rounds = 10;       // most Newton steps
    double overlap = 0.1;  // of D: where one leaves more than this undone more follow,
    double finer = 0.01;   //  or this, over 2^k, in the k-th halves of a substep that came too near
    int answers = 5;       // most in a round,
    double still = 0.02;   //  which ends when what is not balanced is less than this share of the forces
    // Stiff ropes: as a share of their friction, since what is left undone is felt as such, but no less than the second.
    // (In an elastic knot of five crossings 0.02 is more than the pull: it sticks without friction.)
    double stiffStill = 0.1, stillest = 0.002;
    int stiffAnswers = 40;
    int heavyRounds = 40;  // the same for heavy ones,
    int heavyAnswers = 40; //
    int work = 640;        //  and in a step,
    int lostWork = 80;     //  or where something was lost in it, after which
    int tiredRounds = 4;   //  a substep gets so many
    double heavyStill =
        0.005; // with 0.02 a load that hangs in balance on a tackle sinks by centimetres in a second
    double settled = 0.0005; //  whose rounds end when the forces change by less than this share,
    double felt = 0.02;      //  or by less than this share of the ropes' own weight
    double push = 1;         // m/s: what overlaps is pushed apart no faster
    double pushOut = 0.1;    // m/s: and what is inside a body
    double drag = 1;         // of what drags it out, in local stiffnesses
    double bounce = 0.5;     // m/s: slower impacts do not bounce
    int substeps = 64;       // most in a step
    int finest = 256;        // and where things come too near: touch_near.cpp
    double stiff = 12;       // B h^2 / (m l^3): above, bending is solved with contact, touch_stiff.hpp
};

struct TouchRope {
    int slot = 0;
    int first = 0, count = 0, segments = 0; // nodes in the cluster's columns
    int firstSegment = 0;
    bool closed = false, self = true;
    double radius = 0, length = 0; // of a segment
    Bounds reach;                  // it stays within for this step
    int system = -1, unit = -1;    // among the cluster's mechanisms
    double move = 0, shifted = 0;  // longest of a segment; what wound it up before the substep, squared
    double own = 0;                // longest by a node's own speed, squared
    bool worn = false;             // a node of it leaves the margin of the list of pairs
    bool cut = false;              // a node of it does not go all its way, even if nothing else is near
    bool lost = false;             // the rounds have led it to what is no number: see touch_lost.cpp
};

struct TouchSegment {
    int i, j; // nodes
    int rope, k;
    double radius;
    bool operator==(const TouchSegment&) const = default;
};

struct TouchBody {
    enum class Kind : std::uint8_t { Ground, Free, Jointed };
    int slot = 0;
    Kind kind = Kind::Ground;
    bool moves = false; // ground: kinematic, on its way
    int system = -1, unit = -1;
    TreeBody<double>* tree = nullptr; // null: ground
    double invMass = 0;
    Vec3d invInertia = {0, 0, 0};
    Pose start, now, goal; // of the substep: where it began, the iterate, where it is to end
    Pose current;          // while moves are cut
    Mat3<double> R0 = Mat3<double>::identity(), R = Mat3<double>::identity(); // of start and now
    Pose listed;       // when the list of pairs was made
    double reach = 0;  // radius about its centre
    double margin = 0; // it may move by so much before the list is made anew
    double cut = 1;
    bool lost = false; // as of a rope
};

struct TouchShape {
    int body = 0; // in the cluster
    int index = 0;
    const Shape* shape = nullptr;
    Pose local; // in the body's principal axes
    double reach =
        0; // radius about the shape's own centre, without its symmetry: what a turn of the body sweeps
    Vec3d axis = {0, 0, 0}; // of rotational symmetry, in the body's principal axes; zero: none
    bool round = false;     // a sphere
};

// A node tied to a body: so many segments beside it do not touch that body.
struct TiedNode {
    int rope, node, body, segments; // rope in the cluster, slot of the body
};
// Two ropes held at one point.
struct CommonEnd {
    int rope[2], node[2];
};
// What a box in the broad phase stands for: a segment (shape -1, its number in `part`), a shape, a triangle of one.
struct TouchItem {
    int shape, part;
};

// Candidates: may meet before the list is made anew.
struct SegmentPair {
    int a, b;
    double D;
    double far = -1e30; // at least so far apart when everything had travelled 0 (Touch::travel)
};
struct ShapePair {
    int segment, shape, triangle;
    double D;
};
struct BodyPair {
    int a, b, triangle; // shapes
};

// A pair as the cutting sees it.
struct Looked {
    std::uint32_t pair;
    std::uint8_t kind;
    double d;
    Vec3d n, point;
};

// One side of a row.
struct RowEnd {
    int body = -1;                               // in the cluster; -1: a segment
    int i = 0, j = 0;                            // its nodes
    double c = 0;                                // weight of j; that of i is 1 - c
    Vec3d core = {0, 0, 0}, surface = {0, 0, 0}; // in the body's principal axes
};

struct TouchRow {
    std::uint64_t a = 0, b = 0; // who: see sideOf in touch_rows.cpp
    std::uint32_t feature = 0;
    bool slips = false, fresh = true, shape = false;
    bool inside = false, slow = false; // with its core; or it was: see touch_inside.cpp
    bool acts = false;                 // it counts in this round: it pushes, or nearly, or has been met in it
    bool met = false;
    ShapePair pair = {0, 0, -1, 0}; // where it touches a shape
    RowEnd end[2];
    Vec3d n = {0, 1, 0};
    double D = 0;
    double allowed = 0;          // gap that is accepted: an overlap is worked off slowly
    double stick = 0, slide = 0; // friction
    double bounce = 0, approach = 0;
    double walk = 0; // inside: m/s
    double gap0 = 0, change = 0, bears = 0;
    double majorise = 2; // of the diagonal blocks that stand for it
    double rho = 0, ln = 0, fn = 0, kt = 0;
    Vec3d lt = {0, 0, 0};
    Vec3d first = {0, 0, 0}; // its force where the round began
    double gapHere = 0;      // at the iterate where the round began, and how far it had slipped there
    Vec3d slipHere = {0, 0, 0};
};

// A row acts on nodes and bodies; here is who is acted on by which, in a fixed order.
struct RowUse {
    int row, who; // of the row's four: i and j, or a body and nobody, of either end
};

// Ropes that are solved in lanes.
template <class W> struct TouchGroup {
    ChainLanes<W> c;
    std::vector<ChainNode<W>> nodes;
    std::vector<ChainPast<W>> past;
    std::vector<RingNode<W>> rings;
    std::vector<NodeLoad<W>> load;
    std::vector<LinkKept<W>> links; // of the elimination, and its root
    ChainRoot<W> root;
    std::vector<Vec<W>> first, answer; // steps of the nodes: to the loads alone, and to what the rows add
    std::vector<W> firstPull, pull;    // and of the tensions
    int slot[lanesOf<W>] = {};         // of ropes in the model
    int rope[lanesOf<W>] = {};         // in the cluster
    int ropes = 0;
    StiffRope stiff; // where it bends with what it touches; one lane only
};

// Mechanisms in the cluster.
struct TouchSystem {
    int system = 0; // in the model
    TreeStore<double> store;
    Mechanism m;
    double stride = 1; // share of the step that keeps turns and changes of segments within bounds
    bool lost = false; // as of a rope
};

// A box that somebody keeps to during this step; -1 leads what does not move.
struct TouchOther {
    Bounds box;
    int leader;
};

// What may meet and is solved together. Also the working memory: it is emptied and filled again for every cluster.
struct Touch {
    TouchDef def;
    int leader = 0;
    const std::vector<TouchOther>* others = nullptr; // everybody
    std::vector<TouchRope> ropes;
    std::vector<TouchSegment> segments;
    std::vector<TouchBody> bodies;
    std::vector<TouchShape> shapes;

    // By node. Until something has moved, start and current are one column: what is written twice is sent twice to the
    // other cores.
    std::vector<Vec3d> places[3];
    std::span<Vec3d> start, current, goal, spare;
    std::vector<Vec3d> hint, x, listed;
    std::vector<double> mass, stiff, cut, moved, margin;
    std::vector<Vec3d> together; // its move in the substep, with what it presses on: see startTogether
    std::vector<double>
        turn; // stiffness of the segment that begins at the node, against turning: of what it touches
    std::vector<NodeLoad<double>> load;
    std::vector<RowUse> use;
    std::vector<int> touched;        // nodes with a use
    std::vector<int> useBegin, fill; // nodes first, then bodies
    std::size_t linkedNodes = 0;     // of them when the rows were linked
    bool linked = false;             // they are still the same
    // By node, then two by body (centre, turn): see touch_couple.cpp.
    std::vector<Vec3d> step, left, off, offNow, offBefore, xNow, xBefore;
    std::vector<char> kept;

    // By segment: a ball around it, and how far its nodes will go.
    std::vector<Vec3d> middle;
    std::vector<double> half, move;

    std::vector<TiedNode> tiedNodes;
    std::vector<CommonEnd> commonEnds;
    std::vector<std::pair<int, int>> joinedBodies; // slots, the lower first
    std::vector<TouchItem> items;
    std::vector<SegmentPair> segmentPairs;
    std::vector<ShapePair> shapePairs;
    std::vector<BodyPair> bodyPairs;
    std::vector<Looked> segmentLooks, shapeLooks;
    std::vector<std::uint32_t> segmentFails, shapeFails;
    std::vector<TouchRow> rows, old, before; // before: when the substep began, if it may be taken again
    std::vector<std::pair<int, int>> openShapes,
        openSegments; // segments that go through what: touch_inside.cpp
    std::vector<int> run, steps;
    std::vector<std::array<int, 4>> who; // each row acts on: nodes, then bodies; -1: nobody
    // Columns for those who gather: what another core has written is expensive.
    // What others gather of a row, in two lines of the cache: where it acts, and how.
    struct alignas(64) Acts {
        double weight[4]; // of who; the second end counts against the first
        Vec3d n;
        double majorise; // 0: it does not act
    };
    struct alignas(64) Told {
        Vec3d first;
        double rho, kt, turn;
    };
    // What has been added to its force since the round began, and how large it is now.
    struct alignas(32) Added {
        Vec3d force;
        double size;
    };
    std::vector<Acts> acts;
    std::vector<Told> told;
    std::vector<Added> added;
    std::vector<char> presses;           // rows that did when the substep began: 1, and 2 if they slipped
    std::vector<std::vector<int>> parts; // of the pairs, each with the numbers of those that need a row
    std::vector<std::vector<Looked>> lookParts;
    std::vector<int> needed;
    std::vector<std::vector<SegmentPair>> pairParts;
    std::vector<int> borders; // first segments of each worker's pairs
    std::vector<double> sums;
    std::vector<double> undone; // of the forces at each place, the share that is not in balance

    std::vector<TouchGroup<double>> ones;
    std::vector<TouchGroup<Pack<double, 4>>> fours;
    std::vector<TouchGroup<Pack<double, 8>>> eights;
    std::vector<TreeBody<double>> flyers; // bodies that no joint holds
    std::deque<TouchSystem> systems;
    int usedSystems = 0;

    double h = 0, clock = 0, stepTime = 0; // substep; time since the start of the step at its end
    Vec3d gravity = {0, 0, 0};
    double least = 0; // WorldDef::minDistance
    double slack = 0; // m: boxes of shapes are so much larger
    bool listGood = false;
    bool ending = false; // ropes in lanes have yet to take over what the substep has led to: endIfDue
    double longest = 0;  // move of a node in one round of cutting
    double travel = 0;   // by so much two things may have come nearer since the list was made
    double room = -1e30; // least of SegmentPair::far over the floor of the cutting, of all pairs
    double weight = 0;   // of all ropes, times h^2
    bool heavy = false;  // there are bodies, or loads heavier than the rope that carries them
    double still = 0;    // what may be left undone in a round, as a share of the forces,
    int answers = 0;     // and how many answers are worth it
    double overlap = 0;  // and how much of an overlap, as a share of D
    bool lasting = true; // the list is made with margins
    Overlaps overlaps;
    std::vector<Bounds> boxes;

    TreeTime<double> time;
    std::vector<double> errors, goes; // by unit: of lengths and joints; longest way of a node, squared
    std::vector<int> systemOfRope, systemOfBody; // by slot; -1: none

    std::vector<int> signature, signatureBefore; // who was in it when the list was made
    std::vector<std::pair<Pose, double>> listedBefore;

    // While a cluster is put together.
    struct HeldNode {
        int rope, node;
        Vec3d x;
    };
    std::vector<HeldNode> heldNodes;
    std::vector<int> looseRopes;

    // Told of the step.
    int truncated = 0, substeps = 0, solves = 0, lastResorts = 0, retaken = 0;
    int wasted = 0; // solves of substeps that were taken again
    double nearest = 1;

    TouchPile pile; // clusters of bodies alone
};

} // namespace capstan
