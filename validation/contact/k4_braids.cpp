// SPDX-License-Identifier: MIT
// K4: the word problem of the braid group on three strands: do two words mean the same braid? The engine's answer is
// checked against theorems:
//
//   s1 s2 s1 = s2 s1 s2; inserting a relator never changes a braid, but one more letter always does
//   the full twist (s1 s2)^3 commutes with every braid             (W.-L. Chow 1948)
//   the hair braid s1 s2^-1 stretches loops by (3 + sqrt 5) / 2
//   the reduced Burau representation is faithful for three strands (Magnus & Peluso 1969), so it must agree with
// handle
//   reduction
//
// Random words come from a fixed seed, so a failure can be repeated.
#include <capstan/topology/braid.hpp>
#include <capstan/topology/burau.hpp>
#include <validation/harness/suite.hpp>

#include <cmath>
#include <random>

namespace capstan::validation {

namespace {

constexpr int kStrands = 3;

// Random numbers that are the same on every machine: remainders of the generator's output. The standard library's
// distributions differ between compilers.
using Dice = std::mt19937;
int below(Dice& dice, std::size_t n) { return static_cast<int>(dice() % n); }

BraidWord randomWord(Dice& dice, int letters) {
    BraidWord word;
    for (int i = 0; i < letters; ++i) {
        int s = 1 + below(dice, kStrands - 1);
        word.push_back(dice() % 2 ? s : -s);
    }
    return word;
}

BraidWord power(const BraidWord& word, int n) {
    BraidWord result;
    for (int i = 0; i < n; ++i) result = product(result, word);
    return result;
}

// Inserts g r g^-1 at a random position of the word. g is a random word. The relator r is s s^-1 for a letter s, or
// s1 s2 s1 (s2 s1 s2)^-1, or the inverse of that.
BraidWord insertRelator(Dice& dice, const BraidWord& word) {
    const BraidWord relator = {1, 2, 1, -2, -1, -2};
    BraidWord g = randomWord(dice, below(dice, 3)), r;
    switch (below(dice, 3)) {
    case 0:
        r = relator;
        break;
    case 1:
        r = inverse(relator);
        break;
    default: {
        BraidWord s = randomWord(dice, 1);
        r = {s[0], -s[0]};
    }
    }
    BraidWord in = g;
    in.insert(in.end(), r.begin(), r.end());
    for (int s : inverse(g)) in.push_back(s);
    BraidWord result = word;
    result.insert(result.begin() + below(dice, word.size() + 1), in.begin(), in.end());
    return result;
}

BraidWord disguised(Dice& dice, BraidWord word, int relators) {
    for (int i = 0; i < relators; ++i) word = insertRelator(dice, word);
    return word;
}

// Returns whether sameBraid gives the expected answer `same`. An Error counts as a wrong answer.
bool right(const BraidWord& a, const BraidWord& b, bool same) {
    Result<bool> answer = sameBraid(a, b, kStrands);
    return answer && answer.value() == same;
}

int wrongAfterRelators(Dice& dice, const BraidWord& word, int tries) {
    int wrong = 0;
    for (int i = 0; i < tries; ++i) wrong += !right(word, disguised(dice, word, 1 + below(dice, 20)), true);
    return wrong;
}

int wrongAfterLetter(Dice& dice, const BraidWord& word, int tries) {
    int wrong = 0;
    for (int i = 0; i < tries; ++i) {
        BraidWord other = word;
        other.insert(other.begin() + below(dice, word.size() + 1), randomWord(dice, 1)[0]);
        wrong += !right(word, disguised(dice, other, below(dice, 10)), false);
    }
    return wrong;
}

int wrongAboutCentre(Dice& dice, int tries) {
    const BraidWord twist = power({1, 2}, 3);
    int wrong = 0;
    for (int i = 0; i < tries; ++i) {
        BraidWord w = randomWord(dice, 1 + below(dice, 30));
        wrong += !right(product(twist, w), product(w, twist), true);
    }
    return wrong;
}

// Counts disagreements with the Burau representation. The words are so short that all coefficients of the matrices
// fit in 64 bits. Every other pair is equal by construction, so that both answers occur.
int burauDisagrees(Dice& dice, int tries) {
    int wrong = 0;
    for (int i = 0; i < tries; ++i) {
        BraidWord a = randomWord(dice, 1 + below(dice, 20));
        BraidWord b =
            i % 2 ? disguised(dice, a, 1 + below(dice, 3)) : randomWord(dice, static_cast<int>(a.size()));
        auto matrixA = reducedBurau(a, kStrands), matrixB = reducedBurau(b, kStrands);
        auto reduced = handleReduce(product(a, inverse(b)), kStrands);
        wrong += !(matrixA && matrixB && reduced) ||
                 (matrixA.value() == matrixB.value()) != reduced.value().empty() ||
                 (i % 2 && !reduced.value().empty());
    }
    return wrong;
}

} // namespace

std::vector<Row> runBraids(const Options& options) {
    Dice dice(20240229);
    Sheet sheet("K4", options, 1);
    int tries = options.full ? 20000 : 500;
    auto count = [&](const std::string& claim, int wrong) {
        sheet.add(atMost("K4", claim + ": wrong of " + std::to_string(tries), wrong, 0));
    };
    struct Named {
        const char* name;
        BraidWord word;
    };
    const Named braids[] = {
        {"(s1 s2^-1)^6", power({1, -2}, 6)}, {"(s1 s2)^3", power({1, 2}, 3)}, {"s1^5", power({1}, 5)}};
    for (const Named& braid : braids) {
        count(std::string(braid.name) + " with relators put in is itself",
              wrongAfterRelators(dice, braid.word, tries));
        count(std::string(braid.name) + " with one more letter is another",
              wrongAfterLetter(dice, braid.word, tries));
    }
    count("the full twist commutes with random words", wrongAboutCentre(dice, tries));
    count("handle reduction and Burau agree on random words", burauDisagrees(dice, tries));
    auto stretch = dilatationB3({1, -2});
    sheet.add(relative("K4", "dilatation of the hair braid s1 s2^-1", (3 + std::sqrt(5.0)) / 2,
                       stretch ? stretch.value() : 0, 1e-12));
    return sheet.take();
}

} // namespace capstan::validation
