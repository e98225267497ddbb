// SPDX-License-Identifier: MIT
// C4: a pendulum whose rope swings against a peg comes back to the height it was released from.
//
//   height after n swings = height at the start
//
// Galileo's interrupted pendulum (1638). A peg without friction does no work, whatever the rope does at it. The rope
// weighs a thousandth of its load, so what it loses in striking the peg is less than the tolerance.
#include <validation/harness/suite.hpp>

#include <cmath>

namespace capstan::validation {

namespace {

constexpr double kWeight = 9.81, kAngle = 0.5, kSwings = 10;

// Returns the missing height after ten swings to and fro, as a part of the drop. The rope is 1 m long.
double missing(bool peg, bool body, int substeps) {
    const double R = 0.02, r = 0.005, load = 10;
    const Vec3 end = at(std::sin(kAngle), -std::cos(kAngle));
    World world({.substeps = substeps});
    RopeDef def;
    def.segments = 50;
    def.to = end;
    def.radius = static_cast<float>(r);
    def.mass = static_cast<float>(1e-3 * load);
    def.material.friction = 0;
    def.pins = {first};
    if (!body) def.loads = {{last, static_cast<float>(load)}};
    const RopeId rope = world.add(def);
    if (body) {
        BodyDef ball;
        ball.shape = Sphere{0.04f};
        ball.mass = static_cast<float>(load);
        ball.position = end;
        ball.material.friction = 0;
        (void)world.attach({rope, last}, {world.add(ball), Vec3{0, 0, 0}});
    }
    if (peg) { // it touches the rope that hangs straight, half way down
        BodyDef pole;
        pole.type = BodyType::Static;
        pole.shape = Cylinder{static_cast<float>(R), 1};
        pole.rotation = {std::sqrt(0.5f), 0, 0, std::sqrt(0.5f)}; // its axis is z
        pole.position = at(-(R + r), -0.5);
        pole.material.friction = 0;
        world.add(pole);
    }
    double height = -1, before = 0;
    for (int swings = 0; swings < kSwings && world.time() < 60;) {
        world.step(kFrame);
        const Vec3 x = world.positions(rope).back(), v = world.velocities(rope).back();
        const double speed = static_cast<double>(v.x);
        if (before > 0 && speed <= 0 && x.x > 0) {
            ++swings;
            height = static_cast<double>(x.y) + static_cast<double>(dot(v, v)) / (2 * kWeight);
        }
        before = speed;
    }
    return std::abs(height + std::cos(kAngle)) / (1 - std::cos(kAngle));
}

} // namespace

std::vector<Row> runPeg(const Options& options) {
    std::vector<Row> rows;
    int done = 0;
    for (const bool body : {false, true}) {
        const std::string what = body ? "rope tied to a ball" : "rope with a load";
        for (const int substeps : {4, 8, 16}) {
            if (options.progress) options.progress(what.c_str(), done++ / 6.0);
            rows.push_back(atMost("C4",
                                  what + " against a peg, " + std::to_string(substeps) +
                                      " substeps: missing height after ten swings / drop",
                                  missing(true, body, substeps), 0.01));
        }
        rows.push_back(atMost("C4", what + " without the peg: missing height after ten swings / drop",
                              missing(false, body, 4), 0.001));
    }
    if (options.progress) options.progress("C4", 1);
    return rows;
}

} // namespace capstan::validation
