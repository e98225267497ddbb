// SPDX-License-Identifier: MIT
// See block_factor.hpp.
#include "solver/coupled/bodies/block_factor.hpp"

#include <capstan/math/vec.hpp>

#include <algorithm>

namespace capstan {
namespace {

using Block = BlockFactor::Block;
using Part = BlockFactor::Part;

// The lower half of A is replaced by its Cholesky factor, whose diagonal holds reciprocals.
void cholesky(Block& a) {
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = a[6 * i + j];
            for (int k = 0; k < j; ++k) sum -= a[6 * i + k] * a[6 * j + k];
            a[6 * i + j] = i == j ? 1 / sqrt(max(sum, 1e-300)) : sum * a[6 * j + j];
        }
}
// B becomes B L^-T.
void divide(Block& b, const Block& l) {
    for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 6; ++i) {
            double sum = b[6 * i + j];
            for (int k = 0; k < j; ++k) sum -= b[6 * i + k] * l[6 * j + k];
            b[6 * i + j] = sum * l[6 * j + j];
        }
}
// C becomes C - A B^T.
void subtract(Block& c, const Block& a, const Block& b) {
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            double sum = c[6 * i + j];
            for (int k = 0; k < 6; ++k) sum -= a[6 * i + k] * b[6 * j + k];
            c[6 * i + j] = sum;
        }
}

} // namespace

bool BlockFactor::order(int size, const std::vector<std::pair<int, int>>& edges, std::size_t most) {
    if (int(near_.size()) < size) near_.resize(std::size_t(size));
    for (auto& list : near_) list.clear();
    for (const auto& [a, b] : edges) {
        near_[a].push_back(b);
        near_[b].push_back(a);
    }
    for (auto& list : near_) std::sort(list.begin(), list.end());
    position.assign(std::size_t(size), -1);
    unknown.clear();
    first.assign(1, 0);
    row.clear();
    for (int k = 0; k < size; ++k) {
        int best = -1;
        for (int i = 0; i < size; ++i)
            if (position[i] < 0 && (best < 0 || near_[i].size() < near_[best].size())) best = i;
        position[best] = k;
        unknown.push_back(best);
        const std::vector<int>& list = near_[best];
        row.insert(row.end(), list.begin(), list.end()); // unknowns; they become positions below
        first.push_back(int(row.size()));
        if (row.size() > most) return false;
        for (int i : list) {
            std::vector<int>& other = near_[i];
            other.erase(std::lower_bound(other.begin(), other.end(), best));
            for (int j : list) {
                const auto at = std::lower_bound(other.begin(), other.end(), j);
                if (j != i && (at == other.end() || *at != j)) other.insert(at, j);
            }
        }
    }
    for (int& r : row) r = position[r];
    for (int k = 0; k < size; ++k) std::sort(row.begin() + first[k], row.begin() + first[k + 1]);
    target.clear();
    for (int k = 0; k < size; ++k)
        for (int i = first[k]; i < first[k + 1]; ++i)
            for (int j = first[k]; j <= i; ++j)
                target.push_back(i == j ? -1 - row[i] : blockOf(unknown[row[i]], unknown[row[j]]));
    diagonal.resize(std::size_t(size));
    below.resize(row.size());
    return true;
}

int BlockFactor::blockOf(int a, int b) const {
    const int column = std::min(position[a], position[b]), other = std::max(position[a], position[b]);
    return int(std::lower_bound(row.begin() + first[column], row.begin() + first[column + 1], other) -
               row.begin());
}

void BlockFactor::clear() {
    for (Block& b : diagonal) b.fill(0);
    for (Block& b : below) b.fill(0);
}

void BlockFactor::factor() {
    const int* to = target.data();
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
        cholesky(diagonal[k]);
        for (int i = first[k]; i < first[k + 1]; ++i) {
            divide(below[i], diagonal[k]);
            for (int j = first[k]; j <= i; ++j, ++to)
                subtract(*to < 0 ? diagonal[-1 - *to] : below[*to], below[i], below[j]);
        }
    }
}

void BlockFactor::solve(std::vector<Part>& b) const {
    const std::size_t size = diagonal.size();
    for (std::size_t k = 0; k < size; ++k) {
        Part& x = b[unknown[k]];
        const Block& l = diagonal[k];
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < i; ++j) x[i] -= l[6 * i + j] * x[j];
            x[i] *= l[6 * i + i];
        }
        for (int n = first[k]; n < first[k + 1]; ++n) {
            Part& y = b[unknown[row[n]]];
            for (int i = 0; i < 6; ++i)
                for (int j = 0; j < 6; ++j) y[i] -= below[n][6 * i + j] * x[j];
        }
    }
    for (std::size_t k = size; k-- > 0;) {
        Part& x = b[unknown[k]];
        const Block& l = diagonal[k];
        for (int n = first[k]; n < first[k + 1]; ++n) {
            const Part& y = b[unknown[row[n]]];
            for (int i = 0; i < 6; ++i)
                for (int j = 0; j < 6; ++j) x[j] -= below[n][6 * i + j] * y[i];
        }
        for (int i = 5; i >= 0; --i) {
            for (int j = i + 1; j < 6; ++j) x[i] -= l[6 * j + i] * x[j];
            x[i] *= l[6 * i + i];
        }
    }
}

} // namespace capstan
