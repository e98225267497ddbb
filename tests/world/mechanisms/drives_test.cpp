// SPDX-License-Identifier: MIT
// Tests of limits, motors, servos, springs and dampers of joints against formulas.
#include "mechanisms.hpp"

namespace capstan {
namespace {

// A door of 1 kg, 1 m wide, along +x, on a joint about z at its edge at the origin.
struct Door {
    World w;
    BodyId b;
    JointId j;
    static constexpr double inertia = (1.0 + 0.01) / 12 + 0.25; // kg m^2, about the edge

    explicit Door(const std::function<void(JointDef&)>& change, Vec3 gravity = {0, 0, 0},
                  JointType type = JointType::Hinge)
        : w({.gravity = gravity, .contact = false}), b(w.add(box({0.5f, 0, 0}, 1, {1, 0.1f, 0.1f}))) {
        JointDef d = joint(type, {}, b, {0, 0, 0}, {0, 0, 1});
        change(d);
        j = w.add(d);
    }
    // Returns the angle from the door's position, not from jointForces().
    double angle() const {
        const Vec3 c = w.centerOfMass(b);
        return std::atan2(double(c.y), double(c.x));
    }
};

TEST(MechanismLimits, AHingeStopsAtBothLimits) {
    Door d([](JointDef& j) {
        j.turn.min = -0.5f;
        j.turn.max = 0.8f;
    });
    std::mt19937 random(1);
    double least = 0, most = 0;
    for (int i = 0; i < 600; ++i) {
        d.w.applyTorque(d.b, {0, 0, i % 100 < 50 ? 3.0f : -3.0f});
        d.w.applyImpulse(d.b, someVector(random, 0.2f));
        d.w.step(kFrame);
        least = std::min(least, d.angle());
        most = std::max(most, d.angle());
        EXPECT_NEAR(d.w.jointForces(d.j).angle, d.angle(), 2e-6);
    }
    EXPECT_NEAR(least, -0.5, 1e-3);
    EXPECT_NEAR(most, 0.8, 1e-3);
}

TEST(MechanismLimits, AHingeFallsOntoItsLimitAndRestsThere) {
    Door d([](JointDef& j) { j.turn.min = -0.4f; }, {0, -9.81f, 0});
    for (int i = 0; i < 180; ++i) {
        d.w.step(kFrame);
        EXPECT_GT(d.angle(), -0.401) << i;
    }
    EXPECT_NEAR(d.angle(), -0.4, 1e-3);
    EXPECT_LT(length(d.w.angularVelocity(d.b)), 1e-3f);
    // The limit carries the torque of the weight.
    EXPECT_NEAR(d.w.jointForces(d.j).torque.z, kG * 0.5 * std::cos(0.4), 0.02);
    d.w.applyImpulse(d.b, {0, 3, 0}); // the limit allows upward motion
    run(d.w, 0.1);
    EXPECT_GT(d.angle(), -0.3);
}

TEST(MechanismLimits, APrismaticJointStopsAtBothLimits) {
    World w({.gravity = {0, 0, 0}, .contact = false});
    const BodyId b = w.add(box({0, 0, 0}));
    JointDef def = joint(JointType::Prismatic, {}, b, {0, 0, 0}, {1, 1, 0});
    def.slide.min = -0.3f;
    def.slide.max = 0.2f;
    const JointId j = w.add(def);
    const Probe probe(w, {}, b, {0, 0, 0}, {1, 1, 0});
    double least = 0, most = 0;
    std::mt19937 random(2);
    for (int i = 0; i < 400; ++i) {
        w.applyForce(b, i % 100 < 50 ? Vec3{5, 0, 0} : Vec3{-5, 0, 0});
        w.applyImpulse(b, someVector(random, 0.1f), someVector(random, 0.1f));
        w.step(kFrame);
        least = std::min(least, probe.slide());
        most = std::max(most, probe.slide());
        EXPECT_NEAR(w.jointForces(j).distance, probe.slide(), 1e-6);
        EXPECT_LT(probe.across(), 1e-4);
    }
    EXPECT_NEAR(least, -0.3, 1e-3);
    EXPECT_NEAR(most, 0.2, 1e-3);
}

TEST(MechanismLimits, ABallStaysInItsConeAndItsTwist) {
    for (bool flipped : {false, true}) {
        World w({.gravity = {0, -9.81f, 0}, .contact = false});
        const BodyId b = w.add(box({0, -0.3f, 0}, 1, {0.1f, 0.6f, 0.1f}));
        JointDef def = joint(JointType::Ball, {}, b, {0, 0, 0}, {0, -1, 0});
        if (flipped) std::swap(def.body0, def.body1);
        def.swing.max = 0.6f;
        def.turn.min = -0.3f;
        def.turn.max = 0.5f;
        w.add(def);
        std::mt19937 random(3);
        double swing = 0, twistLeast = 0, twistMost = 0;
        for (int i = 0; i < 900; ++i) {
            w.applyImpulse(b, someVector(random, 0.5f), w.pose(b).point({0, -0.3f, 0}));
            w.applyAngularImpulse(b, {0, i % 60 < 30 ? 0.002f : -0.002f, 0});
            w.step(kFrame);
            // Swing is the angle of the long axis from the vertical. Twist is the remaining rotation after the
            // shortest rotation between the two axes is removed.
            const Quatf q = w.pose(b).rotation;
            const Vec3 axis = rotate(q, {0, -1, 0});
            const Quatf twist = conjugate(fromTo(Vec3{0, -1, 0}, axis)) * q;
            const double angle = 2 * std::atan2(-double(twist.y), double(twist.w));
            const double turn = std::remainder(flipped ? -angle : angle, 2 * kPi);
            swing = std::max(swing, std::acos(std::min(1.0, -double(axis.y))));
            twistLeast = std::min(twistLeast, turn);
            twistMost = std::max(twistMost, turn);
        }
        EXPECT_NEAR(swing, 0.6, 1e-3) << flipped;
        EXPECT_NEAR(twistLeast, -0.3, 1e-3) << flipped;
        EXPECT_NEAR(twistMost, 0.5, 1e-3) << flipped;
    }
}

TEST(MechanismLimits, WhatStartsBeyondALimitComesBackGently) {
    Door d([](JointDef&) {});
    d.w.teleport(d.b,
                 {{0.5f * std::cos(1.0f), 0.5f * std::sin(1.0f), 0}, Quatf::fromAxisAngle({0, 0, 1}, 1)});
    {
        JointDef changed = d.w.def(d.j);
        changed.turn.max = 0.5f;
        EXPECT_TRUE(d.w.update(d.j, changed));
    }
    run(d.w, 0.5);
    EXPECT_NEAR(d.angle(), 0.5, 2e-2); // the limit pushes the door back, without throwing it across
}

TEST(MechanismDrives, AMotorTurnsAHundredTimesAndTheAngleCounts) {
    for (float speed : {20.0f, -20.0f}) {
        Door d([&](JointDef& j) { j.turn.speed = speed; }, {0, -9.81f, 0}, JointType::Motor);
        const double seconds = 200 * kPi / 20;
        const int frames = int(seconds * 60);
        for (int i = 0; i < frames; ++i) d.w.step(kFrame);
        EXPECT_NEAR(d.w.jointForces(d.j).angle, double(speed) * frames / 60, 0.01);
        EXPECT_NEAR(d.w.angularVelocity(d.b).z, speed, 0.01);
        EXPECT_NEAR(std::remainder(double(d.w.jointForces(d.j).angle) - d.angle(), 2 * kPi), 0, 2e-4);
    }
}

TEST(MechanismDrives, AFreeHingeCountsItsTurnsToo) {
    Door d([](JointDef&) {});
    d.w.setAngularVelocity(d.b, {0, 0, 10});
    d.w.setVelocity(d.b, {0, 5, 0});
    for (int i = 0; i < 300; ++i) d.w.step(kFrame);
    EXPECT_NEAR(std::remainder(double(d.w.jointForces(d.j).angle) - d.angle(), 2 * kPi), 0, 1e-3);
    EXPECT_NEAR(d.w.jointForces(d.j).angle, 50, 0.2);
}

TEST(MechanismDrives, AMotorOfLimitedTorqueAcceleratesWithTorqueOverInertia) {
    Door d(
        [](JointDef& j) {
            j.turn.speed = 50;
            j.turn.maxForce = 2;
        },
        {0, 0, 0}, JointType::Motor);
    run(d.w, 0.5);
    EXPECT_NEAR(d.w.angularVelocity(d.b).z, 2 * 0.5 / Door::inertia, 0.02 * 2 * 0.5 / Door::inertia);
    EXPECT_NEAR(d.w.jointForces(d.j).torque.z, 2, 0.01);
    d.w.setTarget(d.j, 1); // the same torque first brakes the door, then holds it
    run(d.w, 0.6);
    EXPECT_NEAR(d.w.angularVelocity(d.b).z, 1, 1e-3);
}

TEST(MechanismDrives, AMotorTakesNoSpeedBeyondItsLimits) {
    Door d(
        [](JointDef& j) {
            j.turn.speed = 9;
            j.turn.speedMin = -2;
            j.turn.speedMax = 3;
        },
        {0, 0, 0}, JointType::Motor);
    run(d.w, 0.2);
    EXPECT_NEAR(d.w.angularVelocity(d.b).z, 3, 1e-3);
    d.w.setTarget(d.j, -9);
    run(d.w, 0.2);
    EXPECT_NEAR(d.w.angularVelocity(d.b).z, -2, 1e-3);
}

TEST(MechanismDrives, AMotorStopsAtALimit) {
    Door d(
        [](JointDef& j) {
            j.turn.speed = 3;
            j.turn.max = 1;
            j.turn.maxForce = 5;
        },
        {0, 0, 0}, JointType::Motor);
    for (int i = 0; i < 120; ++i) {
        d.w.step(kFrame);
        EXPECT_LT(d.angle(), 1.001);
    }
    EXPECT_NEAR(d.angle(), 1, 1e-3);
    EXPECT_LT(std::abs(d.w.angularVelocity(d.b).z), 1e-2f);
}

TEST(MechanismDrives, AServoGoesToItsTargetWithinItsLimits) {
    Door d(
        [](JointDef& j) {
            j.turn.target = 0.7f;
            j.turn.min = -0.2f;
            j.turn.max = 1;
        },
        {0, -9.81f, 0}, JointType::Servo);
    run(d.w, 1);
    EXPECT_NEAR(d.angle(), 0.7, 1e-3);
    d.w.setTarget(d.j, 2);
    run(d.w, 1);
    EXPECT_NEAR(d.angle(), 1, 1e-3);
    d.w.setTarget(d.j, -2);
    run(d.w, 1);
    EXPECT_NEAR(d.angle(), -0.2, 1e-3);
    EXPECT_NEAR(d.w.jointForces(d.j).angle, -0.2, 1e-3);
    EXPECT_NEAR(d.w.jointForces(d.j).torque.z, kG * 0.5 * std::cos(0.2), 0.02);
}

TEST(MechanismDrives, AServoHoldsWhatItsTorqueCanHoldAndYieldsToMore) {
    const float needed = float(kG) * 0.5f;
    Door strong([&](JointDef& j) { j.turn.maxForce = 1.2f * needed; }, {0, -9.81f, 0}, JointType::Servo);
    Door weak([&](JointDef& j) { j.turn.maxForce = 0.8f * needed; }, {0, -9.81f, 0}, JointType::Servo);
    for (int i = 0; i < 12; ++i) {
        strong.w.step(kFrame);
        weak.w.step(kFrame);
        EXPECT_NEAR(strong.angle(), 0, 1e-3) << i;
        EXPECT_NEAR(weak.w.jointForces(weak.j).torque.z, 0.8 * double(needed), 0.02 * double(needed)) << i;
    }
    // While the door is nearly level it falls with (0.8 - 1) of the weight's torque T: angle = T t^2 / 2 I.
    EXPECT_NEAR(weak.angle(), -0.2 * double(needed) * 0.02 / Door::inertia, 0.002);
    run(strong.w, 1);
    EXPECT_NEAR(strong.angle(), 0, 1e-3);
    run(weak.w, 3);
    // The door can only rest where 0.8 of the torque is enough.
    EXPECT_LT(weak.angle(), -0.1);
}

TEST(MechanismDrives, AHingeWithASpringIsATorsionPendulum) {
    const double compliance = 0.05, period = 2 * kPi * std::sqrt(Door::inertia * compliance);
    Door d([&](JointDef& j) {
        j.turn.target = 0.3f;
        j.turn.compliance = float(compliance);
    });
    std::vector<double> crossings;
    double before = d.angle() - 0.3, most = 0;
    for (int i = 0; i < 600; ++i) {
        d.w.step(kFrame);
        const double now = d.angle() - 0.3;
        most = std::max(most, now);
        if (before < 0 && now >= 0) crossings.push_back((i + now / (before - now)) / 60);
        before = now;
    }
    ASSERT_GE(crossings.size(), 4u);
    EXPECT_NEAR((crossings.back() - crossings.front()) / double(crossings.size() - 1), period,
                0.005 * period);
    EXPECT_NEAR(most, 0.3, 0.005); // equal amplitude on the other side
}

TEST(MechanismDrives, APrismaticSpringHasItsPeriodAndItsRest) {
    const double compliance = 0.01, period = 2 * kPi * std::sqrt(2 * compliance);
    World w({.contact = false});
    const BodyId b = w.add(box({0, 0, 0}, 2));
    JointDef def = joint(JointType::Prismatic, {}, b, {0, 0, 0}, {0, 1, 0});
    def.slide.target = 0;
    def.slide.compliance = float(compliance);
    const JointId j = w.add(def);
    const double rest = -2 * kG * compliance;
    std::vector<double> crossings;
    double before = -rest;
    for (int i = 0; i < 600; ++i) {
        w.step(kFrame);
        const double now = double(w.centerOfMass(b).y) - rest;
        if (before < 0 && now >= 0) crossings.push_back((i + now / (before - now)) / 60);
        before = now;
    }
    ASSERT_GE(crossings.size(), 5u);
    EXPECT_NEAR((crossings.back() - crossings.front()) / double(crossings.size() - 1), period,
                0.005 * period);
    {
        JointDef changed = w.def(j);
        changed.slide.damping = 20;
        EXPECT_TRUE(w.update(j, changed));
    }
    run(w, 3);
    EXPECT_NEAR(w.centerOfMass(b).y, rest, 1e-4);
    EXPECT_NEAR(w.jointForces(j).force.y, 2 * kG, 0.01);
}

TEST(MechanismDrives, DampingIsTorquePerSpeed) {
    const double c = 0.7;
    Door d([&](JointDef& j) { j.turn.damping = float(c); });
    d.w.setAngularVelocity(d.b, {0, 0, 4});
    d.w.setVelocity(d.b, {0, 2, 0});
    run(d.w, 0.5);
    const double goal = 4 * std::exp(-c * 0.5 / Door::inertia);
    EXPECT_NEAR(d.w.angularVelocity(d.b).z, goal, 0.01 * goal);

    World w({.gravity = {0, 0, 0}, .contact = false});
    BodyDef body = box({0, 0, 0}, 2);
    body.velocity = {3, 0, 0};
    const BodyId b = w.add(body);
    JointDef slider = joint(JointType::Prismatic, {}, b, {0, 0, 0});
    slider.slide.damping = 3;
    w.add(slider);
    run(w, 0.5);
    EXPECT_NEAR(w.velocity(b).x, 3 * std::exp(-0.75), 0.01 * 3 * std::exp(-0.75));

    World v({.gravity = {0, 0, 0}, .contact = false});
    body = box({0, 0, 0}, 2);
    body.angularVelocity = {0, 3, 1};
    const BodyId e = v.add(body);
    JointDef ball = joint(JointType::Ball, {}, e, {0, 0, 0});
    ball.turn.damping = 0.02f;
    v.add(ball);
    run(v, 0.5);
    const double fade = std::exp(-0.02 * 0.5 / boxInertia(2, 0.2, 0.2));
    EXPECT_NEAR(v.angularVelocity(e).y, 3 * fade, 0.03 * fade);
    EXPECT_NEAR(v.angularVelocity(e).z, 1 * fade, 0.03 * fade);
}

TEST(MechanismDrives, ACylinderTurnsSlidesAndIsDriven) {
    World w({.contact = false});
    const BodyId b = w.add(box({0, 0, 0}));
    JointDef def = joint(JointType::Cylinder, {}, b, {0, 0, 0}, {0, 1, 0});
    def.slide.target = 0.3f;
    def.slide.min = -0.1f;
    def.slide.max = 0.5f;
    const JointId j = w.add(def);
    w.setAngularVelocity(b, {0, 5, 0});
    run(w, 1);
    EXPECT_NEAR(w.centerOfMass(b).y, 0.3, 1e-3);
    EXPECT_NEAR(w.jointForces(j).distance, 0.3, 1e-3);
    EXPECT_NEAR(w.angularVelocity(b).y, 5, 0.01); // the body rotated freely in between
    EXPECT_NEAR(w.jointForces(j).angle, 5, 0.02);
    w.setTarget(j, 2);
    run(w, 1);
    EXPECT_NEAR(w.centerOfMass(b).y, 0.5, 1e-3);
    EXPECT_NEAR(w.jointForces(j).force.y, kG, 0.01);
}

TEST(MechanismDrives, APrismaticDriveOfLimitedForceAccelerates) {
    World w({.gravity = {0, 0, 0}, .contact = false});
    const BodyId b = w.add(box({0, 0, 0}, 4));
    JointDef def = joint(JointType::Prismatic, {}, b, {0, 0, 0});
    def.slide.target = 100;
    def.slide.maxForce = 6;
    const JointId j = w.add(def);
    run(w, 1);
    EXPECT_NEAR(w.velocity(b).x, 1.5, 0.02);
    EXPECT_NEAR(w.centerOfMass(b).x, 0.75, 0.01);
    EXPECT_NEAR(w.jointForces(j).force.x, 6, 0.01);
}

TEST(MechanismDrives, TheControlVectorMovesTargets) {
    Door servo(
        [](JointDef& j) {
            j.turn.target = 0.1f;
            j.controlX = 0.5f;
            j.turn.max = 0.9f;
        },
        {0, 0, 0}, JointType::Servo);
    servo.w.setControl(1, 5);
    run(servo.w, 0.5);
    EXPECT_NEAR(servo.angle(), 0.6, 1e-3);
    servo.w.setControl(9, 0);
    run(servo.w, 0.5);
    EXPECT_NEAR(servo.angle(), 0.9, 1e-3);

    Door motor(
        [](JointDef& j) {
            j.turn.speed = 1;
            j.controlX = 2;
            j.controlY = -3;
        },
        {0, 0, 0}, JointType::Motor);
    motor.w.setControl(2, 1);
    run(motor.w, 0.5);
    EXPECT_NEAR(motor.w.angularVelocity(motor.b).z, 1 + 4 - 3, 1e-3);

    World w({.contact = false});
    const BodyId b = w.add(box({0, 0, 0}));
    JointDef def = joint(JointType::Cylinder, {}, b, {0, 0, 0}, {0, 1, 0});
    def.controlY = 0.2f;
    w.add(def);
    run(w, 0.5);
    EXPECT_NEAR(w.centerOfMass(b).y, 0, 1e-3); // the control vector drives the axis to the target 0
    w.setControl(0, -2);
    run(w, 0.5);
    EXPECT_NEAR(w.centerOfMass(b).y, -0.4, 1e-3);
}

} // namespace
} // namespace capstan
