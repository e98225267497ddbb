// SPDX-License-Identifier: MIT
//
// Tests of Garside's normal form. Some forms are known, and all must be left-weighted and agree with handle
// reduction. Shortest words in B_3 are compared with an exhaustive search of the Cayley graph.
#include <capstan/topology/burau.hpp>
#include <capstan/topology/garside.hpp>

#include <tests/topology/random_words.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace capstan {
namespace {

using Factors = std::vector<std::vector<int>>;

TEST(Garside, FormsKnownByHand) {
    EXPECT_EQ(garsideForm({}, 3).value(), (GarsideForm{3, 0, {}}));
    EXPECT_EQ(garsideForm({1, 2, 1}, 3).value(), (GarsideForm{3, 1, {}}));
    EXPECT_EQ(garsideForm({2, 1, 2}, 3).value(), (GarsideForm{3, 1, {}}));
    EXPECT_EQ(garsideForm({1, 1}, 3).value(), (GarsideForm{3, 0, Factors{{1, 0, 2}, {1, 0, 2}}}));
    EXPECT_EQ(garsideForm({1, 2}, 3).value(), (GarsideForm{3, 0, Factors{{1, 2, 0}}}));
    // s1^-1 = Delta^-1 s1 s2, because Delta = s1 s2 s1 = (s1 s2) s1.
    EXPECT_EQ(garsideForm({-1}, 3).value(), (GarsideForm{3, -1, Factors{{1, 2, 0}}}));
    // s1 s2 s2 s1 = (s1 s2)(s2 s1) is already left-weighted.
    EXPECT_EQ(garsideForm({1, 2, 2, 1}, 3).value(), (GarsideForm{3, 0, Factors{{1, 2, 0}, {2, 0, 1}}}));
    EXPECT_EQ(garsideForm({-1, -1, -1}, 2).value(), (GarsideForm{2, -3, {}}));
    EXPECT_EQ(garsideForm({1, 3}, 4).value(), (GarsideForm{4, 0, Factors{{1, 0, 3, 2}}}));
    EXPECT_FALSE(garsideForm({3}, 3));
    EXPECT_FALSE(shortestWordB3({0}));
}

TEST(Garside, FormIsANormalFormOfItsWord) {
    RandomWords random{std::mt19937(8)};
    for (int k = 0; k < 300; ++k) {
        const int n = 2 + random.below(6);
        const BraidWord w = random.word(n, random.below(40));
        const GarsideForm form = garsideForm(w, n).value();
        EXPECT_TRUE(sameBraid(garsideWord(form), w, n).value()) << formatBraid(w);
        EXPECT_EQ(garsideForm(garsideWord(form), n).value(), form);
        for (std::size_t f = 0; f < form.factors.size(); ++f) {
            const std::vector<int>& x = form.factors[f];
            bool trivial = true, twist = true;
            for (std::size_t i = 0; i < x.size(); ++i) {
                trivial = trivial && x[i] == static_cast<int>(i);
                twist = twist && x[i] == n - 1 - static_cast<int>(i);
            }
            EXPECT_FALSE(trivial || twist);
            if (f == 0) continue;
            // Left-weighted: if strands i, i+1 of this factor cross, the previous factor must end with that crossing.
            std::vector<std::size_t> end(x.size());
            for (std::size_t i = 0; i < x.size(); ++i) end[static_cast<std::size_t>(x[i])] = i;
            const std::vector<int>& y = form.factors[f - 1];
            for (std::size_t i = 0; i + 1 < x.size(); ++i)
                EXPECT_TRUE(end[i] < end[i + 1] || y[i] > y[i + 1]);
        }
    }
}

TEST(Garside, EqualFormsAreEqualBraids) {
    RandomWords random{std::mt19937(9)};
    int equal = 0;
    for (int k = 0; k < 600; ++k) {
        const int n = 2 + random.below(5);
        const BraidWord a = random.word(n, 1 + random.below(8));
        const BraidWord b = k % 2 == 0 ? random.disguised(a, n, 6) : random.word(n, 1 + random.below(8));
        const bool same = garsideForm(a, n).value() == garsideForm(b, n).value();
        EXPECT_EQ(handleReduce(product(a, inverse(b)), n).value().empty(), same)
            << formatBraid(a) << "  |  " << formatBraid(b);
        equal += same;
    }
    EXPECT_GE(equal, 300);
    EXPECT_LT(equal, 500);
}

// Returns a random pure braid of positive letters with an exponent sum of 2,000. No simple invariant distinguishes
// two such braids.
BraidWord positivePure(RandomWords& random, int n) {
    BraidWord w;
    for (int k = 0; k < 1000; ++k) w.push_back(1 + random.below(n - 1));
    std::vector<int> p = permutation(w, n).value();
    for (std::size_t i = 0; i + 1 < p.size();) {
        if (p[i] < p[i + 1]) {
            ++i;
            continue;
        }
        std::swap(p[i], p[i + 1]);
        w.push_back(static_cast<int>(i) + 1);
        i = i > 0 ? i - 1 : 0;
    }
    while (w.size() < 2000) w.insert(w.end(), {1, 1});
    return w;
}

// On 30 strands the words of handle reduction grow on a b^-1; sameBraid must decide nevertheless.
TEST(Garside, DecidesWhereHandleReductionSwells) {
    RandomWords random{std::mt19937(11)};
    const BraidWord a = positivePure(random, 30), b = positivePure(random, 30);
    ASSERT_EQ(exponentSum(a), exponentSum(b));
    ASSERT_EQ(permutation(a, 30).value(), permutation(b, 30).value());
    const auto reduced = handleReduce(product(a, inverse(b)), 30);
    ASSERT_FALSE(reduced);
    EXPECT_EQ(reduced.error().what.rfind("handle reduction was stopped", 0), 0u);
    EXPECT_FALSE(sameBraid(a, b, 30).value());
    EXPECT_TRUE(sameBraid(a, garsideWord(garsideForm(a, 30).value()), 30).value());
}

// All braids within 10 letters of the identity, by breadth-first search. The Burau matrix, faithful in B_3,
// identifies them. The depth at which a braid is found first is by definition its least length.
TEST(Garside, ShortestWordsInB3AgreeWithTheCayleyGraph) {
    const auto name = [](const BraidWord& w) {
        std::vector<std::int64_t> key;
        const LaurentMatrix matrix = reducedBurau(w, 3).value();
        for (const Laurent& p : matrix.entries) {
            key.push_back(p.lowest);
            key.push_back(static_cast<std::int64_t>(p.coefficients.size()));
            key.insert(key.end(), p.coefficients.begin(), p.coefficients.end());
        }
        return key;
    };
    std::map<std::vector<std::int64_t>, std::size_t> met{{name({}), 0}};
    std::vector<BraidWord> sphere{{}};
    for (std::size_t radius = 1; radius <= 10; ++radius) {
        std::vector<BraidWord> next;
        for (const BraidWord& w : sphere)
            for (const int letter : {1, -1, 2, -2}) {
                BraidWord longer = product(w, {letter});
                if (met.emplace(name(longer), radius).second) next.push_back(longer);
            }
        for (const BraidWord& w : next) {
            const BraidWord shortest = shortestWordB3(w).value();
            ASSERT_EQ(shortest.size(), radius) << formatBraid(w) << "  |  " << formatBraid(shortest);
            ASSERT_EQ(name(shortest), name(w));
        }
        sphere = next;
    }
    EXPECT_GT(met.size(), 1000u);
}

TEST(Garside, ShortestWordDoesNotDependOnTheSpelling) {
    RandomWords random{std::mt19937(10)};
    for (int k = 0; k < 100; ++k) {
        const BraidWord w = random.word(3, 200);
        const BraidWord a = shortestWordB3(w).value();
        EXPECT_LE(a.size(), w.size());
        EXPECT_EQ(a, shortestWordB3(random.disguised(w, 3, 20)).value());
        EXPECT_TRUE(sameBraid(a, w, 3).value());
        EXPECT_EQ(a.size(), shortestWordB3(inverse(w)).value().size());
    }
}

} // namespace
} // namespace capstan
