// SPDX-License-Identifier: MIT
// Model: objects, the constraints made from them, and their groups for solving. State (state.hpp) holds the
// part that changes in a step. Both are plain values: a copy of the two is a snapshot.
#pragma once

#include "model/batch.hpp"
#include "model/body.hpp"
#include "model/cloth.hpp"
#include "model/hair.hpp"
#include "model/mechanisms.hpp"
#include "model/state.hpp"
#include <capstan/defs.hpp>
#include <capstan/id.hpp>

#include <vector>

namespace capstan {

struct Pin {
    int node;
    Vec3 target;    // m, position at the end of the step
    int joint = -1; // slot of the joint that ties the node to a body that is not dynamic
};

struct Rope {
    RopeDef def; // as the program gave it
    std::uint32_t generation = 0;
    bool alive = false;
    bool frozen = false;    // a value was not finite; the rope stands still until it is removed
    bool forced = false;    // a force acts on a node during the next step
    bool history = false;   // BDF2 may use the last substep; false after a sudden change
    double hBefore = 0;     // s, length of that substep
    double hFirst = 0;      // s, length of the first substep of this history
    bool inContact = false; // solved in this step in an island with contact

    int begin = 0;                // first point
    int count = 0;                // nodes
    int room = 0;                 // number of points owned, at least count + 1
    float stretch = 0;            // arc length / rest length - 1 after the last step
    float strain = 0;             // largest |length / rest length - 1| of a segment after the last step
    float segmentLength = 0;      // m, rest length of an ordinary segment
    float nodeMass = 0;           // kg, mass of an ordinary node
    float massPerLength = 0;      // kg/m
    float totalMass = 0;          // kg, loads included
    float winchSpeed[2] = {0, 0}; // m/s at the first and the last end
    float spooled[2] = {0, 0};    // m, length of rope that spools took at each end in the last step
    // Direction in which each end is clamped; zero: the end rotates freely.
    Vec3 clamp[2] = {{0, 0, 0}, {0, 0, 0}};
    std::vector<Pin> pins;
    std::vector<std::pair<int, float>> loads; // node, and mass of the load [kg]
    // N, force of cloth on each node, as predicted for the next step; empty: none.
    std::vector<Vec3d> couplingForce;

    bool chain() const { return def.solver == Solver::Chain; }
    int segments() const { return def.closed ? count : count - 1; }
    double remembered() const { return history ? hBefore : 0; }
    void begins(double h) { hFirst = history ? hFirst : h; } // a substep of length h
    bool bends() const { return def.bendStiffness > 0 || def.maxBend > 0; }
};

// Chain ropes that are solved together, one in each lane. Their numbers of nodes may differ (see addGroups in
// rebuild.cpp).
struct ChainGroup {
    static constexpr int kMost =
        8; // for 64-byte vectors; with shorter vectors 4 lanes are used, because their working set is half as large
    int rope[kMost] = {};
    int ropes = 0;
    int width = 1; // lanes: 1, 4 or 8
    int nodes = 0; // number of nodes of the longest rope
    bool closed = false;
    bool bends = false;
};

// Range of points of a rope with an iterative solver.
struct IterativeNodes {
    int begin, end;
    int rope;
};

struct Model {
    std::vector<Rope> ropes; // slots; a free slot is reused with the next generation
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    std::vector<Cloth> cloths;
    std::vector<Hair> hairs;
    std::vector<Attachment> attachments;
    std::vector<int> freeBodies; // dynamic bodies without joints and without contact
    double control[2] = {0, 0};  // control vector of joint drives, no unit
    Vec3 viewpoint = {0, 0, 0};  // m, viewpoint for levels of detail of hair
    bool hasViewpoint = false;
    float damping = 0; // 1/s, of all objects
    bool xpbd = false; // joints are solved one by one, except in mechanisms with ropes
    Batches gaussSeidel;
    Batches jacobi;
    Incidence incidence;
    int iterations = 0; // largest RopeDef::iterations of a rope with an iterative solver
    std::vector<IterativeNodes> iterativeNodes;
    std::vector<ChainGroup> groups;
    std::vector<Mechanism> mechanisms;
    std::vector<TreeGroup> trees;
    int chainScratchNodes = 0; // nodes times lanes of the largest group
    bool changed = true;       // rebuild before the next step
    int version = 0;           // number of calls of rebuild() so far
};

// Builds batches, colours and groups of the ropes, and mechanisms of the joints. A chain group has at most `lanes`
// ropes.
void rebuild(Model& m, State& s, int lanes);

// Colours all batches and builds the incidence of the Jacobi batches.
void colorModel(Model& m, int pointCount);

} // namespace capstan
