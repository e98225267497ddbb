// SPDX-License-Identifier: MIT
// Tests of hair in a World: bad input, equal bits on all backends, shapes that no strand enters. Levels of detail
// must change without a visible jump.
#include <tests/watched.hpp>

#include <capstan/capstan.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace capstan {
namespace {

constexpr float kFrame = 1.0f / 60;

HairDef oneStrand(Vec3 root = {0, 0, 0}, Vec3 direction = {1, 0, 0}) {
    HairDef def;
    def.roots = {root};
    def.directions = {direction};
    return def;
}

HairDef headOfHair(int strands) {
    HairDef def;
    def.name = "hair";
    def.rootBody = "head";
    for (int i = 0; i < strands; ++i) {
        const double y = 1 - 1.2 * (i + 0.5) / strands, a = 2.4 * i, r = std::sqrt(1 - y * y);
        const Vec3 out = {float(r * std::cos(a)), float(y), float(r * std::sin(a))};
        def.roots.push_back(0.1f * out);
        def.directions.push_back(out);
    }
    return def;
}

BodyDef head() { return {.name = "head", .type = BodyType::Kinematic, .shape = Sphere{0.0995f}}; }

void turnHead(World& world, BodyId body, int frame) {
    const float yaw = 0.8f * std::sin(0.05f * float(frame));
    world.moveTo(body, {{0.02f * std::sin(0.1f * float(frame)), 0, 0}, Quatf::fromAxisAngle({0, 1, 0}, yaw)});
    world.step(kFrame);
}

std::string wrongPosition(const HairDef& def) {
    World world;
    world.add(head());
    world.add(BodyDef{.name = "face",
                      .type = BodyType::Static,
                      .shape = Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}});
    const std::uint64_t before = world.hash();
    Result<HairId> made = world.tryAdd(def);
    if (made) return "none";
    EXPECT_EQ(world.hash(), before);
    EXPECT_TRUE(world.ids<HairId>().empty());
    EXPECT_FALSE(made.error().what.empty());
    return made.error().where;
}

TEST(HairInput, SaysWhereItIsWrong) {
    HairDef def = oneStrand();
    EXPECT_EQ(wrongPosition(def), "none");
    def.vertices = 1;
    EXPECT_EQ(wrongPosition(def), "/vertices");
    def = oneStrand();
    def.length = 0;
    EXPECT_EQ(wrongPosition(def), "/length");
    def = oneStrand();
    def.roots[0].x = NAN;
    EXPECT_EQ(wrongPosition(def), "/roots/0");
    def = oneStrand();
    def.directions = {};
    EXPECT_EQ(wrongPosition(def), "/directions");
    def = oneStrand();
    def.directions[0] = {0, 0, 0};
    EXPECT_EQ(wrongPosition(def), "/directions/0");
    def = oneStrand();
    def.roots.resize(3);
    def.directions.resize(2, {1, 0, 0});
    EXPECT_EQ(wrongPosition(def), "/directions");
    def = oneStrand();
    def.roots.push_back(def.roots[0]); // two strands may have the same root
    EXPECT_EQ(wrongPosition(def), "none");
    def = {};
    EXPECT_EQ(wrongPosition(def), "/roots");
    def.scalp = {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}, 10, 1};
    EXPECT_EQ(wrongPosition(def), "/scalp/triangles"); // the triangle has no area
    def.scalp.triangles = {{0, 1, 3}};
    EXPECT_EQ(wrongPosition(def), "/scalp/triangles/0");
    def.scalp = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, 0, 1};
    EXPECT_EQ(wrongPosition(def), "/scalp/strands");
    def = oneStrand();
    def.rootBody = "nobody";
    EXPECT_EQ(wrongPosition(def), "/rootBody");
    def = oneStrand();
    def.collides = {"head", "nobody"};
    EXPECT_EQ(wrongPosition(def), "/collides/1");
    def = oneStrand();
    def.collides = {"face"};
    EXPECT_EQ(wrongPosition(def), "/collides/0");
}

TEST(HairInput, ScalpIsCoveredByArea) {
    HairDef def; // two triangles, one three times as large, and one without area
    def.scalp = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-3, 0, 0}}, {{0, 1, 2}, {0, 0, 2}, {0, 2, 3}}, 4000, 5};
    World world;
    const HairId hair = world.add(def);
    int right = 0;
    for (int i = 0; i < 4000; ++i) {
        const Vec3 root = world.strand(hair, i)[0];
        right += root.x > 0;
        EXPECT_GT(
            world.strand(hair, i)[1].z,
            0.009f); // the strand grows along the normal: vertex 1 is one edge, 0.3 / 31 m, above the plane
    }
    EXPECT_NEAR(right, 1000, 10);
}

TEST(Hair, SameBitsOnAllBackendsAndThreads) {
    std::uint64_t first = 0;
    for (Backend backend : {Backend::Scalar, Backend::Simd})
        for (int threads : {1, 2, 4}) {
            World world({.backend = backend, .threads = threads});
            const BodyId body = world.add(head());
            HairDef def = headOfHair(150);
            def.shape = HairShape::Wavy;
            def.wind = {1, 0, 0};
            world.add(def);
            for (int i = 0; i < frames(40, 10); ++i) turnHead(world, body, i);
            if (first == 0) first = world.hash();
            EXPECT_EQ(world.hash(), first) << int(backend) << " " << threads;
        }
}

TEST(Hair, GoesOnFromASnapshotBitForBit) {
    World world;
    const BodyId body = world.add(head());
    HairDef def = headOfHair(30);
    def.lod.levels = 2;
    const HairId hair = world.add(def);
    for (int i = 0; i < 20; ++i) turnHead(world, body, i);
    world.setViewpoint({0, 0, 4});
    for (int i = 20; i < 25; ++i) turnHead(world, body, i);
    const Snapshot then = world.snapshot();
    for (int i = 25; i < 40; ++i) turnHead(world, body, i);
    const std::uint64_t hash = world.hash();
    const Vec3 tip = world.strand(hair, 7).back();
    world.restore(then);
    for (int i = 25; i < 40; ++i) turnHead(world, body, i);
    EXPECT_EQ(world.hash(), hash);
    EXPECT_EQ(Vec3(world.strand(hair, 7).back()), tip);
    world.remove(hair);
    EXPECT_FALSE(world.isValid(hair));
    EXPECT_FALSE(world.find<HairId>("hair"));
    world.step(kFrame);
}

TEST(Hair, RootsStayOnTheBody) {
    World world;
    const BodyId body = world.add(head());
    const HairDef def = headOfHair(20);
    const HairId hair = world.add(def);
    for (int i = 0; i < 30; ++i) turnHead(world, body, i);
    for (int i = 0; i < 20; ++i)
        EXPECT_LT(length(Vec3(world.strand(hair, i)[0]) - world.pose(body).point(def.roots[i])), 1e-6f);
    world.remove(body); // the hair keeps its position, without a body to collide with
    world.step(kFrame);
    EXPECT_EQ(world.report().quarantined, 0);
}

// Returns the height of a point above the surface [m]; negative inside. A hull of four corners is tested by its
// faces.
float above(const ShapeDef& shape, Vec3 x) {
    const float r = shape.radius, along = std::abs(x.y) - 0.5f * shape.length;
    switch (shape.kind) {
    case ShapeKind::Sphere:
        return length(x) - r;
    case ShapeKind::Capsule:
        return length(x - Vec3{0, clamp(x.y, -0.5f * shape.length, 0.5f * shape.length), 0}) - r;
    case ShapeKind::Cylinder:
        return max(std::hypot(x.x, x.z) - r, along);
    case ShapeKind::Box: {
        const Vec3 over = abs(x) - 0.5f * shape.size;
        return max(max(over.x, over.y), over.z);
    }
    default:
        break;
    }
    float most = -1;
    for (std::size_t i = 0; i < 4; ++i) {
        const Vec3 a = shape.points[(i + 1) % 4], b = shape.points[(i + 2) % 4],
                   c = shape.points[(i + 3) % 4];
        Vec3 n = normalize(cross(b - a, c - a));
        if (dot(n, shape.points[i] - a) > 0) n = -n;
        most = max(most, dot(n, x - a));
    }
    return most;
}

// A bat moves through the hair at 15 m/s: three times its thickness per substep.
TEST(Hair, NothingEndsInsideAShape) {
    const std::vector<Vec3> corners = {
        {-0.01f, -0.2f, -0.01f}, {0.01f, -0.2f, -0.01f}, {0, -0.2f, 0.01f}, {0, 0.2f, 0}};
    const ShapeDef bats[] = {Sphere{0.02f}, Capsule{0.01f, 0.3f}, Box{{0.02f, 0.3f, 0.02f}},
                             Cylinder{0.01f, 0.3f}, Hull{corners}};
    for (const ShapeDef& shape : bats) {
        World world;
        const BodyId bat = world.add(BodyDef{
            .name = "bat", .type = BodyType::Kinematic, .shape = shape, .position = {-0.6f, -0.1f, 0}});
        HairDef def;
        for (int i = 0; i < 40; ++i) def.roots.push_back({0.004f * float(i), 0, 0.001f * float(i % 3)});
        def.directions = {{0, -1, 0}};
        def.collides = {"bat"};
        const HairId hair = world.add(def);
        bool touched = false;
        for (int i = 1; i < 12; ++i) {
            const Vec3 goal = {-0.6f + 0.25f * float(i % 6), -0.1f, 0}, before = world.strand(hair, 20)[12];
            world.moveTo(bat, {goal, Quatf::fromAxisAngle({0, 0, 1}, 0.1f * float(i))});
            world.step(kFrame);
            touched = touched || length(Vec3(world.strand(hair, 20)[12]) - before) > 0.005f;
            for (int k = 0; k < 40; ++k)
                for (const Point& p : world.strand(hair, k).subspan(1))
                    ASSERT_GT(above(shape, world.pose(bat).local(p)), -2e-6f) << int(shape.kind);
        }
        EXPECT_TRUE(touched) << int(shape.kind);
    }
}

// A strand that stood upright on a head falls, and its tip hits the head at 2 m/s.
TEST(Hair, LengthsHoldWhereATipStrikes) {
    World world;
    world.add(BodyDef{.name = "head", .type = BodyType::Kinematic, .shape = Sphere{0.1f}});
    HairDef def;
    def.rootBody = "head";
    def.length = 0.31f;
    for (int i = 9900; i < 9940; ++i) {
        const double y = (i + 0.5) / 10000, r = std::sqrt(1 - y * y), turn = 2.399963229728653 * i;
        const Vec3 out = {float(r * std::cos(turn)), float(y), float(r * std::sin(turn))};
        def.roots.push_back(0.1f * out);
        def.directions.push_back(out);
    }
    const HairId hair = world.add(def);
    float lowest = 1;
    for (int i = 0; i < 40; ++i) {
        world.step(kFrame);
        EXPECT_LT(world.maxStrain(hair), 1e-3f) << i;
        for (int k = 0; k < 40; ++k) lowest = min(lowest, length(Vec3(world.strand(hair, k).back())));
    }
    EXPECT_LT(lowest, 0.1002f); // a tip has hit the head
    EXPECT_GT(lowest, 0.1f);
}

float largestMove(const World& world, HairId hair, std::vector<Point>& before) {
    const std::span<const Point> now = world.positions(hair);
    float most = 0;
    for (std::size_t i = 0; i < now.size() && !before.empty(); ++i)
        most = max(most, length(Vec3(now[i]) - Vec3(before[i])));
    before.assign(now.begin(), now.end());
    return most;
}

// The viewpoint moves away to 10 m and back while the hair swings. No drawn point moves much more per frame than it
// does without a change of level.
TEST(HairLod, LevelsChangeWithoutAPop) {
    float most[2] = {0, 0};
    for (int lod : {0, 1}) {
        World world;
        const BodyId body = world.add(head());
        HairDef def = headOfHair(kWatched ? 40 : 200);
        def.lod.levels = 3;
        const HairId hair = world.add(def);
        std::vector<Point> before;
        for (int i = 0; i < 240; ++i) {
            if (lod) world.setViewpoint({0, 0, i < 90 ? 1.0f : i < 150 ? 10.0f : 1.0f});
            turnHead(world, body, i);
            const int level = lod && i >= 90 && i < 150 ? 2 : 0;
            EXPECT_EQ(world.level(hair), level) << i;
            const float move = largestMove(world, hair, before);
            if (i >= 80) most[lod] = max(most[lod], move);
            EXPECT_EQ(world.report().quarantined, 0);
        }
    }
    RecordProperty("mmWithout", std::to_string(1000 * most[0]));
    RecordProperty("mmWith", std::to_string(1000 * most[1]));
    EXPECT_LT(most[1], most[0] + 0.025f) << "without " << most[0] << " m, with " << most[1] << " m";
}

TEST(HairLod, BudgetChoosesTheLevel) {
    for (const auto& [budget, level] : {std::pair{0, 0}, {7000, 0}, {6000, 1}, {100, 2}}) {
        World world;
        world.add(head());
        // Number of points drawn: 6400 vertices, then 50 x 16 = 800, then 13 x 8 = 104.
        HairDef def = headOfHair(200);
        def.lod.levels = 3;
        def.lod.budget = budget;
        const HairId hair = world.add(def);
        world.step(kFrame);
        EXPECT_EQ(world.level(hair), level) << budget;
        EXPECT_EQ(world.positions(hair).size(), 6400u);
    }
}

} // namespace
} // namespace capstan
