// SPDX-License-Identifier: MIT
// H1: a strand of hair compared with formulas. It has the defaults of a HairDef: 31 edges, 0.3 m, 8 substeps.
//   cantilever  the heavy elastica of R1: tip drop / reach
//   hanging     tension of edge i is the weight below it: mu g (L - (i - 1/2) l), with the mass per length mu, the
//               length L of the strand and l of an edge
//   swinging    without stiffness, at a small angle, an inextensible chain: omega = j_01 / 2 sqrt(g / L), with j_01 the
//               first zero of the Bessel function J_0 (D. Bernoulli 1738)
#include <validation/harness/reference.hpp>
#include <validation/harness/suite.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr const char* name = "H1";
constexpr double kLength = 0.3, kStrandRadius = 4e-5, kStrandDensity = 1300;
constexpr double kWeight =
    kStrandDensity * std::numbers::pi * kStrandRadius * kStrandRadius * kGravity; // N/m

HairDef strand(Vec3 direction) {
    HairDef def;
    def.roots = {{0, 0, 0}};
    def.directions = {direction};
    def.windResponse = 0; // 1/s; any other value would slow the strand in still air
    return def;
}

void run(World& world, int frames) {
    for (int i = 0; i < frames; ++i) world.step(kFrame);
}

Row cantilever(double gamma) {
    World world;
    HairDef def = strand({1, 0, 0});
    def.bendStiffness = static_cast<float>(kWeight * kLength * kLength * kLength / gamma);
    def.damping = 8;
    const HairId hair = world.add(def);
    run(world, 600);
    const Vec3 tip = world.strand(hair, 0).back();
    char claim[60];
    std::snprintf(claim, sizeof claim, "strand clamped level, Gamma = %g: drop / reach", gamma);
    return relative(name, claim, heavyElastica(gamma, def.vertices - 1).heightOverReach(),
                    -static_cast<double>(tip.y) / static_cast<double>(tip.x), 0.02, 0.005);
}

// Measures the period by the upward zeros of the tip's x, which are interpolated linearly between frames.
Row pendulum() {
    World world;
    HairDef def = strand({0.01f, -1, 0});
    def.bendStiffness = def.damping = 0;
    const HairId hair = world.add(def);
    double before = 1, begin = 0, end = 0;
    int turns = -1;
    for (int i = 1; i <= 900; ++i) {
        world.step(kFrame);
        const double x = static_cast<double>(world.strand(hair, 0).back().x);
        if (before < 0 && x >= 0) {
            end = (i - 1 - before / (x - before)) * static_cast<double>(kFrame);
            if (++turns == 0) begin = end;
        }
        before = x;
    }
    const double omega = 2 * std::numbers::pi * turns / (end - begin);
    return relative(name, "limp strand swinging: omega [rad/s]",
                    0.5 * 2.404825557695773 * std::sqrt(kGravity / kLength), omega, 0.01, 0.002);
}

} // namespace

std::vector<Row> runHair(const Options& options) {
    std::vector<Row> rows;
    for (const double gamma : {1.0, 10.0, 100.0}) rows.push_back(cantilever(gamma));
    if (options.progress) options.progress(name, 0.6);
    World world;
    const HairDef def = strand({0, -1, 0});
    const HairId hair = world.add(def);
    run(world, 300);
    const double l = kLength / (def.vertices - 1);
    for (const int edge : {1, 16}) {
        const double truth = kWeight * (kLength - (edge - 0.5) * l);
        rows.push_back(relative(name, "hanging strand: tension of edge " + std::to_string(edge) + " [uN]",
                                1e6 * truth, 1e6 * static_cast<double>(world.strand(hair, 0)[edge].w), 0.005,
                                0.001));
    }
    rows.push_back(atMost(name, "hanging strand: largest stretch of an edge",
                          static_cast<double>(world.maxStrain(hair)), 1e-3, 1e-4));
    rows.push_back(pendulum());
    if (options.progress) options.progress(name, 1);
    return rows;
}

} // namespace capstan::validation
