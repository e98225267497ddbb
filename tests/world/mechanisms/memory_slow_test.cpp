// SPDX-License-Identifier: MIT
// Tests that after the first steps a step allocates no memory, with all kinds of bodies, joints and ropes.
#include "mechanisms.hpp"

#include <worlds/zoo.hpp>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};
}
// Counts every allocation of this program.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete" // this new and delete do match
void* operator new(std::size_t n) {
    ++allocations;
    if (void* p = std::malloc(n)) return p;
    std::abort();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace capstan {
namespace {

long allocationsOf(World& w) {
    for (int i = 0; i < 30; ++i) w.step(kFrame);
    const long before = allocations;
    for (int i = 0; i < 30; ++i) w.step(kFrame);
    return allocations - before;
}

TEST(MechanismMemory, TreesTakeNoneInsideAStep) {
    for (int threads : {1, 2}) {
        World w({.contact = false, .threads = threads});
        for (int kind = 0; kind < kZooKinds; ++kind)
            for (int i = 0; i < 3; ++i) addTree(w, kind, i);
        EXPECT_EQ(allocationsOf(w), 0) << threads;
    }
}

TEST(MechanismMemory, RopesLoopsAndPullsTakeNoneInsideAStep) {
    World w({.contact = false});
    for (int i = 0; i < 3; ++i) addMechanisms(w, i);
    EXPECT_EQ(allocationsOf(w), 0);
}

} // namespace
} // namespace capstan
