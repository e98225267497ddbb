// SPDX-License-Identifier: MIT
// A recipe says the same as text: it is read back to the same lines, and a Def that was words is the same Def.
#include <apps/fuzz/maker.hpp>

#include <gtest/gtest.h>

using namespace capstan;
using namespace capstan::fuzz;

namespace {

template <class D> D again(const D& def) {
    D read;
    for (const Word& w : wordsOf(def)) EXPECT_TRUE(assign(read, w)) << w.path << "=" << w.value;
    return read;
}

TEST(FuzzRecipe, AGeneratedRecipeIsReadBack) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const std::string text = generate(seed, 200).text();
        const Result<Recipe> read = readRecipe(text);
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_EQ(read->text(), text) << seed;
        EXPECT_EQ(read->steps(), 200) << seed;
    }
}

TEST(FuzzRecipe, NestedFieldsAreReadBack) {
    RopeDef rope;
    rope.points = {{0.1f, 1, 2}, {3, 4, 1e-30f}};
    rope.loads = {{2, 0.3f}, {last, 5}};
    rope.clamps = {{first, {0, 1, 0}}};
    rope.material.friction = 1.0f / 3;
    rope.pins = {0, -1};
    EXPECT_EQ(wordsOf(again(rope)), wordsOf(rope));
    EXPECT_EQ(again(rope).material.friction, 1.0f / 3);
    EXPECT_EQ(again(rope).loads[1].mass, 5);

    JointDef joint;
    joint.type = JointType::Hinge;
    joint.body1 = "box";
    joint.turn.min = -1.0f;
    joint.frame0 = Transform{};
    const JointDef read = again(joint);
    EXPECT_EQ(read.type, JointType::Hinge);
    EXPECT_EQ(read.body1.name, "box");
    EXPECT_EQ(read.turn, joint.turn);
    EXPECT_TRUE(read.frame0.has_value());
    EXPECT_FALSE(read.frame1.has_value());

    BodyDef body;
    body.shape = Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 1, 2}}};
    body.parts = {ShapeDef(Sphere{0.25f}).at({1, 2, 3})};
    EXPECT_EQ(wordsOf(again(body)), wordsOf(body));
}

TEST(FuzzRecipe, WordsOfNoFieldAreRefused) {
    RopeDef rope;
    EXPECT_FALSE(assign(rope, {"colour", "1"}));
    EXPECT_FALSE(assign(rope, {"radius", "thick"}));
    EXPECT_FALSE(assign(rope, {"material", "1"}));
    EXPECT_FALSE(assign(rope, {"loads.-1.mass", "1"}));
    EXPECT_FALSE(assign(rope, {"radius.x", "1"}));
    EXPECT_FALSE(readRecipe("rope r1\n"));
    EXPECT_FALSE(readRecipe("capstan recipe 1\nrope\n"));
}

} // namespace
