// SPDX-License-Identifier: MIT
// A grappling hook: a ray finds the ledge, a rope ties the player to it, a winch reels in, and the player lets go.
#include <capstan/capstan.hpp>

#include <algorithm>
#include <cstdio>

int main() {
    using namespace capstan;
    World world;
    world.add(BodyDef{.type = BodyType::Static, .shape = Plane{}});
    world.add(BodyDef{
        .name = "ledge", .type = BodyType::Static, .shape = Box{{2, 0.5f, 2}}, .position = {7, 9, 0}});
    const BodyId player = world.add(
        BodyDef{.shape = Capsule{0.3f, 1}, .mass = 80, .position = {0, 0.8f, 0}, .velocity = {4, 5, 0}});
    const Vec3 grip = {0.35f, 0.5f, 0}; // in the player's local frame [m]

    // Shoot: the ray starts at the hand, just outside of the player.
    const Vec3 hand = world.pose(player).point(grip);
    const RayHit hit = world.castRay(hand, Vec3{6.5f, 8.75f, 0} - hand, 20);
    if (!hit) return 1;
    const BodyId ledge = hit.object.as<BodyId>();
    const RopeId rope = world.add(RopeDef{.from = hand, .to = hit.point, .segments = 50, .mass = 0.5f});
    if (!world.attach(Anchor(rope, first), Anchor(player, grip))) return 1;
    if (!world.attach(Anchor(rope, last), Anchor(ledge, world.pose(ledge).local(hit.point)))) return 1;
    world.setWinchSpeed(rope, first, -4); // reel in 4 m/s

    float highest = 0, hardest = 0;
    for (int frame = 0; frame < 180; ++frame) {
        if (world.isValid(rope)) hardest = std::max(hardest, world.tensions(rope).front());
        if (frame == 60) world.setWinchSpeed(rope, first, 0); // stop the winch; the player swings
        const Vec3 v = world.velocity(player);
        if (world.isValid(rope) && frame > 60 && v.x > 0 && v.y > 3) {
            std::printf("%4.2f s  lets go at %.1f m, %.1f m/s up\n", world.time(),
                        double(world.position(player).y), double(v.y));
            world.remove(rope); // removes its two attachments as well
        }
        world.step(1.0f / 60);
        highest = std::max(highest, world.position(player).y);
    }
    std::printf("the rope pulled with up to %.0f N; the player got %.1f m high\n", double(hardest),
                double(highest));
    return highest > 3.5f && !world.isValid(rope) ? 0 : 1;
}
