// SPDX-License-Identifier: MIT
// R5: waves on a taut string.
//
//   c = sqrt(T / mu);   a string of N links:  omega_k = (2 N c / L) sin(k pi / 2N)
//
// T is the tension, mu the mass per length, L the length. A Gaussian pulse y of width sigma is laid on the string
// with the velocities -c y'. So it travels in one direction only and keeps its height. A pulse that is released
// at rest would split into two halves. The pulse's position is where its correlation with the same Gaussian is
// largest. All nodes are read, at the frame in which the pulse has moved by nearest to 8 m. The exact motion of N
// links of length l, summed over modes, is compared as well. The links alone delay the pulse by 1.5 l^2 / 24 sigma^2,
// which is 0.17 % at 200 links.
//
// The string stretches by 1 % under T (EA = 1e4 N). With a larger stretch stiffness EA the tension would deviate from
// T. The pulse is 0.15 mm longer than the straight line, which would add 15 N at EA = 1e6 N. Rest lengths allow for
// the pulse, so that every link starts at exactly T.
#include <validation/harness/reference.hpp>
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kLength = 10, kTension = 100, kMassPerLength = 0.1, kStiffness = 1e4;
constexpr double kSigma = 0.3, kHeight = 0.01, kStart = 1.05, kRun = 8;

double speed() { return std::sqrt(kTension / kMassPerLength); }

// Adds a string along x, with given offsets and velocities across it.
RopeId addString(World& world, const std::vector<double>& y, const std::vector<double>& v) {
    double l = kLength / static_cast<double>(y.size() - 1), path = 0;
    RopeDef def;
    def.segments = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        def.points.push_back(at(l * static_cast<double>(i), y[i]));
        if (i > 0) path += std::hypot(l, y[i] - y[i - 1]);
    }
    def.length = static_cast<float>(path / (1 + kTension / kStiffness));
    def.mass = static_cast<float>(kMassPerLength * kLength);
    def.stretchStiffness = static_cast<float>(kStiffness);
    def.pins = {first, last};
    RopeId rope = world.add(def);
    for (std::size_t i = 1; i + 1 < v.size(); ++i)
        world.setVelocity({rope, static_cast<int>(i)}, at(0, v[i]));
    return rope;
}

struct Pulse {
    double position, height;
};
Pulse pulseOf(const std::vector<double>& y) {
    double l = kLength / static_cast<double>(y.size() - 1);
    auto peak = std::max_element(y.begin() + 1, y.end() - 1);
    double guess = l * static_cast<double>(peak - y.begin());
    double position = threshold(guess - kSigma, guess + kSigma, [&](double s) {
        double slope = 0;
        for (std::size_t i = 0; i < y.size(); ++i) {
            double d = l * static_cast<double>(i) - s;
            slope += y[i] * d * std::exp(-d * d / (2 * kSigma * kSigma));
        }
        return slope < 0;
    });
    double a = peak[-1], b = peak[0], c = peak[1];
    return {position, b - (a - c) * (a - c) / (8 * (a - 2 * b + c))};
}

std::vector<Measured> travel(Resolution resolution) {
    std::vector<double> y, v;
    for (int i = 0; i <= resolution.segments; ++i) {
        double d = kLength * i / resolution.segments - kStart;
        bool held = i == 0 || i == resolution.segments;
        y.push_back(held ? 0 : kHeight * std::exp(-d * d / (2 * kSigma * kSigma)));
        v.push_back(held ? 0 : speed() * d / (kSigma * kSigma) * y.back());
    }
    World world({.gravity = {0, 0, 0}, .substeps = resolution.substeps, .contact = false});
    RopeId rope = addString(world, y, v);
    int count = frames(kRun / speed());
    for (int i = 0; i < count; ++i) world.step(kFrame);
    std::vector<double> after;
    for (Vec3 p : world.positions(rope)) after.push_back(static_cast<double>(p.y));

    double time = count * static_cast<double>(kFrame), scale = speed() / kLength;
    std::vector<double> slow = v; // in string lengths per time in which a wave crosses the string
    for (double& x : slow) x /= scale;
    Pulse start = pulseOf(y), end = pulseOf(after), chain = pulseOf(stringAt(y, slow, time * scale));
    using enum Measured::Kind;
    double got = (end.position - start.position) / time;
    return {{Relative, "speed of the pulse (m/s)", speed(), got, 0.01, 0.001},
            {Relative, "speed of the pulse on as many exact links (m/s)",
             (chain.position - start.position) / time, got, 0.01, 0.001},
            {AtMost, "loss of height in 8 m", 0, std::abs(1 - end.height / start.height), 0.2, 0.02}};
}

std::vector<Measured> ring(int mode, Resolution resolution) {
    std::vector<double> shape, y;
    for (int i = 0; i <= resolution.segments; ++i) {
        shape.push_back(
            i % resolution.segments == 0 ? 0 : std::sin(mode * std::numbers::pi * i / resolution.segments));
        y.push_back(kHeight * shape.back());
    }
    World world({.gravity = {0, 0, 0}, .substeps = resolution.substeps, .contact = false});
    RopeId rope = addString(world, y, std::vector<double>(y.size()));
    double unit = speed() / kLength, expected = stringOmega(resolution.segments, mode);
    std::vector<double> q;
    int count = frames(10 * 2 * std::numbers::pi / (expected * unit));
    for (int k = 0; k <= count; ++k) {
        auto points = world.positions(rope);
        q.push_back(0);
        for (std::size_t i = 0; i < y.size(); ++i) q.back() += shape[i] * static_cast<double>(points[i].y);
        world.step(kFrame);
    }
    double got = fitSinusoid(q, static_cast<double>(kFrame), expected * unit).omega / unit;
    return {{Measured::Kind::Relative, "frequency L / c", expected, got, 0.01, 0.001}};
}

} // namespace

double stringOmega(int n, int mode) { return 2.0 * n * std::sin(mode * std::numbers::pi / (2.0 * n)); }

std::vector<double> stringAt(const std::vector<double>& y, const std::vector<double>& v, double t) {
    int n = static_cast<int>(y.size()) - 1;
    std::vector<double> result(y.size());
    for (int mode = 1; mode < n; ++mode) {
        auto shape = [&](std::size_t i) {
            return std::sin(mode * std::numbers::pi * static_cast<double>(i) / n);
        };
        double a = 0, b = 0, omega = stringOmega(n, mode);
        for (std::size_t i = 0; i < y.size(); ++i) {
            a += 2.0 / n * shape(i) * y[i];
            b += 2.0 / n * shape(i) * v[i] / omega;
        }
        double now = a * std::cos(omega * t) + b * std::sin(omega * t);
        for (std::size_t i = 0; i < y.size(); ++i) result[i] += now * shape(i);
    }
    return result;
}

std::vector<Row> runWave(const Options& options) {
    std::vector<int> modes = {1};
    if (options.full) modes = {1, 2, 5};
    Sheet sheet("R5", options, static_cast<int>(modes.size()) + 1);
    sheet.refine("pulse on a string", {200, kDynamicSubsteps}, travel);
    for (int mode : modes) {
        sheet.refine("string, mode " + std::to_string(mode), {50, kDynamicSubsteps},
                     [&](Resolution r) { return ring(mode, r); });
    }
    return sheet.take();
}

} // namespace capstan::validation
