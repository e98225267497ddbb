// SPDX-License-Identifier: MIT
// Helpers of the tests of errors: scene texts with one error each, and the message that each must give.
#pragma once

#include <capstan/scene/scene.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>

namespace capstan {

// The @ in `text` marks the position of the error. It is removed before the text is parsed.
struct Bad {
    std::string text;
    const char* pointer;
    const char* what;
};

inline void expectErrors(std::initializer_list<Bad> all) {
    for (const Bad& bad : all) {
        SCOPED_TRACE(bad.text);
        std::string text = bad.text;
        std::size_t at = text.find('@');
        ASSERT_NE(at, text.npos);
        text.erase(at, 1);
        auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
        std::size_t column = line == 1 ? at + 1 : at - text.rfind('\n', at - 1);
        std::string where = "f.json:" + std::to_string(line) + ":" + std::to_string(column);
        Result<Scene> scene = parseScene(text, "f.json");
        ASSERT_FALSE(scene);
        EXPECT_EQ(scene.error().where, where + (*bad.pointer ? std::string(" ") + bad.pointer : ""));
        EXPECT_EQ(scene.error().what, bad.what);
    }
}

} // namespace capstan
