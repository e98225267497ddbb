// SPDX-License-Identifier: MIT
// Tests of scene files with an error: the message gives the line and column, and the error.
#include <tests/scene/expect_errors.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

namespace capstan {
namespace {

TEST(ReadScene, ReadsAll) {
    Result<Scene> scene = parseScene(R"({
        "version": 1, "about": "x", "rate": 120, "frames": 7,
        "world": {"gravity": [0, 0, -1], "substeps": 9, "minSeparationRatio": 0.9, "backend": "scalar", "threads": 2},
        "ropes": [{"name": "r", "points": [[0, 0, 0], [1, 2, 3]], "solver": "gaussSeidel", "pins": [0, -1],
                   "loads": [{"node": 3, "mass": 2.5}], "clamps": [{"node": -1, "direction": [0, 1, 0]}]}],
        "motions": [{"rope": "r", "node": -1, "circle": {"center": [1, 0, 0], "rate": 2}}],
        "actions": [{"at": 0.5, "do": "applyImpulse", "node": 4, "impulse": [1, 2, 3]}],
        "expect": {"finite": false, "maxStretch": 0.1, "breaks": 2, "hash": "0123456789abcdef",
                   "speed": [{"node": 2, "peak": true, "value": 3, "tolerance": 0.5}]}
    })",
                                     "f.json");
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(scene->about, "x");
    EXPECT_EQ(scene->rate, 120);
    EXPECT_EQ(scene->frames, 7);
    EXPECT_EQ(scene->world.gravity, (Vec3{0, 0, -1}));
    EXPECT_EQ(scene->world.substeps, 9);
    EXPECT_EQ(scene->world.minSeparationRatio, 0.9f);
    EXPECT_EQ(scene->world.backend, Backend::Scalar);
    ASSERT_EQ(scene->ropes.size(), 1u);
    EXPECT_EQ(scene->ropes[0].points.at(1), (Vec3{1, 2, 3}));
    EXPECT_EQ(scene->ropes[0].solver, Solver::GaussSeidel);
    EXPECT_EQ(scene->ropes[0].pins, (std::vector<int>{0, -1}));
    EXPECT_EQ(scene->ropes[0].loads.at(0).mass, 2.5f);
    EXPECT_EQ(scene->ropes[0].clamps.at(0).direction, (Vec3{0, 1, 0}));
    EXPECT_EQ(scene->motions.at(0).circle->rate, 2);
    EXPECT_EQ(scene->actions.at(0).act, Act::ApplyImpulse);
    EXPECT_EQ(*scene->actions.at(0).impulse, (Vec3{1, 2, 3}));
    EXPECT_FALSE(scene->expect.finite);
    EXPECT_EQ(*scene->expect.maxStretch, 0.1f);
    EXPECT_FALSE(scene->expect.maxStrain);
    EXPECT_EQ(*scene->expect.breaks, 2);
    EXPECT_TRUE(scene->expect.speed.at(0).peak);
}

TEST(ReadScene, Syntax) {
    expectErrors({
        {R"({"ropes": [
{"radius": @NaN}]})",
         "", "syntax error while parsing value - invalid literal; found NaN"},
        {R"({"about": "x"
@)",
         "", "syntax error while parsing object - unexpected end of input; expected ',' or '}'"},
    });
}

TEST(ReadScene, UnknownAndDoubleKeys) {
    expectErrors({
        {R"({@"rops": []})", "", "unknown key \"rops\"; did you mean \"ropes\"?"},
        {R"({"ropes": [{},
  {@"raduis": 1}]})",
         "/ropes/1", "unknown key \"raduis\"; did you mean \"radius\"?"},
        {R"({"ropes": [{@"BENDSTIFFNESS": 1}]})", "/ropes/0",
         "unknown key \"BENDSTIFFNESS\"; did you mean \"bendStiffness\"?"},
        {R"({"world": {@"zzzz": 1}})", "/world",
         "unknown key \"zzzz\"; known are gravity, substeps, minSeparationRatio, damping, contact, "
         "jointSolver, "
         "backend, "
         "threads, deviceMemory"},
        {R"({"ropes": [{"mass": 1,
 @"mass": 1}]})",
         "/ropes/0/mass", "key \"mass\" is given twice"},
    });
}

TEST(ReadScene, Types) {
    expectErrors({
        {R"(@[])", "", "expected an object, got an array"},
        {R"({"about": @3})", "/about", "expected a string, got a number"},
        {R"({"ropes": @{}})", "/ropes", "expected an array, got an object"},
        {R"({"ropes": [{"radius": @"1"}]})", "/ropes/0/radius", "expected a number, got a string"},
        {R"({"ropes": [{"radius": @null}]})", "/ropes/0/radius", "expected a number, got null"},
        {R"({"ropes": [{"closed": @1}]})", "/ropes/0/closed", "expected true or false, got a number"},
        {R"({"ropes": [{"pins": [0, @1.5]}]})", "/ropes/0/pins/1", "expected a whole number"},
        {R"({"frames": @3000000000})", "/frames", "expected a whole number of at most 2147483647"},
        {R"({"ropes": [{"from": @[0, 1]}]})", "/ropes/0/from",
         "expected three numbers [x, y, z], got another array"},
        {R"({"ropes": [{"from": @[0, 1, 2, 3]}]})", "/ropes/0/from",
         "expected three numbers [x, y, z], got another array"},
        {R"({"ropes": [{"from": [0, @[], 2]}]})", "/ropes/0/from", "expected a number, got an array"},
        {R"({"ropes": [{"from": @1}]})", "/ropes/0/from", "expected three numbers [x, y, z], got a number"},
        {R"({"ropes": [{"points": [[0,0,0],
[1,0,@"a"]]}]})",
         "/ropes/0/points/1", "expected a number, got a string"},
        {R"({"ropes": [{"solver": @"gausSeidel"}]})", "/ropes/0/solver",
         "there is no word \"gausSeidel\"; did you mean \"gaussSeidel\"?"},
        {R"({"expect": {"maxStretch": @null}})", "/expect/maxStretch", "expected a number, got null"},
    });
}

TEST(ReadScene, NumbersOutOfRange) {
    expectErrors({
        {R"({"ropes": [{"mass": @1e39}]})", "/ropes/0/mass",
         "a number must be at most 3.4e38, to fit into single precision"},
        {R"({"ropes": [{"mass": @1e400}]})", "", "a number must be at most 1.8e308; found 1e400"},
        {R"({"ropes": [{"points": [[0,0,0],[@1e39,0,0]]}]})", "/ropes/0/points/1",
         "a number must be at most 3.4e38, to fit into single precision"},
        {R"({"ropes": [{"radius": @0}]})", "/ropes/0/radius", "radius must be above 0, got 0"},
        {R"({"ropes": [{"radius": @1e-60}]})", "/ropes/0/radius", "radius must be above 0, got 0"},
        {R"({"ropes": [{"loads": [{"mass": @-2}]}]})", "/ropes/0/loads/0/mass",
         "mass must be at least 0, got -2"},
        {R"({"world": {"substeps": @0}})", "/world/substeps",
         "substeps must be at least 1 and at most 1000, got 0"},
        {R"({"world": {"minSeparationRatio": @1.5}})", "/world/minSeparationRatio",
         "minSeparationRatio must be at least 0 and at most 0.95, got 1.5"},
        {R"({"version": @2})", "/version", "version must be at least 1 and at most 1, got 2"},
        {R"({"ropes": [{"segments": @1000001}]})", "/ropes/0/segments",
         "segments must be at least 0 and at most 1000000, got 1000001"},
    });
}

TEST(ReadScene, References) {
    expectErrors({
        {R"({"ropes": [{"name": "left"}, {"name": "right"}],
 "actions": [{"do": "remove", "rope": @"rihgt"}]})",
         "/actions/0/rope", "no rope is called \"rihgt\"; did you mean \"right\"?"},
        {R"({"ropes": [{}, {}],
 "actions": [@{"do": "remove"}]})",
         "/actions/0", "\"rope\" must be given, because the scene has 2 ropes"},
        {R"({"ropes": [{"name": "a"}, {"name": @"a"}]})", "/ropes/1/name", "two ropes are called \"a\""},
        {R"({"ropes": [{"name": "a"}], "actions": [{"do": "cut", "segment": 1, "part": @"a"}]})",
         "/actions/0/part", "two ropes are called \"a\""},
        {R"({"ropes": [{}], "expect": {"length": [{"rope": @"b", "value": 1, "tolerance": 1}]}})",
         "/expect/length/0/rope", "no rope is called \"b\""},
    });
}

TEST(ReadScene, Motions) {
    expectErrors({
        {R"({"ropes": [{}], "motions": [@{"node": 0}]})", "/motions/0",
         "a motion must have exactly one of path, circle and shake"},
        {R"({"ropes": [{}], "motions": [@{"shake": {"amplitude": [1,0,0]},
 "circle": {"center": [0,0,0], "rate": 1}}]})",
         "/motions/0", "a motion must have exactly one of path, circle and shake"},
        {R"({"ropes": [{}], "motions": [{"path": [@{"position": [0,0,0]}]}]})", "/motions/0/path/0",
         "\"t\" is missing"},
        {R"({"ropes": [{}], "motions": [{"path": [{"t": 2, "position": [0,0,0]},
{"t": @2, "position": [0,0,0]}]}]})",
         "/motions/0/path/1/t", "waypoints must come in order of time: 2 s is not after 2 s"},
        {R"({"ropes": [{}], "motions": [{"loop": @true, "path": [{"t": 0, "position": [0,0,0]},
 {"t": 1, "position": [0,0,1]}]}]})",
         "/motions/0/loop", "a path that loops must end where it begins"},
        {R"({"ropes": [{}], "motions": [{"circle": {"center": [0,0,0], "rate": 1, "axis": @[0,0,0]}}]})",
         "/motions/0/circle/axis", "axis must not be zero"},
    });
}

TEST(ReadScene, Actions) {
    expectErrors({
        {R"({"ropes": [{}], "actions": [@{"at": 1}]})", "/actions/0", "\"do\" is missing"},
        {R"({"ropes": [{}], "actions": [@{"do": "cut"}]})", "/actions/0", "cut needs \"segment\""},
        {R"({"ropes": [{}], "actions": [{"do": "cut", "segment": 1, "force": @[1,0,0]}]})",
         "/actions/0/force", "cut takes no \"force\""},
        {R"({"ropes": [{}], "actions": [{"do": "winch", "node": @3, "speed": 1}]})", "/actions/0/node",
         "a winch must be at an end: node 0 or -1"},
        {R"({"ropes": [{}], "actions": [{"do": "applyForce", "node": 3, "force": [1,0,0], "duration": @0}]})",
         "/actions/0/duration", "duration must be above 0, got 0"},
    });
}

TEST(ReadScene, Expectations) {
    expectErrors({
        {R"({"expect": {"hash": @"12"}})", "/expect/hash",
         "a hash must have 16 digits out of 0123456789abcdef"},
        {R"({"ropes": [{}], "expect": {"tension": [@{"value": 1}]}})", "/expect/tension/0",
         "\"tolerance\" is missing"},
        {R"({"frames": 60, "ropes": [{}], "expect": {"length": [{"at": @1.1, "value": 1, "tolerance": 1}]}})",
         "/expect/length/0/at", "at must be within the run, which ends at 1 s"},
        {R"({"ropes": [{}], "expect": {"speed": [{"at": 1, "peak": @true, "value": 1, "tolerance": 1}]}})",
         "/expect/speed/0/peak", "an expectation must have either \"at\" or \"peak\"; leave one out"},
    });
}

TEST(ReadScene, TooManyNodes) {
    std::string text = "{\"ropes\": [";
    for (int i = 0; i < 21; ++i) text += std::string(i ? "," : "") + "{\"segments\": 1000000}";
    Result<Scene> scene = parseScene(text + "]}", "f.json");
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().what, "the nodes of all ropes must be at most 20000000");
}

TEST(CheckScene, JudgesScenesMadeByAProgram) {
    Scene scene;
    scene.ropes.emplace_back();
    EXPECT_TRUE(checkScene(scene));
    scene.ropes[0].mass = std::numeric_limits<float>::quiet_NaN();
    Status status = checkScene(scene);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().where, "/ropes/0/mass");
    EXPECT_EQ(status.error().what, "mass must be a finite number");
    scene.ropes[0].mass = 1;
    scene.ropes[0].points = {{0, 0, 0}, {0, std::numeric_limits<float>::infinity(), 0}};
    status = checkScene(scene);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().where, "/ropes/0/points/1");
}

class Files : public testing::Test {
protected:
    void SetUp() override {
        folder = std::filesystem::temp_directory_path() / ("capstan_read_test_" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder);
    }
    void write(const char* name, const char* text) const {
        std::ofstream stream(folder / name);
        stream << text;
    }
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::filesystem::path folder;
};

TEST_F(Files, GoodFileIsRead) {
    write("good.json", "{\"about\": \"hello\"}");
    Result<Scene> scene = loadScene(folder / "good.json");
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(scene->about, "hello");
}

TEST_F(Files, WhatCannotBeRead) {
    EXPECT_EQ(loadScene(folder / "none.json").error().what, "no such file");
    EXPECT_EQ(loadScene(folder / "none.json").error().where, (folder / "none.json").string());
    EXPECT_EQ(loadScene(folder).error().what, "is a folder, not a scene file");
    EXPECT_EQ(loadScene("/dev/null").error().what, "is not an ordinary file");
    EXPECT_EQ(loadScene("").error().what, "no such file");
    write("empty.json", "");
    EXPECT_EQ(loadScene(folder / "empty.json").error().where, (folder / "empty.json").string() + ":1:1");
    write("big.json", "");
    // The file is sparse and too large; the reader must refuse it without reading it.
    std::filesystem::resize_file(folder / "big.json", 100u << 20);
    EXPECT_EQ(loadScene(folder / "big.json").error().what, "the file must have at most 64 MB, got 100 MB");
}

} // namespace
} // namespace capstan
