// SPDX-License-Identifier: MIT
//
// The plan that untangles a braid; see untangle.hpp.
#include <capstan/topology/untangle.hpp>

#include <capstan/topology/garside.hpp>

#include <cstddef>
#include <utility>

namespace capstan {
namespace {

// Pairs are tried for words of at most maxStruck letters, because the time grows as the fourth power of the length.
constexpr std::size_t maxStruck = 48;

void keepShorter(BraidWord& best, BraidWord other) {
    other = freeReduce(other);
    if (other.size() < best.size()) best = std::move(other);
}

// Removes a letter and a later inverse of the letter if this does not change the braid. Returns false if there is no
// such pair. It tries the nearest pairs first.
bool strikePair(BraidWord& word, int n) {
    for (std::size_t gap = 1; gap < word.size(); ++gap)
        for (std::size_t i = 0; i + gap < word.size(); ++i) {
            if (word[i] != -word[i + gap]) continue;
            // With v the letters in between, the braid is unchanged if and only if s v s^-1 = v.
            const auto from = word.begin() + static_cast<std::ptrdiff_t>(i);
            const auto to = from + static_cast<std::ptrdiff_t>(gap);
            const BraidWord with(from, to + 1), without(from + 1, to);
            const auto same = sameBraid(with, without, n);
            if (!same || !same.value()) continue;
            word.erase(to);
            word.erase(word.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
    return false;
}

} // namespace

Result<BraidWord> shortWord(const BraidWord& word, int n) {
    if (n == 3) return shortestWordB3(word);
    auto form = garsideForm(word, n);
    if (!form) return form.error();
    BraidWord best = freeReduce(word);
    keepShorter(best, shortGarsideWord(*form));
    if (n == 2) return best;
    keepShorter(best, inverse(shortGarsideWord(garsideForm(inverse(word), n).value())));
    if (const auto reduced = handleReduce(word, n)) keepShorter(best, *reduced);
    while (best.size() <= maxStruck && strikePair(best, n)) best = freeReduce(best);
    return best;
}

Result<std::vector<UntangleMove>> untangle(const BraidWord& word, int n) {
    const auto letters = shortWord(inverse(word), n);
    if (!letters) return letters.error();
    std::vector<int> order = permutation(word, n).value();
    std::vector<UntangleMove> moves;
    for (const int letter : *letters) {
        const auto left = static_cast<std::size_t>((letter > 0 ? letter : -letter) - 1);
        int &a = order[left], &b = order[left + 1];
        moves.push_back(letter > 0 ? UntangleMove{b, a, false, letter} : UntangleMove{a, b, true, letter});
        std::swap(a, b);
    }
    return moves;
}

Result<std::vector<UntangleMove>> untangle(const BraidReading& reading) {
    if (!reading.readable) return Error{"the ropes could not be read as a braid", "untangle"};
    auto moves = untangle(reading.word, static_cast<int>(reading.start.size()));
    if (!moves) return moves.error();
    for (UntangleMove& m : *moves) {
        m.mover = reading.start[static_cast<std::size_t>(m.mover)];
        m.other = reading.start[static_cast<std::size_t>(m.other)];
    }
    return moves;
}

} // namespace capstan
