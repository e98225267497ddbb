// SPDX-License-Identifier: MIT
#include <apps/fuzz/shorten.hpp>

#include <apps/fuzz/recipe.hpp>

#include <algorithm>

namespace capstan::fuzz {
namespace {

using Fails = std::function<bool(const std::string&)>;

Pieces linesOf(const std::string& text) {
    Pieces lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        lines.push_back(text.substr(at, end - at));
        at = end;
    }
    return lines;
}

std::string joined(const Pieces& pieces) {
    std::string all;
    for (const std::string& p : pieces) all += p;
    return all;
}

// Each word goes if the recipe still fails without it; a field then has its default.
void dropWords(Recipe& recipe, const Fails& fails, int& trials) {
    for (Op& op : recipe.ops) {
        for (std::size_t i = op.words.size(); i-- > 0 && trials > 0; --trials) {
            const Words before = op.words;
            op.words.erase(op.words.begin() + std::ptrdiff_t(i));
            if (!fails(recipe.text())) op.words = before;
        }
    }
}

// Fewer steps: half as many, a quarter less, one less.
void dropSteps(Recipe& recipe, const Fails& fails, int& trials) {
    for (Op& op : recipe.ops) {
        if (op.verb != "step") continue;
        for (const int share : {2, 4, 1000}) {
            for (; trials > 0; --trials) {
                const int n = op.integer("n", 1), fewer = n - std::max(n / share, 1);
                if (fewer < 1) break;
                const Words before = op.words;
                std::erase_if(op.words, [](const Word& w) { return w.path == "n"; });
                op.with("n", fewer);
                if (fails(recipe.text())) continue;
                op.words = before;
                break;
            }
        }
    }
}

} // namespace

Pieces shorten(Pieces pieces, const StillFails& stillFails, int& trials) {
    std::size_t chunk = std::max<std::size_t>(pieces.size() / 2, 1);
    while (!pieces.empty() && trials > 0) {
        bool dropped = false;
        for (std::size_t end = pieces.size();
             end > 0 && trials > 0;) { // from the end: late lines need early ones
            const std::size_t begin = end > chunk ? end - chunk : 0;
            Pieces fewer = pieces;
            fewer.erase(fewer.begin() + std::ptrdiff_t(begin), fewer.begin() + std::ptrdiff_t(end));
            --trials;
            if (stillFails(fewer)) {
                pieces = std::move(fewer);
                dropped = true;
            }
            end = begin;
        }
        if (!dropped && chunk == 1) break;
        if (!dropped) chunk = std::max<std::size_t>(chunk / 2, 1);
        chunk = std::min(chunk, std::max<std::size_t>(pieces.size(), 1));
    }
    return pieces;
}

std::string shortenRecipe(const std::string& text, const Fails& fails, int trials) {
    Pieces lines = linesOf(text);
    if (lines.empty()) return text;
    const std::string head = lines.front();
    lines.erase(lines.begin());
    lines = shorten(
        lines, [&](const Pieces& p) { return fails(head + joined(p)); }, trials);
    Result<Recipe> recipe = readRecipe(head + joined(lines));
    if (!recipe) return text;
    dropSteps(*recipe, fails, trials);
    dropWords(*recipe, fails, trials);
    return recipe->text();
}

std::string shortenScene(const std::string& text, const Fails& fails, int trials) {
    Pieces lines = shorten(
        linesOf(text), [&](const Pieces& p) { return fails(joined(p)); }, trials);
    Pieces letters;
    for (const char c : joined(lines)) letters.push_back(std::string(1, c));
    return joined(shorten(
        letters, [&](const Pieces& p) { return fails(joined(p)); }, trials));
}

} // namespace capstan::fuzz
