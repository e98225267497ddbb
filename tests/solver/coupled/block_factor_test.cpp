// SPDX-License-Identifier: MIT
// Tests of the sparse matrix of 6 x 6 blocks. Its solution is put back into the matrix. A chain or tree gets no further
// blocks.
#include "solver/coupled/bodies/block_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace capstan {
namespace {

using Edges = std::vector<std::pair<int, int>>;

// A dense copy of the matrix: 6 n x 6 n numbers.
std::vector<double> dense(const BlockFactor& m, int size, const Edges& edges) {
    const std::size_t n = 6 * std::size_t(size);
    std::vector<double> a(n * n, 0);
    const auto at = [&](int i, int j) -> double& { return a[std::size_t(i) * n + std::size_t(j)]; };
    for (int k = 0; k < size; ++k)
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
                at(6 * k + i, 6 * k + j) =
                    m.diagonal[std::size_t(m.position[std::size_t(k)])][std::size_t(6 * i + j)];
    for (const auto& [x, y] : edges) {
        const bool later = m.position[std::size_t(x)] > m.position[std::size_t(y)];
        const int row = later ? x : y, column = later ? y : x;
        const BlockFactor::Block& b = m.below[std::size_t(m.blockOf(x, y))];
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
                at(6 * row + i, 6 * column + j) = at(6 * column + j, 6 * row + i) = b[std::size_t(6 * i + j)];
    }
    return a;
}

// Fills the matrix by chance, with a diagonal that dominates.
void fill(BlockFactor& m, const Edges& edges, std::uint32_t seed) {
    const auto dice = [&] {
        seed = seed * 1664525u + 1013904223u;
        return double(seed >> 8) / double(1 << 24) - 0.5;
    };
    m.clear();
    for (const auto& [x, y] : edges)
        for (double& a : m.below[std::size_t(m.blockOf(x, y))]) a = dice();
    for (BlockFactor::Block& d : m.diagonal)
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j <= i; ++j) d[6 * i + j] = d[6 * j + i] = i == j ? 20 + dice() : dice();
}

void expectSolved(int size, const Edges& edges, std::size_t blocks) {
    BlockFactor m;
    ASSERT_TRUE(m.order(size, edges, 1000));
    EXPECT_EQ(m.below.size(), blocks);
    fill(m, edges, std::uint32_t(size));
    const std::vector<double> a = dense(m, size, edges);
    std::vector<BlockFactor::Part> x(static_cast<std::size_t>(size));
    for (std::size_t k = 0; k < x.size(); ++k)
        for (std::size_t i = 0; i < 6; ++i) x[k][i] = std::sin(double(6 * k + i));
    const auto b = x;
    m.factor();
    m.solve(x);
    const std::size_t n = 6 * x.size();
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j) sum += a[i * n + j] * x[j / 6][j % 6];
        EXPECT_NEAR(sum, b[i / 6][i % 6], 1e-12);
    }
}

TEST(BlockFactor, SolvesAChainWithoutFurtherBlocks) {
    expectSolved(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}, 5);
}
TEST(BlockFactor, SolvesATreeWithoutFurtherBlocks) {
    expectSolved(7, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {2, 6}}, 6);
}
TEST(BlockFactor, SolvesALoopWithTheBlocksThatItNeeds) {
    expectSolved(5, {{0, 1}, {0, 4}, {1, 2}, {2, 3}, {3, 4}}, 7);
}
TEST(BlockFactor, SolvesBodiesThatTouchNothing) { expectSolved(3, {{0, 2}}, 1); }
TEST(BlockFactor, RefusesTooManyBlocks) {
    Edges all;
    for (int i = 0; i < 8; ++i)
        for (int j = i + 1; j < 8; ++j) all.push_back({i, j});
    BlockFactor m;
    EXPECT_FALSE(m.order(8, all, 27));
    EXPECT_TRUE(m.order(8, all, 28));
}

} // namespace
} // namespace capstan
