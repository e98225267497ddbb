// SPDX-License-Identifier: MIT
// Cloth that is sewn to what gives way: dynamic bodies, and nodes of ropes.
//
// A vertex of mass m that is sewn on is a part of what carries it. With u = (dx, dtheta) what the carrier yields by in a
// substep, J u the motion of the place where the vertex is, p the place the carrier would take it to by itself and x^ the
// one the vertex would fly to (with its share of gravity, air and bending):
//     (M + sum m J^T J) u = sum J^T (m (x^ - p) + h sum of impulses) - h^2 f
// Impulses are those of the lengths that end at the vertex: edges, strands and tethers (Cloth::holdRows), one by one,
// and each of them sees the carrier as the one before has left it. So a bar with a hem of a hundred vertices is as stiff
// as one with a single one. (Vertices as heavy as their shares of the carrier, in the sweeps with all others, were
// refused: what a heavy body moves by is then below the last bit of a float, and momentum is lost.) The far end takes
// exactly what the carrier gives.
//
// That is for bodies; their u is found anew with what cloth presses on them and what they stand on (cloth_press.hpp, with
// f). Momentum is kept, whatever the two weigh. What joints say to it comes a step later, as with all that cloth presses
// on.
//
// That step is too late for what is light and held by others: nodes of ropes, and bodies in joints that weigh less than
// what hangs on them. They swung ever wider, let off their way as above, told of the force in the next step, and also with
// a part of the sheet's mass in their own solve and told of the rest. So these stay on their way, and in their own solve
// they bear their share of the sheet: its mass, that of the free bodies on it, and the air's force, in equal parts for
// each pin. That is exact for the weight of what hangs at rest, on one place or evenly on many; it does not tell them of a
// pull from the side.
#pragma once

#include <capstan/model/model.hpp>
#include <capstan/step/step_def.hpp>

#include <vector>

namespace capstan {

struct ClothMeeting;

// What carries vertices.
struct ClothCarrier {
    int slot = -1, body = -1;            // of a body, and in ClothPress::bodies
    int node = -1;                       // or in ClothMeeting::nodes
    bool rides = false;                  // it stays on its way
    Pose pose;                           // at the end of the substep, by itself
    double weight[6][6] = {}, u[6] = {}; // the inverse of the matrix
};

struct ClothHold {
    int cloth = 0, pin = 0, vertex = 0, carrier = 0;
    double mass = 0;
    Vec3d from = {0, 0, 0}, speed = {0, 0, 0}; // at the start of the substep
    Vec3d aim = {0, 0, 0}, arm = {0, 0, 0};    // p, and that from the carrier's centre
    Vec3d push = {0, 0, 0};                    // kg m: what stands behind J^T
};

// What bears its share in its own solve: a node of a rope, or a body.
struct ClothBurden {
    int point = -1, body = -1; // in State::x; slot
    double added = 0;          // kg
    Vec3d force = {0, 0, 0};   // N, of the air
    double mass = 0;           // kg, without it; and so on
    float inverse = 0;         // 1/kg, of a node
    Vec3d inertia = {0, 0, 0};
};

struct ClothHolds {
    std::vector<ClothCarrier> carriers;
    std::vector<ClothHold> all;                    // cloth by cloth, pin by pin
    std::vector<int> firstPin, ofPin;              // by cloth; from there on by pin: which of `all`, or -1
    std::vector<int> carrierOfBody, carrierOfNode; // working memory
    std::vector<ClothBurden> burdens;
    std::vector<char> rides; // by body
};

bool givesWay(const Model& m, const ClothPin& pin);
bool anyHolds(const Model& m);

// Before ropes and bodies are solved: they bear what is sewn to them. And after.
void burden(ClothHolds& w, Model& m, State& s);
void unburden(ClothHolds& w, Model& m, State& s);

// At the start of a step: who is sewn to whom. False: nothing is.
bool findHolds(ClothMeeting& w, const Model& m, const State& s);
// Vertices set off for where their carriers will be at the end of substep k.
void aimHolds(ClothMeeting& w, const Model& m, State& s, const StepDef& d, int k);
// Cloth has moved: it pulls on its carriers. Bodies are told.
void pullHolds(ClothMeeting& w, const Model& m, State& s, const StepDef& d);
// Vertices are where their carriers are.
void moveHolds(ClothMeeting& w, Model& m, State& s, const StepDef& d, int k);

} // namespace capstan
