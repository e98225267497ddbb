// SPDX-License-Identifier: MIT
// Tests of the viewer without its window: cloth and hair are picked, pulled, pinned and edited. Expected values come
// from geometry and statics.
#include "viewer_scenes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace capstan::viewer {
namespace {

const char* const kSoft =
    R"({"cloths": [{"name": "sheet", "edgeU": [1, 0, 0], "edgeV": [0, -1, 0], "origin": [0, 2, 0], "cellsU": 10,
    "cellsV": 10, "density": 0.2, "pins": [0, 10]}],
    "bodies": [{"name": "head", "shape": {"kind": "sphere", "radius": 0.1}, "mass": 4, "position": [3, 2, 0]}],
    "hairs": [{"name": "hair", "roots": [[0, 0.1, 0]], "directions": [[0, 1, 0]], "rootBody": "head",
    "vertices": 16, "length": 0.3}]})";

// An edit of the density changes the mass of a sheet of 1 m^2. An edit of the wind moves the sheet and the hair.
TEST(ViewerSession, ClothAndHairAreEditedToo) {
    TemporaryFile file(kSoft);
    Session session;
    ASSERT_TRUE(session.open(file.path));
    World& world = session.playback()->world();
    const ClothId cloth = world.find<ClothId>("sheet");
    ClothDef sheet = world.def(cloth);
    sheet.density = 0.4f;
    sheet.damping = 2;
    sheet.drag = 1;
    sheet.wind = {0, 0, 5};
    sheet.iterations = 3;
    session.edit(cloth, sheet);
    EXPECT_EQ(session.notice(), "");
    float mass = 0;
    for (int i = 0; i < static_cast<int>(world.positions(cloth).size()); ++i) mass += world.mass({cloth, i});
    EXPECT_NEAR(mass, 0.4f, 1e-5f); // the mass of one square metre
    sheet.cellsU = 3;
    session.edit(cloth, sheet);
    EXPECT_NE(session.notice().find("layout"), std::string::npos);
    EXPECT_EQ(world.def(cloth).cellsU, 10);
    run(session, 60);
    float blown = 0;
    for (const Point& p : world.positions(cloth)) blown = std::max(blown, p.z);
    EXPECT_GT(blown, 0.1f);

    const HairId hair = world.find<HairId>("hair");
    HairDef strands = world.def(hair);
    strands.wind = {0, 0, 6};
    strands.bendStiffness = 0;
    strands.windResponse = 8;
    session.edit(hair, strands);
    EXPECT_EQ(world.def(hair).windResponse, 8);
    run(session, 60);
    EXPECT_GT(world.strand(hair, 0).back().z, 0.05f);
    strands.length = 2;
    session.edit(hair, strands);
    EXPECT_NE(session.notice().find("length"), std::string::npos);
}

// A free sheet is picked at the intersection with the ray, and follows the cursor. The grip holds it against its
// weight, and it falls when it is released.
TEST(ViewerSession, PullsPinsAndLetsGoOfCloth) {
    TemporaryFile file(R"({"cloths": [{"name": "sheet", "origin": [-0.5, 1, -0.5], "edgeU": [1, 0, 0],
        "edgeV": [0, 0, 1], "cellsU": 10, "cellsV": 10, "density": 0.2, "damping": 1}]})");
    Session session;
    ASSERT_TRUE(session.open(file.path));
    World& world = session.playback()->world();
    const ClothId cloth = world.find<ClothId>("sheet");
    const float bare = world.mass({cloth, 60});
    for (int i = 0; i <= 400; ++i) { // no ray passes between two cells along their edges
        const float x = -0.5f + 0.0025f * static_cast<float>(i);
        EXPECT_EQ(pick(world, towards({0.3f, 4, 0.7f}, {x, 1, 0.1f}), 0.01f).cloth, cloth) << x;
        EXPECT_EQ(pick(world, towards({0.3f, 4, 0.7f}, {x, 1, x}), 0.01f).cloth, cloth) << x;
    }
    ASSERT_TRUE(session.grab(towards({0.02f, 3, 0.01f}, {0.02f, 0, 0.01f}), 0.01f, {0, 0, -1}));
    EXPECT_EQ(session.selected().cloth, cloth);
    EXPECT_EQ(session.selected().node, 60); // the middle vertex of 11 x 11
    EXPECT_NEAR(session.selected().point.y, 1, 1e-5f);
    session.lead(towards({0.5f, 2, 5}, {0.5f, 2, 0}));
    run(session, 400);
    const float weight = 0.2f * kGravity;
    EXPECT_NEAR(session.grip().force(), weight, 0.03f * weight);
    EXPECT_LT(length(session.grip().held() - Vec3{0.5f, 2, 0}), 0.1f);
    EXPECT_NEAR(Vec3(world.positions(cloth)[60]).y, session.grip().held().y, 1e-5f);
    const float strain = world.maxStrain(cloth);
    Frame frame;
    session.show(frame);
    const auto mass =
        std::find_if(frame.facts.begin(), frame.facts.end(), [](auto& f) { return f.first == "mass"; });
    ASSERT_NE(mass, frame.facts.end());
    EXPECT_EQ(mass->second, "0.2 kg"); // does not include the mass that the grip adds
    double energy = 0;                 // the sum of m g y over the vertices
    for (int i = 0; i < 121; ++i)
        energy += static_cast<double>((world.mass({cloth, i}) - (i == 60 ? session.grip().hand() : 0)) *
                                      kGravity * Vec3(world.positions(cloth)[static_cast<std::size_t>(i)]).y);
    EXPECT_NEAR(frame.samples.back().energy.potential, energy, 1e-3 * energy);
    session.togglePin();
    EXPECT_FALSE(session.grip().holds());
    EXPECT_FLOAT_EQ(world.mass({cloth, 60}), bare);
    run(session, 120);
    EXPECT_EQ(world.positions(cloth)[60].w, 0);
    EXPECT_LT(strain, 3 * world.maxStrain(cloth)); // pins have tethers, a grip has none
    const float before = Vec3(world.positions(cloth)[60]).y;
    session.togglePin();
    run(session, 30);
    EXPECT_LT(Vec3(world.positions(cloth)[60]).y,
              before - 0.5f); // free fall for half a second is 1.2 m, less the loss by damping
}

// The grip on cloth is stable for any stiffness and time step: the cloth comes to rest at the target.
TEST(ViewerGrip, NoStrengthOrStepShakesACloth) {
    for (float strength : {0.1f, 1.0f, 100.0f}) {
        for (float dt : {1 / 240.0f, 1 / 60.0f, 1 / 15.0f}) {
            World world;
            const ClothId cloth = world.add(ClothDef{.cellsU = 6, .cellsV = 6, .damping = 1, .pins = {0, 6}});
            Grip grip;
            Picked p;
            p.cloth = cloth;
            p.node = 45;
            ASSERT_TRUE(grip.take(world, p, {0, 0, -1}, strength));
            grip.lead(towards({0.5f, 0.3f, 5}, {0.5f, 0.3f, 0}));
            for (int i = 0; i < static_cast<int>(5 / dt); ++i) {
                grip.act(world, dt);
                world.step(dt);
                grip.look(world);
            }
            EXPECT_LT(length(Vec3(world.velocities(cloth)[45])), 0.05f) << strength << " " << dt;
            EXPECT_EQ(world.report().quarantined, 0);
            for (const Point& x : world.positions(cloth))
                EXPECT_LT(length(Vec3(x)), 3) << strength << " " << dt;
        }
    }
}

TEST(ViewerGrip, PullsClothToTheSameBitsInLanes) {
    for (ClothSolver solver : {ClothSolver::GaussSeidel, ClothSolver::Jacobi}) {
        std::uint64_t hash[2] = {};
        for (int k = 0; k < 2; ++k) {
            World world({.backend = k == 0 ? Backend::Scalar : Backend::Simd});
            Picked p;
            p.cloth = world.add(ClothDef{.cellsU = 9, .cellsV = 7, .pins = {0}, .solver = solver});
            p.node = 33;
            Grip grip;
            ASSERT_TRUE(grip.take(world, p, {0, 0, -1}));
            grip.lead(towards({0.5f, 0.4f, 5}, {0.7f, 0.4f, 0}));
            for (int i = 0; i < 30; ++i) {
                grip.act(world, 1 / 60.0f);
                world.step(1 / 60.0f);
                grip.look(world);
            }
            EXPECT_GT(grip.force(), 0);
            grip.release(world);
            world.step(1 / 60.0f);
            hash[k] = world.hash();
        }
        EXPECT_EQ(hash[0], hash[1]);
    }
}

TEST(ViewerPick, HairIsTakenByAStrandAndPulledByItsHead) {
    TemporaryFile file(kSoft);
    Session session;
    ASSERT_TRUE(session.open(file.path));
    const World& world = session.playback()->world();
    const Picked p = pick(world, towards({3, 2.15f, 4}, {3, 2.15f, 0}), 0.002f);
    EXPECT_EQ(p.hair, world.find<HairId>("hair"));
    EXPECT_EQ(p.node, 0);
    ASSERT_TRUE(session.grab(towards({3, 2.15f, 4}, {3, 2.15f, 0}), 0.002f, {0, 0, -1}));
    EXPECT_TRUE(session.selected().hair);
    EXPECT_EQ(session.grip().picked().body, world.find<BodyId>("head"));
}

} // namespace
} // namespace capstan::viewer
