// SPDX-License-Identifier: MIT
// Tests of ropes attached to bodies in unusual cases: stiff and elastic ropes, several ropes in a row, nodes that
// winches add and remove.
#include "mechanisms.hpp"

namespace capstan {
namespace {

RopeDef along(Vec3 from, Vec3 to, int segments = 20, std::vector<int> pins = {}) {
    RopeDef d;
    d.from = from;
    d.to = to;
    d.segments = segments;
    d.mass = 0.2f;
    d.pins = std::move(pins);
    return d;
}

TEST(MechanismRopes, AnElasticRopeStretchesUnderItsCrate) {
    World w({.contact = false});
    RopeDef d = along({0, 0, 0}, {0, -2, 0}, 20, {first});
    d.stretchStiffness = 5000;
    const RopeId rope = w.add(d);
    BodyDef body = box({0, -2.1f, 0}, 10);
    body.damping = 3;
    const BodyId crate = w.add(body);
    w.attach({rope, last}, {crate, {0, 0.1f, 0}}).value();
    run(w, 12);
    const double strain = (10 + 0.1) * kG / 5000;
    EXPECT_NEAR(w.stretch(rope), strain, 0.01 * strain);
    EXPECT_NEAR(w.centerOfMass(crate).y, -2.1 - 2 * strain, 1e-3);
}

TEST(MechanismRopes, AStiffRopeBearsACrate) {
    World w({.contact = false});
    RopeDef d = along({0, 0, 0}, {0, -2, 0}, 20, {first});
    d.bendStiffness = 0.05f;
    const RopeId rope = w.add(d);
    const BodyId crate = w.add(box({0, -2.1f, 0}, 5));
    w.attach({rope, last}, {crate, {0, 0.1f, 0}}).value();
    w.applyImpulse(crate, {5, 0, 0});
    const Course c = course(w, 3);
    EXPECT_LT(c.gap, 1e-4f);
    EXPECT_LE(c.energyMost - c.energyStart, 0.01 * 5 * kG * 2);
    EXPECT_LT(w.stretch(rope), 1e-3f);
}

TEST(MechanismRopes, RopesAndCratesInARow) {
    World w({.contact = false});
    const RopeId a = w.add(along({0, 0, 0}, {0, -1, 0}, 10, {first})),
                 b = w.add(along({0, -1.2f, 0}, {0, -2.2f, 0}, 10));
    const BodyId p = w.add(box({0, -1.1f, 0}, 2)), q = w.add(box({0, -2.3f, 0}, 30));
    w.attach({a, last}, {p, {0, 0.1f, 0}}).value();
    w.attach({b, first}, {p, {0, -0.1f, 0}}).value();
    w.attach({b, last}, {q, {0, 0.1f, 0}}).value();
    EXPECT_LT(course(w, 2).gap, 1e-4f);
    EXPECT_NEAR(w.tensions(a)[9], (32 + 0.2 + 0.01) * kG, 0.05);
    EXPECT_NEAR(w.tensions(b)[9], (30 + 0.01) * kG, 0.05);
    w.applyImpulse(q, {30, 0, 0});
    EXPECT_LT(course(w, 3).gap, 1e-4f);
}

// A load m in the middle of a rope between two pins: T = m g / (2 sin(slope)).
TEST(MechanismRopes, ALoadBetweenTwoPins) {
    World w({.contact = false});
    RopeDef d = along({-1, 0, 0}, {1, 0, 0}, 20, {first, last});
    d.length = 2.5f;
    d.mass = 0.01f;
    d.damping = 2;
    const RopeId rope = w.add(d);
    const BodyId b = w.add(box(Vec3(w.positions(rope)[10]), 4));
    w.attach({rope, 10}, {b, {0, 0, 0}}).value();
    EXPECT_LT(course(w, 10).gap, 1e-4f);
    const double slope = std::acos(1 / 1.25);
    EXPECT_NEAR(w.tensions(rope)[3], 4 * kG / (2 * std::sin(slope)), 0.02 * 4 * kG);
    EXPECT_NEAR(w.tensions(rope)[16], 4 * kG / (2 * std::sin(slope)), 0.02 * 4 * kG);
    EXPECT_NEAR(w.centerOfMass(b).y, -1.25 * std::sin(slope), 0.01);
}

// Both ends of the rope are attached to one body, like a handle.
TEST(MechanismRopes, ARopeWithBothEndsOnOneBody) {
    World w({.contact = false});
    const BodyId b = w.add(box({0, 0, 0}, 3, {1, 0.2f, 0.2f}));
    RopeDef d = along({-0.5f, 0.1f, 0}, {0.5f, 0.1f, 0}, 16);
    d.length = 1.4f;
    const RopeId rope = w.add(d);
    w.attach({rope, first}, {b, {-0.5f, 0.1f, 0}}).value();
    w.attach({rope, last}, {b, {0.5f, 0.1f, 0}}).value();
    w.add(joint(JointType::Hinge, {}, b, {0, 0, 0}, {0, 0, 1}));
    w.applyImpulse(b, {0, 2, 0}, {0.5f, 0, 0});
    EXPECT_LT(course(w, 3).gap, 1e-4f);
    EXPECT_LT(w.stretch(rope), 1e-3f);
}

TEST(MechanismRopes, ARopeAndACrateInFreeSpaceKeepTheirMomentum) {
    World w({.gravity = {0, 0, 0}, .contact = false});
    const RopeId rope = w.add(along({0, 0, 0}, {1, 0, 0}, 10));
    const BodyId a = w.add(box({1.1f, 0, 0}, 2)), b = w.add(box({-0.1f, 0, 0}, 1));
    w.attach({rope, last}, {a, {-0.1f, 0, 0}}).value();
    w.attach({rope, first}, {b, {0.1f, 0, 0}}).value();
    w.applyImpulse(a, {0, 3, 1}, {1.2f, 0, 0});
    EXPECT_LT(course(w, 3).gap, 1e-4f);
    const Vec3d p = momentum(w, rope) + 2.0 * widen(w.velocity(a)) + widen(w.velocity(b));
    EXPECT_LT(length(p - Vec3d{0, 3, 1}), 1e-4);
    EXPECT_LT(std::abs(w.stretch(rope)), 1e-3f);
}

TEST(MechanismRopes, AWinchAtTheCratesEnd) {
    World w({.contact = false});
    const RopeId rope = w.add(along({0, 0, 0}, {0, -2, 0}, 20, {first}));
    const BodyId crate = w.add(box({0, -2.1f, 0}, 5));
    const JointId j = w.attach({rope, last}, {crate, {0, 0.1f, 0}}).value().as<JointId>();
    w.setWinchSpeed(rope, last, -0.4f);
    EXPECT_LT(course(w, 2).gap, 1e-4f);
    EXPECT_NEAR(w.centerOfMass(crate).y, -2.1 + 0.8, 0.01);
    EXPECT_TRUE(w.isValid(j));
    EXPECT_LT(w.positions(rope).size(), 15u); // the winch has removed nodes
    w.setWinchSpeed(rope, last, 0.4f);
    EXPECT_LT(course(w, 2).gap, 1e-4f);
    EXPECT_NEAR(w.centerOfMass(crate).y, -2.1, 0.01);
    EXPECT_GT(w.positions(rope).size(), 19u);
}

TEST(MechanismRopes, PinsOfATiedRopeComeAndGo) {
    World w({.contact = false});
    const RopeId rope = w.add(along({0, 0, 0}, {0, -2, 0}, 20, {first}));
    const BodyId crate = w.add(box({0, -2.1f, 0}, 5));
    w.attach({rope, last}, {crate, {0, 0.1f, 0}}).value();
    run(w, 0.2);
    w.pin({rope, 10}, Vec3(w.positions(rope)[10]));
    w.unpin({rope, 0});
    run(w, 2);
    EXPECT_NEAR(w.centerOfMass(crate).y, -2.1, 0.01); // the crate now hangs on the middle node
    EXPECT_LT(w.report().maxGap, 1e-4f);
    w.unpin({rope, 10});
    for (int i = 0; i < 30; ++i) w.step(kFrame);
    EXPECT_NEAR(w.velocity(crate).y, -kG / 2, 0.05);
    for (int i = 0; i < 30; ++i) { // a moved pin lifts the crate
        if (i == 0) w.pin({rope, 0}, Vec3(w.positions(rope)[0]));
        w.step(kFrame);
        EXPECT_LT(w.report().maxGap, 1e-4f) << i;
    }
    EXPECT_EQ(w.report().quarantined, 0);
}

TEST(MechanismRopes, AnAttachmentFarAwayIsPulledTogether) {
    World w({.contact = false});
    const RopeId rope = w.add(along({0, 0, 0}, {0, -2, 0}, 20, {first}));
    const BodyId crate = w.add(box({1, -2, 0}, 5));
    w.attach({rope, last}, {crate, {-0.1f, 0, 0}}).value(); // the anchor is 0.9 m from the node
    const Course c = course(w, 1);
    EXPECT_LT(w.report().maxGap, 1e-4f);
    EXPECT_EQ(c.quarantined, 0);
}

TEST(MechanismRopes, AWeakRopeBreaksUnderItsCrate) {
    World w({.contact = false});
    RopeDef d = along({0, 0, 0}, {0, -2, 0}, 20, {first});
    d.breakTension = 60;
    const RopeId rope = w.add(d);
    const BodyId crate = w.add(box({0, -2.1f, 0}, 5)); // its weight is 49 N
    const JointId j = w.attach({rope, last}, {crate, {0, 0.1f, 0}}).value().as<JointId>();
    run(w, 0.5);
    EXPECT_TRUE(w.tensions(rope)[0] > 45 && w.ids<RopeId>().size() == 1u);
    w.applyForce(crate, {0, -30, 0});
    w.step(kFrame);
    ASSERT_EQ(w.events().size(), 1u);
    EXPECT_EQ(w.events()[0].kind, Event::Kind::Broke);
    EXPECT_TRUE(w.isValid(j));
    const float v = w.velocity(crate).y;
    for (int i = 0; i < 30; ++i) w.step(kFrame);
    EXPECT_NEAR(w.velocity(crate).y - v, -kG / 2, 0.02);
}

// A rope over two hinged arms and a rod that closes a loop, all in one mechanism.
TEST(MechanismRopes, RopesInAMechanismWithLoops) {
    World w({.contact = false});
    const BodyId a = w.add(box({-0.5f, -0.5f, 0}, 2, {0.1f, 1, 0.1f})),
                 b = w.add(box({0.5f, -0.5f, 0}, 2, {0.1f, 1, 0.1f}));
    w.add(joint(JointType::Hinge, {}, a, {-0.5f, 0, 0}, {0, 0, 1}));
    w.add(joint(JointType::Hinge, {}, b, {0.5f, 0, 0}, {0, 0, 1}));
    JointDef rod = joint(JointType::Distance, a, b, {-0.5f, -0.5f, 0});
    rod.anchor1 = Vec3{0.5f, -0.5f, 0};
    w.add(rod);
    RopeDef d = along({-0.5f, -1, 0}, {0.5f, -1, 0}, 12);
    d.length = 1.4f;
    const RopeId rope = w.add(d);
    w.attach({rope, first}, {a, {0, -0.5f, 0}}).value();
    w.attach({rope, last}, {b, {0, -0.5f, 0}}).value();
    const BodyId load = w.add(box(Vec3(w.positions(rope)[6]), 10));
    w.attach({rope, 6}, {load, {0, 0, 0}}).value();
    w.applyImpulse(a, {1, 0, 0.2f});
    const Course c = course(w, 4);
    EXPECT_LT(c.gap, 1e-4f);
    EXPECT_EQ(c.heldStill, 0);
    // The rope starts straight under the load. The first tension is unbounded and adds 0.46 J.
    EXPECT_LE(c.energyMost - c.energyStart, 5e-3 * 10 * kG);
    EXPECT_LT(w.stretch(rope), 1e-3f);
}

} // namespace
} // namespace capstan
