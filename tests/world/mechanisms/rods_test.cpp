// SPDX-License-Identifier: MIT
// Tests of rods, springs and drag joints against formulas.
#include "mechanisms.hpp"

namespace capstan {
namespace {

TEST(MechanismRods, ARodIsAPendulum) {
    // A small sphere on a rod of 1 m has the period 2 pi sqrt(l / g) (1 + a^2 / 16).
    World w({.contact = false});
    BodyDef d;
    d.shape = Sphere{0.01f};
    d.mass = 1;
    d.position = {std::sin(0.2f), -std::cos(0.2f), 0};
    const BodyId b = w.add(d);
    JointDef rod = joint(JointType::Distance, {}, b, {0, 0, 0});
    rod.anchor1 = d.position;
    const JointId j = w.add(rod);
    std::vector<double> crossings;
    double before = 1;
    for (int i = 0; i < 600; ++i) {
        w.step(kFrame);
        EXPECT_NEAR(length(w.centerOfMass(b)), 1, 1e-4) << i;
        const double now = w.centerOfMass(b).x;
        if (before > 0 && now <= 0) crossings.push_back((i + now / (before - now)) / 60);
        before = now;
    }
    const double period = 2 * kPi * std::sqrt(1 / kG) * (1 + 0.04 / 16);
    ASSERT_GE(crossings.size(), 4u);
    EXPECT_NEAR((crossings.back() - crossings.front()) / double(crossings.size() - 1), period,
                0.003 * period);
    EXPECT_NEAR(w.jointForces(j).distance, 1, 1e-4);
}

TEST(MechanismRods, ARodHoldsTwoTumblingBodiesApart) {
    World w({.gravity = {0, 0, 0}, .contact = false});
    const BodyId a = w.add(box({0, 0, 0}, 1)), b = w.add(box({1, 0, 0}, 2));
    JointDef rod = joint(JointType::Distance, a, b, {0.1f, 0, 0});
    rod.anchor1 = Vec3{0.9f, 0.1f, 0};
    const JointId j = w.add(rod);
    const double rest = std::sqrt(0.8 * 0.8 + 0.1 * 0.1);
    w.setAngularVelocity(a, {0, 3, 5});
    w.setVelocity(b, {1, -3, 2});
    w.setAngularVelocity(b, {4, 0, 1});
    for (int i = 0; i < 300; ++i) {
        w.step(kFrame);
        const Vec3 p = w.pose(a).point({0.1f, 0, 0}), q = w.pose(b).point({-0.1f, 0.1f, 0});
        EXPECT_NEAR(length(q - p), rest, 1e-4) << i;
        EXPECT_NEAR(w.jointForces(j).distance, rest, 1e-4);
    }
    EXPECT_LT(length(widen(w.velocity(a)) + 2.0 * widen(w.velocity(b)) - Vec3d{2, -6, 4}), 1e-4);
}

TEST(MechanismRods, ASoftRodStretchesByHookeAndHasItsPeriod) {
    const double compliance = 0.002, rest = 0.5, mass = 3;
    World w({.contact = false});
    const BodyId b = w.add(box({0, -0.5f, 0}, float(mass)));
    JointDef d = joint(JointType::Distance, {}, b, {0, 0, 0});
    d.anchor1 = Vec3{0, -0.5f, 0};
    d.distance.compliance = float(compliance);
    const JointId j = w.add(d);
    const double still = -rest - mass * kG * compliance, period = 2 * kPi * std::sqrt(mass * compliance);
    std::vector<double> crossings;
    double before = 1;
    for (int i = 0; i < 300; ++i) {
        w.step(kFrame);
        const double now = double(w.centerOfMass(b).y) - still;
        if (before > 0 && now <= 0) crossings.push_back((i + now / (before - now)) / 60);
        before = now;
    }
    ASSERT_GE(crossings.size(), 5u);
    EXPECT_NEAR((crossings.back() - crossings.front()) / double(crossings.size() - 1), period, 0.01 * period);
    {
        JointDef changed = w.def(j);
        changed.distance.damping = 40;
        EXPECT_TRUE(w.update(j, changed));
    }
    run(w, 3);
    EXPECT_NEAR(w.centerOfMass(b).y, still, 1e-4);
    EXPECT_NEAR(w.jointForces(j).force.y, mass * kG, 0.01);
    EXPECT_NEAR(w.jointForces(j).distance, -still, 1e-4);
}

TEST(MechanismRods, ADragPullsByItsDistanceAndFollows) {
    World w({.gravity = {0, 0, 0}, .contact = false});
    const BodyId b = w.add(box({0, 0, 0}, 2));
    JointDef d = joint(JointType::Drag, {}, b, {0, 0, 0});
    d.distance.compliance = 0.05f;
    const JointId j = w.add(d);
    w.step(kFrame);
    EXPECT_LT(length(w.velocity(b)), 1e-6f); // the target starts where the body is
    // A target that moves by s at constant speed during a step of length t exerts the force k s t' / t at the time
    // t'. The impulse is k s t / 2.
    w.setTarget(j, {1, 0, 0});
    w.step(kFrame);
    EXPECT_NEAR(w.velocity(b).x, 20 * 1.0 / 60 / 2 / 2, 0.2 * 20 * 1.0 / 60 / 2 / 2);
    EXPECT_NEAR(w.jointForces(j).force.x, 20, 0.5); // k times the distance at the end of the step
    {
        JointDef changed = w.def(j);
        changed.distance.damping = 15;
        EXPECT_TRUE(w.update(j, changed));
    }
    run(w, 6);
    EXPECT_LT(length(w.centerOfMass(b) - Vec3{1, 0, 0}), 2e-3f);
    for (int i = 0; i < 180; ++i) { // the body follows a moving target at a distance of damping * v / k
        w.setTarget(j, {1 + float(i + 1) / 60, 0, 0});
        w.step(kFrame);
    }
    EXPECT_NEAR(w.velocity(b).x, 1, 0.02);
    EXPECT_NEAR(w.centerOfMass(b).x, 4 - 15 * 1 / 20.0, 0.05);
}

TEST(MechanismRods, ADragPullsNoHarderThanItsStrength) {
    World w({.gravity = {0, 0, 0}, .contact = false});
    const BodyId b = w.add(box({0, 0, 0}, 2));
    JointDef d = joint(JointType::Drag, {}, b, {0, 0, 0});
    d.distance.compliance = 0.001f;
    d.distance.maxForce = 4;
    const JointId j = w.add(d);
    w.setTarget(j, {100, 0, 0});
    w.step(kFrame);
    const float start = w.velocity(b).x;
    run(w, 1);
    EXPECT_NEAR(w.velocity(b).x - start, 2, 0.02);
    EXPECT_NEAR(length(w.jointForces(j).force), 4, 0.01);
}

} // namespace
} // namespace capstan
