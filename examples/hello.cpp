// SPDX-License-Identifier: MIT
// A load of 1000 kg swings on a rope of 1 kg. README.md and docs/quick_start.md quote the code below.
#include <capstan/capstan.hpp>
#include <cstdio>
using namespace capstan;

int main() {
    World world({.gravity = {0, -9.81f, 0}});
    RopeDef line = {.from = {0, 10, 0}, .to = {5, 10, 0}, .segments = 100, .mass = 1};
    line.pins = {first};
    line.loads = {{last, 1000}}; // kg
    RopeId rope = world.add(line);
    for (int frame = 1; frame <= 600; ++frame) {
        world.step(1.0f / 60);
        if (frame % 60 == 0) std::printf("%4.1f s  %6.0f N\n", world.time(), double(world.tensions(rope)[0]));
    }
    std::printf("stretch %.6f %%\n", 100 * double(world.stretch(rope)));
}
