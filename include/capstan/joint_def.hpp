// SPDX-License-Identifier: MIT
// JointDef: what holds two bodies together, or a body and the world, or a rope's node and a body.
//
// A joint has one frame, given in the world at the moment it is made and from then on carried by both sides: its x
// axis is the axis one turns about or slides along, its y axis the zero of the angle. Angles and distances are
// those of body1 as seen from body0, right-handed, and zero when the joint is made.
#pragma once

#include <capstan/field.hpp>
#include <capstan/id.hpp>
#include <capstan/math/vec.hpp>

#include <optional>
#include <string>
#include <utility>

namespace capstan {

// Somebody, by id in a program or by name in a scene file. Nobody: the world itself.
template <class Tag> struct Ref {
    Id<Tag> id = {};
    std::string name = {};

    Ref() = default;
    Ref(Id<Tag> whose) : id(whose) {}
    Ref(std::string called) : name(std::move(called)) {}
    Ref(const char* called) : name(called) {}
    bool empty() const { return !id && name.empty(); }
};
using BodyRef = Ref<BodyTag>;
using RopeRef = Ref<RopeTag>;

enum class JointType {
    Ball,      // a point of body1 stays at a point of body0; turns freely, or within a cone and a twist
    Hinge,     // turns about the axis; limits, a spring towards an angle
    Servo,     // a hinge driven to an angle
    Motor,     // a hinge driven at a speed
    Prismatic, // slides along the axis; limits, a spring towards a distance
    Cylinder,  // slides along the axis and turns about it; may be driven to a distance
    Fixed,     // one piece
    Distance,  // two points at a distance: a rod, or a spring
    Drag,      // a soft pull of one point towards a point that the user moves
    Spool      // a rope wound up by a body that turns: body1 is the drum, `anchor` where the rope leaves it
};

struct JointDef {
    std::string name = {};
    JointType type = JointType::Ball;
    BodyRef body0 = {};
    BodyRef body1 = {};
    RopeRef rope = {};
    int node = last;
    Vec3 anchor = {0, 0, 0};
    std::optional<Vec3> anchor1 = {};
    Vec3 axis = {1, 0, 0};
    std::optional<Vec3> reference = {};

    std::optional<float> restDistance = {};
    float compliance = 0;
    float damping = 0;
    std::optional<float> swingMin = {}, swingMax = {};
    std::optional<float> twistMin = {}, twistMax = {};
    std::optional<float> targetAngle = {};
    float targetAngleCompliance = 0;
    float velocity = 0;
    std::optional<float> velocityMin = {}, velocityMax = {};
    std::optional<float> distanceMin = {}, distanceMax = {};
    std::optional<float> targetDistance = {};
    float maxForce = 0;
    float maxTorque = 0;
    float breakForce = 0;
    float breakTorque = 0;
    float controlX = 0, controlY = 0;
    bool enabled = true;
    bool collide = false;
};

template <DefOf<JointDef> D, class V> void fields(D& d, V&& visit) {
    visit("name", d.name, any("", "what other parts of the scene call it"));
    visit("type", d.type,
          any("", "ball, hinge, servo, motor, prismatic, cylinder, fixed, distance, drag or spool"));
    visit("body0", d.body0, any("", "name of a body; left out, the world"));
    visit("body1", d.body1, any("", "name of a body; left out, the world"));
    visit("rope", d.rope, any("", "ball, drag, spool: name of a rope whose node stands in for body0"));
    visit("node", d.node, any("", "which node of the rope; negative counts from the last end"));
    visit("anchor", d.anchor, any("m", "where the joint is, in the world, when it is made"));
    visit("anchor1", d.anchor1, any("m", "distance: the point of body1; `anchor` is that of body0"));
    visit("axis", d.axis, any("", "direction to turn about or slide along, in the world"));
    visit("reference", d.reference, any("", "zero direction of the angle; left out, any across the axis"));
    visit("restDistance", d.restDistance, atLeast(0, "m", "distance: left out, the one of the start"));
    visit("compliance", d.compliance,
          atLeast(0, "m/N", "distance, drag, and targetDistance: how soft; 0 is rigid"));
    visit("damping", d.damping, atLeast(0, "N s/m or N m s/rad", "resistance of what is free to move"));
    visit("swingMin", d.swingMin, any("rad", "hinge, servo, motor: smallest angle"));
    visit("swingMax", d.swingMax, any("rad", "hinge, servo, motor: largest angle; ball: half of its cone"));
    visit("twistMin", d.twistMin, any("rad", "ball, prismatic, cylinder: smallest turn about the axis"));
    visit("twistMax", d.twistMax, any("rad", "the largest; a prismatic joint does not turn without limits"));
    visit("targetAngle", d.targetAngle, any("rad", "hinge, servo: driven there; held within the limits"));
    visit("targetAngleCompliance", d.targetAngleCompliance,
          atLeast(0, "rad/(N m)", "how soft that is; 0 is rigid"));
    visit("velocity", d.velocity, any("rad/s", "motor: speed of turning"));
    visit("velocityMin", d.velocityMin, any("rad/s", "motor: least speed that is taken"));
    visit("velocityMax", d.velocityMax, any("rad/s", "motor: largest speed that is taken"));
    visit("distanceMin", d.distanceMin, any("m", "prismatic, cylinder: least slide"));
    visit("distanceMax", d.distanceMax, any("m", "prismatic, cylinder: largest slide"));
    visit("targetDistance", d.targetDistance, any("m", "prismatic, cylinder: driven there"));
    visit("maxForce", d.maxForce, atLeast(0, "N", "most that a drive or drag pulls with; 0 is no limit"));
    visit("maxTorque", d.maxTorque, atLeast(0, "N m", "most that a drive turns with; 0 is no limit"));
    visit("breakForce", d.breakForce, atLeast(0, "N", "the joint breaks above this; 0 never"));
    visit("breakTorque", d.breakTorque, atLeast(0, "N m", "the joint breaks above this; 0 never"));
    visit("controlX", d.controlX, any("", "change of the target per unit of the control vector's x"));
    visit("controlY", d.controlY, any("", "change of the target per unit of the control vector's y"));
    visit("enabled", d.enabled, any("", "false: as if it were not there"));
    visit("collide", d.collide, any("", "the two bodies may touch each other"));
}

} // namespace capstan
