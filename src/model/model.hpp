// SPDX-License-Identifier: MIT
// Model: what is. Ropes, the constraints they were turned into, and how they are grouped for solving.
// (What changes in a step is in state.hpp.) Both are plain values: a copy of the two is a snapshot.
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
    Vec3 target;    // where it will be at the end of the step
    int joint = -1; // slot of the joint that ties it to a body that is not dynamic
};

struct Rope {
    RopeDef def; // as the user sees it
    std::uint32_t generation = 0;
    bool alive = false;
    bool frozen = false;   // held a number that is not finite; stands still until it is removed
    bool forced = false;   // some node is pulled during the next step
    bool history = false;  // BDF2 may look back one substep; false after anything sudden
    bool touching = false; // goes through this step with what it may touch

    int begin = 0;                          // first point
    int count = 0;                          // nodes
    int room = 0;                           // points owned, count + 1 or more
    float stretch = 0;                      // arc length / rest length - 1, after the last step
    float strain = 0;                       // the largest | length / rest length - 1 | of a segment
    float segmentLength = 0;                // m, of an ordinary segment
    float nodeMass = 0;                     // kg, of an ordinary node
    float massPerLength = 0;                // kg/m
    float totalMass = 0;                    // kg, with loads
    float winchSpeed[2] = {0, 0};           // m/s at the first and the last end
    float spooled[2] = {0, 0};              // m taken by spools at each end in the last step
    Vec3 clamp[2] = {{0, 0, 0}, {0, 0, 0}}; // direction in which each end is held; zero: free to turn
    std::vector<Pin> pins;
    std::vector<std::pair<int, float>> loads; // node, kg
    std::vector<Vec3d> press;                 // N, of cloth on each node, as expected; empty: none

    bool chain() const { return def.solver == Solver::Chain; }
    int segments() const { return def.closed ? count : count - 1; }
    bool bends() const { return def.bendStiffness > 0 || def.maxBend > 0; }
};

// Chain ropes that are solved together, one per lane. Their number of nodes may differ a little.
struct ChainGroup {
    static constexpr int kMost =
        8; // used with 64-byte vectors; with shorter ones 4, whose working set is half as large
    int rope[kMost] = {};
    int ropes = 0;
    int width = 1; // lanes: 1, 4 or 8
    int nodes = 0; // of the longest
    bool closed = false;
    bool bends = false;
};

// Points of an iterative rope.
struct LoosePoints {
    int begin, end;
    int rope;
};

struct Model {
    std::vector<Rope> ropes; // slots; a dead one is used again with the next generation
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    std::vector<Cloth> cloths;
    std::vector<Hair> hairs;
    std::vector<int> freeBodies; // dynamic ones that no joint holds
    double control[2] = {0, 0};  // the control vector
    Vec3 viewpoint = {0, 0, 0};  // for levels of detail
    bool hasViewpoint = false;
    float damping = 0; // 1/s, of everything
    bool xpbd = false; // joints are solved one by one, except where a rope is tied to them
    Batches gaussSeidel;
    Batches jacobi;
    Incidence incidence;
    int sweeps = 0;                 // largest number of sweeps any iterative rope asks for
    std::vector<LoosePoints> loose; // of iterative ropes
    std::vector<ChainGroup> groups;
    std::vector<System> systems;
    std::vector<TreeGroup> trees;
    int chainScratchNodes = 0; // nodes x lanes of the largest group
    bool changed = true;       // rebuild before the next step
    int version = 0;           // counts rebuilds
};

// Batches, colours and groups from the ropes. `lanes` is the widest a chain group may be.
void rebuild(Model& m, State& s, int lanes);

// Colours of all batches and the incidence of the Jacobi ones.
void colorModel(Model& m, int pointCount);

} // namespace capstan
