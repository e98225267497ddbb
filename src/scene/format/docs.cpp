// SPDX-License-Identifier: MIT
// Writes docs/reference/scene.md from the `fields` functions: each key with type, default, unit, range and meaning.
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
    else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::uint32_t>)
        return "whole number";
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return "whole number; from 2^53 on as a string";
    else if constexpr (std::is_same_v<T, float>)
        return "number";
    else if constexpr (std::is_same_v<T, std::string> || isRef<T>)
        return "string";
    else if constexpr (std::is_same_v<T, Vec3>)
        return "[x, y, z]";
    else if constexpr (std::is_same_v<T, Quatf>)
        return "[x, y, z, w]";
    else if constexpr (std::is_same_v<T, Triple>)
        return "[a, b, c]";
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

template <class T> std::string defaultText(const T& value);

// Lists the defaults of an inner Def that differ because its outer Def sets them.
template <class D> std::string innerDefault(const D& value) {
    std::vector<std::string> elsewhere;
    const D plain{};
    fields(plain,
           [&](const char*, const auto& field, const Field&) { elsewhere.push_back(defaultText(field)); });
    std::string out;
    std::size_t at = 0;
    fields(value, [&](const char* name, const auto& field, const Field&) {
        const std::string here = defaultText(field);
        if (here != elsewhere[at++])
            out += (out.empty() ? "" : ", ") + ("\"" + std::string(name) + "\": ") + here;
    });
    return out.empty() ? "" : "{" + out + "}";
}

template <class T> std::string defaultText(const T& value) {
    if constexpr (std::is_same_v<T, bool>)
        return value ? "true" : "false";
    else if constexpr (std::is_integral_v<T>)
        return std::to_string(value);
    else if constexpr (std::is_same_v<T, float>)
        return jsonNumber(value);
    else if constexpr (std::is_same_v<T, Vec3>)
        return "[" + jsonNumber(value.x) + ", " + jsonNumber(value.y) + ", " + jsonNumber(value.z) + "]";
    else if constexpr (std::is_same_v<T, Quatf>)
        return "[" + jsonNumber(value.x) + ", " + jsonNumber(value.y) + ", " + jsonNumber(value.z) + ", " +
               jsonNumber(value.w) + "]";
    else if constexpr (std::is_enum_v<T>)
        return std::string("\"") + word(value) + "\"";
    else if constexpr (isDef<T>)
        return innerDefault(value);
    else
        return "";
}

// Escapes bars, because a bar would end the table's cell.
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
            row(info, name, typeText<std::remove_cvref_t<decltype(value)>>(), defaultText(value), field);
        });
        fields(def, [&](const char*, const auto& value, const Field&) {
            below<std::remove_cvref_t<decltype(value)>>();
        });
    }
    std::string text() && { return std::move(out_); }

private:
    // This function is no template, to keep the code small: the visitor is compiled for every type of field of every
    // Def.
    void row(const DefInfo& info, const char* name, const std::string& type, const std::string& byDefault,
             const Field& field) {
        bool required = std::find(info.required.begin(), info.required.end(), std::string_view(name)) !=
                        info.required.end();
        out_ += std::string("| `") + name + "` | " + type + " | " + (required ? "must be given" : byDefault) +
                " | " + field.unit + " | " + rangeText(field) + " | " + cell(field.help) + " |\n";
    }

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
y up. Comments (`//` and `/* */`) are allowed. Every key but the few marked so may be left out. A key
that is not known or stands twice is an error that names line, column and place. So is a value of the wrong type,
or out of range.

Ropes, bodies and joints are called by their names, each kind with names of its own. A rotation is a unit
quaternion [x, y, z, w]; one that is not is made one, and a note says so.

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

```json
{
  "about": "A bar of 1 kg swings on a hinge at its end.",
  "bodies": [{"name": "bar", "shape": {"kind": "box", "size": [1, 0.05, 0.05]}, "mass": 1, "position": [0.5, 2, 0]}],
  "joints": [{"name": "pivot", "type": "hinge", "body1": "bar", "anchor": [0, 2, 0], "axis": [0, 0, 1]}],
  "expect": {"maxGap": 0.0001, "joint": [{"joint": "pivot", "what": "force", "peak": true, "value": 24.5, "tolerance": 0.3}]}
}
```
)";
    std::string tail = R"(
## Ten Minute Physics files
`run`, `check` and `info` also take the scene files of M. Müller's Ten Minute Physics 25, "Joint Simulation Made
Simple": a JSON object with `meshes`. They become:

- `RigidBox` is a box with the extents of the vertices, `RigidSphere` a sphere; density 0 is a static body. Bodies are
  centred on their transform's position, as in the original; `--box-centers` centres them on their vertices.
- Joints: one frame, x the axis, y the zero of the angle. `damping`, a rate in 1/s, becomes a resistance by the masses
  of the two bodies. A servo's target follows the control vector's x (pi/4 rad), a motor's speed its y (5 rad/s), a
  cylinder's slide its y (-0.1 m). Servos are rigid, whatever compliance the file gives. A prismatic joint does not
  turn unless twist limits are given. `distanceTarget` is taken at its value.
- `Visual` meshes become `visuals`, turned into their body's axes.
- Nothing collides: `contact` is false. 20 substeps, 60 frames per second, 300 frames; the expectation is a gap of at most 1 mm.
- A joint or visual whose body is not there is left out, and a note says so; so is a mesh of no known `simType`. A mistake
  in a body is an error.
)";
    Pages pages;
    pages.page<Scene>();
    return head + std::move(pages).text() + tail;
}

} // namespace capstan
