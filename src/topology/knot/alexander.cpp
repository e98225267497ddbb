// SPDX-License-Identifier: MIT
//
// Alexander polynomials from values modulo primes; see alexander.hpp.
#include <capstan/topology/alexander.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace capstan {
namespace {

// Removes the factor +-t^k as alexander.hpp defines.
IntegerPolynomial normalized(IntegerPolynomial p) {
    std::size_t zeros = 0;
    while (zeros < p.size() && p[zeros] == 0) ++zeros;
    p.erase(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(zeros));
    if (p.empty()) return p;
    const std::int64_t atOne = evaluate(p, 1); // +-1 for knots, 0 for links
    if (atOne < 0 || (atOne == 0 && p[0] < 0))
        for (std::int64_t& c : p) c = -c;
    return p;
}

// An arc runs from one underpass to the next underpass; row c lists the arcs at crossing c.
struct Arcs {
    struct Row {
        std::size_t over = 0, in = 0, out = 0;
    };
    std::vector<Row> rows;
    std::size_t count = 0;

    explicit Arcs(const GaussCode& code) : rows(code.signs.size()) {
        for (const auto& visits : code.ropes) {
            const auto unders = static_cast<std::size_t>(
                std::count_if(visits.begin(), visits.end(), [](auto v) { return !v.over; }));
            std::size_t k = 0; // number of arcs that have begun on this rope
            for (const auto v : visits) {
                Row& row = rows[static_cast<std::size_t>(v.crossing)];
                if (v.over) {
                    row.over = count + (unders == 0 ? 0 : k % unders);
                    continue;
                }
                row.in = count + k;
                ++k;
                row.out = count + k % unders;
            }
            count += std::max<std::size_t>(1, unders);
        }
    }
};

} // namespace

Result<IntegerPolynomial> alexander(const GaussCode& code) {
    const std::size_t crossings = code.signs.size();
    if (crossings > maxDiagramCrossings)
        return Error{"the diagram has " + std::to_string(crossings) + " crossings, more than " +
                         std::to_string(maxDiagramCrossings),
                     "diagram"};
    const Arcs arcs(code);
    if (crossings == 0) return code.ropes.size() == 1 ? IntegerPolynomial{1} : IntegerPolynomial{};
    // a rope lies on top of all other ropes: a split link.
    if (arcs.count > crossings) return IntegerPolynomial{};
    const std::size_t n = crossings - 1;
    const auto value = [&](const PrimeField& field, std::uint64_t t) {
        std::vector<std::uint64_t> m(n * n, 0);
        const auto put = [&](std::size_t row, std::size_t arc, std::uint64_t x) {
            if (arc < n) m[row * n + arc] = field.add(m[row * n + arc], x);
        };
        for (std::size_t r = 0; r < n; ++r) {
            const bool positive = code.signs[r] > 0;
            put(r, arcs.rows[r].over, field.add(1, field.minus(t)));
            put(r, arcs.rows[r].in, positive ? t : field.minus(1));
            put(r, arcs.rows[r].out, positive ? field.minus(1) : t);
        }
        return field.determinant(std::move(m), n);
    };
    // The absolute values of the coefficients in a row sum to 4, so those of the determinant are at most 4^n.
    auto p = interpolate(n, 2.0 * static_cast<double>(n), value);
    if (!p) return p.error();
    return normalized(std::move(p.value()));
}

Result<IntegerPolynomial> alexander(const BraidWord& word, int n) {
    if (Status ok = checkBraid(word, n); !ok) return ok.error();
    const auto size = static_cast<std::size_t>(n - 1);
    std::uint64_t negative = 0;
    for (const int letter : word) negative += letter < 0;
    // Returns t^negative det(1 - B), a polynomial whose degree is at most the length of the word.
    const auto value = [&](const PrimeField& field, std::uint64_t t) {
        std::vector<std::uint64_t> m(size * size, 0);
        for (std::size_t k = 0; k < size; ++k) m[k * size + k] = 1;
        const std::uint64_t back = field.inverse(t);
        for (const int letter : word)
            // The operations of applyReduced in topology/braid/burau.cpp.
            for (std::size_t r = 0; r < size; ++r) {
                const auto c = static_cast<std::size_t>((letter > 0 ? letter : -letter) - 1);
                std::uint64_t* row = m.data() + r * size;
                const std::uint64_t b = row[c], scaled = field.multiply(b, letter > 0 ? t : back);
                if (c > 0) row[c - 1] = field.add(row[c - 1], letter > 0 ? scaled : b);
                if (c + 1 < size) row[c + 1] = field.add(row[c + 1], letter > 0 ? b : scaled);
                row[c] = field.minus(scaled);
            }
        for (std::uint64_t& x : m) x = field.minus(x);
        for (std::size_t k = 0; k < size; ++k) m[k * size + k] = field.add(m[k * size + k], 1);
        return field.multiply(field.determinant(std::move(m), size), field.power(t, negative));
    };
    // Bound of the coefficients: det(1 - B) is a sum of 2^(n-1) minors of a product of matrices. The absolute values
    // of the coefficients in each row of these matrices sum to 3.
    auto p = interpolate(word.size(), 1.585 * static_cast<double>(word.size()) + n, value);
    if (!p) return p.error();
    IntegerPolynomial& rest = p.value();
    // Division by 1 + t + .. + t^(n-1), which leaves no remainder.
    IntegerPolynomial quotient;
    for (std::size_t k = 0; k + size < rest.size(); ++k) {
        quotient.push_back(rest[k]);
        for (std::size_t i = 1; i <= size; ++i) rest[k + i] -= quotient[k];
    }
    return normalized(std::move(quotient));
}

std::int64_t knotDeterminant(const IntegerPolynomial& delta) {
    const std::int64_t value = evaluate(delta, -1);
    return value < 0 ? -value : value;
}

} // namespace capstan
