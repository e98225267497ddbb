// SPDX-License-Identifier: MIT
// See ten_minute_joints.hpp. The control vector [x, y] acts as in the original program. It adds pi/4 x [rad] to the
// target of servos, 5 y [rad/s] to that of motors and -y/10 [m] to that of cylinders.
#include "scene/import/ten_minute_joints.hpp"

#include <capstan/scene/nearest.hpp>

#include <algorithm>
#include <numbers>

namespace capstan {
namespace {

void swing(const JsonObject& p, JointDef& def) {
    def.turn.min = p.number("swingMin");
    def.turn.max = p.number("swingMax");
}

void twist(const JsonObject& p, JointDef& def) {
    def.turn.min = p.number("twistMin");
    def.turn.max = p.number("twistMax");
}

void ball(const JsonObject& p, float damping, JointDef& def) {
    def.type = JointType::Ball;
    def.turn.damping = damping;
    def.swing.max = p.number("swingMax");
    if (def.swing.max && static_cast<double>(*def.swing.max) > std::numbers::pi)
        def.swing.max.reset(); // no limit
    twist(p, def);
}

void hinge(const JsonObject& p, float damping, JointDef& def) {
    def.type = JointType::Hinge;
    def.turn.damping = damping;
    swing(p, def);
    def.turn.target = p.number("targetAngle");
    if (def.turn.target) def.turn.compliance = p.atLeastZero("targetAngleCompliance");
}

void servo(const JsonObject& p, JointDef& def, std::vector<Error>& notes) {
    def.type = JointType::Servo;
    swing(p, def);
    def.turn.target = p.number("targetAngle", 0);
    def.controlX = static_cast<float>(std::numbers::pi / 4);
    // The original program never reads this key, and its servos are rigid. With the compliance of 1 rad/(N m) in its
    // own scene, an arm of 0.56 kg would sag to two thirds of the target angle. The arm would also swing there for
    // ever, because the format gives a servo no damping.
    if (p.atLeastZero("targetAngleCompliance") > 0) {
        notes.push_back(
            p.at("targetAngleCompliance", "a servo of this format is rigid; the compliance is not used"));
    }
}

void motor(const JsonObject& p, JointDef& def) {
    def.type = JointType::Motor;
    def.turn.speed = p.number("velocity", 0);
    def.turn.speedMin = p.number("velocityMin");
    def.turn.speedMax = p.number("velocityMax");
    def.controlY = 5;
}

// In the original program, prismatic and cylinder joints remove all relative rotation. So a prismatic joint without
// limits does not rotate.
void prismatic(const JsonObject& p, float damping, JointDef& def) {
    def.type = JointType::Prismatic;
    def.slide.damping = damping;
    def.slide.min = p.number("distanceMin");
    def.slide.max = p.number("distanceMax");
    twist(p, def);
    if (def.turn.min || def.turn.max) def.turn.damping = damping;
    // The original program tests for distanceTarget and then reads posTarget, which no file contains.
    def.slide.target = p.has("distanceTarget") ? p.number("distanceTarget") : p.number("posTarget");
    if (def.slide.target) def.slide.compliance = p.atLeastZero("compliance");
}

// A cylinder is an actuator: it is driven along the axis and never slides freely.
void cylinder(const JsonObject& p, JointDef& def) {
    def.type = JointType::Cylinder;
    def.slide.min = p.number("distanceMin");
    def.slide.max = p.number("distanceMax");
    twist(p, def);
    def.slide.target = 0;
    def.controlY = -0.1f;
}

// Both points start at the frame's origin, so a rod of positive length has no direction. As in the original program
// it starts along the frame's z axis. A soft spring of length 0 has no direction either, so it gets a length of 0.1
// mm.
void distance(const TenMinuteMesh& m, float damping, JointDef& def) {
    const JsonObject& p = m.properties;
    def.type = JointType::Distance;
    def.reference.reset();
    def.distance.compliance = p.atLeastZero("compliance");
    def.distance.target = p.atLeastZero("restDistance");
    if (def.distance.compliance > 0) def.distance.target = std::max(*def.distance.target, 1e-4f);
    if (*def.distance.target == 0) return; // the two points coincide
    def.distance.damping = damping;
    // The distance between the two points must be large enough to remain positive in single precision.
    double apart = std::max(1e-3 * static_cast<double>(*def.distance.target), 1e-6 * (1 + length(m.x)));
    def.anchor1 = single(m.x + apart * axisZ(m.q));
}

} // namespace

std::optional<JointDef> tenMinuteJoint(const TenMinuteMesh& m, const TenMinuteBody& a, const TenMinuteBody& b,
                                       std::vector<Error>& notes) {
    const JsonObject& p = m.properties;
    JointDef def;
    def.name = m.name;
    def.body0 = p.text("parent1");
    def.body1 = p.text("parent2");
    def.anchor = single(m.x);
    Vec3d axis = axisX(m.q);
    def.axis = single(axis);
    def.reference = single(axisY(m.q));
    double rate = static_cast<double>(p.atLeastZero("damping"));
    auto resistance = [&](double inverse) { return inverse > 0 ? static_cast<float>(rate / inverse) : 0.0f; };
    if (m.type == "BallJoint") {
        ball(p, resistance(a.aboutAny() + b.aboutAny()), def);
    } else if (m.type == "HingeJoint") {
        hinge(p, resistance(a.about(axis) + b.about(axis)), def);
    } else if (m.type == "ServoJoint") {
        servo(p, def, notes);
    } else if (m.type == "MotorJoint") {
        motor(p, def);
    } else if (m.type == "PrismaticJoint") {
        prismatic(p, resistance(a.inverseMass + b.inverseMass), def);
    } else if (m.type == "CylinderJoint") {
        cylinder(p, def);
    } else if (m.type == "DistanceJoint") {
        distance(m, resistance(a.inverseMass + b.inverseMass), def);
    } else {
        notes.push_back(
            p.at("simType", "there is no joint type \"" + shorten(m.type) + "\"; the joint is left out"));
        return {};
    }
    return def;
}

} // namespace capstan
