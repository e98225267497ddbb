// SPDX-License-Identifier: MIT
// Tests of the JSON parser: positions of values, positions of errors, and errors for hostile texts.
#include "scene/format/json_tree.hpp"

#include <gtest/gtest.h>

namespace capstan {
namespace {

using Type = JsonValue::Type;

std::string place(const JsonValue& v) { return std::to_string(v.line) + ":" + std::to_string(v.column); }

TEST(JsonTree, KnowsWhereValuesStand) {
    Result<JsonTree> tree = parseJson("{\"a\": 1, // why: [not this]\n  \"b\" : [-2.5e3, \"x\\\"y\",true],\n"
                                      "/* \"c\": 0 */ \"\xC3\xA9\": {} }",
                                      "f");
    ASSERT_TRUE(tree) << tree.error().text();
    const auto& v = tree->values;
    ASSERT_EQ(v.size(), 7u);
    EXPECT_EQ(place(v[0]), "1:1");
    EXPECT_EQ(place(v[1]), "1:7");
    EXPECT_EQ(place(v[2]), "2:9");
    EXPECT_EQ(place(v[3]), "2:10");
    EXPECT_EQ(place(v[4]), "2:18");
    EXPECT_EQ(place(v[5]), "2:25");
    EXPECT_EQ(place(v[6]), "3:19"); // a character of two bytes in UTF-8 is one column
    EXPECT_EQ(v[3].number, -2500);
    EXPECT_EQ(tree->strings[v[4].text].text, "x\"y");
    EXPECT_EQ(v[2].end, 6u);
    EXPECT_EQ(v[0].end, 7u);
    EXPECT_EQ(tree->strings[v[6].key].text, "\xC3\xA9");
    EXPECT_EQ(tree->strings[v[6].key].column, 14u);
}

TEST(JsonTree, ByteOrderMarkHasNoWidth) {
    Result<JsonTree> tree = parseJson("\xEF\xBB\xBF[1]", "f");
    ASSERT_TRUE(tree);
    EXPECT_EQ(place(tree->values[1]), "1:2");
}

struct BadText {
    const char* text;
    const char* where;
    const char* says; // part of the error message
};

TEST(JsonTree, SaysWhereTheMistakeIs) {
    const BadText all[] = {
        {"", "f:1:1", "unexpected end"},
        {"[1,,2]", "f:1:4", "unexpected ','"},
        {"[1 2]", "f:1:4", "expected ',' or ']'"},
        {"{\"a\" 1}", "f:1:6", "expected ':'"},
        {"{\"a\":1,}", "f:1:8", "unexpected '}'"},
        {"{\"a\":\n  1\n \"b\":2}", "f:3:2", "expected ',' or '}'"},
        {"[NaN]", "f:1:2", "NaN"},
        {"[Infinity]", "f:1:2", "Infinity"},
        {"[-Infinity]", "f:1:2", "-Infinity"},
        {"[1e400]", "f:1:2", "a number must be at most 1.8e308; found 1e400"},
        {"[01]", "f:1:3", "found 1"},
        {"[.5]", "f:1:2", ".5"},
        {"[0x10]", "f:1:3", "x10"},
        {"[+1]", "f:1:2", "+1"},
        {"[tru]", "f:1:2", "tru"},
        {"{'a':1}", "f:1:2", "'a'"},
        {"[1] x", "f:1:5", "end of input"},
        {"{\"a\": [1, 2", "f:1:12", "unexpected end"},
        {"[\"abc", "f:1:2", "missing closing quote"},
        {"[\"a\xFF\"]", "f:1:4", "UTF-8"},
        {"[\"a\xC3(\"]", "f:1:5", "UTF-8"},
        {"[\"a\nb\"]", "f:1:4", "control character"},
        {"[\"\\x\"]", "f:1:2", "invalid string"},
        {"[\"\\ud800\"]", "f:1:2", "surrogate"},
        {"[1, /* no end", "f:1:14", "comment"},
        {"]", "f:1:1", "unexpected ']'"},
    };
    for (const BadText& bad : all) {
        SCOPED_TRACE(bad.text);
        Result<JsonTree> tree = parseJson(bad.text, "f");
        ASSERT_FALSE(tree);
        EXPECT_EQ(tree.error().where, bad.where);
        EXPECT_NE(tree.error().what.find(bad.says), std::string::npos) << tree.error().what;
    }
}

TEST(JsonTree, ZeroByteIsNotTheEnd) {
    Result<JsonTree> tree = parseJson(std::string_view("{}\n\0garbage", 11), "f");
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().where, "f:2:1");
}

TEST(JsonTree, DepthIsLimited) {
    std::string deep(JsonTree::maxDepth, '['), closing(JsonTree::maxDepth, ']');
    EXPECT_TRUE(parseJson(deep + closing, "f"));
    Result<JsonTree> tree = parseJson("[" + deep + closing + "]", "f");
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().where, "f:1:65");
    EXPECT_FALSE(parseJson(std::string(1000000, '['), "f"));
    EXPECT_FALSE(parseJson(std::string(1000000, '{'), "f"));
}

TEST(JsonTree, ArraysAreLimited) {
    std::string text = "[0";
    for (std::size_t i = 1; i < JsonTree::maxElements; ++i) text += ",0";
    EXPECT_TRUE(parseJson(text + "]", "f"));
    Result<JsonTree> tree = parseJson(text + ",0]", "f");
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().what, "an array must have at most 1000000 elements");
}

TEST(JsonTree, ValuesAreLimited) {
    std::string row = "[0";
    for (int i = 1; i < 900000; ++i) row += ",0";
    row += "]";
    std::string text = "[" + row;
    for (int i = 1; i < 6; ++i) text += "," + row;
    Result<JsonTree> tree = parseJson(text + "]", "f");
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().what, "a file must have at most 5000000 values");
}

TEST(JsonTree, BytesAreLimited) {
    Result<JsonTree> tree = parseJson(std::string(JsonTree::maxBytes + 1, ' '), "f");
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().what, "the file must have at most 64 MB, got 64 MB");
    EXPECT_EQ(tree.error().where, "f");
}

} // namespace
} // namespace capstan
