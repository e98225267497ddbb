// SPDX-License-Identifier: MIT
// Tests of the benchmark cases with contact. Every row of results is complete. In Capstan no object passes through
// another, and stacked boxes stand. All backends and thread counts end in the same state. The textbook loop has no
// contact, so its ropes do pass through each other.
#include "rows.hpp"

#include <bench/setups/boxes.hpp>
#include <bench/setups/contact_setups.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace capstan;
using namespace capstan::bench;

namespace {

void expectComplete(const std::vector<Row>& rows, const std::string& caseName) {
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows.front().engine, "textbook"); // the reference time T
    std::set<std::string> seen;
    for (const Row& row : rows) {
        const std::string key =
            row.engine + "|" + row.variant + "|" + row.backend + "|" + std::to_string(row.threads);
        SCOPED_TRACE(key);
        EXPECT_TRUE(seen.insert(key).second) << "twice";
        EXPECT_EQ(row.caseName, caseName);
        EXPECT_GT(row.usPerFrame, 0);
        EXPECT_GE(row.usMedian, row.usPerFrame);
        EXPECT_EQ(row.hash != 0, row.engine == "capstan");
        EXPECT_EQ(row.backend != "-", row.engine == "capstan");
        EXPECT_EQ(has(row, "medianT"), &row != &rows.front());
        if (row.engine == "capstan" && has(row, "nonFinite")) {
            EXPECT_EQ(qualityOf(row, "nonFinite"), 0);
        }
    }
}

void expectHashesAgree(const std::vector<Row>& rows) {
    std::map<std::string, std::uint64_t> hashes;
    for (const Row& row : rows)
        if (row.engine == "capstan") {
            EXPECT_EQ(hashes.emplace(row.variant, row.hash).first->second, row.hash) << row.variant;
        }
}

} // namespace

TEST(BenchContact, RowsOfW2AreComplete) {
    const std::vector<Row> rows = runCase("W2", brief());
    expectComplete(rows, "W2");
    expectHashesAgree(rows);
    EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](const Row& r) { return r.engine == "capstan"; }), 6);
    for (const Row& row : rows) {
        if (row.engine != "capstan") continue;
        SCOPED_TRACE(row.variant + ", " + row.backend);
        EXPECT_EQ(qualityOf(row, "passes"), 0);
        EXPECT_LE(qualityOf(row, "peakStretch"), 0.01);
        EXPECT_GE(qualityOf(row, "closest"), 0.5);
    }
}

// Ten seconds of W2 in the textbook loop, which has no contact: the ropes must cross, or W2 would not test contact.
TEST(BenchContact, TextbookRopesPassThroughEachOther) {
    const ContactSetup setup = threeRopes();
    const auto ropes = makeTextbookContact(setup, 5);
    Watcher watcher(setup, *ropes);
    for (int f = 1; f <= 600; ++f) {
        ropes->aim(f * frameTime);
        ropes->frame();
        watcher.see(*ropes);
        for (const Hold& hold : setup.holds) { // held nodes are at their prescribed positions
            const Vec3d at = watcher.now()[hold.rope][hold.node];
            EXPECT_LE(length(at - hold.path(f * frameTime)), 1e-6);
        }
    }
    EXPECT_GE(watcher.passed(), 1);
    EXPECT_TRUE(watcher.finite());
}

// A rope of capsules hangs between two held ends. The ends stay at their prescribed positions, and the rope keeps its
// length.
TEST(BenchContact, PeersHoldTheirEnds) {
    const ContactSetup setup = threeRopes();
    std::vector<std::pair<std::string, std::unique_ptr<ContactRopes>>> all;
    all.emplace_back("bullet", makeBulletCapsules(setup, 8));
    all.emplace_back("mujoco", makeMujocoCapsules(setup, 8));
    for (const auto& [engine, ropes] : all) {
        if (!ropes) continue; // this engine is not installed here
        SCOPED_TRACE(engine);
        Watcher watcher(setup, *ropes);
        ASSERT_EQ(watcher.now().size(), 3u);
        for (int r = 0; r < 3; ++r)
            for (int i = 0; i < 20; ++i) EXPECT_LE(length(watcher.now()[r][i] - setup.position(r, i)), 1e-5);
        for (int f = 1; f <= 30; ++f) {
            ropes->aim(f * frameTime);
            ropes->frame();
            watcher.see(*ropes);
        }
        EXPECT_TRUE(watcher.finite());
        EXPECT_LE(watcher.peakStretch(), 0.1);
        for (const Hold& hold : setup.holds) {
            const Vec3d at = watcher.now()[hold.rope][hold.node];
            EXPECT_LE(length(at - hold.path(30 * frameTime)), 0.1);
        }
    }
}

TEST(BenchContact, NothingTunnels) {
    const std::vector<Row> rows = runCase("tunnel", brief());
    expectComplete(rows, "tunnel");
    int scenes = 0;
    for (const Row& row : rows) {
        if (row.engine != "capstan") continue;
        SCOPED_TRACE(row.variant);
        ++scenes;
        EXPECT_EQ(qualityOf(row, "passes"), 0);
        // A thrown rope moves so far between frames that its passes are only apparent.
        const bool thrown = row.variant.starts_with("thrown");
        EXPECT_EQ(has(row, "apparent"), thrown);
        EXPECT_EQ(has(row, "through"), !thrown);
        if (!thrown) {
            EXPECT_EQ(qualityOf(row, "through"), 0);
        }
        EXPECT_GE(qualityOf(row, "meanSubsteps"), 8);
    }
    EXPECT_EQ(scenes, 12);
}

TEST(BenchContact, BoxesStandAndPileUp) {
    const std::vector<Row> rows = runCase("W7", brief());
    expectComplete(rows, "W7");
    expectHashesAgree(rows);
    const bool bullet =
        std::any_of(rows.begin(), rows.end(), [](const Row& r) { return r.engine == "bullet"; });
    for (const Row& row : rows) {
        if (row.engine != "capstan") continue;
        SCOPED_TRACE(row.variant + ", " + row.backend);
        EXPECT_EQ(has(row, "vsBullet"), bullet);
        if (!row.variant.starts_with("stack")) continue;
        EXPECT_EQ(qualityOf(row, "stands"), 1);
        EXPECT_LE(qualityOf(row, "driftMm"), 10);
        EXPECT_LE(qualityOf(row, "deepestMm"), 10);
    }
}

// In every engine a box on the ground stays in place. A box in the air falls by g t^2 / 2 until it lands.
TEST(BenchContact, ABoxFallsAndLiesInEveryEngine) {
    BoxSetup setup;
    setup.positions = {{0, 0.5, 0}, {5, 3.5, 0}};
    std::vector<std::pair<std::string, std::unique_ptr<Boxes>>> all;
    all.emplace_back("capstan", makeCapstanBoxes(setup, Tuning{}));
    all.emplace_back("bullet", makeBulletBoxes(setup));
    all.emplace_back("mujoco", makeMujocoBoxes(setup));
    for (const auto& [engine, boxes] : all) {
        if (!boxes) continue; // this engine is not installed here
        SCOPED_TRACE(engine);
        std::vector<Motion> now;
        for (int f = 0; f < 30; ++f) boxes->frame();
        boxes->read(now);
        ASSERT_EQ(now.size(), 2u);
        EXPECT_NEAR(now[0].x.y, 0.5, 0.01);
        EXPECT_NEAR(now[1].x.y, 3.5 - 0.5 * gravity * 0.25, 0.06); // tolerance: the fall in half a step
        EXPECT_NEAR(now[1].v.y, -0.5 * gravity, 0.01);
        for (int f = 0; f < 150; ++f) boxes->frame();
        boxes->read(now);
        EXPECT_NEAR(now[1].x.y, 0.5, 0.02);
        EXPECT_NEAR(lowestCorner(now), 0, 0.02);
        EXPECT_GE(boxes->contacts(), 6);
    }
}

// A cube is rotated by 45 degrees about an edge. Its lowest corner is half a diagonal of a face below its centre.
TEST(BenchContact, LowestCornerOfATurnedBox) {
    const Quatd turn = Quatd::fromAxisAngle({0, 0, 1}, 0.78539816339744831);
    EXPECT_NEAR(lowestCorner({{{0, 2, 0}, turn, {0, 0, 0}, {0, 0, 0}}}), 2 - std::sqrt(0.5), 1e-12);
}

TEST(BenchContact, KnotsHold) {
    const std::vector<Row> rows = runCase("knots", brief());
    expectComplete(rows, "knots");
    expectHashesAgree(rows);
    int shared = 0;
    for (const Row& row : rows) {
        if (row.engine != "capstan") continue;
        SCOPED_TRACE(row.variant + ", " + row.backend);
        EXPECT_EQ(qualityOf(row, "passes"), 0);
        if (row.variant.starts_with("overhand")) {
            EXPECT_GT(qualityOf(row, "knotDiameters"), 8); // a smaller knot would mean that it has opened
            EXPECT_GT(qualityOf(row, "contactsMean"), 5);
        }
        if (row.threads == 1) continue;
        ++shared;
        EXPECT_EQ(qualityOf(row, "sameState"), 1);
        EXPECT_GT(qualityOf(row, "speedup"), 0);
    }
    // The knot, the tangle moving and packed, and both tangles as two worlds in parallel.
    EXPECT_EQ(shared, 5);
}

TEST(BenchContact, RopesLieInAHeap) {
    const std::vector<Row> rows = runCase("pile", brief());
    expectComplete(rows, "pile");
    expectHashesAgree(rows);
    for (const Row& row : rows) {
        if (row.engine != "capstan") continue;
        SCOPED_TRACE(row.variant + ", " + row.backend);
        EXPECT_GE(qualityOf(row, "lowestMm"), -1);
        EXPECT_EQ(has(row, "exponent"), row.variant.starts_with("30 "));
        if (has(row, "exponent")) {
            EXPECT_TRUE(std::isfinite(qualityOf(row, "exponent")));
        }
    }
}
