// SPDX-License-Identifier: MIT
// Writes a Scene as JSON. A field that holds its default is left out unless its key is required.
#include <capstan/scene/field_types.hpp>
#include <capstan/scene/json_text.hpp>

#include <algorithm>

namespace capstan {
namespace {

std::string indent(int depth) { return "\n" + std::string(static_cast<std::size_t>(depth) * 2, ' '); }

std::string text(bool value, int) { return value ? "true" : "false"; }
std::string text(int value, int) { return std::to_string(value); }
std::string text(std::uint32_t value, int) { return std::to_string(value); }
std::string text(std::uint64_t value, int) {
    const std::string digits = std::to_string(value);
    return static_cast<double>(value) > maxExact ? jsonString(digits) : digits;
}
std::string text(float value, int) { return jsonNumber(value); }
std::string text(const std::string& value, int) { return jsonString(value); }
std::string text(Vec3 v, int) {
    return "[" + jsonNumber(v.x) + ", " + jsonNumber(v.y) + ", " + jsonNumber(v.z) + "]";
}
std::string text(Quatf q, int) {
    return "[" + jsonNumber(q.x) + ", " + jsonNumber(q.y) + ", " + jsonNumber(q.z) + ", " + jsonNumber(q.w) +
           "]";
}
std::string text(const Triple& t, int) {
    return "[" + std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " + std::to_string(t[2]) + "]";
}
template <class Tag> std::string text(const Ref<Tag>& value, int) { return jsonString(value.name); }
template <class T> std::string text(const T& value, int depth);

template <class T> std::string arrayText(const std::vector<T>& value, int depth) {
    bool oneLine = std::is_same_v<T, int> || value.empty();
    std::string out = "[";
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (i > 0) out += oneLine ? ", " : ",";
        if (!oneLine) out += indent(depth + 1);
        out += text(value[i], depth + 1);
    }
    return out + (oneLine ? "" : indent(depth)) + "]";
}

// Collects the members of one object. It is no template, to keep the code small: the visitors below are compiled for
// every type of field of every Def.
struct Members {
    std::span<const char* const> required;
    int depth;
    std::vector<std::string> defaults = {};
    std::string out = {};
    std::size_t at = 0;

    void add(const char* name, const std::string& written) {
        bool always = std::find(required.begin(), required.end(), std::string_view(name)) != required.end() ||
                      std::string_view(name) == "version";
        // Values with equal texts are equal, so Defs need no operator==.
        if (written == defaults[at++] && !always) return;
        out += (out.empty() ? "" : ",") + indent(depth + 1) + jsonString(name) + ": " + written;
    }
};

// The outer Def gives the defaults of an inner Def. For example, the default friction of a body differs from that of
// a rope.
template <class D> std::string objectText(const D& value, const D& byDefault, int depth) {
    Members members{defInfo<D>().required, depth};
    std::vector<const void*> inner; // addresses of the inner Defs of byDefault
    fields(byDefault, [&](const char*, const auto& field, const Field&) {
        using T = std::remove_cvref_t<decltype(field)>;
        inner.push_back(&field);
        if constexpr (isDef<T>)
            members.defaults.push_back("{}");
        else
            members.defaults.push_back(text(field, depth + 1));
    });
    fields(value, [&](const char* name, const auto& field, const Field&) {
        using T = std::remove_cvref_t<decltype(field)>;
        if constexpr (isDef<T>)
            members.add(name, objectText(field, *static_cast<const T*>(inner[members.at]), depth + 1));
        else
            members.add(name, text(field, depth + 1));
    });
    return members.out.empty() ? "{}" : "{" + members.out + indent(depth) + "}";
}

template <class T> std::string text(const T& value, int depth) {
    if constexpr (isOptional<T>)
        return value ? text(*value, depth) : "null";
    else if constexpr (isVector<T>)
        return arrayText(value, depth);
    else if constexpr (isDef<T>)
        return objectText(value, T{}, depth);
    else
        return jsonString(word(value));
}

} // namespace

std::string saveScene(const Scene& scene) { return text(scene, 0) + "\n"; }

} // namespace capstan
