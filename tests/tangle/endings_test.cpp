// SPDX-License-Identifier: MIT
// Tests of how tangles end: ropes that separate, are removed, cut or untangled. Wrong calls are tested, too.
#include <tests/tangle/hooks.hpp>
#include <tests/watched.hpp>

#include <capstan/check.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

namespace capstan {
namespace {

TEST(Tangles, PartedRopesAreBrokenOnce) {
    Hooks hooks;
    Tangles tangles;
    for (int i = 0; i < 30; ++i) hooks.frame(tangles, 10);
    ASSERT_EQ(tangles.count(), 1);
    const TangleId id = tangles.all()[0].id;
    int broken = 0;
    for (int i = 0; i < 120; ++i) {
        hooks.frame(tangles, -0.4f); // the hooks are pushed together and separate
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
    tangles.update(hooks.world, kFrame); // no step is needed: the contacts are removed with the rope
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
    EXPECT_EQ(told(tangles, Kind::Broken), 1); // the tangled arc is not part of this rope any more
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
        // The ropes are still hooked, but a released tangle is not found again.
        EXPECT_TRUE(tangles.all().empty());
    }
    const Snapshot hooked = hooks.world.snapshot();
    for (int i = 0; i < 120; ++i) hooks.frame(tangles, -0.4f); // the hooks separate
    hooks.world.restore(hooked);
    for (int i = 0; i < 30; ++i) hooks.frame(tangles, 10);
    ASSERT_EQ(tangles.count(), 1); // the hooks are in contact again
    EXPECT_FALSE(tangles.all()[0].id == id);
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

// Ropes are added, removed and cut, and tangles are released, at random times. No id is left dangling, and in the end
// no tangle is left.
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

} // namespace
} // namespace capstan
