// SPDX-License-Identifier: MIT
// B3: a pendulum has its exact period at any amplitude A, and its amplitude does not decay.
//
//   T = 4 K(sin^2(A / 2)) / omega0,  omega0^2 = m g l / I,  I about the pivot (a bar of length L: omega0^2 = 3 g / 2
// L)
//   conical: omega^2 = g / (L cos a), pull m g / cos a, where a is the angle from the vertical
//
// A body that rotates with its string obeys the conical law of a point mass exactly, if its inertia is isotropic. The
// proof is the steady precession of B2. With the moment of inertia i about the centre, I1 = m L^2 + i and I3 = i give
// I1 - I3 = m L^2.
//
// The period is measured from the first to the last passage of the lowest point, and amplitudes at the turning
// points.
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
constexpr double kBob = 0.05; // m, radius of a ball of mass 1 on an arm of length 1

BodyId addBob(World& world, double angle, JointType type) {
    BodyDef def;
    def.shape = Sphere{static_cast<float>(kBob)};
    def.mass = 1;
    def.position = at(std::sin(angle), -std::cos(angle));
    def.rotation = aboutZ(angle);
    BodyId body = world.add(def);
    JointDef joint;
    joint.type = type;
    joint.body1 = body;
    joint.axis = {0, 0, 1};
    world.add(joint);
    return body;
}

double bobInertia() { return 1 + 0.4 * kBob * kBob; } // kg m^2, about the pivot

// Measures period and decay of a swing. `omega0` is the angular frequency of small swings [rad/s].
std::vector<Measured> swingOf(World& world, BodyId body, double amplitude, double omega0) {
    double step = static_cast<double>(kFrame), period = pendulumPeriod(amplitude) / omega0;
    Track angle(step), rate(step);
    for (int i = 0; i <= frames(std::max(10.0, 2.3 * period)); ++i) {
        if (i > 0) world.step(kFrame);
        Vec3d x = widen(world.centerOfMass(body));
        angle.add(std::atan2(x.x, -x.y));
        rate.add(static_cast<double>(world.angularVelocity(body).z));
    }
    std::vector<double> down = angle.falls(), up = angle.rises();
    down.insert(down.end(), up.begin(), up.end());
    std::sort(down.begin(), down.end());

    double last = 0;
    for (double t : rate.rises()) last = std::max(last, t);
    for (double t : rate.falls()) last = std::max(last, t);
    double lost = std::abs(std::abs(angle.at(last)) / amplitude - 1);
    using enum Measured::Kind;
    return {{Relative, "period / period of small swings", pendulumPeriod(amplitude) / (2 * std::numbers::pi),
             2 * spacing(down) * omega0 / (2 * std::numbers::pi), 0.005, 1e-5},
            {AtMost, "change of amplitude in 10 s", 0, lost, 0.01, 1e-4}};
}

std::vector<Measured> bob(double amplitude, JointType type, Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    BodyId body = addBob(world, amplitude, type);
    return swingOf(world, body, amplitude, std::sqrt(kGravity / bobInertia()));
}

std::vector<Measured> bar(double amplitude, Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    Bar of;
    Hung hung = hang(world, of, amplitude);
    double omega0 = std::sqrt(of.mass * kGravity * of.length / 2 / of.inertiaOfHinge());
    return swingOf(world, hung.body, amplitude, omega0);
}

} // namespace

double pendulumPeriod(double amplitude) {
    double c = std::cos(amplitude / 2);
    return 4 * ellipticK(c * c);
}

double conicalRate(double angle) { return 1 / std::sqrt(std::cos(angle)); }
double conicalTension(double angle) { return 1 / std::cos(angle); }

std::vector<Measured> conicalPendulum(double angle, Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    BodyId body = addBob(world, angle, JointType::Ball);
    double unit = std::sqrt(kGravity), omega = conicalRate(angle) * unit;
    world.setAngularVelocity(body, at(0, omega));
    world.setVelocity(body, at(0, 0, -omega * std::sin(angle)));
    JointId joint = world.ids<JointId>().front();
    Track round(static_cast<double>(kFrame));
    Turns turns;
    double pull = 0, rise = 0;
    for (int i = 0; i <= frames(10); ++i) {
        if (i > 0) world.step(kFrame);
        Vec3d x = widen(world.centerOfMass(body));
        round.add(turns.add(std::atan2(-x.z, x.x)));
        rise = worse(rise, std::abs(std::acos(-x.y / length(x)) / angle - 1));
        if (i > 0) pull += length(widen(world.jointForces(joint).force)) / frames(10);
    }
    using enum Measured::Kind;
    return {
        {Relative, "rate of turning / sqrt(g / L)", conicalRate(angle), round.slope() / unit, 0.005, 1e-5},
        {Relative, "pull on the joint / m g", conicalTension(angle), pull / kGravity, 0.005, 1e-4},
        {AtMost, "change of the cone's angle in 10 s", 0, rise, 0.01, 1e-4}};
}

std::vector<Row> runPendula(const Options& options) {
    std::vector<double> widths = {30, 90, 150, 170}, bars = {30}, cones = {30};
    if (options.full) {
        widths = {5, 10, 30, 45, 60, 90, 120, 150, 170, 179};
        bars = {5, 30, 90, 150};
        cones = {5, 15, 30, 45, 60, 75};
    }
    Sheet sheet("B3", options, static_cast<int>(widths.size() + bars.size() + cones.size()) + 1);
    Resolution base = {0, kDynamicSubsteps};
    auto name = [](const char* what, double degrees) {
        char text[80];
        std::snprintf(text, sizeof text, "%s, %g degrees", what, degrees);
        return std::string(text);
    };
    for (double d : widths) {
        sheet.refine(name("bob on a hinge", d), base,
                     [&](Resolution r) { return bob(d * kDegree, JointType::Hinge, r); });
    }
    sheet.refine(name("bob on a ball joint", 90), base,
                 [](Resolution r) { return bob(90 * kDegree, JointType::Ball, r); });
    for (double d : bars)
        sheet.refine(name("bar on a hinge", d), base, [&](Resolution r) { return bar(d * kDegree, r); });
    for (double d : cones) {
        sheet.refine(name("conical pendulum", d), base,
                     [&](Resolution r) { return conicalPendulum(d * kDegree, r); });
    }
    return sheet.take();
}

} // namespace capstan::validation
