// SPDX-License-Identifier: MIT
// The JSON parser; it stores the position of each value.
//
// The lexer of nlohmann checks the text (UTF-8, escapes, numbers) and makes a callback for each token. It does not
// give the position of the token, so a cursor moves over the text in parallel. Between two callbacks the text has
// only blanks, comments, commas and colons, which the cursor skips to find the next token.
#include "scene/format/json_tree.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>

namespace capstan {
namespace {

using Type = JsonValue::Type;
using Json = nlohmann::json;

struct Cursor {
    std::string_view text;
    std::size_t at = 0;
    std::uint32_t line = 1;
    std::uint32_t column = 1;

    explicit Cursor(std::string_view whole) : text(whole) {
        if (text.substr(0, 3) == "\xEF\xBB\xBF") at = 3; // a byte order mark has no column
    }
    bool more() const { return at < text.size(); }
    void step() {
        if (!more()) return;
        auto byte = static_cast<unsigned char>(text[at++]);
        if (byte == '\n') {
            ++line;
            column = 1;
        } else if ((byte & 0xC0) != 0x80) { // UTF-8 continuation bytes add no column
            ++column;
        }
    }
    void stepTo(std::size_t target) {
        while (more() && at < target) step();
    }
    void comment() {
        bool toLineEnd = text[at + 1] == '/';
        // A lone carriage return also ends a comment, as in nlohmann's lexer.
        std::size_t close = toLineEnd ? text.find_first_of("\r\n", at + 2) : text.find("*/", at + 2);
        stepTo(close == text.npos ? text.size() : close + (toLineEnd ? 1 : 2));
    }
    void toToken() {
        while (more()) {
            char c = text[at];
            if (c == '/' && at + 1 < text.size() && (text[at + 1] == '/' || text[at + 1] == '*')) {
                comment();
            } else if (std::strchr(" \t\r\n,:", c)) {
                step();
            } else {
                return;
            }
        }
    }
    void overString() {
        for (step(); more() && text[at] != '"'; step()) {
            if (text[at] == '\\') step();
        }
        if (more()) step();
    }
    void overNumber() {
        while (more() && std::strchr("+-.0123456789eE", text[at])) step();
    }
};

// Receives nlohmann's callbacks. If a callback returns false, the parse ends and `error` gives the reason.
class Builder {
public:
    Builder(std::string_view text, std::string_view name) : cursor_(text), name_(name) {}

    // NOLINTBEGIN(readability-identifier-naming): names required by nlohmann
    bool null() { return add(Type::Null, 4); }
    bool boolean(bool value) { return add(Type::Bool, value ? 4 : 5, value ? 1 : 0); }
    bool number_integer(Json::number_integer_t n) { return number(static_cast<double>(n)); }
    bool number_unsigned(Json::number_unsigned_t n) { return number(static_cast<double>(n)); }
    bool number_float(Json::number_float_t n, const std::string&) { return number(n); }
    bool string(std::string& value) {
        if (!begin(Type::String)) return false;
        tree_.values.back().text = keep(value);
        cursor_.overString();
        return true;
    }
    bool binary(Json::binary_t&) { return false; } // does not occur in text
    bool start_object(std::size_t) { return open(Type::Object); }
    bool start_array(std::size_t) { return open(Type::Array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& value) {
        cursor_.toToken();
        key_ = keep(value);
        cursor_.overString();
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& problem) {
        syntaxError(position, problem.what());
        return false;
    }
    // NOLINTEND(readability-identifier-naming)

    bool failed() const { return !error_.what.empty(); }
    const Error& error() const { return error_; }
    JsonTree& tree() { return tree_; }

private:
    struct Open {
        std::uint32_t value;
        std::size_t elements;
    };

    bool fail(std::string what) {
        error_ = {std::move(what), std::string(name_) + ":" + std::to_string(cursor_.line) + ":" +
                                       std::to_string(cursor_.column)};
        return false;
    }
    bool begin(Type type) {
        cursor_.toToken();
        if (tree_.values.size() >= JsonTree::maxValues) {
            return fail("a file must have at most " + std::to_string(JsonTree::maxValues) + " values");
        }
        if (!open_.empty() && tree_.values[open_.back().value].type == Type::Array &&
            ++open_.back().elements > JsonTree::maxElements) {
            return fail("an array must have at most " + std::to_string(JsonTree::maxElements) + " elements");
        }
        JsonValue value;
        value.type = type;
        value.line = cursor_.line;
        value.column = cursor_.column;
        value.key = key_;
        value.end = static_cast<std::uint32_t>(tree_.values.size() + 1);
        key_ = JsonValue::none;
        tree_.values.push_back(value);
        return true;
    }
    bool add(Type type, std::size_t width, double number = 0) {
        if (!begin(type)) return false;
        tree_.values.back().number = number;
        cursor_.stepTo(cursor_.at + width);
        return true;
    }
    bool number(double value) {
        if (!begin(Type::Number)) return false;
        tree_.values.back().number = value;
        cursor_.overNumber();
        return true;
    }
    bool open(Type type) {
        if (!begin(type)) return false;
        if (open_.size() == JsonTree::maxDepth) {
            return fail("values must be nested at most " + std::to_string(JsonTree::maxDepth) +
                        " levels deep");
        }
        open_.push_back({static_cast<std::uint32_t>(tree_.values.size() - 1), 0});
        cursor_.step();
        return true;
    }
    bool close() {
        cursor_.toToken();
        cursor_.step();
        tree_.values[open_.back().value].end = static_cast<std::uint32_t>(tree_.values.size());
        open_.pop_back();
        return true;
    }
    std::uint32_t keep(std::string& value) {
        tree_.strings.push_back({std::move(value), cursor_.line, cursor_.column});
        return static_cast<std::uint32_t>(tree_.strings.size() - 1);
    }

    // nlohmann's message reads "[json....] parse error at line 1, column 2: what - why; last read: '...'". Its line
    // and column are the end of the token. The message of this function gives the start of the wrong token.
    void syntaxError(std::size_t position, std::string_view message) {
        std::size_t stopped = position == 0 ? 0 : position - 1;
        bool insideString = message.find("UTF-8") != message.npos || message.find("control") != message.npos;
        cursor_.toToken();
        std::size_t target = insideString ? stopped : std::min(cursor_.at, stopped);
        cursor_ = Cursor(cursor_.text);
        cursor_.stepTo(target);
        if (message.find("number overflow") != message.npos) {
            fail("a number must be at most 1.8e308" + badToken());
            return;
        }
        if (std::size_t head = message.find(": "); head != message.npos) message.remove_prefix(head + 2);
        std::string kept(message.substr(0, message.find("; last read")));
        std::size_t expected = message.find("; expected");
        if (expected != message.npos && expected > kept.size()) kept += message.substr(expected);
        for (const char* closing : {"; expected ']'", "; expected '}'"}) {
            if (std::size_t at = kept.find(closing); at != kept.npos) kept.insert(at + 11, "',' or ");
        }
        fail(kept + badToken());
    }
    std::string badToken() const {
        std::string_view rest = cursor_.text.substr(cursor_.at, 24);
        std::size_t length = 0;
        while (length < rest.size() && rest[length] > ' ' && rest[length] < 127 &&
               !std::strchr(",:[]{}\"", rest[length])) {
            ++length;
        }
        return length == 0 ? "" : "; found " + std::string(rest.substr(0, length));
    }

    Cursor cursor_;
    std::string_view name_;
    JsonTree tree_;
    std::vector<Open> open_;
    std::uint32_t key_ = JsonValue::none;
    Error error_;
};

} // namespace

Result<JsonTree> parseJson(std::string_view text, std::string_view name) {
    if (text.size() > JsonTree::maxBytes) {
        return Error{"the file must have at most " + std::to_string(JsonTree::maxBytes >> 20) + " MB, got " +
                         std::to_string(text.size() >> 20) + " MB",
                     std::string(name)};
    }
    // nlohmann treats a zero byte as the end of the text and would ignore the remaining text.
    if (std::size_t zero = text.find('\0'); zero != text.npos) {
        Cursor cursor(text);
        cursor.stepTo(zero);
        return Error{"the text must not hold a zero byte", std::string(name) + ":" +
                                                               std::to_string(cursor.line) + ":" +
                                                               std::to_string(cursor.column)};
    }
    Builder builder(text, name);
    try {
        bool good =
            Json::sax_parse(text.begin(), text.end(), &builder, Json::input_format_t::json, true, true);
        if (good && !builder.failed()) return std::move(builder.tree());
    } catch (const std::exception& problem) { // mostly: out of memory
        return Error{problem.what(), std::string(name)};
    }
    return builder.error();
}

const char* typeName(JsonValue::Type type) {
    switch (type) {
    case Type::Null:
        return "null";
    case Type::Bool:
        return "true or false";
    case Type::Number:
        return "a number";
    case Type::String:
        return "a string";
    case Type::Array:
        return "an array";
    case Type::Object:
        return "an object";
    }
    return "";
}

} // namespace capstan
