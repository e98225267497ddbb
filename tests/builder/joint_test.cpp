// SPDX-License-Identifier: MIT
// JointDefs: what is refused, and what joint the others make.
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
    d.body0 = "a", d.body1 = "b";
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
        {"/swingMin", T::Hinge, [](D d) { d.swingMin = kNan; }},
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
        // Limits that leave nothing
        {"/swingMin", T::Hinge, [](D d) { d.swingMin = 0.5f, d.swingMax = 0.4f; }},
        {"/twistMin", T::Cylinder, [](D d) { d.twistMin = 0.5f, d.twistMax = 0.4f; }},
        {"/distanceMin", T::Prismatic, [](D d) { d.distanceMin = 1.0f, d.distanceMax = -1.0f; }},
        {"/velocityMin", T::Motor, [](D d) { d.velocityMin = 1.0f, d.velocityMax = 0.0f; }},
        {"/swingMax", T::Ball, [](D d) { d.swingMax = 3.2f; }},
        {"/swingMax", T::Ball, [](D d) { d.swingMax = -0.1f; }},
        // Keys of other types
        {"/swingMin", T::Ball, [](D d) { d.swingMin = 0.0f; }},
        {"/distanceMin", T::Hinge, [](D d) { d.distanceMin = 0.0f; }},
        {"/twistMax", T::Hinge, [](D d) { d.twistMax = 1.0f; }},
        {"/velocity", T::Hinge, [](D d) { d.velocity = 1; }},
        {"/compliance", T::Hinge, [](D d) { d.compliance = 1; }},
        {"/compliance", T::Distance, [](D d) { d.compliance = -1; }},
        {"/maxForce", T::Hinge, [](D d) { d.maxForce = 1; }},
        {"/anchor1", T::Hinge,
         [](D d) {
             d.anchor1 = Vec3{1, 0, 0};
         }},
        {"/maxTorque", T::Prismatic, [](D d) { d.maxTorque = 1; }},
        {"/targetAngle", T::Motor, [](D d) { d.targetAngle = 1.0f; }},
        {"/targetDistance", T::Distance, [](D d) { d.targetDistance = 1.0f; }},
        {"/damping", T::Fixed, [](D d) { d.damping = 1; }},
        {"/controlX", T::Hinge, [](D d) { d.controlX = 1; }}, // no target
        {"/controlY", T::Prismatic, [](D d) { d.controlY = 1; }},
        {"/swingMax", T::Ball, [](D d) { d.rope = "r", d.body0 = {}, d.swingMax = 1.0f; }},
        // Sides
        {"/body1", T::Hinge, [](D d) { d.body0 = {}, d.body1 = {}; }},
        {"/rope", T::Hinge, [](D d) { d.rope = "r"; }},
        {"/node", T::Hinge, [](D d) { d.node = 3; }},
        {"/body0", T::Ball, [](D d) { d.rope = "r"; }},
        {"/body1", T::Ball, [](D d) { d.rope = "r", d.body0 = {}, d.body1 = {}; }},
        {"/body0", T::Drag, [](D d) { d.compliance = 1; }},
        {"/rope", T::Drag, [](D d) { d.body0 = {}, d.compliance = 1, d.rope = "r"; }},
        {"/body1", T::Drag, [](D d) { d.body0 = {}, d.body1 = {}, d.compliance = 1; }},
        {"/compliance", T::Drag, [](D d) { d.body0 = {}; }},
        {"/rope", T::Spool, [](D) {}},
        {"/body1", T::Spool, [](D d) { d.rope = "r", d.body1 = {}; }},
        // Distances without a direction
        {"/restDistance", T::Distance, [](D d) { d.compliance = 1, d.restDistance = 0.0f; }},
        {"/restDistance", T::Distance, [](D d) { d.compliance = 1; }}, // it starts at 0
        {"/anchor1", T::Distance, [](D d) { d.restDistance = 1.0f; }},
    };
    for (const auto& bad : all) {
        JointDef d = of(bad.type);
        bad.spoil(d);
        const Status sound = checkJoint(d);
        ASSERT_FALSE(sound) << bad.where;
        EXPECT_EQ(sound.error().where, bad.where) << sound.error().what;
    }
    JointDef d = of(T::Hinge);
    d.distanceMin = 0.0f;
    EXPECT_EQ(checkJoint(d).error().what, "a hinge joint has no distanceMin");
    d = of(T::Prismatic), d.distanceMin = 2.0f, d.distanceMax = 1.0f;
    EXPECT_EQ(checkJoint(d).error().what, "distanceMin (2) is above distanceMax (1)");
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

TEST(MakeJoint, HingesServosAndMotors) {
    JointDef d = of(T::Hinge);
    d.swingMin = -1.0f, d.damping = 2;
    Joint j = make(d).j;
    EXPECT_EQ(j.kind, Joint::Kind::Axial);
    EXPECT_TRUE(j.turn.free && !j.slide.free);
    EXPECT_EQ(j.turn.min, -1);
    EXPECT_EQ(j.turn.max, kNoLimit);
    EXPECT_EQ(j.turn.damping, 2);
    EXPECT_EQ(j.turn.drive, JointAxis::Drive::None);
    d.targetAngle = 0.5f, d.targetAngleCompliance = 0.25f, d.controlY = 3;
    j = make(d).j;
    EXPECT_EQ(j.turn.drive, JointAxis::Drive::Place);
    EXPECT_EQ(j.turn.target, 0.5);
    EXPECT_EQ(j.turn.compliance, 0.25);
    EXPECT_EQ(j.turn.least, -1); // targets are held within the limits
    EXPECT_EQ(j.control[0], 0);
    EXPECT_EQ(j.control[1], 3);

    d = of(T::Servo), d.maxTorque = 5;
    j = make(d).j;
    EXPECT_EQ(j.turn.drive, JointAxis::Drive::Place);
    EXPECT_EQ(j.turn.target, 0);
    EXPECT_EQ(j.turn.compliance, 0);
    EXPECT_EQ(j.turn.strength, 5);

    d = of(T::Motor), d.velocity = 4, d.velocityMax = 3.0f, d.swingMax = 2.0f;
    j = make(d).j;
    EXPECT_EQ(j.turn.drive, JointAxis::Drive::Speed);
    EXPECT_EQ(j.turn.target, 4);
    EXPECT_EQ(j.turn.least, -kNoLimit);
    EXPECT_EQ(j.turn.most, 3);
    EXPECT_EQ(j.turn.max, 2);
    EXPECT_EQ(j.turn.strength, kNoLimit);
}

TEST(MakeJoint, PrismaticCylinderAndFixed) {
    JointDef d = of(T::Prismatic);
    d.distanceMin = -0.5f, d.distanceMax = 0.5f;
    Joint j = make(d).j;
    EXPECT_TRUE(j.slide.free && !j.turn.free);
    EXPECT_EQ(j.slide.min, -0.5);
    EXPECT_EQ(j.slide.drive, JointAxis::Drive::None);
    d.targetDistance = 0.25f, d.compliance = 0.5f, d.maxForce = 6, d.twistMax = 1.0f;
    j = make(d).j;
    EXPECT_EQ(j.slide.drive, JointAxis::Drive::Place);
    EXPECT_EQ(j.slide.target, 0.25);
    EXPECT_EQ(j.slide.compliance, 0.5);
    EXPECT_EQ(j.slide.strength, 6);
    EXPECT_EQ(j.slide.most, 0.5);
    EXPECT_TRUE(j.turn.free);
    EXPECT_EQ(j.turn.max, 1);

    d = of(T::Cylinder);
    j = make(d).j;
    EXPECT_TRUE(j.slide.free && j.turn.free);
    EXPECT_EQ(j.slide.drive, JointAxis::Drive::None);
    d.controlX = 0.1f;
    j = make(d).j;
    EXPECT_EQ(j.slide.drive, JointAxis::Drive::Place);
    EXPECT_EQ(j.slide.target, 0);
    EXPECT_EQ(j.slide.compliance, 0);

    j = make(of(T::Fixed)).j;
    EXPECT_EQ(j.kind, Joint::Kind::Axial);
    EXPECT_FALSE(j.slide.free || j.turn.free);
}

TEST(MakeJoint, BallsAndDistances) {
    JointDef d = of(T::Ball);
    d.swingMax = 0.5f, d.twistMin = -0.25f, d.twistMax = 0.75f;
    Joint j = make(d).j;
    EXPECT_EQ(j.kind, Joint::Kind::Ball);
    EXPECT_EQ(j.cone, 0.5);
    EXPECT_EQ(j.turn.min, -0.25);
    EXPECT_EQ(j.turn.max, 0.75);
    EXPECT_EQ(make(of(T::Ball)).j.cone, kNoLimit);

    d = of(T::Distance), d.anchor1 = Vec3{3, 4, 0}, d.damping = 2;
    MadeJoint m = make(d);
    EXPECT_EQ(m.j.kind, Joint::Kind::Rod);
    EXPECT_EQ(m.j.rest, 5); // that of the start
    EXPECT_EQ(m.s.distance, 5);
    EXPECT_EQ(m.j.compliance, 0);
    EXPECT_EQ(m.j.damping, 2);
    expectNear(kSides.body[0].point(m.j.frame[0].x), {0, 0, 0});
    expectNear(kSides.body[1].point(m.j.frame[1].x), {3, 4, 0});
    d.restDistance = 2.0f, d.compliance = 0.5f;
    EXPECT_EQ(make(d).j.rest, 2);
    EXPECT_EQ(make(d).j.compliance, 0.5);
    EXPECT_EQ(make(of(T::Distance)).j.kind, Joint::Kind::Ball); // no distance, and rigid
}

TEST(MakeJoint, DragsAndSpools) {
    JointDef d = of(T::Drag);
    d.body0 = {}, d.anchor = Vec3{1, 2, 4}, d.compliance = 0.5f, d.maxForce = 20;
    MadeJoint m = make(d);
    EXPECT_EQ(m.j.kind, Joint::Kind::Pull);
    EXPECT_EQ(m.j.compliance, 0.5);
    EXPECT_EQ(m.j.strength, 20);
    expectNear(m.j.goal, {1, 2, 4});
    expectNear(m.s.pulled, {1, 2, 4});
    expectNear(kSides.body[1].point(m.j.frame[1].x), {1, 2, 4});
    d.body1 = {}, d.rope = "r";
    expectNear(make(d).j.goal, kSides.node);

    d = of(T::Spool), d.rope = "r", d.anchor = Vec3{-1, 1, 2}; // the drum's centre is (-1, 0, 2)
    m = make(d);
    EXPECT_EQ(m.j.kind, Joint::Kind::Spool);
    expectNear(m.j.frame[1].x, {0, 0, 0});
    expectNear(axisX((kSides.body[1] * m.j.frame[1]).q), {0, 0, 1});
    expectNear(kSides.body[0].point(m.j.frame[0].x), {-1, 1, 2});
    d.anchor = Vec3{-1, 0, 5}; // on the axis
    EXPECT_EQ(makeJoint(d, kSides, m.j, m.s).error().where, "/anchor");
}

} // namespace
} // namespace capstan
