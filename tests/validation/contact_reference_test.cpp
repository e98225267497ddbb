// SPDX-License-Identifier: MIT
// Tests of the reference solutions for contact and friction against tables from other methods. Solutions without a
// table are compared with each other.
#include <tests/validation/table.hpp>
#include <validation/contact/contact.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace capstan::validation {
namespace {

constexpr double kOneDegree = std::numbers::pi / 180;

TEST(TouchReference, CapstanMeetsItsTable) {
    TABLE_OR_SKIP(rows, "capstan.csv");
    for (const Record& row : rows) {
        double mu = row.at("mu"), degrees = row.at("wrap_deg");
        near(capstanRatio(mu, degrees * kOneDegree), row.at("T2_over_T1"), 1e-9);
    }
}

TEST(TouchReference, OverhandMeetsItsTables) {
    TABLE_OR_SKIP(rows, "overhand_friction.csv");
    for (const Record& row : rows) {
        Overhand unit = {static_cast<int>(row.at("n")), 1, 1, 1};
        near(unit.grip(), row.at("sigma_n"), 1e-6);
        near(unit.contact(), row.at("S2"), 1e-6);
    }
    for (const Record& row : table("overhand_force_table.csv")) {
        Overhand knot = {static_cast<int>(row.at("n")), 1e-3, 1e-3, row.at("R_m")};
        double mu = row.at("mu");
        near(Overhand::endShortening(knot.R), row.at("e_m"), 1e-8);
        near(knot.elastic(), row.at("F_frictionless_N"), 1e-8);
        near(mu * knot.grip(), row.at("half_hysteresis_N"), 1e-6);
        near(knot.elastic() + mu * knot.grip(), row.at("F_tighten_N"), 1e-6);
        EXPECT_NEAR(std::max(0.0, knot.elastic() - mu * knot.grip()), row.at("F_loosen_N"), 1e-6);
    }
}

// F h^2 / B depends only on h / R.
TEST(TouchReference, OverhandScales) {
    Overhand a = {2, 1e-3, 1e-3, 0.1}, b = {2, 2e-3, 5e-3, 0.2};
    near(a.elastic() * a.h * a.h / a.B, b.elastic() * b.h * b.h / b.B, 1e-12);
    near(a.grip() * a.h * a.h / a.B, b.grip() * b.h * b.h / b.B, 1e-12);
}

TEST(TouchReference, RopelengthsMeetTheirTable) {
    const std::vector<TextRecord> rows = textTable("ropelength.csv");
    if (rows.empty()) GTEST_SKIP() << "no table ropelength.csv";
    int found = 0;
    for (const TextRecord& row : rows) {
        double value = std::strtod(row.at("length_over_diameter").c_str(), nullptr);
        const std::string& name = row.at("object");
        if (name == "Hopf link 2^2_1") {
            near(kHopf, value, 1e-8);
            ++found;
        }
        if (name == "chain of 3 rings") {
            near(kThreeRings, value, 1e-8);
            ++found;
        }
        if (name == "trefoil 3_1") {
            near(kTrefoil, value, 1e-8);
            ++found;
        }
    }
    EXPECT_EQ(found, 3);
}

TEST(TouchReference, BlockMeetsItsTables) {
    TABLE_OR_SKIP(rows, "incline_block.csv");
    for (const Record& row : rows) {
        double a = slideAcceleration(row.at("mu"), row.at("angle_deg") * kOneDegree);
        EXPECT_NEAR(a, row.at("acceleration"), 1e-8);
        EXPECT_NEAR(a / 2, row.at("distance_after_1s"), 1e-8);
    }
    for (const Record& row : table("sliding_stop.csv")) {
        near(stopTime(row.at("mu"), row.at("v0")), row.at("stop_time"), 1e-8);
        near(stopDistance(row.at("mu"), row.at("v0")), row.at("stop_distance"), 1e-8);
    }
}

TEST(TouchReference, RollingMeetsItsTables) {
    TABLE_OR_SKIP(rows, "rolling.csv");
    for (const Record& row : rows) {
        double k = row.at("I_over_mr2"), angle = row.at("angle_deg") * kOneDegree;
        near(rollAcceleration(k, angle), row.at("acceleration"), 1e-8);
        near(rollSlope(k, row.at("mu_min_for_rolling")), std::tan(angle), 1e-8);
        near(std::atan(rollSlope(k, 0.3)) / kOneDegree, row.at("max_rolling_angle_at_mu0.3"), 1e-8);
    }
    for (const TextRecord& row : textTable("slide_to_roll.csv")) {
        double k = row.at("body") == "solid_sphere" ? 0.4 : 0.5;
        double mu = std::strtod(row.at("mu").c_str(), nullptr),
               v0 = std::strtod(row.at("v0").c_str(), nullptr);
        near(rollTime(k, mu, v0), std::strtod(row.at("t_roll").c_str(), nullptr), 1e-8);
        near(rollSpeed(k, v0), std::strtod(row.at("v_final").c_str(), nullptr), 1e-8);
    }
}

// On the steepest slope on which the body rolls, rolling and slipping have the same acceleration.
TEST(TouchReference, RollingTurnsIntoSlipping) {
    for (double k : {0.4, 0.5, 2.0 / 3, 1.0}) {
        double angle = std::atan(rollSlope(k, 0.2));
        near(slideAcceleration(0.2, angle), rollAcceleration(k, angle), 1e-12);
    }
    near(rollSlope(0.4, 1), 3.5, 1e-12);
    near(rollSpeed(0.4, 7), 5, 1e-12);
}

} // namespace
} // namespace capstan::validation
