// SPDX-License-Identifier: MIT
// Tests of keys and words of version 0.1: each is an error at its position, and the message gives the new name.
#include <tests/scene/expect_errors.hpp>

#include <capstan/scene/playback.hpp>

#include <string>
#include <vector>

namespace capstan {
namespace {

struct Renamed {
    const char* list; // key of the scene's list that contains the object
    const char* key;
    const char* now;
    const char* type = "";
};

TEST(RenamedKeys, EachNamesTheNewOne) {
    const char* category = "\"filter.category\" (2^layer)";
    const char* mask = "\"filter.mask\" (4294967295 less 2^k for each layer k)";
    const std::vector<Renamed> all = {
        {"ropes", "friction", "\"material.friction\""},
        {"ropes", "staticFriction", "\"material.staticFriction\""},
        {"ropes", "layer", category},
        {"ropes", "ignores", mask},
        {"bodies", "friction", "\"material.friction\""},
        {"bodies", "staticFriction", "\"material.staticFriction\""},
        {"bodies", "restitution", "\"material.restitution\""},
        {"bodies", "layer", category},
        {"bodies", "ignores", mask},
        {"bodies", "center", "\"centerOfMass\""},
        {"bodies", "spin", "\"angularVelocity\""},
        {"cloths", "friction", "\"material.friction\""},
        {"cloths", "layer", category},
        {"cloths", "ignores", mask},
        {"hairs", "friction", "\"material.friction\""},
        {"motions", "spin", "\"angularVelocity\""},
        {"joints", "collide", "\"collideConnected\"", "hinge"},
        {"joints", "restDistance", "\"distance.target\"", "distance"},
        {"joints", "compliance", "\"distance.compliance\"", "distance"},
        {"joints", "compliance", "\"distance.compliance\"", "drag"},
        {"joints", "compliance", "\"slide.compliance\"", "prismatic"},
        {"joints", "damping", "\"turn.damping\"", "hinge"},
        {"joints", "damping", "\"turn.damping\"", "servo"},
        {"joints", "damping", "\"turn.damping\"", "motor"},
        {"joints", "damping", "\"turn.damping\"", "ball"},
        {"joints", "damping", "\"slide.damping\", and turn.damping if it turns", "prismatic"},
        {"joints", "damping", "\"slide.damping\", and turn.damping if it turns", "cylinder"},
        {"joints", "damping", "\"distance.damping\"", "drag"},
        {"joints", "swingMin", "\"turn.min\"", "hinge"},
        {"joints", "swingMax", "\"turn.max\"", "motor"},
        {"joints", "swingMax", "\"swing.max\"", "ball"},
        {"joints", "twistMin", "\"turn.min\"", "ball"},
        {"joints", "twistMax", "\"turn.max\"", "cylinder"},
        {"joints", "targetAngle", "\"turn.target\"", "servo"},
        {"joints", "targetAngleCompliance", "\"turn.compliance\"", "hinge"},
        {"joints", "velocity", "\"turn.speed\"", "motor"},
        {"joints", "velocityMin", "\"turn.speedMin\"", "motor"},
        {"joints", "velocityMax", "\"turn.speedMax\"", "motor"},
        {"joints", "distanceMin", "\"slide.min\"", "prismatic"},
        {"joints", "distanceMax", "\"slide.max\"", "cylinder"},
        {"joints", "targetDistance", "\"slide.target\"", "cylinder"},
        {"joints", "maxForce", "\"slide.maxForce\"", "prismatic"},
        {"joints", "maxForce", "\"distance.maxForce\"", "drag"},
        {"joints", "maxTorque", "\"turn.maxForce\"", "motor"},
    };
    for (const Renamed& r : all) {
        // The message depends on the type of the joint, at any position of `type` in the object.
        const std::string type = *r.type ? std::string(", \"type\": \"") + r.type + "\"" : "";
        const std::string text = std::string("{\"") + r.list + "\": [\n{@\"" + r.key + "\": 1" + type + "}]}";
        const std::string pointer = std::string("/") + r.list + "/0";
        const std::string what = std::string("unknown key \"") + r.key + "\"; since 0.2 it is " + r.now;
        expectErrors({{text, pointer.c_str(), what.c_str()}});
    }
}

TEST(RenamedKeys, OfTheWorldAndOfWhatIsExpected) {
    expectErrors({
        {R"({"world": {@"minDistance": 0.5}})", "/world",
         "unknown key \"minDistance\"; since 0.2 it is \"minSeparationRatio\""},
        {R"({"expect": {@"spin": []}})", "/expect", "unknown key \"spin\"; since 0.2 it is \"angularSpeed\""},
        {R"({"expect": {@"lastResorts": 0}})", "/expect",
         "unknown key \"lastResorts\"; since 0.2 it is \"heldStill\""},
        {R"({"expect": {@"minTouching": 0}})", "/expect",
         "unknown key \"minTouching\"; since 0.2 it is \"minContacts\""},
        {R"({"expect": {@"maxTouching": 0}})", "/expect",
         "unknown key \"maxTouching\"; since 0.2 it is \"maxContacts\""},
        {R"({"expect": {@"minDistance": 0}})", "/expect",
         "unknown key \"minDistance\"; since 0.2 it is \"minSeparationRatio\""},
    });
}

// A key that objects of this kind never had gets no new name in the message.
TEST(RenamedKeys, OnlyOfObjectsThatHadThem) {
    const Result<Scene> scene = parseScene(R"({"ropes": [{"restitution": 0}]})", "f.json");
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().what.find("unknown key \"restitution\"; known are "), 0u) << scene.error().what;
}

TEST(RenamedKeys, WordsOfActions) {
    expectErrors({
        {R"({"actions": [{"do": @"push"}]})", "/actions/0/do",
         "there is no word \"push\"; since 0.2 it is \"applyImpulse\""},
        {R"({"actions": [{"do": @"pull"}]})", "/actions/0/do",
         "there is no word \"pull\"; since 0.2 it is \"applyForce\""},
        {R"({"actions": [{"do": @"twist"}]})", "/actions/0/do",
         "there is no word \"twist\"; since 0.2 it is \"applyTorque\""},
        {R"({"actions": [{"do": @"target"}]})", "/actions/0/do",
         "there is no word \"target\"; since 0.2 it is \"setTarget\""},
    });
}

// Numbers in JSON are doubles, which represent integers exactly only below 2^53. Larger ones are written as strings.
TEST(UserData, ComesBackExactly) {
    for (std::uint64_t n : {std::uint64_t(0), std::uint64_t(1), (std::uint64_t(1) << 53) - 1,
                            std::uint64_t(1) << 53, (std::uint64_t(1) << 53) + 1, ~std::uint64_t(0)}) {
        Scene scene;
        scene.ropes.resize(1);
        scene.bodies.resize(1);
        scene.joints.resize(1);
        scene.cloths.resize(1);
        scene.hairs.resize(1);
        scene.ropes[0].userData = scene.bodies[0].userData = scene.joints[0].userData = n;
        scene.cloths[0].userData = scene.hairs[0].userData = n;
        const Result<Scene> read = parseScene(saveScene(scene), "f.json");
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_EQ(read->ropes[0].userData, n);
        EXPECT_EQ(read->bodies[0].userData, n);
        EXPECT_EQ(read->joints[0].userData, n);
        EXPECT_EQ(read->cloths[0].userData, n);
        EXPECT_EQ(read->hairs[0].userData, n);
    }
    expectErrors({
        {R"({"ropes": [{"userData": @9007199254740992}]})", "/ropes/0/userData",
         "expected a whole number below 2^53; write a larger one as a string, such as \"9007199254740992\""},
        {R"({"ropes": [{"userData": @-1}]})", "/ropes/0/userData", "expected a whole number of at least 0"},
        {R"({"ropes": [{"userData": @0.5}]})", "/ropes/0/userData", "expected a whole number of at least 0"},
        {R"({"ropes": [{"userData": @"18446744073709551616"}]})", "/ropes/0/userData",
         "expected a whole number from 0 to 18446744073709551615"},
        {R"({"ropes": [{"userData": @"0x10"}]})", "/ropes/0/userData",
         "expected a whole number from 0 to 18446744073709551615"},
        {R"({"ropes": [{"userData": @""}]})", "/ropes/0/userData",
         "expected a whole number from 0 to 18446744073709551615"},
        {R"({"ropes": [{"userData": @true}]})", "/ropes/0/userData", "expected a number, got true or false"},
    });
}

// The inner Defs of a body have other defaults than those of a rope.
TEST(InnerDefs, AreWrittenAgainstTheDefaultsOfTheOuterOne) {
    Scene scene;
    scene.ropes.resize(1);
    scene.bodies.resize(1);
    scene.ropes[0].material.friction = 0.5f;
    scene.bodies[0].material.friction = 0.3f;
    Result<Scene> read = parseScene(saveScene(scene), "f.json");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->ropes[0].material.friction, 0.5f);
    EXPECT_EQ(read->bodies[0].material.friction, 0.3f);
    EXPECT_EQ(saveScene(Scene{}).find("material"), std::string::npos);
    scene.ropes[0].material = {};
    scene.bodies[0].material = BodyDef{}.material;
    EXPECT_EQ(saveScene(scene).find("material"), std::string::npos);
}

} // namespace
} // namespace capstan
