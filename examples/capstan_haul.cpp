// SPDX-License-Identifier: MIT
// A motor-driven capstan hauls up 20 kg; a tail of 1 kg keeps two and a half turns of rope tight on it.
#include <capstan/capstan.hpp>
#include <cmath>
#include <cstdio>
using namespace capstan;

int main() {
    const float turns = 2.5f, drumRadius = 0.1f, mu = 0.25f, pi = 3.14159265f;
    RopeDef line{.radius = 0.005f, .mass = 0.2f, .material = {.friction = mu}};
    // The points go up on the right, around the drum, and down on the left.
    line.points.push_back({1.053f * drumRadius, 0.6f, -0.03f});
    for (float a = 0; a < turns * 2 * pi + 0.01f; a += pi / 18)
        line.points.push_back({1.053f * drumRadius * std::cos(a), 2 + 1.053f * drumRadius * std::sin(a),
                               -0.03f + 0.0115f * a / (2 * pi)});
    line.points.push_back({-1.053f * drumRadius, 1.8f, 0});
    line.segments = 270;

    World world;
    RopeId rope = world.add(line);
    BodyId drum = world.add(BodyDef{.shape = Cylinder{drumRadius, 0.3f},
                                    .mass = 10,
                                    .position = {0, 2, 0},
                                    .rotation = {0.70710678f, 0, 0, 0.70710678f},
                                    .material = {.friction = mu}});
    BodyId load = world.add(
        BodyDef{.shape = Box{{0.15f, 0.15f, 0.15f}}, .mass = 20, .position = {0.105f, 0.525f, -0.03f}});
    BodyId tail = world.add(BodyDef{.shape = Sphere{0.04f}, .mass = 1, .position = {-0.105f, 1.76f, 0}});
    world.attach({rope, first}, {load, {0, 0.075f, 0}}).value();
    world.attach({rope, last}, {tail, {0, 0.04f, 0}}).value();
    world.add(JointDef{.type = JointType::Motor,
                       .body1 = drum,
                       .anchor = {0, 2, 0},
                       .axis = {0, 0, 1},
                       .turn = {.speed = 1}});

    for (int frame = 1; frame <= 300; ++frame) {
        world.step(1.0f / 60);
        for (const Event& e : world.events())
            if (e.kind == Event::Kind::ContactBegin && e.a.as<RopeId>() == rope && e.b.as<BodyId>() == drum)
                std::printf("%4.2f s  the rope takes hold of the drum\n", world.time());
        if (frame % 60) continue;
        int slipping = 0;
        for (const Contact& c : world.contacts()) slipping += c.slipping;
        const float ratio = world.tensions(rope).front() / world.tensions(rope).back();
        std::printf("%4.2f s  load at %4.2f m, tension %3.0f : %2.0f N = %4.1f, %d of %zu points slip\n",
                    world.time(), double(world.centerOfMass(load).y), double(world.tensions(rope).front()),
                    double(world.tensions(rope).back()), double(ratio), slipping, world.contacts().size());
    }
    std::printf("it would slip above e^(mu theta) = %.1f\n", std::exp(double(mu) * turns * 2 * double(pi)));
}
