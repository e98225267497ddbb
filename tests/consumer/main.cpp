// SPDX-License-Identifier: MIT
// A user's program: one rope hangs by its upper end and is stepped for a second. It succeeds when the rope still hangs
// there, unstretched.
#include <capstan/capstan.hpp>

#include <cmath>
#include <cstdio>

int main() {
    capstan::World world({.gravity = {0, -9.81f, 0}});
    const capstan::RopeDef def{.from = {0, 3, 0}, .to = {0, 1, 0}, .segments = 16, .pins = {capstan::first}};
    const capstan::RopeId rope = world.add(def);
    for (int i = 0; i < 60; ++i) {
        world.step(1.0f / 60);
    }
    const float top = world.positions(rope).front().y;
    const float bottom = world.positions(rope).back().y;
    std::printf("top %g bottom %g\n", static_cast<double>(top), static_cast<double>(bottom));
    return std::fabs(top - 3) < 0.01f && std::fabs(bottom - 1) < 0.05f ? 0 : 1;
}
