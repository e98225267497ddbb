// SPDX-License-Identifier: MIT
//
// This file handles words in the braid group B_n. Its main question about a tangle is whether two words are the same
// braid.
//
//   B_n = < s_1 .. s_(n-1) |  s_i s_j = s_j s_i  for |i - j| >= 2,   s_i s_(i+1) s_i = s_(i+1) s_i s_(i+1) >
//
// A word is a list of letters that is read from left to right. The letter +i is s_i: the strands at positions i and
// i+1 swap in a positive crossing. The letter -i is the inverse of s_i. Positions count from 1. A letter names
// positions, never strands: naming strands is the classical mistake, since it gives no group.
//
// Handle reduction solves the word problem (P. Dehornoy, "A fast method for comparing braids", Advances in Mathematics
// 125 (1997)). It was preferred to the Burau matrix (burau.hpp) for two reasons. That matrix is faithful for n <= 3
// only (n = 4 is open, n >= 5 is not faithful). Its coefficients also outgrow 64 bits after about a hundred letters.
// Garside's form (garside.hpp) also solves the word problem and gives a canonical word, but it is slower on most
// words. The tests compare the results of the three methods.
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

// checkBraid checks words that come from outside: n in [2, maxBraidStrands], letters in +-[1, n-1], at most
// maxBraidLetters of them. Every function below that takes n calls checkBraid and returns its error.
CAPSTAN_API Status checkBraid(const BraidWord& word, int n);

// The text reads like "s1 s2^-1 s1^3": letters `s` or `σ` with an index and an optional integer power. Blanks are
// optional; "e" or an empty text is the trivial braid. The error names the position of the wrong character.
CAPSTAN_API Result<BraidWord> parseBraid(std::string_view text, int n);

// The text has one letter at a time, "s1 s2^-1"; the trivial word is "e". parseBraid reads it back.
CAPSTAN_API std::string formatBraid(const BraidWord& word);

// The next four functions need no n. They keep an invalid letter 0 without cancelling it, so that checkBraid can
// report it.
CAPSTAN_API BraidWord freeReduce(const BraidWord& word);
CAPSTAN_API BraidWord inverse(const BraidWord& word);
CAPSTAN_API BraidWord product(const BraidWord& a, const BraidWord& b);
CAPSTAN_API std::int64_t exponentSum(const BraidWord& word); // the writhe of the braid diagram

// p[k] is the strand (its start position, from 0) that ends at position k. For a pure braid p is {0, 1, .. n-1}.
CAPSTAN_API Result<std::vector<int>> permutation(const BraidWord& word, int n);

// handleReduce returns an equal word without handles. The result is empty exactly when the braid is trivial; otherwise
// its lowest generator occurs with one sign only. The result is not canonical: equal braids may reduce to different
// words. The call returns an error if the word grows too long on the way. That takes thousands of letters on tens of
// strands.
CAPSTAN_API Result<BraidWord> handleReduce(const BraidWord& word, int n);

// sameBraid compares exponent sums and permutations first, which differ for most unequal braids. Then it applies
// handle reduction to a b^-1, and Garside's form where that word grows too long. Read .value(): the Result converts to
// true whenever both words were well formed, equal or not.
CAPSTAN_API Result<bool> sameBraid(const BraidWord& a, const BraidWord& b, int n);

} // namespace capstan
