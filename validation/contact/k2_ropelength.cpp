// SPDX-License-Identifier: MIT
// K2: ropelength, the least length / diameter of a knot. Closed ropes without friction and without bending stiffness
// are tightened. Their length / diameter decreases to the ropelength. A smaller value means that the rope penetrates
// itself.
//
//   Hopf link 4 pi, chain of three rings 6 pi + 2: J. Cantarella, R. Kusner, J. Sullivan 2002, exact
//   trefoil 16.372: P. Pieranski 1998, numerical
//
// The ropes keep their length and grow in thickness, which is equivalent to shortening. They grow while their strain
// is less than 0.2 %. They are tight when the strain stays above that at a constant thickness. Then everything is at
// rest, so the damping has no effect on the result.
#include <validation/contact/contact.hpp>
#include <validation/harness/curves.hpp>
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace capstan::validation {

namespace {

constexpr double kTight = 0.002; // strain of a tight rope
constexpr double kGrowth = 0.05; // 1/s, relative growth of the thickness
constexpr double kMost = 60;     // s, longest simulated time
constexpr double kStiff = 100;   // N, EA: stretch stiffness

std::vector<RopeId> lay(World& world, const std::vector<Curve>& curves, double radius, int segments) {
    std::vector<RopeId> ropes;
    for (const Curve& curve : curves) {
        RopeDef def;
        for (Vec3d p : curve) def.points.push_back(narrow(p));
        def.segments = segments;
        def.closed = true;
        def.radius = static_cast<float>(radius);
        def.mass = 0.06f; // kg; a given density would make the mass grow with the thickness
        def.stretchStiffness = static_cast<float>(kStiff);
        def.material.friction = 0;
        def.damping = 5;
        ropes.push_back(world.add(def));
    }
    return ropes;
}

double lengthOfRopes(const World& world, const std::vector<RopeId>& ropes) {
    double sum = 0;
    for (RopeId rope : ropes) {
        Curve curve;
        for (const Point& p : world.positions(rope)) curve.push_back(widen(Vec3(p)));
        sum += lengthOf(curve);
    }
    return sum;
}

// Measures length / diameter of the tight ropes, or NaN if they never get tight. `loose` is the value at the start.
std::vector<Measured> tighten(const std::vector<Curve>& curves, double ideal, double loose,
                              Resolution resolution) {
    World world({.gravity = {0, 0, 0}, .substeps = resolution.substeps});
    double whole = 0;
    for (const Curve& curve : curves) whole += lengthOf(curve);
    double radius = whole / loose / 2;
    std::vector<RopeId> ropes = lay(world, curves, radius, resolution.segments);
    int calm = 0;
    double nearest = 1;
    for (int i = 0; i < frames(kMost) && calm < frames(1); ++i) {
        const Report& report = world.step(kFrame);
        nearest = static_cast<double>(report.minSeparationRatio);
        if (static_cast<double>(report.maxStretch) >= kTight) {
            ++calm;
            continue;
        }
        calm = 0;
        radius *= 1 + kGrowth * static_cast<double>(kFrame);
        for (RopeId rope : ropes) {
            RopeDef wanted = world.def(rope);
            wanted.radius = static_cast<float>(radius);
            Status grown = world.update(rope, wanted);
            if (!grown) return {};
        }
    }
    double nan = std::numeric_limits<double>::quiet_NaN();
    double nominal = calm < frames(1) ? nan : lengthOfRopes(world, ropes) / (2 * radius);
    double measured = nominal / std::min(1.0, nearest);
    using enum Measured::Kind;
    return {
        {AtMost, "excess of length / diameter over the least known", 0, nominal / ideal - 1, 0.05, 0.02},
        {AtMost, "excess of length / diameter, with the least distance of strands as diameter", 0,
         measured / ideal - 1, 0.05, 0.02},
        {AtMost, "shortfall of length / diameter below the least known", 0, 1 - nominal / ideal, 0.005, 0}};
}

} // namespace

std::vector<Row> runRopelength(const Options& options) {
    Sheet sheet("K2", options, options.full ? 3 : 2);
    Resolution base = {151, kContactSubsteps};
    // The curves are scaled to ropes of about a metre. At the start the ropes are as thick as the curves allow.
    sheet.refine("Hopf link", base,
                 [](Resolution r) { return tighten(scaled(hopfLink(720), 0.16), kHopf, 1.3 * kHopf, r); });
    sheet.refine("trefoil", base, [](Resolution r) {
        return tighten(scaled(trefoil(720), 0.04), kTrefoil, 1.6 * kTrefoil, r);
    });
    if (options.full) {
        sheet.refine("chain of three rings", base, [](Resolution r) {
            return tighten(scaled(threeRings(720), 0.16), kThreeRings, 1.3 * kThreeRings, r);
        });
    }
    return sheet.take();
}

} // namespace capstan::validation
