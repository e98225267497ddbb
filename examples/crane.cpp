// SPDX-License-Identifier: MIT
// A crane: a trolley on rails, a winch, and a load that is hooked on, lifted, carried and set down.
#include <capstan/capstan.hpp>

#include <cmath>
#include <cstdio>

int main() {
    using namespace capstan;
    World world;
    world.add(BodyDef{.type = BodyType::Static, .shape = Plane{}});
    const BodyId trolley =
        world.add(BodyDef{.shape = Box{{1, 0.4f, 0.6f}}, .mass = 200, .position = {0, 10, 0}});
    const BodyId crate = world.add(BodyDef{.shape = Box{{1, 1, 1}}, .mass = 500, .position = {0, 0.5f, 0}});

    // The rails are a prismatic joint along x with a position drive. All other motion of the trolley is
    // locked.
    const JointId rails = world.add(JointDef{.type = JointType::Prismatic,
                                             .body1 = trolley,
                                             .anchor = {0, 10, 0},
                                             .axis = {1, 0, 0},
                                             .slide = {.target = 0}});
    const RopeId rope = world.add(RopeDef{.from = {0, 9.8f, 0}, .to = {0, 1, 0}, .segments = 44, .mass = 4});
    const Result<ObjectId> top = world.attach(Anchor(rope, first), Anchor(trolley, {0, -0.2f, 0}));
    const Result<ObjectId> hook = world.attach(Anchor(rope, last), Anchor(crate, {0, 0.5f, 0}));
    if (!top || !hook) return 1;

    for (int frame = 0; frame <= 1560; ++frame) {
        const float t = float(frame) / 60;
        if (frame == 60) world.setWinchSpeed(rope, first, -1); // reel in 1 m/s for 4 s: lift by 4 m
        // Stop the winch; the trolley then carries the load.
        if (frame == 300) world.setWinchSpeed(rope, first, 0);
        if (frame == 900) world.setWinchSpeed(rope, first, 0.5f); // pay out 0.5 m/s: lower the load
        // Stop the winch and remove the attachment of the load.
        if (frame == 1440) {
            world.setWinchSpeed(rope, first, 0);
            world.remove(*hook);
        }
        // The trolley moves 6 m in 6.6 s. With this duration a load on 5 m of rope hangs still on arrival.
        const float s = std::fmin(std::fmax((t - 6) / 6.6f, 0.0f), 1.0f);
        world.setTarget(rails, 6 * s * s * (3 - 2 * s));
        world.step(1.0f / 60);
        float length = 0;
        for (float rest : world.restLengths(rope)) length += rest;
        if (frame % 120 == 0)
            std::printf("%4.1f s  crate at x %5.2f m, y %5.2f m; %4.2f m of rope, %5.0f N\n", double(t),
                        double(world.position(crate).x), double(world.position(crate).y), double(length),
                        double(world.tensions(rope).front()));
    }
    const Vec3 end = world.position(crate);
    return std::fabs(end.x - 6) < 0.3f && std::fabs(end.y - 0.5f) < 0.02f ? 0 : 1;
}
