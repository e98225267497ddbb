// SPDX-License-Identifier: MIT
// Generated worlds that tests, benchmarks and the golden record share. Each is small and the same on every machine.
#pragma once

#include <capstan/capstan.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace capstan::worlds {

// A function that is called before the step of each frame. Frames are counted from 0.
using PerFrame = std::function<void(World&, int frame)>;

struct Generated {
    std::string name;                     // name, "group/content"
    std::function<PerFrame(World&)> make; // fills an empty world; the returned function may be empty
    WorldDef def = {};                    // settings of the world; the caller chooses backend and threads
    int frames = 180;                     // length of the run, in frames of 1/60 s
};

// Returns all worlds in a fixed order.
const std::vector<Generated>& all();
const Generated* find(const std::string& name); // returns null if no world has this name

// Each of these functions appends the worlds of one file to the list.
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
