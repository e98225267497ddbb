// SPDX-License-Identifier: MIT
//
// Words in the braid group B_n, and the question a tangle asks: are two words the same braid?
//
//   B_n = < s_1 .. s_(n-1) |  s_i s_j = s_j s_i  for |i - j| >= 2,   s_i s_(i+1) s_i = s_(i+1) s_i s_(i+1) >
//
// A word is a list of letters read left to right: +i is s_i (the strands at positions i and i+1 swap, a
// positive crossing), -i its inverse. Positions count from 1, and a letter names positions, never strands:
// naming strands is the classical mistake, it does not give a group.
//
// The word problem is solved by handle reduction: P. Dehornoy, "A fast method for comparing braids", Advances
// in Mathematics 125 (1997). It was preferred to the Burau matrix (burau.hpp), which is faithful only for
// n <= 3 (n = 4 is open, n >= 5 is not) and whose coefficients outgrow 64 bits after about a hundred letters.
// Garside's form (garside.hpp) decides it too, and gives a canonical word; it is slower on most words. The
// tests hold the three against each other.
#pragma once

#include <capstan/api.hpp>
#include <capstan/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace capstan {

using BraidWord = std::vector<int>;

inline constexpr int maxBraidStrands = 256;             // bounds the memory of an n x n Burau matrix
inline constexpr std::size_t maxBraidLetters = 1 << 14; // bounds the time of a reduction

// The gate for words that come from outside: n in [2, maxBraidStrands], letters in +-[1, n-1], not too long.
// Every function below that takes n calls it, and hands its error on.
CAPSTAN_API Status checkBraid(const BraidWord& word, int n);

// "s1 s2^-1 s1^3": letters `s` or `σ` with an index and an optional integer power, blanks optional, "e" or
// nothing for the trivial braid. The error names the character.
CAPSTAN_API Result<BraidWord> parseBraid(std::string_view text, int n);

// One letter at a time, "s1 s2^-1"; the trivial word is "e". parseBraid reads it back.
CAPSTAN_API std::string formatBraid(const BraidWord& word);

// These four need no n. A letter 0 is no letter: they carry it along uncancelled, for the gate to see.
CAPSTAN_API BraidWord freeReduce(const BraidWord& word);
CAPSTAN_API BraidWord inverse(const BraidWord& word);
CAPSTAN_API BraidWord product(const BraidWord& a, const BraidWord& b);
CAPSTAN_API std::int64_t exponentSum(const BraidWord& word); // the writhe of the braid diagram

// p[k] = strand (0-based start position) that ends at position k. {0, 1, .. n-1} means a pure braid.
CAPSTAN_API Result<std::vector<int>> permutation(const BraidWord& word, int n);

// An equal word without handles. It is empty exactly when the braid is trivial; otherwise its lowest
// generator occurs with one sign only. Not canonical: equal braids may reduce to different words. An error
// says so if the word swells beyond reason on the way, which takes thousands of letters on tens of strands.
CAPSTAN_API Result<BraidWord> handleReduce(const BraidWord& word, int n);

// By exponent sum and permutation, which tell most braids apart; then by handle reduction of a b^-1; and by
// Garside's form where that swells. Read .value(): the truth value of the Result itself says only that both
// words were well formed.
CAPSTAN_API Result<bool> sameBraid(const BraidWord& a, const BraidWord& b, int n);

} // namespace capstan
