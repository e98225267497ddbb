// SPDX-License-Identifier: MIT
// A JsonObject reads one object of a JsonTree key by key, for formats that have no `fields` functions.
//
// The first value that is missing or of the wrong type sets the error. All later reads return empty values. So a
// reader can read all keys that it needs and check the error once.
#pragma once

#include "scene/format/json_tree.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capstan {

// The tree, and the first error.
struct JsonReading {
    const JsonTree& tree;
    std::string file;
    std::optional<Error> error = {};

    Error at(std::uint32_t value, const std::string& pointer, std::string what) const;
    void fail(std::uint32_t value, const std::string& pointer, std::string what);
};

class JsonObject {
public:
    JsonObject(JsonReading& reading, std::uint32_t at, std::string pointer);

    bool has(std::string_view key) const;                    // true if the key exists and is not null
    std::string text(std::string_view key) const;            // required key
    std::optional<float> number(std::string_view key) const; // empty if the key is missing
    float number(std::string_view key, float otherwise) const { return number(key).value_or(otherwise); }
    float atLeastZero(std::string_view key) const;           // 0 if the key is missing
    std::vector<double> numbers(std::string_view key) const; // all are within the range of float
    std::vector<double> numbers(std::string_view key, std::size_t count) const; // exactly `count` numbers
    JsonObject object(std::string_view key) const;                              // required key

    // Returns an Error at a value of this object, or at the object if the key is missing.
    Error at(std::string_view key, std::string what) const;
    void fail(std::string_view key, std::string what) const;
    std::uint32_t value() const { return at_; }
    const std::string& pointer() const { return pointer_; }

private:
    std::uint32_t find(std::string_view key) const;
    bool expect(std::uint32_t value, JsonValue::Type type, std::string_view key) const;
    std::string below(std::string_view key) const { return pointer_ + "/" + std::string(key); }
    double finite(std::uint32_t value, std::string_view key) const;

    JsonReading* reading_;
    std::uint32_t at_;
    std::string pointer_;
};

} // namespace capstan
