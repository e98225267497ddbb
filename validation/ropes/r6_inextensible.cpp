// SPDX-License-Identifier: MIT
// R6: a light rope carries a heavy load.
//
//   T_top = (M + m) g;   no stretch, hanging or swinging;   elastic: elongation = (M + m/2) g L / EA
//
// M is the load, m the mass of the rope, L its length and EA its stretch stiffness. The strain of a link is measured
// twice. Report has it in the engine's full precision. Positions are in single precision and resolve 3e-6 of a link
// of 2 cm. The force on the support is the first link's tension plus the weight of half a link, which is lumped on
// the support.
#include <validation/harness/reference.hpp>
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kMass = 1;

RopeId addRope(World& world, Resolution resolution, double load, double angle, double stiffness,
               double damping) {
    RopeDef def;
    def.from = {0, 0, 0};
    def.to = at(std::sin(angle), -std::cos(angle));
    def.length = 1;
    def.segments = resolution.segments;
    def.mass = static_cast<float>(kMass);
    def.stretchStiffness = static_cast<float>(stiffness);
    def.damping = static_cast<float>(damping);
    def.pins = {first};
    def.loads = {{last, static_cast<float>(load)}};
    return world.add(def);
}

// Returns the largest |length / rest length - 1| of a link, computed from the positions.
double strainOf(const World& world, RopeId rope) {
    auto points = world.positions(rope);
    auto rest = world.restLengths(rope);
    double worst = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        double l = length(widen(Vec3(points[i + 1])) - widen(Vec3(points[i])));
        worst = std::max(worst, std::abs(l / static_cast<double>(rest[i]) - 1));
    }
    return worst;
}

std::vector<Measured> carry(double load, double angle, Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    RopeId rope = addRope(world, resolution, load, angle, 0, 0);
    double told = 0, seen = 0;
    for (int i = 0; i < frames(5); ++i) {
        const Report& report = world.step(kFrame);
        told = std::max(told, static_cast<double>(report.maxStrain));
        seen = std::max(seen, strainOf(world, rope));
    }
    double gate = angle == 0 ? 0.001 : 0.005;
    using enum Measured::Kind;
    std::vector<Measured> list = {
        {AtMost, "largest strain of a link in 5 s", 0, told, gate, 1e-6},
        {AtMost, "largest strain of a link in 5 s, computed from positions", 0, seen, gate, 0}};
    double pull = static_cast<double>(world.tensions(rope).front()) +
                  kGravity * static_cast<double>(world.mass({rope, first}));
    if (angle == 0) {
        list.push_back({Relative, "pull on the support / rope weight",
                        topTension(kMass, load) / (kMass * kGravity), pull / (kMass * kGravity), 0.01, 1e-6});
    }
    return list;
}

std::vector<Measured> stretch(double load, double stiffness, Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    // The damping rate is about twice the lowest frequency of vertical oscillation, sqrt(EA / (M L)).
    RopeId rope = addRope(world, resolution, load, 0, stiffness, 2 * std::sqrt(stiffness / load));
    settle(world, rope, 5, 1);
    double got = -static_cast<double>(world.positions(rope).back().y) - 1;
    return {{Measured::Kind::Relative, "elongation (m)", elongation(kMass, load, stiffness), got, 0.01, 0}};
}

} // namespace

double topTension(double mass, double load) { return (load + mass) * kGravity; }

double elongation(double mass, double load, double stiffness) {
    return (load + mass / 2) * kGravity / stiffness;
}

std::vector<Row> runInextensible(const Options& options) {
    std::vector<double> loads = {1000, 10000};
    if (options.full) loads = {1, 10, 100, 1000, 10000, 100000};
    Sheet sheet("R6", options, static_cast<int>(2 * loads.size()) + 1);
    for (double load : loads) {
        char what[80];
        std::snprintf(what, sizeof what, "load %g x the rope's mass, at rest", load);
        sheet.refine(what, {50, kStaticSubsteps}, [&](Resolution r) { return carry(load, 0, r); });
        std::snprintf(what, sizeof what, "load %g x the rope's mass, swinging from 30 degrees", load);
        sheet.refine(what, {50, kStaticSubsteps},
                     [&](Resolution r) { return carry(load, std::numbers::pi / 6, r); });
    }
    sheet.refine("load 1000 kg, EA = 1e6 N", {50, kStaticSubsteps},
                 [](Resolution r) { return stretch(1000, 1e6, r); });
    return sheet.take();
}

} // namespace capstan::validation
