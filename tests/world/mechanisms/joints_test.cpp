// SPDX-License-Identifier: MIT
// Joints as the world keeps them: which objects they join, which Defs are refused, and their changes when ropes and
// bodies change. No step is taken here.
#include <tests/world/worlds.hpp>

#include "builder/rope.hpp"
#include "solver/rope/winch.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace capstan {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

BodyDef ball(const char* name, Vec3 at = {0, 0, 0}, BodyType type = BodyType::Dynamic) {
    BodyDef d;
    d.name = name;
    d.type = type;
    d.shape = Sphere{0.1f};
    d.position = at;
    return d;
}

RopeDef line(const char* name, int segments = 10) {
    RopeDef d;
    d.name = name;
    d.from = {0, 0, 0};
    d.to = {float(segments), 0, 0};
    d.segments = segments;
    return d;
}

// Two bodies called "a" and "b", a static "wall", and a rope "r" of nodes 0 to 10 at x = 0 to 10.
struct Yard {
    World w{{.contact = false}};
    BodyId a = w.add(ball("a")), b = w.add(ball("b", {1, 0, 0}));
    BodyId wall = w.add(ball("wall", {0, 5, 0}, BodyType::Static));
    RopeId r = w.add(line("r"));
};

JointDef hinge() {
    JointDef d;
    d.type = JointType::Hinge;
    d.body0 = "a";
    d.body1 = "b";
    d.axis = {0, 0, 1};
    return d;
}

JointDef tie(int node) {
    JointDef d;
    d.rope = "r";
    d.body1 = "a";
    d.node = node;
    return d;
}

TEST(Joints, IdsOfRemovedJointsAreStale) {
    Yard y;
    JointDef d = hinge();
    d.name = "j";
    const JointId j = y.w.add(d);
    EXPECT_TRUE(y.w.find<JointId>("j") == j);
    EXPECT_TRUE(y.w.def(j).body0.id == y.a); // bodies that were given by name can be found by id too
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

// tests/builder/joint_test.cpp tests the mistakes in a def that are visible without a World.
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
        {"/node", "a spool winds up the first or the last end: node 0 or -1",
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

TEST(Joints, ARopesNodeIsAttachedOnceAndNotWherePinned) {
    Yard y;
    y.w.pin({y.r, 0}, {0, 0, 0});
    EXPECT_EQ(y.w.tryAdd(tie(0)).error().what, "the node is pinned");
    EXPECT_EQ(y.w.tryAdd(tie(11)).error().where, "/node");
    EXPECT_EQ(y.w.tryAdd(tie(-12)).error().where, "/node");
    const JointId j = y.w.attach({y.r, last}, {y.a, {0, 0.1f, 0}}).value().as<JointId>();
    ASSERT_TRUE(j);
    EXPECT_EQ(y.w.tryAdd(tie(10)).error().where, "/node"); // the last node is node 10
    {
        CountChecks checks;
        EXPECT_FALSE(y.w.attach({y.r, 10}, {y.b, {0, 0, 0}}));
        EXPECT_FALSE(y.w.attach({RopeId{}, 1}, {y.b, {0, 0, 0}}));
        EXPECT_FALSE(y.w.attach({y.r, 1}, {BodyId{}, {0, 0, 0}}));
        y.w.pin({y.r, 10}, {0, 0, 0});
        EXPECT_EQ(checks.count(), 3); // one failed check for each stale id, and one for the pin
    }
    EXPECT_GT(y.w.positions(y.r)[10].w, 0); // the node is still free
    RopeDef wanted = y.w.def(y.r);
    wanted.solver = Solver::Jacobi;
    const Status edited = y.w.update(y.r, wanted);
    ASSERT_FALSE(edited);
    EXPECT_EQ(edited.error().where, "/solver");
    y.w.remove(j);
    {
        RopeDef changed = y.w.def(y.r);
        changed.solver = Solver::Jacobi;
        EXPECT_TRUE(y.w.update(y.r, changed));
    }
    EXPECT_EQ(y.w.tryAdd(tie(10)).error().where, "/rope");
}

TEST(Joints, AttachTakesAPointOfTheBody) {
    Yard y;
    y.w.teleport(y.a, {{3, 1, 0}, Quatf::fromAxisAngle({0, 0, 1}, 1.57079633f)});
    const JointId j = y.w.attach({y.r, 3}, {y.a, {0.5f, 0, 0}}).value().as<JointId>();
    const Vec3 anchor = y.w.def(j).anchor;
    EXPECT_NEAR(anchor.x, 3, 1e-6);
    EXPECT_NEAR(anchor.y, 1.5, 1e-6);
    EXPECT_NEAR(anchor.z, 0, 1e-6);
}

TEST(Joints, GoWithTheirBodiesAndRopes) {
    Yard y;
    const JointId j = y.w.add(hinge());
    const JointId k = y.w.attach({y.r, 2}, {y.b, {0, 0, 0}}).value().as<JointId>();
    const JointId l = y.w.attach({y.r, 7}, {y.a, {0, 0, 0}}).value().as<JointId>();
    y.w.remove(y.b);
    EXPECT_FALSE(y.w.isValid(j));
    EXPECT_FALSE(y.w.isValid(k));
    EXPECT_TRUE(y.w.isValid(l));
    y.w.remove(y.r);
    EXPECT_TRUE(y.w.ids<JointId>().empty());
    EXPECT_TRUE(y.w.isValid(y.a));
}

TEST(Joints, ACutMovesTheAttachmentsBehindIt) {
    Yard y;
    const JointId before = y.w.add(tie(2)), behind = y.w.add(tie(7)), end = y.w.add(tie(last));
    const RopeId tail = y.w.cut(y.r, 4); // the cut is between nodes 4 and 5
    ASSERT_TRUE(tail);
    EXPECT_TRUE(y.w.def(before).rope.id == y.r);
    EXPECT_EQ(y.w.def(before).node, 2);
    EXPECT_TRUE(y.w.def(behind).rope.id == tail);
    EXPECT_EQ(y.w.def(behind).rope.name, y.w.def(tail).name);
    EXPECT_EQ(y.w.def(behind).node, 2);
    EXPECT_TRUE(y.w.def(end).rope.id == tail);
    EXPECT_EQ(y.w.def(end).node, last);
    { // both joints hold their nodes there
        CountChecks checks;
        y.w.pin({tail, 2}, {7, 0, 0});
        y.w.pin({tail, 5}, {10, 0, 0});
        EXPECT_EQ(checks.count(), 2);
        y.w.pin({y.r, 4}, {4, 0, 0});
        EXPECT_EQ(checks.count(), 2);
    }
    // The single node behind the last segment is removed, with the joint on it. So is the first node.
    y.w.cut(tail, 4);
    EXPECT_FALSE(y.w.isValid(end));
    EXPECT_EQ(y.w.def(behind).node, 2);
    y.w.cut(tail, 0);
    EXPECT_EQ(y.w.def(behind).node, 1);
    EXPECT_TRUE(y.w.isValid(before));
    y.w.remove(tail);
    EXPECT_EQ(y.w.ids<JointId>(), std::vector<JointId>{before});
}

TEST(Joints, AClosedRopeIsRefusedAndOneCutOpenIsNot) {
    World w({.contact = false});
    const BodyId b = w.add(ball("a"));
    RopeDef d;
    d.closed = true;
    d.segments = 0;
    d.points = {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 2, 0}, {-1, 1, 0}};
    const RopeId r = w.add(d);
    JointDef joint;
    joint.rope = r;
    joint.node = 1;
    joint.body1 = b;
    const Result<JointId> made = w.tryAdd(joint);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().where, "/rope");
    w.cut(r, 2);
    EXPECT_TRUE(w.tryAdd(joint));
}

TEST(Joints, WinchesKeepTheNumbersOfAttachedNodes) {
    for (int end : {0, 1}) {
        Model m;
        State s;
        s.resize(1);
        m.ropes.resize(1);
        m.joints.resize(2);
        Rope& r = m.ropes[0];
        makeRope(line("", 10), {0, -10, 0}, r, s);
        const int held[2] = {3, 7};
        for (int k : {0, 1}) {
            Joint& j = m.joints[k];
            j.alive = true;
            j.rope = 0;
            j.node = held[k];
            j.def.node = k == 0 ? 3 : -4;
        }
        auto at = [&](int k) { return s.x[r.begin + m.joints[k].node].x; };
        // The rope is paid out, and two nodes are added.
        s.rest[r.begin + (end == 0 ? 1 : 10)] = 3.2f;
        fitEnd(m, r, s, end, 0);
        EXPECT_EQ(r.count, 13);
        EXPECT_EQ(at(0), 3);
        EXPECT_EQ(at(1), 7);
        EXPECT_EQ(m.joints[0].def.node, m.joints[0].node);
        EXPECT_EQ(m.joints[1].def.node, m.joints[1].node - 13);
        // The rope is reeled in all the way. It stops at the node that is held.
        r.winchSpeed[end] = -100;
        fitEnd(m, r, s, end, -100);
        EXPECT_EQ(r.winchSpeed[end], 0);
        EXPECT_EQ(at(0), 3);
        EXPECT_EQ(at(1), 7);
        EXPECT_EQ(m.joints[end == 0 ? 0u : 1u].node, end == 0 ? 1 : r.count - 2);
    }
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
    // The force is at most 10 N: a spring up to 0.1 m, and 10 N over the other 0.2 m.
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
