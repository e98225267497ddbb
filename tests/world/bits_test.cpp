// SPDX-License-Identifier: MIT
// Tests that the bits are the same on every backend, for any number of threads, after a snapshot, and beside other
// objects. A step allocates no memory.
#include "worlds.hpp"

#include <gtest/gtest.h>

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

constexpr float kFrame = 1.0f / 60;

// Fills a world with all features of ropes.
void populate(World& w) {
    for (int i = 0; i < 21; ++i) {
        RopeDef d = hundredNodes(i % 4 == 0 ? float(i * 10) : 0, i % 2 == 0, float(i));
        d.segments = 99 - i;
        if (i % 3 == 1) d.bendStiffness = 0.002f;
        if (i % 5 == 2) d.stretchStiffness = 2e3f;
        if (i % 6 == 3) d.damping = 0.5f;
        if (i % 7 == 5) d.maxBend = 0.3f;
        w.add(d);
    }
    for (int i = 0; i < 5; ++i) {
        RopeDef d;
        d.closed = true;
        d.segments = 30;
        d.pins = {3};
        d.bendStiffness = i % 2 ? 0.001f : 0;
        for (int k = 0; k < 30; ++k)
            d.points.push_back(
                {float(std::cos(k * M_PI / 15)), float(std::sin(k * M_PI / 15)), float(-2 - i)});
        w.add(d);
    }
    for (int i = 0; i < 6; ++i) {
        RopeDef d = hundredNodes(0, false, float(30 + i));
        d.solver = i % 2 ? Solver::Jacobi : Solver::GaussSeidel;
        d.iterations = 1 + i;
        d.tethers = i > 3;
        d.bendStiffness = i > 1 ? 1e-3f : 0;
        w.add(d);
    }
}

std::uint64_t hashAfter(WorldDef def, int frames) {
    World w(def);
    populate(w);
    for (int i = 0; i < frames; ++i) w.step(kFrame);
    EXPECT_EQ(w.report().quarantined, 0);
    return w.hash();
}

// The hash is the same on every machine, compiler and optimisation level. A change of the physics changes this line
// on purpose, and its commit gives the reason.
TEST(Bits, GoldenHash) { EXPECT_EQ(hashAfter({.contact = false}, 60), 0x1b3a09cc530aac51u); }

TEST(Bits, ScalarSimdAndThreadsAgree) {
    const int n = frames(120, 20);
    const std::uint64_t golden = hashAfter({.backend = Backend::Scalar, .threads = 1}, n);
    for (int threads : {1, 2, 4})
        EXPECT_EQ(hashAfter({.backend = Backend::Simd, .threads = threads}, n), golden) << threads;
    EXPECT_EQ(hashAfter({.backend = Backend::Scalar, .threads = 3}, n), golden);
}

TEST(Bits, SnapshotContinuesExactly) {
    World w({.contact = false}); // the ropes overlap, so contact is off
    populate(w);
    for (int i = 0; i < 40; ++i) w.step(kFrame);
    const Snapshot half = w.snapshot();
    for (int i = 0; i < 40; ++i) w.step(kFrame);
    const std::uint64_t once = w.hash();
    w.add(hundredNodes(5, false, -9)); // the world may have changed between the snapshot and the restore
    w.restore(half);
    for (int i = 0; i < 40; ++i) w.step(kFrame);
    EXPECT_EQ(w.hash(), once);
    World other;
    other.restore(half);
    for (int i = 0; i < 40; ++i) other.step(kFrame);
    EXPECT_EQ(other.hash(), once);
}

TEST(Bits, ARopeIsTheSameInAnyCompany) {
    World alone({.contact = false}), crowd({.contact = false}); // the ropes overlap, so contact is off
    const RopeId a = alone.add(hundredNodes(7));
    populate(crowd);
    const RopeId b = crowd.add(hundredNodes(7));
    for (int i = 0; i < 60; ++i) {
        alone.step(kFrame);
        crowd.step(kFrame);
    }
    for (std::size_t k = 0; k < 100; ++k) {
        EXPECT_EQ(alone.positions(a)[k].x, crowd.positions(b)[k].x);
        EXPECT_EQ(alone.velocities(a)[k].y, crowd.velocities(b)[k].y);
    }
}

TEST(Bits, NothingIsAllocatedInsideAStepOnceWarm) {
    for (int threads : {1, 2}) {
        World w({.contact = false, .threads = threads}); // steps with contact still allocate
        populate(w);
        w.step(kFrame);
        const long before = allocations;
        for (int i = 0; i < 30; ++i) w.step(kFrame);
        EXPECT_EQ(allocations, before);
    }
}

TEST(Bits, MemoryPerParticle) {
    World many;
    for (int i = 0; i < 200; ++i) many.add(hundredNodes(0, false, float(i)));
    many.step(kFrame);
    EXPECT_LE(double(many.bytes()) / (200 * 100), 400);
    World one;
    RopeDef d = hundredNodes();
    d.segments = 9999;
    one.add(d);
    one.step(kFrame);
    EXPECT_LE(double(one.bytes()) / 10000, 400);
}

} // namespace
} // namespace capstan
