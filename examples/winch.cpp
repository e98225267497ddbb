// SPDX-License-Identifier: MIT
// A winch lifts a crate, a hand moves the hook, and the rope breaks when the crate gets stuck.
#include <capstan/capstan.hpp>

#include <cstdio>

int main() {
    using namespace capstan;
    World world;
    RopeId rope = world.add(RopeDef{.name = "hoist",
                                    .from = {0, 8, 0},
                                    .to = {0, 2, 0},
                                    .segments = 60,
                                    .mass = 0.6f,
                                    .breakTension = 4000,
                                    .pins = {first},
                                    .loads = {{last, 120}}});
    world.setWinchSpeed(rope, first, -0.5f); // reel in 0.5 m/s
    for (int frame = 0; frame < 600; ++frame) {
        const float t = float(frame) / 60;
        world.pin({rope, first}, {0.3f * t, 8, 0});                              // the trolley rolls along x
        if (frame == 420) world.pin({rope, last}, world.positions(rope).back()); // the crate gets stuck
        world.step(1.0f / 60);
        for (const Event& e : world.events())
            if ((e.kind == Event::Kind::Broke && e.a.kind == ObjectKind::Rope))
                std::printf("%4.1f s   broke at %.0f N in segment %d\n", double(t), double(e.force),
                            e.elementA);
        if (frame % 60 == 0)
            std::printf("%4.1f s   crate at %5.2f m   %3zu segments   %6.0f N\n", double(t),
                        double(world.positions(rope).back().y), world.tensions(rope).size(),
                        double(world.tensions(rope)[0]));
    }
}
