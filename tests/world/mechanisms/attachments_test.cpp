// SPDX-License-Identifier: MIT
// Tests of joints to ropes: nodes that may be attached, and joints whose rope is cut, closed, reeled in or removed.
// The world takes no step here.
#include <tests/world/mechanisms/yard.hpp>

#include "builder/rope.hpp"
#include "solver/rope/winch.hpp"

#include <gtest/gtest.h>

namespace capstan {
namespace {

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
    const RopeId tail = y.w.cut(y.r, 4); // cuts the segment between nodes 4 and 5
    ASSERT_TRUE(tail);
    EXPECT_TRUE(y.w.def(before).rope.id == y.r);
    EXPECT_EQ(y.w.def(before).node, 2);
    EXPECT_TRUE(y.w.def(behind).rope.id == tail);
    EXPECT_EQ(y.w.def(behind).rope.name, y.w.def(tail).name);
    EXPECT_EQ(y.w.def(behind).node, 2);
    EXPECT_TRUE(y.w.def(end).rope.id == tail);
    EXPECT_EQ(y.w.def(end).node, last);
    { // both joints keep their nodes
        CountChecks checks;
        y.w.pin({tail, 2}, {7, 0, 0});
        y.w.pin({tail, 5}, {10, 0, 0});
        EXPECT_EQ(checks.count(), 2);
        y.w.pin({y.r, 4}, {4, 0, 0});
        EXPECT_EQ(checks.count(), 2);
    }
    // The single node behind the last segment is removed together with its joint, and so is the first node.
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
        // The winch pays out, and two nodes are added.
        s.rest[r.begin + (end == 0 ? 1 : 10)] = 3.2f;
        fitEnd(m, r, s, end, 0);
        EXPECT_EQ(r.count, 13);
        EXPECT_EQ(at(0), 3);
        EXPECT_EQ(at(1), 7);
        EXPECT_EQ(m.joints[0].def.node, m.joints[0].node);
        EXPECT_EQ(m.joints[1].def.node, m.joints[1].node - 13);
        // The winch reels in. It stops at the attached node.
        r.winchSpeed[end] = -100;
        fitEnd(m, r, s, end, -100);
        EXPECT_EQ(r.winchSpeed[end], 0);
        EXPECT_EQ(at(0), 3);
        EXPECT_EQ(at(1), 7);
        EXPECT_EQ(m.joints[end == 0 ? 0u : 1u].node, end == 0 ? 1 : r.count - 2);
    }
}

} // namespace
} // namespace capstan
