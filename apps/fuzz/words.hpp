// SPDX-License-Identifier: MIT
// Words: a Def as text, and back. A word is a path and a value: "material.friction=0.5".
//
// The functions fields() of the Defs name every field once, so a new field needs no edit here. Only fields that differ
// from the default are written, because a minimised recipe is read by people. Floats have nine digits, so that reading
// gives the same bits. JSON of the scene library was not used: it describes the start of a world, not what is done to it.
#pragma once

#include <capstan/defs.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace capstan::fuzz {

struct Word {
    std::string path, value;
    friend bool operator==(const Word&, const Word&) = default;
};
using Words = std::vector<Word>;

std::string textOf(float a);
std::string textOf(Vec3 a);
std::string textOf(const Quatf& a);
bool read(std::string_view text, float& to);
bool read(std::string_view text, int& to);
bool read(std::string_view text, std::uint32_t& to);
bool read(std::string_view text, std::uint64_t& to);
bool read(std::string_view text, Vec3& to);
bool read(std::string_view text, Quatf& to);
bool read(std::string_view text, std::array<int, 3>& to);
// Returns the parts of the text between separators; an empty text has none.
std::vector<std::string_view> split(std::string_view text, char separator);

namespace detail {

struct Ignore {
    template <class T> void operator()(const char*, T&, const Field&) const {}
};
template <class T>
concept HasFields = requires(T& t) {
    fields(t, Ignore{});
};

inline std::string textOf(const std::string& a) { return a; }
inline std::string textOf(bool a) { return a ? "1" : "0"; }
inline std::string textOf(int a) { return std::to_string(a); }
inline std::string textOf(std::uint32_t a) { return std::to_string(a); }
inline std::string textOf(std::uint64_t a) { return std::to_string(a); }
inline std::string textOf(const std::array<int, 3>& a) {
    return std::to_string(a[0]) + "," + std::to_string(a[1]) + "," + std::to_string(a[2]);
}
template <class Tag> std::string textOf(const Ref<Tag>& a) { return a.name; }
template <class T>
requires std::is_enum_v<T> std::string textOf(T a) { return std::to_string(int(a)); }
using fuzz::textOf;

inline bool read(std::string_view text, std::string& to) {
    to = text;
    return true;
}
inline bool read(std::string_view text, bool& to) {
    to = text == "1";
    return to || text == "0";
}
template <class Tag> bool read(std::string_view text, Ref<Tag>& to) {
    to = text.empty() ? Ref<Tag>{} : Ref<Tag>(std::string(text));
    return true;
}
template <class T>
requires std::is_enum_v<T>
bool read(std::string_view text, T& to) {
    int number = 0;
    if (!fuzz::read(text, number)) return false;
    to = T(number);
    return true;
}
using fuzz::read;

struct Write {
    Words& words;
    std::string prefix;
    template <class T> void operator()(const char* name, const T& value, const Field&) const {
        put(prefix + name, value);
    }
    template <class T> void put(const std::string& path, const T& value) const {
        if constexpr (HasFields<const T>)
            fields(value, Write{words, path + "."});
        else
            words.push_back({path, textOf(value)});
    }
    template <class T> void put(const std::string& path, const std::optional<T>& value) const {
        if (value) put(path, *value);
    }
    template <class T> void put(const std::string& path, const std::vector<T>& list) const {
        if constexpr (HasFields<const T>) {
            for (std::size_t i = 0; i < list.size(); ++i) put(path + "." + std::to_string(i), list[i]);
        } else {
            std::string text;
            for (const T& value : list) text += (text.empty() ? "" : ";") + textOf(value);
            words.push_back({path, text});
        }
    }
};

struct Read {
    std::string_view path, value;
    bool& good;
    template <class T> void operator()(const char* name, T& to, const Field&) const {
        const std::string_view head = path.substr(0, path.find('.'));
        if (head != name) return;
        good = get(head.size() < path.size() ? path.substr(head.size() + 1) : std::string_view{}, to);
    }
    template <class T> bool get(std::string_view rest, T& to) const {
        if constexpr (HasFields<T>) {
            bool found = false;
            fields(to, Read{rest, value, found});
            return found;
        } else {
            return rest.empty() && read(value, to);
        }
    }
    template <class T> bool get(std::string_view rest, std::optional<T>& to) const {
        if (!to) to.emplace();
        return get(rest, *to);
    }
    template <class T> bool get(std::string_view rest, std::vector<T>& list) const {
        if constexpr (HasFields<T>) {
            const std::string_view number = rest.substr(0, rest.find('.'));
            int index = 0;
            constexpr int most = 10000;
            if (!read(number, index) || index < 0 || index >= most || number.size() == rest.size())
                return false;
            if (std::size_t(index) >= list.size()) list.resize(std::size_t(index) + 1);
            return get(rest.substr(number.size() + 1), list[std::size_t(index)]);
        } else {
            if (!rest.empty()) return false;
            list.clear();
            for (const std::string_view part : split(value, ';')) {
                T one{};
                if (!read(part, one)) return false;
                list.push_back(std::move(one));
            }
            return true;
        }
    }
};

} // namespace detail

// Returns the fields of the Def that differ from the default.
template <class D> Words wordsOf(const D& def) {
    Words all, usual;
    fields(def, detail::Write{all, ""});
    const D standard{};
    fields(standard, detail::Write{usual, ""});
    Words differ;
    for (Word& w : all)
        if (std::find(usual.begin(), usual.end(), w) == usual.end()) differ.push_back(std::move(w));
    return differ;
}

// Sets one field. Returns false if the Def has no such field, or if the text is no value of it.
template <class D> bool assign(D& def, const Word& word) {
    bool good = false;
    fields(def, detail::Read{word.path, word.value, good});
    return good;
}

} // namespace capstan::fuzz
