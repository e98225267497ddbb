// SPDX-License-Identifier: MIT
// Tests of ropes that are added, removed, wound, cut and broken while the world runs.
#include <tests/world/worlds.hpp>

#include <gtest/gtest.h>

#include <chrono>

namespace capstan {
namespace {

constexpr float kFrame = 1.0f / 60;

float restOf(const World& w, RopeId rope) {
    float sum = 0;
    for (float l : w.restLengths(rope)) sum += l;
    return sum;
}

TEST(Life, IdsOfRemovedRopesAreStale) {
    World w({.contact = false}); // the ropes overlap, so contact is off
    const RopeId a = w.add(hundredNodes());
    const RopeId b = w.add(hundredNodes(0, false, 1));
    w.step(kFrame);
    w.remove(a);
    EXPECT_FALSE(w.isValid(a));
    EXPECT_TRUE(w.isValid(b));
    const RopeId c = w.add(hundredNodes(0, false, 2));
    EXPECT_EQ(c.index, a.index); // the slot is reused
    EXPECT_FALSE(c == a);
    CountChecks checks;
    EXPECT_TRUE(w.positions(a).empty());
    w.applyImpulse({a, 0}, {1, 0, 0});
    w.remove(a);
    EXPECT_EQ(checks.count(), 3);
    EXPECT_EQ(w.ids<RopeId>().size(), 2u);
    w.step(kFrame);
}

TEST(Life, OtherRopesDoNotNoticeAddingAndRemoving) {
    World alone({.contact = false}), busy({.contact = false}); // the ropes overlap, so contact is off
    const RopeId a = alone.add(hundredNodes(3));
    const RopeId b = busy.add(hundredNodes(3));
    std::vector<RopeId> others;
    for (int i = 0; i < 200; ++i) {
        if (i % 3 == 0) others.push_back(busy.add(hundredNodes(0, i % 2 == 0, float(i))));
        if (i % 5 == 4) {
            busy.remove(others[std::size_t(i) / 14]);
            others.erase(others.begin() + i / 14);
        }
        alone.step(kFrame);
        busy.step(kFrame);
    }
    for (std::size_t k = 0; k < 100; ++k) {
        EXPECT_EQ(alone.positions(a)[k].x, busy.positions(b)[k].x);
        EXPECT_EQ(alone.positions(a)[k].y, busy.positions(b)[k].y);
    }
}

class WinchEnd : public ::testing::TestWithParam<int> {};

TEST_P(WinchEnd, PaysOutAndReelsInEvenly) {
    const int end = GetParam();
    World w;
    RopeDef d = hundredNodes(0, true);
    d.pins = {end};
    if (end == last) std::swap(d.from, d.to);
    d.loads = {{end == first ? last : first, 50}};
    const RopeId rope = w.add(d);
    for (int i = 0; i < 60; ++i) w.step(kFrame);
    const float before = restOf(w, rope);
    auto loadAt = [&] { return end == first ? w.positions(rope).back() : w.positions(rope).front(); };
    w.setWinchSpeed(rope, end, 0.5f);
    float y = loadAt().y;
    for (int i = 0; i < 120; ++i) {
        EXPECT_LE(w.step(kFrame).maxStretch, 1e-3f);
        EXPECT_NEAR(y - loadAt().y, 0.5f / 60, 1e-4f) << i; // motion stays smooth while nodes are added
        y = loadAt().y;
    }
    EXPECT_NEAR(restOf(w, rope), before + 1, 1e-3);
    EXPECT_EQ(w.positions(rope).size(), 120u);
    w.setWinchSpeed(rope, end, -1);
    for (int i = 0; i < 180; ++i) EXPECT_LE(w.step(kFrame).maxStretch, 1e-3f);
    EXPECT_NEAR(restOf(w, rope), before - 2, 1e-3);
    w.setWinchSpeed(rope, end, 0);
    for (int i = 0; i < 10; ++i) w.step(kFrame);
    EXPECT_NEAR(restOf(w, rope), before - 2, 1e-3);
    for (std::size_t k = 0; k + 1 < w.positions(rope).size(); ++k)
        EXPECT_NEAR(w.tensions(rope)[k], 50 * 9.81, 0.2 * 50 * 9.81);
}
INSTANTIATE_TEST_SUITE_P(Ends, WinchEnd, ::testing::Values(first, last));

TEST(Life, WinchStopsBeforeTheRopeIsGone) {
    World w;
    RopeDef d;
    d.to = {0, -1, 0};
    d.segments = 10;
    d.mass = 0.1f;
    d.pins = {0};
    d.loads = {{last, 1}};
    const RopeId rope = w.add(d);
    w.setWinchSpeed(rope, first, -5);
    for (int i = 0; i < 120; ++i) w.step(kFrame);
    EXPECT_EQ(w.positions(rope).size(), 2u);
    EXPECT_GE(restOf(w, rope), 0.049f);
    EXPECT_TRUE(std::isfinite(w.positions(rope)[1].y));
}

TEST(Life, IterativeRopesCanBeWoundToo) {
    World w({.substeps = 20});
    RopeDef d = hundredNodes(0, true);
    d.solver = Solver::GaussSeidel;
    const RopeId rope = w.add(d);
    w.setWinchSpeed(rope, first, 0.5f);
    for (int i = 0; i < 60; ++i) w.step(kFrame);
    EXPECT_NEAR(restOf(w, rope), 4.95 + 0.5, 1e-2);
}

TEST(Life, CutRopeFallsInTwo) {
    World w;
    RopeDef d = hundredNodes(20, true);
    d.name = "line";
    const RopeId rope = w.add(d);
    for (int i = 0; i < 30; ++i) w.step(kFrame);
    const RopeId tail = w.cut(rope, 40);
    ASSERT_TRUE(w.isValid(tail));
    EXPECT_EQ(w.def(tail).name, "line.2");
    EXPECT_EQ(w.positions(rope).size(), 41u);
    EXPECT_EQ(w.positions(tail).size(), 59u);
    const float y0 = w.positions(tail).back().y;
    for (int i = 0; i < 60; ++i) EXPECT_LE(w.step(kFrame).maxStretch, 1e-3f);
    EXPECT_NEAR(y0 - w.positions(tail).back().y, 0.5 * 9.81, 0.1); // free fall for a second
    EXPECT_NEAR(w.positions(rope).front().y, 10, 1e-6);
    float sum = 0;
    for (int k = 0; k < 59; ++k) sum += w.mass({tail, k});
    EXPECT_NEAR(sum, 20 + 0.585, 0.01);
}

TEST(Life, CutRingOpensThere) {
    World w({.gravity = {0, 0, 0}});
    RopeDef d;
    d.closed = true;
    d.segments = 30;
    for (int k = 0; k < 30; ++k)
        d.points.push_back({float(std::cos(k * M_PI / 15)), float(std::sin(k * M_PI / 15)), 0});
    const RopeId ring = w.add(d);
    w.step(kFrame);
    const Vec3 behind = w.positions(ring)[13], before = w.positions(ring)[12];
    EXPECT_FALSE(w.cut(ring, 12));
    EXPECT_EQ(w.tensions(ring).size(), 29u);
    EXPECT_EQ(Vec3(w.positions(ring).front()), behind);
    EXPECT_EQ(Vec3(w.positions(ring).back()), before);
    for (int i = 0; i < 60; ++i) EXPECT_LE(w.step(kFrame).maxStretch, 1e-3f);
}

TEST(Life, RopeBreaksAtItsTensionAndSaysSo) {
    World w;
    RopeDef d = hundredNodes(100, true);
    d.breakTension = 150 * 9.81f;
    const RopeId rope = w.add(d);
    for (int i = 0; i < 60; ++i) {
        w.step(kFrame);
        EXPECT_TRUE(w.events().empty());
    }
    w.applyForce({rope, last}, {0, -60 * 9.81f, 0}); // the total load is 160 kg
    w.step(kFrame);
    ASSERT_EQ(w.events().size(), 1u);
    const Event e = w.events()[0];
    EXPECT_EQ(e.kind, Event::Kind::Broke);
    EXPECT_EQ(e.a.as<RopeId>(), rope);
    EXPECT_GT(e.force, d.breakTension);
    w.step(kFrame);
    EXPECT_TRUE(w.events().empty());
}

TEST(Life, EditChangesMaterialAndRefusesNonsense) {
    World w;
    const RopeId rope = w.add(hundredNodes());
    RopeDef good = w.def(rope);
    good.damping = 3;
    good.bendStiffness = 0.01f;
    good.solver = Solver::Jacobi;
    EXPECT_TRUE(w.update(rope, good));
    EXPECT_EQ(w.def(rope).damping, 3);
    RopeDef wanted = w.def(rope);
    wanted.damping = -1;
    const Status bad = w.update(rope, wanted);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().where, "/damping");
    EXPECT_EQ(w.def(rope).damping, 3);
    {
        RopeDef changed = w.def(rope);
        changed.segments = 3;
        EXPECT_FALSE(w.update(rope, changed));
    }
    for (Solver solver : {Solver::GaussSeidel, Solver::Chain, Solver::Jacobi, Solver::Chain}) {
        {
            RopeDef changed = w.def(rope);
            changed.solver = solver;
            EXPECT_TRUE(w.update(rope, changed));
        }
        for (int i = 0; i < 10; ++i) w.step(kFrame);
    }
    EXPECT_EQ(w.report().quarantined, 0);
}

TEST(Life, SlackRopeIsLaidAtItsFullLength) {
    World w({.contact = false}); // both ends are at one position
    RopeDef d;
    d.from = {0, 0, 0};
    d.to = {1, 0, 0};
    d.length = 2;
    d.segments = 20;
    d.pins = {0, -1};
    const RopeId rope = w.add(d);
    EXPECT_NEAR(w.stretch(rope), 0, 1e-6);
    EXPECT_LT(w.positions(rope)[10].y, -0.5f);
    d.name = "ring of nothing";
    d.to = d.from; // the ends may coincide
    const RopeId loop = w.add(d);
    EXPECT_NEAR(w.stretch(loop), 0, 1e-6);
    for (int i = 0; i < 60; ++i) EXPECT_LE(w.step(kFrame).maxStretch, 1e-3f);
}

// v = J / m and w = J / I with the new mass. A body that rotates keeps its angular velocity.
TEST(Life, AHeavierBodyKeepsItsSpinAndIsHarderToPush) {
    World w({.gravity = {0, 0, 0}, .contact = false});
    const BodyId box = w.add(BodyDef{.shape = Box{{1, 2, 3}}, .mass = 2, .angularVelocity = {0, 3, 0}});
    {
        BodyDef changed = w.def(box);
        changed.mass = 8;
        ASSERT_TRUE(w.update(box, changed));
    }
    EXPECT_NEAR(w.angularVelocity(box).y, 3, 1e-5f);
    EXPECT_FLOAT_EQ(w.massProperties(box).mass, 8);
    const Vec3 i = w.massProperties(box).inertia; // m (b^2 + c^2) / 12 for each axis
    EXPECT_NEAR(i.x + i.y + i.z, 8 * 2 * (1 + 4 + 9) / 12.0f, 1e-4f);
    w.applyImpulse(box, {8, 0, 0});
    w.applyAngularImpulse(box, {0, 8 * (1 + 9) / 12.0f, 0});
    EXPECT_NEAR(w.velocity(box).x, 1, 1e-6f);
    EXPECT_NEAR(w.angularVelocity(box).y, 4, 1e-5f);
    {
        BodyDef changed = w.def(box);
        changed.mass = -1;
        EXPECT_FALSE(w.update(box, changed));
    }

    // One of the two parts has its own density. So another density of the body would move the centre of mass.
    ShapeDef lead = ShapeDef(Sphere{0.2f}).at({1, 0, 0});
    lead.density = 11000;
    const BodyId odd = w.add(BodyDef{.shape = Box{{1, 1, 1}}, .parts = {lead}, .position = {9, 0, 0}});
    BodyDef wanted = w.def(odd);
    wanted.density = 10;
    const Status moved = w.update(odd, wanted);
    ASSERT_FALSE(moved);
    EXPECT_NE(moved.error().what.find("centre of mass"), std::string::npos);
    EXPECT_EQ(w.def(odd).density, 1000);
}

// The phases sum up to the whole step. They are measured only on request, and measuring does not change the result.
TEST(Life, PhasesOfAStepAreTimed) {
    World plain, timed;
    timed.setStepTiming(true);
    for (World* w : {&plain, &timed}) {
        w->add(hundredNodes());
        w->add(ClothDef{.origin = {5, 5, 5}, .cellsU = 40, .cellsV = 40, .pins = {0}});
        for (int i = 0; i < 5; ++i) w->step(kFrame);
    }
    EXPECT_EQ(plain.stepTimes().total(), 0);
    EXPECT_EQ(plain.hash(), timed.hash());
    const auto begin = std::chrono::steady_clock::now();
    timed.step(kFrame);
    const float all = std::chrono::duration<float>(std::chrono::steady_clock::now() - begin).count();
    EXPECT_LE(timed.stepTimes().total(), all);
    EXPECT_GT(timed.stepTimes().total(), 0.5f * all);
    EXPECT_GT(timed.stepTimes()[StepPhase::Cloth], timed.stepTimes()[StepPhase::Hair]);
    timed.setStepTiming(false);
    timed.step(kFrame);
    EXPECT_EQ(timed.stepTimes().total(), 0);
}

} // namespace
} // namespace capstan
