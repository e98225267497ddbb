// SPDX-License-Identifier: MIT
// Debug drawing shows the state of the physics as lines, points and words. A program implements DebugDraw over its own
// renderer and calls drawDebug once a frame. Capstan's own renderer is one such client (render/view/collect.hpp).
#pragma once

#include <capstan/api.hpp>
#include <capstan/tangle/tangle.hpp>
#include <capstan/world.hpp>

#include <span>
#include <string_view>

namespace capstan {

// The renderer that drawDebug calls. Positions are in metres in the world. A colour is red, green, blue from 0 to 1.
class DebugDraw {
public:
    virtual ~DebugDraw() = default;
    virtual void line(Vec3 from, Vec3 to, Vec3 color) = 0;
    virtual void point(Vec3 at, float pixels, Vec3 color) = 0;
    virtual void text(Vec3 at, std::string_view words, Vec3 color) = 0;
};

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
    visit("jointFrames", d.jointFrames,
          any("", "axes of joints as both sides carry them: x red, y green, z blue"));
    visit("jointLimits", d.jointLimits,
          any("", "arcs, cones and bars within which joints may move, and where they are"));
    visit("contacts", d.contacts,
          any("", "where things press: normals as long as their force, friction beside"));
    visit("tangles", d.tangles, any("", "tangles with the sign of their crossing"));
    visit("bounds", d.bounds, any("", "boxes along the axes around ropes and bodies"));
    visit("nodes", d.nodes, any("", "nodes of ropes; pinned ones stand out"));
    visit("centers", d.centers, any("", "centres of mass with the principal axes"));
    visit("axisLength", d.axisLength, above(0, "m", "of what has no length of its own"));
    visit("forceScale", d.forceScale, atLeast(0, "m/N", "length of a force"));
    visit("numbers", d.numbers, any("", "forces, angles and signs in words too"));
}

// Draws everything that the options ask for. A program that watches tangles (capstan/tangle/tangles.hpp) passes them
// here. Other programs pass none.
CAPSTAN_API void drawDebug(const World& world, DebugDraw& draw, const DebugDrawOptions& options,
                           std::span<const Tangle> tangles = {});

} // namespace capstan
