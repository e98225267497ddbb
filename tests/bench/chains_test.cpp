// SPDX-License-Identifier: MIT
// Tests of the benchmark's chains. Gap, axis error and energy have the values of their definitions. One link swings
// as a compound pendulum in every engine. The rows of each case are complete.
#include "rows.hpp"

#include <bench/peers/capstan_chains.hpp>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

using namespace capstan;
using namespace capstan::bench;

namespace {

ChainState atRest(const ChainSetup& setup) {
    ChainState state;
    state.root = setup.rootOf(0);
    for (int i = 0; i < setup.bodies(); ++i)
        state.bodies.push_back({setup.positionOf(0, i), Quatd::identity(), {0, 0, 0}, {0, 0, 0}});
    return state;
}

ChainSetup small(Link link, int links, double load = 0) {
    ChainSetup setup;
    setup.link = link;
    setup.links = links;
    setup.load = load;
    return setup;
}

void expectCompleteRows(const std::vector<Row>& rows, const std::string& caseName, bool timed) {
    std::set<std::string> seen;
    ASSERT_FALSE(rows.empty());
    for (const Row& row : rows) {
        const std::string key = row.engine + "|" + row.variant + "|" + row.backend;
        SCOPED_TRACE(key);
        EXPECT_TRUE(seen.insert(key).second) << "twice";
        EXPECT_EQ(row.caseName, caseName);
        EXPECT_EQ(row.usPerFrame > 0, timed);
        EXPECT_GE(row.usMedian, row.usPerFrame);
        EXPECT_EQ(row.hash != 0, timed && row.engine == "capstan");
        EXPECT_EQ(row.backend != "-", row.engine == "capstan");
    }
}

void expectSameHashes(const std::vector<Row>& rows) {
    std::map<std::string, std::uint64_t> hashes;
    for (const Row& row : rows)
        if (row.engine == "capstan") {
            EXPECT_EQ(hashes.emplace(row.variant, row.hash).first->second, row.hash) << row.variant;
        }
}

} // namespace

TEST(BenchChains, GapAndAxisAreMeasuredBetweenNeighbours) {
    const ChainSetup setup = small(Link::Hinge, 5, 10);
    ChainState state = atRest(setup);
    EXPECT_NEAR(gapOf(setup, state), 0, 1e-12);
    EXPECT_EQ(axisErrorOf(state), 0);
    state.bodies[2].x.y += 0.003; // this opens the joints on both sides of the body
    EXPECT_NEAR(gapOf(setup, state), 0.003, 1e-12);
    // A rotation about the line of anchors does not move the anchors.
    state.bodies[4].q = Quatd::fromAxisAngle({1, 0, 0}, 0.25);
    EXPECT_NEAR(gapOf(setup, state), 0.003, 1e-12);
    EXPECT_NEAR(axisErrorOf(state), 0.25, 1e-12);
    state.root.z += 1;
    EXPECT_NEAR(gapOf(setup, state), 1, 1e-12);
    state.bodies[0].x.x = std::nan("");
    EXPECT_TRUE(std::isinf(gapOf(setup, state)));
}

// The energy is m (v^2 / 2 + g y) + w . I w / 2 with the inertia m (b^2 + c^2) / 12 of a solid box with edges b and
// c.
TEST(BenchChains, EnergyIsThatOfTurningBoxes) {
    const ChainSetup setup = small(Link::Ball, 1);
    ChainState state = atRest(setup);
    const double still = energyOf(setup, state);
    EXPECT_NEAR(still, 0.1 * 9.81 * 20, 1e-9);
    // The length of the body is now along y.
    state.bodies[0].q = Quatd::fromAxisAngle({0, 0, 1}, std::numbers::pi / 2);
    state.bodies[0].v = {3, 4, 0};
    state.bodies[0].w = {0, 10, 0};
    const double aboutLength = 0.1 * (0.04 * 0.04 + 0.04 * 0.04) / 12;
    EXPECT_NEAR(energyOf(setup, state) - still, 0.1 * 25 / 2 + aboutLength * 100 / 2, 1e-9);
    // The load is a cube of water: a mass of 10 kg has edges of 0.2154 m.
    EXPECT_NEAR(small(Link::Ball, 1, 10).sizeOf(1).y, 0.21544347, 1e-8);
}

// One link, released level with its root, is a compound pendulum. It is lowest after T/4 = K(sin 45 deg) sqrt(I / (m g
// d)), with I about the root and K = 1.8540746773 (Abramowitz and Stegun, table 17.1).
TEST(BenchChains, OneLinkSwingsAsACompoundPendulumInEveryEngine) {
    for (const Link link : {Link::Ball, Link::Hinge}) {
        const ChainSetup setup = small(link, 1);
        const double d = 0.05, inertia = setup.inertiaOf(0).z / 0.1 + d * d;
        const double quarter = 1.8540746773 * std::sqrt(inertia / (gravity * d));
        std::vector<std::pair<std::string, std::unique_ptr<Chains>>> all;
        all.emplace_back("capstan", std::make_unique<CapstanChains>(setup, ChainTuning{}));
        all.emplace_back(
            "capstan xpbd",
            std::make_unique<CapstanChains>(setup, ChainTuning{.solver = JointSolver::Xpbd, .substeps = 20}));
        all.emplace_back("bullet joints", makeBulletJoints(setup, 20));
        all.emplace_back("bullet multi-body", makeBulletMultiBody(setup, 20));
        all.emplace_back("mujoco", makeMujocoChain(setup, 20));
        for (const auto& [engine, chains] : all) {
            if (!chains) continue; // this engine is not installed here
            SCOPED_TRACE(engine);
            ChainState state;
            double time = 0, before = d, x = d;
            while (x > 0 && time < 1) {
                chains->frame();
                chains->read(0, state);
                before = x;
                x = state.bodies[0].x.x - state.root.x;
                time += frameTime;
                EXPECT_LE(gapOf(setup, state), 1e-3);
            }
            EXPECT_NEAR(time - frameTime * x / (x - before), quarter, 0.05 * quarter);
        }
    }
}

TEST(BenchChains, RowsOfW5AreComplete) {
    const std::vector<Row> rows = runCase("W5", brief());
    expectCompleteRows(rows, "W5", true);
    expectSameHashes(rows);
    const bool bullet =
        std::any_of(rows.begin(), rows.end(), [](const Row& r) { return r.engine == "bullet"; });
    int trees = 0;
    for (const Row& row : rows) {
        SCOPED_TRACE(row.engine + ", " + row.variant + ", " + row.backend);
        EXPECT_EQ(has(row, "vsMultiBody"), bullet);
        EXPECT_EQ(has(row, "axisError"), row.variant.starts_with("hinge"));
        EXPECT_TRUE(std::isfinite(qualityOf(row, "energyRise")) || qualityOf(row, "nonFinite") > 0);
        if (row.engine != "capstan") continue;
        EXPECT_EQ(qualityOf(row, "nonFinite"), 0);
        if (row.variant.find("tree") == std::string::npos) continue;
        ++trees;
        EXPECT_LE(qualityOf(row, "gapMm"), 0.1);
    }
    EXPECT_EQ(trees, 2 * 3 * 2 * 2); // joints, loads, substeps, backends
}

TEST(BenchChains, RowsOfCrateAreComplete) {
    const std::vector<Row> rows = runCase("crate", brief());
    expectCompleteRows(rows, "crate", true);
    expectSameHashes(rows);
    for (const Row& row : rows) {
        SCOPED_TRACE(row.engine + ", " + row.variant + ", " + row.backend);
        EXPECT_EQ(has(row, "gapMm"), row.engine != "textbook"); // the textbook engine has no bodies
        EXPECT_TRUE(std::isfinite(qualityOf(row, "energyLost10s")));
        if (row.engine != "capstan") continue;
        EXPECT_LE(qualityOf(row, "gapMm"), 0.1);
        EXPECT_LE(qualityOf(row, "peakStretch"), 1e-3);
    }
}

TEST(BenchChains, HingesEndInTheSameState) {
    const std::vector<Row> rows = runCase("hinges", brief());
    expectCompleteRows(rows, "hinges", true);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].hash, rows[1].hash);
    EXPECT_EQ(qualityOf(rows[1], "sameState"), 1);
    EXPECT_GT(qualityOf(rows[1], "speedup"), 0);
    for (const Row& row : rows) EXPECT_LE(qualityOf(row, "gapMm"), 0.1);
}

TEST(BenchChains, MechanismsStayWhole) {
    const std::vector<Row> rows = runCase("mechanisms", brief());
    expectCompleteRows(rows, "mechanisms", false);
    EXPECT_EQ(rows.size(), 20u);
    for (const Row& row : rows) {
        SCOPED_TRACE(row.variant);
        EXPECT_EQ(qualityOf(row, "nonFinite"), 0);
        EXPECT_LE(qualityOf(row, "gapMm"), 10);
        EXPECT_GE(qualityOf(row, "seeds"), 1);
    }
}
