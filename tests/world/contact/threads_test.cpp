// SPDX-License-Identifier: MIT
// Tests that contact gives the same bits for any number of threads.
#include "contact_ropes.hpp"

#include <worlds/heap.hpp>

namespace capstan {
namespace {

TEST(TouchThreads, AnyNumberGivesTheSameBits) {
    std::uint64_t one = 0;
    for (const int threads : {1, 2, 3}) {
        if (kWatched && threads < 3) continue; // a sanitizer needs only the run with several threads
        WorldDef def;
        def.threads = threads;
        World w(def);
        const Heap heap = populateHeap(w);
        for (int i = 0; i < 18; ++i) stepHeap(w, heap, i);
        EXPECT_GT(w.report().contacts, 20);
        if (one == 0) one = w.hash();
        EXPECT_EQ(w.hash(), one) << threads << " threads";
    }
}

// Substeps are repeated if objects are too near. Many threads search for such objects at once.
TEST(TouchThreads, SubstepsTakenAgainGiveTheSameBits) {
    std::uint64_t one = 0;
    for (const int threads : {1, 3}) {
        if (kWatched && threads < 3) continue;
        WorldDef def;
        def.threads = threads;
        def.minSeparationRatio = 0.92f;
        World w(def);
        const SnapInHeap heap(w);
        int halvedSubsteps = 0;
        for (int i = 0; i < 6; ++i) {
            heap.step(w, i);
            halvedSubsteps += w.report().halvedSubsteps;
        }
        EXPECT_GT(halvedSubsteps, 0);
        if (one == 0) one = w.hash();
        EXPECT_EQ(w.hash(), one) << threads << " threads";
    }
}

// There are many islands, which are distributed over threads.
TEST(TouchThreads, ManyClustersGiveTheSameBits) {
    std::uint64_t one = 0;
    for (const int threads : {1, 3}) {
        if (kWatched && threads < 3) continue;
        WorldDef def;
        def.threads = threads;
        World w(def);
        w.add(floorAt());
        for (int k = 0; k < 12; ++k) {
            const float x = 2 * float(k);
            w.add(straight({x - 0.2f, 0.15f, 0}, {x + 0.2f, 0.15f, 0}, 12 + k % 3));
            w.add(straight({x, 0.05f, -0.2f}, {x, 0.05f, 0.2f}, 12));
            w.add(box({x, 0.3f, 0}));
        }
        for (int i = 0; i < 20; ++i) w.step(kFrame);
        EXPECT_GT(w.report().contacts, 100);
        if (one == 0) one = w.hash();
        EXPECT_EQ(w.hash(), one) << threads << " threads";
    }
}

} // namespace
} // namespace capstan
