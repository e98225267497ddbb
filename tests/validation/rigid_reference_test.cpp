// SPDX-License-Identifier: MIT
// Tests of the reference solutions for rigid bodies and joints against tables from other methods: eighth-order and
// extrapolation integrators, 40-digit elliptic integrals. Solutions without a table are compared with closed forms.
#include <tests/validation/table.hpp>
#include <validation/bodies/rigid.hpp>
#include <validation/harness/track.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace capstan::validation {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

TEST(RigidReference, TumbleMeetsItsTable) {
    TABLE_OR_SKIP(rows, "dzhanibekov.csv");
    for (const Record& row : rows) {
        Vec3d inertia = {row.at("I1"), row.at("I2"), row.at("I3")};
        Vec3d w0 = {row.at("w1_0"), row.at("w2_0"), row.at("w3_0")};
        near(tumblePeriod(inertia, w0), row.at("period"), 1e-9);
        near(firstFlip(inertia, w0), row.at("first_w2_zero"), 1e-8);
    }
}

TEST(RigidReference, TumbleMeetsItsTrajectory) {
    TABLE_OR_SKIP(rows, "dzhanibekov_trajectory.csv");
    std::vector<Tumble> exact = tumble({1, 2, 3}, {0.01, 1, 0}, 2, 20);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].at("t"), 2 * static_cast<double>(i));
        EXPECT_NEAR(exact[i].w.x, rows[i].at("w1"), 1e-8);
        EXPECT_NEAR(exact[i].w.y, rows[i].at("w2"), 1e-8);
        EXPECT_NEAR(exact[i].w.z, rows[i].at("w3"), 1e-8);
        Quatd q = {rows[i].at("qx"), rows[i].at("qy"), rows[i].at("qz"), rows[i].at("qw")};
        EXPECT_NEAR(std::abs(dot(q, exact[i].q)), 1, 1e-9);
        EXPECT_NEAR(std::min(length(q - exact[i].q), length(q + exact[i].q)), 0, 1e-8);
    }
}

// The period formula and the integration are independent. After one period the angular velocity is back at its start,
// and the angular momentum is constant throughout.
TEST(RigidReference, TumbleComesBackAfterAPeriod) {
    Vec3d inertia = {0.7, 1.1, 1.5};
    for (Vec3d w0 : {Vec3d{0.1, 3, 0.02}, Vec3d{0.02, 3, 0.2}}) {
        double period = tumblePeriod(inertia, w0);
        std::vector<Tumble> exact = tumble(inertia, w0, period / 4, 4);
        EXPECT_NEAR(length(exact[4].w - w0), 0, 1e-9);
        Vec3d start = multiply(inertia, w0);
        for (const Tumble& at : exact)
            EXPECT_NEAR(length(rotate(at.q, multiply(inertia, at.w)) - start), 0, 1e-9);
    }
}

TEST(RigidReference, HeavyTopMeetsItsTables) {
    TABLE_OR_SKIP(rows, "heavy_top_precession.csv");
    auto topOf = [](const Record& row) -> Top {
        return {row.at("I1_about_pivot"), row.at("I3"), row.at("Mgl"), row.at("spin_w3")};
    };
    for (const Record& row : rows) {
        Top top = topOf(row);
        double theta = row.at("theta_deg") * kDegree;
        near(slowPrecession(top, theta), row.at("slow_precession"), 1e-9);
        near(sleepingSpin(top), row.at("sleeping_top_min_w3"), 1e-9);
        if (!std::isnan(row.at("fast_precession"))) // at 90 degrees there is only one precession
            near(fastPrecession(top, theta), row.at("fast_precession"), 1e-9);
    }
    for (const Record& row : table("heavy_top_nutation.csv")) {
        Nutation exact = nutation(topOf(row), row.at("theta0_deg") * kDegree);
        near(exact.thetaMax / kDegree, row.at("theta_max_deg"), 1e-9);
        near(exact.period, row.at("nutation_period"), 1e-9);
        near(exact.precession, row.at("mean_precession_rate"), 1e-8);
    }
}

// A fast top nutates at I3 w3 / I1 and precesses at M g l / I3 w3. A top that does not rotate is an inverted
// pendulum.
TEST(RigidReference, HeavyTopHasItsLimits) {
    Top fast = {0.05, 0.02, 1, 4000};
    Nutation n = nutation(fast, 1);
    near(n.period, 2 * std::numbers::pi * 0.05 / 80, 1e-4);
    near(n.precession, 1.0 / 80, 1e-4);
    Top still = {0.05, 0.02, 1, 0};
    Nutation fall = nutation(still, 2);
    near(fall.thetaMax, std::numbers::pi, 1e-7);
    near(fall.period, pendulumPeriod(std::numbers::pi - 2) / 2 / std::sqrt(20.0), 1e-9);
}

TEST(RigidReference, PendulaMeetTheirTables) {
    TABLE_OR_SKIP(rows, "pendulum_period.csv");
    for (const Record& row : rows) {
        double period = pendulumPeriod(row.at("amplitude_deg") * kDegree);
        near(period, row.at("omega0*T"), 1e-9);
        near(period / (2 * std::numbers::pi), row.at("T_over_T0"), 1e-9);
    }
    for (const Record& row : table("conical_pendulum.csv")) {
        near(conicalRate(row.at("angle_deg") * kDegree), row.at("omega/sqrt(g/L)"), 1e-9);
        near(conicalTension(row.at("angle_deg") * kDegree), row.at("T/mg"), 1e-9);
    }
}

TEST(RigidReference, NarrowPendulumSwingsAsASpring) {
    near(pendulumPeriod(1e-3), 2 * std::numbers::pi * (1 + 1e-6 / 16), 1e-12);
    near(ellipticK(1), std::numbers::pi / 2, 1e-15);
    near(ellipticK(0.5), 1.8540746773013719, 1e-14); // Gamma(1/4)^2 / (4 sqrt(pi))
}

TEST(RigidReference, DoublePendulumMeetsItsTable) {
    TABLE_OR_SKIP(rows, "double_pendulum.csv");
    Swing level = {{std::numbers::pi / 2, std::numbers::pi / 2}, {0, 0}};
    for (const Record& row : rows) {
        Swing s = swing({}, level, row.at("t"));
        EXPECT_NEAR(s.theta[0], row.at("theta1"), 1e-10);
        EXPECT_NEAR(s.theta[1], row.at("theta2"), 1e-10);
        EXPECT_NEAR(s.omega[0], row.at("omega1"), 1e-9);
        EXPECT_NEAR(s.omega[1], row.at("omega2"), 1e-9);
    }
}

// With a massless second body the first one is a pendulum. At small angles two equal point masses have the modes
// sqrt(2 -+ sqrt(2)).
TEST(RigidReference, DoublePendulumHasItsLimits) {
    DoublePendulum alone = {{2, 1e-12}, 1, {0.5, 0.5}, {2.0 / 12, 1e-12}};
    double quarter = pendulumPeriod(1) / 4 / std::sqrt(1.5 * kGravity);
    EXPECT_NEAR(swing(alone, {{1, 0}, {0, 0}}, quarter).theta[0], 0, 1e-8);
    double omega = std::sqrt((2 - std::sqrt(2.0)) * kGravity), a = 1e-5;
    Swing s = swing({}, {{a, std::sqrt(2.0) * a}, {0, 0}}, 0.7);
    EXPECT_NEAR(s.theta[0], a * std::cos(0.7 * omega), 1e-13);
    EXPECT_NEAR(s.theta[1], std::sqrt(2.0) * a * std::cos(0.7 * omega), 1e-13);
}

TEST(RigidReference, JointsMeetTheirTable) {
    Drop bar = drop(1, 0.5, 1.0 / 3);
    ServoStep servo = servoStep(10, 1, 0.1);
    const std::map<std::string, double> ours = {{"omega at bottom", bar.omega},
                                                {"time to bottom", bar.time},
                                                {"hinge reaction at bottom / mg", bar.bottom},
                                                {"hinge reaction at release / mg (vertical)", bar.release},
                                                {"omega", conicalRate(30 * kDegree) * std::sqrt(kGravity)},
                                                {"overshoot", servo.overshoot},
                                                {"time of first peak", servo.peak}};
    std::size_t met = 0;
    std::vector<TextRecord> rows = textTable("joints.csv");
    if (rows.empty()) GTEST_SKIP() << "no table joints.csv";
    for (const TextRecord& row : rows) {
        auto mine = ours.find(row.at("quantity"));
        if (mine == ours.end()) continue;
        SCOPED_TRACE(mine->first);
        near(mine->second, std::strtod(row.at("value").c_str(), nullptr), 1e-9);
        ++met;
    }
    EXPECT_EQ(met, ours.size());
}

TEST(RigidReference, DropAndServoHaveTheirLimits) {
    // All mass in one point: the force is 0 at the start, and three times the weight at the bottom.
    Drop point = drop(3, 0.8, 3 * 0.8 * 0.8);
    EXPECT_NEAR(point.release, 0, 1e-15);
    near(point.bottom, 3, 1e-15);
    near(servoStep(10, 1e-9, 0.1).overshoot, 1, 1e-8);
    near(servoStep(10, 1e-9, 0.1).peak, std::numbers::pi / 10, 1e-12);
}

TEST(Track, FindsPassagesBetweenSamples) {
    const double step = 1 / 60.0, omega = 9;
    Track track(step);
    for (int i = 0; i < 120; ++i) track.add(std::sin(omega * step * i));
    EXPECT_NEAR(track.at(0.3456), std::sin(omega * 0.3456), 1e-7);
    ASSERT_EQ(track.falls().size(), 3u);
    ASSERT_EQ(track.rises().size(), 2u); // a zero at the start is no rise
    EXPECT_NEAR(track.falls()[0], std::numbers::pi / omega, 1e-8);
    EXPECT_NEAR(spacing(track.falls()), 2 * std::numbers::pi / omega, 1e-8);
}

TEST(Track, TellsWhenThereIsNothing) {
    Track track(1);
    for (int i = 0; i < 5; ++i) track.add(i);
    EXPECT_TRUE(std::isnan(track.at(2.5)));
    EXPECT_TRUE(std::isnan(pick(track.falls(), 0)));
    EXPECT_TRUE(std::isnan(spacing({1})));
    EXPECT_NEAR(track.slope(), 1, 1e-15);
}

TEST(Track, CountsTurns) {
    Turns turns;
    double whole = 0;
    for (double a = 0; a <= 20; a += 0.5) whole = turns.add(std::atan2(std::sin(a), std::cos(a)));
    EXPECT_NEAR(whole, 20, 1e-12);
}

} // namespace
} // namespace capstan::validation
