// SPDX-License-Identifier: MIT
// This file implements scene_view.hpp.
#include <render/view/scene_view.hpp>

namespace capstan::render {
namespace {

constexpr float kNowhere = 1e30f;

} // namespace

void SceneView::clear() {
    tubePoints.clear();
    tubeHeat.clear();
    tubes.clear();
    solids.clear();
    pieces.clear();
    meshes.clear();
    strands.clear();
    lines.clear();
    dots.clear();
    labels.clear();
    heat = Heat::None;
    heatLow = 0;
    heatHigh = 1;
    lower = {kNowhere, kNowhere, kNowhere};
    upper = {-kNowhere, -kNowhere, -kNowhere};
}

bool SceneView::empty() const {
    return tubes.empty() && solids.empty() && pieces.empty() && meshes.empty() && strands.empty();
}

// include extends the bounding box. It ignores points that are not finite or more than 1000 km from the origin.
void SceneView::include(Vec3 point, float radius) {
    const Vec3 r = {radius, radius, radius};
    if (!(lengthSquared(point) < 1e12f)) return;
    if (lower.x > upper.x) {
        lower = point - r;
        upper = point + r;
    } // first point
    lower = min(lower, point - r);
    upper = max(upper, point + r);
}

} // namespace capstan::render
