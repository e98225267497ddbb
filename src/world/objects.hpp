// SPDX-License-Identifier: MIT
// ObjectTraits describes one kind of object, for calls that are implemented once for all kinds.
#pragma once

#include "model/model.hpp"
#include <capstan/result.hpp>

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace capstan {

// Objects are stored in slots. An empty slot is reused with the next generation.

// Returns the object of an id, or null if the id is stale.
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

// Takes the lowest free slot, or appends one. Every slot below `lowestFree` is in use.
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

// A draft is an object that was built from a Def and has no slot yet. So an Error leaves the world unchanged.
struct RopeDraft {}; // empty, because a rope is built in its slot
struct BodyDraft {
    Body body;
    BodyState state;
};
struct JointDraft {
    Joint joint;
    JointState state;
};
struct ClothDraft { // the checked hosts (body, or rope and node) of its attachments
    struct Host {
        BodyId body;
        RopeId rope;
        int node;
    };
    std::vector<Host> hosts;
};
struct HairDraft {
    Hair hair;
    HairState state;
};

template <class I> struct ObjectTraits;

template <> struct ObjectTraits<RopeId> {
    using Tag = RopeTag;
    using Def = RopeDef;
    using Draft = RopeDraft;
    static constexpr auto slots = &Model::ropes;
    static constexpr const char* stale = "this rope id is stale or null";
    static constexpr const char* taken = "there is a rope of this name already";
};
template <> struct ObjectTraits<BodyId> {
    using Tag = BodyTag;
    using Def = BodyDef;
    using Draft = BodyDraft;
    static constexpr auto slots = &Model::bodies;
    static constexpr const char* stale = "this body id is stale or null";
    static constexpr const char* taken = "there is a body of this name already";
};
template <> struct ObjectTraits<JointId> {
    using Tag = JointTag;
    using Def = JointDef;
    using Draft = JointDraft;
    static constexpr auto slots = &Model::joints;
    static constexpr const char* stale = "this joint id is stale or null";
    static constexpr const char* taken = "there is a joint of this name already";
};
template <> struct ObjectTraits<ClothId> {
    using Tag = ClothTag;
    using Def = ClothDef;
    using Draft = ClothDraft;
    static constexpr auto slots = &Model::cloths;
    static constexpr const char* stale = "this cloth id is stale or null";
    static constexpr const char* taken = "there is a cloth of this name already";
};
template <> struct ObjectTraits<HairId> {
    using Tag = HairTag;
    using Def = HairDef;
    using Draft = HairDraft;
    static constexpr auto slots = &Model::hairs;
    static constexpr const char* stale = "this hair id is stale or null";
    static constexpr const char* taken = "there is hair of this name already";
};
template <> struct ObjectTraits<AttachmentId> {
    using Def = void; // World::attach makes an attachment without a Def
    static constexpr auto slots = &Model::attachments;
    static constexpr const char* stale = "this attachment id is stale or null";
};

template <class I> inline constexpr bool hasDef = !std::is_void_v<typename ObjectTraits<I>::Def>;

// Calls work(I{}) with the id type I of the kind. Returns false for ObjectKind::None.
template <class Work> bool withKind(ObjectKind kind, const Work& work) {
    switch (kind) {
    case ObjectKind::Rope:
        work(RopeId{});
        return true;
    case ObjectKind::Body:
        work(BodyId{});
        return true;
    case ObjectKind::Joint:
        work(JointId{});
        return true;
    case ObjectKind::Cloth:
        work(ClothId{});
        return true;
    case ObjectKind::Hair:
        work(HairId{});
        return true;
    case ObjectKind::Attachment:
        work(AttachmentId{});
        return true;
    case ObjectKind::None:
        break;
    }
    return false;
}

} // namespace capstan
