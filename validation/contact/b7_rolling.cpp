// SPDX-License-Identifier: MIT
// B7: round bodies roll or slip on a slope. Their inertia is k m r^2 (sphere 2/5, cylinder 1/2, thin sphere 2/3).
//
//   rolls at  g sin a / (1 + k)  while  tan a <= mu (1 + k) / k,  and slips on steeper slopes:
//     acceleration g (sin a - mu cos a),  angular acceleration  mu g cos a / (k r)
//   launched sliding on level ground at v0: rolls after  v0 / (mu g (1 + 1/k))  at  v0 / (1 + k)
// a is the angle of the slope, mu the friction coefficient, m the mass and r the radius.
#include <validation/contact/contact.hpp>
#include <validation/harness/suite.hpp>
#include <validation/harness/track.hpp>

#include <capstan/math/quat.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kRadius = 0.1; // m

struct Round {
    const char* name;
    bool cylinder = false;
    double k = 0.4; // moment of inertia / (m r^2), about the axis of rolling
};
constexpr Round kSphere = {"sphere", false, 0.4}, kCylinder = {"cylinder", true, 0.5},
                kThinSphere = {"thin sphere", false, 2.0 / 3};

// A body that rolls downhill along x on ground that is tilted about z. A cylinder lies with its axis along z.
class Roller {
public:
    Roller(const Round& round, double mu, double angle, double speed, Resolution resolution)
        : world_({.substeps = resolution.substeps}), down_({std::cos(angle), -std::sin(angle), 0}) {
        Quatd tilt = Quatd::fromAxisAngle({0, 0, 1}, -angle);
        BodyDef ground;
        ground.type = BodyType::Static;
        ground.shape = Plane{};
        ground.rotation = {0, 0, static_cast<float>(tilt.z), static_cast<float>(tilt.w)};
        ground.material.friction = static_cast<float>(mu);
        world_.add(ground);
        BodyDef body;
        body.mass = 1;
        if (round.cylinder) {
            float half = std::sqrt(0.5f);
            body.shape =
                ShapeDef(Cylinder{static_cast<float>(kRadius), 0.2f}).at({0, 0, 0}, {half, 0, 0, half});
        } else {
            body.shape = Sphere{static_cast<float>(kRadius)};
            auto inertia = static_cast<float>(round.k * kRadius * kRadius);
            body.inertia = {inertia, inertia, inertia};
        }
        body.position = narrow(rotate(tilt, Vec3d{0, kRadius, 0}));
        body.material.friction = static_cast<float>(mu);
        body.velocity = narrow(speed * down_);
        body_ = world_.add(body);
    }
    void step() { world_.step(kFrame); }
    double speed() const { return dot(widen(world_.velocity(body_)), down_); }
    double rim() const { return -kRadius * static_cast<double>(world_.angularVelocity(body_).z); } // m/s
    double slip() const { return speed() - rim(); }

private:
    World world_;
    BodyId body_;
    Vec3d down_;
};

struct Rates {
    double speed = 0, rim = 0, slip = 0; // m/s^2
};

// Measures the rates after 0.1 s, when the body has settled.
Rates rates(Roller& body, double seconds) {
    Track speed(static_cast<double>(kFrame)), rim(static_cast<double>(kFrame)),
        slip(static_cast<double>(kFrame));
    for (int i = 0; i < frames(seconds); ++i) {
        body.step();
        if (i < frames(0.1)) continue;
        speed.add(body.speed());
        rim.add(body.rim());
        slip.add(body.slip());
    }
    return {speed.slope(), rim.slope(), slip.slope()};
}

std::vector<Measured> rolls(const Round& round, double mu, double angle, Resolution resolution) {
    Roller body(round, mu, angle, 0, resolution);
    Rates got = rates(body, 1);
    using enum Measured::Kind;
    return {{Relative, "acceleration (m/s^2)", rollAcceleration(round.k, angle), got.speed, 0.01, 0.001},
            {AtMost, "slip / distance", 0, std::abs(got.slip / got.speed), 0.01, 0.001}};
}

// Measures just below and just above the steepest slope on which the body rolls, and far above it.
std::vector<Measured> slipping(const Round& round, double mu, Resolution resolution) {
    auto at = [&](double times) {
        double angle = std::atan(times * rollSlope(round.k, mu));
        Roller body(round, mu, angle, 0, resolution);
        return std::pair(angle, rates(body, 1));
    };
    auto slipping = [&](double angle) {
        return slideAcceleration(mu, angle) - mu * kGravity * std::cos(angle) / round.k;
    };
    auto [below, grips] = at(0.98);
    auto [above, gives] = at(1.02);
    auto [beyond, free] = at(1.5);
    using enum Measured::Kind;
    return {{AtMost, "0.98 of the steepest slope: slip / distance", 0, std::abs(grips.slip / grips.speed),
             0.001, 0},
            {AtMost, "1.02 of the steepest slope: missing slip / slip", 0, 1 - gives.slip / slipping(above),
             0.5, 0},
            {Relative, "1.5 of the steepest slope: acceleration (m/s^2)", slideAcceleration(mu, beyond),
             free.speed, 0.01, 0.001},
            {Relative, "1.5 of the steepest slope: acceleration of the rim",
             mu * kGravity * std::cos(beyond) / round.k, free.rim, 0.01, 0.001}};
}

std::vector<Measured> launched(const Round& round, double mu, double speed, Resolution resolution) {
    double until = rollTime(round.k, mu, speed);
    Roller body(round, mu, 0, speed, resolution);
    Track slip(static_cast<double>(kFrame));
    int count = frames(2 * until + 0.2);
    for (int i = 0; i <= count; ++i) {
        if (i > 0) body.step();
        if (i <= frames(0.9 * until)) slip.add(body.slip());
    }
    using enum Measured::Kind;
    return {{Relative, "speed when rolling begins / v0", rollSpeed(round.k, 1), body.speed() / speed, 0.01,
             0.001},
            {AtMost, "slip when rolling begins / v0", 0, std::abs(body.slip()) / speed, 0.001, 0},
            {Relative, "time until rolling begins (s), from the decrease of slip", until,
             -speed / slip.slope(), 0.01, 0.001}};
}

std::string name(const char* format, const char* what, double a, double b) {
    char text[80];
    std::snprintf(text, sizeof text, format, what, a, b);
    return text;
}

} // namespace

double rollAcceleration(double k, double angle) { return kGravity * std::sin(angle) / (1 + k); }
double rollSlope(double k, double mu) { return mu * (1 + k) / k; }
double rollSpeed(double k, double speed) { return speed / (1 + k); }
double rollTime(double k, double mu, double speed) { return speed / (mu * kGravity * (1 + 1 / k)); }

std::vector<Row> runRolling(const Options& options) {
    std::vector<Round> rounds = {kSphere, kCylinder};
    std::vector<double> angles = {10}, mus = {0.1};
    if (options.full) {
        rounds.push_back(kThinSphere);
        angles = {5, 10, 20, 30};
        mus = {0.1, 0.3};
    }
    Resolution base = {0, kContactSubsteps};
    Sheet sheet("B7", options, static_cast<int>(rounds.size() * (angles.size() + 2 * mus.size())));
    for (const Round& round : rounds) {
        for (double degrees : angles)
            sheet.refine(name("%s, mu = %g, %g degrees steep", round.name, 0.3, degrees), base,
                         [&](Resolution r) { return rolls(round, 0.3, degrees * kDegree, r); });
        for (double mu : mus) {
            sheet.refine(name("%s, mu = %g, slope around %.3g degrees", round.name, mu,
                              std::atan(rollSlope(round.k, mu)) / kDegree),
                         base, [&](Resolution r) { return slipping(round, mu, r); });
            sheet.refine(name("%s, mu = %g, launched sliding at %g m/s", round.name, mu, 2), base,
                         [&](Resolution r) { return launched(round, mu, 2, r); });
        }
    }
    return sheet.take();
}

} // namespace capstan::validation
