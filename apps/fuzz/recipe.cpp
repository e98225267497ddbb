// SPDX-License-Identifier: MIT
#include <apps/fuzz/recipe.hpp>

#include <algorithm>

namespace capstan::fuzz {
namespace {

constexpr std::string_view kHead = "capstan recipe 1";

const std::string* find(const Op& op, std::string_view key) {
    for (const Word& w : op.words)
        if (w.path == key) return &w.value;
    return nullptr;
}

template <class T> T valueOf(const Op& op, std::string_view key, T otherwise) {
    const std::string* value = find(op, key);
    T a = otherwise;
    return value && read(*value, a) ? a : otherwise;
}

} // namespace

std::string Op::text(std::string_view key) const {
    const std::string* value = find(*this, key);
    return value ? *value : std::string{};
}
float Op::number(std::string_view key, float otherwise) const { return valueOf(*this, key, otherwise); }
int Op::integer(std::string_view key, int otherwise) const { return valueOf(*this, key, otherwise); }
Vec3 Op::vector(std::string_view key) const { return valueOf(*this, key, Vec3{0, 0, 0}); }

Op& Op::with(std::string_view key, std::string value) {
    words.push_back({std::string(key), std::move(value)});
    return *this;
}

std::string Recipe::text() const {
    std::string all(kHead);
    all += '\n';
    for (const Op& op : ops) {
        all += op.verb + " " + (op.name.empty() ? "-" : op.name);
        for (const Word& w : op.words) all += " " + w.path + "=" + w.value;
        all += '\n';
    }
    return all;
}

int Recipe::steps() const {
    int sum = 0;
    for (const Op& op : ops)
        if (op.verb == "step") sum += std::max(op.integer("n", 1), 0);
    return sum;
}

Result<Recipe> readRecipe(std::string_view text) {
    Recipe recipe;
    bool headed = false;
    int number = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++number;
        if (line.empty() || line[0] == '#') continue;
        const std::string where = "line " + std::to_string(number);
        if (!headed) {
            if (line != kHead) return Error{"the first line must be \"" + std::string(kHead) + "\"", where};
            headed = true;
            continue;
        }
        const std::vector<std::string_view> parts = split(line, ' ');
        if (parts.size() < 2) return Error{"a line must have a verb and a name; write - for no name", where};
        Op op{std::string(parts[0]), parts[1] == "-" ? std::string{} : std::string(parts[1])};
        for (std::size_t i = 2; i < parts.size(); ++i) {
            const std::size_t equals = parts[i].find('=');
            if (equals == std::string_view::npos)
                return Error{"a word must be key=value, got " + std::string(parts[i]), where};
            op.with(parts[i].substr(0, equals), std::string(parts[i].substr(equals + 1)));
        }
        recipe.ops.push_back(std::move(op));
    }
    return recipe;
}

} // namespace capstan::fuzz
