// SPDX-License-Identifier: MIT
// Generated worlds that tests, benchmarks and the golden record share. Each is small and the same on every machine.
#pragma once

#include <capstan/capstan.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace capstan::worlds {

// Called before the step of each frame, counted from 0.
using PerFrame = std::function<void(World&, int frame)>;

struct Generated {
    std::string name;                     // "folder/what_it_shows"
    std::function<PerFrame(World&)> make; // fills an empty world; the result may be empty
    WorldDef def = {};                    // backend and threads are the caller's
    int frames = 180;                     // length of its run, in frames of 1/60 s
};

// Returns all worlds in a fixed order.
const std::vector<Generated>& all();
const Generated* find(const std::string& name); // null if there is no world of that name

// The parts of the list; each file appends its own.
using List = std::vector<Generated>;
void addJointWorlds(List& list);
void addMechanismWorlds(List& list);
void addRopeWorlds(List& list);
void addIterativeWorlds(List& list);
void addHeapWorlds(List& list);
void addBodyWorlds(List& list);
void addClothWorlds(List& list);
void addSewnWorlds(List& list);
void addHairWorlds(List& list);
void addLifeWorlds(List& list);
void addRareWorlds(List& list);

} // namespace capstan::worlds
