// SPDX-License-Identifier: MIT
// Tests of errors of the calling program: each is reported with its position, and has no effect.
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace capstan {
namespace {

struct Bad {
    const char* where;
    void (*spoil)(RopeDef&);
};

TEST(BadInput, EveryBadRopeIsAnErrorWithAPlace) {
    const Bad all[] = {
        {"/segments", [](RopeDef& d) { d.segments = 0; }},
        {"/segments", [](RopeDef& d) { d.segments = -3; }},
        {"/segments", [](RopeDef& d) { d.segments = 2000000000; }},
        {"/to", [](RopeDef& d) { d.to = d.from; }},
        {"/from", [](RopeDef& d) { d.from.x = std::numeric_limits<float>::quiet_NaN(); }},
        {"/to", [](RopeDef& d) { d.to.y = std::numeric_limits<float>::infinity(); }},
        {"/points",
         [](RopeDef& d) {
             d.points = {{0, 0, 0}};
         }},
        {"/points/1",
         [](RopeDef& d) {
             d.points = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}};
             d.segments = 0;
         }},
        {"/points/1",
         [](RopeDef& d) {
             d.points = {{0, 0, 0}, {std::numeric_limits<float>::quiet_NaN(), 0, 0}};
         }},
        {"/mass", [](RopeDef& d) { d.mass = -1; }},
        {"/mass", [](RopeDef& d) { d.mass = std::numeric_limits<float>::quiet_NaN(); }},
        {"/density", [](RopeDef& d) { d.density = 0; }},
        {"/radius", [](RopeDef& d) { d.radius = 0; }},
        {"/length", [](RopeDef& d) { d.length = 0.5f; }},
        {"/length",
         [](RopeDef& d) {
             d.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
             d.length = 5;
         }},
        {"/stretchStiffness", [](RopeDef& d) { d.stretchStiffness = -1; }},
        {"/maxBend", [](RopeDef& d) { d.maxBend = 4; }},
        {"/damping", [](RopeDef& d) { d.damping = std::numeric_limits<float>::infinity(); }},
        {"/material/friction", [](RopeDef& d) { d.material.friction = -1; }},
        {"/material/friction",
         [](RopeDef& d) { d.material.friction = std::numeric_limits<float>::infinity(); }},
        {"/material/staticFriction", [](RopeDef& d) { d.material.staticFriction = -1; }},
        {"/material/restitution", [](RopeDef& d) { d.material.restitution = 0.5f; }},
        {"/pins/0", [](RopeDef& d) { d.pins = {100}; }},
        {"/loads/1/node",
         [](RopeDef& d) {
             d.loads = {{0, 1}, {-200, 1}};
         }},
        {"/loads/0/mass",
         [](RopeDef& d) {
             d.loads = {{0, -1}};
         }},
        {"/clamps/0/node",
         [](RopeDef& d) {
             d.clamps = {{5, {1, 0, 0}}};
         }},
        {"/clamps/0/direction",
         [](RopeDef& d) {
             d.clamps = {{0, {0, 0, 0}}};
         }},
        {"/iterations", [](RopeDef& d) { d.iterations = 0; }},
        {"/points", [](RopeDef& d) { d.closed = true; }},
    };
    World w;
    const RopeId good = w.add(hundredNodes());
    w.step(1.0f / 60);
    const std::uint64_t before = w.hash();
    for (const Bad& bad : all) {
        RopeDef d;
        d.to = {1, 0, 0};
        bad.spoil(d);
        const Result<RopeId> made = w.tryAdd(d);
        ASSERT_FALSE(made) << bad.where;
        EXPECT_EQ(made.error().where, bad.where) << made.error().what;
        EXPECT_FALSE(made.error().what.empty());
    }
    EXPECT_EQ(w.hash(), before);
    EXPECT_EQ(w.ids<RopeId>().size(), 1u);
    w.step(1.0f / 60);
    EXPECT_TRUE(w.isValid(good));
}

TEST(BadInput, BadCallsFailACheckAndChangeNothing) {
    World w;
    RopeDef d = hundredNodes();
    d.name = "a";
    const RopeId rope = w.add(d);
    w.step(1.0f / 60);
    const std::uint64_t before = w.hash();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CountChecks checks;
    w.pin({rope, 100}, {0, 0, 0});
    w.pin({rope, 3}, {nan, 0, 0});
    w.unpin({rope, -101});
    w.applyImpulse({rope, 1}, {nan, 0, 0});
    w.applyForce({rope, 1}, {0, nan, 0});
    w.setVelocity({rope, 1}, {0, 0, nan});
    w.setWinchSpeed(rope, 5, 1);
    w.setWinchSpeed(rope, 0, nan);
    w.cut(rope, 99);
    w.add(d); // the name is already used
    w.step(-1);
    w.step(nan);
    w.restore(Snapshot{});
    w.configure({.substeps = 0});
    RopeId null;
    w.remove(null);
    EXPECT_EQ(checks.count(), 15);
    EXPECT_EQ(w.hash(), before);
    EXPECT_EQ(w.def().substeps, 4);
    w.step(1.0f / 60);
    EXPECT_EQ(w.report().quarantined, 0);
}

TEST(BadInput, AnExplodingRopeIsQuarantinedAndTheWorldGoesOn) {
    World w({.substeps = 1, .contact = false});
    RopeDef d = hundredNodes(0, false, 5);
    d.solver = Solver::GaussSeidel;
    const RopeId wild = w.add(d), calm = w.add(hundredNodes());
    for (int k = 1; k < 100; ++k) w.setVelocity({wild, k}, {3e38f, -3e38f, 3e38f});
    bool told = false;
    for (int i = 0; i < 120; ++i) { // at 3e38 m/s positions exceed the range of float within a second
        w.step(1.0f / 60);
        for (const Event& e : w.events())
            told = told || ((e.kind == Event::Kind::Quarantined && e.a.kind == ObjectKind::Rope) &&
                            e.a.as<RopeId>() == wild);
    }
    EXPECT_TRUE(told);
    EXPECT_EQ(w.report().quarantined, 1);
    for (const Point& p : w.positions(wild))
        EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
    EXPECT_LT(w.positions(calm)[99].y, 10);
    w.remove(wild);
    w.step(1.0f / 60);
    EXPECT_EQ(w.report().quarantined, 0);
}

} // namespace
} // namespace capstan
