// SPDX-License-Identifier: MIT
// Tangles: which contacts form a tangle, its measured values, its life in seconds, assist, and bad calls.
#include "../watched.hpp"

#include <capstan/check.hpp>
#include <capstan/tangle/tangles.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

namespace capstan {
namespace {

constexpr float kFrame = 1.0f / 60;
using Kind = TangleEvent::Kind;

// Two ropes bent round each other like two hooks. One lies in the plane z = 0 and hangs on the other, which lies in x =
// 0. Both ends of each are pulled apart by `pull` newtons. Each is bent by nearly 180 degrees.
struct Hooks {
    World world{{.gravity = {0, 0, 0}, .substeps = 4}};
    RopeId up, down;

    explicit Hooks(float gap = 0.011f) {
        RopeDef d;
        d.radius = 0.005f;
        d.segments = 60;
        d.mass = 0.05f;
        d.damping = 3;
        d.points = {{0.02f, 0.3f, 0}, {0.02f, -gap, 0}, {-0.02f, -gap, 0}, {-0.02f, 0.3f, 0}};
        up = world.add(d);
        d.points = {{0, -0.3f, 0.02f}, {0, gap, 0.02f}, {0, gap, -0.02f}, {0, -0.3f, -0.02f}};
        down = world.add(d);
    }
    void pull(float newtons) {
        for (int end : {first, last}) {
            world.applyForce({up, end}, {0, newtons, 0});
            world.applyForce({down, end}, {0, -newtons, 0});
        }
    }
    void frame(Tangles& tangles, float newtons) {
        pull(newtons);
        world.step(kFrame);
        tangles.update(world, kFrame);
    }
};

int told(const Tangles& tangles, Kind kind) {
    int n = 0;
    for (const TangleEvent& e : tangles.events()) n += e.kind == kind;
    return n;
}

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
        EXPECT_LE(tangles.all()[0].restDistance, before); // it never grows and never jumps
        EXPECT_GE(tangles.all()[0].restDistance, before - 0.05f);
        before = tangles.all()[0].restDistance;
    }
    ASSERT_GE(formed, 0);
    EXPECT_NEAR(formed - bound, tangles.def().formTime, 0.018);
    // With 10 N and 0.02 /(N s) the rest distance falls by 0.2 a second. It falls from 3 to 1.2 in 9 s; half of that
    // way is 0.9.
    EXPECT_NEAR(tightened - formed, 0.9 / 0.2, 0.6);
    EXPECT_NEAR(locked - tightened, 0.9 / 0.2, 0.6);
    ASSERT_EQ(tangles.all().size(), 1u);
    const Tangle& t = tangles.all()[0];
    EXPECT_TRUE(t.locked);
    EXPECT_EQ(t.phase, TanglePhase::Locked);
    EXPECT_TRUE(t.ropeA == hooks.up && t.ropeB == hooks.down);
    // A rope hung over another is bent by half a turn, less the angle between its legs.
    EXPECT_GT(t.wrapAngle, 2.2f);
    EXPECT_LT(t.wrapAngle, 3.6f);
    EXPECT_NEAR(t.tension, 10, 0.5);
    EXPECT_NEAR(t.ratio, 1, 0.05); // both legs have the same tension
    EXPECT_NEAR(t.bound, std::exp(0.3 * double(t.wrapAngle)), 1e-4);
    EXPECT_NEAR(t.distance, 1, 0.05);
    // For a rope without bending stiffness: the integral of T dtheta.
    EXPECT_NEAR(t.force, t.tension * t.wrapAngle, 0.25f * t.force);
}

// The same motion at another frame rate takes the same seconds.
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
    // Ropes tremble differently at each rate; a life counted in frames would differ by a factor of four.
    EXPECT_NEAR(locked[1], locked[0], 0.5);
}

// Straight ropes that press on each other where they cross are not bent.
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
        // The sign of the ropes as laid: (tA x tB) . (pA - pB). Here rope A (up) passes below rope B (down).
        const Vec3 tA = {-0.2f, 0, -0.1f * z}, tB = {-0.2f, 0, 0.1f * z}, apart = {0, -1, 0};
        EXPECT_EQ(sign[k], dot(cross(tA, tB), apart) > 0 ? 1 : -1);
    }
    EXPECT_EQ(sign[0], -sign[1]);
}

TEST(Tangles, PartedRopesAreBrokenOnce) {
    Hooks hooks;
    Tangles tangles;
    for (int i = 0; i < 30; ++i) hooks.frame(tangles, 10);
    ASSERT_EQ(tangles.count(), 1);
    const TangleId id = tangles.all()[0].id;
    int broken = 0;
    for (int i = 0; i < 120; ++i) {
        hooks.frame(tangles, -0.4f); // the hooks are pushed into each other, so they come apart
        broken += told(tangles, Kind::Broken);
    }
    EXPECT_EQ(broken, 1);
    EXPECT_FALSE(tangles.alive(id));
    EXPECT_EQ(tangles.count(), 0);
}

TEST(Tangles, ARopeThatIsRemovedTakesItsTanglesAlong) {
    Hooks hooks;
    Tangles tangles;
    for (int i = 0; i < 30; ++i) hooks.frame(tangles, 10);
    ASSERT_EQ(tangles.count(), 1);
    hooks.world.remove(hooks.down);
    tangles.update(hooks.world, kFrame); // without a step, the contacts are removed with the rope
    EXPECT_EQ(told(tangles, Kind::Broken), 1);
    EXPECT_TRUE(tangles.all().empty());
    hooks.world.step(kFrame);
    tangles.update(hooks.world, kFrame);
    EXPECT_TRUE(tangles.events().empty());
}

TEST(Tangles, ACutRopeAndAWindingUpAreSurvived) {
    Hooks hooks;
    Tangles tangles;
    for (int i = 0; i < 30; ++i) hooks.frame(tangles, 10);
    ASSERT_EQ(tangles.count(), 1);
    hooks.world.cut(hooks.down, 5);
    tangles.update(hooks.world, kFrame);
    EXPECT_EQ(told(tangles, Kind::Broken), 1); // the arc is no longer part of this rope
    for (int i = 0; i < 30; ++i) {
        hooks.world.step(kFrame);
        tangles.update(hooks.world, kFrame);
    }
}

TEST(Tangles, UntangleLetsGoUntilTheyPart) {
    Hooks hooks;
    Tangles tangles;
    for (int i = 0; i < 30; ++i) hooks.frame(tangles, 10);
    ASSERT_EQ(tangles.count(), 1);
    const TangleId id = tangles.all()[0].id;
    EXPECT_TRUE(tangles.untangle(id).has_value());
    EXPECT_FALSE(tangles.alive(id));
    const Status again = tangles.untangle(id);
    ASSERT_FALSE(again.has_value());
    EXPECT_NE(again.error().what.find("no such tangle"), std::string::npos);
    hooks.frame(tangles, 10);
    EXPECT_EQ(told(tangles, Kind::Broken), 1);
    for (int i = 0; i < 60; ++i) {
        hooks.frame(tangles, 10);
        EXPECT_TRUE(tangles.all().empty()); // the ropes are still hooked, but the tangle is not found again
    }
    const Snapshot hooked = hooks.world.snapshot();
    for (int i = 0; i < 120; ++i) hooks.frame(tangles, -0.4f); // the hooks come apart
    hooks.world.restore(hooked);
    for (int i = 0; i < 30; ++i) hooks.frame(tangles, 10);
    ASSERT_EQ(tangles.count(), 1); // the hooks are in contact again
    EXPECT_FALSE(tangles.all()[0].id == id);
}

TEST(Tangles, AnOverhandKnotTanglesWithItself) {
    World world({.gravity = {0, 0, 0}});
    RopeDef d;
    d.radius = 0.005f;
    d.segments = 120;
    d.mass = 0.06f;
    d.damping = 2;
    d.bendStiffness = 1e-4f;
    // The trefoil as polynomials (A. R. Shastri 1992), with the ends drawn out.
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

TEST(TangleAssist, PullsTogetherAndNeverOvershootsAtAnyTimeStep) {
    for (float dt : {1.0f / 120, 1.0f / 60, 0.5f})
        for (float stiffness : {10.0f, 1e9f}) {
            if (kWatched && dt < 0.5f) continue;
            Hooks hooks;
            TangleDef def;
            def.mode = TangleMode::Assist;
            def.stiffness = stiffness;
            def.maxDistance = 20;
            def.tightenRate = 0.2f;
            Tangles tangles(def);
            for (int i = 0; i < 60; ++i) hooks.frame(tangles, 10); // the ropes hook into each other
            ASSERT_EQ(tangles.count(), 1);
            const float touch = 0.01f;
            // Two seconds later the ropes are released. They may stay together, but they may not fly apart or pass
            // through each other.
            float farthest = 0;
            for (float time = 0; time < 2; time += dt) {
                hooks.world.step(dt);
                tangles.update(hooks.world, dt);
                for (const Tangle& t : tangles.all()) {
                    farthest = std::max(farthest, t.distance * touch);
                    EXPECT_GE(t.pull, 0);
                    EXPECT_TRUE(std::isfinite(t.pull));
                }
                ASSERT_EQ(hooks.world.report().quarantined, 0);
            }
            EXPECT_LE(farthest, 0.06f) << dt << " " << stiffness;
            EXPECT_LT(hooks.world.energy().kinetic, 0.01) << dt << " " << stiffness;
        }
}

// Without assist, hooks that are pushed apart separate; with assist they stay together.
TEST(TangleAssist, HoldsWhatWouldPart) {
    for (TangleMode mode : {TangleMode::Physical, TangleMode::Assist}) {
        Hooks hooks;
        TangleDef def;
        def.mode = mode;
        def.stiffness = 2000;
        def.tightenRate = 0.2f;
        Tangles tangles(def);
        for (int i = 0; i < 120; ++i) hooks.frame(tangles, 10);
        ASSERT_EQ(tangles.count(), 1);
        for (int i = 0; i < 120; ++i) hooks.frame(tangles, -0.2f);
        EXPECT_EQ(tangles.count(), mode == TangleMode::Assist ? 1 : 0);
    }
}

TEST(TangleAssist, LetsGoAboveBreakTension) {
    Hooks hooks;
    TangleDef def;
    def.mode = TangleMode::Assist;
    def.breakTension = 30;
    def.tightenRate = 0;
    Tangles tangles(def);
    for (int i = 0; i < 60; ++i) hooks.frame(tangles, 10);
    ASSERT_EQ(tangles.count(), 1);
    int broken = 0;
    for (int i = 0; i < 10; ++i) {
        hooks.frame(tangles, 50);
        broken += told(tangles, Kind::Broken);
    }
    EXPECT_GE(broken, 1);
}

std::string complaint;
void complain(const char* what, const char*) { complaint = what; }

TEST(Tangles, BadCallsAreTold) {
    const CheckHandler old = setCheckHandler(complain);
    TangleDef bad;
    bad.minWrap = -1;
    EXPECT_EQ(Tangles(bad).def().minWrap, TangleDef{}.minWrap);
    EXPECT_NE(complaint.find("minWrap must be at least 0"), std::string::npos);
    bad = {};
    bad.lockThreshold = 5;
    complaint.clear();
    EXPECT_EQ(Tangles(bad).def().lockThreshold, TangleDef{}.lockThreshold);
    EXPECT_NE(complaint.find("lockThreshold"), std::string::npos);
    Tangles tangles;
    complaint.clear();
    EXPECT_FALSE(bool(tangles.get({7, 1}).id));
    EXPECT_NE(complaint.find("no such tangle"), std::string::npos);
    World world;
    complaint.clear();
    tangles.update(world, 0);
    EXPECT_NE(complaint.find("dt"), std::string::npos);
    setCheckHandler(old);
}

// Ropes are added, removed and cut, and tangles are released, at any rate. No reference is left dangling, and in the
// end no tangle is left.
TEST(Tangles, SurviveWhatHappensToRopes) {
    std::mt19937 dice(5);
    const auto within = [&](float a, float b) { return a + (b - a) * float(dice() >> 8) * 0x1p-24f; };
    for (TangleMode mode : {TangleMode::Physical, TangleMode::Assist}) {
        World world;
        BodyDef ground;
        ground.type = BodyType::Static;
        ground.shape = Plane{};
        world.add(ground);
        TangleDef def;
        def.mode = mode;
        def.minWrap = 0.2f;
        def.minTension = 0.01f;
        def.tightenRate = 2;
        Tangles tangles(def);
        std::vector<RopeId> ropes;
        const auto add = [&] {
            RopeDef d;
            for (int k = 0; k < 5; ++k)
                d.points.push_back({within(-0.2f, 0.2f), within(0.1f, 0.5f), within(-0.2f, 0.2f)});
            d.segments = 30;
            d.radius = 0.008f;
            d.closed = dice() % 3 == 0;
            ropes.push_back(world.add(d));
        };
        for (int i = 0; i < 6; ++i) add();
        int told = 0;
        for (int i = 0; i < 120; ++i) {
            const std::size_t k = dice() % ropes.size();
            const std::size_t segments = world.tensions(ropes[k]).size();
            switch (dice() % 20) {
            case 0:
                if (ropes.size() < 3) break;
                world.remove(ropes[k]);
                ropes.erase(ropes.begin() + std::ptrdiff_t(k));
                break;
            case 1:
                add();
                break;
            case 2:
                if (segments < 7) break;
                if (RopeId part = world.cut(ropes[k], int(dice() % segments))) ropes.push_back(part);
                break;
            case 3:
                if (!tangles.all().empty()) {
                    EXPECT_TRUE(
                        tangles.untangle(tangles.all()[dice() % tangles.all().size()].id).has_value());
                }
            }
            for (RopeId rope : ropes)
                for (int end : {first, last})
                    world.applyForce({rope, end}, {within(-3, 3), within(-1, 4), within(-3, 3)});
            const float dt = i % 7 == 0 ? 0.1f : kFrame;
            world.step(dt);
            tangles.update(world, dt);
            told += int(tangles.events().size());
            for (const Tangle& t : tangles.all()) {
                EXPECT_TRUE(world.isValid(t.ropeA) && world.isValid(t.ropeB));
                EXPECT_TRUE(t.distance >= 0 && std::isfinite(t.wrapAngle) && std::isfinite(t.pull));
            }
        }
        EXPECT_GT(told, 10);
        tangles.clear(world);
        EXPECT_TRUE(world.ids<JointId>().empty());
        EXPECT_TRUE(tangles.all().empty());
    }
}

// The events have the same bits on every backend.
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
