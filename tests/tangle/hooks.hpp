// SPDX-License-Identifier: MIT
// Two ropes hooked into each other: the standard tangle of these tests.
#pragma once

#include <capstan/tangle/tangles.hpp>

namespace capstan {

constexpr float kFrame = 1.0f / 60;
using Kind = TangleEvent::Kind;

// Two ropes bent around each other like two hooks. The rope `up` is in the plane z = 0, and the rope `down` in the
// plane x = 0. Each end is pulled away with `pull` newtons. Each rope is bent by nearly 180 degrees.
struct Hooks {
    World world{{.gravity = {0, 0, 0}, .substeps = 4}};
    RopeId up, down;

    explicit Hooks(float gap = 0.011f) {
        RopeDef d;
        d.radius = 0.005f;
        d.segments = 60;
        d.mass = 0.05f;
        d.damping = 3;
        d.points = {{0.02f, 0.3f, 0}, {0.02f, -gap, 0}, {-0.02f, -gap, 0}, {-0.02f, 0.3f, 0}};
        up = world.add(d);
        d.points = {{0, -0.3f, 0.02f}, {0, gap, 0.02f}, {0, gap, -0.02f}, {0, -0.3f, -0.02f}};
        down = world.add(d);
    }
    void pull(float newtons) {
        for (int end : {first, last}) {
            world.applyForce({up, end}, {0, newtons, 0});
            world.applyForce({down, end}, {0, -newtons, 0});
        }
    }
    void frame(Tangles& tangles, float newtons) {
        pull(newtons);
        world.step(kFrame);
        tangles.update(world, kFrame);
    }
};

inline int told(const Tangles& tangles, Kind kind) {
    int n = 0;
    for (const TangleEvent& e : tangles.events()) n += e.kind == kind;
    return n;
}

} // namespace capstan
