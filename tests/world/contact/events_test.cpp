// SPDX-License-Identifier: MIT
// Tests of contact reports (points, forces and events), and of who may be in contact: filters, self contact,
// JointDef::collideConnected, WorldDef::contact.
#include "contact_ropes.hpp"

namespace capstan {
namespace {

TEST(TouchContacts, ARopeOnThePlanePressesWithItsWeight) {
    World w;
    const BodyId ground = w.add(floorAt());
    const RopeId rope = w.add(straight({-0.5f, 0.011f, 0}, {0.5f, 0.011f, 0.1f}, 25));
    for (int i = 0; i < 60; ++i) w.step(kFrame);
    ASSERT_FALSE(w.contacts().empty());
    EXPECT_EQ(w.report().contacts, int(w.contacts().size()));
    EXPECT_NEAR(w.report().minSeparationRatio, 1, 0.01);
    double sum = 0;
    Vec3d sideways = {0, 0, 0};
    for (const Contact& c : w.contacts()) {
        EXPECT_TRUE(c.a.as<RopeId>() == rope && c.b.as<BodyId>() == ground && !c.a.as<BodyId>() &&
                    !c.b.as<RopeId>());
        EXPECT_NEAR(c.normal.y, 1, 1e-5); // the normal points from B to A
        EXPECT_TRUE(c.elementA >= 0 && c.elementA < 25);
        EXPECT_NEAR(c.point.y, 0.005, 0.0051); // the point is in the rope or in the gap
        EXPECT_LE(length(c.friction), 1.001 * std::sqrt(0.3 * 0.5) * c.force);
        EXPECT_NEAR(c.friction.y, 0, 1e-5);
        sum += c.force;
        sideways += widen(c.friction);
    }
    const double weight = massOf(w, rope) * kG;
    EXPECT_NEAR(sum, weight, 0.01 * weight);
    EXPECT_LT(length(sideways), 0.01 * weight); // the rope is at rest; friction may hold it bent or stretched
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
        if (c.a.as<BodyId>() == ground || c.b.as<BodyId>() == ground)
            under += c.force;
        else if ((c.a.as<BodyId>() == low && c.b.as<BodyId>() == high) ||
                 (c.a.as<BodyId>() == high && c.b.as<BodyId>() == low))
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
        EXPECT_LE(w.events().size(), 1u); // one event per pair
        for (const Event& e : w.events())
            EXPECT_TRUE(e.a.as<RopeId>() == rope && e.b.as<BodyId>() == ground && !e.a.as<BodyId>() &&
                        !e.b.as<RopeId>());
        if (begun == 0) {
            EXPECT_EQ(told(w, Event::Kind::ContactPersist), 0);
        }
    }
    EXPECT_EQ(begun, 1);
    EXPECT_EQ(told(w, Event::Kind::ContactPersist), 1);
    int ended = 0;
    for (int i = 0; i < 30; ++i) {
        for (int k = 0; k <= 20; ++k) w.applyForce({rope, k}, {0, 40 * w.mass({rope, k}), 0});
        w.step(kFrame);
        ended += told(w, Event::Kind::ContactEnd);
        if (ended > 0) {
            EXPECT_EQ(told(w, Event::Kind::ContactPersist), 0);
        }
    }
    EXPECT_EQ(ended, 1);
    EXPECT_TRUE(w.contacts().empty());
    EXPECT_EQ(w.report().contacts, 0);
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
                count += c.a.as<RopeId>() == id || c.b.as<RopeId>() == id;
            else
                count += c.a.as<BodyId>() == id || c.b.as<BodyId>() == id;
        }
        return count;
    };
    ASSERT_GT(names(below), 0);
    ASSERT_GT(names(above), 0);
    ASSERT_GT(names(crate), 0);
    w.remove(below);
    w.remove(crate);
    EXPECT_EQ(names(below) + names(crate), 0);
    const RopeId tenant = w.add(straight({-0.3f, 1, 0}, {0.3f, 1, 0}, 20)); // another rope in the same slot
    EXPECT_EQ(names(tenant), 0);
    for (int i = 0; i < 20; ++i) {
        w.step(kFrame);
        for (const Contact& c : w.contacts()) {
            EXPECT_TRUE(!c.a.as<RopeId>() || w.isValid(c.a.as<RopeId>()));
            EXPECT_TRUE(!c.b.as<RopeId>() || w.isValid(c.b.as<RopeId>()));
            EXPECT_TRUE(!c.a.as<BodyId>() || w.isValid(c.a.as<BodyId>()));
            EXPECT_TRUE(!c.b.as<BodyId>() || w.isValid(c.b.as<BodyId>()));
        }
        for (const Event& e : w.events()) {
            EXPECT_FALSE(e.a.as<RopeId>() == tenant ||
                         e.b.as<RopeId>() == tenant); // the new rope is still falling
            EXPECT_TRUE((w.isValid(e.a.as<RopeId>()) || w.isValid(e.a.as<BodyId>())) &&
                        (w.isValid(e.b.as<RopeId>()) || w.isValid(e.b.as<BodyId>())));
        }
    }
    EXPECT_GT(names(above), 0);
    EXPECT_LT(topSpeed(w), 4);
    // All ropes are removed.
    for (RopeId r : w.ids<RopeId>()) w.remove(r);
    for (BodyId b : w.ids<BodyId>()) w.remove(b);
    w.step(kFrame);
    EXPECT_TRUE(w.contacts().empty());
    EXPECT_TRUE(w.events().empty());
}

// Returns the height of a rope half a second after it was dropped onto a floor.
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
    d.filter.mask = ~0u;
    d.filter.category = 1u << 5;
    ground.filter.mask = ~(1u << 1 | 1u << 5); // one mask without the other's category disables contact
    EXPECT_LT(heightAfterFall(d, ground), -0.5);
    d.filter.category = 1u << 4;
    EXPECT_NEAR(heightAfterFall(d, ground), 0.01, 1e-3);
}

// The two halves of a rope fly through each other crosswise, unless contact stops them.
TEST(TouchWho, SelfContactCanBeSwitchedOff) {
    for (const bool self : {true, false}) {
        World w(weightless());
        RopeDef d;
        d.points = {
            {-0.2f, 0, -0.3f}, {-0.2f, 0, 0.3f}, {0.5f, 0.05f, 0.3f}, {0.5f, 0.05f, 0}, {-0.5f, 0.05f, 0}};
        d.segments = 90;
        d.radius = 0.01f;
        d.selfContact = self;
        const RopeId rope = w.add(d);
        const int n = int(w.positions(rope).size());
        for (int k = 0; k < n; ++k)
            if (k < 25) w.setVelocity({rope, k}, {0, 1, 0}); // the first part moves up through the last part
        int touching = 0;
        for (int i = 0; i < 10; ++i) touching += w.step(kFrame).contacts;
        if (self)
            EXPECT_GT(touching, 0);
        else
            EXPECT_EQ(touching, 0);
        // The point where the last part crosses the first part.
        const double first_ = widen(at(w, rope, 11).y);
        double nearest = 1e9, last_ = 0;
        for (int k = 60; k < n; ++k)
            if (const double far = std::abs(widen(at(w, rope, k).x - at(w, rope, 11).x)); far < nearest) {
                nearest = far;
                last_ = widen(at(w, rope, k).y);
            }
        if (self)
            EXPECT_LT(first_, last_);
        else
            EXPECT_GT(first_, last_);
    }
}

// Two boxes on a prismatic joint are in contact only if the joint enables it.
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
            EXPECT_GT(w.centerOfMass(b).x, 0.195f);
        else
            EXPECT_LT(w.centerOfMass(b).x, -0.1f);
    }
}

// The rope is attached inside a box. It hangs still and carries the weight, and no contact between rope and box acts.
TEST(TouchWho, ARopeDoesNotFightTheBodyItIsTiedTo) {
    for (const Vec3 knot : {Vec3{0, 0.1f, 0}, Vec3{0.1f, 0.1f, 0.1f}, Vec3{0, 0.08f, 0}}) {
        World w;
        const BodyId crate = w.add(box(-1.0f * knot, 2));
        RopeDef d = straight({0, 1, 0}, {0, 0, 0}, 40);
        d.pins = {first};
        const RopeId rope = w.add(d);
        w.attach({rope, last}, {crate, knot}).value();
        const double energy = w.energy().total();
        double fastest = 0;
        for (int i = 0; i < 60; ++i) {
            w.step(kFrame);
            fastest = std::max(fastest, length(widen(w.velocity(crate))));
            EXPECT_LT(w.energy().total(), energy + 1e-3);
        }
        if (knot.x == 0) { // the centre is below the attachment, so the box hangs at rest
            EXPECT_LT(fastest, 1e-3) << knot.y;
            EXPECT_NEAR(w.tensions(rope).back(), 2 * kG, 0.01 * 2 * kG);
        } else { // the box swings, from 0.1 m below the attachment to 0.173 m
            EXPECT_LT(fastest, std::sqrt(2 * kG * 0.0733) + 0.01);
        }
        EXPECT_LT(w.report().maxStretch, 0.001);
        EXPECT_LT(w.report().maxGap, 1e-3);
    }
}

} // namespace
} // namespace capstan
