// SPDX-License-Identifier: MIT
//
// Tests of plans that untangle. Carried out move by move they end in the trivial braid. Their length is the least for
// three strands and near the least for four, by searches of the Cayley graph. They work for ropes as well as for
// words.
#include <capstan/topology/garside.hpp>
#include <capstan/topology/untangle.hpp>

#include <tests/topology/strands.hpp>

#include <gtest/gtest.h>

#include <map>

namespace capstan {
namespace {

// Carries out a plan on the order of the strands. A pass in front of a neighbour is one letter.
BraidWord carriedOut(const BraidWord& word, int n, const std::vector<UntangleMove>& moves) {
    std::vector<int> order = permutation(word, n).value();
    BraidWord out = word;
    for (const UntangleMove& m : moves) {
        const auto at = [&](int strand) {
            return static_cast<int>(std::find(order.begin(), order.end(), strand) - order.begin());
        };
        const int mover = at(m.mover), other = at(m.other);
        EXPECT_EQ(other - mover, m.toTheRight ? 1 : -1);
        // A strand that passes in front from the right is a positive letter.
        out.push_back(m.toTheRight ? -(mover + 1) : other + 1);
        EXPECT_EQ(out.back(), m.letter);
        std::swap(order[static_cast<std::size_t>(mover)], order[static_cast<std::size_t>(other)]);
    }
    for (int k = 0; k < n; ++k) EXPECT_EQ(order[static_cast<std::size_t>(k)], k);
    return out;
}

TEST(Untangle, ByHand) {
    // In s1 s2, strand 1 came in front of 0, then 2 in front of 0.
    const auto moves = untangle(BraidWord{1, 2}, 3).value();
    ASSERT_EQ(moves.size(), 2u);
    // The strands are now in the order 1, 2, 0. s2 is undone first: 2 goes to the right in front of 0.
    EXPECT_EQ(moves[0], (UntangleMove{2, 0, true, -2}));
    EXPECT_EQ(moves[1], (UntangleMove{1, 0, true, -1}));
    EXPECT_TRUE(untangle(BraidWord{1, 2, 1, -2, -1, -2}, 3).value().empty());
    EXPECT_TRUE(untangle(BraidWord{}, 2).value().empty());
    EXPECT_EQ(untangle(BraidWord{1, -1, 1, 1}, 2).value().size(), 2u);
    EXPECT_FALSE(untangle(BraidWord{4}, 3));
    EXPECT_FALSE(untangle(BraidWord{1}, 1));
    EXPECT_EQ(untangle(BraidReading{}).error().what, "the ropes could not be read as a braid");
}

TEST(Untangle, PlansUntangle) {
    RandomWords random{std::mt19937(61)};
    for (int k = 0; k < 150; ++k) {
        const int n = 2 + random.below(5);
        const BraidWord w = random.word(n, random.below(24));
        const auto moves = untangle(w, n);
        ASSERT_TRUE(moves) << moves.error().text();
        EXPECT_LE(moves->size(), freeReduce(w).size());
        EXPECT_TRUE(sameBraid(carriedOut(w, n, *moves), {}, n).value()) << formatBraid(w);
    }
}

// For every 3-braid within 10 letters the number of moves is the distance to the identity. (garside_test tests longer
// words.)
TEST(Untangle, LeastForThreeStrands) {
    std::map<std::pair<int, std::vector<std::vector<int>>>, std::size_t> met;
    const auto name = [](const BraidWord& w) {
        const GarsideForm form = garsideForm(w, 3).value();
        return std::pair{form.deltaPower, form.factors};
    };
    met[name({})] = 0;
    std::vector<BraidWord> sphere{{}};
    for (std::size_t radius = 1; radius <= 10; ++radius) {
        std::vector<BraidWord> next;
        for (const BraidWord& w : sphere)
            for (const int letter : {1, -1, 2, -2}) {
                const BraidWord longer = product(w, {letter});
                if (met.emplace(name(longer), radius).second) next.push_back(longer);
            }
        for (const BraidWord& w : next) ASSERT_EQ(untangle(w, 3)->size(), radius) << formatBraid(w);
        sphere = next;
    }
    EXPECT_GT(met.size(), 5000u);
}

// Every 4-braid within 5 letters, written as another word: the plan may be only slightly longer than the least.
TEST(Untangle, NearTheLeastForFourStrands) {
    std::map<std::pair<int, std::vector<std::vector<int>>>, std::size_t> met;
    const auto name = [](const BraidWord& w) {
        const GarsideForm form = garsideForm(w, 4).value();
        return std::pair{form.deltaPower, form.factors};
    };
    met[name({})] = 0;
    RandomWords random{std::mt19937(62)};
    std::vector<BraidWord> sphere{{}};
    std::size_t braids = 0, exact = 0, worst = 0;
    for (std::size_t radius = 1; radius <= 5; ++radius) {
        std::vector<BraidWord> next;
        for (const BraidWord& w : sphere)
            for (const int letter : {1, -1, 2, -2, 3, -3}) {
                const BraidWord longer = product(w, {letter});
                if (met.emplace(name(longer), radius).second) next.push_back(longer);
            }
        for (std::size_t k = 0; k < next.size(); k += 1 + next.size() / 150) {
            const std::size_t length = untangle(random.disguised(next[k], 4, 4), 4)->size();
            ASSERT_GE(length, radius);
            ++braids;
            exact += length == radius;
            worst = std::max(worst, length - radius);
        }
        sphere = next;
    }
    EXPECT_GT(100 * exact, 95 * braids) << exact << " of " << braids << ", worst excess " << worst;
    EXPECT_LE(worst, 4u);
}

// Ten thousand products w w^-1, each rewritten as another word.
TEST(Untangle, TenThousandWordsAndTheirInverses) {
    RandomWords random{std::mt19937(63)};
    for (int k = 0; k < 10000; ++k) {
        const int n = 2 + random.below(4);
        const BraidWord w = random.word(n, random.below(10));
        ASSERT_TRUE(sameBraid(product(random.disguised(w, n, 2), inverse(w)), {}, n).value())
            << formatBraid(w);
        if (k % 10 == 0) {
            ASSERT_TRUE(untangle(product(random.disguised(w, n, 2), inverse(w)), n)->empty());
        }
    }
}

// Ropes are read, a plan is made, its crossings are appended below the ropes, and the ropes are read again.
TEST(Untangle, RopesComeOutStraight) {
    RandomWords random{std::mt19937(64)};
    const View view = viewFrom({0, 0, 1}, {0, 1, 0}).value();
    for (int k = 0; k < 20; ++k) {
        const BraidWord w = random.word(3, 6);
        BraidReader reader;
        ASSERT_TRUE(reader.read(asRopes(strandsOf(w, 3, 6)), view));
        const auto moves = untangle(reader.reading());
        ASSERT_TRUE(moves);
        BraidWord all = w;
        for (const UntangleMove& m : *moves) all.push_back(m.letter);
        ASSERT_TRUE(reader.read(asRopes(strandsOf(all, 3, 6)), view));
        EXPECT_TRUE(untangle(reader.reading())->empty());
    }
    // Ropes that are listed from right to left keep their own numbers.
    auto strands = strandsOf({1}, 2, 6);
    std::swap(strands[0], strands[1]);
    BraidReader reader;
    ASSERT_TRUE(reader.read(asRopes(strands), view));
    EXPECT_EQ(reader.reading().start, (std::vector<int>{1, 0}));
    // Rope 0, which started on the right, passed in front to the left. The plan moves it back in front.
    EXPECT_EQ(untangle(reader.reading()).value(), (std::vector<UntangleMove>{{0, 1, true, -1}}));
}

} // namespace
} // namespace capstan
