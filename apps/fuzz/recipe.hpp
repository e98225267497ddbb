// SPDX-License-Identifier: MIT
// Recipe: all that is done to a world, as data. Each line of its text is one call: "pin r1 node=-1 point=0,2,0".
//
// A call names objects by the names that earlier lines gave them. So a line can be dropped without a change of the
// others, which is how a failing recipe becomes short. A call whose object is gone is a refused call, not an error.
#pragma once

#include <apps/fuzz/words.hpp>
#include <capstan/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace capstan::fuzz {

struct Op {
    std::string verb, name; // name: of the object; empty for the world
    Words words = {};

    // Each returns the value of a word, or `otherwise` where the word is missing or is no value.
    std::string text(std::string_view key) const;
    float number(std::string_view key, float otherwise = 0) const;
    int integer(std::string_view key, int otherwise = 0) const;
    Vec3 vector(std::string_view key) const;
    Op& with(std::string_view key, std::string value);
    Op& with(std::string_view key, float value) { return with(key, textOf(value)); }
    Op& with(std::string_view key, int value) { return with(key, std::to_string(value)); }
    Op& with(std::string_view key, Vec3 value) { return with(key, textOf(value)); }
};

struct Recipe {
    std::vector<Op> ops;

    std::string text() const;
    int steps() const; // of all lines "step"
};

// Reads what text() wrote. Empty lines and lines that begin with # are skipped.
Result<Recipe> readRecipe(std::string_view text);

} // namespace capstan::fuzz
