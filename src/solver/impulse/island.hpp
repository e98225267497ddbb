// SPDX-License-Identifier: MIT
// The impulse solver: islands of bodies in contact that no rope and no joint holds, such as stacks and piles.
//
// It solves sequential impulses with small steps. In each substep one iteration over all contact points closes or
// opens their gaps with a bias ("push"). Then the bodies move. A second iteration without the bias ("relax") removes
// the velocity that the bias gave.
//     gap > 0:  vn >= -gap / h                                    it may close, no more
//     gap < 0:  dl = -soft m (vn + rate gap) - leak max(0, l - l0)     a spring and a damper, as stiff as can be
//     |lt| <= mu l                                                friction, a vector in the plane of contact: a cone
// Catto 2024, "Solver2D" (there "soft step"; small steps: Macklin et al. 2019, "Small steps in physics simulation").
//
// Impulses are kept from substep to substep and from step to step. A kept impulse integrates the velocity that is
// left. One iteration sees little of the sway of a tower: its share falls with the fourth power of the height. So
// integrator and mass swing on for minutes, and if the gap feeds the impulse as well, the swing grows. The leak damps
// it. A leak towards 0 was refused: a stack of ten sinks by centimetres. This leak goes towards l0, the support load:
// what the weights above press, as far as positions can tell (support.cpp). A stack at rest sinks a
// thirtieth of that. A slow mean of l in place of l0 would need no estimate. It was tried and refused: it is one more
// integrator, and leaning towers swing again.
//
// The points of one contact patch lie in a lane, and four patches form a batch. Patches of one colour share no
// dynamic body, so their order does not matter. Bodies are rows of four numbers that are transposed into lanes and
// back.
#pragma once

#include "collision/geometry/nearest.hpp"
#include "math/lanes.hpp"
#include <capstan/math/mat.hpp>
#include <capstan/math/quat.hpp>

#include <cstdint>
#include <vector>

namespace capstan {

using Quad = Pack<double, 4>;

// A body as the solver's iterations see it. A static or kinematic body has no inverse mass, and impulses do not
// change its momentum. Its L holds its angular velocity and its inverse inertia is 1, so the velocity of a point
// needs no exception.
struct alignas(32) SolverBody {
    struct Row {
        double x, y, z, w;
    };
    Row v = {0, 0, 0, 0};  // velocity; w: inverse mass
    Row L = {0, 0, 0, 0};  // angular momentum; w: 1, of a static body 0
    Row dx = {0, 0, 0, 0}; // displacement and turn (dl) in the last substep
    Row dl = {0, 0, 0, 0};
    Row x = {0, 0, 0, 1}; // w: damping factor of a substep
    Row q = {0, 0, 0, 1};
    Row yield = {1, 1, 1, 0}; // inverse inertia
    Row a = {0, 0, 0, 0};     // linear acceleration and torque (`twist`) that contact does not cause
    Row twist = {0, 0, 0, 0};
    Row free = {0, 0, 0, 0},
        freeL = {0, 0, 0, 0}; // velocity and angular momentum without the contacts of this substep
};

// A contact point before it is put into a lane.
struct PatchPoint {
    Vec3d core[2]; // in the bodies' principal axes
    double radius[2];
    double gap; // at the start of the step
    std::uint32_t feature;
    bool slipping, fresh;
    double ln, weight; // normal impulse, and the impulse that the support load would make
    Vec3d lt;          // friction impulse on a
    Vec3d at;          // in world axes
};

// A contact patch: contact points of two shapes with one normal.
struct ContactPatch {
    std::uint64_t a, b; // names of the two elements
    int solverBody[2];
    int first, count; // points of the patch
    int colour, batch, lane;
    bool fresh; // no point of it was there in the step before
    Vec3d n;
    double staticFriction, dynamicFriction, restitution;
    int top, low; // bodies: top lies on low; top is -1 if neither lies on the other
    double up;    // cosine of the angle between normal and vertical
};

// Levers of a point in four patches: jA and jB are r x d, kA and kB are the inverse inertia times that.
struct LeverLanes {
    Vec<Quad> jA, jB, kA, kB;
};
struct PointLanes {
    Vec<Quad> coreA, coreB;
    Quad radiusA, radiusB;
    Quad massN, massT; // 0 in a lane without a point
    LeverLanes n, t, u;
    Quad gap;
    Quad ln, lt, lu, weight; // N s
    Quad slipping;           // 1: the point slips
    Quad approach;           // normal velocity of the impact; 0: none
};
struct PatchBatch {
    int a[4], b[4]; // indices of the bodies
    Vec<Quad> n, t, u;
    Quad staticFriction, dynamicFriction, restitution;
    int first = 0, count = 0;                            // point lanes
    bool restores = false, ground = false, still = true; // still: all b are static
};

struct ContactSoftness {
    double rate, soft, leak;
};

// A body's support load: its own weight and that of the bodies on it, N, and load times position.
struct SupportLoad {
    double height, load;
    Vec3d moment;
};

// Working memory of an island of bodies.
struct ImpulseIsland {
    std::vector<SolverBody>
        solverBodies; // dynamic ones first, padded to a multiple of four; then static ones; the last is a dummy
    std::vector<int> solverBodyOf; // index of the solver body, by body of the island
    // By body of the island: angular speed, rad/s; greatest speed of a neighbour that may strike it, m/s.
    std::vector<double> angularSpeed, stirred;
    std::vector<int> near;       // pairs whose boxes meet
    std::vector<Pose> positions; // by shape
    std::vector<Bounds> boxes;   // by shape: around its way in the step
    std::vector<char> turns; // by solver body: it turns too fast to keep its levers from substep to substep
    int dynamic = 0;         // number of dynamic ones and padding, a multiple of four
    std::vector<PatchPoint> points;
    std::vector<ContactPatch> patches;
    std::vector<PointLanes> pointLanes; // point lanes; it only grows
    std::vector<PatchBatch> batches;
    std::vector<std::uint64_t> colours; // by solver body
    std::vector<int> order, starts;
    std::vector<SupportLoad> weights; // by solver body
    // By solver body: its greatest energy in this step, J; the share of its velocity that it keeps.
    std::vector<double> energies, shares;
    std::vector<int> lies, lying,
        highest; // patches sorted by the body on top; first of them by body; bodies from the highest down
    double h = 0, push = 0;
    ContactSoftness soft[2] = {}; // between bodies; between a body and a static body
};

// support.cpp: finds the support load on each contact point.
void spreadSupportLoads(ImpulseIsland& p, Vec3d gravity);

// batches.cpp: puts patches into colours, batches and lanes.
void packPatches(ImpulseIsland& p);

// iterate.cpp
// Levers and gaps; applies kept impulses, except at points that part faster than `least`.
void startBatches(ImpulseIsland& p, double least);
void refreshBatches(ImpulseIsland& p); // levers and gaps of bodies that turn fast
// Notes the approach velocity of points that will strike in this substep.
void watchImpacts(ImpulseIsland& p, double least);
void iterate(ImpulseIsland& p, bool push);
void applyRestitution(ImpulseIsland& p, double least);

// motion.cpp
// rad: a body that turns by less in a substep moves its points along straight lines.
constexpr double kLittle = 0.002;
void speedUp(ImpulseIsland& p, bool opening); // opening: first substep; velocities after the forces
void moveOn(ImpulseIsland& p);                // positions after the velocities

// energy_limit.cpp
// opening: first substep; energies without contact in this substep.
void noteEnergies(ImpulseIsland& p, bool opening);
bool limitEnergy(ImpulseIsland& p); // true: bodies had gained too much energy and lost it

// A row of four bodies, as lanes.
struct Fields {
    Quad x, y, z, w;
    Vec<Quad> vector() const { return {x, y, z}; }
};
CAPSTAN_INLINE Fields take(const std::vector<SolverBody>& m, const int* i, SolverBody::Row SolverBody::*row) {
    Quad r[4];
    for (int k = 0; k < 4; ++k) r[k] = load<Quad>(&(m[i[k]].*row).x);
    transpose(r[0], r[1], r[2], r[3]);
    return {r[0], r[1], r[2], r[3]};
}
// Two lanes may name the same static body. This is safe: a static body is written back unchanged.
CAPSTAN_INLINE void put(std::vector<SolverBody>& m, const int* i, SolverBody::Row SolverBody::*row,
                        Vec<Quad> a, Quad w) {
    transpose(a.x, a.y, a.z, w);
    const Quad r[4] = {a.x, a.y, a.z, w};
    for (int k = 0; k < 4; ++k) store(&(m[i[k]].*row).x, r[k]);
}

} // namespace capstan
