// SPDX-License-Identifier: MIT
// A SceneView is all that is drawn, as plain data that own themselves. So the simulation can continue, even in another
// thread, while the view is drawn. A Collector usually fills it (collect.hpp); anyone may add to it before drawing.
// Colours are red, green, blue in 0 .. 1 in sRGB.
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

// idOf identifies a drawn object from frame to frame: its kind, the slot and generation in the World, and its part.
enum class IdKind : std::uint32_t { Rope = 1, Pin, Load, Body, Visual, Figure, Cloth, Hair };
inline std::uint64_t idOf(IdKind kind, std::uint32_t slot, std::uint32_t generation, std::uint32_t part) {
    return std::uint64_t(kind) << 60 | std::uint64_t(generation & 0xffffu) << 44 |
           std::uint64_t(slot & 0xffffffu) << 20 | (part & 0xfffffu);
}

// Heat says which quantity colours the ropes.
enum class Heat { None, Tension, Stretch, ContactForce };

// A Tube is a rope: `count` points of SceneView::tubePoints from `first` on. Its braid pattern is laid along it by
// `spacing`, counted from the last end, because winches and drums remove nodes at the first end.
struct Tube {
    int first = 0, count = 0;
    bool closed = false;
    float radius = 0.005f;
    float spacing = 0.05f; // m at rest between neighbouring points
    Color color = {0.8f, 0.7f, 0.5f};
    Color second = {0.4f, 0.3f, 0.2f}; // of the other yarns of the braid
    std::uint64_t id = 0;              // constant over frames, 0: none; for files that animate
};

enum class SolidKind { Box, Sphere, Capsule, Cylinder };

// The meaning of `size` depends on the kind. Box: full lengths; sphere: x is the radius. Capsule (along y, without its
// round ends) and cylinder: x is the radius, y the length.
struct Solid {
    SolidKind kind = SolidKind::Box;
    Transform at;
    Vec3 size = {1, 1, 1};
    Color color = {0.7f, 0.7f, 0.7f};
    float roughness = 0.6f; // 0: polished
    std::uint64_t id = 0;   // as for Tube
};

// A Geometry is constant triangles, made once and shared by all pieces of this shape. Missing normals are computed:
// smooth where faces meet at less than 30 degrees.
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
    std::uint64_t id = 0; // as for Tube
};

// A Mesh is triangles that change each frame and are visible from both sides: cloth. The renderer keeps `triangles`
// while `key` stays the same, so that only points and normals are sent.
struct Mesh {
    std::uint64_t key = 0;
    std::vector<Vec3> points;
    std::vector<Vec3> normals; // one per point; empty: computed from the triangles
    std::vector<std::array<int, 3>> triangles;
    Color color = {0.75f, 0.25f, 0.2f};
    Color back = {0.6f, 0.2f, 0.16f};
    std::vector<float> heat; // empty, or one per point, 0 .. 1
};

// Strands are hair: rows of points, each drawn as a ribbon that faces the eye and thins towards its tip.
struct Strands {
    std::vector<Vec3> points;
    std::vector<int> counts; // number of points of each strand, in order
    float width = 0.001f;    // m, at the root
    Color root = {0.25f, 0.15f, 0.08f};
    Color tip = {0.45f, 0.3f, 0.18f};
    std::uint64_t id = 0; // as for Tube
};

struct Line {
    Vec3 from, to;
    Color color;
    bool onTop = true; // visible through everything
};

struct Dot {
    Vec3 at;
    Color color;
    float pixels = 6;
    bool onTop = true;
};

struct Label {
    Vec3 at;
    std::string text; // ASCII
    Color color = {1, 1, 1};
};

struct SceneView {
    std::vector<Vec4> tubePoints; // x y z; w is not used
    std::vector<float> tubeHeat;  // empty, or one per point, 0 .. 1 of the range below
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
    // This box holds everything but the ground: shadows must cover it, and cameras should see it.
    Vec3 lower = {0, 0, 0}, upper = {0, 0, 0};

    void clear();                               // keeps the memory
    bool empty() const;                         // true: nothing of a scene (lines and labels do not count)
    void include(Vec3 point, float radius = 0); // extends lower and upper
};

} // namespace capstan::render
