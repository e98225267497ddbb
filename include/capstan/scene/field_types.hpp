// SPDX-License-Identifier: MIT
// These traits describe the types behind `fields` for the reader, the writer, the checks and the documentation. They
// give the words of enums, the required keys, and the kinds of types.
#pragma once

#include <capstan/scene/scene.hpp>

#include <array>
#include <span>
#include <type_traits>

namespace capstan {

// wordsOf gives the word of each enumerator, in order.
inline std::span<const char* const> wordsOf(Backend) {
    static constexpr const char* words[] = {"scalar", "simd", "cuda", "best"};
    return words;
}
inline std::span<const char* const> wordsOf(Solver) {
    static constexpr const char* words[] = {"chain", "gaussSeidel", "jacobi"};
    return words;
}
inline std::span<const char* const> wordsOf(ClothSolver) {
    static constexpr const char* words[] = {"gaussSeidel", "jacobi"};
    return words;
}
inline std::span<const char* const> wordsOf(JointSolver) {
    static constexpr const char* words[] = {"tree", "xpbd"};
    return words;
}
inline std::span<const char* const> wordsOf(ShapeKind) {
    static constexpr const char* words[] = {"none",     "box",  "sphere", "capsule",
                                            "cylinder", "hull", "plane",  "mesh"};
    return words;
}
inline std::span<const char* const> wordsOf(BodyType) {
    static constexpr const char* words[] = {"dynamic", "kinematic", "static"};
    return words;
}
inline std::span<const char* const> wordsOf(JointType) {
    static constexpr const char* words[] = {"ball",     "hinge", "servo",    "motor", "prismatic",
                                            "cylinder", "fixed", "distance", "drag",  "spool"};
    return words;
}
inline std::span<const char* const> wordsOf(Act) {
    static constexpr const char* words[] = {"cut",          "winch",      "pin",    "unpin",
                                            "applyImpulse", "applyForce", "remove", "applyTorque",
                                            "setTarget",    "enable",     "disable"};
    return words;
}
inline std::span<const char* const> wordsOf(JointPart) {
    static constexpr const char* words[] = {"angle", "distance", "force", "torque", "gap"};
    return words;
}
inline std::span<const char* const> wordsOf(TangleMode) {
    static constexpr const char* words[] = {"physical", "assist"};
    return words;
}
inline std::span<const char* const> wordsOf(Temperament) {
    static constexpr const char* words[] = {"wander", "follow", "sniff", "pull", "avoid"};
    return words;
}
inline std::span<const char* const> wordsOf(HairShape) {
    static constexpr const char* words[] = {"straight", "wavy", "curly"};
    return words;
}
template <class E> const char* word(E value) { return wordsOf(value)[static_cast<std::size_t>(value)]; }

// DefInfo holds a title for the documentation, a line about the Def, and its required keys.
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
    static constexpr const char* controlling[] = {"t"};
    static constexpr const char* measured[] = {"value", "tolerance"};
    static constexpr const char* shaped[] = {"kind"};
    static constexpr const char* jointed[] = {"type"};
    static constexpr const char* seen[] = {"body"};
    static constexpr const char* holding[] = {"vertex"};
    static constexpr const char* spinning[] = {"body", "value", "tolerance"};
    static constexpr const char* linked[] = {"rope", "otherRope"};
    static constexpr const char* reading[] = {"joint", "what", "value", "tolerance"};
    static constexpr const char* walking[] = {"dogs"};
    if constexpr (std::is_same_v<D, Scene>) return {"scene", "The whole file.", {}};
    if constexpr (std::is_same_v<D, WorldDef>) return {"world", "Numbers that hold everywhere.", {}};
    if constexpr (std::is_same_v<D, RopeDef>) return {"rope", "A rope, cable or chain.", {}};
    if constexpr (std::is_same_v<D, LoadDef>) return {"load", "A mass hung on a node.", {}};
    if constexpr (std::is_same_v<D, ClampDef>) return {"clamp", "An end cast in a wall.", {}};
    if constexpr (std::is_same_v<D, BodyDef>)
        return {
            "body",
            "A rigid body. Its origin is the point of it that is at `position`; its centre of mass follows "
            "from its shapes.",
            {}};
    if constexpr (std::is_same_v<D, ShapeDef>)
        return {"shape",
                "The form of a body, or of a part of it: `{\"kind\": \"box\", \"size\": [1, 2, 3]}`.",
                shaped};
    if constexpr (std::is_same_v<D, JointDef>)
        return {"joint",
                "Holds two bodies together, or a body and the world, or a rope's node and a body. Each side "
                "carries a frame: x is the axis, y the zero of the angle. Both are given in the world at the "
                "start, by `anchor`, `axis` and `reference`. Or each is given in its body, by `frame0` and "
                "`frame1`. Giving both is an error. Angles and distances are those of body1 as seen from "
                "body0, right-handed, zero where the frames coincide. The target of a drive is its own plus "
                "controlX x + controlY y, with [x, y] from `controls`.",
                jointed};
    if constexpr (std::is_same_v<D, AxisDef>)
        return {"axis",
                "One axis of a joint. [Joints](../manual/joints.md#types) tells which joint has which axis. "
                "A number that a joint has no use for is an error.",
                {}};
    if constexpr (std::is_same_v<D, Transform>)
        return {"frame", "A place and a rotation, in the axes of a body, or in the world.", {}};
    if constexpr (std::is_same_v<D, MaterialDef>)
        return {"material",
                "The kind of a surface. A number that an object has no use for is an error. Ropes have no "
                "restitution; cloth and hair have friction alone.",
                {}};
    if constexpr (std::is_same_v<D, FilterDef>)
        return {"filter",
                "Two objects may touch if the mask of each holds a bit of the other's category. A category "
                "is a sum of powers of two.",
                {}};
    if constexpr (std::is_same_v<D, ClothDef>)
        return {"cloth",
                "A sheet of cloth: a grid of cells, or a mesh of triangles. The shape that is given is that "
                "at rest. See [cloth](../manual/cloth.md).",
                {}};
    if constexpr (std::is_same_v<D, AttachmentDef>)
        return {"attachment", "A vertex that goes with a body, or with a node of a rope.", holding};
    if constexpr (std::is_same_v<D, HairDef>)
        return {"hair",
                "Strands that grow from points or from a scalp, most often a body's. See "
                "[hair](../manual/hair.md).",
                {}};
    if constexpr (std::is_same_v<D, ScalpDef>)
        return {"scalp", "Triangles on which strands grow, spread evenly by area.", {}};
    if constexpr (std::is_same_v<D, HairLodDef>)
        return {"levels of detail",
                "Level k simulates one of 4^k strands, with 1/2^k of the edges; the others follow the "
                "nearest ones.",
                {}};
    if constexpr (std::is_same_v<D, Visual>)
        return {"visual", "The looks of a body. A body without a visual is drawn by its shapes.", seen};
    if constexpr (std::is_same_v<D, Motion>)
        return {
            "motion",
            "The way of a pinned node, a kinematic body or the target of a drag joint. It has exactly one of "
            "`path`, `circle` and `shake`. A body may have `spin` as well, or alone. The way begins where "
            "the object is at the start. A path whose first waypoint is later than 0 leads there from that "
            "place. The motion ends when the node is unpinned, or the body or joint removed.",
            {}};
    if constexpr (std::is_same_v<D, Waypoint>) return {"waypoint", "A place at a time.", timed};
    if constexpr (std::is_same_v<D, Circle>) return {"circle", "Going round.", turning};
    if constexpr (std::is_same_v<D, Shake>) return {"shake", "Going to and fro.", shaking};
    if constexpr (std::is_same_v<D, Action>)
        return {
            "action",
            "Something done at a moment, to a rope, a body or a joint. Each kind takes the keys that name it "
            "and no others.",
            acting};
    if constexpr (std::is_same_v<D, ControlPoint>)
        return {"control point", "Where the control vector is at a time.", controlling};
    if constexpr (std::is_same_v<D, LeashDef>)
        return {"leash",
                "A handler at `hand` and dogs that walk about as they like, each on a leash. The ground is "
                "added with them. See [tangles](../manual/tangles.md#leashes).",
                walking};
    if constexpr (std::is_same_v<D, DogDef>)
        return {"dog", "A dog that feels its leash. Its temperament and the seed say what it wants.", {}};
    if constexpr (std::is_same_v<D, TangleDef>)
        return {"tangles",
                "The rules by which tangles are found, and how they act. Distances are between centre lines, "
                "over the distance at which the two ropes touch.",
                {}};
    if constexpr (std::is_same_v<D, CameraDef>)
        return {"camera", "Where pictures, films and viewers look from, unless they are told otherwise.", {}};
    if constexpr (std::is_same_v<D, Expect>)
        return {"expect",
                "Claims that must hold. The *energy at play* is the weight of all free objects times how far "
                "they can fall. The kinetic and elastic energy of the start is added. A rope can fall by its "
                "length, and a free body by its own size. A body in a mechanism can fall by its distance to "
                "the farthest point where the mechanism hangs on the world. If the longest rope of the "
                "mechanism is longer, that length counts. Energy is conserved only where nothing is moved, "
                "driven, damped, winched, pushed or cut.",
                {}};
    if constexpr (std::is_same_v<D, ExpectTension>) return {"expected tension", "", measured};
    if constexpr (std::is_same_v<D, ExpectSpeed>) return {"expected speed", "", measured};
    if constexpr (std::is_same_v<D, ExpectAngularSpeed>) return {"expected angular speed", "", spinning};
    if constexpr (std::is_same_v<D, ExpectPosition>) return {"expected position", "", measured};
    if constexpr (std::is_same_v<D, ExpectHeight>) return {"expected height", "", measured};
    if constexpr (std::is_same_v<D, ExpectLength>) return {"expected length", "", measured};
    if constexpr (std::is_same_v<D, ExpectJoint>)
        return {"expected joint", "Of force and torque, their sizes.", reading};
    if constexpr (std::is_same_v<D, ExpectContact>)
        return {"expected contact",
                "The force by which two objects press on each other: two ropes, a rope and itself, a rope "
                "and a body, or two bodies.",
                measured};
    if constexpr (std::is_same_v<D, ExpectLinking>)
        return {"expected linking",
                "How often two ropes wind around each other, looked at after each frame. Of two closed ropes "
                "it is a "
                "whole number that changes only when one passes through the other. Where one is open it is "
                "Gauss's "
                "integral, which moves with the ends: give a tolerance.",
                linked};
}

using Triple = std::array<int, 3>; // a triangle

template <class T> inline constexpr bool isVector = false;
template <class T> inline constexpr bool isVector<std::vector<T>> = true;
template <class T> inline constexpr bool isOptional = false;
template <class T> inline constexpr bool isOptional<std::optional<T>> = true;
template <class T> inline constexpr bool isRef = false; // true for a reference by name
template <class Tag> inline constexpr bool isRef<Ref<Tag>> = true;
// isDef is true for a Def: a type with fields of its own.
template <class T>
inline constexpr bool isDef =
    std::is_class_v<T> && !isVector<T> && !isOptional<T> && !isRef<T> && !std::is_same_v<T, std::string> &&
    !std::is_same_v<T, Vec3> && !std::is_same_v<T, Quatf> && !std::is_same_v<T, Triple>;

} // namespace capstan
