// SPDX-License-Identifier: MIT
// Tests that a written scene reads back bit for bit.
#include <capstan/scene/json_text.hpp>
#include <capstan/scene/scene.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>

namespace capstan {
namespace {

std::uint32_t bits(float f) {
    std::uint32_t b;
    std::memcpy(&b, &f, sizeof b);
    return b;
}

TEST(WriteScene, AnyFloatComesBack) {
    std::mt19937 random(1);
    Scene scene;
    RopeDef& rope = scene.ropes.emplace_back();
    std::vector<float> numbers = {0.0f,        -0.0f,       0.1f, 1e-45f, 3.4028235e38f, -1.17549435e-38f,
                                  16777217.0f, 8.5899346e9f};
    while (numbers.size() < 30000) {
        float f;
        std::uint32_t b = static_cast<std::uint32_t>(random());
        std::memcpy(&f, &b, sizeof f);
        if (std::isfinite(f)) numbers.push_back(f);
    }
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) {
        rope.points.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
    }
    Result<Scene> read = parseScene(saveScene(scene), "f");
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_EQ(read->ropes[0].points.size(), rope.points.size());
    for (std::size_t i = 0; i < rope.points.size(); ++i) {
        ASSERT_EQ(bits(read->ropes[0].points[i].x), bits(rope.points[i].x)) << rope.points[i].x;
        ASSERT_EQ(bits(read->ropes[0].points[i].y), bits(rope.points[i].y)) << rope.points[i].y;
        ASSERT_EQ(bits(read->ropes[0].points[i].z), bits(rope.points[i].z)) << rope.points[i].z;
    }
}

TEST(WriteScene, NumbersAreShort) {
    EXPECT_EQ(jsonNumber(0.1f), "0.1");
    EXPECT_EQ(jsonNumber(-9.81f), "-9.81");
    EXPECT_EQ(jsonNumber(1000.0f), "1000");
    EXPECT_EQ(jsonNumber(0.1), "0.1");
    EXPECT_EQ(jsonNumber(1.0 / 3), "0.3333333333333333");
    EXPECT_EQ(jsonNumber(std::nanf("")), "null");
}

TEST(WriteScene, StringsAreEscaped) {
    Scene scene;
    scene.about = "a \"quote\", a \\, a\ttab,\na line, \x01 and \xC3\xA9";
    Result<Scene> read = parseScene(saveScene(scene), "f");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->about, scene.about);
}

TEST(WriteScene, DefaultsAreLeftOut) { EXPECT_EQ(saveScene(Scene{}), "{\n  \"version\": 1\n}\n"); }

TEST(WriteScene, SamplesComeBack) {
    int count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(CAPSTAN_SOURCE_DIR "/scenes")) {
        if (entry.path().extension() != ".json") continue;
        SCOPED_TRACE(entry.path().string());
        Result<Scene> scene = loadScene(entry.path());
        ASSERT_TRUE(scene) << scene.error().text();
        EXPECT_FALSE(scene->about.empty());
        std::string text = saveScene(*scene);
        Result<Scene> read = parseScene(text, "f");
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_EQ(saveScene(*read), text);
        ++count;
    }
    EXPECT_GT(count, 10);
}

} // namespace
} // namespace capstan
