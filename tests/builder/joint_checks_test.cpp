// SPDX-License-Identifier: MIT
// Tests of JointDefs that are refused, each with the position of its error.
#include <tests/builder/joint_defs.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace capstan {
namespace {

using T = JointType;
using D = JointDef&;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

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
        // Limits that leave no range.
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
        // A prismatic joint has a rotation only if it has limits of `turn`.
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
        // The two bodies of a joint.
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
        // Distances that are negative, or between coinciding points.
        {"/distance/target", T::Distance, [](D d) { d.distance.target = -1.0f; }},
        {"/distance/target", T::Distance,
         [](D d) {
             d.distance.compliance = 1;
             d.distance.target = 0.0f;
         }},
        // The distance at the start is 0.
        {"/distance/target", T::Distance, [](D d) { d.distance.compliance = 1; }},
        {"/anchor1", T::Distance, [](D d) { d.distance.target = 1.0f; }},
        // Frames in the local frames of the bodies. The first Def has both frames and an axis.
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
             d.frame1->rotation = Quatf{0, 0, 0, 0};
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

} // namespace
} // namespace capstan
