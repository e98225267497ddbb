// SPDX-License-Identifier: MIT
// C3: two weights hang on a rope over a drum that turns on a hinge.
//
//   a = g (M - m) / (M + m + m_rope + I / (R + r)^2)
//
// It is Atwood's machine (1784) with a wheel of the inertia I, which the rope turns by friction. The rope weighs a
// thousandth of the lighter weight. It is also laid inside the drum's surface: then it comes out, and the weights rise
// by half of the longer way round, pi deep / 2. No more energy than for that may be gained.
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kG = 9.81;                                        // m/s^2, the default of WorldDef
constexpr double kDrum = 0.1, kRadius = 0.002, kLink = kDrum / 10; // m: drum, rope, and a segment of it
constexpr double kDrumMass = 4, kHeavy = 2, kLight = 1;            // kg
constexpr double kRopeMass = 1e-3 * kLight;
constexpr double kArm = kDrum + kRadius;

// A straight line y = slope x + c, fitted to points.
struct Fit {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    void add(double px, double py) { n += 1, x += px, y += py, xx += px * px, xy += px * py; }
    double slope() const { return (n * xy - x * y) / (n * xx - x * x); }
};

struct Machine {
    World world;
    RopeId rope;
    BodyId drum;

    Machine(double mu, double deep, int substeps) : world({.substeps = substeps}) {
        const double round = kArm - deep;
        const int arc = static_cast<int>(std::ceil(std::numbers::pi * round / kLink));
        const double out =
            round / std::cos(std::numbers::pi / (2 * arc)); // the segments touch at their middles
        RopeDef def;
        def.segments = 0;
        for (int i = 90; i > 0; --i) def.points.push_back(at(-out, -kLink * i));
        for (int i = 0; i <= arc; ++i) {
            const double a = std::numbers::pi * i / arc;
            def.points.push_back(at(-out * std::cos(a), out * std::sin(a)));
        }
        for (int i = 1; i <= 25; ++i) def.points.push_back(at(out, -kLink * i));
        def.radius = static_cast<float>(kRadius);
        def.mass = static_cast<float>(kRopeMass);
        def.material.friction = static_cast<float>(mu);
        def.loads = {{first, static_cast<float>(kLight)}, {last, static_cast<float>(kHeavy)}};
        rope = world.add(def);
        BodyDef body;
        body.shape = Cylinder{static_cast<float>(kDrum), 0.2f};
        body.rotation = {std::sqrt(0.5f), 0, 0, std::sqrt(0.5f)}; // its axis is z
        body.mass = static_cast<float>(kDrumMass);
        body.material.friction = static_cast<float>(mu);
        drum = world.add(body);
        JointDef hinge;
        hinge.type = JointType::Hinge;
        hinge.body1 = drum;
        hinge.anchor = at(0, 0);
        hinge.axis = {0, 0, 1};
        world.add(hinge);
    }
};

// The rows of one machine. The accelerations are fitted to the speeds from 0.2 s to 0.8 s.
void measure(Sheet& sheet, double mu, double deep, int substeps) {
    Machine machine(mu, deep, substeps);
    World& world = machine.world;
    const double inertia = 0.5 * kDrumMass * kDrum * kDrum;
    const double a = kG * (kHeavy - kLight) / (kHeavy + kLight + kRopeMass + inertia / (kArm * kArm));
    const double lift = 0.5 * kG * (kHeavy + kLight) * std::numbers::pi * deep;
    Fit weights, drum;
    double least = world.energy().total(), rise = 0, early = 0; // J
    for (int i = 1; i <= frames(0.8); ++i) {
        world.step(kFrame);
        const double energy = world.energy().total(), t = world.time();
        rise = worse(rise, energy - least);
        least = std::min(least, energy);
        if (t < 0.2) {
            early = rise;
            continue;
        }
        if (weights.n == 0) least = energy, rise = 0; // by now the rope is out
        const auto speeds = world.velocities(machine.rope);
        weights.add(t, 0.5 * static_cast<double>(speeds.front().y - speeds.back().y));
        drum.add(t, -static_cast<double>(world.angularVelocity(machine.drum).z) * kArm);
    }
    const std::string what = "mu = " + std::to_string(mu).substr(0, 3) + ", " +
                             std::to_string(1e3 * deep).substr(0, 3) + " mm inside, " +
                             std::to_string(substeps) + " substeps: ";
    sheet.add(relative("C3", what + "acceleration (m/s^2)", a, weights.slope(), 0.01));
    sheet.add(relative("C3", what + "acceleration of the drum's surface / that of the rope", 1,
                       drum.slope() / weights.slope(), 0.01));
    sheet.add(
        relative("C3", what + "speed of the drum's surface / that of the rope", 1, drum.y / weights.y, 0.01));
    const double falls = 0.5 * (kHeavy - kLight) * kG * a * 0.8 * 0.8; // J, what the weights lose in 0.8 s
    sheet.add(atMost("C3", what + "energy gained beyond that of lifting / what the weights lose in 0.8 s",
                     worse(worse(0, early - lift), rise) / falls, 1e-4));
}

} // namespace

std::vector<Row> runWheel(const Options& options) {
    Sheet sheet("C3", options, 1);
    double done = 0;
    for (const double mu : {0.3, 0.8})
        for (const double deep : {0.0, 1e-4, 5e-4}) {
            if (options.progress) options.progress("weights on a drum that turns", done / 6);
            for (const int substeps : {4, 16, 64}) measure(sheet, mu, deep, substeps);
            ++done;
        }
    return sheet.take();
}

} // namespace capstan::validation
