// SPDX-License-Identifier: MIT
// A SceneView is a copy of everything to draw, independent of the World. So the simulation can continue, even in
// another thread, while the view is drawn. A Collector usually fills it (collect.hpp); a program may add objects to
// it. Colours are red, green, blue in 0 .. 1 in sRGB.
#pragma once

#include <capstan/transform.hpp>
#include <render/view/mat4.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace capstan::render {

using Color = Vec3;

// idOf returns an id that is constant over frames. It encodes an object's kind, its slot and generation in the World,
// and the number of the part.
enum class IdKind : std::uint32_t { Rope = 1, Pin, Load, Body, Visual, Figure, Cloth, Hair };
inline std::uint64_t idOf(IdKind kind, std::uint32_t slot, std::uint32_t generation, std::uint32_t part) {
    return std::uint64_t(kind) << 60 | std::uint64_t(generation & 0xffffu) << 44 |
           std::uint64_t(slot & 0xffffffu) << 20 | (part & 0xfffffu);
}

// Quantity that colours the ropes.
enum class Heat { None, Tension, Stretch, ContactForce };

// A Tube is a rope: `count` points of SceneView::tubePoints, starting at `first`. The phase of the braid pattern
// advances by `spacing` per point. It starts at the last end, because winches and drums remove nodes at the first end.
struct Tube {
    int first = 0, count = 0;
    bool closed = false;
    float radius = 0.005f;
    float spacing = 0.05f; // m, rest length between neighbouring points
    Color color = {0.8f, 0.7f, 0.5f};
    Color second = {0.4f, 0.3f, 0.2f}; // colour of the second yarns of the braid
    std::uint64_t id = 0;              // constant over frames, for animated files; 0: none
};

enum class SolidKind { Box, Sphere, Capsule, Cylinder };

// Solid: a primitive shape. `size` holds for a box the full lengths, and for a sphere the radius in x. For a capsule
// and a cylinder x is the radius and y the length; a capsule's length excludes its round ends.
struct Solid {
    SolidKind kind = SolidKind::Box;
    Transform at;
    Vec3 size = {1, 1, 1};
    Color color = {0.7f, 0.7f, 0.7f};
    float roughness = 0.6f; // 0: polished, 1: matt
    std::uint64_t id = 0;   // as Tube::id
};

// A Geometry is a constant mesh, shared by all pieces of its shape. Missing normals are computed: smooth where faces
// meet at less than 30 degrees.
struct Geometry {
    std::vector<Vec3> points;
    std::vector<Vec3> normals;                 // one per point, or none
    std::vector<std::array<int, 3>> triangles; // counter-clockwise seen from outside
    bool twoSided = false;
};

// A Piece is one instance of a Geometry in the world.
struct Piece {
    std::shared_ptr<const Geometry> geometry;
    Transform at;
    Color color = {0.7f, 0.7f, 0.7f};
    std::uint64_t id = 0; // as Tube::id
};

// A Mesh is a cloth: triangles that move each frame and are visible from both sides. While `key` is unchanged, the
// renderer reuses `triangles` and uploads only points and normals.
struct Mesh {
    std::uint64_t key = 0;
    std::vector<Vec3> points;
    std::vector<Vec3> normals; // one per point; empty: computed from the triangles
    std::vector<std::array<int, 3>> triangles;
    Color color = {0.75f, 0.25f, 0.2f};
    Color back = {0.6f, 0.2f, 0.16f};
    std::vector<float> heat; // empty, or one per point, 0 .. 1
};

// Strands are hair: lists of points. Each strand is drawn as a ribbon that faces the eye and thins towards its tip.
struct Strands {
    std::vector<Vec3> points;
    std::vector<int> counts; // number of points of each strand, in order
    float width = 0.001f;    // m, at the root
    Color root = {0.25f, 0.15f, 0.08f};
    Color tip = {0.45f, 0.3f, 0.18f};
    std::uint64_t id = 0; // as Tube::id
};

struct Line {
    Vec3 from, to;
    Color color;
    bool onTop = true; // true: drawn without depth test
};

struct Dot {
    Vec3 at;
    Color color;
    float pixels = 6;
    bool onTop = true;
};

struct Label {
    Vec3 at;
    std::string text; // ASCII only
    Color color = {1, 1, 1};
};

struct SceneView {
    std::vector<Vec4> tubePoints; // x y z; w is not used
    std::vector<float> tubeHeat;  // empty, or a value per point: 0 is heatLow and 1 is heatHigh
    std::vector<Tube> tubes;
    std::vector<Solid> solids;
    std::vector<Piece> pieces;
    std::vector<Mesh> meshes;
    std::vector<Strands> strands;
    std::vector<Line> lines;
    std::vector<Dot> dots;
    std::vector<Label> labels;

    Heat heat = Heat::None;
    float heatLow = 0, heatHigh = 1; // values at the ends of the legend's bar
    float groundHeight = 0;          // m
    // Bounding box of everything but the ground. Shadows cover it, and Camera::framing uses it.
    Vec3 lower = {0, 0, 0}, upper = {0, 0, 0};

    void clear();                               // keeps the allocated memory
    bool empty() const;                         // true: no object of a scene (lines and labels do not count)
    void include(Vec3 point, float radius = 0); // extends the bounding box
};

} // namespace capstan::render
