// SPDX-License-Identifier: MIT
// Impacts: events of contacts that last less than a step, and what impacts may not do. Speeds after an impact are
// compared with formulas by `capstan validate B8 B9`.
#include <tests/world/bodies/piles.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace capstan {
namespace {

BodyDef flyingBall(Vec3 at, Vec3 velocity, float restitution) {
    BodyDef d;
    d.shape = Sphere{0.05f};
    d.mass = 2;
    d.position = at;
    d.velocity = velocity;
    d.material.restitution = restitution;
    return d;
}

// The impulse is m (1 + e) v, at whatever moment of the step the ball strikes.
TEST(Impacts, ABounceWithinAStepBeginsAndEndsWithItsImpulse) {
    for (int phase = 0; phase < 8; ++phase) {
        World w({.gravity = {0, 0, 0}, .substeps = 16});
        const BodyId floor = w.add(ground());
        const BodyId id =
            w.add(flyingBall({0, 0.05f + 3 * kFrame * (2 + 0.11f * float(phase)), 0}, {0, -3, 0}, 0.5f));
        std::vector<Event> told;
        for (int i = 0; i < 10; ++i) {
            w.step(kFrame);
            told.insert(told.end(), w.events().begin(), w.events().end());
        }
        ASSERT_EQ(told.size(), 2u) << phase;
        EXPECT_EQ(told[0].kind, Event::Kind::ContactBegin);
        EXPECT_EQ(told[1].kind, Event::Kind::ContactEnd);
        for (const Event& e : told)
            EXPECT_TRUE((e.a == ObjectId(id) && e.b == ObjectId(floor)) ||
                        (e.a == ObjectId(floor) && e.b == ObjectId(id)));
        EXPECT_NEAR(told[0].impulse, 2 * 1.5 * 3, 1e-4) << phase;
        EXPECT_EQ(told[1].impulse, 0);
        EXPECT_TRUE(w.contacts().empty());
    }
}

TEST(Impacts, ABallThatStaysBeginsOnceWithItsImpulse) {
    World w({.substeps = 4});
    w.add(ground());
    w.add(flyingBall({0, 0.5f, 0}, {0, 0, 0}, 0));
    double impulse = 0;
    int begins = 0, ends = 0;
    for (int i = 0; i < 60; ++i) {
        w.step(kFrame);
        for (const Event& e : w.events()) {
            begins += e.kind == Event::Kind::ContactBegin;
            ends += e.kind == Event::Kind::ContactEnd;
            impulse += double(e.impulse);
        }
    }
    EXPECT_EQ(begins, 1);
    EXPECT_EQ(ends, 0);
    const double speed = std::sqrt(2 * double(9.81f) * 0.45);
    EXPECT_NEAR(impulse, 2 * speed, 0.02 * 2 * speed);
}

// Sixty balls in a box bounce without loss; energy does not grow, and hardly falls.
TEST(Impacts, AGasOfBallsKeepsItsEnergy) {
    World w({.gravity = {0, 0, 0}});
    for (const Vec3 side : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        for (const float sign : {-1.f, 1.f}) {
            BodyDef wall;
            wall.type = BodyType::Static;
            wall.shape = Box{Vec3{2, 2, 2} - 1.6f * side};
            wall.position = 0.7f * sign * side;
            wall.material = {.friction = 0, .restitution = 1};
            w.add(wall);
        }
    for (int i = 0; i < 60; ++i) {
        const float x = float(i % 4) - 1.5f, y = float(i / 4 % 4) - 1.5f, z = float(i / 16) - 1.5f;
        BodyDef d = flyingBall(0.2f * Vec3{x, y, z},
                               {std::sin(float(3 * i)), std::sin(float(5 * i)), std::cos(float(7 * i))}, 1);
        d.material.friction = 0;
        w.add(d);
    }
    const double before = w.energy().kinetic;
    for (int i = 0; i < 300; ++i) {
        w.step(kFrame);
        ASSERT_LT(w.energy().kinetic, before * 1.0001) << i;
    }
    EXPECT_GT(w.energy().kinetic, 0.8 * before);
}

} // namespace
} // namespace capstan
