// SPDX-License-Identifier: MIT
// Figures made of solids: the dogs of a leash walk, and the handle at the other ends of the leashes.
#pragma once

#include <render/view/scene_view.hpp>

namespace capstan::render {

// addDog adds a dog whose collar is 0.5 m above `foot`. `heading` is in rad: 0 looks along +x, as atan2(z, x).
// `stride` is the distance walked [m], which sets the legs' phase.
struct DogLook {
    Color coat, dark, collar;
};
void addDog(SceneView& view, Vec3 foot, float heading, float stride, const DogLook& look);

void addHandle(SceneView& view, Vec3 hand, float length);

} // namespace capstan::render
