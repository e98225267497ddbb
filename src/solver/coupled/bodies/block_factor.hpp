// SPDX-License-Identifier: MIT
// A sparse symmetric positive definite matrix of 6 x 6 blocks, one for each body, and its Cholesky factor:
//     A = L L^T,    L_jj = chol(A_jj),   L_ij = A_ij L_jj^-T,   A_ik -= L_ij L_kj^T   for i, k > j
// Bodies are eliminated in the order of least degree (Tinney and Walker 1967). A chain or a tree of contacts gets no
// further blocks, so its cost is O(n). See T. Davis, "Direct Methods for Sparse Linear Systems" (2006), chapters 4, 7.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace capstan {

struct BlockFactor {
    using Block = std::array<double, 36>; // by row
    using Part = std::array<double, 6>;   // of a vector: the unknowns of a body

    std::vector<int> position,
        unknown;            // position of each unknown in the order of elimination, and the inverse
    std::vector<int> first; // by position: its first block below the diagonal; one more at the end
    std::vector<int> row;   // by block below the diagonal: the position of its row, rising in a column
    std::vector<int>
        target; // by pair of blocks of a column: the block that the pair changes; -1 - k: diagonal k
    std::vector<Block> diagonal, below;

    // Finds the order and the positions of all blocks. Edges are pairs of unknowns, the lower first, sorted. Returns false
    // if there would be more than `most` blocks below the diagonal.
    bool order(int size, const std::vector<std::pair<int, int>>& edges, std::size_t most);
    // Returns the block of two unknowns, which must be an edge. The row is the one that is eliminated later.
    int blockOf(int a, int b) const;
    void clear();
    void factor();                          // replaces the blocks by those of L
    void solve(std::vector<Part>& b) const; // by unknown

private:
    std::vector<std::vector<int>> near_; // working memory of order()
};

} // namespace capstan
