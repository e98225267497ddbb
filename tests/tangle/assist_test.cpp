// SPDX-License-Identifier: MIT
// Tests of TangleMode::Assist: the spring of a tangle pulls the ropes together, holds them, and breaks.
#include <tests/tangle/hooks.hpp>
#include <tests/watched.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

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
            // Then the ropes are released for two seconds. They may stay together, but they may not get a high speed
            // or pass through each other.
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

// Hooks that are pushed apart separate in Physical mode and stay together in Assist mode.
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

} // namespace
} // namespace capstan
