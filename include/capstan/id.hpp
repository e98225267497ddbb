// SPDX-License-Identifier: MIT
// Id identifies one object of a World: a rope, body, joint, cloth, hair or attachment. It has 8 bytes and is passed
// by value.
//
// `index` is a slot of the World. `generation` counts the objects that have used that slot. So an id of a removed
// object is recognised as stale and never identifies another object. A zero-initialised id is null.
// ObjectId identifies an object of any kind, and every Id converts to it.
#pragma once

#include <cstdint>

namespace capstan {

template <class Tag> struct Id {
    std::uint32_t index = 0;
    std::uint32_t generation = 0;

    explicit operator bool() const { return generation != 0; }
    friend bool operator==(Id, Id) = default;
};

using RopeId = Id<struct RopeTag>;
using BodyId = Id<struct BodyTag>;
using JointId = Id<struct JointTag>;
using ClothId = Id<struct ClothTag>;
using HairId = Id<struct HairTag>;
using AttachmentId = Id<struct AttachmentTag>; // a cloth's vertex attached to a body or to a rope's node

enum class ObjectKind : std::uint32_t { None, Rope, Body, Joint, Cloth, Hair, Attachment };

// kindOf<RopeId> is ObjectKind::Rope, and so on for each Id.
template <class Id> inline constexpr ObjectKind kindOf = ObjectKind::None;
template <> inline constexpr ObjectKind kindOf<RopeId> = ObjectKind::Rope;
template <> inline constexpr ObjectKind kindOf<BodyId> = ObjectKind::Body;
template <> inline constexpr ObjectKind kindOf<JointId> = ObjectKind::Joint;
template <> inline constexpr ObjectKind kindOf<ClothId> = ObjectKind::Cloth;
template <> inline constexpr ObjectKind kindOf<HairId> = ObjectKind::Hair;
template <> inline constexpr ObjectKind kindOf<AttachmentId> = ObjectKind::Attachment;

struct ObjectId {
    ObjectKind kind : 3;
    std::uint32_t index : 29;
    std::uint32_t generation;

    constexpr ObjectId() : kind(ObjectKind::None), index(0), generation(0) {}
    constexpr ObjectId(ObjectKind k, std::uint32_t slot, std::uint32_t tenant)
        : kind(tenant != 0 ? k : ObjectKind::None), index(tenant != 0 ? slot & 0x1fffffffu : 0u),
          generation(tenant) {}
    template <class Tag> constexpr ObjectId(Id<Tag> id) : ObjectId(kindOf<Id<Tag>>, id.index, id.generation) {
        static_assert(kindOf<Id<Tag>> != ObjectKind::None, "this id names no object of a World");
    }

    // Returns this id as an Id of type I, or a null id if the object is of another kind.
    template <class I> constexpr I as() const { return kind == kindOf<I> ? I{index, generation} : I{}; }

    explicit constexpr operator bool() const { return generation != 0; }
    friend constexpr bool operator==(ObjectId a, ObjectId b) {
        return a.kind == b.kind && a.index == b.index && a.generation == b.generation;
    }
};
static_assert(sizeof(ObjectId) == 8);

// Nodes of a rope count from its first end. A negative node counts from the last end.
inline constexpr int first = 0;
inline constexpr int last = -1;

} // namespace capstan
