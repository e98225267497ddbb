// SPDX-License-Identifier: MIT
// C1: the capstan equation. A rope wound around a fixed drum holds a ratio of pulls of up to
//   T2 / T1 = exp(mu theta)  (Euler 1762, Eytelwein 1808).
// Here theta is the angle between the two pulls T1 and T2, and mu the friction coefficient.
//
// The turns lie on a helix, so that they do not touch each other. A helix is a shortest path on the drum, so the
// contact force is along the normal. The curvature is cos^2(a) / R and the length theta R / cos(a), where a is the
// angle of the helix and R its radius. So the effective angle is theta cos(a).
//
// The largest ratio that holds is found by bisection. Each trial starts from one snapshot, at 0.9 of the limit. The
// rope slips if it moves by more than 2 % of the drum's radius in a second. A ramp that raises the pull by 1 % a
// second was refused: it measures the same limit, but adds its own delay.
#include <validation/contact/contact.hpp>
#include <validation/harness/suite.hpp>

#include <capstan/check.hpp>
#include <capstan/math/quat.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kDrum = 0.1, kRadius = 0.005; // m, radius of the drum and of the rope
constexpr double kHold = 0.9;                  // fraction of the limit at which each trial starts

struct Winding {
    double mu = 0.3;
    double degrees = 360;
    double pull = 10; // N, T1
    Quatd turn = Quatd::identity();
    double centerline() const { return kDrum + kRadius; }
    double pitch() const { return 2.4 * kRadius; } // m, length of the helix along the drum's axis per turn
    double rise() const { return std::atan(pitch() / (2 * std::numbers::pi * centerline())); }
    double angle() const { return degrees * kDegree * std::cos(rise()); } // rad, effective angle theta cos(a)
};

class Drum {
public:
    Drum(const Winding& winding, Resolution resolution)
        : winding_(winding), world_({.gravity = {0, 0, 0}, .substeps = resolution.substeps}) {
        BodyDef drum;
        drum.type = BodyType::Static;
        drum.shape = Cylinder{static_cast<float>(kDrum), 0.4f};
        drum.rotation = {static_cast<float>(winding.turn.x), static_cast<float>(winding.turn.y),
                         static_cast<float>(winding.turn.z), static_cast<float>(winding.turn.w)};
        drum.material.friction = static_cast<float>(winding.mu);
        world_.add(drum);
        RopeDef rope;
        rope.points = path(resolution.segments);
        rope.segments = 0;
        rope.radius = static_cast<float>(kRadius);
        rope.material.friction = static_cast<float>(winding.mu);
        rope.damping = 5;
        rope_ = world_.add(rope);
        double half = winding.degrees * kDegree / 2;
        back_ = rotate(winding.turn, -tangent(-half));
        ahead_ = rotate(winding.turn, tangent(half));
    }

    World& world() { return world_; }
    RopeId rope() const { return rope_; }

    // Pulls for some seconds, while the ratio T2 / T1 and the pull change linearly from one value to another.
    void run(double seconds, double ratioFrom, double ratioTo, double pullFrom = 1) {
        int count = frames(seconds);
        for (int i = 1; i <= count; ++i) {
            double done = static_cast<double>(i) / count;
            double t1 = winding_.pull * (pullFrom + (1 - pullFrom) * done);
            double t2 = t1 * (ratioFrom + (ratioTo - ratioFrom) * done);
            world_.applyForce({rope_, first}, narrow(t1 * back_));
            world_.applyForce({rope_, last}, narrow(t2 * ahead_));
            world_.step(kFrame);
        }
    }

    // Returns the distance [m] that the rope has moved towards T2.
    double way() const {
        auto points = world_.positions(rope_);
        double front = dot(widen(Vec3(points.back())), ahead_),
               rear = dot(widen(Vec3(points.front())), back_);
        return (front - rear) / 2;
    }

private:
    Vec3d tangent(double t) const {
        double level = std::cos(winding_.rise());
        return {-std::sin(t) * level, std::sin(winding_.rise()), std::cos(t) * level};
    }

    // Points of the helix. Each straight segment touches the drum at its middle, with a small gap that the first pull
    // closes.
    std::vector<Vec3> path(int perTurn) const {
        int pieces = static_cast<int>(std::lround(winding_.degrees / 360 * perTurn)), tail = perTurn / 9;
        double total = winding_.degrees * kDegree, step = total / pieces;
        double radius = winding_.centerline() / std::cos(step / 2) * 1.0005;
        double rise = winding_.pitch() / (2 * std::numbers::pi);
        auto node = [&](double t) { return Vec3d{radius * std::cos(t), rise * t, radius * std::sin(t)}; };
        double piece = length(node(step) - node(0));
        std::vector<Vec3d> nodes;
        for (int k = tail; k > 0; --k) nodes.push_back(node(-total / 2) - piece * k * tangent(-total / 2));
        for (int k = 0; k <= pieces; ++k) nodes.push_back(node(step * k - total / 2));
        for (int k = 1; k <= tail; ++k) nodes.push_back(node(total / 2) + piece * k * tangent(total / 2));
        std::vector<Vec3> result;
        for (Vec3d p : nodes) result.push_back(narrow(rotate(winding_.turn, p)));
        return result;
    }

    Winding winding_;
    World world_;
    RopeId rope_;
    Vec3d back_ = {0, 0, 0}, ahead_ = {0, 0, 0}; // directions of the pulls T1 and T2
};

// Returns whether the rope slips after a change of the ratio. NaN counts as slipping.
bool slipping(Drum& drum, double from, double to) {
    drum.run(0.25, from, to);
    double before = drum.way();
    drum.run(1, to, to);
    return !(drum.way() - before <= 0.02 * kDrum);
}

// Returns the ln(T2 / T1) at which the rope slips.
double limit(Drum& drum, double exponent) {
    Snapshot start = drum.world().snapshot();
    double from = kHold * std::exp(exponent), low = std::log(from), high = exponent + std::log(1.2);
    while (high - low > 0.002 * exponent) {
        double mid = (low + high) / 2;
        drum.world().restore(start);
        (slipping(drum, from, std::exp(mid)) ? high : low) = mid;
    }
    drum.world().restore(start);
    return (low + high) / 2;
}

// Returns the relative tolerance of the exponent mu theta. The ratio T2 / T1 may be off by 5 % up to
// mu theta = 3.2 and by 10 % above. The tolerance is at most 2 %.
double gate(double exponent) { return std::min(0.02, (exponent <= 3.2 ? 0.05 : 0.1) / exponent); }

std::vector<Measured> hold(const Winding& winding, double seconds, Resolution resolution) {
    Drum drum(winding, resolution);
    double exponent = winding.mu * winding.angle();
    double from = kHold * capstanRatio(winding.mu, winding.angle());
    drum.run(0.5, 1, 1, 0);
    drum.run(0.5, 1, 1);
    drum.run(1, 1, from);
    RopeDef wanted = drum.world().def(drum.rope());
    wanted.damping = 0;
    Status undamped = drum.world().update(drum.rope(), wanted);
    if (!CAPSTAN_CHECK(undamped.has_value(), "damping could not be switched off")) return {};
    drum.run(0.5, from, from);
    double reached = limit(drum, exponent), before = drum.way();
    drum.run(seconds, from, from);
    double creep = std::abs(drum.way() - before) / seconds / kDrum;
    using enum Measured::Kind;
    return {{Relative, "ln(T2 / T1) / (mu theta)", 1, reached / exponent, gate(exponent), 0},
            {AtMost, "creep at 0.9 of the limit (drum radii a second)", 0, creep, 1e-4, 0}};
}

std::string nameOf(const Winding& w, const char* how) {
    char text[100];
    std::snprintf(text, sizeof text, "mu = %g, %g degrees, T1 = %g N%s", w.mu, w.degrees, w.pull, how);
    return text;
}

} // namespace

double capstanRatio(double mu, double angle) { return std::exp(mu * angle); }

std::vector<Row> runCapstan(const Options& options) {
    std::vector<double> wraps = {180, 360}, mus = {0.3};
    if (options.full) {
        wraps = {90, 180, 360, 540, 720};
        mus = {0.1, 0.2, 0.3, 0.4, 0.5, 0.8};
    }
    struct Part {
        Winding winding;
        const char* how;
    };
    std::vector<Part> parts;
    for (double degrees : wraps)
        for (double mu : mus) parts.push_back({{mu, degrees, 10, Quatd::identity()}, ""});
    for (double pull : {1.0, 100.0}) parts.push_back({{0.3, 360, pull, Quatd::identity()}, ""});
    // A friction cone that is approximated by planes is narrower along some directions than along others.
    double eighth = std::numbers::pi / 4;
    Quatd about[] = {Quatd::fromAxisAngle({0, 1, 0}, eighth), Quatd::fromAxisAngle({0, 0, 1}, eighth),
                     Quatd::fromAxisAngle(normalize(Vec3d{1, 2, 3}), 1.0)};
    const char* how[] = {", turned 45 degrees about the drum", ", drum leaning 45 degrees",
                         ", in a random orientation"};
    for (int k = 0; k < 3; ++k) parts.push_back({{0.3, 360, 10, about[k]}, how[k]});

    Sheet sheet("C1", options, static_cast<int>(parts.size()));
    for (const Part& part : parts) {
        sheet.refine(nameOf(part.winding, part.how), {36, kContactSubsteps},
                     [&](Resolution r) { return hold(part.winding, options.full ? 60 : 2, r); });
    }
    return sheet.take();
}

} // namespace capstan::validation
