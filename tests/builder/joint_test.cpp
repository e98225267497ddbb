// SPDX-License-Identifier: MIT
// JointDefs: which are refused, and which joint the others make.
#include "builder/joint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace capstan {
namespace {

using T = JointType;
using D = JointDef&;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

JointDef of(JointType type) {
    JointDef d;
    d.type = type;
    d.body0 = "a";
    d.body1 = "b";
    d.axis = Vec3{0, 0, 1};
    return d;
}

TEST(MakeJoint, EveryBadDefIsAnErrorWithAPlace) {
    const struct {
        const char* where;
        JointType type;
        void (*spoil)(D);
    } all[] = {
        {"/anchor", T::Hinge, [](D d) { d.anchor.x = kNan; }},
        {"/turn/min", T::Hinge, [](D d) { d.turn.min = kNan; }},
        {"/breakForce", T::Hinge, [](D d) { d.breakForce = -1; }},
        {"/axis", T::Hinge,
         [](D d) {
             d.axis = Vec3{0, 0, 0};
         }},
        {"/reference", T::Hinge,
         [](D d) {
             d.reference = Vec3{0, 0, kNan};
         }},
        {"/reference", T::Hinge,
         [](D d) {
             d.reference = Vec3{0, 0, 0};
         }},
        {"/reference", T::Hinge,
         [](D d) {
             d.reference = Vec3{0, 0, -2};
         }}, // parallel to the axis
        // Limits that leave no range
        {"/turn/min", T::Hinge,
         [](D d) {
             d.turn.min = 0.5f;
             d.turn.max = 0.4f;
         }},
        {"/turn/min", T::Cylinder,
         [](D d) {
             d.turn.min = 0.5f;
             d.turn.max = 0.4f;
         }},
        {"/slide/min", T::Prismatic,
         [](D d) {
             d.slide.min = 1.0f;
             d.slide.max = -1.0f;
         }},
        {"/turn/speedMin", T::Motor,
         [](D d) {
             d.turn.speedMin = 1.0f;
             d.turn.speedMax = 0.0f;
         }},
        {"/swing/max", T::Ball, [](D d) { d.swing.max = 3.2f; }},
        {"/swing/max", T::Ball, [](D d) { d.swing.max = -0.1f; }},
        // Values that the type of joint does not use.
        {"/swing/min", T::Ball, [](D d) { d.swing.min = 0.0f; }},
        {"/swing/damping", T::Ball, [](D d) { d.swing.damping = 1; }},
        {"/turn/target", T::Ball, [](D d) { d.turn.target = 0.0f; }},
        {"/slide/min", T::Hinge, [](D d) { d.slide.min = 0.0f; }},
        {"/swing/max", T::Hinge, [](D d) { d.swing.max = 1.0f; }},
        {"/turn/speed", T::Hinge, [](D d) { d.turn.speed = 1; }},
        {"/turn/speedMin", T::Servo, [](D d) { d.turn.speedMin = 0.0f; }},
        {"/turn/speedMax", T::Cylinder, [](D d) { d.turn.speedMax = 0.0f; }},
        {"/distance/compliance", T::Hinge, [](D d) { d.distance.compliance = 1; }},
        {"/distance/compliance", T::Distance, [](D d) { d.distance.compliance = -1; }},
        {"/distance/maxForce", T::Distance, [](D d) { d.distance.maxForce = 1; }},
        {"/slide/maxForce", T::Hinge, [](D d) { d.slide.maxForce = 1; }},
        {"/anchor1", T::Hinge,
         [](D d) {
             d.anchor1 = Vec3{1, 0, 0};
         }},
        {"/turn/maxForce", T::Prismatic, [](D d) { d.turn.maxForce = 1; }},
        // A prismatic joint turns only if it has limits of turn.
        {"/turn/damping", T::Prismatic, [](D d) { d.turn.damping = 1; }},
        {"/turn/compliance", T::Motor, [](D d) { d.turn.compliance = 1; }},
        {"/turn/target", T::Motor, [](D d) { d.turn.target = 1.0f; }},
        {"/slide/target", T::Distance, [](D d) { d.slide.target = 1.0f; }},
        {"/distance/target", T::Drag,
         [](D d) {
             d.body0 = {};
             d.distance.target = 1.0f;
         }},
        {"/turn/damping", T::Fixed, [](D d) { d.turn.damping = 1; }},
        {"/turn/max", T::Spool,
         [](D d) {
             d.rope = "r";
             d.turn.max = 1.0f;
         }},
        // A hinge without a target has nothing to control.
        {"/controlX", T::Hinge, [](D d) { d.controlX = 1; }},
        {"/controlY", T::Prismatic, [](D d) { d.controlY = 1; }},
        {"/swing/max", T::Ball,
         [](D d) {
             d.rope = "r";
             d.body0 = {};
             d.swing.max = 1.0f;
         }},
        // The two sides of a joint.
        {"/body1", T::Hinge,
         [](D d) {
             d.body0 = {};
             d.body1 = {};
         }},
        {"/rope", T::Hinge, [](D d) { d.rope = "r"; }},
        {"/node", T::Hinge, [](D d) { d.node = 3; }},
        {"/body0", T::Ball, [](D d) { d.rope = "r"; }},
        {"/body1", T::Ball,
         [](D d) {
             d.rope = "r";
             d.body0 = {};
             d.body1 = {};
         }},
        {"/body0", T::Drag, [](D d) { d.distance.compliance = 1; }},
        {"/rope", T::Drag,
         [](D d) {
             d.body0 = {};
             d.distance.compliance = 1;
             d.rope = "r";
         }},
        {"/body1", T::Drag,
         [](D d) {
             d.body0 = {};
             d.body1 = {};
             d.distance.compliance = 1;
         }},
        {"/distance/compliance", T::Drag, [](D d) { d.body0 = {}; }},
        {"/rope", T::Spool, [](D) {}},
        {"/body1", T::Spool,
         [](D d) {
             d.rope = "r";
             d.body1 = {};
         }},
        // Distances that have no direction, or are negative.
        {"/distance/target", T::Distance, [](D d) { d.distance.target = -1.0f; }},
        {"/distance/target", T::Distance,
         [](D d) {
             d.distance.compliance = 1;
             d.distance.target = 0.0f;
         }},
        // The distance at the start is 0.
        {"/distance/target", T::Distance, [](D d) { d.distance.compliance = 1; }},
        {"/anchor1", T::Distance, [](D d) { d.distance.target = 1.0f; }},
        // Frames in the axes of the bodies. First, both frames and an axis are given.
        {"/frame0", T::Hinge, [](D d) { d.frame0 = d.frame1 = Transform{}; }},
        {"/frame1", T::Ball,
         [](D d) {
             d.axis = {1, 0, 0};
             d.frame0 = Transform{};
         }},
        {"/frame0", T::Ball,
         [](D d) {
             d.axis = {1, 0, 0};
             d.frame1 = Transform{};
         }},
        {"/frame0", T::Ball,
         [](D d) {
             d.axis = {1, 0, 0};
             d.anchor = {0, 0, 1};
             d.frame0 = d.frame1 = Transform{};
         }},
        {"/frame0", T::Distance,
         [](D d) {
             d.axis = {1, 0, 0};
             d.anchor1 = Vec3{0, 0, 1};
             d.frame0 = d.frame1 = Transform{};
         }},
        {"/frame0", T::Fixed,
         [](D d) {
             d.axis = {1, 0, 0};
             d.reference = Vec3{0, 0, 1};
             d.frame0 = d.frame1 = Transform{};
         }},
        {"/frame0", T::Ball,
         [](D d) {
             d.axis = {1, 0, 0};
             d.rope = "r";
             d.body0 = {};
             d.frame0 = d.frame1 = Transform{};
         }},
        {"/frame0", T::Spool,
         [](D d) {
             d.axis = {1, 0, 0};
             d.rope = "r";
             d.frame1 = Transform{};
         }},
        {"/frame0", T::Drag,
         [](D d) {
             d.axis = {1, 0, 0};
             d.body0 = {};
             d.distance.compliance = 1;
             d.frame0 = d.frame1 = Transform{};
         }},
        {"/frame1/rotation", T::Fixed,
         [](D d) {
             d.axis = {1, 0, 0};
             d.frame0 = d.frame1 = Transform{};
             d.frame1->rotation = Quatf(0, 0, 0, 0);
         }},
        {"/frame1/position", T::Fixed,
         [](D d) {
             d.axis = {1, 0, 0};
             d.frame0 = d.frame1 = Transform{};
             d.frame1->position.y = kNan;
         }},
    };
    for (const auto& bad : all) {
        JointDef d = of(bad.type);
        bad.spoil(d);
        const Status sound = checkJoint(d);
        ASSERT_FALSE(sound) << bad.where;
        EXPECT_EQ(sound.error().where, bad.where) << sound.error().what;
    }
    JointDef d = of(T::Hinge);
    d.slide.min = 0.0f;
    EXPECT_EQ(checkJoint(d).error().what, "slide.min: a hinge joint has none, got 0; leave it out");
    d = of(T::Prismatic);
    d.slide.min = 2.0f;
    d.slide.max = 1.0f;
    EXPECT_EQ(checkJoint(d).error().what, "slide.min: must be at most slide.max (1), got 2");
}

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

// A world-space joint gives a frame on each side. Giving these frames in the def makes the same joint.
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
                Transform{narrow(p.x), Quatf(float(p.q.x), float(p.q.y), float(p.q.z), float(p.q.w))};
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
    // A distance of zero that is rigid is a ball joint.
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
