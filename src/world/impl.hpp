// SPDX-License-Identifier: MIT
// What a World holds. Not part of the API.
#pragma once

#include "core/threads.hpp"
#include "model/model.hpp"
#include "solver/mechanism/group.hpp"
#include "solver/rope/group.hpp"
#include "solver/rope/measure.hpp"
#include "step/exec_cuda.hpp"
#include <capstan/world.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace capstan {

// Ropes, bodies and joints live in slots; an empty slot is used again with the next generation.

// Whom an id names, or null if they have moved out.
template <class T, class Tag> const T* tenant(const std::vector<T>& slots, Id<Tag> id) {
    const bool good =
        id.index < slots.size() && slots[id.index].alive && slots[id.index].generation == id.generation;
    return good ? &slots[id.index] : nullptr;
}

template <class Tag, class T> Id<Tag> idAt(const std::vector<T>& slots, std::uint32_t slot) {
    return {slot, slots[slot].generation};
}

template <class Tag, class T> Id<Tag> idNamed(const std::vector<T>& slots, std::string_view name) {
    for (std::uint32_t i = 0; i < slots.size(); ++i)
        if (slots[i].alive && !name.empty() && slots[i].def.name == name) return idAt<Tag>(slots, i);
    return {};
}

template <class Tag, class T> std::vector<Id<Tag>> everyId(const std::vector<T>& slots) {
    std::vector<Id<Tag>> ids;
    for (std::uint32_t i = 0; i < slots.size(); ++i)
        if (slots[i].alive) ids.push_back(idAt<Tag>(slots, i));
    return ids;
}

// Every slot below `lowestFree` is taken.
template <class T> std::uint32_t claimSlot(std::vector<T>& slots, std::uint32_t& lowestFree) {
    while (lowestFree < slots.size() && slots[lowestFree].alive) ++lowestFree;
    if (lowestFree == slots.size()) slots.emplace_back();
    ++slots[lowestFree].generation;
    return lowestFree;
}

template <class T> void emptySlot(std::vector<T>& slots, std::uint32_t slot, std::uint32_t& lowestFree) {
    const std::uint32_t generation = slots[slot].generation;
    slots[slot] = T{};
    slots[slot].generation = generation;
    lowestFree = std::min(lowestFree, slot);
}

// x - x is 0 for every finite x and NaN for the others.
inline bool finite(float a) { return a - a == 0; }
inline bool finite(Vec3 a) { return finite(a.x) && finite(a.y) && finite(a.z); }

struct Meeting;

// Two things that touch, by kind and slot, and the sum of the normal forces between them.
struct TouchingPair {
    std::uint64_t a, b;
    double force;
};

struct World::Inside {
    WorldDef def;
    Model model;
    State state;
    Report report;
    StepTimes times;
    bool timed = false;
    std::vector<Event> events;
    std::vector<Contact> contacts;
    double time = 0;
    std::uint32_t freeRope = 0, freeBody = 0, freeJoint = 0, freeCloth = 0,
                  freeHair = 0; // every slot below is taken

    std::unique_ptr<Threads> threads;
    std::unique_ptr<Device> device;    // with a GPU
    std::string why;                   // of World::running()
    std::vector<ChainScratch> scratch; // one per thread
    std::vector<TreeScratch> treeScratch;
    std::shared_ptr<Meeting> meeting; // shared only because it is not known here

    Rope* rope(RopeId id);
    Rope* ropeNode(RopeId id, int& node);
    Body* body(BodyId id);
    Joint* joint(JointId id);
    Cloth* cloth(ClothId id);
    Cloth* clothVertex(ClothId id, int& vertex);
    ClothPin* hold(ClothId id, int& vertex);
    void detachCloths(); // from what is no longer there
    void tearCloths(const std::vector<bool>& frozenBefore);
    std::vector<bool> frozenCloths() const;
    Hair* hair(HairId id);
    RopeId idOf(std::uint32_t slot) const;
    RopeId cut(std::uint32_t slot, int segment);
    RopeId trim(std::uint32_t slot, int segment);
    std::string uniqueName(const std::string& name) const;
    void forgetLow(const Rope& r);
    void breakRopes();

    Status checkRopeSide(const JointDef& d, int rope, int& node) const;
    bool attached(int rope, int node) const; // by a ball or a spool
    void disturb(const Joint& j);            // its sides notice something sudden
    void dropJoint(std::uint32_t slot);
    void rehang(int rope, const std::function<std::pair<int, int>(int node)>& where);
    void breakJoints();
    std::vector<BodyId> frozenBodies() const;
    void tellFrozen(const std::vector<BodyId>& before);
    std::vector<TouchingPair> touchedBefore, touchingNow; // of a step
    void listTouching(std::vector<TouchingPair>& pairs) const;
    void tellContacts();
    void listContacts();
    void nameSide(std::uint64_t side, RopeId& rope, BodyId& body, ClothId& cloth) const;
    void forgetTouches(std::uint64_t thing); // of something that is removed, or whose parts are renumbered
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
