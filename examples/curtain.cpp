// SPDX-License-Identifier: MIT
// A curtain on rings that is drawn aside while a draught blows. Rings are pins that move along the rod.
#include <capstan/capstan.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    using namespace capstan;
    constexpr int cellsU = 32, cellsV = 32, every = 4;
    constexpr float width = 2, height = 2;
    World world({.substeps = 8});

    ClothDef def = {.origin = {0, height, 0},
                    .edgeU = {width, 0, 0},
                    .edgeV = {0, -height, 0},
                    .cellsU = cellsU,
                    .cellsV = cellsV,
                    .density = 0.25f,
                    .shearStiffness = 20,
                    .bendStiffness = 2e-5f,
                    .damping = 1,
                    .wind = {0, 0, 1},
                    .drag = 1.2f};
    std::vector<int> rings; // vertices of the upper edge
    for (int i = 0; i <= cellsU; i += every) rings.push_back(i);
    def.pins = rings;
    const ClothId curtain = world.add(def);

    float worst = 0;
    for (int frame = 0; frame < 300; ++frame) {
        // Between 1 s and 3 s the curtain is drawn to a third of its width.
        const float t = std::clamp((float(frame) / 60 - 1) / 2, 0.0f, 1.0f), share = 1 - 2 * t / 3;
        for (int ring : rings)
            world.pin(Anchor(curtain, ring), {share * width * float(ring) / cellsU, height, 0});
        if (frame == 200) world.setWind(curtain, {0, 0, 0});
        world.step(1.0f / 60);
        worst = std::max(worst, world.maxStrain(curtain));
    }
    float depth = 0; // m, depth of the folds
    for (Vec3 p : world.positions(curtain)) depth = std::max(depth, p.z);
    std::printf("folds %.0f mm deep, largest strain %.1f %%\n", 1000 * double(depth), 100 * double(worst));
    return depth > 0.02f && worst < 0.1f ? 0 : 1;
}
