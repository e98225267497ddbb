// SPDX-License-Identifier: MIT
// B2: a symmetric top on a ball joint (Lagrange's top).
//
//   steady precession W at a tilt theta:  I1 cos(theta) W^2 - I3 w3 W + M g l = 0
//   stands upright if  w3^2 > 4 I1 M g l / I3^2
//   released with its axis at rest at theta0, u = cos(theta), precession angle phi:
//     u'^2 = b (u0 - u) (u - u1) (u2 - u),  u1, u2 = p -+ sqrt(p^2 - 2 p u0 + 1),
//     b = 2 M g l / I1,  p = I3^2 w3^2 / (4 I1 M g l),  phi' = (I3 w3 / I1) (u0 - u) / (1 - u^2)
//   (Goldstein, "Classical Mechanics", 5.7). I1 is the moment of inertia about the tip, across the axis; I3 is that
//   about the axis, and w3 the angular velocity about the axis. l is the distance of the centre of mass from the tip.
//
// The body's y axis is the axis n of the top, and its origin is the tip. The rate of the tilt comes from the angular
// velocity, n' = w cross n. So turning points are zeros of a measured value, not of a difference of two samples.
#include <validation/bodies/bodies.hpp>
#include <validation/bodies/rigid.hpp>
#include <validation/harness/track.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr std::size_t kNutations = 20;

// Adds a top that is tilted towards x, with a given initial rate of precession. The point mass at the centre
// contributes a quarter of the inertia about the tip; this choice divides M g l into M and l.
BodyId addTop(World& world, const Top& top, double theta, double precession) {
    double arm = top.across * kGravity / (4 * top.moment), inertia = 0.75 * top.across;
    Vec3d n = {std::sin(theta), std::cos(theta), 0}, up = {0, 1, 0};
    Vec3d w = precession * (up - n.y * n) + top.spin * n;
    BodyDef def;
    def.mass = static_cast<float>(top.moment / (kGravity * arm));
    def.inertia = at(inertia, top.along, inertia);
    def.centerOfMass = at(0, arm);
    def.rotation = aboutZ(-theta);
    def.angularVelocity = narrow(w);
    def.velocity = narrow(cross(w, arm * n));
    BodyId body = world.add(def);
    JointDef ball;
    ball.body1 = body;
    world.add(ball);
    return body;
}

// The top's axis over time: tilt [rad], rate of the tilt [rad/s], and azimuth about the vertical, with full turns
// [rad].
struct Axis {
    Track tilt, rate, round;
    Turns turns;

    explicit Axis(double step) : tilt(step), rate(step), round(step) {}
    void read(const World& world, BodyId body) {
        Vec3d n = direction(world, body, {0, 1, 0}), dn = cross(widen(world.angularVelocity(body)), n);
        double across = std::hypot(n.x, n.z);
        tilt.add(std::atan2(across, n.y));
        rate.add(-dn.y / across);
        round.add(turns.add(std::atan2(-n.z, n.x)));
    }
};

// Samples the axis `parts` times per frame. The length of a substep stays the same.
Axis watch(World& world, BodyId body, double seconds, int parts) {
    float step = kFrame / static_cast<float>(parts);
    Axis axis(static_cast<double>(step));
    axis.read(world, body);
    for (int i = 0; i < frames(seconds) * parts; ++i) {
        world.step(step);
        axis.read(world, body);
    }
    return axis;
}

std::vector<Measured> precess(const Top& top, double theta, Resolution resolution) {
    double expected = slowPrecession(top, theta);
    World world({.substeps = resolution.substeps, .contact = false});
    Axis axis = watch(world, addTop(world, top, theta, expected), 10, 1);
    double nod = 0;
    for (std::size_t i = 0; i < axis.tilt.size(); ++i) nod = worse(nod, std::abs(axis.tilt[i] - theta));
    using enum Measured::Kind;
    return {{Relative, "rate of precession (rad/s)", expected, axis.round.slope(), 0.02, 0.002},
            {AtMost, "change of tilt in 10 s / tilt", 0, nod / theta, 0.02, 0.002}};
}

std::vector<Measured> nod(const Top& top, double theta, Resolution resolution) {
    Nutation exact = nutation(top, theta);
    int parts = 1;
    while (static_cast<double>(kFrame) / parts > exact.period / 9) parts *= 2;
    World world({.substeps = resolution.substeps / parts, .contact = false});
    double seconds = (static_cast<double>(kNutations) + 1) * exact.period;
    Axis axis = watch(world, addTop(world, top, theta, 0), seconds, parts);

    // Times of the lowest and of the highest points.
    std::vector<double> low = axis.rate.falls(), high = axis.rate.rises();
    if (low.size() > kNutations) low.resize(kNutations);
    if (high.size() > kNutations) high.resize(kNutations);
    auto swingAt = [&](std::size_t k) { return axis.tilt.at(pick(low, k)) - axis.tilt.at(pick(high, k)); };
    double went = axis.round.at(pick(high, kNutations - 1)) - axis.round.at(pick(high, 0));
    double took = pick(high, kNutations - 1) - pick(high, 0);
    using enum Measured::Kind;
    return {{Relative, "largest tilt (degrees)", exact.thetaMax / kDegree,
             axis.tilt.at(pick(low, 0)) / kDegree, 0.02, 0.002},
            {Relative, "period of nutation (s)", exact.period, spacing(high), 0.02, 0.002},
            {Relative, "mean rate of precession (rad/s)", exact.precession, went / took, 0.02, 0.002},
            {AtMost, "change of the nutation's width in 20 of them", 0,
             std::abs(swingAt(kNutations - 1) / swingAt(0) - 1), 0.1, 0.002}};
}

// A top that is nearly upright. Its angular velocity is `part` times the least one at which it stands.
std::vector<Measured> sleep(Top top, double part, Resolution resolution) {
    double theta = 0.5 * kDegree;
    top.spin = part * sleepingSpin(top);
    World world({.substeps = resolution.substeps, .contact = false});
    Axis axis = watch(world, addTop(world, top, theta, 0), 10, 1);
    double first = pick(axis.rate.falls(), 0);
    return {{Measured::Kind::Relative, "largest tilt (degrees)", nutation(top, theta).thetaMax / kDegree,
             axis.tilt.at(first) / kDegree, 0.02, 0.002}};
}

std::string nameOf(const Top& top, double theta) {
    char what[120];
    std::snprintf(what, sizeof what, "I1 = %g, I3 = %g, M g l = %g, spin %g, tilt %g degrees", top.across,
                  top.along, top.moment, top.spin, theta / kDegree);
    return what;
}

} // namespace

double slowPrecession(const Top& top, double theta) {
    double L = top.along * top.spin;
    return 2 * top.moment / (L + std::sqrt(L * L - 4 * top.across * top.moment * std::cos(theta)));
}

double fastPrecession(const Top& top, double theta) {
    double L = top.along * top.spin, c = std::cos(theta);
    return (L + std::sqrt(L * L - 4 * top.across * top.moment * c)) / (2 * top.across * c);
}

double sleepingSpin(const Top& top) { return std::sqrt(4 * top.across * top.moment) / top.along; }

Nutation nutation(const Top& top, double theta) {
    double a = top.along * top.spin / top.across, b = 2 * top.moment / top.across, p = a * a / (2 * b);
    double u0 = std::cos(theta), root = std::sqrt((p - 1) * (p - 1) + 2 * p * (1 - u0));
    double u1 = p - root, u2 = p + root;
    // The substitution u = u1 + (u0 - u1) sin^2(s) removes the square roots at both ends. The integrand becomes a
    // smooth function of period pi. For such a function the mean of n equally spaced values converges faster than any
    // power of n.
    const int n = 2000;
    double time = 0, angle = 0;
    for (int k = 0; k < n; ++k) {
        double sine = std::sin(std::numbers::pi * (k + 0.5) / n), u = u1 + (u0 - u1) * sine * sine;
        double dt = 2 / std::sqrt(b * (u2 - u));
        time += dt;
        angle += dt * a * (u0 - u) / (1 - u * u);
    }
    return {std::acos(u1), time * std::numbers::pi / n, angle / time};
}

std::vector<Row> runHeavyTop(const Options& options) {
    struct Start {
        Top top;
        double theta;
    };
    const Top heavy = {0.05, 0.02, 1, 0}, small = {0.0003, 0.0002, 0.0981, 0};
    auto start = [](Top top, double spin, double degrees) {
        top.spin = spin;
        return Start{top, degrees * kDegree};
    };
    std::vector<Start> steady = {start(heavy, 100, 30)}, released = {start(heavy, 40, 45)};
    if (options.full) {
        steady.insert(steady.end(), {start(heavy, 100, 60), start(heavy, 40, 45), start(small, 300, 20),
                                     start(heavy, 200, 90)});
        released.insert(released.end(), {start(heavy, 100, 30), start(small, 300, 20)});
    }
    Sheet sheet("B2", options, static_cast<int>(steady.size() + released.size()) + 2);
    Resolution base = {0, kDynamicSubsteps};
    for (const Start& s : steady) {
        sheet.refine("steady: " + nameOf(s.top, s.theta), base,
                     [&](Resolution r) { return precess(s.top, s.theta, r); });
    }
    for (const Start& s : released) {
        sheet.refine("axis let go at rest: " + nameOf(s.top, s.theta), base,
                     [&](Resolution r) { return nod(s.top, s.theta, r); });
    }
    sheet.refine("nearly upright, 10 % above the sleeping limit", base,
                 [&](Resolution r) { return sleep(heavy, 1.1, r); });
    sheet.refine("nearly upright, 10 % below the sleeping limit", base,
                 [&](Resolution r) { return sleep(heavy, 0.9, r); });
    return sheet.take();
}

} // namespace capstan::validation
