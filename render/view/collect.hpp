// SPDX-License-Identifier: MIT
// A Collector fills a SceneView from a World, or from a Playback with display meshes and dogs. It keeps data from
// frame to frame: geometry of hulls and meshes, headings of dogs, and the top of the heat scale.
#pragma once

#include <capstan/debug_draw.hpp>
#include <capstan/scene/playback.hpp>
#include <capstan/world.hpp>
#include <render/view/scene_view.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace capstan::render {

struct CollectOptions {
    Heat heat = Heat::None;
    float heatHigh = 0;  // top of the heat scale: N, or strain (0.01 is 1 %); 0: the recent maximum
    bool figures = true; // draws the bodies of a leash walk as dogs and a handle; false: as their shapes
    bool visuals = true; // draws the scene's display meshes in place of the shapes
    DebugDrawOptions debug = {}; // all off; see capstan/debug_draw.hpp
    BodyId highlightBody = {};   // a body to draw brighter
    RopeId highlightRope = {};
    ClothId highlightCloth = {};
    HairId highlightHair = {};
};

class Collector {
public:
    // collect replaces the content of the view. For a Playback it also adds the scene's display meshes and the dogs
    // of a leash walk.
    void collect(const World& world, SceneView& view, const CollectOptions& options = {});
    void collect(const Playback& playback, SceneView& view, const CollectOptions& options = {});
    void forget(); // must be called before another scene, or before a restart

private:
    struct Shape {
        std::uint32_t generation = 0;
        // Geometry of the shape and its parts; null for a part that is drawn as a Solid.
        std::vector<std::shared_ptr<const Geometry>> geometry;
    };

    void hide(BodyId id);
    bool hidden(BodyId id) const;
    void begin(const World& world, SceneView& view);
    void end(const World& world, SceneView& view, const CollectOptions& options,
             std::span<const Tangle> tangles);
    void ropes(const World& world, SceneView& view, const CollectOptions& options);
    void ropeEnds(const World& world, RopeId id, SceneView& view) const;
    void cloths(const World& world, SceneView& view, const CollectOptions& options);
    void hairs(const World& world, SceneView& view, const CollectOptions& options);
    void heat(const World& world, SceneView& view, const CollectOptions& options);
    void bodies(const World& world, SceneView& view, const CollectOptions& options);
    void body(const World& world, BodyId id, SceneView& view, const CollectOptions& options);
    void visuals(const Playback& playback, SceneView& view);
    void figures(const LeashWalk& leash, const World& world, SceneView& view);

    std::map<std::uint32_t, Shape> shapes_;                // by the body's slot
    std::vector<std::shared_ptr<const Geometry>> visuals_; // display meshes of the scene, in order
    std::vector<char> hidden_; // by a body's slot: 1 if a figure or a display mesh replaces its shape
    std::vector<float> headings_, strides_; // of each dog: heading (rad), distance walked (m)
    std::vector<RopeId> ropes_;             // ropes of this frame, in the order of the view's tubes
    float high_ = 0;                        // top of the heat scale in this frame
    float ground_ = 0;
    bool groundKnown_ = false;
    double time_ = 0; // s, the World's time in the last call
};

// Each of these functions returns a colour that depends only on the number.
Color ropeColor(std::uint32_t number);
Color ropeSecondColor(std::uint32_t number);
Color bodyColor(std::uint32_t number);

} // namespace capstan::render
