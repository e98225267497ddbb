// SPDX-License-Identifier: MIT
//
// Tests of the table of knots and its polynomials against independent representations. Two-bridge knots use their
// fractions and Minkus's formula. Closed braids use Burau's determinant and their diagrams. Determinants and
// signatures are those of standard tables of knots.
#include "topology/diagram/faces.hpp"
#include "topology/diagram/reroute.hpp"
#include "topology/knot/knot_table.hpp"
#include "topology/knot/signature.hpp"
#include <capstan/topology/alexander.hpp>
#include <capstan/topology/burau.hpp>

#include <tests/topology/random_words.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace capstan {
namespace {

const KnownKnot& known(const std::string& name) {
    for (const KnownKnot& knot : knotTable())
        if (knot.name == name) return knot;
    throw name;
}

struct NamedBraid {
    const char* name;
    int strands;
    BraidWord word;
};

// Closed braids as in tables of knots; some are mirror images. Source: V. Jones, "Hecke algebra representations of
// braid groups and link polynomials", Annals of Math. 126 (1987).
std::vector<NamedBraid> braids() {
    return {{"3_1", 2, {1, 1, 1}},
            {"4_1", 3, {1, -2, 1, -2}},
            {"5_1", 2, {1, 1, 1, 1, 1}},
            {"5_2", 3, {1, 1, 1, 2, -1, 2}},
            {"6_1", 4, {1, 1, 2, -1, -3, 2, -3}},
            {"6_2", 3, {1, 1, 1, -2, 1, -2}},
            {"6_3", 3, {1, 1, -2, 1, -2, -2}},
            {"7_1", 2, {1, 1, 1, 1, 1, 1, 1}},
            {"7_2", 4, {1, 1, 1, 2, -1, 2, 3, -2, 3}},
            {"7_3", 3, {1, 1, 1, 1, 1, 2, -1, 2}},
            {"7_4", 4, {1, 1, 2, -1, 2, 2, 3, -2, 3}},
            {"7_5", 3, {1, 1, 1, 1, 2, -1, 2, 2}},
            {"7_6", 4, {1, 1, -2, 1, 3, -2, 3}},
            {"7_7", 4, {1, -2, 1, -2, 3, -2, 3}},
            {"8_1", 5, {1, 1, 2, -1, 2, 3, -2, -4, 3, -4}},
            {"8_2", 3, {1, 1, 1, 1, 1, -2, 1, -2}},
            {"8_3", 5, {1, 1, 2, -1, -3, 2, -3, -4, 3, -4}},
            {"8_4", 4, {-1, -1, -1, 2, -1, 2, 3, -2, 3}},
            {"8_5", 3, {1, 1, 1, -2, 1, 1, 1, -2}},
            {"8_6", 4, {1, 1, 1, 1, 2, -1, -3, 2, -3}},
            {"8_7", 3, {1, 1, 1, 1, -2, 1, -2, -2}},
            {"8_8", 4, {1, 1, 1, 2, -1, -3, 2, -3, -3}},
            {"8_9", 3, {1, 1, 1, -2, 1, -2, -2, -2}},
            {"8_10", 3, {1, 1, 1, -2, 1, 1, -2, -2}},
            {"8_11", 4, {1, 1, 2, -1, 2, 2, -3, 2, -3}},
            {"8_12", 5, {1, -2, 1, 3, -2, -4, 3, -4}},
            {"8_13", 4, {1, 1, -2, 1, -2, -2, -3, 2, -3}},
            {"8_14", 4, {1, 1, 1, 2, -1, 2, -3, 2, -3}},
            {"8_15", 4, {1, 1, -2, 1, 3, 2, 2, 2, 3}},
            {"8_16", 3, {1, 1, -2, 1, 1, -2, 1, -2}},
            {"8_17", 3, {1, 1, -2, 1, -2, 1, -2, -2}},
            {"8_18", 3, {1, -2, 1, -2, 1, -2, 1, -2}},
            {"8_19", 3, {1, 1, 1, 2, 1, 1, 1, 2}},
            {"8_20", 3, {1, 1, 1, -2, -1, -1, -1, -2}},
            {"8_21", 3, {1, 1, 1, 2, -1, -1, 2, 2}},
            {"3_1#3_1", 3, {1, 1, 1, 2, 2, 2}},
            {"3_1#3_1*", 3, {1, 1, 1, -2, -2, -2}},
            {"3_1#4_1", 4, {1, 1, 1, 2, -3, 2, -3}},
            {"4_1#4_1", 5, {1, -2, 1, -2, 3, -4, 3, -4}},
            {"3_1#5_1", 3, {1, 1, 1, 2, 2, 2, 2, 2}},
            {"3_1#5_1*", 3, {1, 1, 1, -2, -2, -2, -2, -2}},
            {"3_1#5_2", 4, {1, 1, 1, 2, 2, 2, 3, -2, 3}},
            {"3_1#5_2*", 4, {-1, -1, -1, 2, 2, 2, 3, -2, 3}}};
}

TEST(KnotTable, ClosedBraids) {
    std::size_t checked = 0;
    for (const NamedBraid& b : braids()) {
        const IntegerPolynomial delta = alexander(b.word, b.strands).value();
        EXPECT_EQ(delta, known(b.name).alexander()) << b.name << ": " << formatPolynomial(delta);
        GaussCode code = gaussCode(b.word, b.strands).value();
        EXPECT_EQ(alexander(code).value(), delta) << b.name;
        EXPECT_EQ(std::abs(signature(code).value()), known(b.name).signature) << b.name;
        simplify(code);
        EXPECT_EQ(alexander(code).value(), delta) << b.name;
        // The inverse word closes to the mirror image.
        const GaussCode mirror = gaussCode(inverse(b.word), b.strands).value();
        EXPECT_EQ(alexander(mirror).value(), delta);
        EXPECT_EQ(signature(mirror).value(), -signature(code).value());
        ++checked;
    }
    EXPECT_EQ(checked + 1, knotTable().size()); // all knots of the table except the unknot
}

// The polynomial of a two-bridge knot. Conway's notation is a continued fraction p/q (J. Conway 1970). With q odd,
//     Delta = sum over k < p of (-1)^k t^(e_0 + .. + e_k),   e_i = (-1)^floor(i q / p)      (J. Minkus 1982)
IntegerPolynomial twoBridge(const std::string& conway, int& p) {
    int numerator = 1, q = 0; // [a1 .. an]: a_n + 1 / (a_(n-1) + ..)
    for (const char digit : conway) {
        const int next = (digit - '0') * numerator + q;
        q = numerator;
        numerator = next;
    }
    p = numerator;
    if (q % 2 == 0) q += p; // p is odd for knots; adding p to q changes the knot at most to its mirror image
    q %= 2 * p;
    std::map<int, std::int64_t> terms;
    int exponent = 0;
    for (int k = 0; k < p; ++k) {
        exponent += (k * q / p) % 2 == 0 ? 1 : -1;
        terms[exponent] += k % 2 == 0 ? 1 : -1;
    }
    IntegerPolynomial out;
    int last = 0;
    for (const auto& [power, c] : terms) {
        if (c == 0) continue;
        if (!out.empty()) out.insert(out.end(), static_cast<std::size_t>(power - last - 1), 0);
        out.push_back(c);
        last = power;
    }
    if (evaluate(out, 1) < 0)
        for (std::int64_t& c : out) c = -c;
    return out;
}

TEST(KnotTable, TwoBridgeKnots) {
    const std::pair<const char*, const char*> conway[] = {
        {"3_1", "3"},     {"4_1", "22"},   {"5_1", "5"},     {"5_2", "32"},    {"6_1", "42"},
        {"6_2", "312"},   {"6_3", "2112"}, {"7_1", "7"},     {"7_2", "52"},    {"7_3", "43"},
        {"7_4", "313"},   {"7_5", "322"},  {"7_6", "2212"},  {"7_7", "21112"}, {"8_1", "62"},
        {"8_2", "512"},   {"8_3", "44"},   {"8_4", "413"},   {"8_6", "332"},   {"8_7", "4112"},
        {"8_8", "2312"},  {"8_9", "3113"}, {"8_11", "3212"}, {"8_12", "2222"}, {"8_13", "31112"},
        {"8_14", "22112"}};
    for (const auto& [name, notation] : conway) {
        int p = 0;
        EXPECT_EQ(twoBridge(notation, p), known(name).alexander()) << name;
        EXPECT_EQ(knotDeterminant(known(name).alexander()), p) << name;
    }
}

TEST(KnotTable, PalindromesDeterminantsAndOne) {
    const std::map<std::string, std::int64_t> determinants = {
        {"0_1", 1},   {"3_1", 3},   {"4_1", 5},   {"5_1", 5},   {"5_2", 7},   {"6_1", 9},
        {"6_2", 11},  {"6_3", 13},  {"7_1", 7},   {"7_2", 11},  {"7_3", 13},  {"7_4", 15},
        {"7_5", 17},  {"7_6", 19},  {"7_7", 21},  {"8_1", 13},  {"8_2", 17},  {"8_3", 17},
        {"8_4", 19},  {"8_5", 21},  {"8_6", 23},  {"8_7", 23},  {"8_8", 25},  {"8_9", 25},
        {"8_10", 27}, {"8_11", 27}, {"8_12", 29}, {"8_13", 29}, {"8_14", 31}, {"8_15", 33},
        {"8_16", 35}, {"8_17", 37}, {"8_18", 45}, {"8_19", 3},  {"8_20", 9},  {"8_21", 15}};
    for (const KnownKnot& knot : knotTable()) {
        const IntegerPolynomial p = knot.alexander();
        EXPECT_EQ(evaluate(p, 1), 1) << knot.name;
        EXPECT_TRUE(std::equal(p.begin(), p.end(), p.rbegin())) << knot.name;
        // Murasugi 1965: |Delta(-1)| is 1 modulo 4 if and only if the signature is a multiple of 4.
        EXPECT_EQ(knotDeterminant(p) % 4 == 1, knot.signature % 4 == 0) << knot.name;
        if (determinants.count(knot.name) != 0) {
            EXPECT_EQ(knotDeterminant(p), determinants.at(knot.name)) << knot.name;
        }
        EXPECT_TRUE(!knot.amphichiral || knot.signature == 0) << knot.name;
    }
    // The polynomial of a sum of knots is the product of their polynomials.
    for (const char* sum : {"3_1#3_1", "3_1#3_1*", "3_1#4_1", "4_1#4_1", "3_1#5_1", "3_1#5_1*", "3_1#5_2"}) {
        const std::string s = sum;
        EXPECT_EQ(known(s).alexander(),
                  multiply(known(s.substr(0, 3)).alexander(), known(s.substr(4, 3)).alexander()))
            << s;
    }
}

// Polynomial and signature distinguish all knots of the table except two pairs.
TEST(KnotTable, WhatTheInvariantsCannotTell) {
    std::vector<std::string> shared;
    for (const KnownKnot& a : knotTable())
        for (const KnownKnot& b : knotTable())
            if (&a < &b && a.signature == b.signature && a.alexander() == b.alexander())
                shared.push_back(std::string(a.name) + " " + b.name);
    EXPECT_EQ(shared, (std::vector<std::string>{"3_1#3_1* 8_20", "3_1#4_1 8_21"}));
}

// Conjugation and stabilisation (A. Markov 1935) change the braid but not its closure, so the polynomial stays.
TEST(Alexander, MarkovMovesLeaveItAlone) {
    RandomWords random{std::mt19937(41)};
    for (int k = 0; k < 60; ++k) {
        const int n = 2 + random.below(4);
        const BraidWord w = random.word(n, 3 + random.below(12)), g = random.word(n, 4);
        const IntegerPolynomial delta = alexander(w, n).value();
        EXPECT_EQ(alexander(product(g, product(w, inverse(g))), n).value(), delta) << formatBraid(w);
        EXPECT_EQ(alexander(product(w, {n}), n + 1).value(), delta) << formatBraid(w);
        EXPECT_EQ(alexander(product(w, {-n}), n + 1).value(), delta) << formatBraid(w);
        EXPECT_EQ(alexander(random.disguised(w, n, 5), n).value(), delta) << formatBraid(w);
        GaussCode code = gaussCode(w, n).value();
        EXPECT_EQ(alexander(code).value(), delta) << formatBraid(w);
        const std::size_t before = code.signs.size();
        simplify(code);
        EXPECT_LE(code.signs.size(), before);
        EXPECT_EQ(alexander(code).value(), delta) << formatBraid(w);
        const std::size_t simple = code.signs.size();
        reroute(code);
        EXPECT_LE(code.signs.size(), simple);
        EXPECT_EQ(alexander(code).value(), delta) << formatBraid(w);
    }
}

// Rerouting a strand must keep the diagram on a sphere (L. Euler: n + 2 faces) and the knot.
TEST(Reroute, KnotsStayAndComeSimple) {
    RandomWords random{std::mt19937(43)};
    int simplest = 0, all = 0;
    for (const NamedBraid& b : braids()) {
        for (int k = 0; k < 5; ++k) {
            BraidWord w = random.disguised(b.word, b.strands, 10);
            const BraidWord g = random.word(b.strands, 8);
            w = product(g, product(w, inverse(g)));
            w.push_back(k % 2 ? b.strands : -b.strands); // stabilisation
            GaussCode code = gaussCode(w, b.strands + 1).value();
            const std::size_t before = code.signs.size();
            const int sigma = signature(gaussCode(b.word, b.strands).value()).value();
            reroute(code);
            EXPECT_LE(code.signs.size(), before);
            EXPECT_EQ(code.signs.empty() ? 0 : signature(code).value(), sigma) << b.name;
            EXPECT_EQ(alexander(code).value(), alexander(b.word, b.strands).value()) << b.name;
            if (!code.signs.empty()) {
                EXPECT_EQ(DiagramFaces(code).count, code.signs.size() + 2) << b.name;
            }
            ++all;
            simplest += int(code.signs.size()) <= known(b.name).crossings;
        }
    }
    EXPECT_GE(simplest, 9 * all / 10) << "of " << all;
}

// The torus knot T(p, q) has (t^pq - 1)(t - 1) / ((t^p - 1)(t^q - 1)), checked by multiplication.
TEST(Alexander, TorusKnots) {
    const auto minusOne = [](std::size_t power) {
        IntegerPolynomial p(power + 1);
        p[0] = -1;
        p[power] = 1;
        return p;
    };
    for (const auto& [p, q] : {std::pair{2, 9}, {2, 31}, {3, 4}, {3, 10}, {4, 7}, {5, 6}, {7, 8}}) {
        BraidWord w;
        for (int k = 0; k < q; ++k)
            for (int i = 1; i < p; ++i) w.push_back(i);
        const IntegerPolynomial delta = alexander(w, p).value();
        const auto a = static_cast<std::size_t>(p), b = static_cast<std::size_t>(q);
        EXPECT_EQ(multiply(delta, multiply(minusOne(a), minusOne(b))),
                  multiply(minusOne(a * b), minusOne(1)));
    }
    EXPECT_EQ(knotDeterminant(alexander(BraidWord{1, 1}, 2).value()), 2); // the Hopf link
    // The Borromean rings.
    EXPECT_EQ(knotDeterminant(alexander(BraidWord{1, -2, 1, -2, 1, -2}, 3).value()), 16);
    EXPECT_EQ(knotDeterminant(alexander(BraidWord{1, -2, 1, -2, -2}, 3).value()), 8); // the Whitehead link
    EXPECT_EQ(alexander(BraidWord{1, 1}, 3).value(), IntegerPolynomial{}); // a Hopf link and a separate ring
    EXPECT_EQ(alexander(BraidWord{}, 2).value(), IntegerPolynomial{});
}

TEST(Alexander, SignaturesOfTorusKnots) {
    for (int q = 3; q <= 15; q += 2) {
        const BraidWord w(static_cast<std::size_t>(q), 1);
        // A right-handed knot has a negative signature.
        EXPECT_EQ(signature(gaussCode(w, 2).value()).value(), 1 - q);
        EXPECT_EQ(signature(gaussCode(inverse(w), 2).value()).value(), q - 1);
    }
    EXPECT_EQ(signature(gaussCode(BraidWord{1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, 3).value()).value(), -8); // T(3,5)
}

TEST(Alexander, BadInput) {
    EXPECT_FALSE(alexander(BraidWord{3}, 3));
    EXPECT_FALSE(alexander(BraidWord(400, 1), 2)); // the braid is too long for exact integers
    EXPECT_FALSE(gaussCode(BraidWord{0}, 3));
    EXPECT_EQ(alexander(gaussCode(BraidWord(101, 1), 2).value()).error().text(),
              "diagram: the diagram has 101 crossings, more than 100");
    EXPECT_EQ(formatPolynomial({-1, 3, -1}), "-1 + 3 t - t^2");
    EXPECT_EQ(formatPolynomial({}), "0");
}

} // namespace
} // namespace capstan
