// SPDX-License-Identifier: MIT
// The script of a scene. Motions move objects along given paths, actions do something at a moment, and controls
// change the targets of joint drives. fields() gives the unit of each field.
#pragma once

#include <capstan/defs.hpp>

#include <optional>
#include <string>
#include <vector>

namespace capstan {

// A position that a path passes at time t.
struct Waypoint {
    float t = 0;
    Vec3 position = {0, 0, 0};
};

template <DefOf<Waypoint> D, class V> void fields(D& d, V&& visit) {
    visit("t", d.t, atLeast(0, "s", "time of the waypoint"));
    visit("position", d.position, any("m", "position at that time"));
}

struct Circle {
    Vec3 center = {0, 0, 0};
    Vec3 axis = {0, 1, 0};
    float rate = 0;
    bool turn = false;
};

template <DefOf<Circle> D, class V> void fields(D& d, V&& visit) {
    visit("center", d.center, any("m", "point on the axis"));
    visit("axis", d.axis, any("", "direction of the axis; the motion turns right-handed about it"));
    visit("rate", d.rate, any("rad/s", "angular speed; below 0: the motion turns the other way"));
    visit("turn", d.turn,
          any("", "whether the body turns with the motion, as on a turntable; otherwise its rotation stays, "
                  "as that of a cabin of a Ferris wheel"));
}

struct Shake {
    Vec3 amplitude = {0, 0, 0};
    float frequency = 1;
};

template <DefOf<Shake> D, class V> void fields(D& d, V&& visit) {
    visit("amplitude", d.amplitude, any("m", "largest displacement from the position at the start"));
    visit("frequency", d.frequency, atLeast(0, "1/s", "oscillations per second"));
}

// A Motion moves a pinned node, a kinematic body or the target of a drag joint. It starts at the present position of
// that object. So the radius and the phase of a circle follow from this position and are not given.
struct Motion {
    std::string rope;
    int node = first;
    std::string body;
    std::string joint;
    std::string cloth;
    std::vector<Waypoint> path;
    bool loop = false;
    std::optional<Circle> circle;
    std::optional<Shake> shake;
    std::optional<Vec3> angularVelocity;
};

template <DefOf<Motion> D, class V> void fields(D& d, V&& visit) {
    visit("rope", d.rope, any("", "name of the rope; may be left out when the scene has only one"));
    visit("node", d.node,
          any("", "index of a pinned or clamped node, or of a pinned vertex of a cloth; a negative index "
                  "counts from the last"));
    visit("body", d.body,
          any("", "name of a kinematic body, in place of a node; its origin follows the motion"));
    visit("joint", d.joint,
          any("", "name of a drag joint, in place of a node; its target follows the motion"));
    visit("cloth", d.cloth, any("", "name of a cloth, in place of a rope; `node` is one of its vertices"));
    visit("path", d.path,
          any("", "positions and times; the motion is linear between them and ends at the last"));
    visit("loop", d.loop,
          any("", "whether the path begins again when it ends; it must end at its first position"));
    visit("circle", d.circle,
          any("", "rotation about an axis from the position at the start, in place of path"));
    visit("shake", d.shake,
          any("", "oscillation, in place of path: position at the start + amplitude sin(2 pi frequency t)"));
    visit(
        "angularVelocity", d.angularVelocity,
        any("rad/s", "angular velocity of a body about its origin; alone, or beside path, circle or shake"));
}

enum class Act {
    Cut,
    Winch,
    Pin,
    Unpin,
    ApplyImpulse,
    ApplyForce,
    Remove,
    ApplyTorque,
    SetTarget,
    Enable,
    Disable
};

// An Action does something at a moment to a rope, a body or a joint.
struct Action {
    float at = 0;
    Act act = Act::Cut;
    std::string rope;
    std::string body;
    std::string joint;
    std::optional<int> node;
    std::optional<int> segment;
    std::optional<float> speed;
    std::optional<Vec3> position;
    std::optional<Vec3> impulse;
    std::optional<Vec3> force;
    std::optional<Vec3> torque;
    std::optional<float> value;
    std::optional<float> duration;
    std::string part;
};

template <DefOf<Action> D, class V> void fields(D& d, V&& visit) {
    visit("at", d.at, atLeast(0, "s", "time of the action"));
    visit("do", d.act, any("", "kind of action"));
    visit("rope", d.rope, any("", "name of the rope; may be left out when the scene has only one"));
    visit("body", d.body,
          any("", "applyImpulse, applyForce, applyTorque, remove: name of a body, in place of a rope"));
    visit("joint", d.joint, any("", "setTarget, enable, disable, remove: name of a joint"));
    visit("node", d.node,
          any("", "winch (0 or -1), pin, unpin, applyImpulse, applyForce of a rope: index of the node"));
    visit("segment", d.segment,
          any("", "cut: index of the segment; a negative index counts from the last segment"));
    visit("speed", d.speed,
          any("m/s", "winch: length of rope that is paid out per second; below 0: it is reeled in"));
    visit("position", d.position,
          any("m", "pin: target of the node; left out: its present position. applyImpulse and applyForce of "
                   "a body: point of application in the world, which then moves with the body; left out: the "
                   "centre of mass"));
    visit("impulse", d.impulse, any("N s", "applyImpulse: impulse that acts at once"));
    visit("force", d.force, any("N", "applyForce: force that acts for `duration`"));
    visit("torque", d.torque, any("N m", "applyTorque: torque that acts for `duration`"));
    visit("value", d.value,
          any("", "setTarget: target of the drive in rad (hinge, servo), rad/s (motor) or m (prismatic, "
                  "cylinder)"));
    visit("duration", d.duration,
          above(0, "s",
                "winch, applyForce, applyTorque: duration; left out: a winch runs on for ever, a force or "
                "torque acts for one frame"));
    visit("part", d.part, any("", "cut: name for the part behind the cut"));
}

// A ControlPoint is the control vector at a time. It changes the targets of joints that have controlX or controlY.
struct ControlPoint {
    float t = 0;
    float x = 0;
    float y = 0;
};

template <DefOf<ControlPoint> D, class V> void fields(D& d, V&& visit) {
    visit("t", d.t, atLeast(0, "s", "time of the control point"));
    visit("x", d.x,
          any("", "first component of the control vector; x times a joint's controlX is added to the target "
                  "of the joint"));
    visit("y", d.y,
          any("", "second component of the control vector; y times a joint's controlY is added to the target "
                  "of the joint"));
}

} // namespace capstan
