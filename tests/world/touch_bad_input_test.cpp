// SPDX-License-Identifier: MIT
// Starts that no rope could have got into, speeds and steps that nobody should ask for: everything stays finite and
// bounded, nothing is quarantined, and the world works afterwards.
#include "touching.hpp"

namespace capstan {
namespace {

// Speeds stay below `most` in every frame, and a rope and a box that are dropped afterwards come to lie on the floor.
void expectSurvives(World& w, double most, int frames = 60) {
    for (int i = 0; i < frames; ++i) {
        w.step(kFrame);
        ASSERT_LT(topSpeed(w), most) << "frame " << i;
        ASSERT_EQ(w.report().quarantined, 0) << "frame " << i;
    }
    const RopeId late = w.add(straight({3.7f, 0.1f, 5}, {4.3f, 0.1f, 5}, 20));
    const BodyId crate = w.add(box({4, 0.15f, 6}));
    for (int i = 0; i < 40; ++i) w.step(kFrame);
    EXPECT_NEAR(at(w, late, 10).y, 0.01, 2e-3);
    EXPECT_NEAR(w.center(crate).y, 0.1, 2e-3);
}

TEST(TouchBadInput, RopesThatCrossExactly) {
    World w;
    w.add(floorAt());
    w.add(straight({-0.3f, 0.1f, 0}, {0.3f, 0.1f, 0}, 20)); // nodes on nodes
    w.add(straight({0, 0.1f, -0.3f}, {0, 0.1f, 0.3f}, 20));
    w.add(straight({-0.3f, 0.1f, -0.3f}, {0.3f, 0.1f, 0.3f}, 21));
    expectSurvives(w, 20);
}

TEST(TouchBadInput, RopesInOnePlace) {
    World w;
    w.add(floorAt());
    for (int k = 0; k < 3; ++k) w.add(straight({-0.3f, 0.1f, 0}, {0.3f, 0.1f, 0}, 20));
    w.add(straight({-0.2f, 0.1f, 0}, {0.4f, 0.1f, 0}, 17));
    expectSurvives(w, 20);
}

TEST(TouchBadInput, ARopeThatRunsThroughItself) {
    World w;
    w.add(floorAt());
    RopeDef d; // there and back on the same line, and a figure eight in one plane
    d.points = {{-0.3f, 0.1f, 0}, {0.3f, 0.1f, 0}, {-0.3f, 0.1f, 0}};
    d.radius = 0.01f, d.segments = 40;
    w.add(d);
    RopeDef e = d;
    e.points = {
        {-0.2f, 0.1f, 1}, {0.2f, 0.1f, 1.4f}, {0.2f, 0.1f, 1}, {-0.2f, 0.1f, 1.4f}, {-0.2f, 0.1f, 1.02f}};
    w.add(e);
    expectSurvives(w, 20);
}

TEST(TouchBadInput, ARopeInsideABox) {
    for (const BodyType type : {BodyType::Static}) {
        World w;
        w.add(floorAt());
        w.add(ofType(type, box({0, 0.5f, 0}, 2, {0.4f, 0.4f, 0.4f})));
        w.add(straight({-0.1f, 0.5f, 0}, {0.1f, 0.5f, 0}, 20));           // all of it
        w.add(straight({-0.6f, 0.45f, 0.05f}, {0.6f, 0.45f, 0.05f}, 40)); // through it
        expectSurvives(w, 15);
    }
}

TEST(TouchBadInput, BodiesInsideEachOther) {
    World w;
    w.add(floorAt());
    for (int k = 0; k < 4; ++k) w.add(box({0, 0.5f, 0})); // exactly
    for (int k = 0; k < 4; ++k)
        w.add(box({2 + 0.01f * float(k), 0.05f, 0}, k == 2 ? 1000.0f : 1.0f)); // and in the floor
    BodyDef ball;
    ball.shape = Sphere{0.1f}, ball.position = {2, 0.1f, 0};
    w.add(ball);
    expectSurvives(w, 15);
}

TEST(TouchBadInput, AMeshWithBadTriangles) {
    World w;
    w.add(floorAt());
    BodyDef soup;
    soup.type = BodyType::Static;
    soup.shape =
        Mesh{{{-1, 0.1f, -1}, {1, 0.1f, -1}, {0, 0.1f, 1}, {0, 0.1f, 0}, {0.5f, 0.1f, 0}, {0, 0.5f, 0}},
             {{0, 1, 2}, {0, 1, 2}, {2, 1, 0}, {3, 3, 3}, {0, 3, 0}, {3, 4, 4}, {3, 5, 3}, {0, 4, 5}}};
    if (Result<BodyId> added = w.tryAdd(soup);
        !added.has_value()) { // refused: then with a reason, and the rest is taken
        EXPECT_FALSE(added.error().what.empty());
        soup.shape.triangles = {{0, 1, 2}, {0, 1, 2}, {2, 1, 0}, {0, 4, 5}};
        ASSERT_TRUE(w.tryAdd(soup).has_value());
    }
    w.add(straight({-0.4f, 0.3f, 0}, {0.4f, 0.3f, 0}, 30));
    w.add(box({0.1f, 0.8f, 0.1f}));
    expectSurvives(w, 15);
}

// The hand lags behind its target as long as the wall is in the way, and gets there when the way is free.
TEST(TouchBadInput, AHandDraggedIntoAWall) {
    World w(weightless());
    const BodyId wall = w.add(ofType(BodyType::Static, box({0.5f, 0, 0}, 1, {0.1f, 2, 2})));
    RopeDef d = straight({0, 0, 0}, {-1, 0, 0}, 40);
    d.pins = {first};
    const RopeId rope = w.add(d);
    for (int i = 1; i <= 60; ++i) {
        w.pin(rope, first, {0.015f * float(i), 0, 0}); // up to 0.9
        w.step(kFrame);
        ASSERT_LT(at(w, rope, first).x, 0.45f);
        for (int k = 1; k <= 40; ++k) ASSERT_LT(length(Vec3(w.velocities(rope)[std::size_t(k)])), 3.0f);
    }
    EXPECT_GT(at(w, rope, first).x, 0.4f);
    w.remove(wall);
    for (int i = 0; i < 30; ++i) {
        w.pin(rope, first, {0.9f, 0, 0});
        w.step(kFrame);
    }
    EXPECT_NEAR(at(w, rope, first).x, 0.9f, 1e-4f);
    for (int i = 0; i < 30; ++i) w.step(kFrame);
    EXPECT_LT(topSpeed(w), 20);
}

// Let go where it is held up, it does not fly off with the speed that it was asked for.
TEST(TouchBadInput, AHandHeldUpHasNoSpeed) {
    World w(weightless());
    w.add(ofType(BodyType::Static, box({0.5f, 0, 0}, 1, {0.1f, 2, 2})));
    RopeDef d = straight({0, 0, 0}, {-1, 0, 0}, 40);
    d.pins = {first};
    const RopeId rope = w.add(d);
    for (int i = 1; i <= 60; ++i) {
        w.pin(rope, first, {0.015f * float(i), 0, 0});
        w.step(kFrame);
    }
    EXPECT_LT(length(Vec3(w.velocities(rope).front())), 1.0f);
    w.unpin(rope, first);
    w.step(kFrame);
    EXPECT_LT(topSpeed(w), 6); // the rope behind it comes on at 0.9 m/s and folds up
}

TEST(TouchBadInput, HugeSpeeds) {
    for (const float speed : {1e3f, 1e4f}) {
        World w(weightless());
        w.add(ofType(BodyType::Static, box({0, 0, 0}, 1, {0.1f, 4, 4})));
        RopeDef held = straight({-0.5f, -1, 0}, {-0.5f, 1, 0}, 40);
        held.pins = {first, last};
        w.add(held);
        RopeDef thrown = straight({-1, 0, -0.5f}, {-1, 0, 0.5f}, 40);
        thrown.velocity = {speed, 0, 0};
        w.add(thrown);
        BodyDef shot = box({-2, 0, 0});
        shot.velocity = {speed, 0, 0};
        w.add(shot);
        const double energy = w.energy().total();
        for (int i = 0; i < 3; ++i) {
            w.step(kFrame);
            ASSERT_LT(topSpeed(w), 30 * widen(speed)) << "frame " << i;
            ASSERT_LT(w.energy().total(), 1.5 * energy) << "frame " << i;
            ASSERT_EQ(w.report().quarantined, 0);
        }
    }
}

TEST(TouchBadInput, StepsOfASecond) {
    World w;
    w.add(floorAt());
    for (int k = 0; k < 3; ++k) {
        const float y = 0.1f + 0.1f * float(k);
        w.add(k % 2 ? straight({-0.3f, y, 0}, {0.3f, y, 0}, 20) : straight({0, y, -0.3f}, {0, y, 0.3f}, 20));
    }
    w.add(box({0, 0.6f, 0}));
    for (int i = 0; i < 10; ++i) {
        w.step(1);
        ASSERT_LT(topSpeed(w), 20) << "step " << i;
        for (RopeId r : w.ropes())
            for (const Vec3d x : places(w, r))
                ASSERT_GT(x.y, 0) << "step " << i; // nothing falls through the floor
    }
    for (BodyId b : w.bodies()) EXPECT_GE(w.center(b).y, 0);
    expectSurvives(w, 20, 10);
}

// A heavy box on a light rope on the floor, and a light box on a heavy one.
TEST(TouchBadInput, MassesFarApart) {
    World w;
    w.add(floorAt());
    RopeDef light = straight({-0.3f, 0.01f, 0}, {0.3f, 0.01f, 0}, 20);
    light.mass = 1e-3f;
    w.add(light);
    w.add(box({0, 0.13f, 0}, 1000));
    RopeDef heavy = straight({1.7f, 0.01f, 0}, {2.3f, 0.01f, 0}, 20);
    heavy.mass = 100;
    w.add(heavy);
    w.add(box({2, 0.13f, 0}, 1e-3f));
    expectSurvives(w, 50);
}

} // namespace
} // namespace capstan
