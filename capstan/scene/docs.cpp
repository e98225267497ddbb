// SPDX-License-Identifier: MIT
// docs/scene_format.md, made from the `fields` visitors: each key with type, default, unit, range and
// meaning.
#include <capstan/scene/field_types.hpp>
#include <capstan/scene/json_text.hpp>

#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

template <class D> std::string anchor() {
    std::string text = defInfo<D>().title;
    std::replace(text.begin(), text.end(), ' ', '-');
    return text;
}

template <class T> std::string typeText() {
    if constexpr (std::is_same_v<T, bool>)
        return "true or false";
    else if constexpr (std::is_same_v<T, int>)
        return "whole number";
    else if constexpr (std::is_same_v<T, float>)
        return "number";
    else if constexpr (std::is_same_v<T, std::string>)
        return "string";
    else if constexpr (std::is_same_v<T, Vec3>)
        return "[x, y, z]";
    else if constexpr (isOptional<T>)
        return typeText<typename T::value_type>();
    else if constexpr (isVector<T>)
        return "array of " + typeText<typename T::value_type>();
    else if constexpr (isDef<T>)
        return std::string("[") + defInfo<T>().title + "](#" + anchor<T>() + ")";
    else {
        std::string words;
        for (const char* w : wordsOf(T{}))
            words += (words.empty() ? "`\"" : ", `\"") + std::string(w) + "\"`";
        return words;
    }
}

template <class T> std::string defaultText(const T& value) {
    if constexpr (std::is_same_v<T, bool>)
        return value ? "true" : "false";
    else if constexpr (std::is_same_v<T, int>)
        return std::to_string(value);
    else if constexpr (std::is_same_v<T, float>)
        return jsonNumber(value);
    else if constexpr (std::is_same_v<T, Vec3>)
        return "[" + jsonNumber(value.x) + ", " + jsonNumber(value.y) + ", " + jsonNumber(value.z) + "]";
    else if constexpr (std::is_enum_v<T>)
        return std::string("\"") + word(value) + "\"";
    else
        return "";
}

// A bar would end the cell of the table.
std::string cell(std::string text) {
    for (std::size_t at = text.find('|'); at != text.npos; at = text.find('|', at + 2)) text.insert(at, "\\");
    return text;
}

std::string rangeText(const Field& field) {
    std::string low, high;
    if (std::isfinite(field.min)) low = (field.open ? "> " : ">= ") + jsonNumber(field.min);
    if (std::isfinite(field.max)) high = "<= " + jsonNumber(field.max);
    return low + (low.empty() || high.empty() ? "" : ", ") + high;
}

class Pages {
public:
    template <class D> void page() {
        DefInfo info = defInfo<D>();
        if (std::find(done_.begin(), done_.end(), info.title) != done_.end()) return;
        done_.push_back(info.title);
        out_ += std::string("\n## ") + info.title + "\n";
        if (*info.about) out_ += std::string(info.about) + "\n";
        out_ += "\n| key | type | default | unit | range | meaning |\n|---|---|---|---|---|---|\n";
        const D def{};
        fields(def, [&](const char* name, const auto& value, const Field& field) {
            bool required = std::find(info.required.begin(), info.required.end(), std::string_view(name)) !=
                            info.required.end();
            using T = std::remove_cvref_t<decltype(value)>;
            out_ += std::string("| `") + name + "` | " + typeText<T>() + " | " +
                    (required ? "must be given" : defaultText(value)) + " | " + field.unit + " | " +
                    rangeText(field) + " | " + cell(field.help) + " |\n";
        });
        fields(def, [&](const char*, const auto& value, const Field&) {
            below<std::remove_cvref_t<decltype(value)>>();
        });
    }
    std::string text() && { return std::move(out_); }

private:
    template <class T> void below() {
        if constexpr (isOptional<T> || isVector<T>)
            below<typename T::value_type>();
        else if constexpr (isDef<T>)
            page<T>();
    }

    std::string out_;
    std::vector<std::string> done_;
};

} // namespace

std::string sceneFormatMarkdown() {
    std::string head = R"(# The scene format

<!-- Made by `capstan info --fields`; do not edit by hand. -->

A scene is one JSON file: what there is, what is done to it, and what must then hold. SI units, radians,
y up. Comments (`//` and `/* */`) are allowed. Every key but the few marked so may be left out. A key that
is not known, stands twice or holds a value of the wrong type or out of range is an error that names line,
column and place.

Nodes of a rope are counted from its first end, 0, 1, 2, ...; negative numbers count from the last end, -1,
-2, ... So are segments; segment 0 lies between the nodes 0 and 1.

```json
{
  "about": "A 1000 kg ball on a rope of 1 kg, let go from the side.",
  "ropes": [
    {"from": [0, 12, 0], "to": [10, 12, 0], "mass": 1, "pins": [0], "loads": [{"node": -1, "mass": 1000}]}
  ],
  "expect": {"maxStretch": 0.001, "tension": [{"peak": true, "value": 29430, "tolerance": 0.02}]}
}
```
)";
    Pages pages;
    pages.page<Scene>();
    return head + std::move(pages).text();
}

} // namespace capstan
