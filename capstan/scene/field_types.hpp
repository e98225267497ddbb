// SPDX-License-Identifier: MIT
// What the reader, the writer, the checks and the documentation must know of the types behind `fields`: the
// words of enums, the keys that may not be left out, and which types are made of which.
#pragma once

#include <capstan/scene/scene.hpp>

#include <span>
#include <type_traits>

namespace capstan {

// The word of each enumerator, in their order.
inline std::span<const char* const> wordsOf(Backend) {
    static constexpr const char* words[] = {"scalar", "simd"};
    return words;
}
inline std::span<const char* const> wordsOf(Solver) {
    static constexpr const char* words[] = {"chain", "gaussSeidel", "jacobi"};
    return words;
}
inline std::span<const char* const> wordsOf(Act) {
    static constexpr const char* words[] = {"cut", "winch", "pin", "unpin", "push", "pull", "remove"};
    return words;
}
template <class E> const char* word(E value) { return wordsOf(value)[static_cast<std::size_t>(value)]; }

// A title for the documentation, a line about it, and the keys that may not be left out.
struct DefInfo {
    const char* title;
    const char* about;
    std::span<const char* const> required;
};
template <class D> DefInfo defInfo() {
    static constexpr const char* timed[] = {"t", "position"};
    static constexpr const char* turning[] = {"center", "rate"};
    static constexpr const char* shaking[] = {"amplitude"};
    static constexpr const char* acting[] = {"do"};
    static constexpr const char* measured[] = {"value", "tolerance"};
    if constexpr (std::is_same_v<D, Scene>) return {"scene", "The whole file.", {}};
    if constexpr (std::is_same_v<D, WorldDef>) return {"world", "What holds everywhere.", {}};
    if constexpr (std::is_same_v<D, RopeDef>) return {"rope", "A rope, cable or chain.", {}};
    if constexpr (std::is_same_v<D, LoadDef>) return {"load", "A mass hung on a node.", {}};
    if constexpr (std::is_same_v<D, ClampDef>) return {"clamp", "An end cast in a wall.", {}};
    if constexpr (std::is_same_v<D, Motion>)
        return {
            "motion",
            "Where a pinned node goes: exactly one of `path`, `circle` and `shake`. The node starts where "
            "the rope starts; a path whose first waypoint is later than 0 leads there from that place. The "
            "motion ends when the node is unpinned.",
            {}};
    if constexpr (std::is_same_v<D, Waypoint>) return {"waypoint", "A place at a time.", timed};
    if constexpr (std::is_same_v<D, Circle>) return {"circle", "Going round.", turning};
    if constexpr (std::is_same_v<D, Shake>) return {"shake", "Going to and fro.", shaking};
    if constexpr (std::is_same_v<D, Action>)
        return {"action", "Something done at a moment. Each kind takes the keys that name it and no others.",
                acting};
    if constexpr (std::is_same_v<D, Expect>)
        return {"expect",
                "What must hold. The *energy at play* is the weight of all that is free times the length of "
                "its rope, plus the kinetic and elastic energy of the start: what a fall of one rope length "
                "sets free. Energy is conserved only where nothing moves, winches, pushes or cuts.",
                {}};
    if constexpr (std::is_same_v<D, ExpectTension>) return {"expected tension", "", measured};
    if constexpr (std::is_same_v<D, ExpectSpeed>) return {"expected speed", "", measured};
    if constexpr (std::is_same_v<D, ExpectPosition>) return {"expected position", "", measured};
    if constexpr (std::is_same_v<D, ExpectLength>) return {"expected length", "", measured};
}

template <class T> inline constexpr bool isVector = false;
template <class T> inline constexpr bool isVector<std::vector<T>> = true;
template <class T> inline constexpr bool isOptional = false;
template <class T> inline constexpr bool isOptional<std::optional<T>> = true;
// A Def: has fields of its own.
template <class T>
inline constexpr bool isDef = std::is_class_v<T> && !isVector<T> && !isOptional<T> &&
                              !std::is_same_v<T, std::string> && !std::is_same_v<T, Vec3>;

} // namespace capstan
