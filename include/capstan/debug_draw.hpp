// SPDX-License-Identifier: MIT
// Debug drawing shows the state of the physics as lines, points and text. A program implements DebugDraw with its own
// renderer and calls drawDebug once per frame. Capstan's own renderer is one such client (render/view/collect.hpp).
#pragma once

#include <capstan/api.hpp>
#include <capstan/tangle/tangle.hpp>
#include <capstan/world.hpp>

#include <span>
#include <string_view>

namespace capstan {

// The drawing interface that the program implements. Positions are in metres in the world. A colour is red, green,
// blue from 0 to 1. `pixels` is the diameter of a point on the screen.
class DebugDraw {
public:
    virtual ~DebugDraw() = default;
    virtual void line(Vec3 from, Vec3 to, Vec3 color) = 0;
    virtual void point(Vec3 at, float pixels, Vec3 color) = 0;
    virtual void text(Vec3 at, std::string_view words, Vec3 color) = 0;
};

// Selection of the things to draw. fields() describes each option and gives its unit.
struct DebugDrawOptions {
    bool jointFrames = false;
    bool jointLimits = false;
    bool contacts = false;
    bool tangles = false;
    bool bounds = false;
    bool nodes = false;
    bool centers = false;
    float axisLength = 0.15f;
    float forceScale = 0.01f;
    bool numbers = true;
};

template <DefOf<DebugDrawOptions> D, class V> void fields(D& d, V&& visit) {
    visit("jointFrames", d.jointFrames, any("", "joint frames of both sides: x red, y green, z blue"));
    visit("jointLimits", d.jointLimits,
          any("", "limits of joints as arcs, cones and bars, with the present angle or distance"));
    visit("contacts", d.contacts, any("", "contact points: normal force and friction force as lines"));
    visit("tangles", d.tangles, any("", "tangles, with the sign of their crossing"));
    visit("bounds", d.bounds, any("", "axis-aligned boxes around ropes and bodies"));
    visit("nodes", d.nodes, any("", "nodes of ropes; pinned nodes have another colour"));
    visit("centers", d.centers, any("", "centres of mass, with the principal axes"));
    visit("axisLength", d.axisLength,
          above(0, "m", "length of lines that have no length of their own, such as axes"));
    visit("forceScale", d.forceScale,
          atLeast(0, "m/N", "length of a line per newton of the force that it shows"));
    visit("numbers", d.numbers, any("", "numbers beside lines: forces, angles and signs"));
}

// Draws everything that `options` selects. `tangles` are the tangles to draw; a program without a Tangles object
// (capstan/tangle/tangles.hpp) passes none.
CAPSTAN_API void drawDebug(const World& world, DebugDraw& draw, const DebugDrawOptions& options,
                           std::span<const Tangle> tangles = {});

} // namespace capstan
