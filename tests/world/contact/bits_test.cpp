// SPDX-License-Identifier: MIT
// Tests that contact gives the same bits on both CPU backends, after a snapshot, and beside other objects.
#include "contact_ropes.hpp"

#include <worlds/heap.hpp>

namespace capstan {
namespace {

constexpr int kFrames = 22, kSaved = 16;

std::uint64_t hashAfter(const WorldDef& def, int frames) {
    World w(def);
    const Heap heap = populateHeap(w);
    for (int i = 0; i < frames; ++i) stepHeap(w, heap, i);
    EXPECT_GT(w.report().contacts, 20); // the test needs contacts
    EXPECT_LT(topSpeed(w), 20);
    return w.hash();
}

void expectSame(std::span<const Point> a, std::span<const Point> b, const char* what) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k)
        ASSERT_TRUE(a[k].x == b[k].x && a[k].y == b[k].y && a[k].z == b[k].z) << what << ", node " << k;
}

TEST(TouchBits, BackendsAgree) {
    WorldDef scalar, simd;
    scalar.backend = Backend::Scalar;
    EXPECT_EQ(hashAfter(scalar, kFrames), hashAfter(simd, kFrames));
}

// Ropes of different lengths share SIMD lanes, and one of them starts inside a drum. Its diverged solve must not
// change the other ropes.
TEST(TouchBits, BackendsAgreeOnARopeInADrum) {
    for (const int segments : {24, 25, 26}) {
        std::uint64_t hash[2];
        for (const bool wide : {false, true}) {
            WorldDef def;
            def.backend = wide ? Backend::Simd : Backend::Scalar;
            World w(def);
            w.add(straight({0.02f, 0.3f, -0.4f}, {0.01f, 0.3f, 0.4f}, segments));
            w.add(straight({-0.4f, 0.34f, 0.01f}, {0.4f, 0.34f, 0.02f}, 25));
            BodyDef drum = poleAlongZ({-0.2f, 0.35f, 0}, 0.1f, 0.4f, 0.5f);
            drum.type = BodyType::Dynamic;
            JointDef axle = joint(JointType::Motor, BodyRef{}, w.add(drum), {-0.2f, 0.35f, 0}, {0, 0, 1});
            axle.turn.speed = 3;
            w.add(axle);
            for (int i = 0; i < 5; ++i) w.step(kFrame);
            hash[wide] = w.hash();
        }
        EXPECT_EQ(hash[0], hash[1]) << segments;
    }
}

TEST(TouchBits, SnapshotContinuesBitForBit) {
    World w;
    const Heap heap = populateHeap(w);
    for (int i = 0; i < kSaved; ++i) stepHeap(w, heap, i);
    ASSERT_GT(w.report().contacts, 20);
    const Snapshot snapshot = w.snapshot();
    const std::size_t contacts = w.contacts().size();
    for (int i = kSaved; i < kFrames; ++i) stepHeap(w, heap, i);
    const std::uint64_t straightOn = w.hash();

    w.restore(snapshot);
    EXPECT_EQ(w.contacts().size(), contacts);
    for (int i = kSaved; i < kFrames; ++i) stepHeap(w, heap, i);
    EXPECT_EQ(w.hash(), straightOn) << "in the same world";

    World other;
    other.add(straight({0, 0, 0}, {1, 0, 0}, 7)); // the world contained another rope before
    other.step(kFrame);
    other.restore(snapshot);
    for (int i = kSaved; i < kFrames; ++i) stepHeap(other, heap, i);
    EXPECT_EQ(other.hash(), straightOn) << "in another world";
}

// Objects far away that are in contact with each other do not change the result, whether added before or after.
TEST(TouchBits, FarAwayCompanyChangesNothing) {
    auto here = [](World& w) {
        w.add(floorAt());
        RopeDef d = straight({-0.3f, 0.3f, 0}, {0.3f, 0.2f, 0}, 30),
                e = straight({0, 0.1f, -0.3f}, {0.05f, 0.1f, 0.3f}, 30);
        w.add(d);
        return w.add(e);
    };
    auto there = [](World& w) {
        for (int k = 0; k < 9; ++k) {
            const float y = 0.1f + 0.05f * float(k);
            w.add(k % 2 ? straight({49.5f, y, 0}, {50.5f, y, 0}, 30)
                        : straight({50, y, -0.5f}, {50, y, 0.5f}, 30));
        }
        w.add(box({50, 0.8f, 0}));
    };
    World alone, before, after;
    const RopeId a = here(alone);
    there(before);
    const RopeId b = here(before);
    const RopeId c = here(after);
    there(after);
    for (int i = 0; i < kFrames; ++i) {
        alone.step(kFrame);
        before.step(kFrame);
        after.step(kFrame);
    }
    ASSERT_GT(alone.report().contacts, 10);
    ASSERT_GT(before.report().contacts, alone.report().contacts);
    expectSame(alone.positions(a), before.positions(b), "company added before");
    expectSame(alone.positions(a), after.positions(c), "company added after");
}

// The same ropes are simulated several times in one world and then in a new one. Working memory must not keep
// anything.
TEST(TouchBits, AWorldThatHasLivedIsAsGoodAsNew) {
    World w;
    const Heap heap = populateHeap(w);
    for (int i = 0; i < 10; ++i) stepHeap(w, heap, i);
    World fresh;
    const Snapshot empty = World().snapshot();
    w.restore(empty);
    const Heap again = populateHeap(w), first = populateHeap(fresh);
    for (int i = 0; i < 20; ++i) {
        stepHeap(w, again, i);
        stepHeap(fresh, first, i);
    }
    EXPECT_EQ(w.hash(), fresh.hash());
}

} // namespace
} // namespace capstan
