// SPDX-License-Identifier: MIT
// Tests of joints in a world without steps: the objects that they connect, Defs that are refused, edits and targets.
#include <tests/world/mechanisms/yard.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace capstan {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Joints, IdsOfRemovedJointsAreStale) {
    Yard y;
    JointDef d = hinge();
    d.name = "j";
    const JointId j = y.w.add(d);
    EXPECT_TRUE(y.w.find<JointId>("j") == j);
    EXPECT_TRUE(y.w.def(j).body0.id == y.a); // def() has the ids of bodies that were given by name
    const Result<JointId> again = y.w.tryAdd(d);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().where, "/name");
    y.w.remove(j);
    EXPECT_FALSE(y.w.isValid(j));
    const JointId k = y.w.add(d);
    EXPECT_EQ(k.index, j.index);
    EXPECT_EQ(y.w.ids<JointId>(), std::vector<JointId>{k});
    CountChecks checks;
    y.w.remove(j);
    y.w.jointForces(j);
    y.w.setEnabled(j, false);
    EXPECT_EQ(y.w.def(j).name, "");
    EXPECT_FALSE(y.w.update(j, hinge()));
    EXPECT_EQ(checks.count(), 5);
}

// Errors that are visible without a World are tested in tests/builder/joint_checks_test.cpp.
TEST(Joints, WhoIsNotThereOrCannotMoveIsAnError) {
    using D = JointDef&;
    const struct {
        const char* where;
        const char* what;
        void (*spoil)(D);
    } all[] = {
        {"/axis", "axis must not be zero",
         [](D d) {
             d.axis = Vec3{0, 0, 0};
         }},
        {"/body1", "a joint needs two different bodies", [](D d) { d.body1 = "a"; }},
        {"/body1", "there is no body named \"nobody\"", [](D d) { d.body1 = "nobody"; }},
        {"/body0", "this body id is stale",
         [](D d) {
             d.body0 = BodyId{7, 1};
         }},
        {"/rope", "there is no rope named \"s\"",
         [](D d) {
             d = tie(1);
             d.rope = "s";
         }},
        {"/body1", "a joint needs a dynamic body, or a rope",
         [](D d) {
             d.body0 = "wall";
             d.body1 = {};
         }},
        {"/node", "a spool joint must be at an end of the rope: node 0 or -1",
         [](D d) {
             d = tie(5);
             d.type = JointType::Spool;
             d.anchor = Vec3{0, 0, 1};
         }},
        {"/anchor", "the rope must leave the drum off its axis, which passes through its centre of mass",
         [](D d) {
             d = tie(0);
             d.type = JointType::Spool;
             d.anchor = Vec3{5, 0, 0};
         }},
    };
    Yard y;
    for (const auto& bad : all) {
        JointDef d = hinge();
        bad.spoil(d);
        const Result<JointId> made = y.w.tryAdd(d);
        ASSERT_FALSE(made) << bad.what;
        EXPECT_EQ(made.error().where, bad.where);
        EXPECT_EQ(made.error().what, bad.what);
    }
    EXPECT_TRUE(y.w.ids<JointId>().empty());
    JointDef d = hinge();
    d.body1 = "a";
    CountChecks checks;
    EXPECT_FALSE(y.w.add(d));
    EXPECT_EQ(checks.count(), 1);
}

TEST(Joints, EveryTypeCanBeMade) {
    Yard y;
    for (JointType t : {JointType::Ball, JointType::Hinge, JointType::Servo, JointType::Motor,
                        JointType::Prismatic, JointType::Cylinder, JointType::Fixed, JointType::Distance}) {
        JointDef d = hinge();
        d.type = t;
        EXPECT_TRUE(y.w.tryAdd(d)) << int(t);
        d.body0 = {};
        EXPECT_TRUE(y.w.tryAdd(d)) << int(t);
        d.body0 = "wall";
        EXPECT_TRUE(y.w.tryAdd(d)) << int(t);
    }
    JointDef d;
    d.type = JointType::Drag;
    d.body1 = y.a;
    d.distance.compliance = 0.01f;
    EXPECT_TRUE(y.w.tryAdd(d));
    d.body1 = {};
    d.rope = y.r;
    d.node = 3;
    EXPECT_TRUE(y.w.tryAdd(d));
    d = JointDef{};
    d.type = JointType::Spool;
    d.rope = "r";
    d.body0 = "wall";
    d.body1 = "a";
    d.axis = {0, 0, 1};
    d.anchor = {0, 0.1f, 0};
    EXPECT_TRUE(y.w.tryAdd(d));
    EXPECT_TRUE(y.w.tryAdd(tie(4)));
    EXPECT_EQ(y.w.ids<JointId>().size(), 28u);
}

TEST(Joints, EditsKeepWhoIsJoinedAndWhere) {
    Yard y;
    const JointId j = y.w.add(hinge());
    {
        JointDef changed = y.w.def(j);
        changed.turn.min = -1.0f;
        changed.turn.max = 2.0f;
        changed.name = "door";
        EXPECT_TRUE(y.w.update(j, changed));
    }
    EXPECT_EQ(y.w.def(j).turn.max, 2.0f);
    EXPECT_TRUE(y.w.find<JointId>("door") == j);
    void (*const refused[])(JointDef&) = {
        [](JointDef& d) { d.type = JointType::Servo; },
        [](JointDef& d) { d.body1 = "wall"; },
        [](JointDef& d) { d.body0 = {}; },
        [](JointDef& d) { d.anchor.x = 1; },
        [](JointDef& d) { d.axis.y = 1; },
        [](JointDef& d) { d.turn.min = 3; },
        [](JointDef& d) { d.slide.max = 1; },
        [](JointDef& d) { d.turn.damping = kNan; },
        [](JointDef& d) {
            d.reference = {1, 0, 0};
        },
    };
    for (auto change : refused) {
        JointDef d = y.w.def(j);
        change(d);
        EXPECT_FALSE(y.w.update(j, d));
    }
    EXPECT_EQ(y.w.def(j).type, JointType::Hinge);
    EXPECT_EQ(y.w.def(j).turn.min, -1.0f);
    JointDef d = hinge();
    d.name = "gate";
    const JointId k = y.w.add(d);
    {
        JointDef changed = y.w.def(k);
        changed.name = "door";
        EXPECT_EQ(y.w.update(k, changed).error().where, "/name");
    }
    y.w.setEnabled(j, false);
    EXPECT_FALSE(y.w.def(j).enabled);
    y.w.setEnabled(j, true);
    EXPECT_TRUE(y.w.def(j).enabled);
}

TEST(Joints, TargetsGoToTheJointsThatHaveThem) {
    Yard y;
    auto add = [&](JointType type) {
        JointDef d = hinge();
        d.type = type;
        return y.w.add(d);
    };
    const JointId servo = add(JointType::Servo), motor = add(JointType::Motor),
                  slider = add(JointType::Prismatic);
    y.w.setTarget(servo, 0.5f);
    y.w.setTarget(motor, 3);
    y.w.setTarget(slider, 0.25f);
    EXPECT_EQ(y.w.def(servo).turn.target, 0.5f);
    EXPECT_EQ(y.w.def(motor).turn.speed, 3);
    EXPECT_EQ(y.w.def(slider).slide.target, 0.25f);
    JointDef d;
    d.type = JointType::Drag;
    d.body1 = y.a;
    d.distance.compliance = 0.1f;
    const JointId drag = y.w.add(d);
    y.w.setTarget(drag, {1, 2, 3});
    const JointId fixed = add(JointType::Fixed);
    CountChecks checks;
    y.w.setTarget(servo, kNan);
    y.w.setTarget(fixed, 1);
    y.w.setTarget(drag, 1);
    y.w.setTarget(servo, {0, 0, 0});
    y.w.setTarget(drag, {kNan, 0, 0});
    y.w.setControl(kNan, 0);
    EXPECT_EQ(checks.count(), 6);
    EXPECT_EQ(y.w.def(servo).turn.target, 0.5f);
}

TEST(Joints, SpringsHoldEnergy) {
    Yard y;
    const double none = y.w.energy().elastic;
    JointDef d;
    d.type = JointType::Distance;
    d.body0 = "a";
    d.body1 = "b";
    d.anchor1 = {1.5f, 0, 0};
    d.distance.target = 1;
    d.distance.compliance = 0.01f;
    const JointId spring = y.w.add(d);
    EXPECT_EQ(y.w.jointForces(spring).distance, 1.5f);
    EXPECT_NEAR(y.w.energy().elastic - none, 0.5 * 0.25 / 0.01, 1e-5);
    y.w.setEnabled(spring, false);
    EXPECT_EQ(y.w.energy().elastic, none);

    d = hinge();
    d.type = JointType::Prismatic;
    d.axis = {1, 0, 0};
    d.slide.target = 0.2f;
    d.slide.compliance = 0.01f;
    d.slide.max = 0.3f;
    d.controlY = 0.5f;
    const JointId slider = y.w.add(d);
    EXPECT_NEAR(y.w.energy().elastic - none, 0.5 * 0.04 / 0.01, 1e-5);
    y.w.setControl(7, 0.1f); // the target moves to 0.25
    EXPECT_NEAR(y.w.energy().elastic - none, 0.5 * 0.0625 / 0.01, 1e-5);
    y.w.setControl(0, 9); // the target stops at the limit
    EXPECT_NEAR(y.w.energy().elastic - none, 0.5 * 0.09 / 0.01, 1e-5);
    // The force is at most 10 N: a spring up to 0.1 m, and a constant 10 N over the remaining 0.2 m.
    {
        JointDef changed = y.w.def(slider);
        changed.slide.maxForce = 10;
        EXPECT_TRUE(y.w.update(slider, changed));
    }
    EXPECT_NEAR(y.w.energy().elastic - none, 0.5 + 10 * 0.2, 1e-5);
}

TEST(Joints, SnapshotsHoldJoints) {
    Yard y;
    const JointId j = y.w.add(hinge()), k = y.w.attach({y.r, 7}, {y.b, {0, 0, 0}}).value().as<JointId>();
    const Snapshot then = y.w.snapshot();
    y.w.cut(y.r, 4);
    y.w.remove(y.a);
    y.w.attach({y.r, 1}, {y.b, {0, 0, 0}}).value();
    EXPECT_FALSE(y.w.isValid(j));
    y.w.restore(then);
    EXPECT_TRUE(y.w.isValid(j) && y.w.isValid(k));
    EXPECT_EQ(y.w.ids<JointId>().size(), 2u);
    EXPECT_TRUE(y.w.def(k).rope.id == y.r);
    EXPECT_EQ(y.w.def(k).node, 7);
}

} // namespace
} // namespace capstan
