// SPDX-License-Identifier: MIT
// See json_object.hpp.
#include "scene/format/json_object.hpp"

#include <capstan/scene/json_text.hpp>
#include <capstan/scene/nearest.hpp>

#include <cmath>
#include <set>

namespace capstan {

using Type = JsonValue::Type;

Error JsonReading::at(std::uint32_t value, const std::string& pointer, std::string what) const {
    const JsonValue& v = tree.values[value];
    return {std::move(what), file + ":" + std::to_string(v.line) + ":" + std::to_string(v.column) +
                                 (pointer.empty() ? "" : " " + pointer)};
}

void JsonReading::fail(std::uint32_t value, const std::string& pointer, std::string what) {
    if (!error) error = at(value, pointer, std::move(what));
}

JsonObject::JsonObject(JsonReading& reading, std::uint32_t at, std::string pointer)
    : reading_(&reading), at_(at), pointer_(std::move(pointer)) {
    const JsonValue& v = reading.tree.values[at];
    if (v.type != Type::Object) {
        reading.fail(at, pointer_, std::string("expected an object, got ") + typeName(v.type));
        return;
    }
    std::set<std::string_view> keys;
    for (std::uint32_t child = at + 1; child < v.end; child = reading.tree.values[child].end) {
        const std::string& key = reading.tree.strings[reading.tree.values[child].key].text;
        if (!keys.insert(key).second) {
            reading.fail(child, below(key), "key \"" + shorten(key) + "\" is given twice");
        }
    }
}

std::uint32_t JsonObject::find(std::string_view key) const {
    const JsonTree& tree = reading_->tree;
    const JsonValue& v = tree.values[at_];
    if (v.type != Type::Object) return JsonValue::none;
    for (std::uint32_t child = at_ + 1; child < v.end; child = tree.values[child].end) {
        if (tree.strings[tree.values[child].key].text == key) return child;
    }
    return JsonValue::none;
}

bool JsonObject::has(std::string_view key) const {
    std::uint32_t value = find(key);
    return value != JsonValue::none && reading_->tree.values[value].type != Type::Null;
}

bool JsonObject::expect(std::uint32_t value, Type type, std::string_view key) const {
    if (value == JsonValue::none) {
        reading_->fail(at_, pointer_, "\"" + std::string(key) + "\" is missing");
        return false;
    }
    Type got = reading_->tree.values[value].type;
    if (got == type) return true;
    reading_->fail(value, below(key), std::string("expected ") + typeName(type) + ", got " + typeName(got));
    return false;
}

double JsonObject::finite(std::uint32_t value, std::string_view key) const {
    double number = reading_->tree.values[value].number;
    if (!std::isfinite(static_cast<float>(number))) {
        reading_->fail(value, below(key), "a number must be at most 3.4e38, to fit into single precision");
    }
    return number;
}

std::string JsonObject::text(std::string_view key) const {
    std::uint32_t value = find(key);
    if (!expect(value, Type::String, key)) return "";
    return reading_->tree.strings[reading_->tree.values[value].text].text;
}

std::optional<float> JsonObject::number(std::string_view key) const {
    std::uint32_t value = find(key);
    if (value == JsonValue::none || !expect(value, Type::Number, key)) return {};
    return static_cast<float>(finite(value, key));
}

float JsonObject::atLeastZero(std::string_view key) const {
    float value = number(key, 0);
    if (value < 0) fail(key, std::string(key) + " must be at least 0, got " + jsonNumber(value));
    return value;
}

std::vector<double> JsonObject::numbers(std::string_view key) const {
    std::uint32_t value = find(key);
    std::vector<double> out;
    if (!expect(value, Type::Array, key)) return out;
    const JsonTree& tree = reading_->tree;
    out.reserve(tree.values[value].end - value);
    for (std::uint32_t child = value + 1; child < tree.values[value].end; child = tree.values[child].end) {
        if (!expect(child, Type::Number, key)) return {};
        out.push_back(finite(child, key));
    }
    return out;
}

std::vector<double> JsonObject::numbers(std::string_view key, std::size_t count) const {
    std::vector<double> out = numbers(key);
    if (out.size() != count) {
        fail(key, "expected " + std::to_string(count) + " numbers, got " + std::to_string(out.size()));
        out.assign(count, 0);
    }
    return out;
}

JsonObject JsonObject::object(std::string_view key) const {
    std::uint32_t value = find(key);
    // expect() has set the error.
    if (!expect(value, Type::Object, key)) return JsonObject(*reading_, at_, pointer_);
    return JsonObject(*reading_, value, below(key));
}

Error JsonObject::at(std::string_view key, std::string what) const {
    std::uint32_t value = find(key);
    return value == JsonValue::none ? reading_->at(at_, pointer_, std::move(what))
                                    : reading_->at(value, below(key), std::move(what));
}

void JsonObject::fail(std::string_view key, std::string what) const {
    if (!reading_->error) reading_->error = at(key, std::move(what));
}

} // namespace capstan
