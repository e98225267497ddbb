// SPDX-License-Identifier: MIT
// Touch, bodies among themselves: what no rope and no joint holds, such as stacks and piles.
//
// Sequential impulses with small steps: in each substep one sweep over all points of touch with a push that closes or
// opens their gaps, then the move, then a sweep without the push, so that no speed is left of it ("relax").
//     gap > 0:  vn >= -gap / h                                    it may close, no more
//     gap < 0:  dl = -soft m (vn + rate gap) - leak max(0, l - l0)     a spring and a damper, as stiff as can be
//     |lt| <= mu l                                                friction, a vector in the plane of touch: a cone
// Catto 2024, "Solver2D" (there "soft step"; small steps: Macklin et al. 2019, "Small steps in physics simulation").
//
// Impulses are kept from substep to substep and from step to step. An impulse that is kept integrates what is left of
// the speed, and a sweep sees so little of the sway of a tower (its share falls with the fourth power of the height)
// that integrator and mass swing on for minutes; fed by the gap as well, the swing grows. The leak damps it. But leaking
// towards 0 lets a stack of ten sink by centimetres. Here it leaks towards l0, what the weights above press as far as
// places can tell (touch_bodies_weight.cpp): what lies still sinks a thirtieth of that. A slow mean of l in place of l0
// would need no estimate, and was tried: it is one more integrator, and leaning towers swing again.
//
// Points of one pair lie in a lane, four pairs in a block; pairs of one colour share no body that moves, so their order
// does not matter. Bodies are rows of four numbers, turned into lanes and back.
#pragma once

#include <capstan/collide/nearest.hpp>
#include <capstan/math/lanes.hpp>
#include <capstan/math/mat.hpp>
#include <capstan/math/quat.hpp>

#include <cstdint>
#include <vector>

namespace capstan {

using Quad = Pack<double, 4>;

// A body as the sweeps see it. Ground has no inverse mass and no say in its momentum: there L is its spin, and the
// inverse inertia is 1, so that what L tells of a point's speed needs no exception.
struct alignas(32) Mover {
    struct Row {
        double x, y, z, w;
    };
    Row v = {0, 0, 0, 0};  // w: inverse mass
    Row L = {0, 0, 0, 0};  // w: 1, of ground 0
    Row dx = {0, 0, 0, 0}; // of the last substep: displacement, turn
    Row dl = {0, 0, 0, 0};
    Row x = {0, 0, 0, 1}; // w: what damping leaves of the speed in a substep
    Row q = {0, 0, 0, 1};
    Row yield = {1, 1, 1, 0}; // inverse inertia
    Row a = {0, 0, 0, 0};     // acceleration and torque that do not come from touching
    Row twist = {0, 0, 0, 0};
    Row free = {0, 0, 0, 0},
        freeL = {0, 0, 0, 0}; // speed and momentum without what touch does in this substep
};

// A point of touch before it is put into a lane.
struct TouchPoint {
    Vec3d core[2]; // in the bodies' axes
    double radius[2];
    double gap; // at the start of the step
    std::uint32_t feature;
    bool slips, fresh;
    double ln, weight; // impulse, and what the weights above would make it
    Vec3d lt;          // of friction, on a
    Vec3d at;          // in the world
};

// Points between two shapes, with one normal.
struct TouchPatch {
    std::uint64_t a, b; // names
    int mover[2];
    int first, count; // points
    int colour, block, lane;
    bool fresh; // no point of it was there before
    Vec3d n;
    double stick, slide, bounce;
    int top, low; // movers: what lies on what; top -1: nothing does
    double up;    // cosine of the normal to the vertical
};

// Of four patches: jA jB are levers, kA kB levers times inverse inertia.
struct TouchLever {
    Vec<Quad> jA, jB, kA, kB;
};
struct TouchSpot {
    Vec<Quad> coreA, coreB;
    Quad radiusA, radiusB;
    Quad massN, massT; // 0 in a lane without a point
    TouchLever n, t, u;
    Quad gap;
    Quad ln, lt, lu, weight; // N s
    Quad slips;              // 1: yes
    Quad approach;           // normal speed with which it struck
};
struct TouchBlock {
    int a[4], b[4]; // movers
    Vec<Quad> n, t, u;
    Quad stick, slide, bounce;
    int first = 0, count = 0;                           // spots
    bool bounces = false, ground = false, still = true; // still: all b are ground at rest
};

struct TouchSoftness {
    double rate, soft, leak;
};

// What a body carries: its own weight and what lies on it, N, and where, times N.
struct TouchWeight {
    double height, load;
    Vec3d moment;
};

// Working memory.
struct TouchPile {
    std::vector<Mover>
        movers; // dynamic ones first, to a multiple of four; then ground; the last one is nobody
    std::vector<int> moverOf;          // by body of the cluster
    std::vector<double> spin, stirred; // by body of the cluster: rad/s; m/s, the fastest that may strike it
    std::vector<int> near;             // pairs whose boxes meet
    std::vector<Pose> places;          // by shape
    std::vector<Bounds> boxes;         // by shape: where it is and goes
    std::vector<char> turns;           // by mover: too fast for its levers to be left as they are
    int dynamic = 0;                   // a multiple of four
    std::vector<TouchPoint> points;
    std::vector<TouchPatch> patches;
    std::vector<TouchSpot> spots; // only grows
    std::vector<TouchBlock> blocks;
    std::vector<std::uint64_t> colours; // by mover
    std::vector<int> order, starts;
    std::vector<TouchWeight> weights; // by mover
    std::vector<double> energies,
        shares; // by mover: the most that it had in this step, J; what is left of its speed
    std::vector<int> lies, lying,
        highest; // patches by who lies on them; bodies from the highest to the lowest
    double h = 0, push = 0;
    TouchSoftness soft[2] = {}; // between bodies, and of bodies on ground
};

// touch_bodies_weight.cpp: what the weights above press on each point.
void shareWeights(TouchPile& p, Vec3d gravity);

// touch_bodies_pack.cpp: patches into colours, blocks and spots.
void packPatches(TouchPile& p);

// touch_bodies_solve.cpp
void startBlocks(TouchPile& p,
                 double least);   // levers and gaps; impulses that are kept, but of what parts faster
void refreshBlocks(TouchPile& p); // levers and gaps of what turns fast
void watchImpacts(TouchPile& p, double least); // of what will strike in this substep, how fast
void sweep(TouchPile& p, bool push);
void bouncePatches(TouchPile& p, double least);

// touch_bodies_lost.cpp
void noteEnergies(TouchPile& p, bool opening); // without what touch does in this substep
bool rein(TouchPile& p);                       // had anybody gained too much?

// Rows of four bodies, as lanes.
struct Fields {
    Quad x, y, z, w;
    Vec<Quad> vector() const { return {x, y, z}; }
};
CAPSTAN_INLINE Fields take(const std::vector<Mover>& m, const int* i, Mover::Row Mover::*row) {
    Quad r[4];
    for (int k = 0; k < 4; ++k) r[k] = load<Quad>(&(m[std::size_t(i[k])].*row).x);
    transpose(r[0], r[1], r[2], r[3]);
    return {r[0], r[1], r[2], r[3]};
}
// Two lanes may name the same ground: it is written as it was read.
CAPSTAN_INLINE void put(std::vector<Mover>& m, const int* i, Mover::Row Mover::*row, Vec<Quad> a, Quad w) {
    transpose(a.x, a.y, a.z, w);
    const Quad r[4] = {a.x, a.y, a.z, w};
    for (int k = 0; k < 4; ++k) store(&(m[std::size_t(i[k])].*row).x, r[k]);
}

} // namespace capstan
