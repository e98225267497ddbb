// SPDX-License-Identifier: MIT
//
// Random braid words for the tests of this folder. They are the same on every machine; the standard library's
// distributions are not.
#pragma once

#include <capstan/topology/braid.hpp>

#include <cstddef>
#include <random>

namespace capstan {

struct RandomWords {
    std::mt19937 engine;

    int below(int bound) { return static_cast<int>(engine() % static_cast<unsigned>(bound)); }

    BraidWord word(int n, int length) {
        BraidWord w;
        for (int k = 0; k < length; ++k) {
            const int i = 1 + below(n - 1);
            w.push_back(below(2) == 0 ? i : -i);
        }
        return w;
    }

    static BraidWord relation(int i, int j) {
        if (i == j) return {i, -i};
        if (i - j == 1 || j - i == 1) return {i, j, i, -j, -i, -j};
        return {i, j, -i, -j};
    }

    // Rewrites the word: relators of the group are inserted at random positions, so the braid stays the same.
    BraidWord disguised(BraidWord w, int n, int times) {
        for (int k = 0; k < times; ++k) {
            BraidWord relator = relation(1 + below(n - 1), 1 + below(n - 1));
            if (below(2) == 0) relator = inverse(relator);
            w.insert(w.begin() + below(static_cast<int>(w.size()) + 1), relator.begin(), relator.end());
        }
        return w;
    }
};

} // namespace capstan
