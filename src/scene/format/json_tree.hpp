// SPDX-License-Identifier: MIT
// A JsonTree is a parsed JSON text; each value has the line and column where it begins.
//
// The values are one flat array in the order of the text; `end` skips a value with all its children. A value takes 32
// bytes, and 80 or more in a tree of maps. Files of a million points are common.
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
    std::uint32_t end = 0;     // index of the first value behind this one and its children
    std::uint32_t line = 0;    // from 1
    std::uint32_t column = 0;  // from 1, in characters
    Type type = Type::Null;
};

// JsonText is a string or a key. A key has a position of its own, for errors about the key rather than its value.
struct JsonText {
    std::string text;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

struct JsonTree {
    // These limits protect against hostile input; an error names the limit that was exceeded.
    static constexpr std::size_t maxBytes = 64u << 20;
    static constexpr std::size_t maxDepth = 64;
    static constexpr std::size_t maxElements = 1000000; // most elements of one array
    static constexpr std::size_t maxValues = 5000000;

    std::vector<JsonValue> values; // values[0] is the whole text
    std::vector<JsonText> strings;
};

// Comments (// and /* */) are allowed. Error::where reads "name:line:column".
Result<JsonTree> parseJson(std::string_view text, std::string_view name);

// typeName gives the words for messages: "a number", "an object".
const char* typeName(JsonValue::Type type);

} // namespace capstan
