// SPDX-License-Identifier: MIT
// Collector: fills a SceneView from a World, or from a Playback with its visuals, dogs and handler. It keeps what must
// last from frame to frame: geometry of hulls and meshes, where a dog looks, the top of the heat scale.
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
    float heatHigh = 0;  // top of the scale: N, or strain (0.01 is 1 %); 0: the largest lately
    bool figures = true; // leash walks: dogs and handler as figures, not as the posts that physics knows
    bool visuals = true; // display meshes of the scene in place of shapes
    DebugDrawOptions debug = {}; // capstan/debug_draw.hpp; all off
    BodyId highlightBody = {};   // drawn brighter
    RopeId highlightRope = {};
    ClothId highlightCloth = {};
    HairId highlightHair = {};
};

class Collector {
public:
    // Replaces what the view holds. A Playback's world is collected with what the scene and its leash walk add.
    void collect(const World& world, SceneView& view, const CollectOptions& options = {});
    void collect(const Playback& playback, SceneView& view, const CollectOptions& options = {});
    void forget(); // before another scene, or the same from its start

private:
    struct Shape {
        std::uint32_t generation = 0;
        std::vector<std::shared_ptr<const Geometry>> geometry; // of shape and parts; null where it is a Solid
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

    std::map<std::uint32_t, Shape> shapes_;                // by slot of the body
    std::vector<std::shared_ptr<const Geometry>> visuals_; // of the scene, in its order
    std::vector<char> hidden_;                             // by slot of a body: something else stands for it
    std::vector<float> headings_, strides_; // of the dogs: where they look (rad), how far they went (m)
    std::vector<RopeId> ropes_;             // of this frame, in the order of the view's tubes
    float high_ = 0;                        // of the heat scale
    float ground_ = 0;
    bool groundKnown_ = false;
    double time_ = 0; // of the World, last time
};

// Colours that stay the same for the same number: of ropes, of bodies.
Color ropeColor(std::uint32_t number);
Color ropeSecondColor(std::uint32_t number);
Color bodyColor(std::uint32_t number);

} // namespace capstan::render
