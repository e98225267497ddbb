// SPDX-License-Identifier: MIT
// K1: what it takes to draw a loose overhand knot tight, and to loosen it.
//
//   F = B / 2 R^2  +-  mu sigma_n B h^-1/2 R^-3/2,   e = L - span = 2 pi R
//
// for a rod of radius h and bending stiffness B, without twist, to leading order in n sqrt(h / e): B. Audoly,
// N. Clauvelin and S. Neukirch, "Elastic knots" (2007); knots of 2 n + 1 crossings: M. Jawed, P. Dieleman,
// B. Audoly and P. Reis (2015). sigma_n is the contact force of two strands that wind about each other; each
// more winding adds that of a uniform double helix, pi 12^(1/4) / 6.
//
// How far the law itself is off at these sizes is known from the knot of least energy (overhand_still.cpp): the pull by
// 9, 12 and 18 % at R = 0.2, 0.1 and 0.05 m, the grip by 30, 42 and 65 %, so that its power of R between the
// last two is -1.72. Hence the engine is judged by the least energy at each size, and by the law in its limit: two sizes,
// drawn on in a line over sqrt(h / R) to a thin rod. From 0.1 and 0.05 m that line multiplies what is off by three and leads
// the least energy itself to 0.85 of the law's grip: so there, too, the least energy is what the grip is judged by.
//
// The knot is laid wide, drawn to R, and its ends creep at 1 mm/s out and back in, without friction and with it. Forces are
// means over a segment's length: a polygon's grip on another goes up and down with it. The mean of out and in is the pull,
// and their difference the grip, less what it is without friction: drag. A knot that does not open by itself is only drawn
// tighter.
//
// Five and seven crossings ask for more. Their strands press on each other with a hundred times the pull, so that corners
// alone hold and release it while segments are much longer than the rod is thick: with 11 mm the pull goes from a fifth
// of its mean to twice that, with 3 mm by a tenth. With friction the windings give way by centimetres before they slide.
// And friction of 0.05 pulls four times as hard as the knot itself, which draws the windings tighter, so that they grip more:
// what is compared with the grip of least energy, which knows no friction, is drawn on in a line from 0.05 and 0.025 to none.
//
// The rod is laid soft and stiffened in a second, so that no corner of the lay snaps.
#include <validation/overhand.hpp>
#include <validation/suite.hpp>

#include <capstan/check.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <tuple>

namespace capstan::validation {

namespace {

constexpr double kThick = 0.001, kBend = 1e-3; // h (m), B (N m^2)
constexpr double kMass = 0.05;                 // kg/m
constexpr double kCreep = 0.001;               // m/s, both ends together
constexpr double kFast = 0.1, kBrisk = 0.005;  // m/s, on the way to where something is read
constexpr double kTail = 1;                    // R
constexpr int kStillNodes = 400;
constexpr double kNone = std::numeric_limits<double>::infinity();

// rad/s, of the loop's own motions.
double slowest(const Overhand& knot) { return std::sqrt(knot.B / kMass) / (knot.R * knot.R); }

class Knot {
public:
    // Laid 1.2 times as wide as it is wanted.
    Knot(Overhand knot, Resolution resolution)
        : world_({.gravity = {0, 0, 0}, .substeps = resolution.substeps}) {
        Overhand wide = knot;
        wide.R *= 1.2;
        RopeDef def;
        for (Vec3d p : overhandPath(wide, kTail * knot.R)) def.points.push_back(narrow(p));
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
    double segment() const { return length_ / static_cast<double>(world_.restLengths(rope_).size()); }

    // Moves the ends apart, or together, by `way` in all. Returns the mean force, of both ends.
    double draw(double way, double speed) {
        const int count = std::max(1, frames(std::abs(way) / speed));
        double sum = 0;
        for (int i = 0; i < count; ++i) {
            Vec3d step = way / (2.0 * count) * normalize(right_ - left_);
            left_ -= step, right_ += step;
            world_.pin(rope_, first, narrow(left_));
            world_.pin(rope_, last, narrow(right_));
            world_.step(kFrame);
            const auto tension = world_.tension(rope_);
            sum += (static_cast<double>(tension.front()) + static_cast<double>(tension.back())) / 2;
        }
        return sum / count;
    }
    void wait(double seconds) {
        for (int i = 0; i < frames(seconds); ++i) world_.step(kFrame);
    }
    void rub(double mu) {
        edit([&](RopeDef& def) { def.friction = static_cast<float>(mu); });
    }

private:
    void edit(const std::function<void(RopeDef&)>& change) {
        Status changed = world_.edit(rope_, change);
        CAPSTAN_CHECK(changed.has_value(), "the rod could not be edited");
    }

    World world_;
    RopeId rope_;
    double length_ = 0;
    Vec3d left_ = {0, 0, 0}, right_ = {0, 0, 0};
};

struct Forces {
    double out = 0, in = 0; // N, while the ends go apart, and together
};

struct Read {
    double pull = 0, grip = 0; // N; the latter per unit of mu
};

// Whole segments: one, or in wound knots as many as go into 10 mm.
double readOver(const Overhand& knot, double segment) {
    return knot.n == 1 ? segment : segment * std::max(1.0, std::round(0.05 * knot.R / segment));
}

// A knot at R, half a segment and a little short of it: each reading goes over it, out and in. The little is what it takes
// until all that touches slides.
class Reader {
public:
    Reader(Overhand knot, Resolution resolution)
        : rod_(knot, resolution), l_(readOver(knot, rod_.segment())),
          little_(std::max(0.3 * rod_.segment(), knot.n == 1 ? 0.03 * knot.R : 0)),
          rest_(std::max(1.0, 10 / slowest(knot)) * (knot.n == 1 ? 1 : 3 * knot.n)) {
        rod_.wait(rest_);
        const double way = Overhand::endShortening(rod_.loop()) - Overhand::endShortening(knot.R);
        rod_.draw(way - 0.5 * l_ - little_, kFast);
        rod_.wait(rest_);
    }
    Forces outAndIn() {
        Forces f;
        f.out = out();
        rod_.draw(-little_, kCreep);
        f.in = rod_.draw(-l_, kCreep);
        return f;
    }
    double out() {
        rod_.draw(little_, kCreep);
        return rod_.draw(l_, kCreep);
    }
    // The same with friction, of which nothing is left afterwards, from so far back that all that touches slides.
    double roughOut(double mu, double way) {
        rod_.draw(-way, kFast);
        rod_.wait(rest_);
        rod_.rub(mu);
        rod_.draw(way, kBrisk);
        const double force = out();
        rod_.rub(0);
        rod_.draw(-l_ - little_, kFast);
        return force;
    }
    void rub(double mu) { rod_.rub(mu); }

private:
    Knot rod_;
    double l_, little_, rest_;
};

Read readKnot(Overhand knot, double mu, Resolution resolution) {
    Reader rod(knot, resolution);
    const Forces smooth = rod.outAndIn();
    const double pull = (smooth.out + smooth.in) / 2, drag = (smooth.out - smooth.in) / 2;
    rod.rub(mu);
    if (2 * mu * knot.grip() > 1.6 * knot.elastic()) return {pull, (rod.out() - smooth.out) / mu};
    const Forces rough = rod.outAndIn();
    return {pull, ((rough.out - rough.in) / 2 - drag) / mu};
}

struct WoundRead {
    double pull = 0, grip = 0,
           little = 0; // N; the grips per unit of mu: with friction mu, and with next to none
};

// It does not open by itself.
WoundRead readWound(Overhand knot, double mu, Resolution resolution) {
    Reader rod(knot, resolution);
    const Forces smooth = rod.outAndIn();
    const double way = 0.15 * knot.R * (knot.n - 1);
    const double half = (rod.roughOut(mu / 2, way) - smooth.out) / (mu / 2);
    const double whole = (rod.roughOut(mu, way) - smooth.out) / mu;
    return {(smooth.out + smooth.in) / 2, whole, 2 * half - whole};
}

// Values at two sizes over sqrt(h / R), and what they come to for a thin rod.
double thin(double wide, double atWide, double narrowR, double atNarrow) {
    const double a = std::sqrt(kThick / wide), b = std::sqrt(kThick / narrowR);
    return atWide + (atWide - atNarrow) * a / (b - a);
}

double power(double wide, double atWide, double narrowR, double atNarrow) {
    return std::log(atWide / atNarrow) / std::log(wide / narrowR);
}

struct Pair {
    Overhand wide, small;
    StillKnot wideStill, smallStill;
};

// The same size is in more than one pair.
class Readings {
public:
    Read of(const Overhand& knot, double mu, Resolution r) {
        auto [at, fresh] = reads_.try_emplace({knot.R, mu, r.segments, r.substeps});
        if (fresh) at->second = readKnot(knot, mu, r);
        return at->second;
    }
    StillKnot still(const Overhand& knot) {
        auto [at, fresh] = stills_.try_emplace(knot.R);
        if (fresh) at->second = stillOverhand(knot, kTail * knot.R, kStillNodes);
        return at->second;
    }

private:
    std::map<std::tuple<double, double, int, int>, Read> reads_;
    std::map<double, StillKnot> stills_;
};

Pair pairOf(Readings& read, double wide, double narrowR) {
    Pair p = {{1, kThick, kBend, wide}, {1, kThick, kBend, narrowR}, {}, {}};
    p.wideStill = read.still(p.wide);
    p.smallStill = read.still(p.small);
    return p;
}

std::vector<Measured> simple(Readings& read, const Pair& p, double mu, Resolution r) {
    const Read a = read.of(p.wide, mu, r), b = read.of(p.small, mu, r), c = read.of(p.small, 2 * mu, r);
    const double R = p.wide.R, S = p.small.R;
    const double pullA = a.pull / p.wide.elastic(), pullB = b.pull / p.small.elastic();
    const double gripA = a.grip / p.wide.grip(), gripB = b.grip / p.small.grip();
    const double thinStill =
        thin(R, p.wideStill.press / p.wide.grip(), S, p.smallStill.press / p.small.grip());
    using enum Measured::Kind;
    return {
        {Relative, "smooth, the wide one: F / that of least energy", 1, a.pull / p.wideStill.pull, 0.05,
         0.02},
        {Relative, "smooth, the narrow one: F / that of least energy", 1, b.pull / p.smallStill.pull, 0.05,
         0.02},
        {Relative, "grip, the wide one / that of least energy", 1, a.grip / p.wideStill.press, 0.1, 0.05},
        {Relative, "grip, the narrow one / that of least energy", 1, b.grip / p.smallStill.press, 0.1, 0.05},
        {Relative, "grip at twice the friction / grip", 2, 2 * c.grip / b.grip, 0.1, 0.05},
        {Relative, "power of R in the grip, as of least energy",
         power(R, p.wideStill.press, S, p.smallStill.press), power(R, a.grip, S, b.grip), 0.1, 0.05},
        {Relative, "smooth, a thin rod: F / (B / 2 R^2)", 1, thin(R, pullA, S, pullB), 0.15, 0.1},
        {Relative, "grip, a thin rod / law, as of least energy", thinStill, thin(R, gripA, S, gripB), 0.15,
         0.1},
        {Relative, "grip, a thin rod / law", 1, thin(R, gripA, S, gripB), kNone, 0.1},
        {Relative, "smooth, the wide one: F / (B / 2 R^2)", 1, pullA, kNone, 0.15},
        {Relative, "smooth, the narrow one: F / (B / 2 R^2)", 1, pullB, kNone, 0.15},
        {Relative, "power of R in the grip, as of the law", -1.5, power(R, a.grip, S, b.grip), kNone, 0.1}};
}

struct Wound {
    Overhand knot;
    StillKnot still;
};

std::vector<Wound> woundKnots(double R) {
    std::vector<Wound> list;
    for (int n : {2, 3}) {
        const Overhand knot = {n, kThick, kBend, R};
        list.push_back({knot, stillOverhand(knot, kTail * R, kStillNodes)});
    }
    return list;
}

std::vector<Measured> windings(const std::vector<Wound>& knots, double mu, Resolution r) {
    std::vector<Measured> list;
    for (const Wound& w : knots) {
        const WoundRead got = readWound(w.knot, mu, r);
        const std::string what = std::to_string(2 * w.knot.n + 1) + " crossings, ";
        using enum Measured::Kind;
        list.push_back(
            {Relative, what + "smooth: F / that of least energy", 1, got.pull / w.still.pull, 0.05, 0.02});
        list.push_back(
            {Relative, what + "grip / that of least energy", 1, got.little / w.still.press, 0.2, 0.05});
        list.push_back({Relative, what + "grip, friction 0.05 / that of least energy", 1,
                        got.grip / w.still.press, kNone, 0.2});
        list.push_back({Relative, what + "grip / law", 1, got.little / w.knot.grip(), kNone, 0.2});
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
    if (options.full) sizes = {{0.1, 0.05}, {0.2, 0.1}, {0.2, 0.05}};
    Sheet sheet("K1", options, static_cast<int>(sizes.size()) + (options.full ? 1 : 0));
    // So few substeps that all rods are bent with what they touch (touch_stiff.hpp): nothing here moves.
    Resolution base = {options.full ? 402 : 302, 4};
    Readings read;
    for (auto [wide, narrowR] : sizes) {
        char what[80];
        std::snprintf(what, sizeof what, "3 crossings, loops of R = %g and %g m", wide, narrowR);
        const Pair pair = pairOf(read, wide, narrowR);
        sheet.refine(what, base, [&](Resolution r) { return simple(read, pair, 0.05, r); });
    }
    if (options.full) {
        const std::vector<Wound> knots = woundKnots(0.2);
        sheet.refine("5 and 7 crossings, R = 0.2 m", {603, 4},
                     [&knots](Resolution r) { return windings(knots, 0.05, r); });
    }
    return sheet.take();
}

} // namespace capstan::validation
