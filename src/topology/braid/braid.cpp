// SPDX-License-Identifier: MIT
//
// Braid words and handle reduction; braid.hpp gives the sources.
#include <capstan/topology/braid.hpp>

#include <capstan/topology/garside.hpp>

#include <optional>
#include <utility>

namespace capstan {
namespace {

// Unsigned arithmetic, so that the smallest int does not overflow. It is an invalid letter for every n.
int negated(int letter) { return static_cast<int>(0u - static_cast<unsigned>(letter)); }

int indexOf(int letter) { return letter < 0 ? negated(letter) : letter; }

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// Reads the text once from left to right. `at` is the index of the next character; errors count characters from 1.
struct Reader {
    std::string_view text;
    std::size_t at = 0;

    bool done() const { return at >= text.size(); }

    // Skips the token and returns true if the text continues with it.
    bool take(std::string_view token) {
        if (text.substr(at, token.size()) != token) return false;
        at += token.size();
        return true;
    }

    void skipBlanks() {
        while (!done() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) ++at;
    }

    // Reads digits only. Above `limit` the value no longer grows, so that no input overflows.
    Result<std::int64_t> number(std::int64_t limit, const char* meaning) {
        if (done() || !isDigit(text[at])) return fail(std::string("expected ") + meaning);
        std::int64_t value = 0;
        for (; !done() && isDigit(text[at]); ++at)
            if (value <= limit) value = value * 10 + (text[at] - '0');
        return value;
    }

    Error fail(std::string what) const {
        return Error{std::move(what), "braid word, character " + std::to_string(at + 1)};
    }
};

Result<int> readLetter(Reader& in, int n) {
    const Reader start = in;
    // "\xCF\x83" is the letter sigma in UTF-8.
    if (!in.take("s") && !in.take("\xCF\x83")) return in.fail("expected a letter like s1 or s2^-1");
    auto index = in.number(n, "the index of a generator");
    if (!index) return index.error();
    if (index.value() < 1 || index.value() >= n)
        return start.fail("generator index must lie in 1 .. " + std::to_string(n - 1) + " for " +
                          std::to_string(n) + " strands");
    return static_cast<int>(index.value());
}

Result<std::int64_t> readPower(Reader& in) {
    if (!in.take("^")) return std::int64_t{1};
    const bool minus = in.take("-");
    if (!minus) in.take("+");
    const Reader start = in;
    constexpr auto limit = static_cast<std::int64_t>(maxBraidLetters);
    auto power = in.number(limit, "an integer power");
    if (!power) return power.error();
    if (power.value() > limit) return start.fail("power is larger than " + std::to_string(limit));
    return minus ? -power.value() : power.value();
}

Status checkStrands(int n) {
    if (n >= 2 && n <= maxBraidStrands) return capstan::done();
    return Error{"a braid must have 2 .. " + std::to_string(maxBraidStrands) + " strands, got " +
                     std::to_string(n),
                 "braid strands"};
}

// A handle is s_i^e v s_i^-e where v contains neither s_i nor s_(i-1). Its reduction is v with each s_(i+1)^d
// replaced by s_(i+1)^-e s_i^d s_(i+1)^e: the strand of the handle then passes on the other side. For an empty v this
// is cancellation, so no separate free reduction is needed.
//
// `clean` is free of handles; `todo` is a stack of the remaining letters. The algorithm always reduces the handle
// that ends first. Every handle nested in it would have ended earlier, so the handle is "permitted" in Dehornoy's
// sense, and the algorithm terminates. `where` lists the positions of each generator in `clean`. A letter-by-letter
// search for the start of a handle would take most of the time with many strands.
//
// Returns nullopt after maxMoves letters. Almost every word takes a few moves per letter. But thousands of positive
// letters followed by thousands of negative letters, on 20 to 60 strands, take minutes before they get shorter.
constexpr std::int64_t maxMoves = 10'000'000;

std::optional<BraidWord> withoutHandles(const BraidWord& word, int n) {
    BraidWord clean;
    BraidWord todo(word.rbegin(), word.rend());
    std::vector<std::vector<std::size_t>> where(static_cast<std::size_t>(n) + 1);
    for (std::int64_t moves = 0; !todo.empty(); ++moves) {
        if (moves > maxMoves) return std::nullopt;
        const int letter = todo.back();
        todo.pop_back();
        const int i = indexOf(letter);
        auto& mine = where[static_cast<std::size_t>(i)];
        const auto& lower = where[static_cast<std::size_t>(i) - 1];
        const bool reaches = !mine.empty() && (lower.empty() || lower.back() < mine.back());
        if (!reaches || clean[mine.back()] != -letter) {
            mine.push_back(clean.size());
            clean.push_back(letter);
            continue;
        }
        const int e = letter < 0 ? 1 : -1; // sign of the opening letter
        for (; clean.size() > mine.back() + 1; clean.pop_back()) {
            const int inner = clean.back();
            where[static_cast<std::size_t>(indexOf(inner))].pop_back();
            if (indexOf(inner) == i + 1)
                todo.insert(todo.end(), {e * (i + 1), inner > 0 ? i : -i,
                                         -e * (i + 1)}); // in reverse order, because todo is a stack
            else
                todo.push_back(inner);
        }
        clean.pop_back();
        mine.pop_back();
    }
    return clean;
}

} // namespace

Status checkBraid(const BraidWord& word, int n) {
    if (Status ok = checkStrands(n); !ok) return ok.error();
    if (word.size() > maxBraidLetters)
        return Error{"word is longer than " + std::to_string(maxBraidLetters) + " letters", "braid word"};
    for (std::size_t k = 0; k < word.size(); ++k)
        if (word[k] == 0 || word[k] >= n || word[k] <= -n)
            return Error{"letter " + std::to_string(word[k]) + " is not one of +-1 .. +-" +
                             std::to_string(n - 1),
                         "braid word, letter " + std::to_string(k + 1)};
    return capstan::done();
}

Result<BraidWord> parseBraid(std::string_view text, int n) {
    if (Status ok = checkStrands(n); !ok) return ok.error();
    Reader in{text};
    BraidWord word;
    in.skipBlanks();
    if (in.take("e")) {
        in.skipBlanks();
        if (!in.done()) return in.fail("\"e\" is the trivial braid and stands alone");
        return word;
    }
    while (!in.done()) {
        const Reader start = in;
        auto index = readLetter(in, n);
        if (!index) return index.error();
        auto power = readPower(in);
        if (!power) return power.error();
        const auto count = static_cast<std::size_t>(power.value() < 0 ? -power.value() : power.value());
        if (count > maxBraidLetters - word.size())
            return start.fail("word is longer than " + std::to_string(maxBraidLetters) + " letters");
        word.insert(word.end(), count, power.value() < 0 ? -index.value() : index.value());
        in.skipBlanks();
    }
    return word;
}

std::string formatBraid(const BraidWord& word) {
    if (word.empty()) return "e";
    std::string text;
    for (const int letter : word) {
        if (!text.empty()) text += ' ';
        text += 's';
        text += std::to_string(indexOf(letter));
        if (letter < 0) text += "^-1";
    }
    return text;
}

BraidWord freeReduce(const BraidWord& word) {
    BraidWord out;
    for (const int letter : word) {
        if (letter != 0 && !out.empty() && out.back() == negated(letter))
            out.pop_back();
        else
            out.push_back(letter);
    }
    return out;
}

BraidWord inverse(const BraidWord& word) {
    BraidWord out(word.rbegin(), word.rend());
    for (int& letter : out) letter = negated(letter);
    return out;
}

BraidWord product(const BraidWord& a, const BraidWord& b) {
    BraidWord out = a;
    out.insert(out.end(), b.begin(), b.end());
    return out;
}

std::int64_t exponentSum(const BraidWord& word) {
    std::int64_t sum = 0;
    for (const int letter : word) sum += (letter > 0) - (letter < 0);
    return sum;
}

Result<std::vector<int>> permutation(const BraidWord& word, int n) {
    if (Status ok = checkBraid(word, n); !ok) return ok.error();
    std::vector<int> p(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) p[static_cast<std::size_t>(k)] = k;
    for (const int letter : word) {
        const auto i = static_cast<std::size_t>(indexOf(letter));
        std::swap(p[i - 1], p[i]);
    }
    return p;
}

Result<BraidWord> handleReduce(const BraidWord& word, int n) {
    if (Status ok = checkBraid(word, n); !ok) return ok.error();
    if (auto reduced = withoutHandles(word, n)) return *std::move(reduced);
    return Error{"handle reduction was stopped, because the word swells; use garsideForm", "braid word"};
}

Result<bool> sameBraid(const BraidWord& a, const BraidWord& b, int n) {
    if (Status ok = checkBraid(a, n); !ok) return ok.error();
    if (Status ok = checkBraid(b, n); !ok) return ok.error();
    if (exponentSum(a) != exponentSum(b) || permutation(a, n).value() != permutation(b, n).value())
        return false;
    if (auto reduced = withoutHandles(product(a, inverse(b)), n)) return reduced->empty();
    return garsideForm(a, n).value() == garsideForm(b, n).value();
}

} // namespace capstan
