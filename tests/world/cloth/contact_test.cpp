// SPDX-License-Identifier: MIT
// Tests of cloth in contact with moving objects: bodies, ropes, other cloth. Expected values are weights and
// momentum, and no object passes through another.
#include <tests/watched.hpp>

#include <capstan/capstan.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace capstan {
namespace {

constexpr float kStep = 1.0f / 60;

ClothDef sheet(int cells, float size, float height) {
    ClothDef d;
    d.origin = {-0.5f * size, height, -0.5f * size};
    d.edgeU = {size, 0, 0};
    d.edgeV = {0, 0, size};
    d.cellsU = d.cellsV = cells;
    d.shearStiffness = 20;
    d.bendStiffness = 5e-5f;
    d.damping = 0.5f;
    return d;
}

ClothDef framed(int cells, float size, float height) {
    ClothDef d = sheet(cells, size, height);
    const int n = cells + 1;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            if (i == 0 || j == 0 || i == cells || j == cells) d.pins.push_back(j * n + i);
    return d;
}

double upward(const World& world, ClothId id) {
    double sum = 0;
    for (std::size_t i = 0; i < world.positions(id).size(); ++i)
        if (world.positions(id)[i].w > 0)
            sum += static_cast<double>(world.velocities(id)[i].w) *
                   static_cast<double>(world.velocities(id)[i].y);
    return sum;
}

float lowest(std::span<const Point> x) {
    float low = 1e9f;
    for (const Point& p : x) low = std::min(low, p.y);
    return low;
}
float highest(std::span<const Point> x) {
    float high = -1e9f;
    for (const Point& p : x) high = std::max(high, p.y);
    return high;
}

// Returns whether the segment from `from` to `to` passes through a triangle.
bool passes(const World& world, ClothId cloth, Vec3 from, Vec3 to) {
    const auto at = [&](int i) { return widen(Vec3(world.positions(cloth)[i])); };
    const auto volume = [](Vec3d a, Vec3d b, Vec3d c, Vec3d d) { return dot(cross(b - a, c - a), d - a); };
    const Vec3d p = widen(from), q = widen(to);
    for (const auto& t : world.triangles(cloth)) {
        const Vec3d a = at(t[0]), b = at(t[1]), c = at(t[2]);
        const double e = 1e-12;
        if (!(volume(a, b, c, p) * volume(a, b, c, q) < 0)) continue;
        const double x = volume(p, q, a, b), y = volume(p, q, b, c), z = volume(p, q, c, a);
        if ((x > e && y > e && z > e) || (x < -e && y < -e && z < -e)) return true;
    }
    return false;
}
bool passes(const World& world, ClothId cloth, RopeId rope) {
    for (std::size_t k = 0; k + 1 < world.positions(rope).size(); ++k)
        if (passes(world, cloth, world.positions(rope)[k], world.positions(rope)[k + 1])) return true;
    return false;
}
bool passes(const World& world, ClothId cloth, ClothId other) {
    for (const auto& t : world.triangles(other))
        for (std::size_t k = 0; k < 3; ++k)
            if (passes(world, cloth, world.positions(other)[t[k]], world.positions(other)[t[(k + 1) % 3]]))
                return true;
    return false;
}

// The ball comes to rest, and the pins carry its weight and the sheet's. Their force is computed from the edges at
// the rim: stiffness K times strain times the width per edge.
TEST(ClothContact, ABallIsCaughtAndThePinsBearItsWeight) {
    World world({.substeps = 16});
    ClothDef d = framed(16, 1, 1);
    d.stretchStiffness = 2000;
    d.shearStiffness = 20;
    d.damping = 3;
    d.iterations = 8;
    d.density = 1;
    d.selfContact = false;
    const ClothId cloth = world.add(d);
    const BodyId ball =
        world.add(BodyDef{.shape = Sphere{0.15f}, .mass = 2, .position = {0.01f, 1.2f, 0.02f}, .damping = 3});
    for (int i = 0; i < frames(360, 30); ++i) world.step(kStep);
    if (kWatched) return;
    EXPECT_LT(length(world.velocity(ball)), 0.02f);
    EXPECT_GT(world.pose(ball).position.y, 0.7f);
    const int n = d.cellsU + 1;
    const double width = 1.0 / d.cellsU;
    double pull = 0, free = 0;
    const auto add = [&](int pin, int next) {
        const Vec3d a = widen(Vec3(world.positions(cloth)[pin])),
                    b = widen(Vec3(world.positions(cloth)[next]));
        const double l = length(b - a);
        pull += 2000 * width * (l / width - 1) * (a.y - b.y) / l;
    };
    for (int k = 1; k + 1 < n; ++k) {
        add(k, k + n);
        add(n * (n - 1) + k, n * (n - 2) + k);
        add(n * k, n * k + 1);
        add(n * k + n - 1, n * k + n - 2);
    }
    for (std::size_t i = 0; i < world.positions(cloth).size(); ++i)
        if (world.positions(cloth)[i].w > 0) free += static_cast<double>(world.velocities(cloth)[i].w);
    EXPECT_NEAR(pull, 9.81 * (2 + free), 0.01 * 9.81 * (2 + free));
}

// The ball has a hundred times the sheet's mass, with the default number of substeps. It rebounds no higher than its
// start.
TEST(ClothContact, AHeavyBallIsCaughtByALightSheetAsItComes) {
    World world;
    ClothDef d;
    d.origin = {-0.5f, 1, -0.5f};
    d.density = 0.2f;
    d.selfContact = false;
    d.pins = framed(d.cellsU, 1, 1).pins;
    const ClothId cloth = world.add(d);
    const BodyId ball = world.add(
        BodyDef{.shape = Sphere{0.15f}, .mass = 20, .position = {0.01f, 1.4f, 0.02f}, .damping = 3});
    float top = 0;
    for (int i = 0; i < frames(240, 30); ++i) {
        world.step(kStep);
        if (i > 60) top = std::max(top, world.pose(ball).position.y);
    }
    if (kWatched) return;
    EXPECT_LT(top, 1.4f);
    EXPECT_LT(length(world.velocity(ball)), 0.05f);
    EXPECT_GT(world.pose(ball).position.y, 1.0f);
    EXPECT_LT(world.maxStrain(cloth), 0.2f);
}

// A box that stands on a floor is not supported by the cloth above it. So the world takes only the requested
// substeps.
TEST(ClothContact, AHeavyBoxUnderASheetCostsNothing) {
    World world;
    world.add(BodyDef{.type = BodyType::Static, .shape = Box{{5, 0.5f, 5}}, .position = {0, -0.5f, 0}});
    world.add(BodyDef{.shape = Box{{0.2f, 0.2f, 0.2f}}, .mass = 100, .position = {0, 0.2f, 0}});
    for (int i = 0; i < 30; ++i) world.step(kStep);
    const int before = world.report().substeps;
    world.add(sheet(12, 1, 0.45f));
    for (int i = 0; i < 30; ++i) world.step(kStep);
    EXPECT_GT(world.report().contacts, 20);
    EXPECT_EQ(world.report().substeps, before);
}

// Without gravity a ball flies into a free sheet. Their total momentum stays that of the ball, for any mass ratio.
TEST(ClothContact, ABallAndASheetKeepTheirMomentum) {
    for (const float mass : {0.01f, 1.0f, 100.0f}) {
        World world({.gravity = {0, 0, 0}, .substeps = 8});
        ClothDef d = sheet(14, 1, 0);
        d.density = 1;
        d.selfContact = false;
        d.damping = 0;
        const ClothId cloth = world.add(d);
        const BodyId ball = world.add(
            BodyDef{.shape = Sphere{0.15f}, .mass = mass, .position = {0, 0.2f, 0}, .velocity = {0, -3, 0}});
        const double start = -3.0 * static_cast<double>(mass);
        for (int i = 0; i < 40; ++i) {
            world.step(kStep);
            const double now = upward(world, cloth) +
                               static_cast<double>(mass) * static_cast<double>(world.velocity(ball).y);
            ASSERT_NEAR(now, start, 0.02 * std::abs(start)) << mass << " kg, frame " << i;
            ASSERT_LT(std::abs(world.velocity(ball).y), 3.1f);
        }
        EXPECT_LT(upward(world, cloth), 0.0);
    }
}

// A sheet of 5 kg lies on a light box. It does not press the box into the floor, and the floor carries both weights.
TEST(ClothContact, AHeavySheetPressesALightBoxOntoTheFloor) {
    World world({.substeps = 8});
    const BodyId floor = world.add(BodyDef{.type = BodyType::Static, .shape = Plane{}});
    const BodyId box =
        world.add(BodyDef{.shape = Box{{0.6f, 0.2f, 0.6f}}, .mass = 0.05f, .position = {0, 0.1f, 0}});
    ClothDef d = sheet(12, 0.55f, 0.205f); // smaller than the box's top, so that it lies there completely
    d.mass = 5;
    d.damping = 2;
    d.material.friction = 0.8f;
    world.add(d);
    for (int i = 0; i < 180; ++i) {
        world.step(kStep);
        ASSERT_GT(world.pose(box).position.y, 0.085f) << i; // 50 N press the box slightly into the floor
        ASSERT_LT(length(world.velocity(box)), 1.0f) << i;
    }
    double force = 0;
    for (int i = 0; i < 30; ++i) {
        world.step(kStep);
        for (const Contact& c : world.contacts())
            if (c.a.as<BodyId>() == floor || c.b.as<BodyId>() == floor)
                force += static_cast<double>(c.force) / 30;
    }
    EXPECT_NEAR(force, 9.81 * 5.05, 0.05 * 9.81 * 5.05);
    EXPECT_LT(length(world.velocity(box)), 0.01f);
}

TEST(ClothContact, ARopeStaysOnAPinnedSheet) {
    for (const float speed : {0.0f, 50.0f}) {
        World world({.substeps = 8});
        const ClothId cloth = world.add(framed(16, 1, 1));
        const RopeId rope = world.add(RopeDef{.from = {-0.2f, 1.2f, 0.05f},
                                              .to = {0.2f, 1.2f, -0.03f},
                                              .segments = 20,
                                              .radius = 0.01f,
                                              .mass = 0.2f,
                                              .velocity = {0, -speed, 0}});
        for (int i = 0; i < frames(150, 30); ++i) {
            world.step(kStep);
            ASSERT_FALSE(passes(world, cloth, rope)) << speed << " m/s, frame " << i;
        }
        if (speed > 0 || kWatched) continue;
        EXPECT_GT(lowest(world.positions(rope)), lowest(world.positions(cloth)));
        EXPECT_LT(highest(world.positions(rope)), 1.05f);
    }
}

TEST(ClothContact, ASheetHangsOnATautRope) {
    for (const float speed : {0.0f, 50.0f}) {
        World world({.substeps = 8});
        ClothDef d = sheet(16, 0.8f, 1.1f);
        d.velocity = {0, -speed, 0};
        d.material.friction = 0.8f;
        const ClothId cloth = world.add(d);
        const RopeId rope = world.add(RopeDef{.from = {-0.8f, 1, 0},
                                              .to = {0.8f, 1, 0},
                                              .segments = 50,
                                              .length = 1.62f,
                                              .radius = 0.01f,
                                              .mass = 0.4f,
                                              .material = {.friction = 0.8f},
                                              .pins = {0, 50}});
        for (int i = 0; i < (speed > 0 ? 12 : frames(150, 20)); ++i) {
            world.step(kStep);
            ASSERT_FALSE(passes(world, cloth, rope)) << speed << " m/s, frame " << i;
        }
        if (speed > 0 || kWatched) continue;
        EXPECT_GT(highest(world.positions(cloth)), 0.9f);
        EXPECT_LT(lowest(world.positions(cloth)), 0.85f); // the sides of the sheet hang down
        EXPECT_LT(world.stretch(rope), 0.01f);
        // The rope carries the sheet: 2 T sin(slope) at its ends is the weight of rope and sheet.
        const auto x = world.positions(rope);
        const auto up = [&](std::size_t a, std::size_t b, float tension) {
            return tension * (x[a].y - x[b].y) / length(Vec3(x[b]) - Vec3(x[a]));
        };
        double weight = 0;
        for (int i = 0; i < 30; ++i) {
            world.step(kStep);
            weight += static_cast<double>(up(0, 1, world.tensions(rope)[0]) +
                                          up(50, 49, world.tensions(rope)[49])) /
                      30;
        }
        EXPECT_NEAR(weight, 9.81 * (0.4 + 0.2 * 0.64), 0.05 * 9.81 * 0.53);
    }
}

TEST(ClothContact, SheetsDoNotPassThroughEachOther) {
    for (const float speed : {0.0f, 50.0f}) {
        World world({.substeps = 8});
        const ClothId lower = world.add(framed(12, 1, 1));
        ClothDef d = sheet(8, 0.4f, 1.1f);
        d.velocity = {0, -speed, 0};
        const ClothId upper = world.add(d);
        for (int i = 0; i < frames(60, 20); ++i) {
            world.step(kStep);
            ASSERT_FALSE(passes(world, lower, upper) || passes(world, upper, lower))
                << speed << " m/s, frame " << i;
        }
        if (speed > 0) continue;
        EXPECT_GT(lowest(world.positions(upper)), lowest(world.positions(lower)));
    }
}

std::uint64_t mixed(Backend backend, int threads) {
    World world({.substeps = 4, .backend = backend, .threads = threads});
    ClothDef lower = framed(12, 1, 1);
    lower.solver = ClothSolver::Jacobi;
    world.add(lower);
    world.add(sheet(8, 0.4f, 1.15f));
    world.add(BodyDef{.shape = Sphere{0.1f}, .mass = 1, .position = {0.2f, 1.15f, 0}});
    world.add(RopeDef{.from = {-0.2f, 1.1f, 0.25f},
                      .to = {0.2f, 1.1f, 0.22f},
                      .segments = 12,
                      .radius = 0.01f,
                      .mass = 0.1f});
    for (int i = 0; i < frames(60, 20); ++i) world.step(kStep);
    return world.hash();
}

TEST(ClothContact, HasTheSameBitsEverywhere) {
    const std::uint64_t hash = mixed(Backend::Scalar, 1);
    for (const int threads : {1, 4}) EXPECT_EQ(mixed(Backend::Simd, threads), hash);
    EXPECT_EQ(mixed(Backend::Scalar, 3), hash);
}

// A snapshot includes the forces of cloth on other objects.
TEST(ClothContact, GoesOnFromASnapshot) {
    World world({.substeps = 4});
    world.add(framed(10, 1, 1));
    world.add(BodyDef{.shape = Sphere{0.1f}, .mass = 1, .position = {0.1f, 1.12f, 0}});
    world.add(RopeDef{.from = {-0.2f, 1.05f, 0.25f},
                      .to = {0.2f, 1.05f, 0.22f},
                      .segments = 12,
                      .radius = 0.01f,
                      .mass = 0.1f});
    for (int i = 0; i < 40; ++i) world.step(kStep);
    const Snapshot then = world.snapshot();
    for (int i = 0; i < 20; ++i) world.step(kStep);
    const std::uint64_t hash = world.hash();
    world.restore(then);
    for (int i = 0; i < 20; ++i) world.step(kStep);
    EXPECT_EQ(world.hash(), hash);
}

} // namespace
} // namespace capstan
