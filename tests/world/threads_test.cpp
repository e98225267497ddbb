// SPDX-License-Identifier: MIT
// Tests of worker threads: every item is done once, with the same bits for any number of threads. The test also runs
// under the thread sanitizer.
#include "worlds.hpp"

#include "core/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace capstan {
namespace {

TEST(Threads, EveryItemIsDoneOnceInWholeGrains) {
    for (int count : {1, 2, 3, 4}) {
        Threads threads(count);
        for (int size : {0, 1, 7, 256, 1000}) {
            for (int grain : {1, 8, 64}) {
                std::vector<int> done(std::size_t(size), 0);
                threads.run(size, grain, [&](int begin, int end, int worker) {
                    EXPECT_LT(worker, count);
                    EXPECT_EQ(begin % grain, 0);
                    for (int i = begin; i < end; ++i) ++done[i];
                });
                for (int one : done) EXPECT_EQ(one, 1);
            }
        }
    }
}

// A worker that reaches the last job late must notice that the pool ends. A former version slept for ever, once in
// thousands of pools.
TEST(Threads, WhoComesLateToTheLastJobStopsToo) {
    for (int pools = 0; pools < (kWatched ? 300 : 4000); ++pools) {
        Threads threads(8);
        std::atomic<int> done{0};
        for (int job = 0; job < 4; ++job)
            threads.run(2, 1, [&](int begin, int end, int) { done += end - begin; });
        EXPECT_EQ(done, 8);
    }
}

TEST(Threads, AWorldGivesTheSameBits) {
    std::uint64_t hashes[3];
    int at = 0;
    for (int threads : {1, 2, 4}) {
        World w({.threads = threads});
        for (int i = 0; i < 40; ++i) {
            RopeDef d = hundredNodes(i % 3 == 0 ? 10.0f : 0, false, float(i));
            d.solver = i % 5 == 4 ? Solver::GaussSeidel : i % 5 == 3 ? Solver::Jacobi : Solver::Chain;
            w.add(d);
        }
        for (int i = 0; i < 20; ++i) w.step(1.0f / 60);
        hashes[at++] = w.hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

} // namespace
} // namespace capstan
