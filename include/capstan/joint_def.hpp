// SPDX-License-Identifier: MIT
// JointDef describes a joint between two bodies, between a body and the world, or between a rope's node and a body.
// Units are SI, angles are in radians. fields() gives the unit of each field.
//
// Each side of a joint carries a frame. The frame's x axis is the axis that the joint turns about or slides along. Its
// y axis is the zero direction of the angle. Angles and distances are those of body1 seen from body0, right-handed.
// They are zero where the two frames coincide. The frames coincide when the joint is made, unless frame0 and frame1
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

// Ref names a body or a rope: by id in a program, by name in a scene file. An empty Ref means the world itself.
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
    Ball,      // a point of body1 stays at a point of body0; it turns freely, or within a cone and a twist
    Hinge,     // turns about the axis; may have limits and a spring towards an angle
    Servo,     // a hinge that is driven to an angle
    Motor,     // a hinge that is driven at a speed
    Prismatic, // slides along the axis; may have limits and a spring towards a distance
    Cylinder,  // slides along the axis and turns about it; may be driven to a distance
    Fixed,     // neither turns nor slides
    Distance,  // keeps two points at a distance: a rod, or a spring
    Drag,      // pulls one point softly towards a point that the user moves
    Spool      // winds a rope onto a body that turns: body1 is the drum, `anchor` is where the rope leaves it
};

// AxisDef describes one axis of a joint. Where the axis is an angle, its lengths are angles and its forces are torques.
// Each joint type uses some of the axes and some of their numbers; docs/manual/joints.md lists them. Setting a number that the
// joint type does not use is an Error.
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
    visit("min", d.min, any("m or rad", "smallest value"));
    visit("max", d.max, any("m or rad", "largest value"));
    visit("target", d.target, any("m or rad", "value that it is driven to; held within the limits"));
    visit("speed", d.speed, any("m/s or rad/s", "speed that it is driven at"));
    visit("speedMin", d.speedMin, any("m/s or rad/s", "least speed that is taken"));
    visit("speedMax", d.speedMax, any("m/s or rad/s", "largest speed that is taken"));
    visit("compliance", d.compliance, atLeast(0, "m/N or rad/(N m)", "how soft the drive is; 0 is rigid"));
    visit("damping", d.damping, atLeast(0, "N s/m or N m s/rad", "resistance to motion along the axis"));
    visit("maxForce", d.maxForce, atLeast(0, "N or N m", "most that the drive gives; 0 is no limit"));
}

// `anchor`, `axis` and `reference` place the joint in the world at the moment it is made. `frame0` and `frame1` are the
// alternative. Each is given in the axes of its own body, or in the world if there is no body. Giving both is an Error.
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
    visit("frame0", d.frame0,
          any("", "in place of anchor, axis and reference: the joint's frame in the axes of body0"));
    visit("frame1", d.frame1, any("", "the same in the axes of body1"));
    visit("turn", d.turn,
          any("",
              "hinge, servo, motor, ball, prismatic, cylinder: the angle about the axis; a prismatic joint "
              "does not turn without limits"));
    visit("slide", d.slide, any("", "prismatic, cylinder: the distance along the axis"));
    visit("swing", d.swing, any("", "ball: the angle between the two axes; max is half of its cone"));
    visit("distance", d.distance,
          any("", "distance: between the two points; its target, left out, is the one of the start. "
                  "drag: between the point and where it is pulled to"));
    visit("breakForce", d.breakForce, atLeast(0, "N", "the joint breaks above this; 0 never"));
    visit("breakTorque", d.breakTorque, atLeast(0, "N m", "the joint breaks above this; 0 never"));
    visit("controlX", d.controlX, any("", "change of the target per unit of the control vector's x"));
    visit("controlY", d.controlY, any("", "change of the target per unit of the control vector's y"));
    visit("enabled", d.enabled, any("", "false: as if it were not there"));
    visit("collideConnected", d.collideConnected, any("", "the two bodies may touch each other"));
    visit("userData", d.userData,
          any("", "a number of the program's own, which Capstan keeps and gives back"));
}

} // namespace capstan
