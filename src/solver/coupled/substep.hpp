// SPDX-License-Identifier: MIT
// The interface of the coupled solver: the broad phase of a step, and the step of the islands in contact. See
// island.hpp.
#pragma once

#include "core/threads.hpp"
#include "solver/coupled/island.hpp"
#include <capstan/report.hpp>

#include <deque>
#include <memory>
#include <vector>

namespace capstan {

struct ClothContactWorkspace;

// An object that may come into contact: a rope or a body, with the box that it stays in during the step.
struct BroadPhaseProxy {
    int rope = -1, body = -1; // slots in the Model; -1: none
    bool ground = false;
    double speed = 0;
    Bounds box;      // around its way at its present velocity
    double wide = 0; // by how much it may leave `box`
    int islandKey = 0;
    bool contacts = false;
};

// Working memory of a world's contact, and the result of the broad phase of this step.
struct ContactWorkspace {
    std::vector<BroadPhaseProxy> proxies;
    std::vector<Bounds> boxes;
    std::vector<IndexPair> pairs;
    using Member = std::pair<int, int>; // key of an island, and an object of it
    std::vector<Member> members;
    std::vector<std::pair<int, int>> owners; // by stored contact: key of its island, and its index
    std::vector<StoredContact> has;          // contacts after the step
    std::vector<int> mine, mechanismOfRope, mechanismOfBody;
    Overlaps overlaps;
    std::deque<CoupledIsland> islands; // working memory, one per island
    std::vector<MotionBounds> others;
    State before; // everything, in case an object leaves its box
    struct RopeFlags {
        bool history, frozen;
        float stretch, strain, spooled[2];
    };
    std::vector<RopeFlags> flags;
    std::vector<int> ofRope, ofBody; // objects by slot
    std::vector<double> fastest;
    int apart = 0;                                 // number of moving objects without contact
    std::shared_ptr<ClothContactWorkspace> cloths; // shared_ptr because the type is incomplete here
    std::vector<double> widen;                     // by object: extra width for those that left their box
    std::vector<char> forced;                      // by object: it came into contact with itself
};

// Finds the pairs that may come into contact during the step. Returns true if the set of objects in contact has
// changed.
bool findIslands(ContactWorkspace& w, Model& m, const State& s, Threads& threads, Vec3d gravity, double dt);

// Marks all objects as without contact. Returns true if one of them had contact.
bool clearIslands(Model& m);

// Checkpoint before the islands without contact are solved, and the rollback to it.
void checkpoint(ContactWorkspace& w, const Model& m, const State& s);
void rollback(ContactWorkspace& w, Model& m, State& s);

// After the islands without contact were solved: did all of them stay in their boxes? If not, and `last` is true, all
// objects count as in contact.
bool stayedInBounds(ContactWorkspace& w, const Model& m, const State& s, bool last);

// All substeps of the islands in contact; least is WorldDef::minSeparationRatio.
void stepContactIslands(ContactWorkspace& w, Model& m, State& s, Threads& threads, int lanes, Vec3d gravity,
                        double dt, int substeps, double least, TreeWorkspace& memory, Report& report);

} // namespace capstan
