// SPDX-License-Identifier: MIT
//
// Tests that knots in ropes are named correctly. The ropes are closed braids of all knots of the table and curves
// from formulas. They are stirred, rotated, perturbed, rounded to float, and cut open.
#include <capstan/math/quat.hpp>
#include <capstan/topology/braid_closure.hpp>
#include <capstan/topology/knot.hpp>
#include <capstan/topology/linking.hpp>
#include <capstan/topology/straighten.hpp>

#include <tests/topology/strands.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <limits>
#include <sstream>

namespace capstan {
namespace {

constexpr double pi = std::numbers::pi;
using Names = std::vector<std::string>;

Curve ring(const BraidWord& word, int n) { return closedBraid(word, n).value().at(0); }

Curve curve(int points, const std::function<Vec3d(double)>& f) {
    Curve c;
    for (int k = 0; k < points; ++k) c.push_back(f(2.0 * pi * k / points));
    return c;
}

// A torus knot, right-handed for positive p and q, as the braid (s1 .. s_(p-1))^q.
Curve torusKnot(int p, int q, int points) {
    return curve(points, [=](double t) {
        const double r = 2.0 + std::cos(q * t);
        return Vec3d{r * std::cos(p * t), r * std::sin(p * t), -std::sin(q * t)};
    });
}

KnotReport report(const Curve& c, bool closed = true) {
    const auto result = identifyKnot(c, closed);
    EXPECT_TRUE(result) << result.error().text();
    return result ? result.value() : KnotReport{};
}

TEST(Knot, ClosedBraidsGiveTheRightRings) {
    const auto hopf = closedBraid({1, 1}, 2).value();
    ASSERT_EQ(hopf.size(), 2u);
    EXPECT_EQ(linkingNumber(hopf[0], hopf[1]).value(), 1);
    EXPECT_EQ(closedBraid({}, 3).value().size(), 3u);
    EXPECT_EQ(closedBraid({1, -2}, 3).value().size(), 1u);
    EXPECT_FALSE(closedBraid({5}, 3));
}

TEST(Knot, CurvesFromFormulas) {
    const KnotReport unknot = report(curve(100, [](double t) { return Vec3d{std::cos(t), std::sin(t), 0}; }));
    EXPECT_EQ(unknot.names, Names{"0_1"});
    EXPECT_TRUE(unknot.certain);
    EXPECT_EQ(unknot.hand, Handedness::amphichiral);
    EXPECT_EQ(unknot.crossings, 0);
    const KnotReport right = report(torusKnot(2, 3, 90)), left = report(torusKnot(2, -3, 90));
    EXPECT_EQ(right.names, Names{"3_1"});
    EXPECT_TRUE(right.certain);
    EXPECT_EQ(right.hand, Handedness::right);
    EXPECT_EQ(left.hand, Handedness::left);
    EXPECT_EQ(right.determinant, 3);
    EXPECT_EQ(report(torusKnot(2, 5, 150)).names, Names{"5_1"});
    EXPECT_EQ(report(torusKnot(2, 7, 200)).names, Names{"7_1"});
    EXPECT_EQ(report(torusKnot(3, 4, 200)).names, Names{"8_19"});
    EXPECT_EQ(report(torusKnot(3, 2, 200)).names, Names{"3_1"}); // T(3,2) = T(2,3)
    const KnotReport eight = report(curve(120, [](double t) {
        const double r = 2 + std::cos(2 * t);
        return Vec3d{r * std::cos(3 * t), r * std::sin(3 * t), std::sin(4 * t)};
    }));
    EXPECT_EQ(eight.names, Names{"4_1"});
    EXPECT_EQ(eight.hand, Handedness::amphichiral);
    // Lissajous knots (V. Jones and J. Przytycki 1998).
    const auto lissajous = [](int a, int b, int c, double fb, double fc) {
        return curve(400, [=](double t) {
            return Vec3d{std::cos(a * t), std::cos(b * t + fb), std::cos(c * t + fc)};
        });
    };
    EXPECT_EQ(report(lissajous(3, 2, 7, 0.7, 0.2)).names, Names{"5_2"});
    EXPECT_EQ(report(lissajous(3, 2, 5, 1.5, 0.2)).names, Names{"6_1"});
}

struct KnownBraid {
    const char* name;
    int strands;
    BraidWord word;
};

// Each knot is rotated, perturbed by less than its free room, rounded to float, and mirrored.
TEST(Knot, ClosedBraidsAreCalledByName) {
    const std::vector<KnownBraid> list = {{"3_1", 2, {1, 1, 1}},
                                          {"4_1", 3, {1, -2, 1, -2}},
                                          {"5_1", 2, {1, 1, 1, 1, 1}},
                                          {"5_2", 3, {1, 1, 1, 2, -1, 2}},
                                          {"6_2", 3, {1, 1, 1, -2, 1, -2}},
                                          {"6_3", 3, {1, 1, -2, 1, -2, -2}},
                                          {"7_6", 4, {1, 1, -2, 1, 3, -2, 3}},
                                          {"7_7", 4, {1, -2, 1, -2, 3, -2, 3}},
                                          {"8_5", 3, {1, 1, 1, -2, 1, 1, 1, -2}},
                                          {"8_9", 3, {1, 1, 1, -2, 1, -2, -2, -2}},
                                          {"8_17", 3, {1, 1, -2, 1, -2, 1, -2, -2}},
                                          {"8_18", 3, {1, -2, 1, -2, 1, -2, 1, -2}},
                                          {"0_1", 4, {1, -2, 3}}};
    RandomWords random{std::mt19937(51)};
    for (const KnownBraid& b : list) {
        Curve c = ring(b.word, b.strands);
        const KnotReport plain = report(c);
        ASSERT_FALSE(plain.names.empty()) << b.name;
        EXPECT_EQ(plain.names, Names{b.name}) << b.name << " " << formatPolynomial(plain.alexander);
        EXPECT_TRUE(plain.certain) << b.name << " drawn with " << plain.crossings;
        const Quatd q = Quatd::fromAxisAngle(normalize(Vec3d{spread(random), spread(random), 1.1}), 2.0);
        std::vector<Vec3> wiggled;
        Curve mirrored;
        for (Vec3d& p : c) {
            const Vec3d noise{0.05 * spread(random), 0.05 * spread(random), 0.05 * spread(random)};
            wiggled.push_back(narrow(rotate(q, p + noise) + Vec3d{10, -3, 5}));
            mirrored.push_back({p.x, p.y, -p.z});
        }
        const auto again = identifyKnot(wiggled, true);
        ASSERT_TRUE(again) << again.error().text();
        EXPECT_EQ(again->names, plain.names);
        EXPECT_EQ(again->alexander, plain.alexander);
        EXPECT_EQ(again->signature, plain.signature);
        const KnotReport mirror = report(mirrored);
        EXPECT_EQ(mirror.names, plain.names);
        EXPECT_EQ(mirror.signature, -plain.signature);
    }
}

// Two knots share the polynomial and the signature. The report has both names, unless the diagram excludes one.
TEST(Knot, AmbiguityIsSaid) {
    EXPECT_EQ(report(ring({1, 1, 1, -2, -1, -1, -1, -2}, 3)).names, (Names{"3_1#3_1*", "8_20"}));
    EXPECT_FALSE(report(ring({1, 1, 1, -2, -1, -1, -1, -2}, 3)).certain);
    const KnotReport square = report(ring({1, 1, 1, -2, -2, -2}, 3));
    EXPECT_EQ(square.names, Names{"3_1#3_1*"}); // the diagram has six crossings, which excludes 8_20
    EXPECT_TRUE(square.certain);
    EXPECT_EQ(square.hand, Handedness::amphichiral);
    const KnotReport granny = report(ring({-1, -1, -1, -2, -2, -2}, 3));
    EXPECT_EQ(granny.names, Names{"3_1#3_1"});
    EXPECT_EQ(granny.hand, Handedness::left);
    const KnotReport eightTwentyOne = report(ring({1, 1, 1, 2, -1, -1, 2, 2}, 3));
    EXPECT_EQ(eightTwentyOne.names, (Names{"3_1#4_1", "8_21"}));
    EXPECT_FALSE(eightTwentyOne.certain);
    const KnotReport large = report(ring(BraidWord(11, 1), 2)); // 11_a367 = T(2,11)
    EXPECT_TRUE(large.names.empty());
    EXPECT_FALSE(large.certain);
    EXPECT_EQ(large.determinant, 11);
}

// An overhand knot with extended ends is a trefoil. A straight rope, a coil and a slipped loop are unknotted.
TEST(Knot, OpenRopes) {
    Curve overhand;
    for (int k = 0; k <= 120; ++k) {
        const double t = -2.1 + 4.2 * k / 120; // A. Shastri 1992
        overhand.push_back({t * t * t - 3 * t, t * t * t * t - 4 * t * t, t * t * t * t * t - 10 * t});
    }
    const KnotReport knot = report(overhand, false);
    EXPECT_EQ(knot.names, Names{"3_1"});
    EXPECT_TRUE(knot.certain);
    Curve mirrored = overhand;
    for (Vec3d& p : mirrored) p.y = -p.y;
    EXPECT_EQ(report(mirrored, false).names, Names{"3_1"});
    EXPECT_NE(report(mirrored, false).hand, knot.hand);
    EXPECT_EQ(report({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, false).names, Names{"0_1"});
    // The ends are opposite each other up to rounding. The closing arc must not run back along the rope.
    EXPECT_EQ(report({{0.1, 0.2, 0.3}, {0.2, 0.4, 0.6}, {0.3, 0.6, 0.9}, {0.7, 1.4, 2.1}}, false).names,
              Names{"0_1"});
    Curve loop = torusKnot(2, 3, 60);
    loop.push_back(loop.front()); // the last point repeats the first one, which closes the curve
    EXPECT_EQ(report(loop, false).names, Names{"3_1"});
    Curve coil;
    for (int k = 0; k <= 200; ++k) coil.push_back({std::cos(0.3 * k), 0.01 * k, std::sin(0.3 * k)});
    EXPECT_EQ(report(coil, false).names, Names{"0_1"});
}

// A rope with many knots: straightening, closed or cut open, keeps the knots.
TEST(Knot, StraighteningKeepsKnots) {
    RandomWords random{std::mt19937(52)};
    for (int k = 0; k < 15; ++k) {
        BraidWord w = random.word(3, 8);
        while (permutation(w, 3).value() != std::vector<int>{1, 2, 0}) w = random.word(3, 8);
        const KnotReport knot = report(ring(w, 3));
        const auto again = closedBraid(random.disguised(w, 3, 3), 3).value();
        const KnotReport other = report(again.at(0));
        EXPECT_EQ(knot.alexander, other.alexander) << formatBraid(w);
        EXPECT_EQ(knot.signature, other.signature) << formatBraid(w);
        EXPECT_LE(knot.crossings, 8);
    }
}

#ifdef CAPSTAN_SHARED_DIR
const std::string referenceFolder = CAPSTAN_SHARED_DIR "/validation/data/";
#else
const std::string referenceFolder;
#endif

TEST(Knot, ReferenceCurves) {
    const auto load = [](const char* file) {
        Curve c;
        std::ifstream in(referenceFolder + file);
        for (std::string line; std::getline(in, line);) {
            if (line.empty() || line[0] == '#' || line[0] == 'c') continue;
            std::replace(line.begin(), line.end(), ',', ' ');
            std::istringstream row(line);
            int component = 0;
            Vec3d x{};
            row >> component >> x.x >> x.y >> x.z;
            c.push_back(x);
        }
        return c;
    };
    const Curve trefoil = load("curve_trefoil.csv"), eight = load("curve_figure8.csv");
    if (trefoil.empty() || eight.empty()) GTEST_SKIP() << "the reference curves are not here";
    EXPECT_EQ(report(trefoil).names, Names{"3_1"});
    EXPECT_EQ(report(trefoil).hand, Handedness::left); // its writhe is negative
    EXPECT_EQ(report(eight).names, Names{"4_1"});
}

TEST(Knot, BadRopes) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(identifyKnot(Curve{{0, 0, 0}, {1, 0, 0}}, true).error().text(),
              "rope 0: a closed rope needs three different points");
    EXPECT_FALSE(identifyKnot(Curve{}, false));
    EXPECT_FALSE(identifyKnot(Curve{{0, 0, 0}, {0, 0, 0}}, false));
    EXPECT_FALSE(identifyKnot(Curve{{0, 0, 0}, {1, nan, 0}, {2, 0, 0}}, true));
    EXPECT_EQ(identifyKnot(Curve{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}}, true).error().what,
              "two segments touch");
}

} // namespace
} // namespace capstan
