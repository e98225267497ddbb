// SPDX-License-Identifier: MIT
// Tests of the determinant of knots and links. It has the values of standard tables in every view. Motions without a
// crossing do not change it.
#include <capstan/math/quat.hpp>
#include <capstan/topology/linking.hpp>
#include <tests/validation/table.hpp>
#include <validation/harness/curves.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace capstan::validation {
namespace {

struct Known {
    const char* name;
    std::vector<Curve> curves;
    std::int64_t determinant;
};

// The link T(2, q), a knot for odd q; its determinant is q.
std::vector<Curve> twoStrandBraid(int q) {
    return closedBraid(BraidWord(static_cast<std::size_t>(q), 1), 2, 12);
}

std::vector<Known> known() {
    Curve ring = hopfLink(60)[0];
    std::vector<Known> list = {{"ring", {ring}, 1},
                               {"trefoil", trefoil(97), 3},
                               {"figure eight", figureEight(151), 5},
                               {"figure eight as a braid", closedBraid({1, -2, 1, -2}, 3, 12), 5},
                               {"Hopf link", hopfLink(61), 2},
                               {"chain of three rings", threeRings(61), 4},
                               {"Whitehead link", whitehead(12), 8},
                               {"Borromean rings", borromean(61), 16},
                               {"Borromean rings as a braid", closedBraid({1, -2, 1, -2, 1, -2}, 3, 12), 16},
                               {"three rings apart", closedBraid({1, -1}, 3, 12), 0}};
    for (int q = 3; q <= 11; ++q) list.push_back({"two strands", twoStrandBraid(q), q});
    return list;
}

Quatd randomTurn(std::mt19937& dice) {
    auto coordinate = [&] { return static_cast<double>(dice()) / 4294967296.0 - 0.5; };
    double x = coordinate(), y = coordinate(), z = coordinate(), w = coordinate();
    return normalize(Quatd{x, y, z, w});
}

TEST(Determinant, IsWhatTablesSayFromEverySide) {
    std::mt19937 dice(7);
    for (const Known& link : known()) {
        SCOPED_TRACE(link.name);
        for (int view = 0; view < 20; ++view) {
            Quatd turn = randomTurn(dice);
            std::vector<Curve> curves = link.curves;
            for (Curve& curve : curves)
                for (Vec3d& p : curve) p = rotate(turn, p);
            Result<std::int64_t> got = determinant(curves);
            ASSERT_TRUE(got) << got.error().text();
            EXPECT_EQ(*got, link.determinant);
        }
    }
}

// Corners move at random by less than half of the distance of the strands, so no strand passes through another. The
// diagram gets hundreds of new crossings.
TEST(Determinant, IsKeptByMotionsThatCrossNothing) {
    std::mt19937 dice(11);
    auto shift = [&] { return (static_cast<double>(dice()) / 4294967296.0 - 0.5) * 0.2; };
    for (const Known& link : known()) {
        SCOPED_TRACE(link.name);
        for (int run = 0; run < 5; ++run) {
            std::vector<Curve> curves = link.curves;
            for (Curve& curve : curves)
                for (Vec3d& p : curve) p += Vec3d{shift(), shift(), shift()};
            Result<std::int64_t> got = determinant(curves);
            ASSERT_TRUE(got) << got.error().text();
            EXPECT_EQ(*got, link.determinant);
        }
    }
}

TEST(Determinant, SeesOneCrossingChanged) {
    // Strands pass through each other at one crossing. The trefoil opens. s1 s2^-1 s1 s2 s2^-1 equals s1 s2^-1 s1,
    // whose closure is that of s1^2 (A. Markov). So the Whitehead link becomes a Hopf link.
    EXPECT_EQ(determinant(closedBraid({1, 1, -1}, 2, 12)).value(), 1);
    EXPECT_EQ(determinant(closedBraid({1, -2, 1, 2, -2}, 3, 12)).value(), 2);
}

TEST(Determinant, MirrorImagesAreAlike) {
    std::vector<Curve> curves = trefoil(97);
    for (Vec3d& p : curves[0]) p.z = -p.z;
    EXPECT_EQ(determinant(curves).value(), 3);
}

TEST(Determinant, LooksAgainWhereTheFirstViewIsNotClear) {
    // A flat ring that the first view sees edge-on: all crossings are at corners or between collinear segments.
    Quatd view = Quatd::fromAxisAngle(normalize(Vec3d{0.3, 0.5, 0.8}), 0.7);
    Curve ring;
    for (int i = 0; i < 40; ++i) {
        double t = 2 * std::numbers::pi * i / 40;
        ring.push_back(rotate(conjugate(view), Vec3d{std::cos(t), 0, std::sin(t)}));
    }
    EXPECT_EQ(determinant({ring}).value(), 1);
}

TEST(Determinant, BadCurvesAreErrors) {
    EXPECT_FALSE(determinant({Curve{{0, 0, 0}, {1, 0, 0}}}));
    Curve ring = hopfLink(20)[0];
    ring[3].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(determinant({ring}));
    ring = hopfLink(20)[0];
    EXPECT_FALSE(determinant({ring, ring}));
}

TEST(Curves, MeetTheirTables) {
    struct Named {
        const char* file;
        std::vector<Curve> curves;
    };
    Named list[] = {{"curve_hopf.csv", hopfLink(200)},
                    {"curve_borromean.csv", borromean(200)},
                    {"curve_trefoil.csv", trefoil(200)},
                    {"curve_figure8.csv", figureEight(200)},
                    {"curve_whitehead.csv", whitehead(12)}};
    for (const Named& one : list) {
        SCOPED_TRACE(one.file);
        TABLE_OR_SKIP(rows, one.file);
        std::size_t i = 0;
        for (const Curve& curve : one.curves) {
            for (Vec3d p : curve) {
                ASSERT_LT(i, rows.size());
                EXPECT_NEAR(length(p - Vec3d{rows[i].at("x"), rows[i].at("y"), rows[i].at("z")}), 0, 2e-8);
                ++i;
            }
        }
        EXPECT_EQ(i, rows.size());
    }
}

TEST(Curves, InvariantsMeetTheirTable) {
    const std::vector<TextRecord> rows = textTable("topology_invariants.csv");
    if (rows.empty()) GTEST_SKIP() << "no table topology_invariants.csv";
    struct Named {
        const char* name;
        std::vector<Curve> curves;
    };
    Named list[] = {{"trefoil_3_1", trefoil(100)},
                    {"figure8_4_1", figureEight(150)},
                    {"hopf_2^2_1", hopfLink(60)},
                    {"whitehead_5^2_1", whitehead(12)},
                    {"borromean_6^3_2", borromean(60)}};
    for (const Named& one : list) {
        SCOPED_TRACE(one.name);
        bool found = false;
        for (const TextRecord& row : rows) {
            if (row.at("object") != one.name) continue;
            found = true;
            EXPECT_EQ(determinant(one.curves).value(), std::atoi(row.at("link_det").c_str()));
            for (std::size_t i = 1; i < one.curves.size(); ++i) {
                double lk = std::strtod(row.at("pairwise_linking").c_str(), nullptr);
                EXPECT_EQ(linkingNumber(one.curves[0], one.curves[i]).value(), static_cast<int>(lk));
            }
        }
        EXPECT_TRUE(found);
    }
}

// Lengths of tight chains of rings, for a rope of diameter 1.
TEST(Curves, RingsAreAsLongAsTheTightOnes) {
    double sum = 0;
    for (const Curve& curve : hopfLink(2000)) sum += lengthOf(curve);
    near(sum, 4 * std::numbers::pi, 1e-6);
    sum = 0;
    for (const Curve& curve : threeRings(2000)) sum += lengthOf(curve);
    near(sum, 6 * std::numbers::pi + 2, 1e-6);
}

} // namespace
} // namespace capstan::validation
