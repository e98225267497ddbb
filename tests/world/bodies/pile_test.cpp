// SPDX-License-Identifier: MIT
// Contact of bodies with bodies: friction, rolling, bouncing, stacks and piles, against formulas of mechanics.
#include <tests/world/worlds.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

namespace capstan {
namespace {

constexpr float kFrame = 1 / 60.f;
constexpr double kG = double(9.81f);

void run(World& w, double seconds) {
    for (int i = 0; i < int(std::lround(seconds * 60)); ++i) w.step(kFrame);
}

BodyDef ground(float friction = 0.5f) {
    BodyDef d;
    d.type = BodyType::Static;
    d.shape = Plane{};
    d.material.friction = friction;
    return d;
}

BodyDef box(Vec3 at, Vec3 size = {1, 1, 1}) {
    BodyDef d;
    d.shape = Box{size};
    d.mass = 1;
    d.position = at;
    return d;
}

BodyDef ball(Vec3 at, float radius = 0.5f) {
    BodyDef d;
    d.shape = Sphere{radius};
    d.mass = 1;
    d.position = at;
    return d;
}

// A plane that slopes down towards +x at an angle, and a body on it, turned about the plane's normal by `yaw`.
struct Slope {
    World w;
    BodyId id;
    Vec3d down;

    Slope(double angle, BodyDef d, double friction, double yaw, double staticFriction = 0) {
        const Quatd tilt = Quatd::fromAxisAngle({0, 0, 1}, -angle);
        BodyDef plane = ground(float(friction));
        plane.rotation = {0, 0, float(tilt.z), float(tilt.w)};
        plane.material.staticFriction = float(staticFriction);
        w.add(plane);
        const Quatd turn = tilt * Quatd::fromAxisAngle({0, 1, 0}, yaw);
        d.position = narrow(rotate(tilt, {0, 0.5, 0}));
        d.rotation = {float(turn.x), float(turn.y), float(turn.z), float(turn.w)};
        d.material.friction = float(friction);
        d.material.staticFriction = float(staticFriction);
        id = w.add(d);
        down = rotate(tilt, {1, 0, 0});
    }
    double gone() const { return dot(down, widen(w.centerOfMass(id))); }
    double speed() const { return dot(down, widen(w.velocity(id))); }
};

double highest(const World& w, const std::vector<BodyId>& ids, bool spin = false) {
    double most = 0;
    for (BodyId id : ids)
        most = std::max(most, double(length(spin ? w.angularVelocity(id) : w.velocity(id))));
    return most;
}

double lowestCorner(const World& w, BodyId id) {
    const Quatf q = w.pose(id).rotation;
    return double(w.centerOfMass(id).y -
                  0.5f * (std::fabs(axisX(q).y) + std::fabs(axisY(q).y) + std::fabs(axisZ(q).y)));
}

TEST(Pile, AStackOfTenStandsForAMinute) {
    World w;
    w.add(ground());
    std::vector<BodyId> boxes;
    for (int i = 0; i < 10; ++i) boxes.push_back(w.add(box({0, 0.5f + float(i), 0})));
    run(w, 60);
    for (int i = 0; i < 10; ++i) {
        const Vec3 x = w.centerOfMass(boxes[i]);
        EXPECT_LT(length(x - Vec3{0, 0.5f + float(i), 0}), 1e-3f) << i;
        EXPECT_LT(length(Vec3{x.x, 0, x.z}), 1e-4f) << i;
    }
    EXPECT_LT(highest(w, boxes), 1e-5);
    EXPECT_LT(highest(w, boxes, true), 1e-5);
    double weight = 0; // the force on the ground
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

TEST(Pile, ABoxSticksOnASlopeBelowTheFrictionAngle) {
    for (const double yaw : {0.0, 0.25 * std::numbers::pi}) {
        Slope s(0.98 * std::atan(0.5), box({0, 0, 0}), 0.5, yaw);
        run(s.w, 2);
        const double from = s.gone();
        run(s.w, 5);
        EXPECT_LT(std::fabs(s.gone() - from), 5e-5) << yaw;
        EXPECT_LT(length(s.w.velocity(s.id)), 1e-5f) << yaw;
    }
}

TEST(Pile, ABoxSlidesDownAsCoulombSays) {
    const double limit = std::atan(0.3);
    for (const double yaw : {0.0, 0.25 * std::numbers::pi, 0.4})
        for (const double angle : {1.02 * limit, 1.5 * limit}) {
            Slope s(angle, box({0, 0, 0}), 0.3, yaw);
            run(s.w, 0.5);
            const double v = s.speed();
            run(s.w, 2);
            const double a = kG * (std::sin(angle) - 0.3 * std::cos(angle));
            EXPECT_NEAR((s.speed() - v) / 2, a, 0.01 * a) << yaw << " " << angle;
            EXPECT_LT(std::fabs(dot(cross(s.down, rotate(Quatd::fromAxisAngle({0, 0, 1}, -angle), {0, 1, 0})),
                                    widen(s.w.velocity(s.id)))),
                      0.005 * s.speed());
        }
}

TEST(Pile, StaticFrictionHoldsWhatSlidingFrictionWouldNot) {
    const double angle = std::atan(0.4);
    Slope holds(angle, box({0, 0, 0}), 0.3, 0, 0.5);
    run(holds.w, 3);
    EXPECT_LT(std::fabs(holds.speed()), 1e-5);
    Slope slides(angle, box({0, 0, 0}), 0.3, 0, 0.5);
    slides.w.setVelocity(slides.id, narrow(0.5 * slides.down));
    run(slides.w, 1);
    const double a = kG * (std::sin(angle) - 0.3 * std::cos(angle));
    EXPECT_NEAR(slides.speed(), 0.5 + a, 0.01 * (0.5 + a));
}

TEST(Pile, ABallRollsDownASlope) {
    const double angle = 0.3;
    Slope s(angle, ball({0, 0, 0}), 0.8, 0);
    run(s.w, 3);
    const double a = 5.0 / 7 * kG * std::sin(angle);
    EXPECT_NEAR(s.speed(), 3 * a, 0.002 * 3 * a);
    EXPECT_NEAR(double(length(s.w.angularVelocity(s.id))), s.speed() / 0.5, 1e-3 * s.speed());
    EXPECT_NEAR(s.gone(), 0.5 * a * 9, 0.01 * 0.5 * a * 9);
}

TEST(Pile, ASlidingBallEndsUpRolling) {
    World w({.substeps = 8});
    w.add(ground(0.3f));
    BodyDef d = ball({0, 0.5f, 0});
    d.material.friction = 0.3f;
    d.velocity = {3, 0, 0};
    const BodyId id = w.add(d);
    run(w, 2);
    EXPECT_NEAR(w.velocity(id).x, 5.f / 7 * 3, 0.01f);
    EXPECT_NEAR(w.angularVelocity(id).z, -5.f / 7 * 3 / 0.5f, 0.02f);
    const float v = w.velocity(id).x; // it rolls on without end
    run(w, 10);
    EXPECT_NEAR(w.velocity(id).x, v, 1e-3f);
}

double reboundOf(BodyDef d, float restitution, float height) {
    World w;
    w.add(ground());
    d.material.restitution = restitution;
    d.position = {0, 0.5f + height, 0};
    const BodyId id = w.add(d);
    double top = 0;
    bool up = false;
    for (int i = 0; i < 240; ++i) {
        w.step(kFrame);
        const double v = double(w.velocity(id).y);
        if (!up && v > 0) up = true;
        if (up && v < 0) break;
        if (up) top = std::max(top, double(w.centerOfMass(id).y) - 0.5);
    }
    return top;
}

TEST(Pile, ABounceGivesBackItsShareOfTheSpeed) {
    for (const float height : {1.f, 1.37f, 2.f}) {
        EXPECT_NEAR(reboundOf(box({0, 0, 0}), 0.5f, height), 0.25 * double(height),
                    0.05 * 0.25 * double(height));
        EXPECT_NEAR(reboundOf(ball({0, 0, 0}), 0.5f, height), 0.25 * double(height),
                    0.05 * 0.25 * double(height));
        EXPECT_NEAR(reboundOf(ball({0, 0, 0}), 0.9f, height), 0.81 * double(height),
                    0.05 * 0.81 * double(height));
        EXPECT_LT(reboundOf(box({0, 0, 0}), 0, height), 0.005);
    }
}

TEST(Pile, AnElasticImpactExchangesSpeeds) {
    World w({.gravity = {0, 0, 0}});
    BodyDef a = ball({-1, 0, 0}), b = ball({1, 0, 0});
    a.material.restitution = b.material.restitution = 1;
    a.velocity = {2, 0, 0};
    b.mass = 3;
    const BodyId x = w.add(a), y = w.add(b);
    run(w, 2);
    EXPECT_NEAR(w.velocity(x).x, -1, 1e-3f); // (m1 - m2) / (m1 + m2) v
    EXPECT_NEAR(w.velocity(y).x, 1, 1e-3f);  // 2 m1 / (m1 + m2) v
}

TEST(Pile, ImpactsKeepMomentum) {
    World w({.gravity = {0, 0, 0}});
    BodyDef a = box({-1.5f, 0.2f, 0.1f}), b = box({0.5f, 0, 0}, {1, 0.5f, 2});
    a.velocity = {4, 0, 0};
    a.angularVelocity = {0.3f, 0.2f, 0.5f};
    b.mass = 2;
    const BodyId x = w.add(a), y = w.add(b);
    auto angular = [&](BodyId id) {
        const MassProperties& m = w.massProperties(id);
        const Quatf q = w.pose(id).rotation * m.axes;
        const Vec3d l = rotate(conjugate(Quatd{q.x, q.y, q.z, q.w}), widen(w.angularVelocity(id)));
        const Vec3d own = rotate(Quatd{q.x, q.y, q.z, q.w}, multiply(widen(m.inertia), l));
        return own + double(m.mass) * cross(widen(w.centerOfMass(id)), widen(w.velocity(id)));
    };
    const Vec3d before = angular(x) + angular(y);
    run(w, 2);
    const Vec3d p = widen(w.velocity(x)) + 2.0 * widen(w.velocity(y));
    EXPECT_LT(length(p - Vec3d{4, 0, 0}), 1e-5);
    EXPECT_LT(length(angular(x) + angular(y) - before), 0.02);
    EXPECT_GT(w.velocity(y).x, 0.5f);
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
    EXPECT_LT(highest(w, ids), 0.5); // most of the speed from the push is lost
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

// Every kind of shape comes to rest on its lowest point, on every kind of ground.
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
            run(w, 3);
            EXPECT_NEAR(w.pose(id).position.y, bottom[k], 1e-3) << g << " " << k;
            EXPECT_LT(length(w.velocity(id)), 1e-3f) << g << " " << k;
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
        std::uint32_t seed = 1;
        auto dice = [&] {
            seed = seed * 1664525 + 1013904223;
            return float(seed >> 8) / float(1 << 24) - 0.5f;
        };
        for (int i = 0; i < count; ++i)
            ids.push_back(w.add(box({float(i % 3 - 1) * 1.25f + 0.4f * dice(), 1.5f + 1.5f * float(i / 9),
                                     float(i / 3 % 3 - 1) * 1.25f + 0.4f * dice()})));
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
    EXPECT_GT(lowest, -0.01); // the bound holds while the last bodies land
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
