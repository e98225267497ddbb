// SPDX-License-Identifier: MIT
//
// Gordon and Litherland's formula; see signature.hpp.
#include "topology/knot/signature.hpp"

#include "topology/diagram/faces.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace capstan {
namespace {

__extension__ using Integer = __int128;

int signum(Integer a) { return (a > 0) - (a < 0); }

// Colours the faces so that neighbouring faces at a crossing have different colours.
std::vector<bool> blackFaces(const DiagramFaces& faces) {
    std::vector<int> known(faces.count, -1);
    if (faces.count > 0) known[faces.of[0]] = 1;
    for (bool any = true; any;) {
        any = false;
        for (std::size_t corner = 0; corner < faces.of.size(); ++corner) {
            const std::size_t here = faces.of[corner], beside = faces.of[corner / 4 * 4 + (corner + 1) % 4];
            for (const auto& [a, b] : {std::pair{here, beside}, std::pair{beside, here}})
                if (known[a] >= 0 && known[b] < 0) {
                    known[b] = 1 - known[a];
                    any = true;
                }
        }
    }
    std::vector<bool> black;
    for (const int k : known) black.push_back(k == 1);
    return black;
}

// The signature of a symmetric integer matrix. Elimination is fraction-free, by rows and columns alike (E. Bareiss
// 1968). The pivots are leading minors D_k, and the signature is the sum of the signs of D_k / D_(k-1).
class SymmetricForm {
public:
    explicit SymmetricForm(std::size_t size) : n_(size), a_(size * size, 0) {}
    Integer& at(std::size_t r, std::size_t c) { return a_[r * n_ + c]; }

    Result<int> signature() {
        int sum = 0;
        Integer last = 1;
        for (std::size_t k = 0; k < n_ && bringPivot(k); ++k) {
            const Integer pivot = at(k, k);
            sum += signum(pivot) * signum(last);
            for (std::size_t r = k + 1; r < n_; ++r)
                for (std::size_t c = k + 1; c < n_; ++c) {
                    Integer p = 0, q = 0;
                    if (__builtin_mul_overflow(pivot, at(r, c), &p) ||
                        __builtin_mul_overflow(at(r, k), at(k, c), &q) || __builtin_sub_overflow(p, q, &p))
                        return Error{"the form is too large for whole arithmetic", "signature"};
                    at(r, c) = p / last;
                }
            last = pivot;
        }
        return sum;
    }

private:
    void swapBoth(std::size_t i, std::size_t j) {
        for (std::size_t k = 0; k < n_; ++k) std::swap(at(i, k), at(j, k));
        for (std::size_t k = 0; k < n_; ++k) std::swap(at(k, i), at(k, j));
    }

    // Brings a nonzero entry to (k, k). Returns false if only zeros are left.
    bool bringPivot(std::size_t k) {
        for (std::size_t i = k; i < n_; ++i)
            if (at(i, i) != 0) {
                if (i != k) swapBoth(i, k);
                return true;
            }
        for (std::size_t i = k; i < n_; ++i)
            for (std::size_t j = i + 1; j < n_; ++j)
                if (at(i, j) != 0) { // adds row and column j to row and column i, which is a change of basis
                    for (std::size_t c = k; c < n_; ++c) at(i, c) += at(j, c);
                    for (std::size_t r = k; r < n_; ++r) at(r, i) += at(r, j);
                    if (i != k) swapBoth(i, k);
                    return true;
                }
        return false;
    }

    std::size_t n_;
    std::vector<Integer> a_;
};

} // namespace

Result<int> signature(const GaussCode& code) {
    if (code.signs.empty()) return 0;
    const DiagramFaces faces(code);
    const std::vector<bool> black = blackFaces(faces);
    if (faces.count != code.signs.size() + 2)
        return Error{"the diagram is not connected, or none of a plane", "signature"}; // Euler: V - E + F = 2
    std::vector<std::size_t> white(faces.count, 0);
    std::size_t whites = 0;
    for (std::size_t f = 0; f < faces.count; ++f)
        if (!black[f]) white[f] = whites++;
    const std::size_t n = whites - 1; // the last region is omitted
    SymmetricForm form(n);
    int correction = 0;
    for (std::size_t c = 0; c < code.signs.size(); ++c) {
        // true: corners 0 and 2 are black; false: corners 1 and 3.
        const bool firstBlack = black[faces.of[4 * c]];
        const int eta = firstBlack ? -1 : 1;
        // At a positive crossing, corners 0 and 2 each lie between an incoming and an outgoing slot.
        if (firstBlack != (code.signs[c] > 0)) correction += eta;
        const std::size_t i = white[faces.of[4 * c + (firstBlack ? 1 : 0)]];
        const std::size_t j = white[faces.of[4 * c + (firstBlack ? 3 : 2)]];
        if (i == j) continue;
        if (i < n) form.at(i, i) += eta;
        if (j < n) form.at(j, j) += eta;
        if (i < n && j < n) {
            form.at(i, j) -= eta;
            form.at(j, i) -= eta;
        }
    }
    auto sigma = form.signature();
    if (!sigma) return sigma.error();
    return sigma.value() - correction;
}

} // namespace capstan
