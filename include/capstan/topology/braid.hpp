// SPDX-License-Identifier: MIT
//
// Words in the braid group B_n. The main question is whether two words are the same braid.
//
//   B_n = < s_1 .. s_(n-1) |  s_i s_j = s_j s_i  for |i - j| >= 2,   s_i s_(i+1) s_i = s_(i+1) s_i s_(i+1) >
//
// A word is a list of letters that is read from left to right. The letter +i is s_i: the strands at positions i and
// i+1 swap in a positive crossing. The letter -i is the inverse of s_i. Positions count from 1. A letter refers to
// positions, never to strands: letters that named strands would not form a group.
//
// Handle reduction solves the word problem (P. Dehornoy, "A fast method for comparing braids", Advances in
// Mathematics 125 (1997)). It was preferred to the Burau matrix (burau.hpp) for two reasons. That matrix is faithful
// for n <= 3 only (n = 4 is open, n >= 5 is not faithful). Its coefficients also outgrow 64 bits after about a
// hundred letters. Garside's normal form (garside.hpp) also solves the word problem and gives a canonical word, but
// it is slower on most words. The tests compare the results of all three methods.
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

inline constexpr int maxBraidStrands = 256;             // limits the memory of an n x n Burau matrix
inline constexpr std::size_t maxBraidLetters = 1 << 14; // limits the time of a reduction

// Checks a word that comes from outside: n in [2, maxBraidStrands], letters in +-[1, n-1], and at most
// maxBraidLetters letters. Every function below that has a parameter n calls checkBraid and returns its Error.
CAPSTAN_API Status checkBraid(const BraidWord& word, int n);

// Reads text such as "s1 s2^-1 s1^3": letters `s` or `σ` with an index and an optional integer power. Blanks are
// optional; "e" or an empty text is the trivial braid. The Error names the position of the wrong character.
CAPSTAN_API Result<BraidWord> parseBraid(std::string_view text, int n);

// Returns the word as text, one letter after the other, "s1 s2^-1"; the trivial word is "e". parseBraid reads it
// back.
CAPSTAN_API std::string formatBraid(const BraidWord& word);

// The next four functions need no n. An invalid letter 0 stays in the word, so that checkBraid can report it.
// The function freeReduce removes neighbouring letters that cancel.
CAPSTAN_API BraidWord freeReduce(const BraidWord& word);
CAPSTAN_API BraidWord inverse(const BraidWord& word);
CAPSTAN_API BraidWord product(const BraidWord& a, const BraidWord& b);
CAPSTAN_API std::int64_t exponentSum(const BraidWord& word); // the writhe of the braid diagram

// Returns p: the strand that ends at position k started at position p[k], both from 0. For a pure braid p is {0, 1,
// .. n-1}.
CAPSTAN_API Result<std::vector<int>> permutation(const BraidWord& word, int n);

// Returns an equal word without handles. The result is empty exactly when the braid is trivial; otherwise its lowest
// generator occurs with one sign only. The result is not canonical: equal braids may reduce to different words.
// Returns an Error if the word grows too long during the reduction. That takes thousands of letters on tens of
// strands.
CAPSTAN_API Result<BraidWord> handleReduce(const BraidWord& word, int n);

// Returns whether two words are the same braid. It compares exponent sums and permutations first, which differ for
// most unequal braids. Then it applies handle reduction to a b^-1, and Garside's normal form if that word grows too
// long. Read .value(): the Result itself is true whenever both words were valid, equal or not.
CAPSTAN_API Result<bool> sameBraid(const BraidWord& a, const BraidWord& b, int n);

} // namespace capstan
