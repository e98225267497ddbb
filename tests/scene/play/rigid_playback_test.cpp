// SPDX-License-Identifier: MIT
// Tests of Playback with bodies and joints: motions against formulas, actions against mechanics, and expectations
// that must be able to fail.
#include "scene/play/motion.hpp"
#include <capstan/scene/playback.hpp>
#include <capstan/scene/reach.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace capstan {
namespace {

Result<Playback> beginBodies(const std::string& members) {
    Result<Scene> scene = parseScene("{" + members + "}", "f.json");
    if (!scene) return scene.error();
    return Playback::start(std::move(*scene));
}

Playback ranBodies(const std::string& members) {
    Result<Playback> p = beginBodies(members);
    EXPECT_TRUE(p) << p.error().text();
    while (!p->done()) p->frame();
    return std::move(*p);
}

std::string failingBodies(const Playback& p) {
    std::string out;
    for (const CheckLine& line : p.check()) {
        if (!line.ok) out += line.what + ": expected " + line.expected + ", got " + line.got + "\n";
    }
    return out;
}

double apartBodies(Vec3 a, Vec3 b) { return static_cast<double>(length(a - b)); }

// A box of 2 kg without gravity: I = m / 12 (b^2 + c^2) = 2 / 12 x 0.08 = 1/75 about each axis.
const char* const floating = R"("world": {"gravity": [0, 0, 0]}, "bodies": [{"name": "box",
    "shape": {"kind": "box", "size": [0.2, 0.2, 0.2]}, "mass": 2, "position": [0, 1, 0]}])";

// Motions and controls.

TEST(RigidMotions, SpinAndTurn) {
    Motion m;
    m.angularVelocity = Vec3{0, 2, 0};
    EXPECT_EQ(placeAt(m, {1, 2, 3}, 5), (Vec3{1, 2, 3}));
    Quatf q = rotationAt(m, Quatf::identity(), 0.25); // half a radian about y
    EXPECT_NEAR(q.y, std::sin(0.25), 1e-7);
    EXPECT_NEAR(q.w, std::cos(0.25), 1e-7);
    m = {};
    m.circle = Circle{{0, 0, 0}, {0, 0, 3}, 2, false};
    EXPECT_EQ(rotationAt(m, Quatf::identity(), 0.7).w, 1);
    m.circle->turn = true; // the body rotates with the circle, so that one side always faces outwards
    Vec3 out = rotate(rotationAt(m, Quatf::identity(), 0.7), Vec3{1, 0, 0});
    EXPECT_LT(apartBodies(out, placeAt(m, {1, 0, 0}, 0.7)), 1e-6);
}

TEST(RigidMotions, LeadAKinematicBody) {
    Playback p =
        ranBodies(R"("frames": 60, "bodies": [{"name": "k", "type": "kinematic", "position": [1, 0, 0]}],
        "motions": [{"body": "k", "angularVelocity": [0, 0, 3], "path": [{"t": 2, "position": [5, 0, 0]}]}],
        "expect": {"position": [{"body": "k", "at": 0.5, "value": [2, 0, 0], "tolerance": 1e-5}],
                   "angularSpeed": [{"body": "k", "value": 3, "tolerance": 0.001}],
                   "speed": [{"body": "k", "value": 2, "tolerance": 0.001}]})");
    Transform at = p.world().pose(p.world().find<BodyId>("k"));
    EXPECT_LT(apartBodies(at.position, {3, 0, 0}), 1e-5);
    EXPECT_NEAR(at.rotation.z, std::sin(1.5), 1e-6); // 3 rad about z
    EXPECT_EQ(failingBodies(p), "");
}

TEST(RigidMotions, CarryWhatHangsOnThem) {
    Playback p = ranBodies(R"("frames": 120, "bodies": [{"name": "k", "type": "kinematic"},
        {"name": "box", "shape": {"kind": "box", "size": [0.2, 0.2, 0.2]}, "mass": 1, "position": [0, -0.5, 0]}],
        "joints": [{"type": "fixed", "body0": "k", "body1": "box"}],
        "motions": [{"body": "k", "circle": {"center": [1, 0, 0], "axis": [0, 1, 0], "rate": 1, "turn": true}}])");
    // The box is carried by the body k. Both rotate by 2 rad about the vertical axis through [1, 0, 0].
    float c = std::cos(2.0f), s = std::sin(2.0f);
    Vec3 box = p.world().pose(p.world().find<BodyId>("box")).position;
    EXPECT_LT(apartBodies(box, {1 - c, -0.5f, s}), 1e-3);
}

TEST(RigidMotions, DragLeadsTheGoal) {
    Playback p =
        ranBodies(std::string(floating) + R"(, "frames": 300, "joints": [{"name": "hand", "type": "drag",
        "body1": "box", "anchor": [0, 1, 0], "distance": {"compliance": 0.001, "damping": 80}}],
        "motions": [{"joint": "hand", "path": [{"t": 1, "position": [2, 1, 0]}]}])");
    EXPECT_LT(apartBodies(p.world().pose(p.world().find<BodyId>("box")).position, {2, 1, 0}), 1e-3);
}

TEST(RigidMotions, PathMustBeginWhereTheBodyIs) {
    Result<Playback> p = beginBodies(R"("bodies": [{"name": "k", "type": "kinematic"}],
"motions": [{"body": "k", "path": [{"t": 0, "position": [1, 0, 0]}]}])");
    ASSERT_FALSE(p);
    EXPECT_EQ(p.error().where, "f.json:2:36 /motions/0/path/0");
    EXPECT_EQ(p.error().what, "the path begins at [1, 0, 0] but the body is at [0, 0, 0]; begin it there, or "
                              "give the first waypoint a later time");
}

TEST(RigidMotions, TooFarIsTold) {
    Playback p = ranBodies(R"("frames": 3, "bodies": [{"name": "k", "type": "kinematic"}],
        "motions": [{"body": "k", "path": [{"t": 0.02, "position": [3e38, 3e38, 0]}]}])");
    ASSERT_EQ(p.summary().problems.size(), 1u);
    EXPECT_NE(p.summary().problems[0].what.find("leads too far"), std::string::npos);
}

TEST(Controls, StraightLinesFromRest) {
    std::vector<ControlPoint> points = {{1, 2, 0}, {2, 2, -4}};
    EXPECT_EQ(controlAt(points, 0).x, 0);
    EXPECT_EQ(controlAt(points, 0.25).x, 0.5f);
    EXPECT_EQ(controlAt(points, 1.5).x, 2);
    EXPECT_EQ(controlAt(points, 1.5).y, -2);
    EXPECT_EQ(controlAt(points, 99).y, -4);
    EXPECT_EQ(controlAt({}, 1).x, 0);
    EXPECT_EQ(controlAt({{0, 3, 1}}, 0).x, 3);
}

// The motor turns at 4 rad/s per unit of y, and y rises to 1 during the first second. The angle is 2 rad after 1 s,
// and 6 rad after 2 s.
TEST(Controls, SteerAMotor) {
    Playback p =
        ranBodies(std::string(floating) + R"(, "frames": 120, "joints": [{"name": "m", "type": "motor",
        "body1": "box", "anchor": [0, 1, 0], "axis": [0, 0, 1], "controlY": 4}],
        "controls": [{"t": 1, "y": 1}], "expect": {
        "joint": [{"joint": "m", "what": "angle", "at": 1, "value": 2, "tolerance": 0.05},
                  {"joint": "m", "what": "angle", "value": 6, "tolerance": 0.05}]})");
    EXPECT_EQ(failingBodies(p), "");
}

// Actions.

TEST(RigidActions, PushAtTheCentreAndAtAPoint) {
    Playback p = ranBodies(std::string(floating) + R"(, "frames": 30, "actions": [
        {"do": "applyImpulse", "body": "box", "impulse": [6, 0, 0]}])");
    BodyId box = p.world().find<BodyId>("box");
    EXPECT_LT(apartBodies(p.world().velocity(box), {3, 0, 0}), 1e-5);
    EXPECT_LT(apartBodies(p.world().angularVelocity(box), {0, 0, 0}), 1e-6);
    // An impulse of 6 N s, 0.1 m above the centre, gives -0.6 N m s about z, divided by 1/75 kg m^2.
    p = ranBodies(std::string(floating) + R"(, "frames": 30, "actions": [
        {"do": "applyImpulse", "body": "box", "impulse": [6, 0, 0], "position": [0, 1.1, 0]}])");
    box = p.world().find<BodyId>("box");
    EXPECT_LT(apartBodies(p.world().velocity(box), {3, 0, 0}), 1e-5);
    EXPECT_LT(apartBodies(p.world().angularVelocity(box), {0, 0, -45}), 1e-2);
}

TEST(RigidActions, PullAndTwistLast) {
    Playback p = ranBodies(std::string(floating) + R"(, "frames": 60, "actions": [
        {"at": 0.2, "do": "applyForce", "body": "box", "force": [0, 0, 4], "duration": 0.5},
        {"at": 0.2, "do": "applyTorque", "body": "box", "torque": [0, 0.02, 0], "duration": 0.5}])");
    BodyId box = p.world().find<BodyId>("box");
    EXPECT_LT(apartBodies(p.world().velocity(box), {0, 0, 1}), 1e-3);            // 4 N / 2 kg x 0.5 s
    EXPECT_LT(apartBodies(p.world().angularVelocity(box), {0, 0.75f, 0}), 1e-3); // 0.02 N m x 75 x 0.5 s
}

// The force acts at a corner of the moving body and rotates it.
TEST(RigidActions, PullAtAPointOfTheBody) {
    Playback p = ranBodies(std::string(floating) + R"(, "frames": 6, "actions": [
        {"do": "applyForce", "body": "box", "force": [0, 3, 0], "position": [0.1, 1, 0], "duration": 0.1}])");
    BodyId box = p.world().find<BodyId>("box");
    EXPECT_LT(apartBodies(p.world().velocity(box), {0, 0.15f, 0}), 1e-3);
    // The torque is 0.3 N m during 0.1 s.
    EXPECT_NEAR(p.world().angularVelocity(box).z, 3 * 0.1 * 75 * 0.1, 0.03);
}

TEST(RigidActions, TargetsAndSwitches) {
    Playback p =
        ranBodies(std::string(floating) + R"(, "frames": 240, "joints": [{"name": "rail", "type": "prismatic",
        "body1": "box", "anchor": [0, 1, 0], "axis": [1, 0, 0], "slide": {"target": 0, "compliance": 0.001, "damping": 90}}],
        "actions": [{"at": 0.5, "do": "setTarget", "joint": "rail", "value": 0.3},
                    {"at": 2, "do": "disable", "joint": "rail"},
                    {"at": 2, "do": "applyImpulse", "body": "box", "impulse": [0, 2, 0]},
                    {"at": 3, "do": "remove", "joint": "rail"}],
        "expect": {"joint": [{"joint": "rail", "what": "distance", "at": 1.9, "value": 0.3, "tolerance": 0.002}],
                   "position": [{"body": "box", "value": [0.3, 3, 0], "tolerance": 0.01}]})");
    EXPECT_EQ(failingBodies(p), "");
    EXPECT_TRUE(p.world().ids<JointId>().empty());
}

TEST(RigidActions, ThatCannotBeDoneAreTold) {
    Playback p =
        ranBodies(std::string(floating) + R"(, "frames": 60, "ropes": [{"name": "r", "from": [0, 2, 0],
        "to": [0, 1.1, 0], "segments": 4}], "joints": [{"name": "j", "type": "ball", "rope": "r", "body1": "box",
        "anchor": [0, 1.1, 0]}], "actions": [
        {"at": 0.1, "do": "pin", "rope": "r", "node": -1},
        {"at": 0.2, "do": "remove", "body": "box"},
        {"at": 0.3, "do": "applyImpulse", "body": "box", "impulse": [1, 0, 0]},
        {"at": 0.4, "do": "disable", "joint": "j"}])");
    ASSERT_EQ(p.summary().problems.size(), 3u);
    EXPECT_EQ(p.summary().problems[0].what, "the node is attached to a body");
    EXPECT_EQ(p.summary().problems[1].where, "f.json:7:9 /actions/2");
    EXPECT_EQ(p.summary().problems[1].what, "the body does not exist at 0.3 s");
    EXPECT_EQ(p.summary().problems[2].what, "the joint does not exist at 0.4 s");
    EXPECT_TRUE(p.world().ids<BodyId>().empty());
}

// Errors that a World reports at the start.

TEST(RigidStart, MistakesHaveAPlace) {
    struct Bad {
        const char *text, *where;
    } all[] = {
        {"\"bodies\": [\n{\"shape\": {\"kind\": \"box\"}}]", "f.json:2:11 /bodies/0/shape"},
        {"\"bodies\": [{\"name\": \"b\", \"shape\": {\"kind\": \"sphere\", \"radius\": 1}}],\n"
         "\"joints\": [{\"type\": \"hinge\", \"body1\": \"b\", \"axis\": [0, 0, 0]}]",
         "f.json:2:52 /joints/0/axis"},
        {"\"bodies\": [{\"name\": \"b\", \"shape\": {\"kind\": \"sphere\", \"radius\": 1}}],\n"
         "\"joints\": [{\"type\": \"ball\"}]",
         "f.json:2:12 /joints/0/body1"},
    };
    for (const Bad& bad : all) {
        SCOPED_TRACE(bad.text);
        Result<Playback> p = beginBodies(bad.text);
        ASSERT_FALSE(p);
        EXPECT_EQ(p.error().where.rfind(bad.where, 0), 0u) << p.error().text();
    }
}

// Expectations and summary.

const char* const swinging = R"("frames": 60, "bodies": [{"name": "bar",
    "shape": {"kind": "box", "size": [1, 0.05, 0.05]}, "mass": 1, "position": [0.5, 2, 0]}],
    "joints": [{"name": "pivot", "type": "hinge", "body1": "bar", "anchor": [0, 2, 0], "axis": [0, 0, 1]}])";

TEST(RigidExpectations, EachCanFail) {
    Playback p = ranBodies(std::string(swinging) + R"(, "expect": {"maxGap": 0, "restsWithin": 0.001,
        "speed": [{"body": "bar", "value": 100, "tolerance": 0.1}],
        "angularSpeed": [{"body": "bar", "peak": true, "value": 100, "tolerance": 0.1}],
        "position": [{"body": "bar", "at": 0.5, "value": [9, 9, 9], "tolerance": 1}],
        "height": [{"body": "bar", "peak": true, "value": 3, "tolerance": 0.5}],
        "joint": [{"joint": "pivot", "what": "angle", "value": 9, "tolerance": 1},
                  {"joint": "pivot", "what": "force", "peak": true, "value": 9000, "tolerance": 1},
                  {"joint": "pivot", "what": "torque", "at": 0.5, "value": 9000, "tolerance": 1}]})");
    std::string bad = failingBodies(p);
    for (const char* what :
         {"maxGap", "restsWithin", "speed of bar", "peak angular speed of bar", "position of bar at 0.5 s",
          "peak height of bar", "angle of pivot", "peak force of pivot", "torque of pivot at 0.5 s"}) {
        EXPECT_NE(bad.find(what), std::string::npos) << what << " should fail\n" << bad;
    }
}

// A thin bar is released level. The force at the bottom is 5/2 m g. The energy scale is its weight times half its
// length.
TEST(RigidSummary, KnowsTheSwing) {
    Playback p = ranBodies(swinging);
    const Summary& s = p.summary();
    EXPECT_NEAR(s.scale, 9.81 * 0.5, 0.05); // the pivot is 0.5 m from the centre
    EXPECT_NEAR(s.peakForce, 2.5 * 9.81, 0.3);
    EXPECT_EQ(s.peakJoint, "pivot");
    EXPECT_LT(s.maxGap, 1e-4);
    EXPECT_LT(s.rise, 1e-3);
    EXPECT_TRUE(s.finite);
}

TEST(RigidSummary, TellsBrokenJoints) {
    Playback p =
        ranBodies(R"("frames": 60, "bodies": [{"name": "ball", "shape": {"kind": "sphere", "radius": 0.1},
        "mass": 1, "position": [1, 0, 0]}], "joints": [{"name": "weak", "type": "ball", "body1": "ball",
        "breakForce": 15}], "expect": {"breaks": 1})");
    EXPECT_EQ(failingBodies(p), "");
    ASSERT_EQ(p.summary().happenings.size(), 1u);
    EXPECT_EQ(p.summary().happenings[0].event.kind, Event::Kind::Broke);
    EXPECT_EQ(p.summary().happenings[0].name, "weak");
    EXPECT_GT(p.summary().happenings[0].event.force, 15);
}

// The heights through which bodies can fall (capstan/scene/reach.hpp).
TEST(Reach, FollowsTheMechanism) {
    Result<Playback> p =
        beginBodies(R"("ropes": [{"name": "r", "from": [10, 5, 0], "to": [10, 3, 0], "length": 4,
            "segments": 4, "pins": [0]}],
        "bodies": [
        {"name": "wall", "type": "static", "position": [0, 9, 0]},
        {"name": "a", "shape": {"kind": "sphere", "radius": 0.1}, "mass": 1, "position": [1, 0, 0]},
        {"name": "b", "shape": {"kind": "sphere", "radius": 0.1}, "mass": 1, "position": [2, 0, 0]},
        {"name": "crate", "shape": {"kind": "sphere", "radius": 0.1}, "mass": 1, "position": [10, 2.9, 0]},
        {"name": "free", "shape": {"kind": "sphere", "radius": 0.1}, "mass": 1, "position": [0, 50, 0]}],
        "joints": [{"type": "ball", "body0": "wall", "body1": "a", "anchor": [0, 0, 0]},
                   {"type": "ball", "body0": "a", "body1": "b", "anchor": [1.5, 0, 0]},
                   {"type": "ball", "rope": "r", "body1": "crate", "anchor": [10, 3, 0]}])");
    ASSERT_TRUE(p) << p.error().text();
    std::vector<double> reach = reaches(p->world());
    ASSERT_EQ(reach.size(), 5u);
    EXPECT_EQ(reach[0], 0);
    EXPECT_NEAR(reach[1], 1, 1e-6);
    EXPECT_NEAR(reach[2], 2, 1e-6); // distance to the wall's joint, not to the body's own joint
    EXPECT_NEAR(reach[3], 4, 1e-5); // the rope is longer than the distance to the pin
    EXPECT_NEAR(reach[4], 0.1 * std::sqrt(0.4), 1e-6);
}

TEST(RigidPlayback, BackendsAndThreadsGiveTheSameHash) {
    auto hash = [](const char* world) {
        return ranBodies(std::string("\"world\": {") + world + "}, " + swinging).world().hash();
    };
    EXPECT_EQ(hash("\"backend\": \"scalar\""), hash("\"backend\": \"simd\""));
    EXPECT_EQ(hash("\"threads\": 1"), hash("\"threads\": 3"));
}

} // namespace
} // namespace capstan
