// SPDX-License-Identifier: MIT
// Tests of scenes with a leash walk: reading, errors with line and column, the walk, and expectations.
#include <capstan/scene/playback.hpp>

#include <gtest/gtest.h>

namespace capstan {
namespace {

std::string whereFails(const std::string& text) {
    Result<Scene> scene = parseScene(text, "f");
    if (!scene) return scene.error().text();
    Result<Playback> started = Playback::start(*scene);
    return started ? "fine" : started.error().text();
}

TEST(LeashScene, IsReadAndWalked) {
    Result<Scene> scene = parseScene(
        R"({"frames": 60, "leash": {"seed": 3, "length": 3, "tangles": {"mode": "assist", "minWrap": 1},
            "dogs": [{"name": "Rex", "temperament": "pull", "mass": 30}, {"temperament": "sniff", "strength": 50}]},
            "expect": {"untangled": false}})",
        "f");
    ASSERT_TRUE(scene) << scene.error().text();
    ASSERT_TRUE(scene->leash);
    EXPECT_EQ(scene->leash->tangles.mode, TangleMode::Assist);
    EXPECT_EQ(scene->leash->dogs[0].temperament, Temperament::Pull);
    Result<Playback> p = Playback::start(*scene);
    ASSERT_TRUE(p) << p.error().text();
    ASSERT_TRUE(p->leash());
    while (!p->done()) p->frame();
    EXPECT_EQ(p->leash()->dogs()[1].name, "dog2");
    EXPECT_NEAR(p->leash()->time(), 1, 1e-4);
    EXPECT_GT(p->leash()->readings(), 5);
    EXPECT_TRUE(p->world().find<BodyId>("Rex"));
    for (const CheckLine& line : p->check()) EXPECT_TRUE(line.ok) << line.what << ": " << line.got;
    EXPECT_EQ(saveScene(*parseScene(saveScene(*scene), "g")), saveScene(*scene));
}

TEST(LeashScene, MistakesNameTheirPlace) {
    EXPECT_EQ(whereFails(R"({"leash": {"seed": 1}})"), "f:1:11 /leash: \"dogs\" is missing");
    EXPECT_EQ(whereFails(R"({"leash": {"dogs": [{"temperament": "lazy"}]}})")
                  .rfind("f:1:37 /leash/dogs/0/temperament", 0),
              0u);
    EXPECT_NE(whereFails(R"({"leash": {"dogs": []}})").find("/leash/dogs: there must be 1 to 12 dogs, got 0"),
              std::string::npos);
    EXPECT_NE(
        whereFails(R"({"leash": {"dogs": [{}], "hand": [0, 9, 0]}})").find("/leash/hand: the hand must be"),
        std::string::npos);
    EXPECT_NE(
        whereFails(R"({"leash": {"dogs": [{"mass": 0}]}})").find("/leash/dogs/0/mass: mass must be above 0"),
        std::string::npos);
    EXPECT_NE(
        whereFails(
            R"({"bodies": [{"name": "Rex", "shape": {"kind": "sphere", "radius": 1}, "position": [9, 9, 9]}], "leash": {"dogs": [{"name": "Rex"}]}})")
            .find("/leash/dogs/0"),
        std::string::npos);
}

TEST(LeashScene, ExpectTellsWhatItIs) {
    Result<Scene> scene =
        parseScene(R"({"frames": 3, "leash": {"dogs": [{}, {}]}, "expect": {"untangled": true}})", "f");
    ASSERT_TRUE(scene);
    Result<Playback> started = Playback::start(*scene);
    ASSERT_TRUE(started);
    Playback& p = *started;
    while (!p.done()) p.frame();
    bool told = false;
    for (const CheckLine& line : p.check()) {
        if (line.what != "untangled") continue;
        told = true;
        EXPECT_FALSE(line.ok);
        EXPECT_EQ(line.got, "walking");
    }
    EXPECT_TRUE(told);
}

} // namespace
} // namespace capstan
