// SPDX-License-Identifier: MIT
// Tests of XPBD joints (WorldDef::jointSolver = xpbd) against formulas and against the direct solver of trees.
#include "xpbd_worlds.hpp"

#include <capstan/capstan.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace capstan {
namespace {

constexpr double kG = 9.81, kPi = std::numbers::pi;

WorldDef xpbd(Vec3 gravity = {0, -9.81f, 0}, int substeps = 40) {
    return {.gravity = gravity, .substeps = substeps, .contact = false, .jointSolver = JointSolver::Xpbd};
}

void run(World& w, double seconds) {
    for (int i = 0; i < int(std::lround(seconds * 60)); ++i) w.step(kFrame);
}

// A body of 1 kg on one joint to the world at the origin.
struct Held {
    World w;
    BodyId b;
    JointId j;

    Held(const BodyDef& body, JointDef d, Vec3 gravity, const std::function<void(JointDef&)>& change)
        : w(xpbd(gravity)), b(w.add(body)) {
        d.body1 = b;
        change(d);
        j = w.add(d);
    }
    double angle() const { // from the body's position, not from jointForces()
        return std::atan2(double(w.centerOfMass(b).y), double(w.centerOfMass(b).x));
    }
};

// A door, 1 m wide, along +x, on a joint about z at its edge.
Held door(JointType type, Vec3 gravity, const std::function<void(JointDef&)>& change) {
    return {box({0.5f, 0, 0}, 1, {1, 0.1f, 0.1f}), joint(type, {}, {}, {0, 0, 0}), gravity, change};
}
constexpr double kDoor = (1.0 + 0.01) / 12 + 0.25; // inertia about the edge, kg m^2
const Vec3 kDown = {0, -9.81f, 0}, kNone = {0, 0, 0};

// A small ball at the end of a long massless arm. Nearly all of its inertia about the joint comes from its distance.
Held bob(JointType type, Vec3 gravity, const std::function<void(JointDef&)>& change) {
    BodyDef d;
    d.shape = Sphere{0.05f};
    d.mass = 1;
    d.position = {1, 0, 0};
    return {d, joint(type, {}, {}, {0, 0, 0}), gravity, change};
}

// The period is T = 2 pi sqrt(I / m g d) (1 + a^2 / 16), with the amplitude a. The inertia about the joint is I, and
// the centre of mass is at the distance d.
TEST(Xpbd, APendulumHasItsPeriod) {
    for (JointType type : {JointType::Hinge, JointType::Ball}) {
        Held d = door(type, kDown, [](JointDef&) {});
        const float start = -float(kPi / 2) + 0.2f;
        d.w.teleport(d.b, {{0.5f * std::cos(start), 0.5f * std::sin(start), 0},
                           Quatf::fromAxisAngle({0, 0, 1}, start)});
        std::vector<double> crossings; // times of passing the lowest point
        double before = d.angle() + kPi / 2;
        for (int i = 0; i < 600; ++i) {
            d.w.step(kFrame);
            const double now = d.angle() + kPi / 2;
            if (now * before < 0) crossings.push_back((i + before / (before - now)) / 60);
            before = now;
        }
        ASSERT_GT(crossings.size(), 10u);
        const double period = 2 * (crossings.back() - crossings.front()) / double(crossings.size() - 1);
        EXPECT_NEAR(period, 2 * kPi * std::sqrt(kDoor / (kG * 0.5)) * (1 + 0.04 / 16), 0.01 * period);
        EXPECT_LT(d.w.jointForces(d.j).gap, 1e-5f);
    }
}

TEST(Xpbd, AHingeStopsAtBothLimits) {
    for (auto make : {door, bob}) {
        Held d = make(JointType::Hinge, kNone, [](JointDef& j) {
            j.turn.min = -0.5f;
            j.turn.max = 0.8f;
        });
        double least = 0, most = 0;
        for (int i = 0; i < 300; ++i) {
            d.w.applyTorque(d.b, {0, 0, i % 100 < 50 ? 3.0f : -3.0f});
            d.w.step(kFrame);
            least = std::min(least, d.angle());
            most = std::max(most, d.angle());
            EXPECT_NEAR(d.w.jointForces(d.j).angle, d.angle(), 1e-5);
        }
        EXPECT_NEAR(least, -0.5, 2e-3);
        EXPECT_NEAR(most, 0.8, 2e-3);
    }
}

// The limit carries the torque of the weight.
TEST(Xpbd, ALimitBearsTheWeight) {
    Held d = door(JointType::Hinge, kDown, [](JointDef& j) { j.turn.min = -0.4f; });
    run(d.w, 2);
    EXPECT_NEAR(d.angle(), -0.4, 1e-3);
    EXPECT_NEAR(d.w.jointForces(d.j).torque.z, kG * 0.5 * std::cos(0.4), 0.02);
    EXPECT_NEAR(d.w.jointForces(d.j).force.y, kG, 0.01);
}

TEST(Xpbd, AMotorTurnsPastHalfATurnBothWaysAndUnderLoad) {
    for (float speed : {5.0f, -5.0f}) {
        for (auto make : {door, bob}) {
            Held d = make(JointType::Motor, kDown, [&](JointDef& j) { j.turn.speed = speed; });
            run(d.w, 4);
            EXPECT_NEAR(d.w.jointForces(d.j).angle, 4 * double(speed), 0.01);
            EXPECT_NEAR(std::remainder(d.w.jointForces(d.j).angle - d.angle(), 2 * kPi), 0, 1e-4);
        }
    }
}

TEST(Xpbd, AMotorOfLimitedTorqueAcceleratesWithTorqueOverInertia) {
    Held d = door(JointType::Motor, kNone, [](JointDef& j) {
        j.turn.speed = 50;
        j.turn.maxForce = 2;
    });
    run(d.w, 0.5);
    EXPECT_NEAR(d.w.angularVelocity(d.b).z, 2 * 0.5 / kDoor, 0.01 * 2 * 0.5 / kDoor);
    EXPECT_NEAR(d.w.jointForces(d.j).torque.z, 2, 0.01);
}

TEST(Xpbd, AServoGoesToItsTargetAndHoldsIt) {
    for (float target : {-float(kPi) / 4, 0.0f, 2.5f}) {
        for (auto make : {door, bob}) {
            Held d = make(JointType::Servo, kDown, [&](JointDef& j) { j.turn.target = target; });
            run(d.w, 1);
            EXPECT_NEAR(d.angle(), target, 1e-3);
            EXPECT_LT(length(d.w.angularVelocity(d.b)), 1e-3f);
        }
    }
    Held d = door(JointType::Servo, kDown, [](JointDef& j) {
        j.turn.target = 0.0f;
        j.controlX = 0.5f;
    });
    d.w.setControl(1, 0);
    run(d.w, 1);
    EXPECT_NEAR(d.angle(), 0.5, 1e-3);
}

// At rest: angle = -compliance m g d cos(angle). A servo whose maximum torque is below that of the weight yields.
TEST(Xpbd, ASoftServoYieldsByItsCompliance) {
    Held d = door(JointType::Servo, kDown, [](JointDef& j) {
        j.turn.compliance = 0.05f;
        j.turn.damping = 2;
    });
    run(d.w, 5);
    EXPECT_NEAR(d.angle(), -0.05 * kG * 0.5 * std::cos(d.angle()), 1e-3);
    Held weak = door(JointType::Servo, kDown, [](JointDef& j) { j.turn.maxForce = 2; });
    run(weak.w, 0.2);
    EXPECT_NEAR(weak.w.angularVelocity(weak.b).z, -(kG * 0.5 - 2) / kDoor * 0.2, 0.05);
}

// The angular velocity about the hinge decays as w = w0 exp(-c t / I), with the damping c.
TEST(Xpbd, DampingIsTorquePerSpeed) {
    for (JointType type : {JointType::Hinge, JointType::Ball}) {
        Held d = {box({0, 0, 0}, 1, {1, 0.1f, 0.1f}), joint(type, {}, {}, {0, 0, 0}), kNone,
                  [](JointDef& j) { j.turn.damping = 0.1f; }};
        d.w.setAngularVelocity(d.b, {0, 0, 3});
        run(d.w, 1);
        EXPECT_NEAR(d.w.angularVelocity(d.b).z, 3 * std::exp(-0.1 / (1.01 / 12)), 0.02) << int(type);
    }
}

// The body slides along an axis at 30 degrees: s = g sin(30) t^2 / 2. Its centre of mass is beside the axis.
TEST(Xpbd, APrismaticJointSlidesAndDoesNotTurn) {
    const Vec3 axis = {std::sqrt(3.0f) / 2, -0.5f, 0};
    Held d = {box({0, -0.6f, 0.3f}, 1, {0.2f, 0.2f, 0.2f}),
              joint(JointType::Prismatic, {}, {}, {0, 0, 0}, axis), kDown,
              [](JointDef& j) { j.slide.max = 2; }};
    run(d.w, 0.5);
    EXPECT_NEAR(d.w.jointForces(d.j).distance, kG * 0.5 * 0.5 * 0.25, 0.01);
    EXPECT_LT(length(log(d.w.pose(d.b).rotation)), 1e-4f);
    run(d.w, 2);
    EXPECT_NEAR(d.w.jointForces(d.j).distance, 2, 1e-3);
    EXPECT_LT(d.w.jointForces(d.j).gap, 1e-4f);
    EXPECT_NEAR(length(d.w.jointForces(d.j).force), kG, 0.01);
}

TEST(Xpbd, APrismaticDriveHoldsAPlaceWithItsForce) {
    const JointDef lift = joint(JointType::Prismatic, {}, {}, {0, 0, 0}, {0, 1, 0});
    const BodyDef load = box({0.5f, 0, 0}, 2, {0.2f, 0.2f, 0.2f});
    Held rigid = {load, lift, kDown, [](JointDef& j) { j.slide.target = 0.7f; }};
    run(rigid.w, 1);
    EXPECT_NEAR(rigid.w.jointForces(rigid.j).distance, 0.7, 1e-3);
    EXPECT_NEAR(rigid.w.jointForces(rigid.j).force.y, 2 * kG, 0.02);
    // The torque [N m] of the load beside the axis.
    EXPECT_NEAR(rigid.w.jointForces(rigid.j).torque.z, 2 * kG * 0.5, 0.02);
    Held soft = {load, lift, kDown, [](JointDef& j) {
                     j.slide.target = 0;
                     j.slide.compliance = 0.01f;
                     j.slide.damping = 30;
                 }};
    run(soft.w, 3);
    EXPECT_NEAR(soft.w.jointForces(soft.j).distance, -0.01 * 2 * kG, 1e-3);
    Held weak = {load, lift, kDown, [](JointDef& j) {
                     j.slide.target = 9;
                     j.slide.maxForce = 30;
                 }};
    run(weak.w, 0.5);
    EXPECT_NEAR(weak.w.jointForces(weak.j).distance, 0.5 * (15 - kG) * 0.25, 0.01);
}

TEST(Xpbd, ACylinderTurnsAndSlides) {
    Held d = {box({0, 0, 0}, 1, {0.2f, 0.2f, 0.2f}), joint(JointType::Cylinder, {}, {}, {0, 0, 0}, {0, 1, 0}),
              kDown, [](JointDef&) {}};
    d.w.setAngularVelocity(d.b, {0, 7, 0});
    run(d.w, 0.5);
    EXPECT_NEAR(d.w.jointForces(d.j).distance, -0.5 * kG * 0.25, 0.01);
    EXPECT_NEAR(d.w.jointForces(d.j).angle, 3.5, 1e-3);
}

// A cantilever of two boxes. The wall carries their weight and its torque, and the boxes do not move.
TEST(Xpbd, FixedBodiesAreOnePiece) {
    World w(xpbd());
    const BodyId a = w.add(box({0.5f, 0, 0}, 2, {1, 0.1f, 0.1f})),
                 b = w.add(box({1.25f, 0, 0}, 3, {0.5f, 0.2f, 0.2f}));
    const JointId wall = w.add(joint(JointType::Fixed, {}, a, {0, 0, 0}));
    const JointId inner = w.add(joint(JointType::Fixed, a, b, {1, 0, 0}));
    run(w, 1);
    EXPECT_LT(length(w.centerOfMass(b) - Vec3{1.25f, 0, 0}), 1e-4f);
    EXPECT_NEAR(w.jointForces(wall).force.y, 5 * kG, 0.01 * 5 * kG);
    EXPECT_NEAR(w.jointForces(wall).torque.z, kG * (2 * 0.5 + 3 * 1.25), 0.01 * kG * 4.75);
    EXPECT_NEAR(w.jointForces(inner).torque.z, kG * 3 * 0.25, 0.01 * kG * 0.75);
}

TEST(Xpbd, ARodKeepsItsLengthAndASpringStretchesByHooke) {
    BodyDef ball;
    ball.shape = Sphere{0.1f};
    ball.mass = 2;
    ball.position = {0, -1, 0};
    JointDef d = joint(JointType::Distance, {}, {}, {0, 0, 0});
    d.anchor1 = Vec3{0, -1, 0};
    Held rod = {ball, d, kDown, [](JointDef&) {}};
    rod.w.setVelocity(rod.b, {1, 0, 0});
    for (int i = 0; i < 120; ++i) {
        rod.w.step(kFrame);
        EXPECT_NEAR(length(rod.w.centerOfMass(rod.b)), 1, 1e-4);
    }
    Held spring = {ball, d, kDown, [](JointDef& j) { j.distance.compliance = 0.01f; }};
    std::vector<double> crossings; // times of passing the position of rest, 2 g compliance below the start
    double least = 0;
    for (int i = 0; i < 240; ++i) {
        const double before = spring.w.jointForces(spring.j).distance;
        spring.w.step(kFrame);
        const double now = spring.w.jointForces(spring.j).distance, rest = 1 + 0.02 * kG;
        if ((now - rest) * (before - rest) < 0)
            crossings.push_back((i + (before - rest) / (before - now)) / 60);
        least = std::min(least, -now);
    }
    const double period = 2 * (crossings.back() - crossings.front()) / double(crossings.size() - 1);
    EXPECT_NEAR(period, 2 * kPi * std::sqrt(2 * 0.01), 0.02 * period);
    EXPECT_NEAR(-least, 1 + 2 * 0.02 * kG, 0.02);
    Held still = {ball, d, kDown, [](JointDef& j) {
                      j.distance.compliance = 0.01f;
                      j.distance.damping = 20;
                  }};
    run(still.w, 3);
    EXPECT_NEAR(still.w.jointForces(still.j).distance, 1 + 0.02 * kG, 1e-3);
    EXPECT_NEAR(still.w.jointForces(still.j).force.y, 2 * kG, 0.02);
}

TEST(Xpbd, ABallStaysInItsConeAndItsTwist) {
    JointDef d = joint(JointType::Ball, {}, {}, {0, 0, 0}, {1, 0, 0});
    Held h = {box({0.5f, 0, 0}, 1, {1, 0.1f, 0.2f}), d, kDown, [](JointDef& j) {
                  j.swing.max = 0.6f;
                  j.turn.min = -0.3f;
                  j.turn.max = 0.5f;
              }};
    double swing = 0, twistLeast = 0, twistMost = 0;
    for (int i = 0; i < 600; ++i) {
        h.w.applyTorque(
            h.b, {i % 200 < 100 ? 1.0f : -1.0f, std::sin(0.05f * float(i)), 2 * std::cos(0.07f * float(i))});
        h.w.step(kFrame);
        const Vec3 x = rotate(h.w.pose(h.b).rotation, Vec3{1, 0, 0});
        swing = std::max(swing, std::acos(double(std::min(x.x, 1.0f))));
        twistLeast = std::min(twistLeast, double(h.w.jointForces(h.j).angle));
        twistMost = std::max(twistMost, double(h.w.jointForces(h.j).angle));
    }
    EXPECT_NEAR(swing, 0.6, 5e-3);
    EXPECT_NEAR(twistLeast, -0.3, 5e-3);
    EXPECT_NEAR(twistMost, 0.5, 5e-3);
}

TEST(Xpbd, ADragPullsByItsDistanceWithinItsStrength) {
    JointDef d = joint(JointType::Drag, {}, {}, {0.5f, 0, 0});
    d.distance.compliance = 0.005f;
    d.distance.damping = 10;
    Held h = {box({0.5f, 0, 0}, 1, {0.2f, 0.2f, 0.2f}), d, kDown, [](JointDef&) {}};
    h.w.setTarget(h.j, {2, 1, 0});
    run(h.w, 5);
    EXPECT_LT(length(h.w.centerOfMass(h.b) - Vec3{2, 1 - 0.005f * 9.81f, 0}), 1e-3f);
    EXPECT_NEAR(h.w.jointForces(h.j).force.y, kG, 0.01);
    Held weak = {box({0.5f, 0, 0}, 1, {0.2f, 0.2f, 0.2f}), d, kNone, [](JointDef& j) {
                     j.distance.compliance = 1e-4f;
                     j.distance.damping = 0;
                     j.distance.maxForce = 3;
                 }};
    weak.w.setTarget(weak.j, {9.5f, 0, 0});
    weak.w.step(kFrame); // the target point starts to move
    const float before = weak.w.velocity(weak.b).x;
    run(weak.w, 0.5);
    EXPECT_NEAR(weak.w.velocity(weak.b).x - before, 1.5, 0.01);
}

TEST(Xpbd, AKinematicRootCarriesWhatHangsOnIt) {
    World w(xpbd());
    BodyDef root = box({0, 0, 0}, 1, {0.1f, 0.1f, 0.1f});
    root.type = BodyType::Kinematic;
    const BodyId a = w.add(root), b = w.add(box({0.5f, 0, 0}, 1, {1, 0.1f, 0.1f}));
    const JointId j = w.add(joint(JointType::Fixed, a, b, {0, 0, 0}));
    for (int i = 1; i <= 120; ++i) {
        w.moveTo(a, {{float(i) / 60, 0, 0}, Quatf::fromAxisAngle({0, 0, 1}, float(i) / 30)});
        w.step(kFrame);
    }
    EXPECT_LT(length(w.centerOfMass(b) - Vec3{2 + 0.5f * std::cos(4.0f), 0.5f * std::sin(4.0f), 0}), 1e-3f);
    EXPECT_NEAR(w.angularVelocity(b).z, 2, 1e-2);
    EXPECT_LT(w.jointForces(j).gap, 1e-4f);
}

TEST(Xpbd, AJointBreaksUnderMoreThanItBears) {
    Held d = door(JointType::Hinge, kDown,
                  [](JointDef& j) { j.breakForce = 4; }); // a falling door exerts g / 4 on its hinge
    d.w.step(kFrame);
    EXPECT_FALSE(d.w.jointForces(d.j).broken);
    run(d.w, 1);
    EXPECT_TRUE(d.w.jointForces(d.j).broken);
}

} // namespace
} // namespace capstan
