// SPDX-License-Identifier: MIT
// JointDef describes a joint between two bodies, between a body and the world, or between a rope's node and a body.
// Units are SI, angles are in radians. fields() gives the unit of each field.
//
// Each side of a joint has a frame. The frame's x axis is the axis that the joint turns about or slides along. Its y
// axis is the zero direction of the angle. Angles and distances measure body1 relative to body0, right-handed. They
// are zero where the two frames coincide. The frames coincide when the joint is added, unless frame0 and frame1
// differ.
#pragma once

#include <capstan/field.hpp>
#include <capstan/id.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/transform.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace capstan {

// Ref refers to a body or a rope: by id in a program, by name in a scene file. An empty Ref means the world itself.
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
    Ball, // a point of body1 coincides with a point of body0; rotation is free, or limited to a cone and a twist
    Hinge,     // rotates about the axis; may have limits and a spring towards an angle
    Servo,     // a hinge that is driven to an angle
    Motor,     // a hinge that is driven at a speed
    Prismatic, // slides along the axis; may have limits and a spring towards a distance
    Cylinder,  // slides along the axis and turns about it; may be driven to a distance
    Fixed,     // neither turns nor slides
    Distance,  // keeps two points at a distance: a rod, or a spring
    Drag,      // pulls a point softly towards a target point that the program moves
    Spool      // winds a rope onto a rotating body: body1 is the drum, and the rope leaves it at `anchor`
};

// AxisDef describes one axis of a joint. For a rotation axis, lengths are angles [rad] and forces are torques [N m].
// Each joint type uses some of the axes and some fields of an AxisDef; docs/manual/joints.md lists them. Setting a
// field that the joint type does not use is an Error.
struct AxisDef {
    std::optional<float> min = {}, max = {};
    std::optional<float> target = {};
    float speed = 0;
    std::optional<float> speedMin = {}, speedMax = {};
    float compliance = 0;
    float damping = 0;
    float maxForce = 0;

    friend bool operator==(const AxisDef&, const AxisDef&) = default;
};

template <DefOf<AxisDef> D, class V> void fields(D& d, V&& visit) {
    visit("min", d.min, any("m or rad", "lower limit of the angle or distance"));
    visit("max", d.max, any("m or rad", "upper limit of the angle or distance"));
    visit("target", d.target,
          any("m or rad", "angle or distance that the drive moves to; clamped to the limits"));
    visit("speed", d.speed, any("m/s or rad/s", "speed that the motor drives at"));
    visit("speedMin", d.speedMin, any("m/s or rad/s", "lower limit of the target speed"));
    visit("speedMax", d.speedMax, any("m/s or rad/s", "upper limit of the target speed"));
    visit("compliance", d.compliance, atLeast(0, "m/N or rad/(N m)", "compliance of the drive; 0: rigid"));
    visit("damping", d.damping, atLeast(0, "N s/m or N m s/rad", "damping of the motion along the axis"));
    visit("maxForce", d.maxForce,
          atLeast(0, "N or N m", "largest force or torque of the drive; 0: no limit"));
}

// `anchor`, `axis` and `reference` place the joint in world coordinates at the moment it is added. `frame0` and
// `frame1` are the alternative. Each frame is in the axes of its own body, or in the world if there is no body.
// Giving both is an Error.
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
    std::optional<Transform> frame0 = {}, frame1 = {};

    AxisDef turn = {};
    AxisDef slide = {};
    AxisDef swing = {};
    AxisDef distance = {};
    float breakForce = 0;
    float breakTorque = 0;
    float controlX = 0, controlY = 0;
    bool enabled = true;
    bool collideConnected = false;
    std::uint64_t userData = 0;
};

template <DefOf<JointDef> D, class V> void fields(D& d, V&& visit) {
    visit("name", d.name, any("", "name by which other parts of the scene refer to the joint"));
    visit(
        "type", d.type,
        any("",
            "type of joint: ball, hinge, servo, motor, prismatic, cylinder, fixed, distance, drag or spool"));
    visit("body0", d.body0, any("", "name of the first body; left out: the world"));
    visit("body1", d.body1, any("", "name of the second body; left out: the world"));
    visit("rope", d.rope, any("", "ball, drag, spool: name of a rope whose node takes the place of body0"));
    visit("node", d.node,
          any("", "index of the node of the rope; a negative index counts from the last node"));
    visit("anchor", d.anchor,
          any("m", "position of the joint in the world, at the moment when the joint is made"));
    visit("anchor1", d.anchor1,
          any("m",
              "distance: attachment point on body1 in the world; `anchor` is the attachment point on body0"));
    visit("axis", d.axis, any("", "direction of the axis of rotation or sliding, in the world"));
    visit("reference", d.reference,
          any("", "direction of angle zero; left out: any direction perpendicular to the axis"));
    visit("frame0", d.frame0,
          any("", "joint frame in the axes of body0, in place of anchor, axis and reference"));
    visit("frame1", d.frame1,
          any("", "joint frame in the axes of body1, in place of anchor, axis and reference"));
    visit("turn", d.turn,
          any("", "hinge, servo, motor, ball, prismatic, cylinder: angle about the axis; a prismatic joint "
                  "without limits here does not turn"));
    visit("slide", d.slide, any("", "prismatic, cylinder: distance along the axis"));
    visit("swing", d.swing,
          any("", "ball: angle between the axes of both sides; max is half of the angle of its cone"));
    visit("distance", d.distance,
          any("", "distance: distance of the two attachment points. Without a target, the distance at the "
                  "start is kept. drag: distance of the attachment point to the target"));
    visit("breakForce", d.breakForce,
          atLeast(0, "N", "force at which the joint breaks; 0: the joint never breaks"));
    visit("breakTorque", d.breakTorque,
          atLeast(0, "N m", "torque at which the joint breaks; 0: the joint never breaks"));
    visit("controlX", d.controlX, any("", "change of the target per unit of the control vector's x"));
    visit("controlY", d.controlY, any("", "change of the target per unit of the control vector's y"));
    visit("enabled", d.enabled, any("", "whether the joint acts"));
    visit("collideConnected", d.collideConnected,
          any("", "whether the two joined bodies may touch each other"));
    visit("userData", d.userData,
          any("", "number for the program's own use; Capstan stores it and returns it"));
}

} // namespace capstan
