// SPDX-License-Identifier: MIT
// Folds that run along ropes, and steps of unequal length: the same bits on every backend and beside any other rope.
#include <tests/world/worlds.hpp>

#include <gtest/gtest.h>

namespace capstan {
namespace {

// A rope folded in two; its second half flies along x at speed v.
RopeId addFold(World& w, int segments, float v, float z) {
    RopeDef d;
    d.segments = 0;
    const int half = segments / 2;
    for (int i = 0; i <= segments; ++i)
        d.points.push_back(
            {i <= half ? -0.02f * float(i) : -0.02f * float(segments - 1 - i), i <= half ? 0.0f : 0.02f, z});
    d.mass = 1;
    d.pins = {first};
    const RopeId rope = w.add(d);
    for (int i = half + 1; i <= segments; ++i) w.setVelocity({rope, i}, {v, 0, 0});
    return rope;
}

// Seconds of frame i: they jump, and every tenth frame is in slow motion.
float lengthOf(int i) { return i % 10 == 9 ? 0.001f : i % 3 == 0 ? 0.033f : 0.007f; }

TEST(Kinks, TakeOneRopeOutOfItsLanesAndLeaveTheOthersAsTheyWere) {
    World alone({.contact = false}), beside({.contact = false});
    std::vector<RopeId> a, b;
    for (int i = 0; i < 3; ++i) {
        a.push_back(alone.add(hundredNodes(float(10 * i), false, float(i))));
        if (i == 1) addFold(beside, 99, 30, 9);
        b.push_back(beside.add(hundredNodes(float(10 * i), false, float(i))));
    }
    int solves = 0, more = 0;
    for (int i = 0; i < 40; ++i) {
        solves += alone.step(lengthOf(i)).solves;
        more += beside.step(lengthOf(i)).solves;
    }
    EXPECT_GT(more, 3 * solves); // the fold was cut into parts
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 100; ++k) {
            EXPECT_EQ(alone.positions(a[i])[k].x, beside.positions(b[i])[k].x);
            EXPECT_EQ(alone.velocities(a[i])[k].y, beside.velocities(b[i])[k].y);
        }
}

TEST(Kinks, AreTheSameOnEveryBackendWithUnequalSteps) {
    auto hash = [](Backend backend, int threads) {
        World w({.contact = false, .backend = backend, .threads = threads});
        for (int i = 0; i < 9; ++i) {
            addFold(w, 90 + i, float(5 * i), float(i));
            w.add(hundredNodes(float(i), i % 2 == 0, float(20 + i)));
        }
        for (int i = 0; i < 60; ++i) w.step(lengthOf(i));
        return w.hash();
    };
    const std::uint64_t scalar = hash(Backend::Scalar, 1);
    EXPECT_EQ(hash(Backend::Simd, 1), scalar);
    EXPECT_EQ(hash(Backend::Simd, 4), scalar);
}

TEST(Kinks, ContinueFromASnapshotWithUnequalSteps) {
    World w({.contact = false});
    addFold(w, 90, 30, 0);
    w.add(hundredNodes(100));
    for (int i = 0; i < 20; ++i) w.step(lengthOf(i));
    const Snapshot then = w.snapshot();
    for (int i = 20; i < 40; ++i) w.step(lengthOf(i));
    const std::uint64_t straight = w.hash();
    w.restore(then);
    for (int i = 20; i < 40; ++i) w.step(lengthOf(i));
    EXPECT_EQ(w.hash(), straight);
}

// A fold whose drawn end is tied to a body that flies at speed v.
RopeId addTiedFold(World& w, int segments, float v, float z) {
    const RopeId rope = addFold(w, segments, v, z);
    BodyDef d;
    d.shape = Sphere{0.01f};
    d.mass = 100;
    d.position = Vec3(w.positions(rope).back());
    d.velocity = {v, 0, 0};
    EXPECT_TRUE(w.attach({rope, last}, {w.add(d), {0, 0, 0}}));
    return rope;
}

// A rope that hangs with a body on it and hardly moves.
RopeId addLoaded(World& w, float x) {
    const RopeId rope = w.add(hundredNodes(x));
    BodyDef d;
    d.shape = Sphere{0.1f};
    d.mass = 3;
    d.position = Vec3(w.positions(rope).back());
    EXPECT_TRUE(w.attach({rope, last}, {w.add(d), {0, 0, 0}}));
    return rope;
}

TEST(Kinks, OfARopeOnABodyTakeMoreSubstepsAndLeaveTheOthersAsTheyWere) {
    World alone({.contact = false}), beside({.contact = false});
    std::vector<RopeId> a, b;
    for (int i = 0; i < 3; ++i) {
        a.push_back(addLoaded(alone, float(10 * i)));
        if (i == 1) addTiedFold(beside, 99, 30, 9);
        b.push_back(addLoaded(beside, float(10 * i)));
    }
    int refined = 0;
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(alone.step(lengthOf(i)).refinedSubsteps, 0);
        refined += beside.step(lengthOf(i)).refinedSubsteps;
    }
    EXPECT_GT(refined, 10);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 100; ++k) {
            EXPECT_EQ(alone.positions(a[i])[k].x, beside.positions(b[i])[k].x);
            EXPECT_EQ(alone.velocities(a[i])[k].y, beside.velocities(b[i])[k].y);
        }
}

TEST(Kinks, OfRopesOnBodiesAreTheSameOnEveryBackendAndAfterASnapshot) {
    auto hash = [](Backend backend, int threads, bool restored) {
        World w({.contact = false, .backend = backend, .threads = threads});
        for (int i = 0; i < 5; ++i) {
            addTiedFold(w, 90 + i, float(5 * i), float(i));
            addLoaded(w, float(20 + i));
        }
        for (int i = 0; i < 20; ++i) w.step(lengthOf(i));
        const Snapshot then = w.snapshot();
        for (int i = 20; i < 30; ++i) w.step(lengthOf(i));
        if (!restored) return w.hash();
        w.restore(then);
        for (int i = 20; i < 30; ++i) w.step(lengthOf(i));
        return w.hash();
    };
    const std::uint64_t scalar = hash(Backend::Scalar, 1, false);
    EXPECT_EQ(hash(Backend::Simd, 1, false), scalar);
    EXPECT_EQ(hash(Backend::Simd, 4, true), scalar);
}

// A rope whose nodes fly apart at up to 1000 m/s. No substep can follow such speeds, so the last resort acts.
RopeId addBurst(World& w, std::vector<int> pins) {
    RopeDef d;
    d.segments = 200;
    d.to = {1, 0, 0};
    d.mass = 2;
    d.pins = std::move(pins);
    const RopeId rope = w.add(d);
    std::uint32_t seed = 1;
    for (int k = 0; k <= 200; ++k) {
        float v[3];
        for (float& part : v)
            part = 1e3f * (float((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0f - 0.4f);
        w.setVelocity({rope, k}, {v[0], v[1], v[2]});
    }
    return rope;
}

TEST(Kinks, LastResortKeepsTheMomentumOfARopeInTheAir) {
    World w({.gravity = {0, 0, 0}, .substeps = 1, .contact = false});
    const RopeId rope = addBurst(w, {});
    const Vec3d before = momentum(w, rope);
    int held = 0;
    for (int i = 0; i < 5; ++i) held += w.step(1.0f / 60).heldStill;
    EXPECT_GT(held, 0);
    const Vec3d lost = momentum(w, rope) - before;
    EXPECT_LE(std::sqrt(dot(lost, lost)), 1e-5 * std::sqrt(dot(before, before)));
}

TEST(Kinks, LastResortLetsARopeOnAPinFlyOnAndGivesItNoEnergy) {
    World w({.gravity = {0, 0, 0}, .substeps = 1, .contact = false});
    addBurst(w, {first});
    int held = 0;
    for (int i = 0; i < 20; ++i) {
        const double before = w.energy().kinetic;
        const int now = w.step(1.0f / 60).heldStill;
        held += now;
        EXPECT_LE(w.energy().kinetic, before * (1 + 1e-6));
        EXPECT_GT(w.energy().kinetic, 0.01 * before);
        EXPECT_LE(w.report().maxStrain, 1e-3f);
    }
    EXPECT_GT(held, 0);
}

} // namespace
} // namespace capstan
