// SPDX-License-Identifier: MIT
// Reads a Scene from JSON. The `fields` functions give the keys and their types. Ranges and references are checked
// afterwards on the Scene itself (scene/check/check.cpp). So scenes made by a program get the same checks.
#include "scene/format/json_tree.hpp"
#include "scene/format/renamed.hpp"
#include "scene/import/ten_minute.hpp"
#include <capstan/scene/field_types.hpp>
#include <capstan/scene/json_text.hpp>
#include <capstan/scene/nearest.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>

namespace capstan {
namespace {

using Type = JsonValue::Type;

class Reader {
public:
    Reader(const JsonTree& tree, Scene& scene) : tree_(tree), scene_(scene) {}

    // Each overload returns false after the first error.
    template <class T> bool read(std::uint32_t at, T& to) {
        const JsonValue& value = tree_.values[at];
        scene_.places.push_back({pointer_, static_cast<int>(value.line), static_cast<int>(value.column)});
        if constexpr (isOptional<T>)
            return readOptional(at, to);
        else if constexpr (isVector<T>)
            return readArray(at, to);
        else if constexpr (isDef<T>)
            return readObject(at, to);
        else if constexpr (std::is_enum_v<T>)
            return readWord(value, to);
        else
            return readPlain(at, to);
    }
    const Error& error() const { return error_; }

private:
    template <class Placed> bool fail(const Placed& at, std::string what) {
        error_ = {std::move(what), scene_.name + ":" + std::to_string(at.line) + ":" +
                                       std::to_string(at.column) + (pointer_.empty() ? "" : " " + pointer_)};
        return false;
    }
    bool expect(const JsonValue& value, Type type) {
        return value.type == type ||
               fail(value, std::string("expected ") + typeName(type) + ", got " + typeName(value.type));
    }

    bool readPlain(std::uint32_t at, bool& to) {
        const JsonValue& value = tree_.values[at];
        if (!expect(value, Type::Bool)) return false;
        to = value.number != 0;
        return true;
    }
    bool readPlain(std::uint32_t at, std::string& to) {
        const JsonValue& value = tree_.values[at];
        if (!expect(value, Type::String)) return false;
        to = tree_.strings[value.text].text;
        return true;
    }
    bool readPlain(std::uint32_t at, int& to) {
        const JsonValue& value = tree_.values[at];
        if (!expect(value, Type::Number)) return false;
        if (value.number != std::floor(value.number)) return fail(value, "expected a whole number");
        if (std::abs(value.number) > std::numeric_limits<int>::max())
            return fail(value, "expected a whole number of at most 2147483647");
        to = static_cast<int>(value.number);
        return true;
    }
    bool readPlain(std::uint32_t at, std::uint32_t& to) {
        const JsonValue& value = tree_.values[at];
        if (!expect(value, Type::Number)) return false;
        constexpr double most = std::numeric_limits<std::uint32_t>::max();
        if (!(value.number >= 0 && value.number <= most && value.number == std::floor(value.number)))
            return fail(value, "expected a whole number from 0 to 4294967295");
        to = static_cast<std::uint32_t>(value.number);
        return true;
    }
    // A number of JSON is a double, which represents all integers below 2^53. Larger integers are written as a string
    // of digits.
    bool readPlain(std::uint32_t at, std::uint64_t& to) {
        const JsonValue& value = tree_.values[at];
        if (value.type == Type::String) return readDigits(value, to);
        if (!expect(value, Type::Number)) return false;
        if (!(value.number >= 0) || value.number != std::floor(value.number))
            return fail(value, "expected a whole number of at least 0");
        if (value.number > maxExact)
            return fail(value, "expected a whole number below 2^53; write a larger one as a string, such as "
                               "\"9007199254740992\"");
        to = static_cast<std::uint64_t>(value.number);
        return true;
    }
    bool readDigits(const JsonValue& value, std::uint64_t& to) {
        const std::string& digits = tree_.strings[value.text].text;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), to);
        return (problem == std::errc() && end == digits.data() + digits.size()) ||
               fail(value, "expected a whole number from 0 to 18446744073709551615");
    }
    bool readPlain(std::uint32_t at, float& to) {
        const JsonValue& value = tree_.values[at];
        if (!expect(value, Type::Number)) return false;
        to = static_cast<float>(value.number);
        return std::isfinite(to) ||
               fail(value, "a number must be at most 3.4e38, to fit into single precision");
    }
    bool readPlain(std::uint32_t at, Vec3& to) {
        const JsonValue& value = tree_.values[at];
        if (value.type != Type::Array || value.end != at + 4) {
            return fail(value, std::string("expected three numbers [x, y, z], got ") +
                                   (value.type == Type::Array ? "another array" : typeName(value.type)));
        }
        return readPlain(at + 1, to.x) && readPlain(at + 2, to.y) && readPlain(at + 3, to.z);
    }
    bool readPlain(std::uint32_t at, Quatf& to) {
        const JsonValue& value = tree_.values[at];
        if (value.type != Type::Array || value.end != at + 5) {
            return fail(value, std::string("expected four numbers [x, y, z, w], got ") +
                                   (value.type == Type::Array ? "another array" : typeName(value.type)));
        }
        return readPlain(at + 1, to.x) && readPlain(at + 2, to.y) && readPlain(at + 3, to.z) &&
               readPlain(at + 4, to.w);
    }
    bool readPlain(std::uint32_t at, Triple& to) {
        const JsonValue& value = tree_.values[at];
        if (value.type != Type::Array || value.end != at + 4) {
            return fail(value, std::string("expected three whole numbers [a, b, c], got ") +
                                   (value.type == Type::Array ? "another array" : typeName(value.type)));
        }
        return readPlain(at + 1, to[0]) && readPlain(at + 2, to[1]) && readPlain(at + 3, to[2]);
    }
    template <class Tag> bool readPlain(std::uint32_t at, Ref<Tag>& to) { return readPlain(at, to.name); }
    template <class E> bool readWord(const JsonValue& value, E& to) {
        if (!expect(value, Type::String)) return false;
        const std::string& text = tree_.strings[value.text].text;
        std::span<const char* const> words = wordsOf(E{});
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (text == words[i]) {
                to = static_cast<E>(i);
                return true;
            }
        }
        if constexpr (std::is_same_v<E, Act>) {
            if (std::string now = actSince01(text); !now.empty())
                return fail(value, "there is no word \"" + text + "\"; since 0.2 it is " + now);
        }
        return fail(value, "there is no word \"" + shorten(text) + "\"" + suggest(text, words));
    }
    template <class T> bool readOptional(std::uint32_t at, std::optional<T>& to) {
        scene_.places.pop_back();
        return read(at, to.emplace());
    }
    template <class T> bool readArray(std::uint32_t at, std::vector<T>& to) {
        const JsonValue& value = tree_.values[at];
        if (!expect(value, Type::Array)) return false;
        std::size_t length = pointer_.size();
        // A path or a mesh may have a million elements, and a Place for each would take more memory than the
        // elements. So a later error in a list of more than 1000 values is reported at the place of the list.
        bool many = value.end - at > 1000;
        std::uint32_t child = at + 1;
        for (; child < value.end; child = tree_.values[child].end) {
            pointer_ += "/" + std::to_string(to.size());
            to.push_back(T{});
            if constexpr (std::is_same_v<T, Vec3> || std::is_same_v<T, Triple>) {
                if (!readPlain(child, to.back())) return false;
            } else if constexpr (std::is_same_v<T, int>) {
                if (!(many ? readPlain(child, to.back()) : read(child, to.back()))) return false;
            } else {
                if (!read(child, to.back())) return false;
            }
            pointer_.resize(length);
        }
        return true;
    }
    bool unknown(const JsonText& key, std::uint32_t object, std::string_view title,
                 const std::vector<const char*>& known) {
        std::string_view type;
        const JsonValue& whole = tree_.values[object];
        for (std::uint32_t i = object + 1; i < whole.end; i = tree_.values[i].end) {
            const JsonValue& v = tree_.values[i];
            if (v.type == Type::String && tree_.strings[v.key].text == "type")
                type = tree_.strings[v.text].text;
        }
        const std::string now = keySince01(title, key.text, type);
        return fail(key, "unknown key \"" + shorten(key.text) + "\"" +
                             (now.empty() ? suggest(key.text, known) : "; since 0.2 it is " + now));
    }
    template <class D> bool readObject(std::uint32_t at, D& to) {
        const JsonValue& value = tree_.values[at];
        if (!expect(value, Type::Object)) return false;
        std::vector<const char*> known;
        fields(to, [&](const char* name, auto&, const Field&) { known.push_back(name); });
        std::vector<bool> given(known.size(), false);
        std::size_t length = pointer_.size();
        for (std::uint32_t child = at + 1; child < value.end; child = tree_.values[child].end) {
            const JsonText& placed = tree_.strings[tree_.values[child].key];
            const std::string& key = placed.text;
            std::size_t which = 0;
            while (which < known.size() && key != known[which]) ++which;
            if (which == known.size()) {
                return unknown(placed, at, defInfo<D>().title, known);
            }
            pointer_ += "/" + key;
            if (given[which]) return fail(placed, "key \"" + key + "\" is given twice");
            given[which] = true;
            bool good = true;
            fields(to, [&](const char* name, auto& field, const Field&) {
                if (name == known[which]) good = read(child, field);
            });
            if (!good) return false;
            pointer_.resize(length);
        }
        for (const char* name : defInfo<D>().required) {
            for (std::size_t i = 0; i < known.size(); ++i) {
                if (std::string_view(name) == known[i] && !given[i]) {
                    return fail(value, std::string("\"") + name + "\" is missing");
                }
            }
        }
        return true;
    }

    const JsonTree& tree_;
    Scene& scene_;
    std::string pointer_;
    Error error_;
};

Result<std::string> readText(const std::filesystem::path& file) {
    std::error_code code;
    std::filesystem::file_status status = std::filesystem::status(file, code);
    if (status.type() == std::filesystem::file_type::not_found) return Error{"no such file", file.string()};
    if (code) return Error{code.message(), file.string()};
    if (std::filesystem::is_directory(status)) return Error{"is a folder, not a scene file", file.string()};
    if (!std::filesystem::is_regular_file(status)) return Error{"is not an ordinary file", file.string()};
    std::uintmax_t size = std::filesystem::file_size(file, code);
    if (code) return Error{code.message(), file.string()};
    if (size > JsonTree::maxBytes) {
        return Error{"the file must have at most " + std::to_string(JsonTree::maxBytes >> 20) + " MB, got " +
                         std::to_string(size >> 20) + " MB",
                     file.string()};
    }
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return Error{"cannot be opened for reading", file.string()};
    std::string text(static_cast<std::size_t>(size), '\0');
    stream.read(text.data(), static_cast<std::streamsize>(size));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (stream.bad() || text.size() != size) return Error{"cannot be read to its end", file.string()};
    return text;
}

} // namespace

Result<Scene> parseScene(std::string_view text, std::string_view name, const ImportOptions& options) {
    Result<JsonTree> tree = parseJson(text, name);
    if (!tree) return tree.error();
    Scene scene;
    scene.name = name;
    if (isTenMinute(*tree)) {
        Status status = importTenMinute(*tree, options, scene);
        if (!status) return status.error();
    } else {
        Reader reader(*tree, scene);
        if (!reader.read(0, scene)) return reader.error();
    }
    if (Status status = checkScene(scene); !status) return status.error();
    normalizeRotations(scene);
    return scene;
}

Result<Scene> loadScene(const std::filesystem::path& file, const ImportOptions& options) {
    Result<std::string> text = readText(file);
    if (!text) return text.error();
    return parseScene(*text, file.string(), options);
}

} // namespace capstan
