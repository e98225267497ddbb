// SPDX-License-Identifier: MIT
// Rope scenes of capstan_device: the thousand ropes of case W6, and a scene with every rope feature of the GPU
// backend.
#include <bench/device/scenes.hpp>

namespace capstan::device {

// Straight ropes of 100 nodes are released from pins at (0, 10, z). Neighbours are 0.2 m apart in z.
static void thousandRopes(World& world) {
    RopeDef def;
    def.segments = 0;
    def.pins = {first};
    def.mass = 0.01f * 99;
    def.loads = {{first, 0.005f}, {last, 0.005f}};
    for (int r = 0; r < 1000; ++r) {
        def.points.clear();
        for (int i = 0; i < 100; ++i) def.points.push_back({0.05f * float(i), 10, 0.2f * float(r)});
        world.add(def);
    }
}

// Ropes of many lengths: closed, bending, with limits, clamps, loads, damping and stretch. Some get moved pins and
// impulses.
static void everyRope(World& world) {
    for (int r = 0; r < 60; ++r) {
        RopeDef def;
        const float z = 0.3f * float(r);
        def.from = {0, 5, z};
        def.to = {1 + 0.05f * float(r), 5, z};
        def.segments = 8 + 3 * r;
        def.pins = {first};
        if (r % 2 == 1) def.bendStiffness = 0.002f;
        if (r % 3 == 1) def.stretchStiffness = 500;
        if (r % 4 == 2) def.loads = {{last, 0.5f * float(r)}};
        if (r % 5 == 3) {
            def.pins = {first, last};
            def.length = 3 + 0.05f * float(r);
        }
        if (r % 7 == 4) def.damping = 0.5f;
        if (r % 8 == 5) def.maxBend = 0.4f;
        if (r % 10 == 7) {
            def.bendStiffness = 0.01f;
            def.clamps = {{first, {1, 0, 0}}};
        }
        if (r % 10 == 6) {
            def.closed = true;
            def.segments = 0;
            def.loads = {};
            def.length = 0;
            def.points = {};
            const int n = 12 + r;
            for (int i = 0; i < n; ++i) {
                const int k = (4 * i) / n, side = i - k * n / 4;
                const float d = 0.08f * float(side), edge = 0.08f * float(n / 4);
                def.points.push_back(k == 0   ? Vec3{d, 5, z}
                                     : k == 1 ? Vec3{edge, 5 - d, z}
                                     : k == 2 ? Vec3{edge - d, 5 - edge, z + 0.01f}
                                              : Vec3{0, 5 - edge + d, z});
            }
            def.pins = {first};
        }
        world.add(def);
    }
}

static void shake(World& world, int frame) {
    const std::vector<RopeId> ropes = world.ids<RopeId>();
    const float swing[4] = {0, 0.06f, 0, -0.06f};
    for (std::size_t r = 0; r < ropes.size(); r += 3)
        if (!world.def(ropes[r]).closed)
            world.pin({ropes[r], first},
                      {swing[(frame / 5) % 4], 5 + swing[(frame / 7) % 4], 0.3f * float(r)});
    if (frame % 50 != 20) return;
    for (std::size_t r = 0; r < ropes.size(); r += 2)
        world.applyImpulse({ropes[r], 3 + int(r) % 4}, {0.3f, 0.2f, -0.4f});
}

std::vector<Scene> ropeScenes() {
    WorldDef def;
    def.contact = false;
    std::vector<Scene> scenes;
    scenes.push_back({"ropes 1000x100", def, 600, 0, thousandRopes, {}});
    scenes.push_back({"ropes of every kind", def, 600, 0, everyRope, shake});
    return scenes;
}

} // namespace capstan::device
