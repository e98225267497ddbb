// SPDX-License-Identifier: MIT
// E1: what a free rope must keep. No gravity, no contact: sum m v, sum m x cross v and the energy are
// constant.
//
// A straight rope of length 1 is thrown with v_y = 3 (s - 1/2) (1 + s/2), which spins and whips it. The
// largest deviation at any frame of the run counts, not that at the end. Sums are taken here, from places and
// speeds.
#include <validation/suite.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::validation {

namespace {

struct Kept {
    Vec3d momentum = {0, 0, 0};
    Vec3d angular = {0, 0, 0};
    double energy = 0;
    double scale = 0; // sum m |v|, which momentum is compared with
};

Kept sum(const World& world, RopeId rope) {
    auto x = world.points(rope);
    auto v = world.velocities(rope);
    Kept kept;
    for (std::size_t i = 0; i < x.size(); ++i) {
        double m = static_cast<double>(world.mass(rope, static_cast<int>(i)));
        Vec3d p = m * widen(Vec3(v[i]));
        kept.momentum += p;
        kept.angular += cross(widen(Vec3(x[i])), p);
        kept.scale += length(p);
        kept.energy += dot(p, p) / (2 * m);
    }
    kept.energy += world.energy().elastic;
    return kept;
}

std::vector<Measured> whip(double bendStiffness, double seconds, Resolution resolution) {
    World world({.gravity = {0, 0, 0}, .substeps = resolution.substeps});
    RopeDef def;
    def.from = {0, 0, 0};
    def.to = {1, 0, 0};
    def.segments = resolution.segments;
    def.mass = 1;
    def.bendStiffness = static_cast<float>(bendStiffness);
    RopeId rope = world.add(def);
    for (int i = 0; i <= resolution.segments; ++i) {
        double s = static_cast<double>(i) / resolution.segments;
        world.setVelocity(rope, i, at(0, 3 * (s - 0.5) * (1 + s / 2)));
    }
    Kept start = sum(world, rope);
    double momentum = 0, angular = 0, lost = 0, gained = 0;
    for (int i = 0; i < frames(seconds); ++i) {
        world.step(kFrame);
        Kept now = sum(world, rope);
        momentum = std::max(momentum, length(now.momentum - start.momentum) / start.scale);
        angular = std::max(angular, length(now.angular - start.angular) / length(start.angular));
        lost = std::max(lost, 1 - now.energy / start.energy);
        gained = std::max(gained, now.energy / start.energy - 1);
    }
    using enum Measured::Kind;
    return {{AtMost, "change of momentum", 0, momentum, 1e-6, 1e-6},
            {AtMost, "change of angular momentum", 0, angular, 0.01, 1e-6},
            {AtMost, "energy lost", 0, lost, 0.03, 1e-4},
            {AtMost, "energy gained", 0, gained, 0.001, 1e-4}};
}

} // namespace

std::vector<Row> runConservation(const Options& options) {
    Sheet sheet("E1", options, options.full ? 3 : 1);
    Resolution base = {20, kDynamicSubsteps};
    sheet.refine("free chain, 5 s", base, [](Resolution r) { return whip(0, 5, r); });
    if (options.full) {
        sheet.refine("free chain, 60 s", base, [](Resolution r) { return whip(0, 60, r); });
        sheet.refine("free rod, B = 0.01 N m^2, 5 s", base, [](Resolution r) { return whip(0.01, 5, r); });
    }
    return sheet.take();
}

} // namespace capstan::validation
