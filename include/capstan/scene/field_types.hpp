// SPDX-License-Identifier: MIT
// Traits of the types that `fields` visits. The reader, the writer, the checks and the documentation of scene files
// use them. They give the words of enums, the required keys, and the kind of each type.
#pragma once

#include <capstan/scene/scene.hpp>

#include <array>
#include <span>
#include <type_traits>

namespace capstan {

// Each wordsOf() returns the words of an enum's values, in their order.
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
// Returns the word of an enum value.
template <class E> const char* word(E value) { return wordsOf(value)[static_cast<std::size_t>(value)]; }

// Title of a Def in the documentation, a line about it, and its required keys.
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
    if constexpr (std::is_same_v<D, WorldDef>) return {"world", "Settings of the whole world.", {}};
    if constexpr (std::is_same_v<D, RopeDef>) return {"rope", "A rope, cable or chain.", {}};
    if constexpr (std::is_same_v<D, LoadDef>) return {"load", "A mass that hangs on a node.", {}};
    if constexpr (std::is_same_v<D, ClampDef>) return {"clamp", "An end that is cast in a wall.", {}};
    if constexpr (std::is_same_v<D, BodyDef>)
        return {"body",
                "A rigid body. Its origin is the point of the body at `position`. Its centre of mass follows "
                "from its shapes.",
                {}};
    if constexpr (std::is_same_v<D, ShapeDef>)
        return {"shape",
                "The form of a body, or of a part of it: `{\"kind\": \"box\", \"size\": [1, 2, 3]}`.",
                shaped};
    if constexpr (std::is_same_v<D, JointDef>)
        return {
            "joint",
            "A joint between two bodies, between a body and the world, or between a rope's node and a body. "
            "Each side carries a frame: x is the axis, y the zero of the angle. `anchor`, `axis` and "
            "`reference` give both frames in the world at the start. `frame0` and `frame1` give each frame "
            "in the axes of its body instead. Giving both is an error. Angles and distances are those of "
            "body1 relative to body0, right-handed, zero where the frames coincide. The target of a drive is "
            "its `target` plus controlX x + controlY y, with the control vector [x, y] from `controls`.",
            jointed};
    if constexpr (std::is_same_v<D, AxisDef>)
        return {"axis",
                "One axis of a joint. [Joints](../manual/joints.md#types) lists the axes of each type of "
                "joint. A value that the type does not use is an error.",
                {}};
    if constexpr (std::is_same_v<D, Transform>)
        return {"frame", "A position and a rotation, in the axes of a body, or in the world.", {}};
    if constexpr (std::is_same_v<D, MaterialDef>)
        return {"material",
                "Friction and restitution of a surface. A value that an object does not use is an error. "
                "Ropes have no restitution. Cloth and hair use friction only.",
                {}};
    if constexpr (std::is_same_v<D, FilterDef>)
        return {"filter",
                "Two objects may touch if the mask of each holds a bit of the other's category. A category "
                "is a sum of powers of two.",
                {}};
    if constexpr (std::is_same_v<D, ClothDef>)
        return {"cloth",
                "A sheet of cloth: a grid of cells, or a mesh of triangles. The given shape is the shape at "
                "rest. See [cloth](../manual/cloth.md).",
                {}};
    if constexpr (std::is_same_v<D, AttachmentDef>)
        return {"attachment", "A vertex that a body or a node of a rope carries.", holding};
    if constexpr (std::is_same_v<D, HairDef>)
        return {"hair",
                "Strands that grow from points or from a scalp, most often a body's. See "
                "[hair](../manual/hair.md).",
                {}};
    if constexpr (std::is_same_v<D, ScalpDef>)
        return {"scalp", "Triangles on which strands grow, spread evenly by area.", {}};
    if constexpr (std::is_same_v<D, HairLodDef>)
        return {"levels of detail",
                "Level k simulates one of 4^k strands, with 1/2^k of the edges. The other strands follow the "
                "nearest simulated strands.",
                {}};
    if constexpr (std::is_same_v<D, Visual>)
        return {"visual", "A display mesh of a body. A body without a visual is drawn by its shapes.", seen};
    if constexpr (std::is_same_v<D, Motion>)
        return {"motion",
                "The motion of a pinned node, a kinematic body or the target of a drag joint. It has exactly "
                "one of `path`, `circle` and `shake`. A body may have `angularVelocity` as well, or alone. "
                "The motion begins at the position of the object at the start. A path whose first waypoint "
                "is later than 0 leads there from that position. The motion ends when the node is unpinned, "
                "or the body or joint is removed.",
                {}};
    if constexpr (std::is_same_v<D, Waypoint>) return {"waypoint", "A position at a time.", timed};
    if constexpr (std::is_same_v<D, Circle>) return {"circle", "A rotation about an axis.", turning};
    if constexpr (std::is_same_v<D, Shake>) return {"shake", "A sinusoidal oscillation.", shaking};
    if constexpr (std::is_same_v<D, Action>)
        return {"action",
                "An action on a rope, a body or a joint at a time. The meaning of each key names the kinds "
                "of action that take it. Any other key is an error.",
                acting};
    if constexpr (std::is_same_v<D, ControlPoint>)
        return {"control point", "The value of the control vector at a time.", controlling};
    if constexpr (std::is_same_v<D, LeashDef>)
        return {"leash",
                "A handler at `hand`, and dogs that walk by themselves, each on a leash. The ground is added "
                "with them. See [tangles](../manual/tangles.md#leashes).",
                walking};
    if constexpr (std::is_same_v<D, DogDef>)
        return {"dog", "A dog on a leash. Its temperament and the seed decide where it walks.", {}};
    if constexpr (std::is_same_v<D, TangleDef>)
        return {"tangles",
                "The rules by which tangles are found, and the forces of tangles. Distances are those of the "
                "centre lines, as a ratio to the distance at which the two ropes touch.",
                {}};
    if constexpr (std::is_same_v<D, CameraDef>)
        return {"camera", "The default camera of pictures, films and viewers.", {}};
    if constexpr (std::is_same_v<D, Expect>)
        return {"expect",
                "Claims that must hold. The *energy at play* is the kinetic and elastic energy at the start, "
                "plus the weight of each free object times its height of fall. A rope can fall by its "
                "length, and a free body by its own size. A body in a mechanism can fall by its distance to "
                "the farthest point where the mechanism hangs on the world. If the longest rope of the "
                "mechanism is longer, that length counts. Energy is conserved only where no object is moved, "
                "driven, damped, winched, pushed or cut.",
                {}};
    if constexpr (std::is_same_v<D, ExpectTension>) return {"expected tension", "", measured};
    if constexpr (std::is_same_v<D, ExpectSpeed>) return {"expected speed", "", measured};
    if constexpr (std::is_same_v<D, ExpectAngularSpeed>) return {"expected angular speed", "", spinning};
    if constexpr (std::is_same_v<D, ExpectPosition>) return {"expected position", "", measured};
    if constexpr (std::is_same_v<D, ExpectHeight>) return {"expected height", "", measured};
    if constexpr (std::is_same_v<D, ExpectLength>) return {"expected length", "", measured};
    if constexpr (std::is_same_v<D, ExpectJoint>)
        return {"expected joint", "Force and torque are read as their magnitudes.", reading};
    if constexpr (std::is_same_v<D, ExpectContact>)
        return {"expected contact",
                "The contact force between two objects: two ropes, a rope and itself, a rope and a body, or "
                "two bodies.",
                measured};
    if constexpr (std::is_same_v<D, ExpectLinking>)
        return {"expected linking",
                "The linking number of two ropes, computed after each frame. For two closed ropes it is a "
                "whole number that changes only when one rope passes through the other. If a rope is open, "
                "it is Gauss's integral, which changes with the ends: give a tolerance.",
                linked};
}

using Triple = std::array<int, 3>; // a triangle

template <class T> inline constexpr bool isVector = false;
template <class T> inline constexpr bool isVector<std::vector<T>> = true;
template <class T> inline constexpr bool isOptional = false;
template <class T> inline constexpr bool isOptional<std::optional<T>> = true;
template <class T> inline constexpr bool isRef = false; // true for a Ref: a reference to an object by name
template <class Tag> inline constexpr bool isRef<Ref<Tag>> = true;
// true for a Def, which is a struct with a fields() function
template <class T>
inline constexpr bool isDef =
    std::is_class_v<T> && !isVector<T> && !isOptional<T> && !isRef<T> && !std::is_same_v<T, std::string> &&
    !std::is_same_v<T, Vec3> && !std::is_same_v<T, Quatf> && !std::is_same_v<T, Triple>;

} // namespace capstan
