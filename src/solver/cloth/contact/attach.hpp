// SPDX-License-Identifier: MIT
// Cloth that is attached to movable hosts: dynamic bodies, and nodes of ropes.
//
// An attached vertex of mass m is a part of its host. In a substep, cloth displaces the host by u = (dx, dtheta), and
// the vertex by J u. Without cloth the host would move the vertex to p. Without the host the vertex would move to x^,
// by gravity, air and bending. M is the 6x6 mass matrix of the host and f the load of cloth that its own solve
// included (bodies.hpp):
//     (M + sum m J^T J) u = sum J^T (m (x^ - p) + h sum of impulses) - h^2 f
// The impulses are those of the length constraints at the vertex: edges, strands and tethers (Cloth::attachmentRows).
// They are solved one by one, and each uses the displacement of the host after the previous one. So a bar with a hem
// of a hundred vertices is as stiff as a bar with one vertex. The far end of each constraint gets exactly the
// opposite impulse.
//
// An alternative was refused: vertices with a share of the host's mass, solved in the iterations with all other
// vertices. The displacement of a heavy body is then below the last bit of a float, and momentum is lost.
//
// This method is used for bodies. bodies.hpp recomputes their u, together with contacts, supports, and the load f of
// earlier steps. Momentum is conserved for any ratio of masses. The response of joints follows one step later, as for
// all forces of cloth.
//
// A delay of one step is unstable for light hosts that are held by something else. These are nodes of ropes, and
// jointed bodies that weigh less than the sheet on them. Three methods made them oscillate with growing amplitude.
// The first is the method above. The second applied the force of cloth in the next step. The third added a part of
// the sheet's mass to their own solve and applied the remaining weight as a force.
//
// So these hosts keep the path of their own solve (keepsItsWay). In that solve their mass includes their share of the
// sheet, in equal parts for each pin. The share consists of the sheet's mass, the mass of free bodies on it, and the
// air's force. This is exact for the weight of a sheet that hangs at rest, from one place or evenly from many. It
// does not transmit sideways forces.
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
    bool keepsItsWay = false;            // cloth does not displace the host in substeps
    Pose pose;                           // pose at the end of the substep without cloth
    double weight[6][6] = {}, u[6] = {}; // inverse of the 6x6 matrix; displacement u (m, rad) by cloth
};

struct ClothAttachment {
    int cloth = 0, pin = 0, vertex = 0, host = 0;
    double mass = 0;
    Vec3d from = {0, 0, 0}, velocity = {0, 0, 0}; // position and velocity at the start of the substep
    Vec3d aim = {0, 0, 0}, arm = {0, 0, 0};       // m: p, and p relative to the host's centre
    Vec3d push = {0, 0, 0};                       // kg m: sum of impulses times h on the host at the vertex
};

// A host whose own solve includes mass of the cloth: a node of a rope, or a body.
struct ClothAddedMass {
    int point = -1, body = -1; // index in State::x; or slot of a body
    double added = 0;          // added mass, kg
    Vec3d force = {0, 0, 0};   // N, force of the air and of the program
    double mass = 0;           // kg, mass without the added mass
    float inverse = 0;         // 1/kg, inverse mass of a node without the added mass
    Vec3d inertia = {0, 0, 0}; // kg m^2, inertia of a body without the added mass
};

struct ClothAttachments {
    std::vector<ClothHost> hosts;
    std::vector<ClothAttachment> all; // in the order of cloths and their pins
    // by cloth: its first entry in ofPin; by pin: index in `all`, or -1 if its host cannot move.
    std::vector<int> firstPin, ofPin;
    std::vector<int> hostOfBody, hostOfNode; // working memory
    std::vector<ClothAddedMass> addedMasses;
    std::vector<char> keepsItsWay; // by body: 1 if it keeps its path
};

// True if the host of the pin is movable: a dynamic body, or a live rope.
bool givesWay(const Model& m, const ClothPin& pin);
bool anyAttachments(const Model& m);

// addClothMass adds the share of attached cloth to the mass of hosts before ropes and bodies are solved.
// removeClothMass undoes this afterwards.
void addClothMass(ClothAttachments& w, Model& m, State& s);
void removeClothMass(ClothAttachments& w, Model& m, State& s);

// Finds all attachments at the start of a step. Returns false if there are none.
bool findAttachments(ClothContactWorkspace& w, const Model& m, const State& s);
// Sets the velocity of attached vertices so that they follow the path of their hosts in substep k.
void predictAttachments(ClothContactWorkspace& w, const Model& m, State& s, const StepDef& d, int k);
// After cloth has moved, computes the impulses of its length constraints on the hosts and adds them to
// ClothBody::loads.
void solveAttachments(ClothContactWorkspace& w, const Model& m, State& s, const StepDef& d);
// Moves attached vertices to their positions on the hosts, at the end of substep k.
void moveAttachments(ClothContactWorkspace& w, Model& m, State& s, const StepDef& d, int k);

} // namespace capstan
