// SPDX-License-Identifier: MIT
// See joint.hpp. The joint's frame F has x along the axis and y along what is across the axis of the reference; each
// body B carries it as B^-1 F. Where no reference is given the frame is the shortest turn of the world's x to the axis.
#include "builder/joint.hpp"

#include "builder/field_check.hpp"

#include <numbers>
#include <string>

namespace capstan {
namespace {

constexpr double kCoincide = 1e-9; // m; nearer points have no direction between them

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

// The distance that a distance joint keeps.
double restOf(const JointDef& d) {
    if (d.restDistance) return double(*d.restDistance);
    return length(widen(d.anchor1.value_or(d.anchor)) - widen(d.anchor));
}

// A number that is given for a joint which has no use for it is a mistake, not a wish to be passed over.
std::optional<Error> checkKeys(const JointDef& d) {
    using T = JointType;
    const T t = d.type;
    const bool ball = t == T::Ball && d.rope.empty(); // a rope's node has no axes to turn
    const bool driven = (t == T::Hinge && d.targetAngle) || oneOf(t, T::Servo, T::Motor, T::Cylinder) ||
                        (t == T::Prismatic && d.targetDistance);
    const bool framed = ball || turns(t) || slides(t) || t == T::Fixed;
    const bool spring = oneOf(t, T::Distance, T::Drag);
    const struct {
        const char* key;
        bool given, allowed;
    } keys[] = {
        {"anchor1", d.anchor1.has_value(), t == T::Distance},
        {"reference", d.reference.has_value(), framed},
        {"restDistance", d.restDistance.has_value(), t == T::Distance},
        {"compliance", d.compliance != 0, spring || slides(t)},
        {"damping", d.damping != 0, ball || turns(t) || slides(t) || spring},
        {"swingMin", d.swingMin.has_value(), turns(t)},
        {"swingMax", d.swingMax.has_value(), turns(t) || ball},
        {"twistMin", d.twistMin.has_value(), slides(t) || ball},
        {"twistMax", d.twistMax.has_value(), slides(t) || ball},
        {"targetAngle", d.targetAngle.has_value(), oneOf(t, T::Hinge, T::Servo)},
        {"targetAngleCompliance", d.targetAngleCompliance != 0, oneOf(t, T::Hinge, T::Servo)},
        {"velocity", d.velocity != 0, t == T::Motor},
        {"velocityMin", d.velocityMin.has_value(), t == T::Motor},
        {"velocityMax", d.velocityMax.has_value(), t == T::Motor},
        {"distanceMin", d.distanceMin.has_value(), slides(t)},
        {"distanceMax", d.distanceMax.has_value(), slides(t)},
        {"targetDistance", d.targetDistance.has_value(), slides(t)},
        {"maxForce", d.maxForce != 0, slides(t) || t == T::Drag},
        {"maxTorque", d.maxTorque != 0, turns(t)},
    };
    for (const auto& k : keys) {
        if (!k.given || k.allowed) continue;
        const char* whose = t == T::Ball && !d.rope.empty() ? " joint with a rope" : " joint";
        return Error{std::string("a ") + nameOf(t) + whose + " has no " + k.key, std::string("/") + k.key};
    }
    if ((d.controlX != 0 || d.controlY != 0) && !driven)
        return Error{std::string("a ") + nameOf(t) + " joint without a target cannot be controlled",
                     d.controlX != 0 ? "/controlX" : "/controlY"};
    return {};
}

std::optional<Error> checkLimits(const JointDef& d) {
    const struct {
        const char* key;
        const char* other;
        const std::optional<float>&min, &max;
    } limits[] = {{"swingMin", "swingMax", d.swingMin, d.swingMax},
                  {"twistMin", "twistMax", d.twistMin, d.twistMax},
                  {"velocityMin", "velocityMax", d.velocityMin, d.velocityMax},
                  {"distanceMin", "distanceMax", d.distanceMin, d.distanceMax}};
    for (const auto& l : limits)
        if (l.min && l.max && *l.min > *l.max)
            return Error{std::string(l.key) + " (" + shortNumber(double(*l.min)) + ") is above " + l.other +
                             " (" + shortNumber(double(*l.max)) + ")",
                         std::string("/") + l.key};
    if (d.type == JointType::Ball && d.swingMax &&
        !(*d.swingMax >= 0 && double(*d.swingMax) <= std::numbers::pi + 1e-6))
        return Error{"swingMax of a ball must be from 0 to pi, got " + shortNumber(double(*d.swingMax)),
                     "/swingMax"};
    return {};
}

std::optional<Error> checkSides(const JointDef& d) {
    using T = JointType;
    const T t = d.type;
    const std::string name = nameOf(t);
    const bool rope = !d.rope.empty(), body0 = !d.body0.empty(), body1 = !d.body1.empty();
    if (rope && !oneOf(t, T::Ball, T::Drag, T::Spool))
        return Error{"a " + name + " joint does not take a rope; ball, drag and spool do", "/rope"};
    if (!rope && d.node != last) return Error{"node is given but no rope", "/node"};
    if (body0 && t == T::Drag) return Error{"drag pulls body1 or a rope; it has no body0", "/body0"};
    if (body0 && rope && t == T::Ball)
        return Error{"the rope stands in for body0: give the rope and body1", "/body0"};
    if (t == T::Drag && rope && body1) return Error{"drag pulls body1 or a rope, not both", "/rope"};
    if (t == T::Drag && !rope && !body1) return Error{"drag needs body1 or a rope", "/body1"};
    if (t == T::Spool && !rope) return Error{"a spool needs a rope", "/rope"};
    if (t == T::Spool && !body1) return Error{"a spool needs body1, the drum", "/body1"};
    if (t == T::Ball && rope && !body1)
        return Error{"a rope is joined to body1; to hold its node in the world, pin it", "/body1"};
    if (!rope && !body0 && !body1) return Error{"a joint needs a body", "/body1"};
    return {};
}

std::optional<Error> checkGeometry(const JointDef& d) {
    const Vec3d axis = normalize(widen(d.axis));
    if (!(length(axis) > 0)) return Error{"axis must not be zero", "/axis"};
    if (d.reference) {
        const Vec3d r = normalize(widen(*d.reference));
        if (!(length(r) > 0)) return Error{"reference must not be zero", "/reference"};
        if (!(length(cross(axis, r)) > 1e-6))
            return Error{"reference must not be parallel to the axis", "/reference"};
    }
    if (d.type == JointType::Drag && !(d.compliance > 0))
        return Error{"drag needs a compliance above 0", "/compliance"};
    if (d.type != JointType::Distance) return {};
    const double apart = length(widen(d.anchor1.value_or(d.anchor)) - widen(d.anchor));
    if (!(restOf(d) > kCoincide)) {
        if (d.compliance > 0)
            return Error{"a soft distance of 0: use drag, or a restDistance above 0", "/restDistance"};
    } else if (!(apart > kCoincide)) {
        return Error{"the two points coincide: the distance has no direction (set anchor1)", "/anchor1"};
    }
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

void setLimits(JointAxis& a, const std::optional<float>& min, const std::optional<float>& max) {
    a.min = min ? double(*min) : -kNoLimit;
    a.max = max ? double(*max) : kNoLimit;
}

void driveTo(JointAxis& a, double target, float compliance) {
    a.drive = JointAxis::Drive::Place;
    a.target = target, a.compliance = double(compliance);
    a.least = a.min, a.most = a.max;
}

void fitTurn(const JointDef& d, JointAxis& a) {
    a.free = true;
    a.damping = double(d.damping), a.strength = orNoLimit(d.maxTorque);
    setLimits(a, d.swingMin, d.swingMax);
    if (d.type == JointType::Motor) {
        a.drive = JointAxis::Drive::Speed;
        a.target = double(d.velocity);
        a.least = d.velocityMin ? double(*d.velocityMin) : -kNoLimit;
        a.most = d.velocityMax ? double(*d.velocityMax) : kNoLimit;
    } else if (d.targetAngle || d.type == JointType::Servo) {
        driveTo(a, double(d.targetAngle.value_or(0)), d.targetAngleCompliance);
    }
}

void fitSlide(const JointDef& d, Joint& j) {
    const bool cylinder = d.type == JointType::Cylinder, controlled = d.controlX != 0 || d.controlY != 0;
    j.slide.free = true;
    j.slide.damping = double(d.damping), j.slide.strength = orNoLimit(d.maxForce);
    setLimits(j.slide, d.distanceMin, d.distanceMax);
    if (d.targetDistance || (cylinder && controlled))
        driveTo(j.slide, double(d.targetDistance.value_or(0)), d.compliance);
    j.turn.free = cylinder || d.twistMin || d.twistMax;
    if (!j.turn.free) return;
    j.turn.damping = double(d.damping);
    setLimits(j.turn, d.twistMin, d.twistMax);
}

} // namespace

Status checkJoint(const JointDef& d) {
    if (auto e = checkFields(d)) return *e;
    if (auto e = checkSides(d)) return *e;
    if (auto e = checkKeys(d)) return *e;
    if (auto e = checkLimits(d)) return *e;
    if (auto e = checkGeometry(d)) return *e;
    return done();
}

void fitJoint(const JointDef& d, Joint& j) {
    using T = JointType;
    j.def = d;
    j.turn = j.slide = JointAxis{};
    j.cone = kNoLimit, j.rest = 0, j.compliance = j.damping = 0, j.strength = kNoLimit;
    j.control[0] = double(d.controlX), j.control[1] = double(d.controlY);
    j.kind = Joint::Kind::Axial;
    if (turns(d.type)) fitTurn(d, j.turn);
    if (slides(d.type)) fitSlide(d, j);
    const bool spring = oneOf(d.type, T::Distance, T::Drag);
    if (d.type == T::Ball || (d.type == T::Distance && !(restOf(d) > kCoincide))) {
        j.kind = Joint::Kind::Ball;
        j.turn.free = true;
        if (d.type == T::Distance) return;
        j.turn.damping = double(d.damping);
        setLimits(j.turn, d.twistMin, d.twistMax);
        if (d.swingMax) j.cone = double(*d.swingMax);
    } else if (spring) {
        j.kind = d.type == T::Drag ? Joint::Kind::Pull : Joint::Kind::Rod;
        j.rest = d.type == T::Drag ? 0 : restOf(d);
        j.compliance = double(d.compliance), j.damping = double(d.damping);
        j.strength = orNoLimit(d.maxForce);
    } else if (d.type == T::Spool) {
        j.kind = Joint::Kind::Spool;
        j.turn.free = true;
    }
}

Status makeJoint(const JointDef& d, const JointSides& sides, Joint& j, JointState& s) {
    fitJoint(d, j);
    s = JointState{};
    Pose frame[2]; // in the world
    frame[0] = frame[1] = {widen(d.anchor), frameOf(d)};
    if (d.anchor1) frame[1].x = widen(*d.anchor1);
    if (d.type == JointType::Spool) {
        const Vec3d x = axisX(frame[0].q), center = sides.body[1].x, arm = frame[0].x - center;
        if (!(length(arm - dot(arm, x) * x) > 1e-6))
            return Error{"the rope must leave the drum off its axis, which passes through its centre of mass",
                         "/anchor"};
        frame[1].x = center;
    }
    for (int i : {0, 1}) j.frame[i] = from(sides.body[i], frame[i]);
    if (j.kind == Joint::Kind::Pull) j.goal = s.pulled = d.rope.empty() ? frame[1].x : sides.node;
    if (j.kind == Joint::Kind::Rod) s.distance = length(frame[1].x - frame[0].x);
    return done();
}

} // namespace capstan
