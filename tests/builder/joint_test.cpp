// SPDX-License-Identifier: MIT
// Tests of JointDefs that are accepted, and of the joint that each one makes.
#include <tests/builder/joint_defs.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace capstan {
namespace {

using T = JointType;

const JointSides kSides = {
    {{{1, 2, 3}, normalize(Quatd{0.1, 0.2, -0.3, 0.9})}, {{-1, 0, 2}, normalize(Quatd{0.5, -0.5, 0.1, 0.3})}},
    {7, 8, 9}};

struct MadeJoint {
    Joint j;
    JointState s;
};
MadeJoint make(const JointDef& d) {
    const Status sound = checkJoint(d);
    EXPECT_TRUE(sound) << (sound ? "" : sound.error().text());
    MadeJoint m;
    EXPECT_TRUE(makeJoint(d, kSides, m.j, m.s));
    return m;
}

void expectNear(Vec3d a, Vec3d b) { EXPECT_LT(length(a - b), 1e-14); }

TEST(MakeJoint, BothSidesCarryTheFrameThatTheDefDescribes) {
    JointDef d = of(T::Hinge);
    d.anchor = Vec3{0.5f, -1, 0.25f};
    for (Vec3 axis : {Vec3{0, 0, 3}, Vec3{-1, 0, 0}, Vec3{1, 2, -2}, Vec3{1e-20f, 0, 0}}) {
        d.axis = axis;
        for (Vec3 reference : {Vec3{0, 1, 0}, Vec3{5, 1, 7}, Vec3{0, -1, 0}}) {
            d.reference = reference;
            const Joint j = make(d).j;
            const Vec3d x = normalize(widen(axis)), r = widen(reference), y = normalize(r - dot(r, x) * x);
            for (int i : {0, 1}) {
                const Pose frame = kSides.body[i] * j.frame[i];
                expectNear(frame.x, widen(d.anchor));
                expectNear(axisX(frame.q), x);
                expectNear(axisY(frame.q), y);
                expectNear(axisZ(frame.q), cross(x, y));
            }
        }
        d.reference = {};
        const Joint j = make(d).j;
        expectNear(axisX((kSides.body[0] * j.frame[0]).q), normalize(widen(axis)));
        expectNear(axisY((kSides.body[0] * j.frame[0]).q), axisY((kSides.body[1] * j.frame[1]).q));
    }
}

// A joint given in the world has a frame on each body. A Def with these frames makes the same joint.
TEST(MakeJoint, LocalFramesAreThoseThatTheWorldFrameGives) {
    JointSides sides = kSides;
    sides.principal[0] = {{0.1, -0.2, 0.3}, normalize(Quatd{0.3, 0.1, 0.2, 0.9})};
    sides.principal[1] = {{-0.5, 0.25, 0}, normalize(Quatd{-0.4, 0.2, 0.7, 0.1})};
    for (T type : {T::Ball, T::Hinge, T::Motor, T::Prismatic, T::Cylinder, T::Fixed, T::Distance}) {
        JointDef world = of(type), local = of(type);
        world.anchor = {0.5f, -1, 0.25f};
        world.axis = {1, 2, -2};
        if (type == T::Distance) world.anchor1 = Vec3{1, 2, 0};
        Joint a, b;
        JointState s, t;
        ASSERT_TRUE(makeJoint(world, sides, a, s));
        std::optional<Transform>* frames[2] = {&local.frame0, &local.frame1};
        for (int i : {0, 1}) {
            const Pose p = sides.principal[i] * a.frame[i];
            *frames[i] =
                Transform{narrow(p.x), Quatf{float(p.q.x), float(p.q.y), float(p.q.z), float(p.q.w)}};
        }
        local.axis = JointDef{}.axis;
        ASSERT_TRUE(checkJoint(local)) << checkJoint(local).error().text();
        ASSERT_TRUE(makeJoint(local, sides, b, t));
        EXPECT_EQ(a.kind, b.kind);
        for (int i : {0, 1}) {
            EXPECT_LT(length(a.frame[i].x - b.frame[i].x), 1e-6);
            EXPECT_LT(length(log(normalize(conjugate(a.frame[i].q) * b.frame[i].q))), 1e-6);
        }
        EXPECT_NEAR(a.rest, b.rest, 1e-6);
        EXPECT_NEAR(s.distance, t.distance, 1e-6);
    }
}

TEST(MakeJoint, HingesServosAndMotors) {
    JointDef d = of(T::Hinge);
    d.turn.min = -1.0f;
    d.turn.damping = 2;
    Joint j = make(d).j;
    EXPECT_EQ(j.kind, Joint::Kind::Axial);
    EXPECT_TRUE(j.turn.free && !j.slide.free);
    EXPECT_EQ(j.turn.min, -1);
    EXPECT_EQ(j.turn.max, kNoLimit);
    EXPECT_EQ(j.turn.damping, 2);
    EXPECT_EQ(j.turn.drive, JointAxis::Drive::None);
    d.turn.target = 0.5f;
    d.turn.compliance = 0.25f;
    d.controlY = 3;
    j = make(d).j;
    EXPECT_EQ(j.turn.drive, JointAxis::Drive::Position);
    EXPECT_EQ(j.turn.target, 0.5);
    EXPECT_EQ(j.turn.compliance, 0.25);
    EXPECT_EQ(j.turn.least, -1); // targets are clamped to the limits
    EXPECT_EQ(j.control[0], 0);
    EXPECT_EQ(j.control[1], 3);

    d = of(T::Servo);
    d.turn.maxForce = 5;
    j = make(d).j;
    EXPECT_EQ(j.turn.drive, JointAxis::Drive::Position);
    EXPECT_EQ(j.turn.target, 0);
    EXPECT_EQ(j.turn.compliance, 0);
    EXPECT_EQ(j.turn.strength, 5);

    d = of(T::Motor);
    d.turn.speed = 4;
    d.turn.speedMax = 3.0f;
    d.turn.max = 2.0f;
    j = make(d).j;
    EXPECT_EQ(j.turn.drive, JointAxis::Drive::Velocity);
    EXPECT_EQ(j.turn.target, 4);
    EXPECT_EQ(j.turn.least, -kNoLimit);
    EXPECT_EQ(j.turn.most, 3);
    EXPECT_EQ(j.turn.max, 2);
    EXPECT_EQ(j.turn.strength, kNoLimit);
}

TEST(MakeJoint, PrismaticCylinderAndFixed) {
    JointDef d = of(T::Prismatic);
    d.slide.min = -0.5f;
    d.slide.max = 0.5f;
    Joint j = make(d).j;
    EXPECT_TRUE(j.slide.free && !j.turn.free);
    EXPECT_EQ(j.slide.min, -0.5);
    EXPECT_EQ(j.slide.drive, JointAxis::Drive::None);
    d.slide.target = 0.25f;
    d.slide.compliance = 0.5f;
    d.slide.maxForce = 6;
    d.turn.max = 1.0f;
    d.slide.damping = 3;
    d.turn.damping = 4;
    j = make(d).j;
    EXPECT_EQ(j.slide.drive, JointAxis::Drive::Position);
    EXPECT_EQ(j.slide.target, 0.25);
    EXPECT_EQ(j.slide.compliance, 0.5);
    EXPECT_EQ(j.slide.strength, 6);
    EXPECT_EQ(j.slide.damping, 3);
    EXPECT_EQ(j.turn.damping, 4);
    EXPECT_EQ(j.slide.most, 0.5);
    EXPECT_TRUE(j.turn.free);
    EXPECT_EQ(j.turn.max, 1);

    d = of(T::Cylinder);
    j = make(d).j;
    EXPECT_TRUE(j.slide.free && j.turn.free);
    EXPECT_EQ(j.slide.drive, JointAxis::Drive::None);
    d.controlX = 0.1f;
    j = make(d).j;
    EXPECT_EQ(j.slide.drive, JointAxis::Drive::Position);
    EXPECT_EQ(j.slide.target, 0);
    EXPECT_EQ(j.slide.compliance, 0);

    j = make(of(T::Fixed)).j;
    EXPECT_EQ(j.kind, Joint::Kind::Axial);
    EXPECT_FALSE(j.slide.free || j.turn.free);
}

TEST(MakeJoint, BallsAndDistances) {
    JointDef d = of(T::Ball);
    d.swing.max = 0.5f;
    d.turn.min = -0.25f;
    d.turn.max = 0.75f;
    Joint j = make(d).j;
    EXPECT_EQ(j.kind, Joint::Kind::Ball);
    EXPECT_EQ(j.cone, 0.5);
    EXPECT_EQ(j.turn.min, -0.25);
    EXPECT_EQ(j.turn.max, 0.75);
    EXPECT_EQ(make(of(T::Ball)).j.cone, kNoLimit);

    d = of(T::Distance);
    d.anchor1 = Vec3{3, 4, 0};
    d.distance.damping = 2;
    MadeJoint m = make(d);
    EXPECT_EQ(m.j.kind, Joint::Kind::Rod);
    EXPECT_EQ(m.j.rest, 5); // the distance at the start
    EXPECT_EQ(m.s.distance, 5);
    EXPECT_EQ(m.j.compliance, 0);
    EXPECT_EQ(m.j.damping, 2);
    expectNear(kSides.body[0].point(m.j.frame[0].x), {0, 0, 0});
    expectNear(kSides.body[1].point(m.j.frame[1].x), {3, 4, 0});
    d.distance.target = 2.0f;
    d.distance.compliance = 0.5f;
    EXPECT_EQ(make(d).j.rest, 2);
    EXPECT_EQ(make(d).j.compliance, 0.5);
    // A rigid distance of zero is a ball joint.
    EXPECT_EQ(make(of(T::Distance)).j.kind, Joint::Kind::Ball);
}

TEST(MakeJoint, DragsAndSpools) {
    JointDef d = of(T::Drag);
    d.body0 = {};
    d.anchor = Vec3{1, 2, 4};
    d.distance.compliance = 0.5f;
    d.distance.maxForce = 20;
    MadeJoint m = make(d);
    EXPECT_EQ(m.j.kind, Joint::Kind::Drag);
    EXPECT_EQ(m.j.compliance, 0.5);
    EXPECT_EQ(m.j.strength, 20);
    expectNear(m.j.target, {1, 2, 4});
    expectNear(m.s.dragPoint, {1, 2, 4});
    expectNear(kSides.body[1].point(m.j.frame[1].x), {1, 2, 4});
    d.body1 = {};
    d.rope = "r";
    expectNear(make(d).j.target, kSides.node);

    d = of(T::Spool);
    d.rope = "r";
    d.anchor = Vec3{-1, 1, 2}; // the drum's centre is (-1, 0, 2)
    m = make(d);
    EXPECT_EQ(m.j.kind, Joint::Kind::Spool);
    expectNear(m.j.frame[1].x, {0, 0, 0});
    expectNear(axisX((kSides.body[1] * m.j.frame[1]).q), {0, 0, 1});
    expectNear(kSides.body[0].point(m.j.frame[0].x), {-1, 1, 2});
    d.anchor = Vec3{-1, 0, 5}; // the anchor is on the axis
    EXPECT_EQ(makeJoint(d, kSides, m.j, m.s).error().where, "/anchor");
}

} // namespace
} // namespace capstan
