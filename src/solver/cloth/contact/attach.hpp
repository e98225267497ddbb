// SPDX-License-Identifier: MIT
// Cloth that is attached to hosts which can move: dynamic bodies, and nodes of ropes.
//
// An attached vertex of mass m is a part of its host. Cloth displaces the host by u = (dx, dtheta) in a
// substep, and the vertex with it by J u. Without cloth the host would take the vertex to p. Without the host
// the vertex would reach x^ (with its share of gravity, air and bending):
//     (M + sum m J^T J) u = sum J^T (m (x^ - p) + h sum of impulses) - h^2 f
// Impulses are those of the lengths that end at the vertex: edges, strands and tethers (Cloth::attachmentRows). They
// are solved one by one, and each sees the host as the previous one left it. So a bar with a hem of a hundred
// vertices is as stiff as a bar with one vertex. The far end gets exactly the opposite impulse.
//
// An alternative was refused: vertices as heavy as their shares of the host, in the iterations with all others.
// The displacement of a heavy body is then below the last bit of a float, and momentum is lost.
//
// This is the method for bodies. bodies.hpp computes their u again, together with contacts, supports, and
// the load f of earlier steps. Momentum is conserved for any ratio of masses. The response of joints follows
// one step later, as for all loads of cloth.
//
// One step later is too late for light hosts that something else holds. Those are nodes of ropes, and jointed
// bodies that weigh less than the sheet on them. Three methods made them swing ever wider. First they yielded
// as above. Then they got the force in the next step. Last they carried a part of the sheet's mass in their own
// solve and got the rest as a force.
//
// So these hosts keep the path of their own solve. In that solve they carry their share of the sheet, in equal
// parts for each pin. It contains the sheet's mass, the mass of free bodies on it, and the air's force. This is
// exact for the weight of a sheet that hangs at rest, from one place or evenly from many. It does not transfer
// a pull from the side.
#pragma once

#include "core/step_def.hpp"
#include "model/model.hpp"

#include <vector>

namespace capstan {

struct ClothContactWorkspace;

// The host of attached vertices.
struct ClothHost {
    int slot = -1, body = -1;            // slot of a body, and its index in ClothBodyCoupling::bodies
    int node = -1;                       // or the index in ClothContactWorkspace::nodes
    bool keepsItsWay = false;            // the host keeps its path
    Pose pose;                           // pose at the end of the substep without cloth
    double weight[6][6] = {}, u[6] = {}; // inverse of the matrix; displacement
};

struct ClothAttachment {
    int cloth = 0, pin = 0, vertex = 0, host = 0;
    double mass = 0;
    Vec3d from = {0, 0, 0}, velocity = {0, 0, 0}; // position and velocity at the start of the substep
    Vec3d aim = {0, 0, 0}, arm = {0, 0, 0};       // p, and p relative to the host's centre
    Vec3d push = {0, 0, 0};                       // kg m: the sum to which J^T applies
};

// A host that carries added mass of the cloth in its own solve: a node of a rope, or a body.
struct ClothAddedMass {
    int point = -1, body = -1; // index in State::x; or slot of a body
    double added = 0;          // added mass, kg
    Vec3d force = {0, 0, 0};   // force of the air, N
    double mass = 0;           // kg, mass without the added mass
    float inverse = 0;         // 1/kg, inverse mass of a node without the added mass
    Vec3d inertia = {0, 0, 0};
};

struct ClothAttachments {
    std::vector<ClothHost> hosts;
    std::vector<ClothAttachment> all; // in the order of cloths and their pins
    std::vector<int> firstPin, ofPin; // by cloth: its first entry in ofPin; by pin: index in `all`, or -1
    std::vector<int> hostOfBody, hostOfNode; // working memory
    std::vector<ClothAddedMass> addedMasses;
    std::vector<char> keepsItsWay; // by body: 1 if it keeps its path
};

bool givesWay(const Model& m, const ClothPin& pin);
bool anyAttachments(const Model& m);

// Adds the load of attached cloth to hosts before ropes and bodies are solved, and removes it afterwards.
void addClothMass(ClothAttachments& w, Model& m, State& s);
void removeClothMass(ClothAttachments& w, Model& m, State& s);

// Finds all attachments at the start of a step. Returns false if there are none.
bool findAttachments(ClothContactWorkspace& w, const Model& m, const State& s);
// Sets the velocity of attached vertices towards the position of their hosts at the end of substep k.
void predictAttachments(ClothContactWorkspace& w, const Model& m, State& s, const StepDef& d, int k);
// After cloth has moved, computes its pull on the hosts and hands it to the bodies.
void solveAttachments(ClothContactWorkspace& w, const Model& m, State& s, const StepDef& d);
// Moves attached vertices to the positions on their hosts.
void moveAttachments(ClothContactWorkspace& w, Model& m, State& s, const StepDef& d, int k);

} // namespace capstan
