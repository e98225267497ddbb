// SPDX-License-Identifier: MIT
// A rope bridge: two ropes that are pinned at both ends, planks attached between them, and a person who crosses.
#include <capstan/capstan.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    using namespace capstan;
    constexpr int planks = 10, perPlank = 4;
    constexpr float length = 8, half = 0.5f; // m: distance of the banks, and half of the width
    World world;

    RopeDef side = {.segments = planks * perPlank,
                    .length = 1.02f * length,
                    .radius = 0.01f,
                    .mass = 4,
                    .pins = {first, last}};
    side.from = {0, 4, -half};
    side.to = {length, 4, -half};
    const RopeId left = world.add(side);
    side.from.z = side.to.z = half;
    const RopeId right = world.add(side);

    // Each plank is attached to the same node of both ropes, at its present position: a rope with slack starts as an
    // arc.
    std::vector<BodyId> boards;
    for (int i = 0; i < planks; ++i) {
        const int node = i * perPlank + perPlank / 2;
        const Vec3 at = world.positions(left)[node], other = world.positions(right)[node];
        const BodyId board = world.add(
            BodyDef{.shape = Box{{0.5f, 0.04f, 2 * half}}, .mass = 4, .position = 0.5f * (at + other)});
        if (!world.attach(Anchor(left, node), Anchor(board, {0, 0, -half}))) return 1;
        if (!world.attach(Anchor(right, node), Anchor(board, {0, 0, half}))) return 1;
        boards.push_back(board);
    }

    float lowest = 4, hardest = 0;
    for (int frame = 0; frame < 720; ++frame) {
        // The person is a force of 75 kg times gravity on the plank below.
        if (frame >= 120) {
            const int under = (frame - 120) * planks / 600;
            world.applyForce(boards[under], {0, -75 * 9.81f, 0});
        }
        world.step(1.0f / 60);
        for (BodyId board : boards) lowest = std::min(lowest, world.position(board).y);
        hardest = std::max(hardest, world.tensions(left).front());
        if (frame % 120 == 119)
            std::printf("%4.1f s  rope pulls its post with %4.0f N, planks as low as %.2f m\n", world.time(),
                        double(world.tensions(left).front()), double(lowest));
    }
    std::printf("largest pull %.0f N, farthest that a tie gave way %.3f mm\n", double(hardest),
                1000 * double(world.report().maxGap));
    return lowest > 2.5f && world.report().maxGap < 0.001f ? 0 : 1;
}
