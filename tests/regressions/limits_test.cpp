// SPDX-License-Identifier: MIT
// Numbers at the edge of what a float holds, which once gave NaN, infinite tensions, or an abort.
#include "../world/worlds.hpp"

#include <capstan/scene/playback.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace capstan {
namespace {

bool finite(std::span<const Point> points) {
    for (const Point& p : points)
        if (!std::isfinite(p.x + p.y + p.z)) return false;
    return true;
}

RopeDef meter(Solver solver = Solver::Chain) {
    RopeDef d;
    d.to = {1, 0, 0};
    d.segments = 10;
    d.pins = {0};
    d.mass = 1;
    d.solver = solver;
    return d;
}

// A rope of 1e-45 kg was taken, and its points were NaN: 1 / mass of a node is beyond a float.
TEST(Limits, ARopeTooLightForAFloatIsRefusedWithTheNumber) {
    for (Solver solver : {Solver::Chain, Solver::GaussSeidel, Solver::Jacobi}) {
        for (float mass : {1e-45f, 1e-40f, 1e-38f, 1e-30f}) {
            World w;
            RopeDef d = meter(solver);
            d.mass = mass;
            const Result<RopeId> made = w.tryAdd(d);
            ASSERT_FALSE(made) << mass;
            EXPECT_EQ(made.error().where, "/mass");
            EXPECT_NE(made.error().what.find("1e-20 kg"), std::string::npos) << made.error().what;
        }
        // A rope a little above the limit falls as one of 1 kg does.
        Vec3 end[2];
        for (int light : {0, 1}) {
            World w;
            RopeDef d = meter(solver);
            d.mass = light ? 1e-18f : 1.0f;
            const RopeId rope = w.add(d);
            for (int i = 0; i < 60; ++i) w.step(1.0f / 60);
            EXPECT_EQ(w.report().quarantined, 0);
            EXPECT_TRUE(finite(w.positions(rope)));
            end[light] = w.positions(rope)[10];
        }
        EXPECT_LT(length(end[1] - end[0]), 0.01f);
    }
}

// The same is said of a rope whose mass comes from its density.
TEST(Limits, ARopeTooThinForItsDensityIsRefused) {
    World w;
    RopeDef d = meter();
    d.mass = 0;
    d.radius = 1e-12f;
    d.density = 1;
    ASSERT_FALSE(w.tryAdd(d));
}

// Steps of 1e-27 to 1e-18 s gave infinite tensions.
TEST(Limits, AStepThatIsTooShortIsSkipped) {
    for (Solver solver : {Solver::Chain, Solver::GaussSeidel, Solver::Jacobi}) {
        for (float dt : {1e-30f, 1e-27f, 1e-24f, 1e-21f, 1e-18f, 1e-12f}) {
            World w;
            RopeDef d = meter(solver);
            d.stretchStiffness = 1e4f;
            const RopeId rope = w.add(d);
            w.step(1.0f / 60);
            const std::uint64_t before = w.hash();
            const double time = w.time();
            for (int i = 0; i < 5; ++i) w.step(dt);
            for (float t : w.tensions(rope)) EXPECT_TRUE(std::isfinite(t)) << dt;
            EXPECT_EQ(w.hash(), before);
            EXPECT_EQ(w.time(), time);
        }
    }
}

// The shortest step that is made, in the most substeps, is finite too.
TEST(Limits, TheShortestStepIsFinite) {
    for (Solver solver : {Solver::Chain, Solver::GaussSeidel, Solver::Jacobi}) {
        World w({.substeps = 1000});
        RopeDef d = meter(solver);
        d.stretchStiffness = 1e4f;
        const RopeId rope = w.add(d);
        ClothDef sheet;
        sheet.cellsU = sheet.cellsV = 4;
        sheet.stretchStiffness = sheet.shearStiffness = 1e3f;
        sheet.origin = {0, 2, 0};
        sheet.pins = {0};
        const ClothId cloth = w.add(sheet);
        w.step(1.0f / 60);
        for (int i = 0; i < 5; ++i) w.step(1e-9f);
        EXPECT_GT(w.time(), 1.0 / 60);
        EXPECT_EQ(w.report().quarantined, 0);
        EXPECT_TRUE(finite(w.positions(rope)) && finite(w.positions(cloth)) && finite(w.velocities(cloth)));
        for (float t : w.tensions(rope)) EXPECT_TRUE(std::isfinite(t));
    }
}

// ---- Scenes

Result<Playback> playing(const char* text) {
    Result<Scene> scene = parseScene(text, "s.json");
    if (!scene) return scene.error();
    return Playback::start(std::move(*scene));
}

// The point on a body at 3e38 m was infinite, and a check in World::applyForce ended the program.
TEST(Limits, APullOnABodyThatIsTooFarIsAProblemOfTheScene) {
    Result<Playback> p = playing(R"({"frames": 5, "world": {"contact": false},
 "bodies": [{"name": "b", "shape": {"kind": "box", "size": [1, 1, 1]}, "position": [3e38, 0, 0]}],
 "actions": [{"do": "applyForce", "body": "b", "force": [1, 0, 0], "position": [-3e38, 0, 0], "duration": 1}]})");
    ASSERT_TRUE(p) << p.error().text();
    CountChecks checks;
    while (!p->done()) p->frame();
    EXPECT_EQ(checks.count(), 0);
    ASSERT_EQ(p->summary().problems.size(), 1u);
    EXPECT_NE(p->summary().problems[0].where.find("s.json:3:"), std::string::npos)
        << p->summary().problems[0].where;
    EXPECT_NE(p->summary().problems[0].what.find("position"), std::string::npos);
}

// ---- The place of a failed check

std::string told;

TEST(Limits, AFailedCheckKnowsItsPlaceInTheScene) {
    Result<Playback> p =
        playing(R"({"frames": 3, "ropes": [{"to": [1, 0, 0], "segments": 4, "pins": [0]}]})");
    ASSERT_TRUE(p) << p.error().text();
    const CheckHandler before = setCheckHandler([](const char*, const char*) { told = Playback::where(); });
    told = "none";
    p->world().step(-1);
    EXPECT_EQ(told, ""); // outside of a frame it is empty
    setCheckHandler(before);
    EXPECT_EQ(Playback::where(), "");
}

} // namespace
} // namespace capstan
