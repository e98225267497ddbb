// SPDX-License-Identifier: MIT
//
// Tests of Burau matrices against known facts: the defining relations, the determinant, traces, and faithfulness for
// three strands. Further tests are Bigelow's kernel element for five strands and the dilatation of the hair braid.
#include <capstan/topology/burau.hpp>
#include <capstan/topology/garside.hpp>

#include <tests/topology/random_words.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace capstan {
namespace {

constexpr std::int64_t prime = 1000003;

std::int64_t powerMod(std::int64_t base, std::int64_t exponent) {
    // Reduces a negative exponent by Fermat's little theorem.
    if (exponent < 0) exponent += (1 - exponent / (prime - 1)) * (prime - 1);
    std::int64_t result = 1;
    for (; exponent > 0; exponent /= 2, base = base * base % prime)
        if (exponent % 2 == 1) result = result * base % prime;
    return result;
}

std::int64_t evaluate(const Laurent& p, std::int64_t t) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < p.coefficients.size(); ++k) {
        const std::int64_t c = (p.coefficients[k] % prime + prime) % prime;
        sum = (sum + c * powerMod(t, p.lowest + static_cast<std::int64_t>(k))) % prime;
    }
    return sum;
}

// Returns the determinant at one point t, modulo a prime. With small probability this check misses a difference; the
// matrix itself is exact.
std::int64_t determinant(const LaurentMatrix& m, std::int64_t t) {
    const int n = m.size;
    std::vector<std::vector<std::int64_t>> a(static_cast<std::size_t>(n));
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c) a[static_cast<std::size_t>(r)].push_back(evaluate(m.at(r, c), t));
    std::int64_t det = 1;
    for (std::size_t k = 0; k < a.size(); ++k) {
        std::size_t pivot = k;
        while (pivot < a.size() && a[pivot][k] == 0) ++pivot;
        if (pivot == a.size()) return 0;
        if (pivot != k) {
            std::swap(a[pivot], a[k]);
            det = prime - det;
        }
        det = det * a[k][k] % prime;
        const std::int64_t inverseOfPivot = powerMod(a[k][k], prime - 2);
        for (std::size_t r = k + 1; r < a.size(); ++r) {
            const std::int64_t f = a[r][k] * inverseOfPivot % prime;
            for (std::size_t c = k; c < a.size(); ++c) a[r][c] = (a[r][c] + (prime - f) * a[k][c]) % prime;
        }
    }
    return det;
}

std::int64_t trace(const LaurentMatrix& m, std::int64_t t) {
    std::int64_t sum = 0;
    for (int k = 0; k < m.size; ++k) sum += evaluate(m.at(k, k), t);
    return sum % prime;
}

TEST(Burau, GeneratorsOfThreeStrands) {
    const Laurent zero{}, one{0, {1}}, t{1, {1}}, minusT{1, {-1}};
    EXPECT_EQ(reducedBurau({1}, 3).value(), (LaurentMatrix{2, {minusT, one, zero, one}}));
    EXPECT_EQ(reducedBurau({2}, 3).value(), (LaurentMatrix{2, {one, zero, t, minusT}}));
    EXPECT_EQ(burau({1}, 2).value(), (LaurentMatrix{2, {Laurent{0, {1, -1}}, t, one, zero}}));
    // The full twist is t^3.
    const Laurent cube{3, {1}};
    EXPECT_EQ(reducedBurau({1, 2, 1, 2, 1, 2}, 3).value(), (LaurentMatrix{2, {cube, zero, zero, cube}}));
}

TEST(Burau, RespectsTheRelations) {
    RandomWords random{std::mt19937(5)};
    for (int n = 2; n <= 7; ++n)
        for (int k = 0; k < 40; ++k) {
            const BraidWord w = random.word(n, 10), v = random.disguised(w, n, 5);
            EXPECT_EQ(burau(w, n).value(), burau(v, n).value());
            EXPECT_EQ(reducedBurau(w, n).value(), reducedBurau(v, n).value());
        }
}

TEST(Burau, DeterminantAndTrace) {
    RandomWords random{std::mt19937(6)};
    for (int n = 2; n <= 7; ++n)
        for (int k = 0; k < 40; ++k) {
            const BraidWord w = random.word(n, 15);
            const LaurentMatrix full = burau(w, n).value(), reduced = reducedBurau(w, n).value();
            for (const std::int64_t t : {2, 12345, 777777}) {
                EXPECT_EQ(determinant(full, t), powerMod(prime - t, exponentSum(w)));
                EXPECT_EQ(determinant(reduced, t), powerMod(prime - t, exponentSum(w)));
                EXPECT_EQ(trace(full, t), (trace(reduced, t) + 1) % prime);
            }
        }
}

// The Burau representation is faithful for n = 3. It must agree with handle reduction, on words half of which are
// trivial.
TEST(Burau, AgreesWithHandleReductionOnSixHundredWords) {
    RandomWords random{std::mt19937(7)};
    const LaurentMatrix identity = reducedBurau({}, 3).value();
    int trivial = 0;
    for (int k = 0; k < 600; ++k) {
        BraidWord w = random.word(3, 1 + random.below(12));
        if (k % 2 == 0) w = product(random.disguised(w, 3, 5), inverse(w));
        const bool byBurau = reducedBurau(w, 3).value() == identity;
        EXPECT_EQ(handleReduce(w, 3).value().empty(), byBurau) << formatBraid(w);
        trivial += byBurau;
    }
    EXPECT_GE(trivial, 300);
    EXPECT_LT(trivial, 400);
}

// Bigelow, "The Burau representation is not faithful for n = 5" (1999): the matrices of these two braids commute, but
// the braids do not.
TEST(Burau, IsBlindInFiveStrandsWhereTheOthersSee) {
    const BraidWord a{-3, 2, 1, 1, 2, 4, 4, 4, 3, 2};
    const BraidWord b{-4, 3, 2, -1, -1, 2, 1, 1, 2, 2, 1, 4, 4, 4, 4, 4};
    const BraidWord x = product(product(inverse(a), {4}), a);
    const BraidWord y = product(product(inverse(b), {4, 3, 2, 1, 1, 2, 3, 4}), b);
    EXPECT_EQ(reducedBurau(product(x, y), 5).value(), reducedBurau(product(y, x), 5).value());
    EXPECT_FALSE(sameBraid(product(x, y), product(y, x), 5).value());
    EXPECT_NE(garsideForm(product(x, y), 5).value(), garsideForm(product(y, x), 5).value());
}

TEST(Burau, Dilatation) {
    const double golden = (3.0 + std::sqrt(5.0)) / 2.0;
    EXPECT_NEAR(dilatationB3({1, -2}).value(), golden, 1e-14);
    EXPECT_NEAR(dilatationB3({2, -1}).value(), golden, 1e-14);
    EXPECT_NEAR(dilatationB3({1, -2, 1, -2}).value(), golden * golden, 1e-13);
    EXPECT_NEAR(dilatationB3({1, 1, -2}).value(), 2.0 + std::sqrt(3.0), 1e-14); // the trace is 4
    EXPECT_NEAR(dilatationB3({1, 2, 1, 2, 1, 2, 1, -2}).value(), golden,
                1e-14); // a full twist does not change the dilatation
    EXPECT_EQ(dilatationB3({}).value(), 1.0);
    EXPECT_EQ(dilatationB3({1, 2}).value(), 1.0);                     // periodic
    EXPECT_EQ(dilatationB3({1, 1, 1, 1, 1}).value(), 1.0);            // reducible
    EXPECT_EQ(dilatationB3({1, 2, 1, 1, 2, 1}).value(), 1.0);         // central
    EXPECT_NEAR(dilatationB3({2, 1, -2, -2}).value(), golden, 1e-14); // a conjugate
    EXPECT_FALSE(dilatationB3({3}));
}

TEST(Burau, OverflowIsAnErrorThatNamesTheLetter) {
    BraidWord w;
    for (int k = 0; k < 200; ++k) w = product(w, {1, -2});
    const auto matrix = reducedBurau(w, 3);
    ASSERT_FALSE(matrix);
    EXPECT_EQ(matrix.error().where.rfind("braid word, letter ", 0), 0u) << matrix.error().where;
    EXPECT_FALSE(burau(w, 3));
    EXPECT_FALSE(dilatationB3(w));
    EXPECT_TRUE(sameBraid(w, w, 3).value()); // handle reduction still compares this word
    EXPECT_EQ(dilatationB3(product(w, inverse(w))).value(), 1.0);
    // The matrix is exact or refused: the trace of (s1 s2^-1)^k at t = -1 is the Lucas number L(2k).
    std::int64_t lucas = 3, previous = 2;
    for (int k = 1; k <= 40; ++k) {
        const LaurentMatrix m = reducedBurau(BraidWord(w.begin(), w.begin() + 2 * k), 3).value();
        std::int64_t sum = 0;
        for (const int i : {0, 1}) {
            const Laurent& p = m.at(i, i);
            for (std::size_t c = 0; c < p.coefficients.size(); ++c)
                sum += (p.lowest + static_cast<int>(c)) % 2 == 0 ? p.coefficients[c] : -p.coefficients[c];
        }
        EXPECT_EQ(sum, lucas);
        const std::int64_t next = 3 * lucas - previous;
        previous = lucas;
        lucas = next;
    }
}

#ifdef CAPSTAN_SHARED_DIR
const std::string burauFile = CAPSTAN_SHARED_DIR "/validation/data/braid_burau.csv";
#else
const std::string burauFile;
#endif

// Formats a polynomial as in the table: "-1*t^-1+1*t^0", lowest power first, "0" for zero.
std::string tableText(const Laurent& p) {
    std::string text;
    for (std::size_t k = 0; k < p.coefficients.size(); ++k) {
        if (p.coefficients[k] == 0) continue;
        if (!text.empty()) text += '+';
        text += std::to_string(p.coefficients[k]) + "*t^" + std::to_string(p.lowest + static_cast<int>(k));
    }
    return text.empty() ? "0" : text;
}

TEST(Burau, ReferenceTable) {
    if (burauFile.empty() || !std::filesystem::exists(burauFile))
        GTEST_SKIP() << "the reference table braid_burau.csv is not here";
    std::ifstream file(burauFile);
    int rows = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#' || line.rfind("braid,", 0) == 0) continue;
        std::vector<std::string> cells;
        std::istringstream in(line);
        for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
        ASSERT_EQ(cells.size(), 5u) << line;
        BraidWord w;
        std::istringstream letters(cells[1]);
        for (int letter; letters >> letter;) w.push_back(letter);
        const LaurentMatrix m = reducedBurau(w, 3).value();
        std::string text = tableText(m.entries[0]);
        for (std::size_t k = 1; k < 4; ++k) text += " ; " + tableText(m.entries[k]);
        EXPECT_EQ(text, cells[2]);
        const double expected = std::stod(cells[3]); // the table has ten digits
        EXPECT_NEAR(dilatationB3(w).value(), expected, 1e-9 * expected);
        ++rows;
    }
    EXPECT_EQ(rows, 6);
}

} // namespace
} // namespace capstan
