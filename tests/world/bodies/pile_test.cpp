// SPDX-License-Identifier: MIT
// Tests of bodies at rest on each other: stacks, towers, piles, and every shape on every ground.
#include <tests/world/bodies/piles.hpp>

#include <gtest/gtest.h>

namespace capstan {
namespace {

double lowestCorner(const World& w, BodyId id) {
    const Quatf q = w.pose(id).rotation;
    return double(w.centerOfMass(id).y -
                  0.5f * (std::fabs(axisX(q).y) + std::fabs(axisY(q).y) + std::fabs(axisZ(q).y)));
}

TEST(Pile, AStackOfTenStandsForAMinute) {
    World w;
    w.add(ground());
    std::vector<BodyId> boxes;
    for (const Vec3d center : stackOfBoxes(10)) boxes.push_back(w.add(box(narrow(center))));
    run(w, 60);
    for (int i = 0; i < 10; ++i) {
        const Vec3 x = w.centerOfMass(boxes[i]);
        EXPECT_LT(length(x - Vec3{0, 0.5f + float(i), 0}), 1e-3f) << i;
        EXPECT_LT(length(Vec3{x.x, 0, x.z}), 1e-4f) << i;
    }
    EXPECT_LT(highest(w, boxes), 1e-5);
    EXPECT_LT(highest(w, boxes, true), 1e-5);
    double weight = 0; // N, force on the ground
    for (const Contact& c : w.contacts())
        if (c.b.as<BodyId>() == w.ids<BodyId>()[0] || c.a.as<BodyId>() == w.ids<BodyId>()[0])
            weight += double(c.force);
    EXPECT_NEAR(weight, 10 * kG, 0.01);
}

TEST(Pile, ALeaningTowerComesToRest) {
    World w;
    w.add(ground());
    std::vector<BodyId> boxes;
    const float aside[8] = {0, 0.15f, -0.1f, 0.2f, 0.05f, -0.15f, 0.1f, 0.2f};
    for (int i = 0; i < 8; ++i) boxes.push_back(w.add(box({aside[i], 0.5f + float(i), -0.5f * aside[i]})));
    run(w, 20);
    EXPECT_LT(highest(w, boxes), 1e-4);
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(w.centerOfMass(boxes[i]).y, 0.5f + float(i), 2e-3f);
}

TEST(Pile, WhatOverlapsIsPushedApartGently) {
    World w({.gravity = {0, 0, 0}});
    std::vector<BodyId> ids = {w.add(box({0, 0, 0})), w.add(box({0.7f, 0.1f, 0})),
                               w.add(ball({0.3f, 0.8f, 0}))};
    double most = 0;
    for (int i = 0; i < 120; ++i) {
        w.step(kFrame);
        most = std::max(most, highest(w, ids));
    }
    EXPECT_LT(most, 2);
    EXPECT_GT(w.centerOfMass(ids[1]).x - w.centerOfMass(ids[0]).x, 0.99f);
    EXPECT_LT(highest(w, ids), 0.5); // most of the speed after the impulse is lost
}

TEST(Pile, NothingPassesThroughAtHighSpeed) {
    for (const float v : {20.f, 100.f}) {
        World w;
        w.add(ground());
        BodyDef d = box({0, 12.3f, 0});
        d.velocity = {0, -v, 0};
        const BodyId id = w.add(d);
        BodyDef shelf;
        shelf.type = BodyType::Static;
        shelf.shape = Box{{3, 0.1f, 3}};
        shelf.position = {20, 5, 0};
        w.add(shelf);
        d.position = {20, 17.3f, 0};
        const BodyId other = w.add(d);
        for (int i = 0; i < 180; ++i) {
            w.step(kFrame);
            ASSERT_GT(w.centerOfMass(id).y, 0.4f) << v;
            ASSERT_GT(w.centerOfMass(other).y, 5.4f) << v;
        }
        EXPECT_NEAR(w.centerOfMass(id).y, 0.5f, 2e-3f);
        EXPECT_NEAR(w.centerOfMass(other).y, 5.55f, 2e-3f);
    }
}

// The body is near enough to the ground to be a candidate for contact, but is not in contact.
TEST(Pile, FreeFallBesideTheGroundIsExact) {
    World w;
    w.add(ground());
    BodyDef d = box({0, 3, 0});
    d.velocity = {1, 0, 0};
    d.angularVelocity = {0.5f, 3, 1};
    const BodyId id = w.add(d);
    run(w, 0.6);
    EXPECT_NEAR(w.centerOfMass(id).y, 3 - 0.5 * kG * 0.36, 1e-5);
    EXPECT_NEAR(w.centerOfMass(id).x, 0.6, 1e-5);
}

TEST(Pile, KinematicBodiesCarryAndLift) {
    World w;
    BodyDef d;
    d.type = BodyType::Kinematic;
    d.shape = Box{{4, 0.2f, 4}};
    const BodyId table = w.add(d);
    const BodyId id = w.add(box({0, 0.6f, 0}));
    float x = 0, y = 0;
    for (int i = 0; i < 180; ++i) {
        x += 1.f / 180;
        y += 1.f / 90;
        w.moveTo(table, {{x, y, 0}, Quatf::identity()});
        w.step(kFrame);
    }
    EXPECT_NEAR(w.centerOfMass(id).x, 1, 0.01f);
    EXPECT_NEAR(w.centerOfMass(id).y, 2.6f, 2e-3f);
    EXPECT_NEAR(w.velocity(id).y, 60.f / 90, 1e-3f);
}

// Every kind of shape comes to rest in a stable position on every kind of ground.
TEST(Pile, EveryShapeLiesOnEveryGround) {
    const Hull pyramid{
        {{-0.5f, 0, -0.5f}, {0.5f, 0, -0.5f}, {0.5f, 0, 0.5f}, {-0.5f, 0, 0.5f}, {0, 0.8f, 0}}};
    const Mesh sheet{{{-4, 0, -4}, {4, 0, -4}, {4, 0, 4}, {-4, 0, 4}}, {{0, 2, 1}, {0, 3, 2}}};
    const ShapeDef shapes[] = {Box{{1, 0.6f, 0.8f}}, Sphere{0.3f}, Cylinder{0.4f, 0.6f}, Hull(pyramid)};
    const ShapeDef grounds[] = {Plane{}, ShapeDef(Box{{8, 1, 8}}).at({0, -0.5f, 0}), Mesh(sheet)};
    const double bottom[] = {0.3, 0.3, 0.3, 0};
    for (std::size_t g = 0; g < 3; ++g)
        for (std::size_t k = 0; k < 4; ++k) {
            World w;
            BodyDef floor;
            floor.type = BodyType::Static;
            floor.shape = grounds[g];
            w.add(floor);
            BodyDef d;
            d.shape = shapes[k];
            d.mass = 2;
            d.position = {0.13f, float(bottom[k]) + 0.1f, 0.21f};
            const BodyId id = w.add(d);
            run(w, 2);
            // A cylinder trembles: other points of its rim are found in each step. So its speed is a mean.
            double square = 0;
            for (int i = 0; i < 60; ++i) {
                w.step(kFrame);
                square += double(dot(w.velocity(id), w.velocity(id))) / 60;
            }
            EXPECT_NEAR(w.pose(id).position.y, bottom[k], 1e-3) << g << " " << k;
            EXPECT_LT(std::sqrt(square), 6e-4) << g << " " << k;
            EXPECT_NEAR(w.pose(id).position.x, 0.13f, 0.01f) << g << " " << k;
        }
}

// A compound body: a table with four legs.
TEST(Pile, ATableStandsOnItsLegsAndCarries) {
    World w;
    w.add(ground());
    BodyDef table;
    table.shape = ShapeDef(Box{{2, 0.1f, 1}}).at({0, 0.95f, 0});
    for (const float x : {-0.9f, 0.9f})
        for (const float z : {-0.4f, 0.4f})
            table.parts.push_back(ShapeDef(Box{{0.1f, 0.9f, 0.1f}}).at({x, 0.45f, z}));
    table.mass = 10;
    const BodyId a = w.add(table), b = w.add(box({0.5f, 1.25f, 0.1f}, {0.5f, 0.5f, 0.5f}));
    run(w, 5);
    EXPECT_NEAR(w.pose(a).position.y, 0, 1e-3f);
    EXPECT_NEAR(w.centerOfMass(b).y, 1.25f, 2e-3f);
    EXPECT_LT(std::max(length(w.velocity(a)), length(w.velocity(b))), 1e-4f);
}

struct Heap {
    World w;
    std::vector<BodyId> ids;
    explicit Heap(const WorldDef& d, int count) : w(d) {
        w.add(ground());
        for (const Vec3d center : pileOfBoxes(count)) ids.push_back(w.add(box(narrow(center))));
    }
};

TEST(Pile, AHundredBoxesSettle) {
    Heap h({}, 100);
    double lowest = 0;
    for (int i = 0; i < frames(900, 300); ++i) {
        h.w.step(kFrame);
        for (BodyId id : h.ids) lowest = std::min(lowest, lowestCorner(h.w, id));
    }
    EXPECT_EQ(h.w.report().quarantined, 0);
    EXPECT_GT(lowest, -0.01); // the limit holds while the last bodies land
    if (kWatched) return;
    EXPECT_LT(highest(h.w, h.ids), 0.2);
    for (BodyId id : h.ids) EXPECT_GT(lowestCorner(h.w, id), -0.001);
}

TEST(Pile, BackendsAndSnapshotsGiveTheSameBits) {
    Heap a({.backend = Backend::Scalar}, 30), b({.backend = Backend::Simd}, 30);
    Snapshot kept;
    for (int i = 0; i < 300; ++i) {
        a.w.step(kFrame);
        b.w.step(kFrame);
        ASSERT_EQ(a.w.hash(), b.w.hash()) << i;
        if (i == 149) kept = a.w.snapshot();
    }
    const std::uint64_t end = a.w.hash();
    World fresh({.backend = Backend::Simd});
    fresh.restore(kept);
    b.w.restore(kept);
    for (int i = 150; i < 300; ++i) {
        fresh.step(kFrame);
        b.w.step(kFrame);
    }
    EXPECT_EQ(fresh.hash(), end);
    EXPECT_EQ(b.w.hash(), end);
}

} // namespace
} // namespace capstan
