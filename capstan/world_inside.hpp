// SPDX-License-Identifier: MIT
// What a World holds. Not part of the API.
#pragma once

#include <capstan/model/model.hpp>
#include <capstan/step/chain_group.hpp>
#include <capstan/step/measure.hpp>
#include <capstan/step/parallel.hpp>
#include <capstan/world.hpp>

#include <memory>
#include <string>
#include <vector>

namespace capstan {

struct World::Inside {
    WorldDef def;
    Model model;
    State state;
    Report report;
    std::vector<Event> events;
    double time = 0;
    std::uint32_t lowestFree = 0;

    std::unique_ptr<Threads> threads;
    std::vector<ChainScratch> scratch; // one per thread

    Rope* rope(RopeId id);
    Rope* ropeNode(RopeId id, int& node);
    std::uint32_t freeSlot();
    RopeId idOf(std::uint32_t slot) const;
    RopeId cut(std::uint32_t slot, int segment);
    RopeId trim(std::uint32_t slot, int segment);
    std::string uniqueName(const std::string& name) const;
    void forgetLow(const Rope& r);
    void breakRopes();
};

// The part of a World that a Snapshot keeps.
struct Moment {
    WorldDef def;
    Model model;
    State state;
    Report report;
    std::vector<Event> events;
    double time;
};

} // namespace capstan
