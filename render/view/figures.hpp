// SPDX-License-Identifier: MIT
// Figures are made of solids: the dogs of a leash walk, and the handle that the leashes hang from.
#pragma once

#include <render/view/scene_view.hpp>

namespace capstan::render {

// addDog draws a dog whose collar is 0.5 m above `foot`. heading: rad, 0 looks along +x, as atan2(z, x); stride: m
// walked.
struct DogLook {
    Color coat, dark, collar;
};
void addDog(SceneView& view, Vec3 foot, float heading, float stride, const DogLook& look);

void addHandle(SceneView& view, Vec3 hand, float length);

} // namespace capstan::render
