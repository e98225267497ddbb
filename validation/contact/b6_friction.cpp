// SPDX-License-Identifier: MIT
// B6: a block on a slope obeys Coulomb's law. The result must not depend on the directions of the slope and the block.
//
//   sticks while tan a <= mu;   slides at  g (sin a - mu cos a);   on level ground stops after  v^2 / (2 mu g)
//
// a is the angle of the slope, mu the friction coefficient, v the initial speed. Directions are varied because a
// friction cone that is approximated by planes is up to sqrt 2 wider along its edges.
#include <validation/contact/contact.hpp>
#include <validation/harness/suite.hpp>
#include <validation/harness/track.hpp>

#include <capstan/math/quat.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kDegree = std::numbers::pi / 180;

struct Slope {
    double mu = 0.5;
    double angle = 0;    // rad, steepness
    double downhill = 0; // rad, direction of descent, about the vertical
    double yaw = 0;      // rad, rotation of the block about the slope's normal
};

Quatf narrowed(Quatd q) {
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
            static_cast<float>(q.w)};
}

// A block at rest on the slope. It is so flat that it cannot tip over.
class Block {
public:
    Block(const Slope& slope, double speed, Resolution resolution)
        : world_({.substeps = resolution.substeps}) {
        Quatd tilt =
            Quatd::fromAxisAngle({0, 1, 0}, slope.downhill) * Quatd::fromAxisAngle({0, 0, 1}, -slope.angle);
        down_ = rotate(tilt, Vec3d{1, 0, 0});
        BodyDef ground;
        ground.type = BodyType::Static;
        ground.shape = Plane{};
        ground.rotation = narrowed(tilt);
        ground.material.friction = static_cast<float>(slope.mu);
        world_.add(ground);
        BodyDef block;
        block.shape = Box{{0.3f, 0.1f, 0.2f}};
        block.position = narrow(rotate(tilt, Vec3d{0, 0.05, 0}));
        block.rotation = narrowed(tilt * Quatd::fromAxisAngle({0, 1, 0}, slope.yaw));
        block.material.friction = static_cast<float>(slope.mu);
        block.velocity = narrow(speed * down_);
        block_ = world_.add(block);
    }
    void step() { world_.step(kFrame); }
    double way() const { return dot(widen(world_.centerOfMass(block_)), down_); }
    double speed() const { return dot(widen(world_.velocity(block_)), down_); }
    Vec3d center() const { return widen(world_.centerOfMass(block_)); }

private:
    World world_;
    BodyId block_;
    Vec3d down_ = {0, 0, 0};
};

// Returns the distance [m] that the block creeps in any direction, after half a second for settling.
double creep(const Slope& slope, double seconds, Resolution resolution) {
    Block block(slope, 0, resolution);
    for (int i = 0; i < frames(0.5); ++i) block.step();
    Vec3d before = block.center();
    for (int i = 0; i < frames(seconds); ++i) block.step();
    return length(block.center() - before) / seconds;
}

double acceleration(const Slope& slope, Resolution resolution) {
    Block block(slope, 0, resolution);
    Track speed(static_cast<double>(kFrame));
    for (int i = 0; i < frames(1); ++i) {
        block.step();
        if (i >= frames(0.1)) speed.add(block.speed());
    }
    return speed.slope();
}

std::vector<Measured> stickOrSlide(Slope slope, double seconds, Resolution resolution) {
    double limit = std::atan(slope.mu);
    slope.angle = 0.98 * limit;
    double stays = creep(slope, seconds, resolution);
    slope.angle = 1.02 * limit;
    double expected = slideAcceleration(slope.mu, slope.angle) * seconds * seconds / 2;
    Block block(slope, 0, resolution);
    for (int i = 0; i < frames(seconds); ++i) block.step();
    using enum Measured::Kind;
    return {
        {AtMost, "creep at 0.98 of the angle (m/s)", 0, stays, 1e-5, 0},
        {AtMost, "at 1.02 of the angle: missing distance / distance", 0, 1 - block.way() / expected, 0.5, 0}};
}

std::vector<Measured> slide(Slope slope, Resolution resolution) {
    double expected = slideAcceleration(slope.mu, slope.angle), straight = acceleration(slope, resolution);
    Slope other = slope;
    other.downhill = 45 * kDegree;
    double turned = acceleration(other, resolution);
    other.yaw = 30 * kDegree;
    double skew = acceleration(other, resolution);
    double spread = std::max({straight, turned, skew}) / std::min({straight, turned, skew}) - 1;
    using enum Measured::Kind;
    return {{Relative, "acceleration along x (m/s^2)", expected, straight, 0.01, 0},
            {Relative, "acceleration at 45 degrees to the axes", expected, turned, 0.01, 0},
            {Relative, "acceleration at 45 degrees, block lying askew", expected, skew, 0.01, 0},
            {AtMost, "difference between directions", 0, spread, 0.01, 0}};
}

// The time of stopping is known to one substep. The gate is 1 %, or more if the block moves farther in a substep.
std::vector<Measured> stop(double mu, double speed, Resolution resolution) {
    double expected = stopDistance(mu, speed);
    double substep = static_cast<double>(kFrame) / resolution.substeps;
    double gate = std::max(0.01, substep * speed / 2 / expected);
    std::vector<Measured> list;
    for (double degrees : {0.0, 45.0}) {
        Slope level = {mu, 0, degrees * kDegree, 0};
        Block block(level, speed, resolution);
        for (int i = 0; i < frames(stopTime(mu, speed) + 0.5); ++i) block.step();
        list.push_back({Measured::Kind::Relative,
                        degrees == 0 ? "distance along x (m)" : "distance at 45 degrees (m)", expected,
                        block.way(), gate, 0});
    }
    return list;
}

std::string name(const char* format, double a, double b) {
    char text[80];
    std::snprintf(text, sizeof text, format, a, b);
    return text;
}

} // namespace

double slideAcceleration(double mu, double angle) {
    return std::max(0.0, kGravity * (std::sin(angle) - mu * std::cos(angle)));
}
double stopDistance(double mu, double speed) { return speed * speed / (2 * mu * kGravity); }
double stopTime(double mu, double speed) { return speed / (mu * kGravity); }

std::vector<Row> runBlock(const Options& options) {
    std::vector<double> mus = {0.3}, angles = {30}, speeds = {3};
    if (options.full) {
        mus = {0.1, 0.2, 0.3, 0.5, 0.8};
        angles = {20, 30, 40, 50};
        speeds = {1, 3};
    }
    double seconds = options.full ? 60 : 5;
    Resolution base = {0, kContactSubsteps};
    Sheet sheet("B6", options, static_cast<int>(mus.size() * (2 + angles.size() + speeds.size())));
    for (double mu : mus) {
        for (double degrees : {0.0, 45.0}) {
            Slope slope = {mu, 0, degrees * kDegree, 0};
            sheet.refine(name("mu = %g, slope falling at %g degrees to x", mu, degrees), base,
                         [&](Resolution r) { return stickOrSlide(slope, seconds, r); });
        }
        for (double degrees : angles) {
            // The acceleration g (sin a - mu cos a) must be right to 1 %. Near the limit of sticking it is a small
            // difference of two large terms. Such slopes are left out, as are those on which the block sticks.
            if (std::tan(degrees * kDegree) < 1.2 * mu) continue;
            sheet.refine(name("mu = %g, %g degrees steep", mu, degrees), base, [&](Resolution r) {
                return slide({mu, degrees * kDegree, 0, 0}, r);
            });
        }
        for (double speed : speeds)
            sheet.refine(name("mu = %g, stopping from %g m/s", mu, speed), base,
                         [&](Resolution r) { return stop(mu, speed, r); });
    }
    return sheet.take();
}

} // namespace capstan::validation
