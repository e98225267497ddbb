// SPDX-License-Identifier: MIT
//
// Tests of braid words and the word problem: relations of the group, braids known to differ, and bad input. The
// reference table of braids, checked independently by Burau matrices, is used if it is available.
#include <capstan/topology/braid.hpp>

#include <tests/topology/random_words.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace capstan {
namespace {

bool same(const BraidWord& a, const BraidWord& b, int n) { return sameBraid(a, b, n).value(); }

BraidWord power(const BraidWord& w, int times) {
    BraidWord out;
    for (int k = 0; k < times; ++k) out = product(out, w);
    return out;
}

// Delta, the half twist: (s1 .. s_(n-1)) (s1 .. s_(n-2)) .. s1.
BraidWord halfTwist(int n) {
    BraidWord w;
    for (int last = n - 1; last >= 1; --last)
        for (int i = 1; i <= last; ++i) w.push_back(i);
    return w;
}

TEST(Braid, ParsesAndPrints) {
    EXPECT_EQ(parseBraid("s1 s2^-1", 3).value(), (BraidWord{1, -2}));
    EXPECT_EQ(parseBraid("σ1", 3).value(), (BraidWord{1}));
    EXPECT_EQ(parseBraid(" σ1σ2^-2\ts1^+3 s2^0\n", 3).value(), (BraidWord{1, -2, -2, 1, 1, 1}));
    EXPECT_EQ(parseBraid("s12", 13).value(), (BraidWord{12}));
    EXPECT_TRUE(parseBraid("", 2).value().empty());
    EXPECT_TRUE(parseBraid(" e ", 2).value().empty());
    EXPECT_EQ(formatBraid({1, -2, 11}), "s1 s2^-1 s11");
    EXPECT_EQ(formatBraid({}), "e");
    RandomWords random{std::mt19937(1)};
    for (int k = 0; k < 100; ++k) {
        const BraidWord w = random.word(7, k);
        EXPECT_EQ(parseBraid(formatBraid(w), 7).value(), w);
    }
}

TEST(Braid, BadTextNamesTheCharacter) {
    const auto where = [](const char* text, int n) { return parseBraid(text, n).error().where; };
    EXPECT_EQ(where("s1 x2", 3), "braid word, character 4");
    EXPECT_EQ(where("s1 s3", 3), "braid word, character 4");
    EXPECT_EQ(where("s0", 3), "braid word, character 1");
    EXPECT_EQ(where("s", 3), "braid word, character 2");
    EXPECT_EQ(where("s1^", 3), "braid word, character 4");
    EXPECT_EQ(where("s1^-", 3), "braid word, character 5");
    EXPECT_EQ(where("s-1", 3), "braid word, character 2");
    EXPECT_EQ(where("e s1", 3), "braid word, character 3");
    EXPECT_EQ(where("1 2", 3), "braid word, character 1");
    EXPECT_EQ(where("s1^99999999999999999999", 3), "braid word, character 4");
    EXPECT_EQ(where("s99999999999999999999", 3), "braid word, character 1");
    EXPECT_EQ(where("s1^16384 s1", 3), "braid word, character 10");
    EXPECT_EQ(where("s1", 1), "braid strands");
    EXPECT_EQ(where("s1", maxBraidStrands + 1), "braid strands");
}

TEST(Braid, BadWordsAreRefusedEverywhere) {
    const int lowest = std::numeric_limits<int>::min();
    for (const BraidWord& bad : {BraidWord{1, 0}, BraidWord{1, 3}, BraidWord{1, -3}, BraidWord{1, lowest}}) {
        EXPECT_EQ(checkBraid(bad, 3).error().where, "braid word, letter 2");
        EXPECT_FALSE(handleReduce(bad, 3));
        EXPECT_FALSE(permutation(bad, 3));
        EXPECT_FALSE(sameBraid(bad, {}, 3));
        EXPECT_FALSE(sameBraid({}, bad, 3));
        // Functions without the argument n keep a bad letter, so that a later check finds it.
        EXPECT_FALSE(checkBraid(inverse(bad), 3));
        EXPECT_FALSE(checkBraid(freeReduce(bad), 3));
    }
    EXPECT_FALSE(checkBraid(freeReduce({0, 0}), 3));
    EXPECT_FALSE(checkBraid({}, 1));
    EXPECT_FALSE(checkBraid({1}, -5));
    EXPECT_FALSE(checkBraid(BraidWord(maxBraidLetters + 1, 1), 2));
    EXPECT_TRUE(checkBraid({1, -2}, 3));
}

TEST(Braid, WordAlgebra) {
    EXPECT_EQ(freeReduce({1, 2, -2, -1, 2}), (BraidWord{2}));
    EXPECT_EQ(inverse({1, -2, 3}), (BraidWord{-3, 2, -1}));
    EXPECT_EQ(product({1}, {-2, 1}), (BraidWord{1, -2, 1}));
    EXPECT_EQ(exponentSum({1, -2, -2, 1, 3}), 1);
    EXPECT_EQ(permutation({1, 2}, 3).value(), (std::vector<int>{1, 2, 0})); // strand 0 moves to the right end
    EXPECT_EQ(permutation({-1, -2}, 3).value(), (std::vector<int>{1, 2, 0}));
    EXPECT_EQ(permutation(halfTwist(5), 5).value(), (std::vector<int>{4, 3, 2, 1, 0}));
}

TEST(Braid, RelationsOfTheGroup) {
    for (int n = 3; n <= 7; ++n)
        for (int i = 1; i < n; ++i)
            for (int j = 1; j < n; ++j)
                for (const int e : {1, -1}) {
                    const int a = e * i, b = e * j;
                    if (i - j == 1 || j - i == 1) {
                        EXPECT_TRUE(same({a, b, a}, {b, a, b}, n));
                        EXPECT_FALSE(same({a, b}, {b, a}, n));
                    } else {
                        EXPECT_TRUE(same({a, b}, {b, a}, n));
                    }
                    EXPECT_TRUE(same({a, -a}, {}, n));
                    EXPECT_EQ(same({a}, {b}, n), i == j);
                }
}

TEST(Braid, FullTwistIsCentralAndHalfTwistMirrors) {
    for (int n = 2; n <= 6; ++n) {
        const BraidWord delta = halfTwist(n);
        BraidWord row;
        for (int i = 1; i < n; ++i) row.push_back(i);
        EXPECT_TRUE(same(product(delta, delta), power(row, n), n));
        for (int i = 1; i < n; ++i) {
            EXPECT_TRUE(same(product(power(delta, 2), {i}), product({i}, power(delta, 2)), n));
            EXPECT_TRUE(same(product(delta, {i}), product({n - i}, delta), n));
        }
    }
    EXPECT_FALSE(same(product(halfTwist(3), {1}), product({1}, halfTwist(3)), 3));
}

TEST(Braid, NotTrivial) {
    // A commutator: its exponent sum is 0, but its permutation is not the identity.
    EXPECT_FALSE(same({1, 2, -1, -2}, {}, 3));
    EXPECT_EQ(permutation({1, 2, -1, -2}, 3).value(), (std::vector<int>{2, 0, 1}));
    // A pure braid with exponent sum 0 whose closure is the Borromean rings.
    EXPECT_FALSE(same(power({1, -2}, 3), {}, 3));
    EXPECT_EQ(permutation(power({1, -2}, 3), 3).value(), (std::vector<int>{0, 1, 2}));
    EXPECT_FALSE(same({1, 1}, {-1, -1}, 3));
    EXPECT_FALSE(same({1, 1}, {}, 2));
    EXPECT_FALSE(same({1, 1, 2, 2}, {2, 2, 1, 1}, 3)); // two pure braids that do not commute
}

TEST(Braid, DisguisedWordsAreRecognised) {
    RandomWords random{std::mt19937(2)};
    for (int n = 2; n <= 8; ++n)
        for (int k = 0; k < 60; ++k) {
            const BraidWord w = random.word(n, 1 + random.below(30));
            const BraidWord v = random.disguised(w, n, 8);
            EXPECT_TRUE(same(w, v, n)) << formatBraid(w) << "  |  " << formatBraid(v);
            BraidWord changed = v;
            changed[static_cast<std::size_t>(random.below(static_cast<int>(v.size())))] *=
                -1; // the exponent sums differ by 2
            EXPECT_FALSE(same(w, changed, n)) << formatBraid(w) << "  |  " << formatBraid(changed);
        }
}

// Dehornoy's property: in a reduced word all letters of the lowest generator have the same sign.
TEST(Braid, ReducedWordsAreSigmaDefinite) {
    RandomWords random{std::mt19937(3)};
    for (int k = 0; k < 200; ++k) {
        const int n = 3 + random.below(6);
        const BraidWord w = random.word(n, 60);
        const BraidWord r = handleReduce(w, n).value();
        EXPECT_TRUE(same(w, r, n));
        int lowest = n;
        for (const int letter : r) lowest = std::min(lowest, std::abs(letter));
        int signs = 0;
        for (const int letter : r)
            if (std::abs(letter) == lowest) signs |= letter > 0 ? 1 : 2;
        EXPECT_NE(signs, 3) << formatBraid(r);
    }
}

// Long words w w'^-1 of 2,000 letters and more, where w' is another word of the braid w.
TEST(Braid, LongWords) {
    RandomWords random{std::mt19937(4)};
    for (const int n : {3, 4, 10}) {
        const BraidWord w = random.word(n, 1000);
        EXPECT_TRUE(same(w, random.disguised(w, n, 50), n));
    }
    const BraidWord longest(maxBraidLetters, 1);
    EXPECT_TRUE(same(longest, longest, 2));
    EXPECT_TRUE(same(power({1, -2}, 2000), power({1, -2, 1, -2}, 1000), 3));
}

#ifdef CAPSTAN_SHARED_DIR
const std::string referenceFile = CAPSTAN_SHARED_DIR "/validation/data/braid_words.csv";
#else
const std::string referenceFile;
#endif

BraidWord numbers(const std::string& text) {
    std::istringstream in(text);
    BraidWord w;
    for (int letter; in >> letter;) w.push_back(letter);
    return w; // "e", the empty word, gives no letters
}

TEST(Braid, ReferenceTable) {
    if (referenceFile.empty() || !std::filesystem::exists(referenceFile))
        GTEST_SKIP() << "the reference table braid_words.csv is not here";
    std::ifstream file(referenceFile);
    std::string line;
    int rows = 0;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#' || line.rfind("case,", 0) == 0) continue;
        std::vector<std::string> cells;
        std::istringstream in(line);
        for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
        ASSERT_EQ(cells.size(), 8u) << line;
        const BraidWord a = numbers(cells[1]), b = numbers(cells[2]);
        EXPECT_EQ(same(a, b, 3), cells[3] == "yes") << line;
        EXPECT_EQ(permutation(a, 3).value(), numbers(cells[5].substr(1, cells[5].size() - 2))) << line;
        EXPECT_EQ(exponentSum(a), std::stoi(cells[6])) << line;
        EXPECT_TRUE(same(handleReduce(a, 3).value(), numbers(cells[7]), 3)) << line;
        ++rows;
    }
    EXPECT_EQ(rows, 14);
}

} // namespace
} // namespace capstan
