// SPDX-License-Identifier: MIT
// The impulse solver: islands of bodies in contact without ropes and joints, such as stacks and piles.
//
// It solves sequential impulses with small steps. In each substep one iteration over all contact points
// corrects their gaps with a bias ("push"). Then the bodies move. A second iteration without the bias
// ("relax") removes the velocity that the bias gave.
//    gap > 0:  vn >= -gap / h                                    the gap may close in the substep, not more
//    gap < 0:  dl = -soft m (vn + rate gap) - leak max(0, l - l0)     spring and damper, as stiff as stable
//    |lt| <= mu l                                                friction cone; lt is in the contact plane
// vn is the normal velocity, h the substep, l the normal impulse, dl its change, m the effective mass, mu the
// coefficient of friction. `soft`, `rate` and `leak` are those of ContactSoftness; l0 is explained below.
// Catto 2024, "Solver2D" (there "soft step"; small steps: Macklin et al. 2019, "Small steps in physics
// simulation").
//
// Impulses are kept from substep to substep and from step to step (warm starting). A kept impulse integrates
// the velocity error that an iteration leaves. One iteration reduces only a small part of the sway of a
// tower: the part falls with the fourth power of the tower's height. So the integrating impulse and the mass
// oscillate for minutes. If the gap feeds the impulse as well, the oscillation grows. The leak damps it. A
// leak towards 0 was refused: a stack of ten sinks by centimetres. This leak goes towards l0, the impulse of
// the support load. The support load is the weight that lies on a point, estimated from positions
// (support.cpp). With it a stack at rest sinks a thirtieth as far. Another l0 that needs no estimate, a slow
// mean of l, was tried and refused: it is one more integrator, and leaning towers oscillate again.
//
// The points of one contact patch are solved one after the other in a lane, and four patches form a batch.
// Patches of one colour share no dynamic body, so their order does not matter. The data of a body are rows of
// four numbers. `take` transposes the rows of four bodies into lanes, and `put` transposes them back.
#pragma once

#include "collision/geometry/nearest.hpp"
#include "math/lanes.hpp"
#include "solver/impulse/reflect.hpp"
#include <capstan/math/mat.hpp>
#include <capstan/math/quat.hpp>

#include <cstdint>
#include <vector>

namespace capstan {

using Quad = Pack<double, 4>;

// The data of a body that the iterations read and write. A static or kinematic body has inverse mass 0, and
// impulses do not change it. Its L holds its angular velocity and its inverse inertia is 1. So the formula
// for the velocity of a point is that of a dynamic body.
struct alignas(32) SolverBody {
    struct Row {
        double x, y, z, w;
    };
    Row v = {0, 0, 0, 0};  // velocity [m/s]; w: inverse mass [1/kg]
    Row L = {0, 0, 0, 0};  // angular momentum; w: 1, or 0 for a static body
    Row dx = {0, 0, 0, 0}; // displacement [m] and rotation vector (dl) [rad] of the last substep
    Row dl = {0, 0, 0, 0};
    Row x = {0, 0, 0, 1}; // position; w: damping factor of a substep
    Row q = {0, 0, 0, 1};
    Row yield = {1, 1, 1, 0}; // inverse inertia about the principal axes
    Row a = {0, 0, 0, 0};     // linear acceleration and torque (`twist`) of everything but contact
    Row twist = {0, 0, 0, 0};
    Row free = {0, 0, 0, 0},
        freeL = {0, 0, 0, 0}; // velocity and angular momentum without the contacts of this substep
};

// A contact point before it is copied into a lane.
struct PatchPoint {
    Vec3d core[2]; // in the bodies' principal axes, about their centres of mass
    double radius[2];
    double gap; // m, at the start of the step
    std::uint32_t feature;
    bool slipping, fresh;
    double ln, weight; // normal impulse, and the impulse of the support load [N s]
    Vec3d lt;          // friction impulse on body a [N s]
    Vec3d at;          // position in world axes
};

// A contact patch: contact points of two shapes with one normal.
struct ContactPatch {
    std::uint64_t a, b; // names of the two elements
    int solverBody[2];
    int first, count; // points of the patch
    int colour, batch, lane;
    bool fresh; // true: none of its points was in contact in the previous step
    bool alone; // its dynamic bodies have no other patch
    Vec3d n;
    double staticFriction, dynamicFriction, restitution;
    int top, low; // solver bodies: `top` lies on `low`; top is -1 if neither body lies on the other
    double up;    // cosine of the angle between normal and vertical
};

// Levers of one point in each of four patches. Body a has jA = r x d and kA = I^-1 jA, body b has jB and kB.
// Here d is a direction of contact, r the point's offset from the centre of mass, I the inertia.
struct LeverLanes {
    Vec<Quad> jA, jB, kA, kB;
};
struct PointLanes {
    Vec<Quad> coreA, coreB;
    Quad radiusA, radiusB;
    Quad massN, massT; // 0 in a lane without a point
    LeverLanes n, t, u;
    Quad gap;
    Quad ln, lt, lu, weight; // impulses [N s]
    Quad slipping;           // 1: the point slips
    Quad approach;           // normal velocity before an impact [m/s]; 0: no impact
    Quad given;              // normal impulse of the impacts of this step [N s]
};
struct PatchBatch {
    int a[4], b[4]; // indices of the bodies
    Vec<Quad> n, t, u;
    Quad staticFriction, dynamicFriction, restitution;
    int first = 0, count = 0; // range of point lanes
    // restores: some patch has restitution; ground: some body is static; still: all b are at rest.
    bool restores = false, ground = false, still = true;
    MaskOf<Quad> alone = {}, waits = {}; // waits: the patch is alone or has restitution
    // loaded: the patch carried a load at the start of the substep. A force that makes it approach is then no impact.
    // struck: the patch has an impact in this substep.
    MaskOf<Quad> loaded = {}, struck = {};
};

// Coefficients of the normal impulse, see the top of this file. rate [1/s]; soft and leak without unit.
struct ContactSoftness {
    double rate, soft, leak;
};

// Support load of a body: its own weight plus that of the bodies on it [N]. `height` is that of its centre of
// mass [m], `moment` the sum of weight times position [N m].
struct SupportLoad {
    double height, load;
    Vec3d moment;
};

// Working memory of an island of bodies.
struct ImpulseIsland {
    std::vector<SolverBody>
        solverBodies; // dynamic ones first, padded to a multiple of four; then static ones; the last is a
                      // dummy
    std::vector<int> solverBodyOf; // index of the solver body, by body of the island
    // By body of the island: its angular speed, rad/s; greatest speed of a neighbour that may hit it, m/s.
    std::vector<double> angularSpeed, stirred;
    std::vector<int> near;       // indices of pairs whose bounding boxes overlap
    std::vector<Pose> positions; // by shape
    std::vector<Bounds> boxes;   // by shape: bounding box of its motion in the step
    std::vector<char> turns; // by solver body: 1 if it turns too fast to reuse its levers in the next substep
    int dynamic = 0;         // number of dynamic solver bodies with padding, a multiple of four
    std::vector<PatchPoint> points;
    std::vector<ContactPatch> patches;
    std::vector<PointLanes> pointLanes; // one element for each point of a batch; the vector never shrinks
    std::vector<PatchBatch> batches;
    std::vector<std::uint64_t> colours; // by solver body
    std::vector<int> order, starts;
    std::vector<SupportLoad> weights; // by solver body
    // By solver body: E_free [J] of energy_limit.cpp; the factor by which the limit scales its velocity.
    std::vector<double> energies, shares;
    std::vector<int> lies, lying,
        highest; // lies: patches sorted by their body on top; lying: start of each body's patches in `lies`;
                 // highest: bodies from the highest down
    double h = 0, push = 0;
    ContactSoftness soft[2] = {}; // between bodies; between a body and a static body
    Impacts impacts;
    // In a substep with impacts, before its first iteration: v and L by solver body; ln, lt and lu by point lane.
    std::vector<SolverBody::Row> had;
    std::vector<Quad> hadImpulses;
};

// support.cpp: estimates the support load on each contact point.
void spreadSupportLoads(ImpulseIsland& p, Vec3d gravity);

// batches.cpp: sorts patches into colours, batches and lanes.
void packPatches(ImpulseIsland& p);

// iterate.cpp
// Computes levers and gaps. Applies the kept impulses, except at points that separate faster than `least`
// [m/s].
void startBatches(ImpulseIsland& p, double least);
void refreshBatches(ImpulseIsland& p); // recomputes levers and gaps of bodies that turn fast
// Records the approach velocity of points with restitution that will hit in this substep at more than `least` [m/s].
// Returns whether there are any.
bool watchImpacts(ImpulseIsland& p, double least);
void iterate(ImpulseIsland& p, bool push);

// impacts.cpp
void noteVelocities(ImpulseIsland& p); // before the first iteration of a substep with impacts
// After the bodies have moved: takes back what the iteration gave, and reflects impacts pair by pair.
void reflectImpacts(ImpulseIsland& p);

// motion.cpp
// rad: if a body rotates by less in a substep, its points count as moving along straight lines.
constexpr double kLittle = 0.002;
void speedUp(ImpulseIsland& p, bool opening); // integrates forces to velocities; opening: first substep
void moveOn(ImpulseIsland& p);                // integrates velocities to positions

// energy_limit.cpp
// Records each body's energy without contact. opening: true in the first substep, where it replaces the old
// value; later the greater value is kept.
void noteEnergies(ImpulseIsland& p, bool opening);
bool limitEnergy(ImpulseIsland& p); // returns true if bodies had gained too much energy and were slowed down

// One row of four bodies, transposed into lanes.
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
