// SPDX-License-Identifier: MIT
//
// Burau matrices by column operations; burau.hpp gives the convention and the source.
//
// The matrix of a generator differs from the identity in two or three entries, so a letter costs a few column
// additions. Entries are only shifted, negated and added; no polynomials are multiplied.
#include <capstan/topology/burau.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace capstan {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

// Computes a += b, or returns false on overflow. Values stay at least -(2^63 - 1), so that a change of sign cannot
// overflow.
bool addTo(std::int64_t& a, std::int64_t b) {
    if (b > 0 ? a > largest - b : a < -largest - b) return false;
    a += b;
    return true;
}

// Returns sign t^power p.
Laurent shifted(Laurent p, int power, int sign) {
    if (p.coefficients.empty()) return p;
    p.lowest += power;
    if (sign < 0)
        for (std::int64_t& c : p.coefficients) c = -c;
    return p;
}

// Removes zero coefficients at both ends.
void trim(Laurent& p) {
    std::size_t first = 0;
    std::size_t last = p.coefficients.size();
    while (first < last && p.coefficients[first] == 0) ++first;
    while (last > first && p.coefficients[last - 1] == 0) --last;
    p.coefficients.resize(last);
    p.coefficients.erase(p.coefficients.begin(), p.coefficients.begin() + static_cast<std::ptrdiff_t>(first));
    p.lowest = p.coefficients.empty() ? 0 : p.lowest + static_cast<int>(first);
}

// Computes a += sign t^power b, or returns false on overflow.
bool addTo(Laurent& a, const Laurent& b, int power, int sign) {
    if (b.coefficients.empty()) return true;
    if (a.coefficients.empty()) {
        a = shifted(b, power, sign);
        return true;
    }
    const int low = b.lowest + power;
    if (low < a.lowest) {
        a.coefficients.insert(a.coefficients.begin(), static_cast<std::size_t>(a.lowest - low), 0);
        a.lowest = low;
    }
    const auto offset = static_cast<std::size_t>(low - a.lowest);
    if (a.coefficients.size() < offset + b.coefficients.size())
        a.coefficients.resize(offset + b.coefficients.size());
    for (std::size_t k = 0; k < b.coefficients.size(); ++k)
        if (!addTo(a.coefficients[offset + k], sign < 0 ? -b.coefficients[k] : b.coefficients[k]))
            return false;
    trim(a);
    return true;
}

LaurentMatrix identity(int size) {
    LaurentMatrix m{size, {}};
    m.entries.resize(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    for (std::size_t k = 0; k < m.entries.size(); k += static_cast<std::size_t>(size) + 1)
        m.entries[k] = Laurent{0, {1}};
    return m;
}

Laurent* row(LaurentMatrix& m, int r) {
    return m.entries.data() + static_cast<std::size_t>(r) * static_cast<std::size_t>(m.size);
}

// A row times a generator changes the entries a, b at columns i, i+1 (counted from 0: left, left + 1):
//   s_i:     (a, b) -> ((1-t) a + b,  t a)          s_i^-1:  (a, b) -> (b / t,  a + (1 - 1/t) b)
bool applyUnreduced(Laurent* r, int left, bool positive) {
    Laurent& a = r[left];
    Laurent& b = r[left + 1];
    const Laurent old = positive ? a : b;
    if (positive) {
        const bool fits = addTo(a, old, 1, -1) && addTo(a, b, 0, 1);
        b = shifted(old, 1, 1);
        return fits;
    }
    const bool fits = addTo(b, old, -1, -1) && addTo(b, a, 0, 1);
    a = shifted(old, -1, 1);
    return fits;
}

// A row times a generator changes the entries a, b, c at columns i-1, i, i+1; columns outside the matrix are ignored:
//   s_i:     (a + t b,  -t b,  c + b)               s_i^-1:  (a + b,  -b / t,  c + b / t)
bool applyReduced(Laurent* r, int column, int size, bool positive) {
    Laurent& b = r[column];
    if (column > 0 && !addTo(r[column - 1], b, positive ? 1 : 0, 1)) return false;
    if (column + 1 < size && !addTo(r[column + 1], b, positive ? 0 : -1, 1)) return false;
    b = shifted(std::move(b), positive ? 1 : -1, -1);
    return true;
}

template <class Apply>
Result<LaurentMatrix> multiply(const BraidWord& word, int n, int size, const Apply& apply) {
    if (Status ok = checkBraid(word, n); !ok) return ok.error();
    LaurentMatrix m = identity(size);
    for (std::size_t k = 0; k < word.size(); ++k)
        for (int r = 0; r < size; ++r)
            if (!apply(row(m, r), word[k]))
                return Error{"a coefficient of the Burau matrix exceeds 64 bits",
                             "braid word, letter " + std::to_string(k + 1)};
    return m;
}

} // namespace

Result<LaurentMatrix> burau(const BraidWord& word, int n) {
    return multiply(word, n, n, [](Laurent* r, int letter) {
        return applyUnreduced(r, (letter < 0 ? -letter : letter) - 1, letter > 0);
    });
}

Result<LaurentMatrix> reducedBurau(const BraidWord& word, int n) {
    return multiply(word, n, n - 1, [n](Laurent* r, int letter) {
        return applyReduced(r, (letter < 0 ? -letter : letter) - 1, n - 1, letter > 0);
    });
}

// The loop does the column operations of applyReduced with t = -1 on integers. Without polynomials, longer words fit
// into 64 bits. The word is freely reduced first, so that "w w^-1" does not overflow in between.
Result<double> dilatationB3(const BraidWord& word) {
    if (Status ok = checkBraid(word, 3); !ok) return ok.error();
    const BraidWord w = freeReduce(word);
    std::int64_t m[2][2] = {{1, 0}, {0, 1}};
    for (std::size_t k = 0; k < w.size(); ++k)
        for (auto& r : m) {
            const bool first = w[k] == 1 || w[k] == -1;
            const std::int64_t step = first ? r[0] : r[1];
            const bool plus = first == (w[k] > 0); // s1: b += a    s2: a -= b    inverses: opposite sign
            if (!addTo(first ? r[1] : r[0], plus ? step : -step))
                return Error{"the matrix of the braid at t = -1 exceeds 64 bits",
                             "freely reduced braid word, letter " + std::to_string(k + 1)};
        }
    const double half = std::abs(0.5 * static_cast<double>(m[0][0]) + 0.5 * static_cast<double>(m[1][1]));
    if (half <= 1.0) return 1.0;
    return half + std::sqrt(half - 1.0) * std::sqrt(half + 1.0);
}

} // namespace capstan
