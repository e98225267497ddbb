// SPDX-License-Identifier: MIT
//
// Conversion of swaps into letters; see swaps.hpp.
#include <capstan/topology/swaps.hpp>

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace capstan {
namespace {

std::size_t positionOf(const std::vector<int>& order, int strand) {
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), strand) - order.begin());
}

} // namespace

void appendReduced(BraidWord& word, int letter) {
    if (!word.empty() && word.back() == -letter)
        word.pop_back();
    else
        word.push_back(letter);
}

bool spellSwaps(std::vector<StrandSwap>& swaps, double tie, std::vector<int>& order, BraidWord& word) {
    // Swaps that are equal in all four members give the same letter twice, so their order has no effect.
    std::sort(swaps.begin(), swaps.end(), [](const StrandSwap& p, const StrandSwap& q) {
        return std::tie(p.when, p.a, p.b, p.sign) < std::tie(q.when, q.a, q.b, q.sign);
    });
    for (std::size_t next = 0; next < swaps.size(); ++next) {
        const double latest = swaps[next].when + tie;
        std::size_t k = next, left = 0;
        for (;; ++k) {
            if (k == swaps.size() || swaps[k].when > latest) return false;
            const std::size_t a = positionOf(order, swaps[k].a), b = positionOf(order, swaps[k].b);
            left = std::min(a, b);
            if (left + 1 == std::max(a, b)) break;
        }
        const auto at = [&](std::size_t i) { return swaps.begin() + static_cast<std::ptrdiff_t>(i); };
        std::rotate(at(next), at(k), at(k + 1));
        std::swap(order[left], order[left + 1]);
        appendReduced(word, swaps[next].sign * static_cast<int>(left + 1));
    }
    return true;
}

} // namespace capstan
