// SPDX-License-Identifier: MIT
// The oracles see what they are there for. Each fault is planted by hand: a rope carried through a rope between two
// looks, energy that comes from nowhere, a child that crashes.
#include <apps/fuzz/child.hpp>
#include <apps/fuzz/fuzz.hpp>
#include <apps/fuzz/scenes.hpp>
#include <apps/fuzz/shorten.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>

using namespace capstan;
using namespace capstan::fuzz;

namespace {

constexpr const char* kHead = "capstan recipe 1\n";

// Two crossed ropes, the second at this height.
World crossed(float height) {
    World w({.gravity = {0, 0, 0}});
    RopeDef a, b;
    a.from = {-1, 0, 0.003f};
    a.to = {1, 0, 0.003f};
    a.segments = b.segments = 20;
    b.from = {0.003f, height, -1};
    b.to = {0.003f, height, 1};
    w.add(a);
    w.add(b);
    return w;
}

World linked(float z) {
    World w({.gravity = {0, 0, 0}});
    for (int i = 0; i < 2; ++i) {
        RopeDef d;
        d.closed = true;
        d.segments = 0;
        for (int k = 0; k < 16; ++k) {
            const float c = float(std::cos(k * 0.3926990817)), s = float(std::sin(k * 0.3926990817));
            d.points.push_back(i == 0 ? Vec3{c, s, 0} : Vec3{z + c, 0, s});
        }
        w.add(d);
    }
    return w;
}

TEST(FuzzOracle, ARopeThroughARopeIsAPass) {
    PassOracle oracle;
    oracle.before(crossed(0.02f));
    EXPECT_EQ(oracle.after(crossed(-0.02f)).kind, "pass");
    EXPECT_EQ(oracle.after(crossed(0.011f)).kind, "");
}

TEST(FuzzOracle, RingsThatComeApartAreAPass) {
    PassOracle oracle;
    oracle.before(linked(1));
    EXPECT_EQ(oracle.after(linked(3)).kind, "pass"); // at any speed
    EXPECT_EQ(oracle.after(linked(0.8f)).kind, "");
}

TEST(FuzzOracle, FinitePositionsAreNoFault) { EXPECT_FALSE(findNotFinite(crossed(0.1f))); }

// In the recipe nothing brings energy. A hand that the oracle does not know of does.
TEST(FuzzOracle, EnergyFromNowhereIsSeen) {
    const Result<Recipe> recipe =
        readRecipe(std::string(kHead) + "body b1 shape.kind=2 shape.radius=0.1 mass=1\nstep - n=3\n");
    ASSERT_TRUE(recipe);
    Player player(*recipe, {});
    EnergyOracle oracle;
    for (int i = 0; player.edit(); ++i) {
        oracle.before(player);
        if (i == 2) player.world().setVelocity(player.world().ids<BodyId>()[0], {3, 0, 0});
        player.step();
        EXPECT_EQ(oracle.after(player).kind, i == 2 ? "energy" : "") << i;
    }
    EXPECT_EQ(oracle.judged(), 3);
}

TEST(FuzzChild, EveryEndIsSeen) {
    EXPECT_EQ(runAlone([] { return std::string("fine"); }).text, "fine");
    EXPECT_EQ(runAlone([]() -> std::string { _exit(7); }).how, "exit code 7");
    const Ending killed = runAlone([]() -> std::string {
        std::fputs("last words\n", stderr);
        std::raise(SIGKILL);
        return {};
    });
    EXPECT_EQ(killed.how, "signal 9");
    EXPECT_EQ(killed.errors, "last words\n");
    EXPECT_FALSE(killed.returned);
}

TEST(FuzzChild, ALoopWithoutEndIsEnded) {
    Limits limits;
    limits.seconds = 1;
    const auto loop = [] {
        static std::atomic<int> turns{0};
        while (turns >= 0) turns = (turns + 1) & 0xffff;
        return std::string();
    };
    EXPECT_EQ(runAlone(loop, limits).how, "hang");
}

// The fault needs two lines of eight, and one word of the second.
TEST(FuzzShorten, OnlyWhatIsNeededIsLeft) {
    std::string text = kHead;
    for (int i = 0; i < 6; ++i) text += "body b" + std::to_string(i) + " mass=1\n";
    text += "rope r1 radius=0.02 mass=3\nstep - n=100\n";
    const auto fails = [](const std::string& t) {
        return t.find("b3") != std::string::npos && t.find("radius") != std::string::npos;
    };
    EXPECT_EQ(shortenRecipe(text, fails, 500), std::string(kHead) + "body b3\nrope r1 radius=0.02\n");
    EXPECT_EQ(shortenScene(
                  "{\n\"a\": 1,\n\"b\": 2\n}\n",
                  [](const std::string& t) { return t.find('2') != std::string::npos; }, 500),
              "2");
}

TEST(FuzzScene, BadTextIsAnErrorAndNoFault) {
    EXPECT_FALSE(judgeScene("{\"ropes\": [{\"segments\": 1000000000}]}"));
    EXPECT_FALSE(judgeScene("{"));
    EXPECT_FALSE(judgeScene(""));
}

} // namespace
