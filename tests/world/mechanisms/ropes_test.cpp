// SPDX-License-Identifier: MIT
// Tests of ropes attached to bodies: bodies that hang on ropes, bodies that hold ropes, winches and spools.
#include "mechanisms.hpp"

namespace capstan {
namespace {

// Returns a rope straight down from `top`: 20 segments of 0.1 m, 0.2 kg in total.
RopeDef down(Vec3 top, std::vector<int> pins = {first}) {
    RopeDef d;
    d.from = top;
    d.to = top - Vec3{0, 2, 0};
    d.segments = 20;
    d.mass = 0.2f;
    d.pins = std::move(pins);
    return d;
}
constexpr double kRopeMass = 0.2;

float worstGap(World& w, double seconds) {
    const Course c = course(w, seconds);
    EXPECT_EQ(c.heldStill, 0);
    EXPECT_EQ(c.quarantined, 0);
    return c.gap;
}

class CrateOnRope : public ::testing::TestWithParam<float> {};

TEST_P(CrateOnRope, HangsByItsWeight) {
    const float mass = GetParam();
    World w({.contact = false});
    const RopeId rope = w.add(down({0, 3, 0}));
    const BodyId crate = w.add(box({0, 0.9f, 0}, mass));
    const JointId j = w.attach({rope, last}, {crate, {0, 0.1f, 0}}).value().as<JointId>();
    EXPECT_LT(worstGap(w, 2), 1e-4f);
    const auto tension = w.tensions(rope);
    const double node = kRopeMass / 20;
    // Segment k carries the crate, half a node at the end, and 19 - k nodes.
    for (int k = 0; k < 20; ++k)
        EXPECT_NEAR(tension[k], (double(mass) + node * (19.5 - k)) * kG, 2e-4 * double(mass) * kG + 1e-3)
            << k;
    EXPECT_NEAR(w.jointForces(j).force.y, double(mass) * kG, 1e-3 * double(mass) * kG);
    EXPECT_NEAR(w.centerOfMass(crate).y, 0.9, 5e-4);
    EXPECT_LT(w.stretch(rope), 2e-4f);
}
INSTANTIATE_TEST_SUITE_P(Masses, CrateOnRope, ::testing::Values(0.01f, 1.0f, 1000.0f, 1e5f));

TEST(MechanismRopes, ACrateHangsOnTheFirstNode) {
    World w({.contact = false});
    RopeDef d = down({0, 3, 0}, {last});
    std::swap(d.from, d.to);
    const RopeId rope = w.add(d);
    const BodyId crate = w.add(box({0, 0.9f, 0}, 5));
    w.attach({rope, first}, {crate, {0, 0.1f, 0}}).value();
    EXPECT_LT(worstGap(w, 1), 1e-4f);
    EXPECT_NEAR(w.tensions(rope)[0], (5 + kRopeMass / 40) * kG, 0.02);
    EXPECT_NEAR(w.tensions(rope)[19], (5 + kRopeMass - kRopeMass / 40) * kG, 0.02);
}

TEST(MechanismRopes, ACrateHangsOnAMiddleNode) {
    World w({.contact = false});
    const RopeId rope = w.add(down({0, 3, 0}));
    const BodyId crate = w.add(box({0, 2, 0}, 5));
    const JointId j = w.attach({rope, 10}, {crate, {0, 0, 0}}).value().as<JointId>();
    EXPECT_LT(worstGap(w, 1), 1e-4f);
    EXPECT_NEAR(w.tensions(rope)[9], (5 + kRopeMass / 20 * 10.5) * kG, 0.02);
    EXPECT_NEAR(w.tensions(rope)[10], kRopeMass / 20 * 9.5 * kG, 0.01);
    EXPECT_NEAR(w.jointForces(j).force.y, 5 * kG, 0.02);
}

TEST(MechanismRopes, TwoCratesHangOnOneRope) {
    for (bool pinned :
         {true, false}) { // false: the upper end is attached to a third crate, which is hinged to the world
        World w({.contact = false});
        const RopeId rope = w.add(down({0, 3, 0}, pinned ? std::vector<int>{first} : std::vector<int>{}));
        if (!pinned) {
            const BodyId top = w.add(box({0, 3.1f, 0}, 2));
            w.add(joint(JointType::Hinge, {}, top, {0, 3.2f, 0}, {0, 0, 1}));
            w.attach({rope, first}, {top, {0, -0.1f, 0}}).value();
        }
        const BodyId a = w.add(box({0, 2, 0}, 5)), b = w.add(box({0, 0.9f, 0}, 3));
        w.attach({rope, 10}, {a, {0, 0, 0}}).value();
        w.attach({rope, last}, {b, {0, 0.1f, 0}}).value();
        EXPECT_LT(worstGap(w, 1), 1e-4f);
        EXPECT_NEAR(w.tensions(rope)[9], (8 + kRopeMass / 20 * 10.5) * kG, 0.03) << pinned;
        EXPECT_NEAR(w.tensions(rope)[10], (3 + kRopeMass / 20 * 9.5) * kG, 0.03) << pinned;
    }
}

TEST(MechanismRopes, ACrateSwingsOnARopeAsAPendulum) {
    // A crate that is heavy compared with the rope is a pendulum of length l = 2.1 m. With the amplitude a its period
    // is 2 pi sqrt((I + m l^2) / m g l) (1 + a^2 / 16).
    World w({.contact = false});
    const float a = 0.2f;
    const Vec3 along = {std::sin(a), -std::cos(a), 0};
    RopeDef d = down({0, 0, 0});
    d.to = 2.0f * along;
    const RopeId rope = w.add(d);
    BodyDef body = box(2.1f * along, 200);
    body.rotation = Quatf::fromAxisAngle({0, 0, 1}, a);
    const BodyId crate = w.add(body);
    w.attach({rope, last}, {crate, {0, 0.1f, 0}}).value();
    std::vector<double> crossings;
    double before = 1;
    for (int i = 0; i < 600; ++i) {
        w.step(kFrame);
        const double now = w.centerOfMass(crate).x;
        if (before > 0 && now <= 0) crossings.push_back((i + now / (before - now)) / 60);
        before = now;
    }
    const double l = 2.1, inertia = boxInertia(1, 0.2, 0.2) + l * l;
    const double period = 2 * M_PI * std::sqrt(inertia / (kG * l)) * (1 + double(a * a) / 16);
    ASSERT_GE(crossings.size(), 3u);
    EXPECT_NEAR((crossings.back() - crossings.front()) / double(crossings.size() - 1), period,
                0.005 * period);
}

TEST(MechanismRopes, ARopeBetweenTwoHangingBodiesSharesItsWeight) {
    World w({.contact = false});
    std::vector<BodyId> b;
    std::vector<JointId> j;
    for (float x : {-1.0f, 1.0f}) {
        b.push_back(w.add(box({x, -0.5f, 0}, 4, {0.1f, 1, 0.1f})));
        j.push_back(w.add(joint(JointType::Ball, {}, b.back(), {x, 0, 0})));
    }
    RopeDef d;
    d.from = {-1, -1, 0};
    d.to = {1, -1, 0};
    d.segments = 20;
    d.mass = 1;
    d.length = 2.2f;
    d.damping = 3;
    const RopeId rope = w.add(d);
    w.attach({rope, first}, {b[0], {0, -0.5f, 0}}).value();
    w.attach({rope, last}, {b[1], {0, -0.5f, 0}}).value();
    for (BodyId id : b) EXPECT_TRUE(w.isValid(id));
    EXPECT_LT(worstGap(w, 12), 1e-4f);
    // Each pivot carries its bar and half the rope; the inward forces of both are equal.
    for (JointId id : j) EXPECT_NEAR(w.jointForces(id).force.y, (4 + 0.5) * kG, 0.3);
    EXPECT_NEAR(w.jointForces(j[0]).force.y + w.jointForces(j[1]).force.y, 9 * kG, 0.3);
    EXPECT_NEAR(w.jointForces(j[0]).force.x, -w.jointForces(j[1]).force.x, 0.1);
    EXPECT_NEAR(w.centerOfMass(b[0]).x, -w.centerOfMass(b[1]).x, 1e-3);
    // A bar of mass m is hinged at its top and carries half the rope M at its lower end: (m / 2 + M) g tan(lean) =
    // T_x.
    const double lean = std::asin(2 * (double(w.centerOfMass(b[0]).x) + 1));
    EXPECT_NEAR(w.jointForces(j[0]).force.x, -(2 + 0.5) * kG * std::tan(lean), 0.2);
}

// A board on two ropes, each of which carries half. The board does not rotate, so it is a pendulum of the ropes'
// length.
TEST(MechanismRopes, ASeatSwingsOnTwoRopes) {
    World w({.contact = false});
    const BodyId seat = w.add(box({0, 1, 0}, 6, {0.6f, 0.05f, 0.3f}));
    RopeId rope[2];
    for (int k : {0, 1}) {
        const float x = k == 0 ? -0.25f : 0.25f;
        rope[k] = w.add(down({x, 3, 0}));
        w.attach({rope[k], last}, {seat, {x, 0, 0}}).value();
    }
    EXPECT_LT(worstGap(w, 1), 1e-4f);
    for (RopeId id : rope) EXPECT_NEAR(w.tensions(id)[19], (3 + kRopeMass / 40) * kG, 0.05);
    w.setVelocity(seat, {0.6f, 0, 0});
    std::vector<double> crossings;
    double before = -1;
    for (int i = 0; i < 600; ++i) {
        EXPECT_LT(w.step(kFrame).maxGap, 1e-4f);
        const double now = w.centerOfMass(seat).x;
        if (before > 0 && now <= 0) crossings.push_back((i + now / (before - now)) / 60);
        before = now;
        EXPECT_LT(std::abs(log(w.pose(seat).rotation).z), 0.02f);
    }
    // With two massless strings the period is 2 pi sqrt(l / g). The 0.4 kg of rope make it slightly shorter.
    const double m = 6, r = 2 * kRopeMass, period = 2 * M_PI * std::sqrt(2 / kG * (m + r / 3) / (m + r / 2));
    ASSERT_GE(crossings.size(), 3u);
    EXPECT_NEAR((crossings.back() - crossings.front()) / double(crossings.size() - 1), period, 0.01 * period);
}

// A hook, two ropes and a beam form a loop. Each rope carries half the beam's weight divided by the cosine of its
// angle.
TEST(MechanismRopes, ABridleIsALoopThroughRopes) {
    World w({.contact = false});
    const BodyId hook = w.add(box({0, 0, 0}, 1)), beam = w.add(box({0, -1, 0}, 10, {1.5f, 0.1f, 0.1f}));
    const JointId top = w.add(joint(JointType::Ball, {}, hook, {0, 0.1f, 0}));
    RopeId rope[2];
    for (int k : {0, 1}) {
        const float x = k == 0 ? -0.75f : 0.75f;
        RopeDef d;
        d.from = {0, -0.1f, 0};
        d.to = {x, -1, 0};
        d.segments = 12;
        d.mass = 0.02f;
        rope[k] = w.add(d);
        // Both ropes are attached at one point of the hook. Several joints may share a point, but each node has its
        // own joint.
        w.attach({rope[k], first}, {hook, {0, -0.1f, 0}}).value().as<JointId>();
        w.attach({rope[k], last}, {beam, {x, 0, 0}}).value();
    }
    EXPECT_LT(worstGap(w, 2), 1e-4f);
    const double cosine = 0.9 / std::hypot(0.9, 0.75);
    for (RopeId id : rope) EXPECT_NEAR(w.tensions(id)[6], 5.005 * kG / cosine, 0.005 * 5 * kG);
    EXPECT_NEAR(w.jointForces(top).force.y, (11 + 0.04) * kG, 0.1);
    EXPECT_NEAR(w.centerOfMass(beam).y, -1, 2e-3);
    w.applyImpulse(beam, {3, 0, 2});
    EXPECT_LT(worstGap(w, 3), 1e-4f);
}

TEST(MechanismRopes, TiedToWhatDoesNotObeyForcesANodeIsPinned) {
    World w({.contact = false});
    const BodyId wall = w.add(ofType(BodyType::Static, box({0, 3, 0})));
    const BodyId hand = w.add(ofType(BodyType::Kinematic, box({2, 3, 0})));
    RopeDef d;
    d.from = {0, 2.9f, 0};
    d.to = {2, 2.9f, 0};
    d.segments = 20;
    d.mass = 1;
    d.length = 3;
    d.damping = 2;
    const RopeId rope = w.add(d);
    const JointId a = w.attach({rope, first}, {wall, {0, -0.1f, 0}}).value().as<JointId>(),
                  b = w.attach({rope, last}, {hand, {0, -0.1f, 0}}).value().as<JointId>();
    run(w, 6);
    // The force on the body: the rope pulls it down.
    EXPECT_NEAR(w.jointForces(a).force.y, -0.5 * kG, 0.05 * kG);
    EXPECT_NEAR(w.jointForces(b).force.y, -0.5 * kG, 0.05 * kG);
    EXPECT_NEAR(w.jointForces(a).force.x, -w.jointForces(b).force.x, 0.02);
    for (int i = 0; i < 60; ++i) {
        const float t = float(i + 1) / 60;
        const Transform at = {{2 + 0.5f * t, 3, 0.3f * t}, Quatf::fromAxisAngle({0, 0, 1}, t)};
        w.moveTo(hand, at);
        w.step(kFrame);
        EXPECT_LT(length(Vec3(w.positions(rope)[20]) - at.point({0, -0.1f, 0})), 1e-5f) << i;
        EXPECT_LT(length(Vec3(w.positions(rope)[0]) - Vec3{0, 2.9f, 0}), 1e-6f);
    }
    w.remove(b);
    run(w, 0.5);
    EXPECT_LT(w.positions(rope)[20].y, 2.5f);
}

TEST(MechanismRopes, CuttingTheRopeFreesTheCrate) {
    World w({.contact = false});
    const RopeId rope = w.add(down({0, 3, 0}));
    const BodyId crate = w.add(box({0, 0.9f, 0}, 5));
    const JointId j = w.attach({rope, last}, {crate, {0, 0.1f, 0}}).value().as<JointId>();
    run(w, 0.5);
    const RopeId tail = w.cut(rope, 10);
    ASSERT_TRUE(tail);
    EXPECT_TRUE(w.def(j).rope.id == tail);
    for (int i = 0; i < 30; ++i) EXPECT_LT(w.step(kFrame).maxGap, 1e-4f);
    EXPECT_NEAR(w.velocity(crate).y, -kG * 0.5, 0.01);
    EXPECT_NEAR(w.centerOfMass(crate).y, 0.9 - 0.5 * kG * 0.25, 0.02);
    EXPECT_NEAR(w.tensions(rope)[0], kRopeMass / 20 * 9.5 * kG, 0.01); // ten segments remain above the cut
    EXPECT_LT(std::abs(w.tensions(tail)[0]), 0.05f);
}

TEST(MechanismRopes, WithoutItsCrateARopeIsARope) {
    World w({.contact = false});
    const RopeId rope = w.add(down({0, 3, 0}));
    const BodyId crate = w.add(box({0, 0.9f, 0}, 5));
    w.attach({rope, last}, {crate, {0, 0.1f, 0}}).value();
    run(w, 0.5);
    w.remove(crate);
    EXPECT_TRUE(w.ids<JointId>().empty());
    run(w, 1);
    EXPECT_NEAR(w.tensions(rope)[0], kRopeMass / 20 * 19.5 * kG, 0.01);
}

TEST(MechanismRopes, AWinchLiftsTheCrate) {
    World w({.contact = false});
    const RopeId rope = w.add(down({0, 3, 0}));
    const BodyId crate = w.add(box({0, 0.9f, 0}, 50));
    w.attach({rope, last}, {crate, {0, 0.1f, 0}}).value();
    run(w, 0.5);
    w.setWinchSpeed(rope, first, -0.5f);
    EXPECT_LT(worstGap(w, 2), 1e-4f);
    EXPECT_NEAR(w.centerOfMass(crate).y, 0.9 + 1, 0.01);
    EXPECT_NEAR(w.velocity(crate).y, 0.5, 0.02);
    EXPECT_NEAR(w.tensions(rope).back(), 50 * kG, 5);
    w.setWinchSpeed(rope, first, 0.3f); // the winch pays out again
    EXPECT_LT(worstGap(w, 1), 1e-4f);
    EXPECT_NEAR(w.centerOfMass(crate).y, 1.9 - 0.3, 0.01);
}

// A motor turns a drum of radius r = 0.2 m at w. The crate rises at r w, and the motor's torque is T r.
TEST(MechanismRopes, ASpoolWindsUpWhatAMotorTurns) {
    for (float speed : {2.0f, -1.0f}) {
        World w({.contact = false});
        BodyDef d;
        d.shape = ShapeDef(Cylinder{0.2f, 0.1f}).at({0, 0, 0}, Quatf::fromAxisAngle({1, 0, 0}, 1.57079633f));
        d.mass = 5;
        d.position = {-0.2f, 3, 0};
        const BodyId drum = w.add(d), crate = w.add(box({0, 0.9f, 0}, 10));
        JointDef motor = joint(JointType::Motor, {}, drum, {-0.2f, 3, 0}, {0, 0, 1});
        motor.turn.speed = 0;
        const JointId m = w.add(motor);
        const RopeId rope = w.add(down({0, 3, 0}, {}));
        JointDef spool = joint(JointType::Spool, {}, drum, {0, 3, 0}, {0, 0, 1});
        spool.rope = rope;
        spool.node = first;
        const JointId s = w.add(spool);
        w.attach({rope, last}, {crate, {0, 0.1f, 0}}).value();
        run(w, 0.5);
        EXPECT_NEAR(w.jointForces(m).torque.z, 0.2 * (10 + kRopeMass) * kG, 0.02 * 0.2 * 10 * kG);
        EXPECT_NEAR(w.centerOfMass(crate).y, 0.9, 1e-3);
        w.setTarget(m, speed);
        run(w, 0.5); // transients decay
        const double y = w.centerOfMass(crate).y, angle = w.jointForces(m).angle;
        EXPECT_LT(worstGap(w, 1.5), 1e-4f);
        EXPECT_NEAR(double(w.centerOfMass(crate).y) - y, 0.2 * (double(w.jointForces(m).angle) - angle),
                    0.01);
        EXPECT_NEAR(w.velocity(crate).y, 0.2 * double(speed), 0.02);
        EXPECT_NEAR(w.jointForces(m).torque.z, 0.2 * (10 + kRopeMass / 2) * kG, 0.05 * 0.2 * 10 * kG);
        // The rope leaves the drum at the anchor of the joint.
        EXPECT_LT(length(Vec3(w.positions(rope)[0]) - Vec3{0, 3, 0}), 2e-3f);
        EXPECT_NEAR(length(w.jointForces(s).force), 10.1 * kG, 0.05 * 10 * kG);
    }
}

TEST(MechanismRopes, ACrateOnARopePulledByADrag) {
    World w({.contact = false});
    RopeDef d = down({0, 3, 0}, {});
    const RopeId rope = w.add(d);
    const BodyId crate = w.add(box({0, 0.9f, 0}, 5));
    w.attach({rope, last}, {crate, {0, 0.1f, 0}}).value();
    JointDef drag;
    drag.type = JointType::Drag;
    drag.rope = rope;
    drag.node = first;
    drag.distance.compliance = 0.001f;
    drag.distance.damping = 100;
    const JointId j = w.add(drag);
    EXPECT_LT(worstGap(w, 3), 1e-4f);
    EXPECT_NEAR(w.positions(rope)[0].y, 3 - (5 + kRopeMass) * kG * 0.001, 1e-3);
    EXPECT_NEAR(w.jointForces(j).force.y, (5 + kRopeMass) * kG, 0.2);
}

} // namespace
} // namespace capstan
