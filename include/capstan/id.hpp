// SPDX-License-Identifier: MIT
// Id: names what the user made (a rope, a body, a joint, a cloth). Eight bytes, passed by value.
//
// `index` is a slot, `generation` says which tenant of that slot is meant, so that an id kept after its rope
// was removed is caught instead of naming a stranger. A zero-initialised id names nothing.
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

// Nodes of a rope are counted from its first end; negative numbers count from the last end.
inline constexpr int first = 0;
inline constexpr int last = -1;

} // namespace capstan
