// SPDX-License-Identifier: MIT
// A JsonTree is a parsed JSON text. Each value has the line and column of its first character.
//
// The values are one array in the order of the text; `end` allows skipping a value with all its children. A value
// takes 32 bytes; in a tree of maps it would take 80 or more. Files of a million points are common.
#pragma once

#include <capstan/result.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace capstan {

struct JsonValue {
    enum class Type : std::uint8_t { Null, Bool, Number, String, Array, Object };
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    double number = 0;         // Number; Bool: 0 or 1
    std::uint32_t text = none; // String: index into strings
    std::uint32_t key = none;  // member of an object: index into strings
    std::uint32_t end = 0;     // index of the first value after this value and its children
    std::uint32_t line = 0;    // from 1
    std::uint32_t column = 0;  // from 1, in characters
    Type type = Type::Null;
};

// A string or a key. A key has its own position, for errors about the key and not about its value.
struct JsonText {
    std::string text;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

struct JsonTree {
    // Limits that protect against hostile input. The Error names the limit that was exceeded.
    static constexpr std::size_t maxBytes = 64u << 20;
    static constexpr std::size_t maxDepth = 64;
    static constexpr std::size_t maxElements = 1000000; // largest number of elements of one array
    static constexpr std::size_t maxValues = 5000000;

    std::vector<JsonValue> values; // values[0] is the root
    std::vector<JsonText> strings;
};

// Parses a text. Comments (// and /* */) are allowed. Error::where reads "name:line:column".
Result<JsonTree> parseJson(std::string_view text, std::string_view name);

// Returns the words for messages: "a number", "an object".
const char* typeName(JsonValue::Type type);

} // namespace capstan
