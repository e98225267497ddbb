// SPDX-License-Identifier: MIT
// Touch, what the step asks for: who may meet, and a step of those who may. See touch.hpp.
#pragma once

#include <capstan/report.hpp>
#include <capstan/step/parallel.hpp>
#include <capstan/step/touch.hpp>

#include <deque>
#include <memory>
#include <vector>

namespace capstan {

struct ClothMeeting;

// Something that may touch: a rope or a body, with the box that it stays in during the step.
struct TouchThing {
    int rope = -1, body = -1; // slots
    bool ground = false;
    double speed = 0;
    Bounds box;      // where it goes by its speed
    double wide = 0; // by how much it may miss that
    int leader = 0;
    bool touches = false;
};

// Working memory of a world's contact, and what was found for this step.
struct Meeting {
    std::vector<TouchThing> things;
    std::vector<Bounds> boxes;
    std::vector<IndexPair> pairs;
    using Member = std::pair<int, int>; // a leader, and a thing of its cluster
    std::vector<Member> members;
    std::vector<std::pair<int, int>> owners; // cluster and number of each multiplier kept from before
    std::vector<TouchMemory> has;            // multipliers after the step
    std::vector<int> mine, systemOfRope, systemOfBody;
    Overlaps overlaps;
    std::deque<Touch> clusters; // working memory, cluster by cluster
    std::vector<TouchOther> others;
    State before; // of everything, in case something leaves its box
    struct RopeFlags {
        bool history, frozen;
        float stretch, strain, spooled[2];
    };
    std::vector<RopeFlags> flags;
    std::vector<int> ofRope, ofBody; // things by slot
    std::vector<double> fastest;
    int apart = 0;                        // things that move and touch nothing
    std::shared_ptr<ClothMeeting> cloths; // shared only because it is not known here
    std::vector<double> widen;            // by thing, asked for by those who left their box
    std::vector<char> forced;             // by thing: it met itself
};

// Finds who may meet whom during the step. Returns true if those who touch are not the same as in the step before.
bool findMeeting(Meeting& w, Model& m, const State& s, Threads& threads, Vec3d gravity, double dt);

// Nothing touches any more. Returns true if something did.
bool stopTouching(Model& m);

// Everything before those who touch nothing are solved, and back.
void keep(Meeting& w, const Model& m, const State& s);
void putBack(Meeting& w, Model& m, State& s);

// Those who touch nothing have been solved: did all of them stay in their boxes? If not, and this is the last time to
// ask, all of them touch.
bool keptApart(Meeting& w, const Model& m, const State& s, bool last);

// All substeps of those who touch; least is WorldDef::minDistance.
void stepTouching(Meeting& w, Model& m, State& s, Threads& threads, int lanes, Vec3d gravity, double dt,
                  int substeps, double least, TreeMemory& memory, Report& report);

} // namespace capstan
