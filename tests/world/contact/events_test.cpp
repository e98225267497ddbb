// SPDX-License-Identifier: MIT
// What is told of contact: points, forces and events; and who touches whom at all: layers, ignores, selfContact,
// JointDef::collide, WorldDef::contact.
#include "touching.hpp"

namespace capstan {
namespace {

TEST(TouchContacts, ARopeOnThePlanePressesWithItsWeight) {
    World w;
    const BodyId ground = w.add(floorAt());
    const RopeId rope = w.add(straight({-0.5f, 0.011f, 0}, {0.5f, 0.011f, 0.1f}, 25));
    for (int i = 0; i < 60; ++i) w.step(kFrame);
    ASSERT_FALSE(w.contacts().empty());
    EXPECT_EQ(w.report().touching, int(w.contacts().size()));
    EXPECT_NEAR(w.report().minDistance, 1, 0.01);
    double sum = 0;
    Vec3d sideways = {0, 0, 0};
    for (const Contact& c : w.contacts()) {
        EXPECT_TRUE(c.ropeA == rope && c.bodyB == ground && !c.bodyA && !c.ropeB);
        EXPECT_NEAR(c.normal.y, 1, 1e-5); // from B to A
        EXPECT_TRUE(c.segmentA >= 0 && c.segmentA < 25);
        EXPECT_NEAR(c.point.y, 0.005, 0.0051); // in the rope or between the two
        EXPECT_LE(length(c.friction), 1.001 * std::sqrt(0.3 * 0.5) * c.force);
        EXPECT_NEAR(c.friction.y, 0, 1e-5);
        sum += c.force, sideways += widen(c.friction);
    }
    const double weight = massOf(w, rope) * kG;
    EXPECT_NEAR(sum, weight, 0.01 * weight);
    EXPECT_LT(length(sideways), 0.01 * weight); // it lies still; friction may hold it bent or stretched
    for (const Event& e : w.events()) EXPECT_NEAR(e.force, weight, 0.01 * weight);
}

TEST(TouchContacts, BoxesPressWithTheirWeight) {
    World w;
    const BodyId ground = w.add(floorAt());
    const BodyId low = w.add(box({0, 0.1f, 0}, 3)), high = w.add(box({0.01f, 0.3f, 0}, 2));
    for (int i = 0; i < 90; ++i) w.step(kFrame);
    double under = 0, between = 0;
    for (const Contact& c : w.contacts()) {
        EXPECT_NEAR(std::abs(c.normal.y), 1, 1e-3);
        if (c.bodyA == ground || c.bodyB == ground)
            under += c.force;
        else if ((c.bodyA == low && c.bodyB == high) || (c.bodyA == high && c.bodyB == low))
            between += c.force;
        else
            ADD_FAILURE() << "who?";
    }
    EXPECT_NEAR(under, 5 * kG, 0.01 * 5 * kG);
    EXPECT_NEAR(between, 2 * kG, 0.01 * 2 * kG);
}

TEST(TouchEvents, BeginOnceThenPersistThenEnd) {
    World w;
    const BodyId ground = w.add(floorAt());
    const RopeId rope = w.add(straight({-0.3f, 0.011f, 0}, {0.3f, 0.011f, 0}, 20));
    int begun = 0;
    for (int i = 0; i < 60; ++i) {
        w.step(kFrame);
        begun += told(w, Event::Kind::ContactBegin);
        EXPECT_LE(w.events().size(), 1u); // one pair, one event
        for (const Event& e : w.events())
            EXPECT_TRUE(e.rope == rope && e.otherBody == ground && !e.body && !e.other);
        if (begun == 0) {
            EXPECT_EQ(told(w, Event::Kind::ContactPersist), 0);
        }
    }
    EXPECT_EQ(begun, 1);
    EXPECT_EQ(told(w, Event::Kind::ContactPersist), 1);
    int ended = 0;
    for (int i = 0; i < 30; ++i) {
        for (int k = 0; k <= 20; ++k) w.pull(rope, k, {0, 40 * w.mass(rope, k), 0});
        w.step(kFrame);
        ended += told(w, Event::Kind::ContactEnd);
        if (ended > 0) {
            EXPECT_EQ(told(w, Event::Kind::ContactPersist), 0);
        }
    }
    EXPECT_EQ(ended, 1);
    EXPECT_TRUE(w.contacts().empty());
    EXPECT_EQ(w.report().touching, 0);
}

TEST(TouchEvents, WhatIsRemovedLeavesNothingBehind) {
    World w;
    w.add(floorAt());
    const RopeId below = w.add(straight({-0.3f, 0.01f, 0}, {0.3f, 0.01f, 0}, 20));
    const RopeId above = w.add(straight({0, 0.035f, -0.3f}, {0, 0.035f, 0.3f}, 20));
    const BodyId crate = w.add(box({0.2f, 0.13f, 0.2f}));
    for (int i = 0; i < 40; ++i) w.step(kFrame);
    auto names = [&](auto id) {
        int count = 0;
        for (const Contact& c : w.contacts()) {
            if constexpr (std::is_same_v<decltype(id), RopeId>)
                count += c.ropeA == id || c.ropeB == id;
            else
                count += c.bodyA == id || c.bodyB == id;
        }
        return count;
    };
    ASSERT_GT(names(below), 0);
    ASSERT_GT(names(above), 0);
    ASSERT_GT(names(crate), 0);
    w.remove(below);
    w.remove(crate);
    EXPECT_EQ(names(below) + names(crate), 0);
    const RopeId tenant = w.add(straight({-0.3f, 1, 0}, {0.3f, 1, 0}, 20)); // of the same slot
    EXPECT_EQ(names(tenant), 0);
    for (int i = 0; i < 20; ++i) {
        w.step(kFrame);
        for (const Contact& c : w.contacts()) {
            EXPECT_TRUE(!c.ropeA || w.alive(c.ropeA));
            EXPECT_TRUE(!c.ropeB || w.alive(c.ropeB));
            EXPECT_TRUE(!c.bodyA || w.alive(c.bodyA));
            EXPECT_TRUE(!c.bodyB || w.alive(c.bodyB));
        }
        for (const Event& e : w.events()) {
            EXPECT_FALSE(e.rope == tenant || e.other == tenant); // it has not fallen so far
            EXPECT_TRUE((w.alive(e.rope) || w.alive(e.body)) && (w.alive(e.other) || w.alive(e.otherBody)));
        }
    }
    EXPECT_GT(names(above), 0);
    EXPECT_LT(topSpeed(w), 4);
    // All gone.
    for (RopeId r : w.ropes()) w.remove(r);
    for (BodyId b : w.bodies()) w.remove(b);
    w.step(kFrame);
    EXPECT_TRUE(w.contacts().empty());
    EXPECT_TRUE(w.events().empty());
}

// Height after half a second of a rope that falls onto a floor.
float heightAfterFall(const RopeDef& rope, const BodyDef& ground, const WorldDef& def = {}) {
    World w(def);
    w.add(ground);
    const RopeId r = w.add(rope);
    for (int i = 0; i < 30; ++i) w.step(kFrame);
    return at(w, r, 10).y;
}

TEST(TouchWho, LayersIgnoresAndTheSwitchOfTheWorld) {
    RopeDef d = straight({-0.3f, 0.1f, 0}, {0.3f, 0.1f, 0}, 20);
    BodyDef ground = floorAt();
    EXPECT_NEAR(heightAfterFall(d, ground), 0.01, 1e-3);
    WorldDef off;
    off.contact = false;
    EXPECT_LT(heightAfterFall(d, ground, off), -0.5);
    d.filter.mask = ~(1u << 3);
    EXPECT_NEAR(heightAfterFall(d, ground), 0.01, 1e-3);
    ground.filter.category = 1u << 3;
    EXPECT_LT(heightAfterFall(d, ground), -0.5);
    d.filter.mask = ~0u, d.filter.category = 1u << 5,
    ground.filter.mask = ~(1u << 1 | 1u << 5); // it is enough that one side ignores the other
    EXPECT_LT(heightAfterFall(d, ground), -0.5);
    d.filter.category = 1u << 4;
    EXPECT_NEAR(heightAfterFall(d, ground), 0.01, 1e-3);
}

// A rope thrown so that its two halves meet crosswise; ends go on if nothing stops them.
TEST(TouchWho, SelfContactCanBeSwitchedOff) {
    for (const bool self : {true, false}) {
        World w(weightless());
        RopeDef d;
        d.points = {
            {-0.2f, 0, -0.3f}, {-0.2f, 0, 0.3f}, {0.5f, 0.05f, 0.3f}, {0.5f, 0.05f, 0}, {-0.5f, 0.05f, 0}};
        d.segments = 90, d.radius = 0.01f, d.selfContact = self;
        const RopeId rope = w.add(d);
        const int n = int(w.points(rope).size());
        for (int k = 0; k < n; ++k)
            if (k < 25) w.setVelocity(rope, k, {0, 1, 0}); // the first side rises through the last
        int touching = 0;
        for (int i = 0; i < 10; ++i) touching += w.step(kFrame).touching;
        if (self)
            EXPECT_GT(touching, 0);
        else
            EXPECT_EQ(touching, 0);
        // Where the last side crosses the first.
        const double first_ = widen(at(w, rope, 11).y);
        double nearest = 1e9, last_ = 0;
        for (int k = 60; k < n; ++k)
            if (const double far = std::abs(widen(at(w, rope, k).x - at(w, rope, 11).x)); far < nearest)
                nearest = far, last_ = widen(at(w, rope, k).y);
        if (self)
            EXPECT_LT(first_, last_);
        else
            EXPECT_GT(first_, last_);
    }
}

// Two boxes on a rail: they touch only if asked to.
TEST(TouchWho, JointedBodiesTouchIfAsked) {
    for (const bool collide : {false, true}) {
        World w(weightless());
        const BodyId a = w.add(ofType(BodyType::Static, box({0, 0, 0}))), b = w.add(box({0.21f, 0, 0}));
        JointDef rail = joint(JointType::Prismatic, a, b, {0, 0, 0}, {1, 0, 0});
        rail.collideConnected = collide;
        w.add(rail);
        w.setVelocity(b, {-1, 0, 0});
        for (int i = 0; i < 30; ++i) w.step(kFrame);
        if (collide)
            EXPECT_GT(w.center(b).x, 0.195f);
        else
            EXPECT_LT(w.center(b).x, -0.1f);
    }
}

// Tied to the middle of a box, so that it runs inside: it hangs still and bears the weight, and no contact pushes.
TEST(TouchWho, ARopeDoesNotFightTheBodyItIsTiedTo) {
    for (const Vec3 knot : {Vec3{0, 0.1f, 0}, Vec3{0.1f, 0.1f, 0.1f}, Vec3{0, 0.08f, 0}}) {
        World w;
        const BodyId crate = w.add(box(-1.0f * knot, 2));
        RopeDef d = straight({0, 1, 0}, {0, 0, 0}, 40);
        d.pins = {first};
        const RopeId rope = w.add(d);
        w.attach(rope, last, crate, knot);
        const double energy = w.energy().total();
        double fastest = 0;
        for (int i = 0; i < 60; ++i) {
            w.step(kFrame);
            fastest = std::max(fastest, length(widen(w.velocity(crate))));
            EXPECT_LT(w.energy().total(), energy + 1e-3);
        }
        if (knot.x == 0) { // the centre is below the knot: it hangs at rest
            EXPECT_LT(fastest, 1e-3) << knot.y;
            EXPECT_NEAR(w.tension(rope).back(), 2 * kG, 0.01 * 2 * kG);
        } else { // it swings, from 0.1 m below the knot to 0.173 m
            EXPECT_LT(fastest, std::sqrt(2 * kG * 0.0733) + 0.01);
        }
        EXPECT_LT(w.report().maxStretch, 0.001);
        EXPECT_LT(w.report().maxGap, 1e-3);
    }
}

} // namespace
} // namespace capstan
