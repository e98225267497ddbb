// SPDX-License-Identifier: MIT
// R3: a rope without bending stiffness hangs between two supports.
//
//   y = a cosh(x / a),  2 a sinh(S / 2a) = sqrt(L^2 - rise^2),  H = w a,  T = w y   (Bernoulli, Leibniz 1691)
//   elastic, level:  S = H L / EA + (2 H / w) asinh(w L / 2H)   (H. Irvine, "Cable Structures", 1981, 1.4)
//
// S is the horizontal distance of the supports, L the length, and w the weight per length. EA is the stretch
// stiffness, and H the horizontal component of the tension T. The exact equilibrium of the same number of straight
// links is compared, too. It separates the solver's error from the error of a polyline. The case measures the sag and
// the force on the higher support. The engine's tension is that of a link. The support also carries the weight of
// half a link, which is lumped on it. So
//   pull = tension of the last link along that link + g * mass of the end node.
#include <validation/harness/reference.hpp>
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace capstan::validation {

namespace {

struct Hung {
    double span, rise, length, stiffness; // stiffness is EA / weight; 0: does not stretch
};

// Returns the depth of the lowest point below the first node. The lowest point is the vertex of the parabola through
// the three lowest nodes.
template <class Height> double sagOf(std::size_t nodes, Height&& y) {
    std::size_t low = 1;
    for (std::size_t i = 1; i + 1 < nodes; ++i) {
        if (y(i) < y(low)) low = i;
    }
    double a = y(low - 1), b = y(low), c = y(low + 1), curve = a - 2 * b + c;
    return y(0) - (b - (a - c) * (a - c) / (8 * curve));
}

std::vector<Measured> hang(const Hung& hung, Resolution resolution) {
    World world({.substeps = resolution.substeps, .contact = false});
    RopeDef def;
    def.from = {0, 0, 0};
    def.to = at(hung.span, hung.rise);
    def.length = static_cast<float>(hung.length);
    def.segments = resolution.segments;
    def.mass = 1;
    def.stretchStiffness = static_cast<float>(hung.stiffness * kGravity);
    def.damping = 6;
    def.pins = {first, last};
    RopeId rope = world.add(def);
    settle(world, rope, 8, 2);

    auto points = world.positions(rope);
    auto height = [&](std::size_t i) { return static_cast<double>(points[i].y); };
    Vec3 link = Vec3(points.back()) - Vec3(points[points.size() - 2]);
    Vec3d pull = widen(world.tensions(rope).back() * normalize(link)) +
                 Vec3d{0, kGravity * static_cast<double>(world.mass({rope, last})), 0};
    double gotSag = sagOf(points.size(), height), gotPull = length(pull) / kGravity;

    Catenary truth = hung.stiffness > 0 ? elasticCatenary(hung.span, hung.stiffness)
                                        : catenary(hung.span, hung.rise, hung.length);
    ChainCatenary chain =
        chainCatenary(resolution.segments, hung.span, hung.rise, hung.length, hung.stiffness);
    double chainSag = sagOf(chain.y.size(), [&](std::size_t i) { return chain.y[i]; });
    double gotLink = static_cast<double>(world.tensions(rope).back()) / kGravity;
    using enum Measured::Kind;
    return {{Relative, "sag", truth.sag, gotSag, 0.005, 0.0005},
            {Relative, "pull on the higher support / weight", truth.tensionRight, gotPull, 0.01, 0.001},
            {Relative, "sag of a chain of as many straight links", chainSag, gotSag, 0.005, 0.0005},
            {Relative, "tension of the last of as many straight links / weight", chain.tension.back(),
             gotLink, 0.01, 0.001}};
}

} // namespace

Catenary catenary(double span, double rise, double length) {
    double level = std::sqrt(length * length - rise * rise);
    // u = S / 2a is found by bisection, because sinh(u) / u is monotone.
    double u = threshold(1e-6, 30, [&](double v) { return std::sinh(v) * span > level * v; });
    double a = span / (2 * u), low = span / 2 - a * std::atanh(rise / length);
    double left = a * std::cosh(low / a), right = a * std::cosh((span - low) / a);
    return {left - a, a / length, left / length, right / length};
}

Catenary elasticCatenary(double span, double stiffness) {
    double h = threshold(1e-9, 1e9,
                         [&](double v) { return v / stiffness + 2 * v * std::asinh(1 / (2 * v)) > span; });
    double end = std::hypot(h, 0.5);
    // The elastic part of the sag is w L^2 / 8 EA, here with w = L = 1.
    return {1 / (8 * stiffness) + (end - h), h, end, end};
}

ChainCatenary chainCatenary(int n, double span, double rise, double length, double stiffness) {
    double l = length / n, soft = stiffness > 0 ? 1 / stiffness : 0;
    // The unknowns are H and the vertical force U of the rope at the left support (negative). The upward force on
    // link i is U + (i + 1/2) / n. Newton's method finds H and U from the position of the last node. The two
    // equations are the gradient of a convex function of (H, U). So the only safeguard is to halve a step that would
    // make H negative.
    double h = 0.5, u = -0.5;
    ChainCatenary chain;
    for (int iteration = 0; iteration < 200; ++iteration) {
        double xh = 0, xu = 0, yu = 0;
        chain = {{0}, {0}, {}};
        for (int i = 0; i < n; ++i) {
            double v = u + (i + 0.5) / n, t = std::hypot(h, v);
            chain.x.push_back(chain.x.back() + l * h * (1 / t + soft));
            chain.y.push_back(chain.y.back() + l * v * (1 / t + soft));
            chain.tension.push_back(t);
            xh += l * (v * v / (t * t * t) + soft);
            xu -= l * h * v / (t * t * t);
            yu += l * (h * h / (t * t * t) + soft);
        }
        double ex = span - chain.x.back(), ey = rise - chain.y.back(), det = xh * yu - xu * xu;
        double dh = (yu * ex - xu * ey) / det, du = (xh * ey - xu * ex) / det, part = 1;
        while (h + part * dh <= 0.2 * h || h + part * dh > 5 * h) part /= 2;
        h += part * dh;
        u += part * du;
        if (std::abs(dh) + std::abs(du) < 1e-14 * (h + std::abs(u))) break;
    }
    return chain;
}

std::vector<Row> runCatenary(const Options& options) {
    std::vector<Hung> list = {{1, 0, 1.01, 0}, {1, 0, 1.2, 0},  {1, 0, 3, 0},      {1, 0.3, 1.3, 0},
                              {1, 1, 2, 0},    {0.8, 0, 1, 10}, {0.95, 0, 1, 1000}};
    if (options.full) {
        list.clear();
        for (double l : {1.001, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0}) list.push_back({1, 0, l, 0});
        for (double rise : {0.1, 0.3, 0.5, 1.0}) list.push_back({1, rise, 1 + rise, 0});
        for (double ea : {10.0, 100.0, 1e3, 1e4, 1e6}) {
            for (double span : {0.8, 0.95}) list.push_back({span, 0, 1, ea});
        }
    }
    Sheet sheet("R3", options, static_cast<int>(list.size()));
    for (const Hung& hung : list) {
        char what[80];
        if (hung.stiffness > 0)
            std::snprintf(what, sizeof what, "span %g L, EA = %g W", hung.span, hung.stiffness);
        else
            std::snprintf(what, sizeof what, "L = %g, span %g, rise %g", hung.length, hung.span, hung.rise);
        sheet.refine(what, {50, kStaticSubsteps}, [&](Resolution r) { return hang(hung, r); });
    }
    return sheet.take();
}

} // namespace capstan::validation
