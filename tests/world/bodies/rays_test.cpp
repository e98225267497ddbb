// SPDX-License-Identifier: MIT
// Tests of rays into a world of many bodies. Each hit is compared with the nearest hit in worlds of one body each,
// while bodies fall, are teleported, removed, added and restored.
#include <capstan/world.hpp>

#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <vector>

namespace capstan {
namespace {

struct Random {
    std::mt19937 engine{3};
    float between(float a, float b) { return a + (b - a) * float(double(engine()) / 4294967296.0); }
    Vec3 point(float size) { return {between(-size, size), between(-size, size), between(-size, size)}; }
};

ShapeDef shapeOf(Random& random) {
    switch (random.engine() % 4) {
    case 0:
        return Box{{random.between(0.1f, 1), random.between(0.1f, 1), random.between(0.1f, 1)}};
    case 1:
        return Sphere{random.between(0.1f, 0.5f)};
    case 2:
        return Capsule{random.between(0.1f, 0.3f), random.between(0.1f, 1)};
    default:
        return Cylinder{random.between(0.1f, 0.3f), random.between(0.1f, 1)};
    }
}

struct Crowd {
    Random random;
    World world{{.contact = false}};
    std::vector<BodyId> ids;

    explicit Crowd(int count) {
        BodyDef ground;
        ground.type = BodyType::Static;
        ground.shape = Plane{};
        ground.position = {0, -12, 0};
        ids.push_back(world.add(ground));
        for (int i = 0; i < count; ++i) add();
    }
    void add() {
        BodyDef d;
        d.shape = shapeOf(random);
        d.parts = {shapeOf(random).at({0.5f, 0, 0})};
        d.position = random.point(5);
        d.angularVelocity = random.point(3);
        ids.push_back(world.add(d));
    }

    // Casts rays in this world and in worlds of one body each, and compares the nearest hits.
    void compare() {
        std::vector<World> alone;
        for (const BodyId id : ids) {
            BodyDef d = world.def(id);
            d.type = BodyType::Static;
            d.position = world.pose(id).position;
            d.rotation = world.pose(id).rotation;
            alone.emplace_back();
            alone.back().add(d);
        }
        int hits = 0;
        for (int k = 0; k < 200; ++k) {
            const Vec3 from = random.point(8), to = random.point(4) - from;
            const RayHit found = world.castRay(from, to, 20);
            RayHit nearest;
            std::size_t which = 0;
            for (std::size_t i = 0; i < ids.size(); ++i)
                if (const RayHit one = alone[i].castRay(from, to, 20);
                    one && (!nearest || one.distance < nearest.distance)) {
                    nearest = one;
                    which = i;
                }
            ASSERT_EQ(bool(found), bool(nearest));
            if (!found) continue;
            ++hits;
            EXPECT_NEAR(found.distance, nearest.distance, 1e-4f);
            if (found.distance > 0) {
                EXPECT_TRUE(found.object.as<BodyId>() == ids[which]);
                EXPECT_LT(length(found.normal - nearest.normal), 1e-2f);
            }
        }
        EXPECT_GT(hits, 20);
    }
};

TEST(Rays, FindTheNearestOfManyBodies) {
    Crowd crowd(80);
    crowd.compare();
    const Snapshot start = crowd.world.snapshot();
    for (int i = 0; i < 20; ++i) crowd.world.step(1.0f / 60);
    crowd.compare();
    for (std::size_t i = 1; i < 20; ++i)
        crowd.world.teleport(crowd.ids[i], Transform{crowd.random.point(5), {0, 0, 0, 1}});
    crowd.compare();
    crowd.world.restore(start);
    crowd.compare();
    for (int i = 0; i < 30; ++i) {
        crowd.world.remove(crowd.ids[5]);
        crowd.ids.erase(crowd.ids.begin() + 5);
    }
    crowd.compare();
    for (int i = 0; i < 10; ++i) crowd.add();
    crowd.compare();
}

// A restored world may have fewer bodies than the world had.
TEST(Rays, ForgetBodiesThatARestoreTookAway) {
    Crowd crowd(10);
    const Snapshot start = crowd.world.snapshot();
    const std::vector<BodyId> before = crowd.ids;
    for (int i = 0; i < 10; ++i) crowd.add();
    crowd.compare();
    crowd.world.restore(start);
    crowd.ids = before;
    crowd.compare();
}

TEST(Rays, SeveralThreadsMayAskAtTheSameTime) {
    Crowd crowd(200);
    crowd.world.step(1.0f / 60);
    std::vector<RayHit> found(4);
    std::vector<std::thread> threads;
    for (RayHit& hit : found)
        threads.emplace_back([&] {
            for (int k = 0; k < 100; ++k) hit = crowd.world.castRay({0, 20, 0}, {0, -1, 0}, 100);
        });
    for (std::thread& t : threads) t.join();
    for (const RayHit& hit : found) {
        ASSERT_TRUE(hit);
        EXPECT_EQ(hit.distance, found[0].distance);
    }
}

// Of bodies at the same distance the one that was added first is hit, as if all were asked in turn.
TEST(Rays, OfEqualDistancesTheFirstBodyIsHit) {
    World world;
    std::vector<BodyId> ids;
    for (int i = 0; i < 40; ++i) {
        BodyDef d;
        d.shape = Sphere{0.5f};
        d.position = {float(i % 3) * 10, 0, 0};
        ids.push_back(world.add(d));
    }
    EXPECT_TRUE(world.castRay({0, 5, 0}, {0, -1, 0}, 10).object.as<BodyId>() == ids[0]);
    EXPECT_TRUE(world.castRay({10, 0, 0}, {0, -1, 0}, 10).object.as<BodyId>() == ids[1]); // from inside
}

} // namespace
} // namespace capstan
