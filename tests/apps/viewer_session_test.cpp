// SPDX-License-Identifier: MIT
// Tests of the viewer without its window: picking, pulling, cutting, files and time. Expected values come from
// geometry and statics, and from the same scene simulated without a viewer.
#include "viewer_scenes.hpp"

#include <apps/viewer/session/simulation.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace capstan::viewer {
namespace {

using render::Camera;

const char* const kSwing =
    R"({"about": "a swing", "ropes": [{"name": "rope", "from": [0, 2, 0], "to": [1, 2, 0],
    "segments": 10, "mass": 0.2, "pins": [0]}]})";
const char* const kBox =
    R"({"bodies": [{"name": "crate", "shape": {"kind": "box", "size": [1, 1, 1]}, "mass": 3,
    "position": [0, 2, 0]}], "ropes": [{"name": "line", "from": [3, 2, 0], "to": [4, 2, 0], "segments": 10, "pins": [0, -1]}]})";

TEST(ViewerPick, MeetsABodyWhereItsFaceIs) {
    World world;
    BodyId box = world.add(BodyDef{.shape = Box{{1, 1, 1}}, .position = {0, 1, 0}});
    Picked p = pick(world, towards({0.2f, 1.1f, 5}, {0.2f, 1.1f, 0}), 0.01f);
    EXPECT_EQ(p.body, box);
    EXPECT_NEAR(p.distance, 4.5f, 1e-5f);
    EXPECT_NEAR(p.point.z, 0.5f, 1e-5f);
    EXPECT_FALSE(pick(world, towards({0, 3, 5}, {0, 3, 0}), 0.01f));
}

TEST(ViewerPick, TakesARopeThatIsNearTheRayAndInFront) {
    World world;
    RopeId rope = world.add(RopeDef{.from = {-1, 1, 0}, .to = {1, 1, 0}, .segments = 20, .radius = 0.01f});
    auto above = [&](float miss) { return towards({0.32f, 1 + miss, 4}, {0.32f, 1 + miss, 0}); };
    // At 4 m the margin is 0.04 m, so the ray may pass within 0.01 + 0.04 m.
    Picked p = pick(world, above(0.03f), 0.01f);
    EXPECT_EQ(p.rope, rope);
    EXPECT_EQ(p.node, 13); // node 13 is at x = 0.3
    EXPECT_NEAR(p.point.x, 0.32f, 1e-4f);
    EXPECT_FALSE(pick(world, above(0.06f), 0.01f));

    world.add(BodyDef{.shape = Box{{1, 1, 1}}, .position = {0, 1, 2}}); // this box is in front of the rope
    EXPECT_TRUE(pick(world, above(0), 0.01f).body);
    EXPECT_EQ(pick(world, towards({0.32f, 1, -4}, {0.32f, 1, 0}), 0.01f).rope, rope);
}

TEST(ViewerPick, AStrokeCrossesTheSegmentItWasDrawnOver) {
    World world;
    RopeId rope = world.add(RopeDef{.from = {-1, 1, 0}, .to = {1, 1, 0}, .segments = 20});
    Stroke s;
    s.width = 800;
    s.height = 600;
    s.camera = Camera::at({0.5f, 1.5f, 4}, {0, 1, 0});
    const render::Pixel at = s.camera.project({0.33f, 1, 0}, s.width, s.height);
    s.x0 = s.x1 = at.x;
    s.y0 = at.y - 40;
    s.y1 = at.y + 40;
    std::vector<Crossing> found = crossings(world, s);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rope, rope);
    EXPECT_EQ(found[0].segment, 13); // the hit is 1.33 m along segments of 0.1 m
    s.y1 = at.y - 5;
    EXPECT_TRUE(crossings(world, s).empty());
}

// At rest a grip's spring of stiffness M w^2, w = 15 rad/s, is stretched by g / w^2, and its force is the weight.
TEST(ViewerGrip, HoldsABodyByItsWeight) {
    World world;
    BodyId box = world.add(BodyDef{.shape = Box{{1, 1, 1}}, .mass = 3, .position = {0, 1, 0}});
    Grip grip;
    Picked p;
    p.body = box;
    p.point = {0, 1.5f, 0}; // middle of the top face, so that the body does not rotate
    ASSERT_TRUE(grip.take(world, p, {0, 0, -1}));
    grip.lead(towards({0, 1.5f, 5}, {1, 2, 0}));
    EXPECT_NEAR(grip.goal().x, 1, 1e-5f);
    EXPECT_NEAR(grip.goal().y, 2, 1e-5f);
    for (int i = 0; i < 900; ++i) {
        grip.act(world, 1 / 60.0f);
        world.step(1 / 60.0f);
        grip.look(world);
    }
    EXPECT_NEAR(grip.force(), 3 * kGravity, 0.02f * 3 * kGravity);
    EXPECT_NEAR(grip.goal().y - grip.held().y, kGravity / 225, 0.03f * kGravity / 225);
    grip.release(world);
    EXPECT_TRUE(world.ids<JointId>().empty());
}

TEST(ViewerGrip, HoldsARopeAndWhatHangsOnIt) {
    World world;
    RopeId rope = world.add(RopeDef{.from = {0, 2, 0}, .to = {0, 1, 0}, .segments = 10, .mass = 0.2f});
    BodyId box = world.add(BodyDef{.shape = Box{{0.2f, 0.2f, 0.2f}}, .mass = 3, .position = {0, 0.9f, 0}});
    world.attach({rope, last}, {box, {0, 0.1f, 0}}).value();
    Picked p;
    p.rope = rope;
    EXPECT_NEAR(massTied(world, p), 3.2f, 1e-5f);
    Grip grip;
    ASSERT_TRUE(grip.take(world, p, {0, 0, -1}));
    for (int i = 0; i < 600; ++i) {
        grip.act(world, 1 / 60.0f);
        world.step(1 / 60.0f);
        grip.look(world);
    }
    EXPECT_NEAR(grip.force(), 3.2f * kGravity, 0.02f * 3.2f * kGravity);
}

TEST(ViewerGrip, CarriesAPinAndPullsARing) {
    World world;
    RopeId rope = world.add(RopeDef{.from = {0, 2, 0}, .to = {1, 2, 0}, .segments = 10, .pins = {0}});
    RopeId ring =
        world.add(RopeDef{.points = {{3, 2, 0}, {4, 2, 0}, {3.5f, 2.8f, 0}}, .segments = 24, .closed = true});
    for (RopeId id : {rope, ring}) {
        Grip grip;
        Picked p;
        p.rope = id;
        ASSERT_TRUE(grip.take(world, p, {0, 0, -1}));
        grip.lead(towards({0, 3, 5}, {0, 3, 0}));
        for (int i = 0; i < 240; ++i) {
            grip.act(world, 1 / 60.0f);
            world.step(1 / 60.0f);
            grip.look(world);
        }
        EXPECT_LT(length(grip.held() - Vec3{0, 3, 0}), id == rope ? 1e-4f : 1.0f);
        EXPECT_EQ(grip.force() > 0, id == ring);
        grip.release(world);
    }
    EXPECT_EQ(world.positions(rope)[0].w, 0); // the node is still pinned
}

TEST(ViewerGrip, RefusesWhatStands) {
    World world;
    BodyId wall = world.add(BodyDef{.type = BodyType::Static, .shape = Box{{1, 1, 1}}});
    Grip grip;
    Picked p;
    p.body = wall;
    EXPECT_FALSE(grip.take(world, p, {0, 0, -1}));
    EXPECT_FALSE(grip.take(world, Picked{}, {0, 0, -1}));
    EXPECT_FALSE(grip.holds());
}

TEST(ViewerSession, KeepsTheLastGoodSceneAndSaysWhatIsWrongWhere) {
    TemporaryFile file(kSwing);
    Session session;
    ASSERT_TRUE(session.open(file.path));
    run(session, 5);
    file.write("{\n\"ropes\": [{\"from\": [0, 2, 0], \"to\": [1, 2, 0], \"radius\": -1}]}");
    ASSERT_TRUE(session.reloadIfChanged());
    EXPECT_NE(session.problem().find(".json:2:"), std::string::npos) << session.problem();
    EXPECT_NE(session.problem().find("/ropes/0/radius"), std::string::npos) << session.problem();
    EXPECT_FALSE(session.reloadIfChanged()); // the change is reported once only
    EXPECT_EQ(session.steps(), 5);
    run(session, 1);
    EXPECT_TRUE(session.playback()->world().find<RopeId>("rope"));
    file.write(kBox);
    ASSERT_TRUE(session.reloadIfChanged());
    EXPECT_EQ(session.problem(), "");
    EXPECT_TRUE(session.playback()->world().find<BodyId>("crate"));
    EXPECT_FALSE(session.open("/no/such/file.json"));
    EXPECT_NE(session.problem().find("/no/such/file.json"), std::string::npos);
    EXPECT_TRUE(session.loaded());
}

TEST(ViewerSession, StepsAsTheSceneDoesAndStartsAgain) {
    TemporaryFile file(kSwing);
    Session session;
    ASSERT_TRUE(session.open(file.path));
    Playback alone = std::move(*Playback::start(*loadScene(file.path)));
    const std::uint64_t begin = alone.world().hash();
    Frame frame;
    for (int i = 0; i < 60; ++i) {
        session.step();
        session.hover(towards({0, 2, 4}, {0.3f, 2, 0}), 0.01f);
        session.show(frame);
        alone.frame();
    }
    EXPECT_EQ(session.playback()->world().hash(), alone.world().hash());
    EXPECT_EQ(frame.contents->ropes.size(), 1u);
    session.reset();
    EXPECT_EQ(session.playback()->world().hash(), begin);
    EXPECT_EQ(session.steps(), 0);
}

TEST(ViewerSession, SavesUpTimeAndForgivesDebt) {
    TemporaryFile file(kSwing);
    Session session;
    ASSERT_TRUE(session.open(file.path));
    for (int i = 0; i < 100; ++i) session.advance(0.01);
    EXPECT_NEAR(static_cast<double>(session.steps()), 60, 1);
    session.reset();
    session.setSpeed(0.25f);
    for (int i = 0; i < 100; ++i) session.advance(0.01);
    EXPECT_NEAR(static_cast<double>(session.steps()), 15, 1);
    session.reset();
    session.setSpeed(1);
    session.advance(100); // after a stall the session catches up with 0.2 s at most
    EXPECT_EQ(session.steps(), 12);
    session.play(false);
    session.advance(1);
    EXPECT_EQ(session.steps(), 12);
    session.step();
    EXPECT_EQ(session.steps(), 13);
}

TEST(ViewerSession, PullsPinsCutsAndTies) {
    TemporaryFile file(kBox);
    Session session;
    ASSERT_TRUE(session.open(file.path));
    World& world = session.playback()->world();
    const BodyId crate = world.find<BodyId>("crate");
    ASSERT_TRUE(session.grab(towards({0, 2, 5}, {0, 2, 0}), 0.01f, {0, 0, -1}));
    session.lead(towards({0, 2, 5}, {1, 3, 0.5f}));
    run(session, 400);
    EXPECT_NEAR(world.centerOfMass(crate).x, 1, 0.02f); // the crate hangs below the held point
    session.togglePin(); // togglePin releases the held object and pins it there
    EXPECT_FALSE(session.grip().holds());
    const Vec3 held = world.centerOfMass(crate);
    run(session, 60);
    EXPECT_LT(length(world.centerOfMass(crate) - held), 0.02f);

    Stroke s;
    s.width = 800;
    s.height = 600;
    s.camera = Camera::at({3.5f, 2, 4}, {3.5f, 2, 0});
    s.x0 = s.x1 = 400;
    s.y0 = 100;
    s.y1 = 500;
    EXPECT_EQ(session.cut(s), 1);
    EXPECT_EQ(world.ids<RopeId>().size(), 2u);
    ASSERT_TRUE(session.addRope({{crate, held}, {{}, {2, 4, 0}}, 1.2f, 0.01f}));
    run(session, 30);
    std::vector<RopeId> ropes = world.ids<RopeId>();
    EXPECT_EQ(ropes.size(), 3u);
    EXPECT_LT(length(Vec3(world.positions(ropes.back()).front()) - held), 0.02f);
    EXPECT_FALSE(session.addRope({{}, {}, 1, 0.01f})); // both ends coincide, so the rope has no length
    EXPECT_EQ(world.ids<RopeId>().size(), 3u);
}

// Motors of Ten Minute Physics scenes: 5 rad/s per unit of the control vector's y.
TEST(ViewerSession, TheArrowKeysTurnAMotor) {
    TemporaryFile file(
        R"({"world": {"gravity": [0, 0, 0]}, "bodies": [{"name": "fan", "shape": {"kind": "box",
        "size": [1, 0.1, 0.1]}, "mass": 1}], "joints": [{"type": "motor", "body1": "fan", "axis": [0, 1, 0],
        "controlY": 5}]})");
    Session session;
    ASSERT_TRUE(session.open(file.path));
    const BodyId fan = session.playback()->world().find<BodyId>("fan");
    session.steer(0, 1);
    run(session, 60);
    EXPECT_NEAR(session.playback()->world().angularVelocity(fan).y, 5, 0.05f);
    session.steer(0, 0);
    run(session, 60);
    EXPECT_NEAR(session.playback()->world().angularVelocity(fan).y, 0, 0.05f);
}

#ifdef CAPSTAN_SHARED_DIR
TEST(ViewerSession, TheArrowKeysTurnTheMotorOfBasicJoints) {
    Session session;
    ASSERT_TRUE(session.open(CAPSTAN_SHARED_DIR "/data/ten_minute/basicJoints.json")) << session.problem();
    const World& world = session.playback()->world();
    JointId motor;
    for (JointId id : world.ids<JointId>())
        if (world.def(id).type == JointType::Motor) motor = id;
    ASSERT_TRUE(motor);
    run(session, 60);
    session.steer(0, 1);
    run(session, 60);
    const float before = world.jointForces(motor).angle;
    run(session, 60);
    EXPECT_NEAR(world.jointForces(motor).angle - before - world.def(motor).turn.speed, 5,
                0.05f); // rad, angle after one second
}
#endif

TEST(ViewerSession, EditsAreTakenOrToldWhyNot) {
    TemporaryFile file(kBox);
    Session session;
    ASSERT_TRUE(session.open(file.path));
    World& world = session.playback()->world();
    const RopeId rope = world.find<RopeId>("line");
    RopeDef def = world.def(rope);
    def.bendStiffness = 0.5f;
    session.edit(rope, def);
    EXPECT_EQ(world.def(rope).bendStiffness, 0.5f);
    def.segments = 99;
    session.edit(rope, def);
    EXPECT_NE(session.notice().find("segments"), std::string::npos);
    EXPECT_NE(world.def(rope).segments, 99);
    const BodyId crate = world.find<BodyId>("crate");
    BodyDef body = world.def(crate);
    body.material.friction = 0.9f;
    session.edit(crate, body);
    EXPECT_EQ(world.def(crate).material.friction, 0.9f);
    body.mass = 7;
    session.edit(crate, body);
    EXPECT_EQ(world.massProperties(crate).mass, 7);
    EXPECT_FLOAT_EQ(world.massProperties(crate).inertia.x, 7 / 6.0f); // I = m a^2 / 6 for a cube
    body.type = BodyType::Static;
    session.edit(crate, body);
    EXPECT_NE(session.notice().find("type"), std::string::npos);
    EXPECT_EQ(world.def(crate).type, BodyType::Dynamic);
}

TEST(ViewerSimulation, DoesWhatIsPostedInOrderAndShowsIt) {
    TemporaryFile file(kSwing);
    Session session;
    ASSERT_TRUE(session.open(file.path));
    session.play(false);
    Simulation simulation(std::move(session));
    Frame frame;
    for (int i = 1; i <= 20; ++i) {
        simulation.post([](Session& s) { s.step(); });
        simulation.takeAfter(frame);
        EXPECT_EQ(frame.steps, i);
        ASSERT_FALSE(frame.samples.empty());
    }
    simulation.post([](Session& s) {
        s.film(true);
        s.play(true);
    });
    for (int i = 0; i < 30; ++i) simulation.post([](Session& s) { s.filmAdvance(1 / 30.0); });
    simulation.takeAfter(frame);
    // A second of video is a second of simulated time.
    EXPECT_NEAR(static_cast<double>(frame.steps), 20 + 60, 1);
}

} // namespace
} // namespace capstan::viewer
