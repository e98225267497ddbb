// SPDX-License-Identifier: MIT
//
// The left normal form by permutations; garside.hpp gives the sources.
#include <capstan/topology/garside.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace capstan {
namespace {

using Simple = std::vector<int>;

Simple trivialSimple(int n) {
    Simple p;
    for (int k = 0; k < n; ++k) p.push_back(k);
    return p;
}

Simple halfTwist(int n) {
    Simple p = trivialSimple(n);
    std::reverse(p.begin(), p.end());
    return p;
}

Simple inversePermutation(const Simple& p) {
    Simple q(p.size());
    for (std::size_t k = 0; k < p.size(); ++k) q[static_cast<std::size_t>(p[k])] = static_cast<int>(k);
    return q;
}

// Returns y with Delta x = y Delta: s_i and s_(n-i) are exchanged.
Simple flipped(const Simple& x) {
    Simple y(x.rbegin(), x.rend());
    for (int& strand : y) strand = static_cast<int>(x.size()) - 1 - strand;
    return y;
}

// Moves letters from the front of b to the end of a while a stays simple. Returns true if any letter moved. In the
// permutation x, "ends with s_i" is a descent x[i] > x[i+1]. "Starts with s_i" is a descent of the inverse
// permutation.
bool leftWeight(Simple& a, Simple& b) {
    Simple start = inversePermutation(b);
    bool moved = false;
    for (std::size_t i = 0; i + 1 < a.size();) {
        if (start[i] < start[i + 1] || a[i] > a[i + 1]) {
            ++i;
            continue;
        }
        std::swap(a[i], a[i + 1]);
        std::swap(start[i], start[i + 1]);
        moved = true;
        i = i > 0 ? i - 1 : 0; // of the letters before i, only the neighbour can have become movable
    }
    if (moved) b = inversePermutation(start);
    return moved;
}

// Multiplies a normal form by one simple braid on the right. One pass from the right restores the normal form.
void append(GarsideForm& form, Simple x) {
    auto& f = form.factors;
    f.push_back(std::move(x));
    std::size_t k = f.size() - 1;
    while (k > 0 && leftWeight(f[k - 1], f[k])) --k;
    while (!f.empty() && f.back() == trivialSimple(form.strands)) f.pop_back();
    while (!f.empty() && f.front() == halfTwist(form.strands)) {
        f.erase(f.begin());
        ++form.deltaPower;
    }
}

// Returns the letters of a simple braid by a bubble sort: each swap that sorts the permutation undoes the last
// crossing.
BraidWord spell(Simple x) {
    BraidWord word;
    for (std::size_t i = 0; i + 1 < x.size();) {
        if (x[i] < x[i + 1]) {
            ++i;
            continue;
        }
        std::swap(x[i], x[i + 1]);
        word.push_back(static_cast<int>(i) + 1);
        i = i > 0 ? i - 1 : 0;
    }
    std::reverse(word.begin(), word.end());
    return word;
}

void appendWord(BraidWord& word, const BraidWord& more) { word.insert(word.end(), more.begin(), more.end()); }

// Returns y with x y = Delta. The strand that starts at position j must end at n-1-j. So y[n-1-j] is the position of
// that strand after x.
Simple complement(const Simple& x) {
    Simple y = inversePermutation(x);
    std::reverse(y.begin(), y.end());
    return y;
}

} // namespace

// A negative letter is s_i^-1 = Delta^-1 (Delta s_i^-1), and the bracket is simple. Delta^-1 is then moved to the
// left through every factor, which flips the factor (see flipped()). Two flips cancel, so flips are applied once at
// the end instead of letter by letter.
Result<GarsideForm> garsideForm(const BraidWord& word, int n) {
    if (Status ok = checkBraid(word, n); !ok) return ok.error();
    GarsideForm form{n, 0, {}};
    bool flip = false; // true: each stored factor stands for its flipped form
    for (const int letter : word) {
        const auto i = static_cast<std::size_t>(letter < 0 ? -letter : letter);
        Simple x = letter > 0 ? trivialSimple(n) : halfTwist(n);
        std::swap(x[i - 1], x[i]);
        if (letter < 0) {
            --form.deltaPower;
            flip = !flip;
        }
        append(form, flip ? flipped(x) : std::move(x));
    }
    if (flip)
        for (Simple& x : form.factors) x = flipped(x);
    return form;
}

BraidWord garsideWord(const GarsideForm& form) {
    const BraidWord delta = spell(halfTwist(form.strands));
    BraidWord word;
    for (int k = 0; k < form.deltaPower; ++k) appendWord(word, delta);
    for (int k = 0; k > form.deltaPower; --k) appendWord(word, inverse(delta));
    for (const Simple& x : form.factors) appendWord(word, spell(x));
    return word;
}

BraidWord shortGarsideWord(const GarsideForm& form) {
    // All letters are positive, so the exponent sum is a lower bound of the length.
    if (form.deltaPower >= 0) return garsideWord(form);
    // number of Delta^-1 that are still to the left of the next factor
    auto pending = static_cast<std::size_t>(-form.deltaPower);
    // Longest factor first, then in the order of the form.
    std::vector<std::pair<std::size_t, std::size_t>> byLength;
    for (std::size_t k = 0; k < form.factors.size(); ++k)
        byLength.push_back(
            {form.factors[k].size() * form.factors[k].size() - spell(form.factors[k]).size(), k});
    std::sort(byLength.begin(), byLength.end());
    std::vector<bool> spend(form.factors.size(), false);
    for (std::size_t k = 0; k < std::min(pending, byLength.size()); ++k) spend[byLength[k].second] = true;

    BraidWord out;
    for (std::size_t k = 0; k < form.factors.size(); ++k) {
        const Simple& x = form.factors[k];
        if (spend[k]) --pending;
        const Simple y = spend[k] ? complement(x) : x;
        const BraidWord letters = spell(pending % 2 == 1 ? flipped(y) : y);
        appendWord(out, spend[k] ? inverse(letters) : letters);
    }
    for (; pending > 0; --pending) appendWord(out, inverse(spell(halfTwist(form.strands))));
    return out;
}

Result<BraidWord> shortestWordB3(const BraidWord& word) {
    auto form = garsideForm(word, 3);
    if (!form) return form.error();
    return shortGarsideWord(*form);
}

} // namespace capstan
