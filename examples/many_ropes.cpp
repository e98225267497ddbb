// SPDX-License-Identifier: MIT
// Many ropes in two worlds that share one pool of threads, drawn from one buffer.
#include <capstan/capstan.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <vector>

int main() {
    using namespace capstan;
    const std::shared_ptr<ThreadPool> pool = makeThreadPool(2);
    WorldDef def;
    def.pool = pool;     // both worlds use the same threads
    def.contact = false; // ropes pass through each other, so that the solver can process them in SIMD lanes
    World near(def), far(def);

    // Ropes with the same number of segments share the lanes of a SIMD vector.
    const auto fill = [](World& world, int ropes) {
        for (int i = 0; i < ropes; ++i) {
            const float z = 0.1f * float(i);
            world.add(
                RopeDef{.from = {0, 5, z}, .to = {2, 5, z}, .segments = 40, .mass = 0.4f, .pins = {first}});
        }
    };
    fill(near, 200);
    fill(far, 50);

    std::vector<Vec3> buffer; // positions of all ropes; a renderer would upload it
    const auto start = std::chrono::steady_clock::now();
    for (int frame = 0; frame < 120; ++frame) {
        near.step(1.0f / 60);
        if (frame % 2 == 0) far.step(1.0f / 30); // ropes in the distance may take longer steps
        buffer.clear();
        for (World* world : {&near, &far})
            for (RopeId rope : world->ids<RopeId>())
                for (Vec3 p : world->positions(rope)) buffer.push_back(p);
    }
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
    std::printf("250 ropes, %zu points a frame, %.2f ms a frame; largest stretch %.4f %%\n", buffer.size(),
                spent.count() / 120, 100 * double(near.report().maxStretch));
    return buffer.size() == 250 * 41 && near.report().maxStretch < 0.001f ? 0 : 1;
}
