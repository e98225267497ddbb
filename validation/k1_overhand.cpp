// SPDX-License-Identifier: MIT
// K1: what it takes to draw a loose overhand knot tight, and to loosen it.
//
//   F = B / 2 R^2  +-  mu sigma_n B h^-1/2 R^-3/2,   e = L - span = 2 pi R
//
// for a rod of radius h and bending stiffness B, without twist, to leading order in n sqrt(h / e): B. Audoly,
// N. Clauvelin and S. Neukirch, "Elastic knots" (2007); knots of 2 n + 1 crossings: M. Jawed, P. Dieleman,
// B. Audoly and P. Reis (2015). sigma_n is the contact force of two strands that wind about each other; each
// more winding adds that of a uniform double helix, pi 12^(1/4) / 6. The law's own error is of the order of
// sqrt(h / R), a tenth here, so its powers and ratios are judged, and its absolute value only reported.
//
// The knot is laid wide, drawn to R without friction, and the force read with the ends creeping at 1 mm/s:
// the difference that friction makes is the grip. Loosening is read too where the law says that the knot
// opens by itself; a tighter one stays put.
//
// The rod is laid soft and stiffened in a second, so that no corner of the lay snaps. It is heavy, which
// makes it slow and stable and at 1 mm/s changes nothing: what its damping costs is in both forces and
// leaves the grip.
#include <validation/suite.hpp>
#include <validation/touch.hpp>

#include <capstan/check.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kThick = 0.001, kBend = 1e-3; // h (m), B (N m^2)
constexpr double kMass = 0.35;                 // kg/m
constexpr double kCreep = 0.001;               // m/s, both ends together
constexpr double kNone = std::numeric_limits<double>::infinity();

// The strands run side by side along x from -w to w while they wind about each other. From there one of
// them is the straight tail and the other bends up into the loop: at x they are as far apart as a circle
// is from its tangent, but never nearer than they may be.
struct Lay {
    Overhand knot;
    double width() const { return std::min(1.2 * knot.contact(), 0.6 * knot.R); }
    double above(double x) const { return knot.R - std::sqrt(knot.R * knot.R - x * x); }

    // sign 1: the strand that comes in as the left tail; -1: the other.
    Vec3d strand(double x, double sign) const {
        double s = std::clamp((x / width() + 1) / 2, 0.0, 1.0), ease = s * s * (3 - 2 * s);
        double angle = (2 * knot.n + 1) * std::numbers::pi * (ease - 1);
        double apart = std::hypot(2.4 * knot.h, above(x)) / 2 * sign;
        return {x, above(x) / 2 + apart * std::cos(angle), apart * std::sin(angle)};
    }

    std::vector<Vec3> path(double tail) const {
        constexpr int count = 400;
        double w = width(), begin = std::asin(w / knot.R);
        std::vector<Vec3> points = {narrow(strand(-w, 1) - Vec3d{tail, 0, 0})};
        for (int i = 0; i <= count; ++i) points.push_back(narrow(strand(-w + 2 * w * i / count, 1)));
        for (int i = 1; i < count; ++i) {
            double angle = begin + (2 * std::numbers::pi - 2 * begin) * i / count;
            points.push_back(at(knot.R * std::sin(angle), knot.R - knot.R * std::cos(angle)));
        }
        for (int i = 0; i <= count; ++i) points.push_back(narrow(strand(-w + 2 * w * i / count, -1)));
        points.push_back(narrow(strand(w, -1) + Vec3d{tail, 0, 0}));
        return points;
    }
};

// rad/s, of the loop's own motions.
double slowest(const Overhand& knot) { return std::sqrt(knot.B / kMass) / (knot.R * knot.R); }

class Knot {
public:
    // Laid 1.2 times as wide as it is wanted.
    Knot(Overhand knot, Resolution resolution)
        : world_({.gravity = {0, 0, 0}, .substeps = resolution.substeps}) {
        Lay lay = {knot};
        lay.knot.R *= 1.2;
        RopeDef def;
        def.points = lay.path(0.5 * knot.R);
        def.segments = resolution.segments;
        def.radius = static_cast<float>(knot.h);
        def.density = static_cast<float>(kMass / (std::numbers::pi * knot.h * knot.h));
        def.friction = 0;
        def.damping = static_cast<float>(slowest(knot));
        def.pins = {first, last};
        rope_ = world_.add(def);
        for (float l : world_.restLengths(rope_)) length_ += static_cast<double>(l);
        left_ = widen(Vec3(world_.points(rope_).front()));
        right_ = widen(Vec3(world_.points(rope_).back()));
        for (int i = 0; i <= frames(1); ++i) {
            double done = static_cast<double>(i) / frames(1);
            edit(
                [&](RopeDef& d) { d.bendStiffness = static_cast<float>(knot.B * std::pow(0.01, 1 - done)); });
            world_.step(kFrame);
        }
    }

    double loop() const { return (length_ - length(right_ - left_)) / (2 * std::numbers::pi); } // R

    // Moves the ends apart, or together, by `way` in all.
    void draw(double way, double speed) {
        int count = std::max(1, frames(std::abs(way) / speed));
        for (int i = 0; i < count; ++i) {
            Vec3d step = way / (2.0 * count) * normalize(right_ - left_);
            left_ -= step, right_ += step;
            world_.pin(rope_, first, narrow(left_));
            world_.pin(rope_, last, narrow(right_));
            world_.step(kFrame);
            remember();
        }
    }
    void wait(double seconds) {
        for (int i = 0; i < frames(seconds); ++i) world_.step(kFrame), remember();
    }
    void rub(double mu) {
        edit([&](RopeDef& def) { def.friction = static_cast<float>(mu); });
    }

    // N, mean of both ends and of the last second.
    double force() const {
        double sum = 0;
        for (double f : seen_) sum += f / static_cast<double>(seen_.size());
        return sum;
    }

private:
    void edit(const std::function<void(RopeDef&)>& change) {
        Status changed = world_.edit(rope_, change);
        CAPSTAN_CHECK(changed.has_value(), "the rod could not be edited");
    }
    void remember() {
        auto tension = world_.tension(rope_);
        seen_[next_++ % seen_.size()] =
            (static_cast<double>(tension.front()) + static_cast<double>(tension.back())) / 2;
    }

    World world_;
    RopeId rope_;
    double length_ = 0;
    Vec3d left_ = {0, 0, 0}, right_ = {0, 0, 0};
    std::array<double, 60> seen_ = {};
    std::size_t next_ = 0;
};

// Forces / those of the law.
struct Read {
    double elastic = 0, grip = 0, loosening = 0;
};

Read readKnot(Overhand knot, double mu, Resolution resolution) {
    Knot rod(knot, resolution);
    double rest = std::max(1.0, 10 / slowest(knot));
    rod.wait(rest);
    double way = Overhand::endShortening(rod.loop()) - Overhand::endShortening(knot.R);
    rod.draw(way, 0.1);
    rod.wait(rest);
    // Far enough that all that touches slides, not so far that R changes.
    double slide = 0.01 * Overhand::endShortening(knot.R);
    rod.draw(slide, kCreep);
    Overhand now = knot;
    now.R = rod.loop();
    double smooth = rod.force();
    rod.rub(mu);
    rod.draw(slide, kCreep);
    Overhand then = knot;
    then.R = rod.loop();
    // The smooth force a little farther on, by its own law.
    double tight = rod.force() - smooth * then.elastic() / now.elastic();
    Read read = {smooth / now.elastic(), tight / (mu * then.grip()), 0};
    if (mu * then.grip() < 0.8 * then.elastic()) {
        rod.draw(-2 * slide, kCreep);
        then.R = rod.loop();
        double loose = smooth * then.elastic() / now.elastic() - rod.force();
        read.loosening = loose / (mu * then.grip());
    }
    return read;
}

// Exponents, and how the grip goes with mu, from knots of one crossing number at two sizes.
std::vector<Measured> simple(double wide, double narrowR, double mu, Resolution r) {
    Read a = readKnot({1, kThick, kBend, wide}, mu, r), b = readKnot({1, kThick, kBend, narrowR}, mu, r);
    Read twice = readKnot({1, kThick, kBend, narrowR}, 2 * mu, r);
    // Forces / law cancel all but the law's power of R.
    double power = -1.5 + std::log(a.grip / b.grip) / std::log(wide / narrowR);
    using enum Measured::Kind;
    return {{Relative, "smooth, the wide one: F / (B / 2 R^2)", 1, a.elastic, 0.15, 0.1},
            {Relative, "smooth, the narrow one: F / (B / 2 R^2)", 1, b.elastic, 0.15, 0.1},
            {Relative, "power of R in the grip", -1.5, power, 0.1, 0},
            {Relative, "grip at twice the friction / grip", 2, 2 * twice.grip / b.grip, 0.1, 0},
            {Relative, "grip tightening / law, the wide one", 1, a.grip, kNone, 0.1},
            {Relative, "grip tightening / law, the narrow one", 1, b.grip, kNone, 0.1},
            {Relative, "grip loosening / law, the narrow one", 1, b.loosening, kNone, 0.1}};
}

std::vector<Measured> windings(double R, double mu, Resolution r) {
    std::vector<Measured> list;
    Read one = readKnot({1, kThick, kBend, R}, mu, r);
    for (int n : {2, 3}) {
        Overhand more = {n, kThick, kBend, R}, less = {1, kThick, kBend, R};
        double expected = more.grip() / less.grip();
        double got = expected * readKnot(more, mu, r).grip / one.grip;
        list.push_back({Measured::Kind::Relative,
                        "grip of " + std::to_string(2 * n + 1) + " crossings / grip of 3", expected, got, 0.2,
                        0});
    }
    return list;
}

} // namespace

double Overhand::elastic() const { return B / (2 * R * R); }

double Overhand::grip() const {
    // The first from solving the winding's free boundary problem; beyond the second each adds a helix.
    constexpr double sigma[] = {0.4923009124, 1.466842245};
    double more = std::numbers::pi * std::pow(12, 0.25) / 6;
    double s = n == 1 ? sigma[0] : sigma[1] + (n - 2) * more;
    return s * B / (std::sqrt(h) * R * std::sqrt(R));
}

double Overhand::contact() const {
    return (n == 1 ? 3.792184 : 9.636382 + 5.847163 * (n - 2)) * std::sqrt(h * R);
}

std::vector<Row> runOverhand(const Options& options) {
    std::vector<std::array<double, 2>> sizes = {{0.1, 0.05}};
    if (options.full) sizes = {{0.1, 0.05}, {0.2, 0.1}, {0.2, 0.05}, {0.14, 0.07}};
    Sheet sheet("K1", options, static_cast<int>(sizes.size()) + (options.full ? 1 : 0));
    Resolution base = {options.full ? 201 : 151, kDynamicSubsteps};
    for (auto [wide, narrowR] : sizes) {
        char what[80];
        std::snprintf(what, sizeof what, "3 crossings, loops of R = %g and %g m", wide, narrowR);
        double w = wide, n = narrowR; // structured bindings are not captured
        sheet.refine(what, base, [w, n](Resolution r) { return simple(w, n, 0.05, r); });
    }
    if (options.full)
        sheet.refine("5 and 7 crossings, R = 0.2 m", base,
                     [](Resolution r) { return windings(0.2, 0.05, r); });
    return sheet.take();
}

} // namespace capstan::validation
