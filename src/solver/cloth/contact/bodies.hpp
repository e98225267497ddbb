// SPDX-License-Identifier: MIT
// The coupling of cloth and bodies. Both move in the substeps of cloth.
//
// A body follows the path of its own solve, plus a deviation by cloth. Vertices of mass m_i stand on the body.
// The contact pushed vertex i out by p_i along n_i. Friction holds it across n_i by the fraction tau_i. The
// body yields by u = (dx, dtheta), so its surface there moves by J_i u. With P_i = n n^T + tau (1 - n n^T):
//     p_i' = P_i (p_i + J_i u),   (M + sum m_i J_i^T P_i J_i) u = -sum m_i J_i^T P_i p_i - h^2 f
// This is one system of six unknowns for all vertices on a body, and it is solved directly. So it is exact for
// every ratio of masses, and momentum is conserved. Vertices that the solution would pull are released, and it
// is solved again.
//
// In a substep a vertex transfers at most its own mass times its move. So a light sheet holds a heavy ball only
// with enough substeps: see docs/manual/cloth.md. An alternative was tried: vertices that a tether holds, made as
// heavy as the body. Then the ball bounces.
//
// The force f is the load of cloth in the steps before. The body's own solve included it, so the body's
// supports carry it, and here it is subtracted. The floor is not known here, so otherwise a heavy sheet on a
// light box would push the box into the floor in every step.
//
// The body's supports also hold it here, each with a large mass along its normal, while the force between the
// two is above zero.
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
    Vec3d arm;
    double mass;
    Vec3d push; // kg m: h times the impulse that the body would get if it stood still
};

struct ClothBody {
    int slot = 0;
    double mass = 0;
    Vec3d off = {0, 0, 0},
          velocity = {0, 0, 0}; // deviation from its path, m, and velocity of the deviation, m/s
    Quatd turn = Quatd::identity();
    Vec3d spin = {0, 0, 0};                      // rad/s, angular velocity of the deviation
    Vec3d momentum = {0, 0, 0};                  // kg m^2/s, angular momentum gained from cloth
    Vec3d sum = {0, 0, 0}, sumTwist = {0, 0, 0}; // N s, N m s: impulse of cloth in this step
    std::vector<ClothBodySupport> props;
    std::vector<ClothAttachedMass> loads; // attached vertices in this substep
    bool moved = false;
};

// A contact of a vertex with a body.
struct ClothHit {
    int body = -1;      // index in ClothBodyCoupling::bodies
    bool whole = false; // its move was shortened: it stops with the body in all directions
    Vec3d n, at;        // normal and position in the world
    Vec3d push;         // p, m
    double grip = 0;    // tau, fraction of the sideways motion that friction stops
};
inline constexpr int kClothHits = 2; // largest number of bodies that support one vertex

struct ClothBodyCoupling {
    std::vector<ClothBody> bodies; // the dynamic bodies
    std::vector<int> ofSlot;       // by slot of a body; -1: not dynamic
    struct Hit {
        ClothHit hit;
        Point* x;
        double mass;
        bool on;
        int cloth;
    };
    std::vector<std::vector<Hit>> hits; // by body, in this substep
    std::vector<char> let;              // working memory: supports that were released
    ClothContacts contacts;             // contacts of this step
    std::vector<int> leader;            // island key of bodies, then of ropes, that joints tie together
    std::vector<double> afloat; // kg, by island key: mass of the island; not above 0: something holds it
};

// The load expected in the next step. It follows the present load gradually, because an impact does not come
// twice. If the present load is much less, it follows at once.
inline Vec3d expectedAfter(Vec3d was, Vec3d is) {
    return dot(is, is) < 0.25 * dot(was, was) ? is : was + 0.25 * (is - was);
}

struct Six;
// The body's own mass as a 6x6 matrix.
Six massOf(const ClothBody& b, const Body& body, const Quatd& q);

void findCoupledBodies(ClothBodyCoupling& p, const Model& m, const State& s);
// Pose of a body at time t (0 to 1) of the step. Its present deviation is extrapolated by `ahead` seconds.
Pose poseOf(const ClothBodyCoupling& p, const Model& m, const State& s, int slot, double t, double ahead);
// Bodies yield, and the vertices on them move along.
void moveCoupledBodies(ClothBodyCoupling& p, const Model& m, const State& s, double t, double h);
void endBodyCoupling(ClothBodyCoupling& p, Model& m, State& s, double dt);

} // namespace capstan
