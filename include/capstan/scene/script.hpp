// SPDX-License-Identifier: MIT
// A script says what happens in a scene: motions move parts, actions do something at a moment, and controls steer
// drives.
#pragma once

#include <capstan/defs.hpp>

#include <optional>
#include <string>
#include <vector>

namespace capstan {

struct Waypoint {
    float t = 0;
    Vec3 position = {0, 0, 0};
};

template <DefOf<Waypoint> D, class V> void fields(D& d, V&& visit) {
    visit("t", d.t, atLeast(0, "s", "when"));
    visit("position", d.position, any("m", "where it is then"));
}

struct Circle {
    Vec3 center = {0, 0, 0};
    Vec3 axis = {0, 1, 0};
    float rate = 0;
    bool turn = false;
};

template <DefOf<Circle> D, class V> void fields(D& d, V&& visit) {
    visit("center", d.center, any("m", "a point of the axis"));
    visit("axis", d.axis, any("", "direction of the axis; what is led turns right-handed about it"));
    visit("rate", d.rate, any("rad/s", "how fast; below 0 turns the other way"));
    visit("turn", d.turn,
          any("", "a body turns along, as on a turntable; else it looks the same way, as a cabin of a Ferris "
                  "wheel"));
}

struct Shake {
    Vec3 amplitude = {0, 0, 0};
    float frequency = 1;
};

template <DefOf<Shake> D, class V> void fields(D& d, V&& visit) {
    visit("amplitude", d.amplitude, any("m", "farthest from the place of the start"));
    visit("frequency", d.frequency, atLeast(0, "1/s", "shakes per second"));
}

// A Motion moves a pinned node, a kinematic body or the target of a drag joint. It starts at the present position of
// that part. So radius and phase of a circle follow from the position and need not be given to match it.
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
    visit("rope", d.rope, any("", "name of the rope; may be left out when there is only one"));
    visit("node", d.node,
          any("", "a node (or vertex) that is pinned or clamped; negative counts from the last end"));
    visit("body", d.body, any("", "in place of a node: name of a kinematic body, led by its origin"));
    visit("joint", d.joint, any("", "in place of a node: name of a drag joint, whose goal is led"));
    visit("cloth", d.cloth, any("", "in place of a rope: name of a cloth, of whose vertices `node` is one"));
    visit("path", d.path, any("", "places and times, straight lines between; it then stays at the last"));
    visit("loop", d.loop, any("", "the path begins again when it ends; it must end where it began"));
    visit("circle", d.circle, any("", "in place of path: go round an axis, starting where it is"));
    visit("shake", d.shake,
          any("", "in place of path: place of the start + amplitude sin(2 pi frequency t)"));
    visit("angularVelocity", d.angularVelocity,
          any("rad/s", "a body turns at this rate about its origin; alone, or beside the others"));
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
    visit("at", d.at, atLeast(0, "s", "when"));
    visit("do", d.act, any("", "what to do"));
    visit("rope", d.rope, any("", "name of the rope; may be left out when there is only one"));
    visit("body", d.body,
          any("", "applyImpulse, applyForce, applyTorque, remove: name of a body, in place of a rope"));
    visit("joint", d.joint, any("", "setTarget, enable, disable, remove: name of a joint"));
    visit("node", d.node,
          any("", "winch (0 or -1), pin, unpin, applyImpulse, applyForce of a rope: which node"));
    visit("segment", d.segment, any("", "cut: which segment; negative counts from the last end"));
    visit("speed", d.speed, any("m/s", "winch: rope paid out per second; below 0 reels in"));
    visit("position", d.position,
          any("m", "pin: where to; left out, the node is held where it is. Impulse and force on a body: the "
                   "point of "
                   "the world it acts at, which then moves along; left out, the centre of mass"));
    visit("impulse", d.impulse, any("N s", "applyImpulse: how hard, at once"));
    visit("force", d.force, any("N", "applyForce: how hard, for as long as duration"));
    visit("torque", d.torque, any("N m", "applyTorque: how hard, for as long as duration"));
    visit("value", d.value,
          any("", "setTarget: rad (hinge, servo), rad/s (motor) or m (prismatic, cylinder) to be driven to"));
    visit(
        "duration", d.duration,
        above(
            0, "s",
            "winch, applyForce, applyTorque: how long; left out, winch goes on for ever, the others for one "
            "frame"));
    visit("part", d.part, any("", "cut: a name for the part behind the cut"));
}

// A ControlPoint is the control vector at a time; joints with controlX or controlY follow it.
struct ControlPoint {
    float t = 0;
    float x = 0;
    float y = 0;
};

template <DefOf<ControlPoint> D, class V> void fields(D& d, V&& visit) {
    visit("t", d.t, atLeast(0, "s", "when"));
    visit("x", d.x, any("", "times a joint's controlX: added to its target"));
    visit("y", d.y, any("", "times a joint's controlY: added to its target"));
}

} // namespace capstan
