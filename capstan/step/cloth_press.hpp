// SPDX-License-Identifier: MIT
// What cloth does to bodies. Both move in the substeps of cloth.
//
// A body goes the way its own solve found, and off it as far as cloth pushes it. Where vertices of mass m_i, pushed out
// by p_i along n_i (and held by friction to the share tau_i across it), stand on a body that yields by u = (dx, dtheta),
// with J_i u the motion of its surface there and P_i = n n^T + tau (1 - n n^T):
//     p_i' = P_i (p_i + J_i u),   (M + sum m_i J_i^T P_i J_i) u = -sum m_i J_i^T P_i p_i - h^2 f
// One system of six numbers for all vertices on a body, solved directly: exact for every ratio of masses, and what the
// cloth gains the body loses. Those that would be pulled are let go, and it is solved again.
//
// A vertex hands on no more in a substep than its own mass times its way, so a light sheet holds a heavy ball only with
// enough substeps: see docs/cloth.md. (Vertices that a tether holds, made as heavy as the body, were tried: it bounces.)
//
// The force f is what cloth pressed with in the steps before: the body's own solve has been told of it, so what the body
// stands on bears it, and here it is taken back. (Without it a heavy sheet on a light box would push the box into the
// floor in every step, for the floor is not known here.) What the body stands on also holds it here, with a large mass
// along the normal, as long as the force between the two is above zero.
#pragma once

#include <capstan/model/model.hpp>
#include <capstan/step/cloth_tell.hpp>

#include <vector>

namespace capstan {

// Something that holds the body up, as its own solve left it.
struct ClothProp {
    Vec3d n, arm; // from it to the body; from the body's centre
    double force; // N
};

// A vertex that is sewn to the body (cloth_hold.hpp).
struct ClothLoad {
    Vec3d arm;
    double mass;
    Vec3d push; // kg m: h times the impulse that the body would get if it stood still
};

struct ClothBody {
    int slot = 0;
    double mass = 0;
    Vec3d off = {0, 0, 0}, speed = {0, 0, 0}; // off its way: m, m/s
    Quatd turn = Quatd::identity();
    Vec3d spin = {0, 0, 0};                      // rad/s, of that
    Vec3d momentum = {0, 0, 0};                  // kg m^2/s, angular, gained from cloth
    Vec3d sum = {0, 0, 0}, sumTwist = {0, 0, 0}; // N s, N m s: of cloth in this step
    std::vector<ClothProp> props;
    std::vector<ClothLoad> loads; // of this substep
    bool moved = false;
};

// A vertex on a body.
struct ClothHit {
    int body = -1;      // of ClothPress::bodies
    bool whole = false; // cut short: it stops with the body in all directions
    Vec3d n, at;        // in the world
    Vec3d push;         // p
    double grip = 0;    // tau
};
inline constexpr int kClothHits = 2; // bodies that a vertex may stand on

struct ClothPress {
    std::vector<ClothBody> bodies; // the dynamic ones
    std::vector<int> ofSlot;       // by body, -1: not dynamic
    struct Hit {
        ClothHit hit;
        Point* x;
        double mass;
        bool on;
        int cloth;
    };
    std::vector<std::vector<Hit>> hits; // by body, of this substep
    std::vector<char> let;              // working memory: props that let go
    ClothContacts told;                 // in this step
    std::vector<int> leader;            // of bodies, then ropes, that joints tie together
    std::vector<double> afloat;         // kg, by leader: of all of them; 0: something holds them
};

// What is expected after `was`: by and by what there is now, for a blow does not come twice; at once if that is much less.
inline Vec3d expectedAfter(Vec3d was, Vec3d is) {
    return dot(is, is) < 0.25 * dot(was, was) ? is : was + 0.25 * (is - was);
}

struct Six;
// The body's own mass, as a matrix.
Six massOf(const ClothBody& b, const Body& body, const Quatd& q);

void findPressed(ClothPress& p, const Model& m, const State& s);
// Where a body is at the time t (0 to 1) of the step; `ahead` seconds later than it is off now.
Pose poseOf(const ClothPress& p, const Model& m, const State& s, int slot, double t, double ahead);
// Bodies yield, and vertices with them.
void pressBodies(ClothPress& p, const Model& m, const State& s, double t, double h);
void endPressing(ClothPress& p, Model& m, State& s, double dt);

} // namespace capstan
