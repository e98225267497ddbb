// SPDX-License-Identifier: MIT
// Tests of Playback: motions against formulas, actions against mechanics, and expectations that must be able to fail.
#include "scene/play/motion.hpp"
#include <capstan/scene/playback.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

// A load of 10 kg hangs at rest on two metres of rope from a pin at the origin.
const char* const hanging = R"("ropes": [{"name": "rope", "from": [0, 0, 0], "to": [0, -2, 0], "segments": 20,
    "mass": 0.1, "pins": [0], "loads": [{"mass": 10}]}])";

Result<Playback> begin(const std::string& members) {
    Result<Scene> scene = parseScene("{" + members + "}", "f.json");
    if (!scene) return scene.error();
    return Playback::start(std::move(*scene));
}

Playback ran(const std::string& members) {
    Result<Playback> p = begin(members);
    EXPECT_TRUE(p) << p.error().text();
    while (!p->done()) p->frame();
    return std::move(*p);
}

std::string failing(const Playback& p) {
    std::string out;
    for (const CheckLine& line : p.check()) {
        if (!line.ok) out += line.what + ": expected " + line.expected + ", got " + line.got + "\n";
    }
    return out;
}

double apart(Vec3 a, Vec3 b) { return static_cast<double>(length(a - b)); }
const float pi = 3.14159265f;

// Motions.

TEST(Motions, PathGoesStraightFromWhereTheNodeIs) {
    Motion m;
    m.path = {{2, {4, 0, 0}}, {3, {4, 1, 0}}};
    EXPECT_EQ(placeAt(m, {0, 0, 0}, 0), (Vec3{0, 0, 0}));
    EXPECT_EQ(placeAt(m, {0, 0, 0}, 1), (Vec3{2, 0, 0}));
    EXPECT_EQ(placeAt(m, {0, 0, 0}, 2), (Vec3{4, 0, 0}));
    EXPECT_EQ(placeAt(m, {0, 0, 0}, 2.25), (Vec3{4, 0.25f, 0}));
    EXPECT_EQ(placeAt(m, {0, 0, 0}, 99), (Vec3{4, 1, 0}));
}

TEST(Motions, PathLoops) {
    Motion m;
    m.loop = true;
    m.path = {{1, {0, 0, 0}}, {2, {1, 0, 0}}, {3, {0, 0, 0}}};
    EXPECT_EQ(placeAt(m, {0, 0, 0}, 0.5), (Vec3{0, 0, 0}));
    EXPECT_EQ(placeAt(m, {0, 0, 0}, 1.5), (Vec3{0.5f, 0, 0}));
    EXPECT_EQ(placeAt(m, {0, 0, 0}, 2.75), (Vec3{0.25f, 0, 0}));
    EXPECT_EQ(placeAt(m, {0, 0, 0}, 101.5), (Vec3{0.5f, 0, 0}));
}

TEST(Motions, CircleKeepsRadiusAndHeight) {
    Motion m;
    m.circle = Circle{{1, 2, 3}, {0, 5, 0}, 2};
    Vec3 start = {4, 7, 3};
    EXPECT_EQ(placeAt(m, start, 0), start);
    // A rotation by 90 degrees about +y, right-handed, maps +x to -z.
    EXPECT_LT(apart(placeAt(m, start, static_cast<double>(pi) / 4), {1, 7, 0}), 1e-6);
    EXPECT_LT(apart(placeAt(m, start, static_cast<double>(pi)), start), 2e-6);
}

TEST(Motions, ShakeIsASine) {
    Motion m;
    m.shake = Shake{{0, 2, 0}, 0.5f};
    EXPECT_EQ(placeAt(m, {1, 1, 1}, 0), (Vec3{1, 1, 1}));
    EXPECT_LT(apart(placeAt(m, {1, 1, 1}, 0.5), {1, 3, 1}), 1e-6);
    EXPECT_LT(apart(placeAt(m, {1, 1, 1}, 1.5), {1, -1, 1}), 1e-6);
    EXPECT_LT(apart(placeAt(m, {1, 1, 1}, 1000000.5), {1, 3, 1}), 1e-6);
}

TEST(Motions, LeadThePinnedNode) {
    Playback p =
        ran(std::string(hanging) +
            R"(, "frames": 30, "motions": [{"node": 0, "path": [{"t": 1, "position": [2, 0, 0]}]}])");
    EXPECT_LT(apart(p.world().positions(p.rope("rope"))[0], {1, 0, 0}), 1e-6);
}

TEST(Motions, EndWhenTheNodeIsLetGo) {
    Playback p = ran(std::string(hanging) + R"(, "frames": 60,
        "motions": [{"node": 0, "path": [{"t": 1, "position": [2, 0, 0]}]}],
        "actions": [{"at": 0.5, "do": "unpin", "node": 0}])");
    std::span<const Point> x = p.world().positions(p.rope("rope"));
    EXPECT_GT(x[0].w, 0);
    EXPECT_LT(x[0].y, -0.5f); // free fall: 9.81 / 2 x 0.5^2 = 1.2 m
}

TEST(Motions, FollowTheirNodeThroughACut) {
    Playback p =
        ran(R"("ropes": [{"name": "a", "from": [0, 0, 0], "to": [2, 0, 0], "segments": 20, "pins": [0, -1]}],
        "frames": 60, "motions": [{"node": -1, "path": [{"t": 1, "position": [2, 3, 0]}]}],
        "actions": [{"at": 0.5, "do": "cut", "segment": 4, "part": "b"}])");
    std::span<const Point> x = p.world().positions(p.rope("b"));
    ASSERT_EQ(x.size(), 16u);
    EXPECT_LT(apart(x.back(), {2, 3, 0}), 1e-6);
    EXPECT_EQ(p.world().positions(p.rope("a")).size(), 5u);
}

TEST(Motions, FollowTheirNodeWhenAWinchMakesNodesBeforeIt) {
    Playback p =
        ran(R"("ropes": [{"name": "a", "from": [0, 0, 0], "to": [0, -2, 0], "segments": 20, "pins": [0, 20]}],
        "frames": 120, "motions": [{"node": 20, "path": [{"t": 2, "position": [0, -3, 0]}]}],
        "actions": [{"at": 0, "do": "winch", "node": 0, "speed": 1}])");
    std::span<const Point> x = p.world().positions(p.rope("a"));
    EXPECT_GT(x.size(), 30u);
    EXPECT_LT(apart(x.back(), {0, -3, 0}), 1e-6);
}

// The state of a World at the start.

TEST(PlaybackStart, MistakesHaveAPlace) {
    struct Bad {
        std::string text, where, what;
    } all[] = {
        {R"("ropes": [{"from": [0, 0, 0],
"to": [0, 0, 0]}])",
         "f.json:2:7 /ropes/0/to", "the ends coincide; give a length, or another end"},
        {R"("ropes": [{"to": [1, 0, 0], "segments": 4,
"pins": [0, 9]}])",
         "f.json:2:13 /ropes/0/pins/1", "there is no node 9; the rope has 5 nodes"},
        {std::string(hanging) + R"(,
"motions": [{"node": 30, "shake": {"amplitude": [1, 0, 0]}}])",
         "f.json:3:22 /motions/0/node", "there is no node 30; the rope has 21 nodes"},
        {std::string(hanging) + R"(,
"motions": [{"node": 5, "shake": {"amplitude": [1, 0, 0]}}])",
         "f.json:3:22 /motions/0/node", "node 5 is not pinned; add it to the rope's pins"},
        {std::string(hanging) + R"(,
"motions": [{"node": 0, "path": [{"t": 0, "position": [1, 0, 0]}]}])",
         "f.json:3:34 /motions/0/path/0",
         "the path begins at [1, 0, 0] but the node is at [0, 0, 0]; begin it there, or give the first "
         "waypoint a "
         "later time"},
        {std::string(hanging) + R"(,
"actions": [{"do": "cut", "segment": 20}])",
         "f.json:3:38 /actions/0/segment", "there is no segment 20; the rope has 20 segments"},
        {std::string(hanging) + R"(,
"expect": {"tension": [{"segment": -21, "value": 1, "tolerance": 1}]})",
         "f.json:3:36 /expect/tension/0/segment", "there is no segment -21; the rope has 20 segments"},
    };
    for (const Bad& bad : all) {
        SCOPED_TRACE(bad.text);
        Result<Playback> p = begin(bad.text);
        ASSERT_FALSE(p);
        EXPECT_EQ(p.error().where, bad.where);
        EXPECT_EQ(p.error().what, bad.what);
    }
}

// Actions.

TEST(Actions, CutLetsTheWeightFall) {
    Playback p = ran(std::string(hanging) +
                     R"(, "frames": 60, "actions": [{"at": 0.5, "do": "cut", "segment": 9, "part": "low"}])");
    RopeId low = p.rope("low");
    ASSERT_TRUE(low);
    EXPECT_EQ(p.nameOf(low), "low");
    EXPECT_NEAR(p.world().velocities(low).back().y, -9.81 / 2, 1e-3);
    EXPECT_TRUE(p.summary().problems.empty());
}

TEST(Actions, WinchStopsWhenItsTimeIsOver) {
    Playback p = ran(
        std::string(hanging) +
        R"(, "frames": 120, "actions": [{"at": 0.5, "do": "winch", "node": 0, "speed": -0.5, "duration": 1}],
        "expect": {"length": [{"at": 1, "value": 1.75, "tolerance": 0.002},
            {"value": 1.5, "tolerance": 0.002}]})");
    EXPECT_EQ(failing(p), "");
}

TEST(Actions, PinHoldsAndMoves) {
    Playback p = ran(std::string(hanging) + R"(, "frames": 60, "actions": [
        {"at": 0.1, "do": "pin", "node": 10}, {"at": 0.5, "do": "unpin", "node": 0},
        {"at": 0.5, "do": "pin", "node": -1, "position": [0, -1.9, 0]}])");
    std::span<const Point> x = p.world().positions(p.rope("rope"));
    EXPECT_LT(apart(x[10], {0, -1, 0}), 1e-4);
    EXPECT_LT(apart(x[20], {0, -1.9f, 0}), 1e-6);
}

TEST(Actions, PushGivesSpeedAndPullAccelerates) {
    Playback p = ran(R"("world": {"gravity": [0, 0, 0]}, "frames": 60,
        "ropes": [{"name": "a", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 1, "mass": 0.001,
            "loads": [{"node": 0, "mass": 1}, {"node": 1, "mass": 1}]}],
        "actions": [{"at": 0, "do": "applyImpulse", "node": 0, "impulse": [0, 0, 3]},
                    {"at": 0, "do": "applyImpulse", "node": 1, "impulse": [0, 0, 3]},
                    {"at": 0.5, "do": "applyForce", "node": 0, "force": [0, 2, 0], "duration": 0.25},
                    {"at": 0.5, "do": "applyForce", "node": 1, "force": [0, 2, 0], "duration": 0.25}])");
    for (const Point& v : p.world().velocities(p.rope("a"))) {
        EXPECT_NEAR(v.z, 3, 0.01);
        EXPECT_NEAR(v.y, 0.5, 0.005); // 2 N / 1 kg x 0.25 s
    }
}

TEST(Actions, RemoveRemoves) {
    Playback p = ran(std::string(hanging) + R"(, "frames": 60, "actions": [{"at": 0.5, "do": "remove"}])");
    EXPECT_FALSE(p.rope("rope"));
    EXPECT_TRUE(p.world().ids<RopeId>().empty());
}

TEST(Actions, ThatCannotBeDoneAreTold) {
    Playback p = ran(std::string(hanging) + R"(, "frames": 60, "actions": [
        {"at": 0.2, "do": "cut", "segment": 9},
        {"at": 0.4, "do": "applyImpulse", "node": 15, "impulse": [1, 0, 0]},
        {"at": 0.5, "do": "remove"},
        {"at": 0.6, "do": "unpin", "node": 0}])");
    ASSERT_EQ(p.summary().problems.size(), 2u);
    EXPECT_EQ(p.summary().problems[0].where, "f.json:4:9 /actions/1");
    EXPECT_EQ(p.summary().problems[0].what, "there is no node 15 at 0.4 s; the rope has 10 nodes");
    EXPECT_EQ(p.summary().problems[1].what, "the rope does not exist at 0.6 s");
    EXPECT_NE(failing(p), "");
}

// Expectations.

TEST(Expectations, HoldForAWeightThatHangs) {
    Playback p = ran(std::string(hanging) + R"(, "frames": 60, "expect": {
        "maxStretch": 1e-4, "maxStrain": 1e-4, "energyRise": 1e-4, "energyLoss": 1e-4,
        "restsWithin": 0.001, "heldStill": 0,
        "breaks": 0, "tension": [{"segment": -1, "value": 98.1, "tolerance": 0.001}],
        "position": [{"at": 0.5, "value": [0, -2, 0], "tolerance": 1e-4}],
        "length": [{"value": 2, "tolerance": 1e-4}],
        "speed": [{"peak": true, "value": 0, "tolerance": 0}]})");
    std::string bad = failing(p);
    EXPECT_TRUE(bad.empty() || bad.rfind("peak speed", 0) == 0)
        << bad; // an expected speed of exactly 0 is never met
    EXPECT_EQ(p.check().size(), 12u);
}

TEST(Expectations, EachCanFail) {
    Playback p =
        ran(R"("frames": 60, "ropes": [{"name": "rope", "from": [0, 0, 0], "to": [2, 0, 0], "segments": 20,
        "mass": 0.1, "pins": [0], "loads": [{"mass": 10}], "breakTension": 100}], "expect": {
        "maxStretch": 0, "maxStrain": 0, "energyLoss": 0, "restsWithin": 0.001, "breaks": 0,
        "tension": [{"segment": 3, "peak": true, "value": 1, "tolerance": 0.001}],
        "speed": [{"value": 0.1, "tolerance": 0.1}],
        "position": [{"at": 0.5, "value": [9, 9, 9], "tolerance": 1},
            {"node": 20, "value": [9, 9, 9], "tolerance": 1}],
        "length": [{"at": 0.1, "value": 3, "tolerance": 0.5}], "hash": "0000000000000000"})");
    std::string bad = failing(p);
    for (const char* what :
         {"maxStrain", "energyLoss", "restsWithin", "breaks", "peak tension, segment 3", "speed, node -1",
          "position, node -1 at 0.5 s", "position, node 20", "length at 0.1 s", "hash"}) {
        EXPECT_NE(bad.find(what), std::string::npos) << what << " should fail\n" << bad;
    }
}

// A pendulum that is released level has the peak tension 3 m g. Its energy scale is m g l.
TEST(Summary, KnowsTheSwing) {
    Playback p =
        ran(R"("frames": 120, "ropes": [{"name": "rope", "from": [0, 0, 0], "to": [2, 0, 0], "segments": 20,
        "mass": 0.001, "pins": [0], "loads": [{"mass": 10}]}])");
    const Summary& s = p.summary();
    EXPECT_NEAR(s.peakTension, 3 * 98.1, 3);
    EXPECT_EQ(s.peakRope, "rope");
    EXPECT_NEAR(s.peakWeight, 98.1, 0.02);
    EXPECT_NEAR(s.scale, 98.1 * 2, 0.05);
    EXPECT_EQ(s.frames, 120);
    EXPECT_DOUBLE_EQ(s.time, 2);
    EXPECT_TRUE(s.finite);
    EXPECT_LT(s.rise, 1e-3);
}

TEST(Summary, TellsBreaks) {
    Playback p = ran(
        R"("frames": 60, "ropes": [{"from": [0, 0, 0], "to": [2, 0, 0], "segments": 20,
        "mass": 0.1, "pins": [0], "loads": [{"mass": 10}], "breakTension": 100}], "expect": {"breaks": 1})");
    EXPECT_EQ(failing(p), "");
    ASSERT_EQ(p.summary().happenings.size(), 1u);
    EXPECT_EQ(p.summary().happenings[0].event.kind, Event::Kind::Broke);
    EXPECT_GT(p.summary().happenings[0].event.force, 100);
    EXPECT_EQ(p.summary().happenings[0].name, "#0");
}

TEST(Playback, BackendsGiveTheSameHash) {
    auto hash = [](const char* backend) {
        return ran(std::string("\"world\": {\"backend\": \"") + backend + "\"}, \"frames\": 60, " + hanging +
                   R"(, "motions": [{"circle": {"center": [0.5, 0, 0], "axis": [0, 0, 1], "rate": 3}}])")
            .world()
            .hash();
    };
    EXPECT_EQ(hash("scalar"), hash("simd"));
}

TEST(Playback, AnEmptySceneRuns) {
    Playback p = ran("\"frames\": 3");
    EXPECT_EQ(failing(p), "");
}

} // namespace
} // namespace capstan
