// SPDX-License-Identifier: MIT
// SceneView: what is to be drawn, as plain data that owns itself, so that the simulation may go on (in another thread,
// even) while it is drawn. Usually filled by a Collector (collect.hpp); anybody may add to it before drawing.
// Colours are red, green, blue in 0..1 as on a screen (sRGB).
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

// Names what is drawn from frame to frame: what it is, which slot and tenant of a World, which part of it.
enum class IdKind : std::uint32_t { Rope = 1, Pin, Load, Body, Visual, Figure, Cloth, Hair };
inline std::uint64_t idOf(IdKind kind, std::uint32_t slot, std::uint32_t generation, std::uint32_t part) {
    return std::uint64_t(kind) << 60 | std::uint64_t(generation & 0xffffu) << 44 |
           std::uint64_t(slot & 0xffffffu) << 20 | (part & 0xfffffu);
}

// What colours of ropes mean.
enum class Heat { None, Tension, Stretch, ContactForce };

// A rope: `count` of SceneView::tubePoints from `first` on. Its braid pattern is laid along it by `spacing`, counted
// from the last end, because winches and drums take nodes away at the first.
struct Tube {
    int first = 0, count = 0;
    bool closed = false;
    float radius = 0.005f;
    float spacing = 0.05f; // m at rest between neighbouring points
    Color color = {0.8f, 0.7f, 0.5f};
    Color second = {0.4f, 0.3f, 0.2f}; // of the braid's other yarns
    std::uint64_t id = 0;              // the same in every frame, 0: none; for files that animate
};

enum class SolidKind { Box, Sphere, Capsule, Cylinder };

// size: box: full lengths; sphere: x is the radius; capsule (along y, without its round ends) and cylinder: x is the
// radius, y the length.
struct Solid {
    SolidKind kind = SolidKind::Box;
    Transform at;
    Vec3 size = {1, 1, 1};
    Color color = {0.7f, 0.7f, 0.7f};
    float roughness = 0.6f; // 0 is polished
    std::uint64_t id = 0;   // as of Tube
};

// Triangles that do not change: made once, shared by everything that looks so. Without normals they are made, smooth
// where faces meet at less than 30 degrees.
struct Geometry {
    std::vector<Vec3> points;
    std::vector<Vec3> normals;                 // one per point, or none
    std::vector<std::array<int, 3>> triangles; // counter-clockwise seen from outside
    bool twoSided = false;
};

// One piece of Geometry in the world.
struct Piece {
    std::shared_ptr<const Geometry> geometry;
    Transform at;
    Color color = {0.7f, 0.7f, 0.7f};
    std::uint64_t id = 0; // as of Tube
};

// Triangles that change each frame, seen from both sides: cloth. `triangles` is kept by the renderer while `key` stays
// the same, so that only points and normals travel.
struct Mesh {
    std::uint64_t key = 0;
    std::vector<Vec3> points;
    std::vector<Vec3> normals; // one per point; none: made from the triangles
    std::vector<std::array<int, 3>> triangles;
    Color color = {0.75f, 0.25f, 0.2f};
    Color back = {0.6f, 0.2f, 0.16f};
    std::vector<float> heat; // none, or one per point, 0..1
};

// Hair: strands of points, each drawn as a ribbon that faces the eye and thins towards its tip.
struct Strands {
    std::vector<Vec3> points;
    std::vector<int> counts; // points of each strand, one after another
    float width = 0.001f;    // m, at the root
    Color root = {0.25f, 0.15f, 0.08f};
    Color tip = {0.45f, 0.3f, 0.18f};
    std::uint64_t id = 0; // as of Tube
};

struct Line {
    Vec3 from, to;
    Color color;
    bool onTop = true; // seen through everything
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
    std::vector<float> tubeHeat;  // none, or one per point, 0..1 of the range below
    std::vector<Tube> tubes;
    std::vector<Solid> solids;
    std::vector<Piece> pieces;
    std::vector<Mesh> meshes;
    std::vector<Strands> strands;
    std::vector<Line> lines;
    std::vector<Dot> dots;
    std::vector<Label> labels;

    Heat heat = Heat::None;
    float heatLow = 0, heatHigh = 1; // what the ends of the legend's bar stand for
    float groundHeight = 0;          // m
    // Of all but the ground: what shadows must cover and cameras should see.
    Vec3 lower = {0, 0, 0}, upper = {0, 0, 0};

    void clear();                               // keeps the memory
    bool empty() const;                         // nothing of the scene (lines and labels do not count)
    void include(Vec3 point, float radius = 0); // into lower and upper
};

} // namespace capstan::render
