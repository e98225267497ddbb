// SPDX-License-Identifier: MIT
// Tests of walks on leashes. Dogs are held by their leashes, and the braid of the motion equals that of the leashes.
// Untangling ends in the trivial braid or reports that it is stuck. Bad input is reported.
#include <capstan/leash/walk.hpp>

#include <worlds/leashes.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace capstan {
namespace {

constexpr float kFrame = 1.0f / 60;
using State = LeashWalk::State;

float away(const World& world, const LeashWalk& walk, std::size_t i) {
    const Vec3 d = Vec3(world.positions(walk.dogs()[i].leash).back()) -
                   Vec3(world.positions(walk.dogs()[i].leash).front());
    return length(d);
}

TEST(LeashWalk, BeginsStraightAndStaysOnTheGround) {
    World world;
    LeashWalk walk = LeashWalk::start(world, mixedDogs(3, 3)).value();
    EXPECT_EQ(walk.state(), State::Walking);
    EXPECT_TRUE(walk.word().empty());
    for (int i = 0; i < 300; ++i) {
        walk.step(world, kFrame);
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 x = world.centerOfMass(walk.dogs()[k].body);
            EXPECT_NEAR(x.y, 0.2f, 0.05f);
            const Vec3 up = rotate(world.pose(walk.dogs()[k].body).rotation, Vec3{0, 1, 0});
            EXPECT_GT(up.y, 0.98f);
            EXPECT_LE(away(world, walk, k), 2.1f); // leash of 2 m, plus its stretch when a dog runs
        }
    }
    EXPECT_NEAR(walk.time(), 5, 1e-3);
    EXPECT_GE(walk.readings(), 45);
    EXPECT_EQ(walk.disagreements(), 0);
}

// A dog that pulls walks to the end of its leash and stops there. The leash carries the force of the dog.
TEST(LeashWalk, ADogFeelsItsLeash) {
    World world;
    LeashDef def = dogsOf({Temperament::Pull}, 1);
    def.dogs[0].strength = 60;
    LeashWalk walk = LeashWalk::start(world, def).value();
    double tension = 0;
    for (int i = 0; i < 600; ++i) {
        walk.step(world, kFrame);
        if (i >= 300) tension += double(world.tensions(walk.dogs()[0].leash).front()) / 300;
    }
    EXPECT_GT(away(world, walk, 0), 1.9f);
    EXPECT_GT(tension, 30); // part of the dog's force is across the leash
    EXPECT_LT(tension, 90);
    EXPECT_EQ(walk.complexity(), 0); // a single leash has the trivial braid
}

// Two dogs are moved around each other by the test, so that the braid words are known.
TEST(LeashWalk, ReadsTheBraidOfDogsThatAreCarried) {
    World world({.gravity = {0, -9.81f, 0}});
    LeashDef def = dogsOf({Temperament::Wander, Temperament::Wander}, 1);
    def.dogs[0].strength = def.dogs[1].strength = 0; // the dogs do not walk
    LeashWalk walk = LeashWalk::start(world, def).value();
    const Vec3 start[2] = {world.centerOfMass(walk.dogs()[0].body), world.centerOfMass(walk.dogs()[1].body)};
    const Vec3 middle = 0.5f * (start[0] + start[1]);
    const float radius = 0.5f;
    // The dogs make one and a half turns about their middle. Seen from above, the right one passes in front first.
    const int frames = 600;
    for (int i = 0; i <= frames; ++i) {
        const float a = -1.5f * 6.2831853f * float(i) / float(frames);
        const Vec3 arm = {radius * std::cos(a), 0, -radius * std::sin(a)};
        for (int k : {0, 1}) {
            const BodyId body = walk.dogs()[k].body;
            const Vec3 to = k ? middle + arm : middle - arm, x = world.centerOfMass(body);
            world.setVelocity(body, 5.0f * Vec3{to.x - x.x, 0, to.z - x.z});
        }
        walk.step(world, kFrame);
    }
    // Letter +1: the dog at position 2 passes in front of (at greater z than) the dog at position 1. There are three
    // half turns.
    EXPECT_EQ(formatBraid(walk.word()), "s1 s1 s1");
    EXPECT_EQ(walk.disagreements(), 0);
    EXPECT_GT(walk.readings(), 90);
    ASSERT_TRUE(walk.reading().readable);
    EXPECT_EQ(formatBraid(walk.reading().word), "s1 s1 s1");
    ASSERT_TRUE(walk.untangle().has_value());
    EXPECT_EQ(walk.plan().size(), 3u); // one move for each letter
}

TEST(LeashWalk, TheSameSeedIsTheSameWalk) {
    std::uint64_t hash[3];
    for (int k : {0, 1, 2}) {
        World world({.backend = k == 1 ? Backend::Scalar : Backend::Simd});
        LeashWalk walk = LeashWalk::start(world, mixedDogs(3, k == 2 ? 5 : 4)).value();
        for (int i = 0; i < 120; ++i) walk.step(world, kFrame);
        hash[k] = world.hash();
    }
    EXPECT_EQ(hash[0], hash[1]);
    EXPECT_NE(hash[0], hash[2]);
}

TEST(LeashWalk, UntanglesWhatItTangled) {
    World world;
    LeashDef def = mixedDogs(3, 6); // `capstan validate tangle` tests more dogs
    def.untangleAt = 20;
    LeashWalk walk = LeashWalk::start(world, def).value();
    int most = 0;
    for (int i = 0; i < 60 * 90 && walk.state() <= State::Untangling; ++i) {
        walk.step(world, kFrame);
        most = std::max(most, walk.complexity());
    }
    EXPECT_EQ(walk.state(), State::Untangled) << walk.stuckBecause();
    EXPECT_GE(most, 2);
    EXPECT_EQ(walk.peakComplexity(), most);
    EXPECT_TRUE(walk.word().empty());
    EXPECT_TRUE(walk.reading().readable && walk.reading().word.empty());
    EXPECT_EQ(walk.tangles().count(), 0);
    EXPECT_EQ(walk.disagreements(), 0);
    walk.walkOn();
    EXPECT_EQ(walk.state(), State::Walking);
}

// Dogs that are too weak to walk cannot be untangled. In limited time the walk reports that it is stuck, not success.
TEST(LeashWalk, IsStuckWhenNothingMoves) {
    World world;
    LeashDef def = dogsOf({Temperament::Wander, Temperament::Wander}, 1);
    def.dogs[0].strength = def.dogs[1].strength = 0;
    def.patience = 1;
    LeashWalk walk = LeashWalk::start(world, def).value();
    ASSERT_TRUE(walk.untangle().has_value());
    for (int i = 0; i < 90; ++i) walk.step(world, kFrame);
    EXPECT_EQ(walk.state(), State::Stuck);
    EXPECT_NE(walk.stuckBecause().find("no progress in lining up"), std::string::npos);
}

TEST(LeashWalk, ACutLeashIsLooseAndNothingBreaks) {
    World world;
    LeashWalk walk = LeashWalk::start(world, mixedDogs(3, 1)).value();
    for (int i = 0; i < 30; ++i) walk.step(world, kFrame);
    world.cut(walk.dogs()[1].leash, 10);
    for (int i = 0; i < 30; ++i) walk.step(world, kFrame);
    EXPECT_TRUE(walk.dogs()[1].loose);
    const Status status = walk.untangle();
    ASSERT_FALSE(status.has_value());
    EXPECT_NE(status.error().what.find("dog2 is loose"), std::string::npos);
    world.remove(walk.dogs()[0].body);
    world.remove(walk.dogs()[2].leash);
    for (int i = 0; i < 30; ++i) walk.step(world, kFrame);
    EXPECT_TRUE(walk.dogs()[0].loose && walk.dogs()[2].loose);
}

TEST(LeashWalk, BadDefsNameTheField) {
    const auto where = [](const LeashDef& def) {
        World world;
        const Result<LeashWalk> walk = LeashWalk::start(world, def);
        EXPECT_TRUE(world.ids<RopeId>().empty() && world.ids<BodyId>().empty());
        return walk ? std::string("fine") : walk.error().where;
    };
    LeashDef def = mixedDogs(3, 1);
    def.dogs.clear();
    EXPECT_EQ(where(def), "/dogs");
    def = dogsOf(std::vector<Temperament>(13, Temperament::Sniff), 1);
    EXPECT_EQ(where(def), "/dogs");
    def = mixedDogs(3, 1);
    def.dogs[2].mass = -1;
    EXPECT_EQ(where(def), "/dogs/2/mass");
    def = mixedDogs(3, 1);
    def.hand.y = 5;
    EXPECT_EQ(where(def), "/hand");
    def = mixedDogs(3, 1);
    def.tangles.lockThreshold = 9;
    EXPECT_EQ(where(def), "/tangles/lockThreshold");
    def = mixedDogs(3, 1);
    def.radius = NAN;
    EXPECT_EQ(where(def), "/radius");
    def = mixedDogs(3, 1);
    def.dogs[0].name = def.dogs[1].name = "Rex";
    EXPECT_EQ(where(def), "/dogs/1"); // the first dog was removed again
}

} // namespace
} // namespace capstan
