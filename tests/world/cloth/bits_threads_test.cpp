// SPDX-License-Identifier: MIT
// Tests that cloth has the same bits on every backend and for any number of threads.
#include <tests/watched.hpp>

#include <capstan/capstan.hpp>

#include <gtest/gtest.h>

namespace capstan {
namespace {

std::uint64_t run(Backend backend, int threads, ClothSolver solver, int cells, int frames) {
    World world({.substeps = 4, .backend = backend, .threads = threads});
    world.add(BodyDef{.type = BodyType::Static, .shape = Sphere{0.3f}, .position = {0.5f, 0.4f, 0.5f}});
    for (int k = 0; k < 3; ++k) {
        ClothDef d;
        d.origin = {0.02f * float(k), 1 + 0.3f * float(k), 0};
        d.cellsU = cells;
        d.cellsV = cells + k;
        d.bendStiffness = 1e-4f;
        d.shearStiffness = 30;
        d.stretchStiffness = k == 1 ? 300.0f : 0;
        d.wind = {1, 0, 2};
        d.drag = k == 2 ? 1.0f : 0;
        if (k != 2) d.wind = {0, 0, 0};
        d.solver = solver;
        d.iterations = 1 + k;
        d.damping = 0.1f;
        d.selfContact = k == 0 && cells < 20;
        if (k == 1) d.pins = {0, cells};
        world.add(d);
    }
    for (int i = 0; i < frames; ++i) world.step(1.0f / 60);
    return world.hash();
}

TEST(ClothBits, AreThoseOfEveryBackendAndThreadCount) {
    for (const ClothSolver solver : {ClothSolver::GaussSeidel, ClothSolver::Jacobi}) {
        const std::uint64_t hash = run(Backend::Scalar, 1, solver, 11, 15);
        for (const int threads : {1, 2, 3, 4}) EXPECT_EQ(run(Backend::Simd, threads, solver, 11, 15), hash);
        EXPECT_EQ(run(Backend::Scalar, 4, solver, 11, 15), hash);
    }
}

TEST(ClothBits, OfSheetsThatAllThreadsWorkOn) {
    for (const ClothSolver solver : {ClothSolver::GaussSeidel, ClothSolver::Jacobi}) {
        if (kWatched) { // one thread cannot have a data race
            run(Backend::Simd, 3, solver, 95, 1);
            continue;
        }
        const std::uint64_t hash = run(Backend::Scalar, 1, solver, 95, 1);
        for (const int threads : {1, 3}) EXPECT_EQ(run(Backend::Simd, threads, solver, 95, 1), hash);
    }
}

} // namespace
} // namespace capstan
