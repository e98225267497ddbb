// SPDX-License-Identifier: MIT
// A symmetric band matrix and its solution by Cholesky's method, L L^T x = b. Entries are stored column by column
// from the diagonal down, so that a compiler can vectorise the loops.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace capstan::validation {

// All entries farther than `width` from the diagonal are 0.
class Band {
public:
    Band(int size, int width) : size_(size), width_(width), a_(std::size_t(size + width) * span()) {}
    void add(int row, int column, double value) {
        if (column <= row) of(column)[row - column] += value;
    }
    // Replaces b by the solution x. Returns false if the matrix is not positive definite.
    bool solve(std::vector<double>& b) {
        for (int c = 0; c < size_; ++c) {
            double* at = of(c);
            if (!(at[0] > 0)) return false;
            const double pivot = std::sqrt(at[0]);
            for (int i = 0; i <= width_; ++i) at[i] /= pivot;
            for (int j = 1; j <= width_; ++j) {
                const double f = at[j];
                if (f == 0) continue;
                double* to = of(c + j) - j;
                for (int i = j; i <= width_; ++i) to[i] -= f * at[i];
            }
        }
        b.resize(std::size_t(size_ + width_), 0.0);
        for (int c = 0; c < size_; ++c) {
            const double x = b[c] /= of(c)[0];
            for (int i = 1; i <= width_; ++i) b[c + i] -= of(c)[i] * x;
        }
        for (int c = size_ - 1; c >= 0; --c) {
            double sum = b[c];
            for (int i = 1; i <= width_ && c + i < size_; ++i) sum -= of(c)[i] * b[c + i];
            b[c] = sum / of(c)[0];
        }
        return true;
    }

private:
    std::size_t span() const { return std::size_t(width_ + 1); }
    double* of(int column) { return a_.data() + std::size_t(column) * span(); }

    int size_, width_;
    std::vector<double> a_;
};

} // namespace capstan::validation
