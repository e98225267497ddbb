// SPDX-License-Identifier: MIT
// The nearest word by edit distance: the least number of insertions, deletions, replacements and swaps of
// neighbouring letters that turn one word into the other. This is the optimal string alignment distance (Damerau,
// CACM 7, 1964). A swap counts as one edit, because swapped letters are the most common mistake. Upper and lower case
// are equal.
#include <capstan/scene/nearest.hpp>

#include <algorithm>
#include <vector>

namespace capstan {
namespace {

constexpr std::size_t longest = 40;
constexpr std::size_t mostKnown = 100; // with more known words, the message lists none

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before2(b.size() + 1), before(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before2.swap(before);
        before.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (same ? 0u : 1u)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = std::min(row[j], before2[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

} // namespace

std::string suggest(std::string_view unknown, std::span<const char* const> known) {
    if (known.empty() || known.size() > mostKnown) return "";
    const char* nearest = nullptr;
    std::size_t best = longest;
    for (const char* word : known) {
        if (unknown.size() > longest) break;
        std::size_t d = distance(unknown, word);
        if (d < best && 3 * d <= std::max(unknown.size(), std::string_view(word).size()) + 1) {
            best = d;
            nearest = word;
        }
    }
    if (nearest) return std::string("; did you mean \"") + nearest + "\"?";
    std::string all = "; known are ";
    for (const char* word : known) all += (word == known.front() ? "" : ", ") + std::string(word);
    return all;
}

std::string shorten(std::string_view text) {
    if (text.size() <= longest) return std::string(text);
    // The cut must not split a UTF-8 character.
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return std::string(text.substr(0, end)) + "...";
}

} // namespace capstan
