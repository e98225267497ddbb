// SPDX-License-Identifier: MIT
// Tests of overlapping starts, and of extreme speeds and steps. Everything stays finite and bounded, nothing is
// quarantined, and the world works afterwards.
#include "contact_ropes.hpp"

namespace capstan {
namespace {

// Checks that speeds stay below `most`, and that a rope and a box that are dropped afterwards come to rest on the
// floor.
void expectSurvives(World& w, double most, int frames = 60) {
    for (int i = 0; i < frames; ++i) {
        w.step(kFrame);
        ASSERT_LT(topSpeed(w), most) << "frame " << i;
        ASSERT_EQ(w.report().quarantined, 0) << "frame " << i;
    }
    const RopeId blocked = w.add(straight({3.7f, 0.1f, 5}, {4.3f, 0.1f, 5}, 20));
    const BodyId crate = w.add(box({4, 0.15f, 6}));
    for (int i = 0; i < 40; ++i) w.step(kFrame);
    EXPECT_NEAR(at(w, blocked, 10).y, 0.01, 2e-3);
    EXPECT_NEAR(w.centerOfMass(crate).y, 0.1, 2e-3);
}

TEST(TouchBadInput, RopesThatCrossExactly) {
    World w;
    w.add(floorAt());
    w.add(straight({-0.3f, 0.1f, 0}, {0.3f, 0.1f, 0}, 20)); // the ropes intersect at nodes
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
    RopeDef d; // a rope that goes back on the same line; then a figure eight in a plane
    d.points = {{-0.3f, 0.1f, 0}, {0.3f, 0.1f, 0}, {-0.3f, 0.1f, 0}};
    d.radius = 0.01f;
    d.segments = 40;
    w.add(d);
    RopeDef e = d;
    e.points = {
        {-0.2f, 0.1f, 1}, {0.2f, 0.1f, 1.4f}, {0.2f, 0.1f, 1}, {-0.2f, 0.1f, 1.4f}, {-0.2f, 0.1f, 1.02f}};
    w.add(e);
    expectSurvives(w, 20);
}

TEST(TouchBadInput, ARopeInsideABox) {
    for (const BodyType type : {BodyType::Static, BodyType::Dynamic}) {
        World w;
        w.add(floorAt());
        w.add(ofType(type, box({0, 0.5f, 0}, 2, {0.4f, 0.4f, 0.4f})));
        w.add(straight({-0.1f, 0.5f, 0}, {0.1f, 0.5f, 0}, 20));           // the rope is completely inside
        w.add(straight({-0.6f, 0.45f, 0.05f}, {0.6f, 0.45f, 0.05f}, 40)); // the rope passes through
        expectSurvives(w, 15);
    }
}

// Checks that no object gets faster than a walk, except for a whipping rope end, and that energy hardly rises.
void expectCalm(World& w, double mass, int frames, const char* what) {
    const double energy = w.energy().total();
    for (int i = 0; i < frames; ++i) {
        w.step(kFrame);
        ASSERT_LT(topSpeed(w), 1.5) << what << ", " << mass << " kg, frame " << i;
        ASSERT_LT(w.energy().total(), energy + 0.1 * mass) << what << ", " << mass << " kg, frame " << i;
        ASSERT_EQ(w.report().quarantined, 0);
    }
}

TEST(TouchBadInput, ARopeThroughTheMiddleOfABody) {
    Hull wedge;
    for (int k = 0; k < 8; ++k)
        wedge.points.push_back({k & 1 ? 0.1f : -0.1f, k & 2 ? 0.12f : -0.1f, k & 4 ? 0.1f : -0.08f});
    const std::pair<const char*, ShapeDef> shapes[] = {{"sphere", Sphere{0.1f}},
                                                       {"box", Box{{0.2f, 0.2f, 0.2f}}},
                                                       {"capsule", Capsule{0.08f, 0.2f}},
                                                       {"hull", wedge}};
    for (const auto& [name, shape] : shapes)
        for (const float mass : {0.002f, 0.2f, 20.0f}) // kg, mass of the body; the rope has 0.2 kg
            for (const bool held : {false, true}) {
                World w(weightless());
                RopeDef d = straight({-0.5f, 0.013f, 0.02f}, {0.5f, 0.013f, 0.02f}, 40);
                d.mass = 0.2f;
                if (held) d.pins = {first, last};
                w.add(d);
                BodyDef b;
                b.shape = shape;
                b.mass = mass;
                w.add(b);
                expectCalm(w, 0.2 + widen(mass), frames(90, 30), name);
                if (HasFatalFailure()) return;
            }
}

TEST(TouchBadInput, RopesThroughEachOtherAndAMesh) {
    const auto make = [](bool held, auto&& ropes) {
        World w(weightless());
        for (RopeDef d : ropes) {
            d.mass = 0.2f;
            if (held) d.pins = {first, last};
            w.add(d);
        }
        return w;
    };
    const RopeDef along = straight({-0.5f, 0, 0}, {0.5f, 0, 0}, 40);
    for (const bool held : {false, true}) {
        World across = make(held, std::vector{along, straight({0, 0, -0.5f}, {0, 0, 0.5f}, 40)});
        expectCalm(across, 0.4, 60, "across");
        World same = make(held, std::vector{along, along});
        expectCalm(same, 0.4, 60, "the same");
        World meshed = make(held, std::vector{along});
        BodyDef sheet; // an open mesh has no inside, so there is no direction to push the rope out
        sheet.type = BodyType::Static;
        sheet.shape = Mesh{{{0, -1, -1}, {0, 2, 0}, {0, -1, 1}}, {{0, 1, 2}}};
        meshed.add(sheet);
        expectCalm(meshed, 1e-3, 60, "mesh");
    }
}

// The rope of a pulley overlaps its sheave at the start and carries 2 kg on each side. It is 2 radii deep, or above
// the surface by less than the least distance of the step bound. The rope moves out and keeps its loads.
TEST(TouchBadInput, ARopeInItsSheave) {
    for (const float wide : {0.012f, 0.004f}) {
        World w;
        BodyDef sheave = poleAlongZ({0, 1, 0}, 0.1f + wide, 0.06f, 0.3f);
        sheave.type = BodyType::Dynamic;
        sheave.mass = 0.5f;
        w.add(joint(JointType::Hinge, {}, w.add(sheave), {0, 1, 0}, {0, 0, 1}));
        RopeDef d = over(1, 0.1f, 0.6f, 0.6f, 120, 0.005f);
        d.mass = 0.1f;
        d.loads = {{0, 2}, {120, 2}};
        const RopeId rope = w.add(d);
        for (int i = 0; i < 60; ++i) {
            w.step(kFrame);
            ASSERT_LT(topSpeed(w), 1.5) << wide << ", frame " << i;
            for (float tension : w.tensions(rope)) ASSERT_LT(tension, 10 * 2 * kG) << wide << ", frame " << i;
        }
        EXPECT_GT(w.report().minSeparationRatio, 0.9) << wide;
        EXPECT_NEAR(w.tensions(rope).front(), 2 * kG, 0.05 * 2 * kG) << wide;
    }
}

TEST(TouchBadInput, BodiesInsideEachOther) {
    World w;
    w.add(floorAt());
    for (int k = 0; k < 4; ++k) w.add(box({0, 0.5f, 0})); // boxes with identical positions
    // Boxes that also overlap the floor.
    for (int k = 0; k < 4; ++k) w.add(box({2 + 0.01f * float(k), 0.05f, 0}, k == 2 ? 1000.0f : 1.0f));
    BodyDef ball;
    ball.shape = Sphere{0.1f};
    ball.position = {2, 0.1f, 0};
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
        !added.has_value()) { // the error gives a reason; the mesh with its other triangles is accepted
        EXPECT_FALSE(added.error().what.empty());
        soup.shape.triangles = {{0, 1, 2}, {0, 1, 2}, {2, 1, 0}, {0, 4, 5}};
        ASSERT_TRUE(w.tryAdd(soup).has_value());
    }
    w.add(straight({-0.4f, 0.3f, 0}, {0.4f, 0.3f, 0}, 30));
    w.add(box({0.1f, 0.8f, 0.1f}));
    expectSurvives(w, 15);
}

// A moved pin stops at a wall that is in its way. It reaches its target when the wall is gone.
TEST(TouchBadInput, AHandDraggedIntoAWall) {
    World w(weightless());
    const BodyId wall = w.add(ofType(BodyType::Static, box({0.5f, 0, 0}, 1, {0.1f, 2, 2})));
    RopeDef d = straight({0, 0, 0}, {-1, 0, 0}, 40);
    d.pins = {first};
    const RopeId rope = w.add(d);
    for (int i = 1; i <= 60; ++i) {
        w.pin({rope, first}, {0.015f * float(i), 0, 0}); // the target moves to 0.9 m
        w.step(kFrame);
        ASSERT_LT(at(w, rope, first).x, 0.45f);
        for (int k = 1; k <= 40; ++k) ASSERT_LT(length(Vec3(w.velocities(rope)[k])), 3.0f);
    }
    EXPECT_GT(at(w, rope, first).x, 0.4f);
    w.remove(wall);
    for (int i = 0; i < 30; ++i) {
        w.pin({rope, first}, {0.9f, 0, 0});
        w.step(kFrame);
    }
    EXPECT_NEAR(at(w, rope, first).x, 0.9f, 1e-4f);
    for (int i = 0; i < 30; ++i) w.step(kFrame);
    EXPECT_LT(topSpeed(w), 20);
}

// A pin that is released where the wall stopped it does not get the speed of its target.
TEST(TouchBadInput, AHandHeldUpHasNoSpeed) {
    World w(weightless());
    w.add(ofType(BodyType::Static, box({0.5f, 0, 0}, 1, {0.1f, 2, 2})));
    RopeDef d = straight({0, 0, 0}, {-1, 0, 0}, 40);
    d.pins = {first};
    const RopeId rope = w.add(d);
    for (int i = 1; i <= 60; ++i) {
        w.pin({rope, first}, {0.015f * float(i), 0, 0});
        w.step(kFrame);
    }
    EXPECT_LT(length(Vec3(w.velocities(rope).front())), 1.0f);
    w.unpin({rope, first});
    w.step(kFrame);
    EXPECT_LT(topSpeed(w), 6); // the rope behind it moves at 0.9 m/s and folds up
}

// Moved pins pass each other nearer than the thickness of their ropes. The adjacent nodes get no high speed.
TEST(TouchBadInput, HandsThatPassThroughEachOther) {
    World w(weightless());
    RopeId ropes[2];
    auto hand = [](int k, float x) { return Vec3{k == 0 ? x : -x, 0.014f * float(k), 0.5f}; };
    for (int k : {0, 1}) {
        RopeDef d = straight({k == 0 ? -0.3f : 0.3f, 0, -0.45f}, hand(k, -0.3f), 20);
        d.pins = {first, last};
        ropes[k] = w.add(d);
    }
    for (int i = 0; i <= 60; ++i) {
        for (int k : {0, 1}) w.pin({ropes[k], last}, hand(k, -0.3f + 0.01f * float(i)));
        w.step(kFrame);
        ASSERT_LT(topSpeed(w), 1.2) << "frame " << i; // the pins move at 0.6 m/s
    }
}

TEST(TouchBadInput, HugeSpeeds) {
    for (const float speed : {1e3f, 1e4f}) {
        World w(weightless());
        BodyDef wall = floorAt();
        wall.rotation = fromTo(Vec3{0, 1, 0}, Vec3{-1, 0, 0});
        w.add(wall);
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
            // The contacts do not converge; the number of solves must stay bounded.
            ASSERT_LT(w.report().solves, 1200) << "frame " << i;
            for (RopeId r : w.ids<RopeId>())
                for (const Vec3d x : positions(w, r)) ASSERT_LT(x.x, 0) << "frame " << i;
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
        for (RopeId r : w.ids<RopeId>())
            for (const Vec3d x : positions(w, r))
                ASSERT_GT(x.y, 0) << "step " << i; // no object falls through the floor
    }
    for (BodyId b : w.ids<BodyId>()) EXPECT_GE(w.centerOfMass(b).y, 0);
    expectSurvives(w, 20, 10);
}

// A heavy box lies on a light rope on the floor, and a light box on a heavy rope.
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
