// SPDX-License-Identifier: MIT
// Tests of joints whose frames are given in the local frames of their bodies.
#include "mechanisms.hpp"

#include <capstan/capstan.hpp>

#include <gtest/gtest.h>

namespace capstan {
namespace {

// Two rotated bodies. A joint connects the second to the first, and another joint the first to a kinematic body.
struct Pair {
    World w{{.contact = false}};
    BodyId a, b;
    JointId j;

    static BodyDef bodyAt(Vec3 at, Quatf turn) {
        BodyDef d = box(at, 2, {0.3f, 0.2f, 0.1f});
        d.rotation = turn;
        // The extra part gives the body principal axes that differ from its local frame.
        d.parts = {ShapeDef(Sphere{0.05f}).at({0.2f, 0.1f, 0})};
        return d;
    }
    Pair() {
        BodyDef hand = bodyAt({0, 2, 0}, Quatf::fromAxisAngle({0, 1, 0}, 0.5f));
        hand.type = BodyType::Kinematic;
        a = w.add(hand);
        b = w.add(bodyAt({0.4f, 2, 0.1f}, Quatf::fromAxisAngle(normalize(Vec3{1, 2, -1}), -1.0f)));
    }
};

JointDef inWorld(const Pair& p, JointType type) {
    JointDef d = joint(type, p.a, p.b, {0.2f, 2.05f, 0}, {0, 0, 1});
    if (type == JointType::Distance) d.anchor1 = Vec3{0.4f, 2.1f, 0.1f};
    if (type == JointType::Hinge) d.turn.max = 0.6f;
    if (type == JointType::Prismatic) {
        d.slide.target = 0.1f;
        d.slide.compliance = 0.001f;
    }
    return d;
}

// Returns a JointDef with the frames of an existing joint, in the local frames of its bodies.
JointDef inBodies(const Pair& p, JointId j, JointDef d) {
    const BodyId bodies[2] = {p.a, p.b};
    std::optional<Transform>* frames[2] = {&d.frame0, &d.frame1};
    for (int i : {0, 1}) {
        const Transform body = p.w.pose(bodies[i]), at = p.w.jointFrame(j, i);
        *frames[i] = Transform{body.local(at.position), conjugate(body.rotation) * at.rotation};
    }
    d.anchor = {0, 0, 0};
    d.axis = {1, 0, 0};
    d.anchor1 = {};
    d.reference = {};
    return d;
}

TEST(JointFrames, MoveAsTheSameJointInTheWorldDoes) {
    for (JointType type : {JointType::Ball, JointType::Hinge, JointType::Prismatic, JointType::Cylinder,
                           JointType::Fixed, JointType::Distance}) {
        Pair one, other;
        const JointId j = one.w.add(inWorld(one, type));
        const Result<JointId> k = other.w.tryAdd(inBodies(one, j, inWorld(one, type)));
        ASSERT_TRUE(k) << k.error().text();
        for (int i = 0; i < 60; ++i) {
            for (Pair* p : {&one, &other}) {
                p->w.moveTo(p->a, {{0, 2 + 0.002f * float(i), 0}, Quatf::fromAxisAngle({0, 1, 0}, 0.5f)});
                p->w.step(kFrame);
            }
            ASSERT_LT(length(one.w.pose(one.b).position - other.w.pose(other.b).position), 1e-4f)
                << int(type) << " frame " << i;
            ASSERT_NEAR(one.w.jointForces(j).angle, other.w.jointForces(*k).angle, 1e-3);
            ASSERT_NEAR(one.w.jointForces(j).distance, other.w.jointForces(*k).distance, 1e-4);
        }
    }
}

// An angle is zero where the two frames coincide, not at the rotation at which the joint is added.
TEST(JointFrames, SayWhereTheAngleIsZero) {
    World w(weightless());
    const BodyId b = w.add(box({0, 1, 0}));
    JointDef d;
    d.type = JointType::Servo;
    d.body1 = b;
    d.frame0 = Transform{{0, 1, 0}, Quatf::identity()};
    d.frame1 = Transform{{0, 0, 0}, Quatf::fromAxisAngle({1, 0, 0}, 0.5f)};
    const JointId j = w.add(d);
    for (int i = 0; i < 120; ++i) w.step(kFrame);
    EXPECT_NEAR(w.jointForces(j).angle, 0, 1e-3); // the body has rotated by this angle in the opposite sense
    const Quatf q = w.pose(b).rotation;
    EXPECT_NEAR(std::fabs(dot(q.vector(), Vec3{1, 0, 0})), std::sin(0.25), 1e-3);
    EXPECT_NEAR(length(w.pose(b).position - Vec3{0, 1, 0}), 0, 1e-3);
}

TEST(JointFrames, AreKeptAndCannotBeEdited) {
    World w;
    const BodyId b = w.add(box({0, 1, 0}));
    JointDef d;
    d.type = JointType::Hinge;
    d.body1 = b;
    d.userData = 12;
    d.frame0 = Transform{{0, 1, 0}, Quatf::identity()};
    d.frame1 = Transform{};
    const JointId j = w.add(d);
    EXPECT_TRUE(w.def(j).frame0 == d.frame0 && w.def(j).frame1 == d.frame1);
    EXPECT_EQ(w.def(j).userData, 12u);
    {
        JointDef changed = w.def(j);
        changed.frame1->position.x = 1;
        EXPECT_FALSE(w.update(j, changed));
    }
    {
        JointDef changed = w.def(j);
        changed.turn.damping = 1;
        changed.userData = 13;
        EXPECT_TRUE(w.update(j, changed));
    }
    EXPECT_EQ(w.def(j).userData, 13u);
}

// If no distance is given, it is the distance at the start, and an edit keeps it.
TEST(JointFrames, DistanceOfTheStart) {
    World w;
    const BodyId b = w.add(box({0, 1, 0}));
    JointDef d;
    d.type = JointType::Distance;
    d.body1 = b;
    d.frame0 = Transform{{0, 3, 0}, Quatf::identity()};
    d.frame1 = Transform{};
    const JointId j = w.add(d);
    {
        JointDef changed = w.def(j);
        changed.distance.damping = 1;
        EXPECT_TRUE(w.update(j, changed));
    }
    for (int i = 0; i < 60; ++i) w.step(kFrame);
    EXPECT_NEAR(w.jointForces(j).distance, 2, 1e-3);
    d.frame1->position = {0, 2, 0}; // the points coincide
    EXPECT_EQ(w.tryAdd(d).error().where, "/frame1/position");
    d.distance.target = 0.0f; // the target distance is 0
    EXPECT_TRUE(w.tryAdd(d));
}

// A rope's node has no rotation, and a drag joint has only a point, so neither has a frame.
TEST(JointFrames, OfRopesAndDrags) {
    World w;
    const BodyId b = w.add(box({0, 1, 0}));
    JointDef tie;
    tie.type = JointType::Ball;
    tie.rope = w.add(straight({0, 1.1f, 0}, {0, 2, 0}, 8));
    tie.node = first;
    tie.body1 = b;
    tie.frame1 = Transform{{0, 0.1f, 0}, Quatf::identity()};
    const JointId j = w.add(tie);
    EXPECT_LT(length(w.jointFrame(j, 1).position - Vec3{0, 1.1f, 0}), 1e-6f);
    JointDef drag;
    drag.type = JointType::Drag;
    drag.body1 = b;
    drag.distance.compliance = 0.01f;
    drag.frame1 = Transform{{0.1f, 0, 0}, Quatf::identity()};
    const JointId k = w.add(drag);
    EXPECT_LT(length(w.jointFrame(k, 0).position - Vec3{0.1f, 1, 0}), 1e-6f);
}

// A frame far from its body pulls the body there, without a high speed.
TEST(JointFrames, ThatLieApartComeTogether) {
    World w(weightless());
    const BodyId b = w.add(box({0, 1, 0}));
    JointDef d;
    d.type = JointType::Ball;
    d.body1 = b;
    d.frame0 = Transform{{0.05f, 1, 0}, Quatf::identity()};
    d.frame1 = Transform{};
    const JointId j = w.add(d);
    for (int i = 0; i < 120; ++i) w.step(kFrame);
    EXPECT_LT(w.jointForces(j).gap, 1e-3f);
    EXPECT_LT(length(w.velocity(b)), 20);
}

} // namespace
} // namespace capstan
