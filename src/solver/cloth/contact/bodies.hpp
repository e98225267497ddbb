// SPDX-License-Identifier: MIT
// Two-way coupling of cloth and bodies. Both move in the substeps of cloth.
//
// A body follows the path of its own solve, plus a deviation by cloth. Vertices of mass m_i are in contact with the
// body. The contact pushed vertex i out by p_i along the normal n_i. Friction stops the fraction tau_i of the
// tangential motion. The body is displaced by u = (dx, dtheta), so its surface at vertex i moves by J_i u. M is its
// 6x6 mass matrix, and P_i = n n^T + tau (1 - n n^T):
//     p_i' = P_i (p_i + J_i u),   (M + sum m_i J_i^T P_i J_i) u = -sum m_i J_i^T P_i p_i - h^2 f
// This is one system of six unknowns for all vertices on a body, and it is solved directly. So it is exact for every
// ratio of masses, and momentum is conserved. Contacts that would pull are deactivated, and the system is solved
// again.
//
// In a substep a vertex transmits at most its own mass times its displacement. So a light sheet holds a heavy ball
// only with enough substeps: see docs/manual/cloth.md. An alternative was refused: vertices on a taut tether that are
// as heavy as the body. Then the ball bounces.
//
// The force f is the load of cloth as predicted from earlier steps. The body's own solve included it, so the body's
// supports already balance it, and here it is subtracted. The floor under a body has no contact in this system. So
// without the subtraction, a heavy sheet on a light box would push the box into the floor in every step.
//
// The supports of the body's own solve are included here. Each adds a large mass along its normal, while the force
// between support and body is above zero.
#pragma once

#include "model/model.hpp"
#include "solver/cloth/contact/report.hpp"

#include <vector>

namespace capstan {

// A support of the body: a contact of the body's own solve.
struct ClothBodySupport {
    Vec3d n, arm; // normal from the support to the body; arm from the body's centre
    double force; // N
};

// A vertex that is attached to the body (attach.hpp).
struct ClothAttachedMass {
    Vec3d arm;   // m, position relative to the body's centre
    double mass; // kg
    Vec3d push;  // kg m: h times the impulse on the body if the body did not move
};

struct ClothBody {
    int slot = 0;
    double mass = 0;
    Vec3d off = {0, 0, 0},
          velocity = {0, 0, 0};     // deviation from the path of its own solve, m, and its velocity, m/s
    Quatd turn = Quatd::identity(); // rotation of the deviation
    Vec3d spin = {0, 0, 0};         // rad/s, angular velocity of the deviation
    Vec3d momentum = {0, 0, 0};     // kg m^2/s, angular momentum received from cloth
    Vec3d sum = {0, 0, 0}, sumTwist = {0, 0, 0}; // N s, N m s: impulse of cloth during this step
    std::vector<ClothBodySupport> props;         // supports
    std::vector<ClothAttachedMass> loads;        // attached vertices in this substep
    bool moved = false;                          // true: it deviates from its path
};

// A contact of a vertex with a body.
struct ClothHit {
    int body = -1;      // index in ClothBodyCoupling::bodies
    bool whole = false; // the vertex's move was shortened: it moves with the body in all directions
    Vec3d n, at;        // unit normal, and position of the contact in the world, m
    Vec3d push;         // p, m, displacement of the vertex by the contact
    double grip = 0;    // tau, fraction of the tangential motion that friction stops
};
inline constexpr int kClothHits = 2; // largest number of bodies in contact with one vertex

struct ClothBodyCoupling {
    std::vector<ClothBody> bodies; // the dynamic bodies
    std::vector<int> ofSlot;       // by slot of a body; -1: not dynamic
    // A contact of a vertex x of mass `mass`; on: it is active.
    struct Hit {
        ClothHit hit;
        Point* x;
        double mass;
        bool on;
        int cloth;
    };
    std::vector<std::vector<Hit>> hits; // by body, in this substep
    std::vector<char> let;              // working memory: 1 for each support that is deactivated
    ClothContacts contacts;             // contacts of this step
    std::vector<int> leader;            // by body, then by rope: index of the representative of its mechanism
    // kg, by representative: mass of the mechanism, or at most 0 if something else supports it.
    std::vector<double> afloat;
};

// Returns the force predicted for the next step. It approaches the present force gradually, because an impact does
// not repeat. If the present force is less than half of the previous prediction, it is taken at once.
inline Vec3d expectedAfter(Vec3d was, Vec3d is) {
    return dot(is, is) < 0.25 * dot(was, was) ? is : was + 0.25 * (is - was);
}

struct Six;
// The body's mass and inertia as a 6x6 matrix.
Six massOf(const ClothBody& b, const Body& body, const Quatd& q);

// Lists the dynamic bodies with their supports at the start of a step.
void findCoupledBodies(ClothBodyCoupling& p, const Model& m, const State& s);
// Pose of a body at time t (0 to 1) of the step. Its deviation is extrapolated by `ahead` seconds.
Pose poseOf(const ClothBodyCoupling& p, const Model& m, const State& s, int slot, double t, double ahead);
// Solves all bodies of a substep of h seconds, and moves the vertices on them along.
void moveCoupledBodies(ClothBodyCoupling& p, const Model& m, const State& s, double t, double h);
// Adds the deviations to the bodies, and computes the load predicted for the next step of dt seconds.
void endBodyCoupling(ClothBodyCoupling& p, Model& m, State& s, double dt);

} // namespace capstan
