// SPDX-License-Identifier: MIT
// B1: a free body that rotates about its middle principal axis flips periodically (Dzhanibekov's nut).
//
//   I1 w1' = (I2 - I3) w2 w3  and cyclic (Euler);   q' = q w / 2
//   period 4 K(m) / n  (Landau & Lifshitz, "Mechanics", paragraph 37), where for L^2 > 2 T I2
//   1 - m = (I3 - I1) (L^2 - 2 T I2) / ((I3 - I2) (L^2 - 2 T I1)),
//   n^2 = (I3 - I2) (L^2 - 2 T I1) / (I1 I2 I3)
//   and with 1 and 3 exchanged otherwise. w2 changes its sign every half period.
//
// I1 < I2 < I3 are the principal moments of inertia, w the angular velocity in the body's axes, q the rotation. L is
// the angular momentum, T the kinetic energy, and K the complete elliptic integral. There is no force and no joint,
// so the case tests the gyroscopic term alone. Without that term the body never flips. With numerical damping it ends
// in a rotation about axis 3.
#include <validation/bodies/bodies.hpp>
#include <validation/bodies/rigid.hpp>
#include <validation/harness/track.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

namespace capstan::validation {

namespace {

constexpr double kSeconds = 100;

using State = std::array<double, 7>; // w, then q as x y z w

State slope(Vec3d inertia, const State& s) {
    auto [I1, I2, I3] = inertia;
    Vec3d w = {s[0], s[1], s[2]};
    Quatd q = 0.5 * (Quatd{s[3], s[4], s[5], s[6]} * Quatd::fromVector(w, 0));
    return {(I2 - I3) / I1 * w.y * w.z,
            (I3 - I1) / I2 * w.z * w.x,
            (I1 - I2) / I3 * w.x * w.y,
            q.x,
            q.y,
            q.z,
            q.w};
}

// 1000 steps per radian. The error of the fourth-order method is then below 1e-11 after 100 radians.
double fineStep(Vec3d w0) { return 1e-3 / length(w0); }

State start(Vec3d w0) { return {w0.x, w0.y, w0.z, 0, 0, 0, 1}; }

double angleBetween(Quatd a, Quatd b) {
    Quatd d = conjugate(a) * b;
    return 2 * std::atan2(length(d.vector()), std::abs(d.w));
}

std::vector<Measured> spinFreely(Vec3d inertia, Vec3d w0, Resolution resolution) {
    World world({.gravity = {0, 0, 0}, .substeps = resolution.substeps, .contact = false});
    BodyDef def;
    def.mass = 1;
    def.inertia = narrow(inertia);
    def.angularVelocity = narrow(w0);
    BodyId body = world.add(def);

    double step = static_cast<double>(kFrame);
    std::vector<Tumble> exact = tumble(inertia, w0, step, frames(tumblePeriod(inertia, w0)));
    Kept before = kept(world, {body});
    double angular = 0, energy = 0, away = 0;
    Track middle(step);
    for (int i = 0; i <= frames(kSeconds); ++i) {
        if (i > 0) world.step(kFrame);
        Kept now = kept(world, {body});
        angular = worse(angular, length(now.angular - before.angular) / length(before.angular));
        energy = worse(energy, std::abs(now.energy / before.energy - 1));
        Vec3d spin = widen(world.angularVelocity(body));
        middle.add(dot(spin, direction(world, body, {0, 1, 0})));
        auto k = static_cast<std::size_t>(i);
        if (k < exact.size()) away = worse(away, angleBetween(exact[k].q, attitude(world, body)));
    }
    std::vector<double> flips = middle.falls(), back = middle.rises();
    flips.insert(flips.end(), back.begin(), back.end());
    std::sort(flips.begin(), flips.end());

    double first = firstFlip(inertia, w0), apart = tumblePeriod(inertia, w0) / 2;
    double count = std::floor((kSeconds - first) / apart) + 1;
    using enum Measured::Kind;
    return {{Relative, "first flip (s)", first, pick(flips, 0), 0.02, 0.001},
            {Relative, "time between flips (s)", apart, spacing(flips), 0.02, 0.001},
            {AtMost, "error of the number of flips in 100 s", 0,
             std::abs(static_cast<double>(flips.size()) - count), 0, 0},
            {AtMost, "change of angular momentum in 100 s", 0, angular, 0.001, 1e-6},
            {AtMost, "change of energy in 100 s", 0, energy, 0.01, 0.001},
            // If the flip is 2 % late, the attitude lags by 2 % of the angle until the flip.
            {AtMost, "largest angle to the exact attitude in a period / angle turned until the first flip", 0,
             away / (length(w0) * first), 0.02, 0.001}};
}

} // namespace

double ellipticK(double oneMinusM) {
    double a = 1, b = std::sqrt(oneMinusM); // start values of the arithmetic-geometric mean (Gauss)
    while (std::abs(a - b) > 1e-15 * a) {
        double mean = (a + b) / 2;
        b = std::sqrt(a * b);
        a = mean;
    }
    return std::numbers::pi / (a + b);
}

double tumblePeriod(Vec3d inertia, Vec3d w0) {
    auto [I1, I2, I3] = inertia;
    double energy = dot(inertia, multiply(w0, w0)), square = lengthSquared(multiply(inertia, w0));
    // `above` is L^2 - 2 T I2, computed without cancellation.
    double above = I1 * (I1 - I2) * w0.x * w0.x + I3 * (I3 - I2) * w0.z * w0.z;
    if (above < 0) std::swap(I1, I3);
    double scale = (I3 - I2) * (square - energy * I1);
    return 4 * ellipticK((I3 - I1) * above / scale) * std::sqrt(I1 * I2 * I3 / scale);
}

double firstFlip(Vec3d inertia, Vec3d w0) {
    auto f = [&](double, const State& s) { return slope(inertia, s); };
    State s = start(w0);
    double h = fineStep(w0), limit = tumblePeriod(inertia, w0);
    for (double t = 0; t < limit; t += h) {
        State next = rungeKutta(t, s, h, f);
        if ((next[1] < 0) != (s[1] < 0))
            return t +
                   threshold(0, h, [&](double d) { return (rungeKutta(t, s, d, f)[1] < 0) != (s[1] < 0); });
        s = next;
    }
    return limit;
}

std::vector<Tumble> tumble(Vec3d inertia, Vec3d w0, double step, int count) {
    auto f = [&](double, const State& s) { return slope(inertia, s); };
    State s = start(w0);
    int parts = static_cast<int>(std::ceil(step / fineStep(w0)));
    std::vector<Tumble> result;
    for (int k = 0; k <= count; ++k) {
        for (int i = 0; k > 0 && i < parts; ++i) s = rungeKutta(0, s, step / parts, f);
        result.push_back({{s[0], s[1], s[2]}, normalize(Quatd{s[3], s[4], s[5], s[6]})});
    }
    return result;
}

std::vector<Row> runDzhanibekov(const Options& options) {
    struct Spun {
        Vec3d inertia, w0;
    };
    std::vector<Spun> list = {{{1, 2, 3}, {0.01, 1, 0}}};
    if (options.full) {
        list.insert(list.end(), {{{1, 2, 3}, {0, 1, 0.01}},
                                 {{1, 2, 3}, {0.1, 1, 0}},
                                 {{0.2, 0.3, 0.4}, {0.05, 5, 0}},
                                 {{1, 2, 2.5}, {0.01, 10, 0.01}},
                                 {{1, 2, 3}, {0.001, 1, 0}}});
    }
    Sheet sheet("B1", options, static_cast<int>(list.size()));
    for (const Spun& one : list) {
        char what[120];
        std::snprintf(what, sizeof what, "inertia %g %g %g, spin %g %g %g", one.inertia.x, one.inertia.y,
                      one.inertia.z, one.w0.x, one.w0.y, one.w0.z);
        sheet.refine(what, {0, kDynamicSubsteps},
                     [&](Resolution r) { return spinFreely(one.inertia, one.w0, r); });
    }
    return sheet.take();
}

} // namespace capstan::validation
