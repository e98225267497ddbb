// SPDX-License-Identifier: MIT
// C2: two weights hang on a rope over a fixed round bar.
//
//   a = g (M - m e^(mu pi)) / (M + m e^(mu pi))
//
// Without friction it is Atwood's machine (1784). With friction the rope slides by the law of Euler and Eytelwein. The
// rope weighs a thousandth of the lighter weight.
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kWeight = 9.81;

BodyDef bar(double radius, Vec3 position, double friction) {
    BodyDef def;
    def.type = BodyType::Static;
    def.shape = Cylinder{static_cast<float>(radius), 1};
    def.rotation = {std::sqrt(0.5f), 0, 0, std::sqrt(0.5f)}; // its axis is z
    def.position = position;
    def.material.friction = static_cast<float>(friction);
    return def;
}

// The acceleration of two weights on a rope over a bar, fitted to their speeds from 0.2 s to 0.8 s.
double acceleration(double heavy, double light, double mu, int substeps) {
    const double R = 0.1, r = 0.002, link = R / 10, round = R + r;
    World world({.substeps = substeps});
    RopeDef def;
    def.segments = 0;
    const int arc = static_cast<int>(std::ceil(std::numbers::pi * round / link));
    const double out = round / std::cos(std::numbers::pi / (2 * arc));
    for (int i = 25; i > 0; --i) def.points.push_back(at(-out, -link * i));
    for (int i = 0; i <= arc; ++i) {
        const double a = std::numbers::pi * i / arc;
        def.points.push_back(at(-out * std::cos(a), out * std::sin(a)));
    }
    for (int i = 1; i <= 75; ++i) def.points.push_back(at(out, -link * i));
    def.radius = static_cast<float>(r);
    def.mass = static_cast<float>(1e-3 * light);
    def.material.friction = static_cast<float>(mu);
    def.loads = {{first, static_cast<float>(heavy)}, {last, static_cast<float>(light)}};
    const RopeId rope = world.add(def);
    world.add(bar(R, at(0, 0), mu));
    double n = 0, sumT = 0, sumV = 0, sumTT = 0, sumTV = 0;
    for (int i = 1; i <= frames(0.8); ++i) {
        world.step(kFrame);
        const double t = world.time();
        if (t < 0.2) continue;
        const auto speeds = world.velocities(rope);
        const double v = 0.5 * static_cast<double>(speeds.back().y - speeds.front().y);
        n += 1, sumT += t, sumV += v, sumTT += t * t, sumTV += t * v;
    }
    return (n * sumTV - sumT * sumV) / (n * sumTT - sumT * sumT);
}

} // namespace

std::vector<Row> runAtwood(const Options& options) {
    std::vector<Row> rows;
    if (options.progress) options.progress("weights over a bar", 0);
    for (const double mu : {0.0, 0.1, 0.2}) {
        const double light = 1, grip = light * std::exp(mu * std::numbers::pi), heavy = 1.3 * grip;
        rows.push_back(
            relative("C2", "weights over a bar, mu = " + std::to_string(mu).substr(0, 3) + ": acceleration",
                     kWeight * (heavy - grip) / (heavy + grip), acceleration(heavy, light, mu, 4),
                     mu > 0 ? 0.02 : 0.005));
    }
    if (options.progress) options.progress("C2", 1);
    return rows;
}

} // namespace capstan::validation
