// SPDX-License-Identifier: MIT
// Knots and links of curves.hpp. The chain of three rings is the tight one of J. Cantarella, R. Kusner and J.
// Sullivan ("On the minimum ropelength of knots and links", 2002), for a rope of diameter 1. Two circles of radius 1
// go around the ends of a stadium with straights of length 1 and ends of radius 1.
#include <validation/harness/curves.hpp>

#include <cmath>
#include <cstdlib>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

template <class Formula> Curve sampled(int n, Formula&& point) {
    Curve curve;
    for (int i = 0; i < n; ++i) curve.push_back(point(kTurn * i / n));
    return curve;
}

// Returns a point of a stadium in the xy plane about the origin, for s in [0, 1). Its straights have the length 1
// along x, and its ends the radius 1.
Vec3d stadium(double s) {
    // Half of the stadium: a quarter straight, a half circle, a quarter straight, ...
    double half = 0.5 + std::numbers::pi / 2;
    double way = 2 * half * 2 * s - 0.5; // arc length, from the middle of the lower straight
    double sign = 1;
    if (way > 2 * half - 0.5) {
        way -= 2 * half;
        sign = -1;
    }
    Vec3d p = way < 0.5 ? Vec3d{way, -1, 0} : Vec3d{0.5 + std::sin(way - 0.5), -std::cos(way - 0.5), 0};
    return sign * p;
}

// Position of a strand within one letter of a braid word, at the fraction x in [0, 1) of the letter. `position` and
// `letter` count strands from 0.
struct Strand {
    double across = 0, up = 0;
};
Strand during(int letter, int position, double x) {
    int i = std::abs(letter) - 1;
    double sign = letter > 0 ? 1 : -1, ease = x * x * (3 - 2 * x),
           arch = 0.5 * std::sin(std::numbers::pi * x);
    if (position == i) return {i + ease, sign * arch};
    if (position == i + 1) return {i + 1 - ease, -sign * arch};
    return {static_cast<double>(position), 0};
}
int after(int letter, int position) {
    int i = std::abs(letter) - 1;
    return position == i ? i + 1 : position == i + 1 ? i : position;
}

} // namespace

std::vector<Curve> hopfLink(int n) {
    return {sampled(n,
                    [](double t) {
                        return Vec3d{std::cos(t), std::sin(t), 0};
                    }),
            sampled(n, [](double t) {
                return Vec3d{1 + std::cos(t), 0, std::sin(t)};
            })};
}

std::vector<Curve> threeRings(int n) {
    auto ring = [n](double x) {
        return sampled(n, [x](double t) { return Vec3d{x + std::cos(t), 0, std::sin(t)}; });
    };
    return {ring(-1.5), sampled(n, [](double t) { return stadium(t / kTurn); }), ring(1.5)};
}

std::vector<Curve> borromean(int n) {
    auto ellipse = [n](Vec3d a, Vec3d b) {
        return sampled(n, [=](double t) { return 2 * std::cos(t) * a + std::sin(t) * b; });
    };
    return {ellipse({1, 0, 0}, {0, 1, 0}), ellipse({0, 1, 0}, {0, 0, 1}), ellipse({0, 0, 1}, {1, 0, 0})};
}

std::vector<Curve> trefoil(int n) {
    return {sampled(n, [](double t) {
        return Vec3d{std::sin(t) + 2 * std::sin(2 * t), std::cos(t) - 2 * std::cos(2 * t), -std::sin(3 * t)};
    })};
}

std::vector<Curve> figureEight(int n) {
    return {sampled(n, [](double t) {
        double r = 2 + std::cos(2 * t);
        return Vec3d{r * std::cos(3 * t), r * std::sin(3 * t), std::sin(4 * t)};
    })};
}

std::vector<Curve> closedBraid(const BraidWord& word, int strands, int n) {
    std::vector<bool> done(static_cast<std::size_t>(strands));
    std::vector<Curve> curves;
    for (int begin = 0; begin < strands; ++begin) {
        if (done[static_cast<std::size_t>(begin)]) continue;
        Curve curve;
        for (int position = begin; !done[static_cast<std::size_t>(position)];) {
            done[static_cast<std::size_t>(position)] = true;
            for (std::size_t k = 0; k < word.size(); ++k) {
                for (int j = 0; j < n; ++j) {
                    double x = static_cast<double>(j) / n;
                    double angle = kTurn * (static_cast<double>(k) + x) / static_cast<double>(word.size());
                    Strand s = during(word[k], position, x);
                    double r = 6 + 1.5 * s.across;
                    curve.push_back({r * std::cos(angle), r * std::sin(angle), s.up});
                }
                position = after(word[k], position);
            }
        }
        curves.push_back(curve);
    }
    return curves;
}

std::vector<Curve> whitehead(int n) { return closedBraid({1, -2, 1, -2, -2}, 3, n); }

Curve scaled(const Curve& curve, double by) {
    Curve result;
    for (Vec3d p : curve) result.push_back(by * p);
    return result;
}

std::vector<Curve> scaled(const std::vector<Curve>& curves, double by) {
    std::vector<Curve> result;
    for (const Curve& curve : curves) result.push_back(scaled(curve, by));
    return result;
}

double lengthOf(const Curve& curve) {
    double sum = 0;
    for (std::size_t i = 0; i < curve.size(); ++i) sum += length(curve[(i + 1) % curve.size()] - curve[i]);
    return sum;
}

} // namespace capstan::validation
