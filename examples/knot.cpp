// SPDX-License-Identifier: MIT
// An overhand knot is laid as a curve, pulled tight, named, and then pulled for ten seconds. It holds.
#include <capstan/capstan.hpp>
#include <capstan/topology/knot.hpp>

#include <cmath>
#include <cstdio>

int main() {
    using namespace capstan;
    World world({.gravity = {0, 0, 0}, .substeps = 8});
    RopeDef def = {.segments = 160,
                   .radius = 0.005f,
                   .mass = 0.07f,
                   .bendStiffness = 1e-4f,
                   .damping = 2,
                   .material = {.friction = 0.3f}};
    // An open curve with a trefoil knot and straight ends: (t^3 - 3 t, t^4 - 4 t^2, t^5 - 10 t), each scaled.
    for (float t = -2.3f; t <= 2.301f; t += 0.05f)
        def.points.push_back({0.05f * (t * t * t - 3 * t), 0.03f * (t * t * t * t - 4 * t * t),
                              0.004f * (std::pow(t, 5.0f) - 10 * t)});
    const RopeId rope = world.add(def);

    // Both ends are pulled with 5 N along x.
    auto pull = [&](int frames) {
        for (int frame = 0; frame < frames; ++frame) {
            world.applyForce(Anchor(rope, first), {-5, 0, 0});
            world.applyForce(Anchor(rope, last), {5, 0, 0});
            world.step(1.0f / 60);
        }
    };
    // Length of rope in the knot [m]: length of the rope minus the distance of its ends.
    auto taken = [&] {
        const Vec3 d = Vec3(world.positions(rope).back()) - Vec3(world.positions(rope).front());
        float rest = 0;
        for (float segment : world.restLengths(rope)) rest += segment;
        return rest - length(d);
    };
    pull(300);
    const float atFive = taken();
    pull(600);
    const float atFifteen = taken();
    const Result<KnotReport> knot = identifyKnot(world.positions(rope), false);
    if (!knot) {
        std::printf("%s\n", knot.error().text().c_str());
        return 1;
    }
    std::printf("knot %s takes up %.1f mm of rope after 5 s and %.1f mm after 15 s; %d points press\n",
                knot->names.front().c_str(), 1000 * double(atFive), 1000 * double(atFifteen),
                world.report().contacts);
    return knot->names.front() == "3_1" && std::fabs(atFifteen - atFive) < 0.002f ? 0 : 1;
}
