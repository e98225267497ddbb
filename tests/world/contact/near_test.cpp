// SPDX-License-Identifier: MIT
// Tests of WorldDef::minSeparationRatio: ropes keep this least distance. A substep in which they would come nearer is
// repeated as two halves.
#include "contact_ropes.hpp"

#include <worlds/heap.hpp>

namespace capstan {
namespace {

WorldDef keepingApart(WorldDef def = {}) {
    def.minSeparationRatio = 0.92f;
    return def;
}

struct Nearest {
    float distance = 1;
    int halvedSubsteps = 0, substeps = 0; // halved substeps in total; most substeps in one step
    void see(const Report& r) {
        distance = std::min(distance, r.minSeparationRatio);
        halvedSubsteps += r.halvedSubsteps;
        substeps = std::max(substeps, r.substeps);
    }
};

Nearest snap(const WorldDef& def) {
    World w(def);
    const Snap knot(w, {0, 0, 0});
    Nearest n;
    for (int i = 0; i < 20; ++i) {
        knot.draw(w, i);
        n.see(w.step(kFrame));
    }
    return n;
}

TEST(TouchNear, AKnotThatSnapsTightKeepsItsDistance) {
    for (const int substeps : {1, 4}) {
        WorldDef def = weightless();
        def.substeps = substeps;
        const Nearest plain = snap(def), apart = snap(keepingApart(def));
        EXPECT_LT(plain.distance, substeps == 4 ? 0.9f : 1.0f) << substeps;
        EXPECT_EQ(plain.halvedSubsteps, 0) << substeps;
        EXPECT_GE(apart.distance, 0.92f) << substeps;
        EXPECT_GT(apart.halvedSubsteps, 0) << substeps;
        EXPECT_LE(apart.substeps, 256) << substeps;
    }
}

// Two moved pins approach each other and stop at the least distance. Only the step bound acts, because no contact
// acts between pins.
TEST(TouchNear, HandsThatAreLedTogether) {
    for (const float least : {0.0f, 0.5f, 0.95f}) {
        WorldDef def = weightless();
        def.minSeparationRatio = least;
        World w(def);
        const RopeId a = w.add(straight({0, 0, 0}, {-0.4f, 0, 0}, 20)),
                     b = w.add(straight({0.2f, 0, 0.004f}, {0.6f, 0, 0}, 20));
        float nearest = 1;
        for (int i = 0; i < 30; ++i) {
            w.pin({a, first}, {0, 0, 0});
            w.pin({b, first}, {std::max(0.0f, 0.2f - 0.01f * float(i + 1)), 0, 0.004f});
            nearest = std::min(nearest, w.step(kFrame).minSeparationRatio);
        }
        EXPECT_GE(nearest, std::max(0.2f, least) - 1e-6f);
        EXPECT_LE(nearest, std::max(0.5f, least) + 0.1f); // the pins do come near
        EXPECT_LT(topSpeed(w), 10);
    }
}

// The distance is kept even if nodes fly in all directions at 300 m/s. In the shortest substep that is many times
// their thickness.
TEST(TouchNear, AKnotThatIsShotToPieces) {
    WorldDef def = keepingApart(weightless());
    World w(def);
    const Snap knot(w, {0, 0, 0});
    const int nodes = int(w.positions(knot.rope()).size());
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < nodes; ++k) {
            const float a = 2.4f * float(k + 7 * i); // the golden angle
            w.setVelocity({knot.rope(), k}, {300 * std::cos(a), 300 * std::sin(a), 200 * std::sin(7 * a)});
        }
        const Report& r = w.step(kFrame);
        EXPECT_GE(r.minSeparationRatio, 0.92f - 1e-6f) << "frame " << i;
        EXPECT_LT(r.maxStretch, 0.01f) << "frame " << i;
    }
    EXPECT_EQ(w.report().quarantined, 0);
}

// Steps in which no objects come too near keep their bits. The world has bodies, joints, a mesh and a kinematic body.
TEST(TouchNear, ChangesNothingWhereNothingIsTooNear) {
    std::uint64_t hash[2];
    for (const bool on : {false, true}) {
        WorldDef def;
        def.minSeparationRatio = on ? 0.3f : 0.0f;
        World w(def);
        const Heap heap = populateHeap(w);
        for (int i = 0; i < 22; ++i) {
            stepHeap(w, heap, i);
            EXPECT_EQ(w.report().halvedSubsteps, 0) << "frame " << i;
        }
        EXPECT_GT(w.report().contacts, 20);
        hash[on] = w.hash();
    }
    EXPECT_EQ(hash[0], hash[1]);
}

TEST(TouchNear, BackendsAgree) {
    std::uint64_t hash[2];
    for (const bool wide : {false, true}) {
        WorldDef def = keepingApart();
        def.backend = wide ? Backend::Simd : Backend::Scalar;
        World w(def);
        const SnapInHeap heap(w);
        Nearest n;
        for (int i = 0; i < 6; ++i) {
            heap.step(w, i);
            n.see(w.report());
        }
        EXPECT_GT(n.halvedSubsteps, 0);
        hash[wide] = w.hash();
    }
    EXPECT_EQ(hash[0], hash[1]);
}

TEST(TouchNear, SnapshotContinuesBitForBit) {
    World w(keepingApart());
    const SnapInHeap heap(w);
    for (int i = 0; i < 6; ++i) stepHeap(w, heap.heap, i);
    const Snapshot snapshot = w.snapshot();
    Nearest n;
    for (int i = 6; i < 12; ++i) {
        heap.step(w, i);
        n.see(w.report());
    }
    EXPECT_GT(n.halvedSubsteps, 0);
    const std::uint64_t straightOn = w.hash();
    World other;
    other.restore(snapshot);
    for (int i = 6; i < 12; ++i) heap.step(other, i);
    EXPECT_EQ(other.hash(), straightOn);
}

// A repeated substep has no effect twice: winches wind once, kinematic bodies arrive, and joints hold.
TEST(TouchNear, WhatIsTakenAgainIsDoneOnce) {
    World w(keepingApart());
    const SnapInHeap heap(w);
    Nearest n;
    for (int i = 0; i < 10; ++i) {
        heap.step(w, i);
        n.see(w.report());
        double rest = 0;
        for (float l : w.restLengths(heap.paid)) rest += widen(l);
        EXPECT_NEAR(rest, 0.6 + 0.5 * (i + 1) / 60, 1e-5) << "frame " << i;
        EXPECT_NEAR(w.centerOfMass(heap.heap.kinematic).x, 0.6 - 0.4 * std::sin(i * 0.05), 1e-6)
            << "frame " << i;
        EXPECT_LT(w.report().maxGap, 1e-3f) << "frame " << i;
    }
    EXPECT_GT(n.halvedSubsteps, 0);
}

// Ropes that start too near each other stay there, and get no high speed.
TEST(TouchNear, RopesThatBeginInEachOther) {
    World w(keepingApart(weightless()));
    const RopeDef along = straight({-0.5f, 0, 0}, {0.5f, 0, 0}, 40);
    w.add(along);
    w.add(along);                                                     // two ropes at one position
    w.add(straight({0, 0, -0.5f}, {0, 0, 0.5f}, 40));                 // a rope through both
    w.add(straight({0.2f, 0.013f, -0.5f}, {0.2f, 0.013f, 0.5f}, 40)); // at 0.65 of the distance of contact
    Nearest n;
    for (int i = 0; i < 60; ++i) {
        n.see(w.step(kFrame));
        ASSERT_LT(topSpeed(w), 2) << "frame " << i;
    }
    EXPECT_LE(n.substeps, 64);
    EXPECT_EQ(w.report().quarantined, 0);
}

TEST(TouchNear, BadValuesAreRefused) {
    for (const float bad :
         {-0.1f, 0.96f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        World w;
        WorldDef def;
        def.minSeparationRatio = bad;
        const Status got = w.tryConfigure(def);
        ASSERT_FALSE(got) << bad;
        EXPECT_EQ(got.error().where, "/minSeparationRatio") << bad;
        EXPECT_EQ(w.def().minSeparationRatio, 0) << bad;
    }
}

} // namespace
} // namespace capstan
