// SPDX-License-Identifier: MIT
// A tonne on a one-kilogram rope, let go from the side.
#include <capstan/capstan.hpp>

#include <cstdio>

int main() {
    using namespace capstan;
    World world({.gravity = {0, -9.81f, 0}});
    RopeId rope = world.add(RopeDef{.from = {0, 10, 0},
                                    .to = {5, 10, 0},
                                    .segments = 100,
                                    .mass = 1,
                                    .pins = {first},
                                    .loads = {{last, 1000}}});
    for (int frame = 0; frame < 600; ++frame) {
        world.step(1.0f / 60);
        if (frame % 60 == 59)
            std::printf("%4.1f s   tension at the top %7.0f N   stretch %.5f %%\n", world.time(),
                        double(world.tension(rope)[0]), 100 * double(world.stretch(rope)));
    }
}
