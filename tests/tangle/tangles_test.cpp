// SPDX-License-Identifier: MIT
// Tests of tangles: contacts that form a tangle, its measured values, and its phases in seconds.
#include <tests/tangle/hooks.hpp>
#include <tests/watched.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace capstan {
namespace {

TEST(CapstanBound, IsEulersFormula) {
    EXPECT_NEAR(capstanBound(0.3, 2 * std::numbers::pi), std::exp(0.6 * std::numbers::pi), 1e-12);
    EXPECT_EQ(capstanBound(0.5, 0), 1);
    EXPECT_NEAR(capstanBound(0.2, -1), std::exp(0.2), 1e-14);
}

TEST(Tangles, LiveFromFormingToLockedInSeconds) {
    Hooks hooks;
    Tangles tangles;
    double formed = -1, tightened = -1, locked = -1, bound = -1;
    float before = 3;
    for (int i = 0; i < 600 && locked < 0; ++i) {
        hooks.frame(tangles, 10);
        for (const TangleEvent& e : tangles.events()) {
            if (e.kind == Kind::Formed) formed = hooks.world.time();
            if (e.kind == Kind::Tightened) tightened = hooks.world.time();
            if (e.kind == Kind::Locked) locked = hooks.world.time();
            EXPECT_NE(e.kind, Kind::Broken);
        }
        if (tangles.all().empty()) continue;
        if (bound < 0) bound = hooks.world.time();
        EXPECT_LE(tangles.all()[0].restDistance, before); // the rest distance never grows or jumps
        EXPECT_GE(tangles.all()[0].restDistance, before - 0.05f);
        before = tangles.all()[0].restDistance;
    }
    ASSERT_GE(formed, 0);
    EXPECT_NEAR(formed - bound, tangles.def().formTime, 0.018);
    // With 10 N and 0.02 /(N s) the rest distance falls by 0.2 per second. From 3 to 1.2 it takes 9 s; half of this
    // distance is 0.9.
    EXPECT_NEAR(tightened - formed, 0.9 / 0.2, 0.6);
    EXPECT_NEAR(locked - tightened, 0.9 / 0.2, 0.6);
    ASSERT_EQ(tangles.all().size(), 1u);
    const Tangle& t = tangles.all()[0];
    EXPECT_TRUE(t.locked);
    EXPECT_EQ(t.phase, TanglePhase::Locked);
    EXPECT_TRUE(t.ropeA == hooks.up && t.ropeB == hooks.down);
    // A rope that hangs over another rope is bent by 180 degrees minus the angle between its legs.
    EXPECT_GT(t.wrapAngle, 2.2f);
    EXPECT_LT(t.wrapAngle, 3.6f);
    EXPECT_NEAR(t.tension, 10, 0.5);
    EXPECT_NEAR(t.ratio, 1, 0.05); // both legs have the same tension
    EXPECT_NEAR(t.bound, std::exp(0.3 * double(t.wrapAngle)), 1e-4);
    EXPECT_NEAR(t.distance, 1, 0.05);
    // The force of a rope without bending stiffness is the integral of T dtheta.
    EXPECT_NEAR(t.force, t.tension * t.wrapAngle, 0.25f * t.force);
}

// A motion at another frame rate takes the same time in seconds.
TEST(Tangles, SecondsDoNotDependOnTheRate) {
    double locked[2] = {0, 0};
    for (int k : {0, 1}) {
        Hooks hooks;
        Tangles tangles;
        const float dt = k ? 1.0f / 240 : 1.0f / 60;
        for (int i = 0; locked[k] == 0 && i < frames(3000, 60); ++i) {
            hooks.pull(20);
            hooks.world.step(dt);
            tangles.update(hooks.world, dt);
            if (told(tangles, Kind::Locked)) locked[k] = hooks.world.time();
        }
    }
    if (kWatched) return;
    EXPECT_GT(locked[0], 3);
    // Contacts flicker differently at each rate. A phase counted in frames would differ by a factor of four.
    EXPECT_NEAR(locked[1], locked[0], 0.5);
}

// Straight ropes that cross in contact are not bent, so they form no tangle.
TEST(Tangles, StraightRopesThatCrossAreNone) {
    World world({.gravity = {0, -9.81f, 0}});
    RopeDef d;
    d.radius = 0.01f;
    d.segments = 40;
    d.pins = {first, last};
    d.from = {-1, 0, 0};
    d.to = {1, 0, 0};
    world.add(d);
    d.from = {0, 0.03f, -1};
    d.to = {0, 0.03f, 1};
    d.length = 2.002f; // the rope sags onto the other
    world.add(d);
    Tangles tangles;
    bool touched = false;
    for (int i = 0; i < 120; ++i) {
        world.step(kFrame);
        tangles.update(world, kFrame);
        touched = touched || !world.contacts().empty();
        EXPECT_TRUE(tangles.all().empty());
    }
    EXPECT_TRUE(touched);
}

TEST(Tangles, SlackRopesDoNotBind) {
    Hooks hooks;
    Tangles tangles;
    for (int i = 0; i < 120; ++i) {
        hooks.frame(tangles, 0.05f);
        EXPECT_EQ(tangles.count(), 0);
    }
}

TEST(Tangles, TheMirrorImageHasTheOtherSign) {
    int sign[2];
    for (int k : {0, 1}) {
        World world({.gravity = {0, 0, 0}});
        const float z = k ? -1.0f : 1.0f;
        RopeDef d;
        d.radius = 0.005f;
        d.segments = 60;
        d.mass = 0.05f;
        d.damping = 3;
        // The legs spread, so that the ropes cross at an angle.
        d.points = {{0.1f, 0.3f, 0.05f * z}, {0, -0.011f, 0}, {-0.1f, 0.3f, -0.05f * z}};
        const RopeId up = world.add(d);
        d.points = {{0.1f, -0.3f, -0.05f * z}, {0, 0.011f, 0}, {-0.1f, -0.3f, 0.05f * z}};
        const RopeId down = world.add(d);
        Tangles tangles;
        for (int i = 0; i < 60 && tangles.count() == 0; ++i) {
            for (int end : {first, last}) {
                const float x = end == first ? 3.0f : -3.0f;
                world.applyForce({up, end}, {x, 10, 0.5f * x * z});
                world.applyForce({down, end}, {x, -10, -0.5f * x * z});
            }
            world.step(kFrame);
            tangles.update(world, kFrame);
        }
        ASSERT_EQ(tangles.count(), 1);
        sign[k] = tangles.all()[0].sign;
        // The sign of the crossing of the ropes as laid: (tA x tB) . (pA - pB). Rope A (up) passes below rope B
        // (down).
        const Vec3 tA = {-0.2f, 0, -0.1f * z}, tB = {-0.2f, 0, 0.1f * z}, apart = {0, -1, 0};
        EXPECT_EQ(sign[k], dot(cross(tA, tB), apart) > 0 ? 1 : -1);
    }
    EXPECT_EQ(sign[0], -sign[1]);
}

TEST(Tangles, AnOverhandKnotTanglesWithItself) {
    World world({.gravity = {0, 0, 0}});
    RopeDef d;
    d.radius = 0.005f;
    d.segments = 120;
    d.mass = 0.06f;
    d.damping = 2;
    d.bendStiffness = 1e-4f;
    // The trefoil as polynomials (A. R. Shastri 1992), with long ends.
    for (int k = -40; k <= 40; ++k) {
        const double u = 2.15 * k / 40, x = u * u * u - 3 * u, y = u * u * u * u - 4 * u * u;
        d.points.push_back({float(0.02 * x), float(0.02 * y), float(0.004 * (u * u * u * u * u - 10 * u))});
    }
    const RopeId rope = world.add(d);
    Tangles tangles;
    int formed = 0;
    for (int i = 0; i < 180; ++i) {
        world.applyForce({rope, first}, {-3, 3, 0});
        world.applyForce({rope, last}, {3, 3, 0});
        world.step(kFrame);
        tangles.update(world, kFrame);
        for (const TangleEvent& e : tangles.events()) {
            formed += e.kind == Kind::Formed;
            EXPECT_TRUE(e.tangle.ropeA == rope && e.tangle.ropeB == rope);
            EXPECT_LT(e.tangle.firstA, e.tangle.lastB);
        }
    }
    EXPECT_TRUE(world.report().quarantined == 0);
    EXPECT_GE(formed, 1);
}

// The tangles have the same bits on every backend.
TEST(Tangles, TellTheSameOnEveryBackend) {
    float state[2];
    for (int k : {0, 1}) {
        Hooks hooks;
        WorldDef def = hooks.world.def();
        def.backend = k ? Backend::Simd : Backend::Scalar;
        hooks.world.configure(def);
        Tangles tangles;
        for (int i = 0; i < 90; ++i) hooks.frame(tangles, 10);
        ASSERT_EQ(tangles.count(), 1);
        state[k] = tangles.all()[0].wrapAngle + tangles.all()[0].restDistance;
    }
    EXPECT_EQ(state[0], state[1]);
}

} // namespace
} // namespace capstan
