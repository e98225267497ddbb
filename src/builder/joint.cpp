// SPDX-License-Identifier: MIT
// See joint.hpp. The joint's frame F has x along the axis, and y along the part of the reference that is
// perpendicular to the axis. Body i with the pose B stores F as B^-1 F. Without a reference, F is the shortest
// rotation from the world's x axis to the axis.
#include "builder/joint.hpp"

#include "builder/field_check.hpp"
#include "builder/shape.hpp"

#include <numbers>
#include <string>

namespace capstan {
namespace {

constexpr double kCoincide = 1e-9; // m; the direction between nearer points is undefined

const char* nameOf(JointType type) {
    switch (type) {
    case JointType::Ball:
        return "ball";
    case JointType::Hinge:
        return "hinge";
    case JointType::Servo:
        return "servo";
    case JointType::Motor:
        return "motor";
    case JointType::Prismatic:
        return "prismatic";
    case JointType::Cylinder:
        return "cylinder";
    case JointType::Fixed:
        return "fixed";
    case JointType::Distance:
        return "distance";
    case JointType::Drag:
        return "drag";
    case JointType::Spool:
        return "spool";
    }
    return "joint";
}

template <class... T> bool oneOf(JointType type, T... of) { return ((type == of) || ...); }
bool turns(JointType t) { return oneOf(t, JointType::Hinge, JointType::Servo, JointType::Motor); }
bool slides(JointType t) { return oneOf(t, JointType::Prismatic, JointType::Cylinder); }

Error coincide(const char* where, const char* remedy) {
    return {std::string("the two points coincide, so the distance has no direction (") + remedy + ")", where};
}

Pose poseOf(const Transform& t) { return {widen(t.position), unitRotation(t.rotation)}; }

// Distance [m] between the two anchors of a distance joint whose anchors are given in the world.
double apartAtStart(const JointDef& d) {
    return length(widen(d.anchor1.value_or(d.anchor)) - widen(d.anchor));
}

bool framed(const JointDef& d) { return d.frame0.has_value() || d.frame1.has_value(); }

// Rest length [m] of a distance joint. `apart` is the distance at the start, which is the default.
double restOf(const JointDef& d, double apart) {
    return d.distance.target ? double(*d.distance.target) : apart;
}

// Bit set of the fields of an AxisDef that a joint type uses.
enum Use : unsigned {
    kMin = 1,
    kMax = 2,
    kLimits = kMin | kMax,
    kTarget = 4,
    kSpeed = 8,
    kSpeedLimits = 16,
    kCompliance = 32,
    kDamping = 64,
    kMaxForce = 128
};

struct Uses {
    unsigned turn = 0, slide = 0, swing = 0, distance = 0;
};

Uses usesOf(const JointDef& d) {
    constexpr unsigned place = kLimits | kTarget | kCompliance | kDamping | kMaxForce;
    switch (d.type) {
    case JointType::Ball:
        if (!d.rope.empty()) return {}; // a rope's node has no axes to turn
        return {.turn = kLimits | kDamping, .swing = kMax};
    case JointType::Hinge:
    case JointType::Servo:
        return {.turn = place};
    case JointType::Motor:
        return {.turn = kLimits | kSpeed | kSpeedLimits | kDamping | kMaxForce};
    case JointType::Prismatic: // rotates within limits or not at all
        return {.turn = kLimits | (d.turn.min || d.turn.max ? kDamping : 0u), .slide = place};
    case JointType::Cylinder:
        return {.turn = kLimits | kDamping, .slide = place};
    case JointType::Distance:
        return {.distance = kTarget | kCompliance | kDamping};
    case JointType::Drag:
        return {.distance = kCompliance | kDamping | kMaxForce};
    case JointType::Fixed:
    case JointType::Spool:
        break;
    }
    return {};
}

std::string calledBy(const JointDef& d) {
    return std::string("a ") + nameOf(d.type) +
           (d.type == JointType::Ball && !d.rope.empty() ? " joint with a rope" : " joint");
}

// Returns an Error if a field is set that this joint type does not use, instead of ignoring the field.
std::optional<Error> checkAxis(const JointDef& d, const char* axis, const AxisDef& a, unsigned uses) {
    const auto optional = [](const std::optional<float>& v) {
        return std::pair(v.has_value(), v.value_or(0));
    };
    const auto number = [](float v) { return std::pair(v != 0, v); };
    const struct {
        const char* key;
        unsigned use;
        std::pair<bool, float> given;
    } keys[] = {
        {"min", kMin, optional(a.min)},
        {"max", kMax, optional(a.max)},
        {"target", kTarget, optional(a.target)},
        {"speed", kSpeed, number(a.speed)},
        {"speedMin", kSpeedLimits, optional(a.speedMin)},
        {"speedMax", kSpeedLimits, optional(a.speedMax)},
        {"compliance", kCompliance, number(a.compliance)},
        {"damping", kDamping, number(a.damping)},
        {"maxForce", kMaxForce, number(a.maxForce)},
    };
    for (const auto& k : keys)
        if (k.given.first && !(uses & k.use))
            return Error{std::string(axis) + "." + k.key + ": " + calledBy(d) + " has none, got " +
                             shortNumber(double(k.given.second)) + "; leave it out",
                         std::string("/") + axis + "/" + k.key};
    const auto ordered = [&](const char* min, const std::optional<float>& low, const char* max,
                             const std::optional<float>& high) -> std::optional<Error> {
        if (!low || !high || *low <= *high) return {};
        return Error{std::string(axis) + "." + min + ": must be at most " + axis + "." + max + " (" +
                         shortNumber(double(*high)) + "), got " + shortNumber(double(*low)),
                     std::string("/") + axis + "/" + min};
    };
    if (auto e = ordered("min", a.min, "max", a.max)) return e;
    return ordered("speedMin", a.speedMin, "speedMax", a.speedMax);
}

std::optional<Error> checkAxes(const JointDef& d) {
    const Uses uses = usesOf(d);
    if (auto e = checkAxis(d, "turn", d.turn, uses.turn)) return e;
    if (auto e = checkAxis(d, "slide", d.slide, uses.slide)) return e;
    if (auto e = checkAxis(d, "swing", d.swing, uses.swing)) return e;
    if (auto e = checkAxis(d, "distance", d.distance, uses.distance)) return e;
    using T = JointType;
    const bool driven = (d.type == T::Hinge && d.turn.target) ||
                        oneOf(d.type, T::Servo, T::Motor, T::Cylinder) ||
                        (d.type == T::Prismatic && d.slide.target);
    if ((d.controlX != 0 || d.controlY != 0) && !driven)
        return Error{
            calledBy(d) +
                " without a target cannot be controlled; set a target, or leave controlX and controlY out",
            d.controlX != 0 ? "/controlX" : "/controlY"};
    const std::optional<float>& cone = d.swing.max;
    if (cone && !(*cone >= 0 && double(*cone) <= std::numbers::pi + 1e-6))
        return Error{"swing.max must be from 0 to pi, got " + shortNumber(double(*cone)), "/swing/max"};
    const std::optional<float>& rest = d.distance.target;
    if (rest && !(*rest >= 0))
        return Error{"distance.target must be at least 0, got " + shortNumber(double(*rest)),
                     "/distance/target"};
    return {};
}

std::optional<Error> checkSides(const JointDef& d) {
    using T = JointType;
    const T t = d.type;
    const std::string name = nameOf(t);
    const bool rope = !d.rope.empty(), body0 = !d.body0.empty(), body1 = !d.body1.empty();
    if (rope && !oneOf(t, T::Ball, T::Drag, T::Spool))
        return Error{"a " + name + " joint does not take a rope; ball, drag and spool do", "/rope"};
    if (!rope && d.node != last) return Error{"node needs a rope; leave it out, or name the rope", "/node"};
    if (body0 && t == T::Drag) return Error{"a drag joint has no body0; name body1 or a rope", "/body0"};
    if (body0 && rope && t == T::Ball)
        return Error{"a rope takes the place of body0; leave body0 out", "/body0"};
    if (t == T::Drag && rope && body1)
        return Error{"a drag joint must have either body1 or a rope; leave one out", "/rope"};
    if (t == T::Drag && !rope && !body1) return Error{"a drag joint needs body1 or a rope", "/body1"};
    if (t == T::Spool && !rope) return Error{"a spool joint needs a rope", "/rope"};
    if (t == T::Spool && !body1) return Error{"a spool joint needs body1, the drum", "/body1"};
    if (t == T::Ball && rope && !body1)
        return Error{"a joint with a rope needs body1; to hold a node in the world, pin it", "/body1"};
    if (!rope && !body0 && !body1) return Error{"a joint needs body0 or body1", "/body1"};
    return {};
}

bool hasAxes(const JointDef& d) {
    if (d.type == JointType::Ball) return d.rope.empty(); // a rope's node has no axes
    return turns(d.type) || slides(d.type) || d.type == JointType::Fixed;
}

// Checks which sides have a frame. A side at a rope's node needs none, nor does a drum, which turns about its centre
// of mass.
std::optional<Error> checkFrames(const JointDef& d) {
    const JointDef none;
    if (!(d.anchor == none.anchor) || !(d.axis == none.axis) || d.anchor1 || d.reference)
        return Error{
            "frame0 and frame1 take the place of anchor, anchor1, axis and reference; leave one group out",
            d.frame0 ? "/frame0" : "/frame1"};
    const bool rope = !d.rope.empty(), drag = d.type == JointType::Drag, spool = d.type == JointType::Spool;
    if (drag && rope)
        return Error{"a drag joint with a rope takes no frame", d.frame0 ? "/frame0" : "/frame1"};
    const bool needs[2] = {!drag && !(rope && !spool), !spool};
    const std::optional<Transform>* given[2] = {&d.frame0, &d.frame1};
    for (int i : {0, 1}) {
        const std::string key = i == 0 ? "frame0" : "frame1";
        if (given[i]->has_value() && !needs[i]) return Error{calledBy(d) + " takes no " + key, "/" + key};
        if (!given[i]->has_value() && needs[i])
            return Error{calledBy(d) + " with " + (i == 0 ? "frame1" : "frame0") + " needs " + key + " too",
                         "/" + key};
        if (given[i]->has_value() && !(length((*given[i])->rotation) > 0))
            return Error{"rotation must not be zero", "/" + key + "/rotation"};
    }
    return {};
}

std::optional<Error> checkDirections(const JointDef& d) {
    if (d.anchor1 && d.type != JointType::Distance) return Error{calledBy(d) + " has no anchor1", "/anchor1"};
    if (d.reference && !hasAxes(d)) return Error{calledBy(d) + " has no reference", "/reference"};
    const Vec3d axis = normalize(widen(d.axis));
    if (!(length(axis) > 0)) return Error{"axis must not be zero", "/axis"};
    if (!d.reference) return {};
    const Vec3d r = normalize(widen(*d.reference));
    if (!(length(r) > 0)) return Error{"reference must not be zero", "/reference"};
    if (!(length(cross(axis, r)) > 1e-6))
        return Error{"reference must not be parallel to the axis", "/reference"};
    return {};
}

std::optional<Error> checkGeometry(const JointDef& d) {
    if (auto e = framed(d) ? checkFrames(d) : checkDirections(d)) return e;
    if (d.type == JointType::Drag && !(d.distance.compliance > 0))
        return Error{"distance.compliance must be above 0 for a drag joint, got 0", "/distance/compliance"};
    if (d.type != JointType::Distance) return {};
    const double apart = framed(d) ? kNoLimit : apartAtStart(d); // frames: makeJoint() checks their distance
    if (!(restOf(d, apart) > kCoincide) && d.distance.compliance > 0)
        return Error{
            "distance.target must be above 0 for a soft distance joint; for distance 0 use a drag joint",
            "/distance/target"};
    if (restOf(d, apart) > kCoincide && !(apart > kCoincide))
        return coincide("/anchor1", "give anchor1 another position");
    return {};
}

Quatd frameOf(const JointDef& d) {
    const Vec3d x = normalize(widen(d.axis));
    const Quatd q = fromTo(Vec3d{1, 0, 0}, x);
    if (!d.reference) return q;
    const Vec3d r = widen(*d.reference), y = axisY(q), z = axisZ(q);
    return normalize(Quatd::fromAxisAngle(x, atan2(dot(r, z), dot(r, y))) * q);
}

double orNoLimit(float most) { return most > 0 ? double(most) : kNoLimit; }

void setLimits(JointAxis& a, const AxisDef& d) {
    a.min = d.min ? double(*d.min) : -kNoLimit;
    a.max = d.max ? double(*d.max) : kNoLimit;
}

void driveTo(JointAxis& a, const AxisDef& d) {
    a.drive = JointAxis::Drive::Position;
    a.target = double(d.target.value_or(0));
    a.compliance = double(d.compliance);
    a.least = a.min;
    a.most = a.max;
}

void fitTurn(const JointDef& d, JointAxis& a) {
    a.free = true;
    a.damping = double(d.turn.damping);
    a.strength = orNoLimit(d.turn.maxForce);
    setLimits(a, d.turn);
    if (d.type == JointType::Motor) {
        a.drive = JointAxis::Drive::Velocity;
        a.target = double(d.turn.speed);
        a.least = d.turn.speedMin ? double(*d.turn.speedMin) : -kNoLimit;
        a.most = d.turn.speedMax ? double(*d.turn.speedMax) : kNoLimit;
    } else if (d.turn.target || d.type == JointType::Servo) {
        driveTo(a, d.turn);
    }
}

void fitSlide(const JointDef& d, Joint& j) {
    const bool cylinder = d.type == JointType::Cylinder, controlled = d.controlX != 0 || d.controlY != 0;
    j.slide.free = true;
    j.slide.damping = double(d.slide.damping);
    j.slide.strength = orNoLimit(d.slide.maxForce);
    setLimits(j.slide, d.slide);
    if (d.slide.target || (cylinder && controlled)) driveTo(j.slide, d.slide);
    j.turn.free = cylinder || d.turn.min || d.turn.max;
    if (!j.turn.free) return;
    j.turn.damping = double(d.turn.damping);
    setLimits(j.turn, d.turn);
}

// Computes the frame of the joint for each side, in the world.
void placeFrames(const JointDef& d, const JointSides& sides, Pose frame[2]) {
    if (!framed(d)) {
        frame[0] = frame[1] = {widen(d.anchor), frameOf(d)};
        if (d.anchor1) frame[1].x = widen(*d.anchor1);
        return;
    }
    const std::optional<Transform>* given[2] = {&d.frame0, &d.frame1};
    for (int i : {0, 1})
        if (given[i]->has_value()) frame[i] = sides.body[i] * from(sides.principal[i], poseOf(**given[i]));
    if (!d.frame0) frame[0] = frame[1];
    if (!d.frame1) frame[1] = frame[0];
}

} // namespace

Status checkJoint(const JointDef& d) {
    if (auto e = checkFields(d)) return *e;
    if (auto e = checkSides(d)) return *e;
    if (auto e = checkAxes(d)) return *e;
    if (auto e = checkGeometry(d)) return *e;
    return done();
}

void fitJoint(const JointDef& d, Joint& j) {
    using T = JointType;
    j.def = d;
    j.turn = j.slide = JointAxis{};
    j.cone = kNoLimit;
    j.rest = 0;
    j.compliance = j.damping = 0;
    j.strength = kNoLimit;
    j.control[0] = double(d.controlX);
    j.control[1] = double(d.controlY);
    j.kind = Joint::Kind::Axial;
    if (turns(d.type)) fitTurn(d, j.turn);
    if (slides(d.type)) fitSlide(d, j);
    const bool spring = oneOf(d.type, T::Distance, T::Drag);
    if (d.type == T::Ball || (d.type == T::Distance && !(restOf(d, j.apart) > kCoincide))) {
        j.kind = Joint::Kind::Ball;
        j.turn.free = true;
        if (d.type == T::Distance) return;
        j.turn.damping = double(d.turn.damping);
        setLimits(j.turn, d.turn);
        if (d.swing.max) j.cone = double(*d.swing.max);
    } else if (spring) {
        j.kind = d.type == T::Drag ? Joint::Kind::Drag : Joint::Kind::Rod;
        j.rest = d.type == T::Drag ? 0 : restOf(d, j.apart);
        j.compliance = double(d.distance.compliance);
        j.damping = double(d.distance.damping);
        j.strength = orNoLimit(d.distance.maxForce);
    } else if (d.type == T::Spool) {
        j.kind = Joint::Kind::Spool;
        j.turn.free = true;
    }
}

Status makeJoint(const JointDef& d, const JointSides& sides, Joint& j, JointState& s) {
    Pose frame[2]; // in the world
    placeFrames(d, sides, frame);
    j.apart = length(frame[1].x - frame[0].x);
    if (d.type == JointType::Distance && framed(d) && !(d.distance.target && *d.distance.target == 0) &&
        !(j.apart > kCoincide))
        return coincide("/frame1/position", "set the positions of the frames apart");
    fitJoint(d, j);
    s = JointState{};
    if (d.type == JointType::Spool) {
        const Vec3d x = axisX(frame[0].q), center = sides.body[1].x, arm = frame[0].x - center;
        if (!(length(arm - dot(arm, x) * x) > 1e-6))
            return Error{"the rope must leave the drum off its axis, which passes through its centre of mass",
                         framed(d) ? "/frame0/position" : "/anchor"};
        frame[1].x = center;
    }
    for (int i : {0, 1}) j.frame[i] = from(sides.body[i], frame[i]);
    if (j.kind == Joint::Kind::Drag) j.target = s.dragPoint = d.rope.empty() ? frame[1].x : sides.node;
    if (j.kind == Joint::Kind::Rod) s.distance = length(frame[1].x - frame[0].x);
    return done();
}

} // namespace capstan
