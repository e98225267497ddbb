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

// An object that may come into contact: a rope or a body, with the bounding box of its motion in the step.
struct BroadPhaseProxy {
    int rope = -1, body = -1; // slots in the Model; -1: none
    bool ground = false;
    double speed = 0; // greatest speed of one of its points [m/s]
    Bounds box;       // encloses its motion at its present velocity
    double wide = 0;  // margin by which the object may leave `box` [m]
    int islandKey = 0;
    bool contacts = false;
};

// Working memory of all contact in a world, and the result of the broad phase of this step.
struct ContactWorkspace {
    std::vector<BroadPhaseProxy> proxies;
    std::vector<Bounds> boxes;
    std::vector<IndexPair> pairs;
    using Member = std::pair<int, int>; // key of an island, and an object of it
    std::vector<Member> members;
    std::vector<std::pair<int, int>> owners; // by stored contact: key of its island, and the contact's index
    std::vector<StoredContact> has;          // contacts after the step
    std::vector<ContactImpulse> struck;      // impacts in the step
    std::vector<int> mine, mechanismOfRope, mechanismOfBody;
    Overlaps overlaps;
    ContactExemptions exemptions;
    std::deque<CoupledIsland> islands; // working memory, one per island
    std::vector<MotionBounds> others;
    State before; // without cloth, hair and contacts: for a rollback if an object leaves its box
    struct RopeFlags {
        bool history, frozen;
        double hBefore, hFirst;
        float stretch, strain, spooled[2];
    };
    std::vector<RopeFlags> flags;
    std::vector<int> ofRope, ofBody; // index of the proxy by slot
    std::vector<double> fastest;
    std::vector<int>
        interlocked;             // sorted keys of the islands with interlocked bodies: step/choose_solver.hpp
    std::vector<int> runThrough; // by proxy: number of bodies that run through it
    int apart = 0;               // number of moving objects without contact
    std::shared_ptr<ClothContactWorkspace> cloths; // shared_ptr because the type is incomplete here
    std::vector<double> widen;                     // by proxy: further margin of objects that left their box
                                                   // [m]
    std::vector<char> forced;                      // by proxy: 1 if it counts as in contact, because it
                                                   // touched itself or left its box
};

// Finds the pairs that may come into contact during the step. Returns true if the set of objects in contact
// has changed.
bool findIslands(ContactWorkspace& w, Model& m, const State& s, Threads& threads, Vec3d gravity, double dt);

// Marks all objects as without contact. Returns true if one of them had contact.
bool clearIslands(Model& m);

// Saves the state before the islands without contact are solved, and restores it.
void checkpoint(ContactWorkspace& w, const Model& m, const State& s);
void rollback(ContactWorkspace& w, Model& m, State& s);

// Returns whether all objects without contact stayed in their boxes during their solve. If not, and `last` is
// true, all objects count as in contact.
bool stayedInBounds(ContactWorkspace& w, const Model& m, const State& s, bool last);

// Solves all substeps of the islands in contact. `least` is WorldDef::minSeparationRatio.
void stepContactIslands(ContactWorkspace& w, Model& m, State& s, Threads& threads, int lanes, Vec3d gravity,
                        double dt, int substeps, double least, TreeWorkspace& memory, Report& report);

} // namespace capstan
