// SPDX-License-Identifier: MIT
// Tests of features of all kinds of objects: ids, names, Defs, user data, anchors, and stale ids.
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace capstan {
namespace {

constexpr float kObjectFrame = 1.0f / 60;

// A world with one object of each kind, none of them in contact.
struct OneOfEach {
    World world{WorldDef{.contact = false}};
    RopeId rope;
    BodyId crate, wall;
    JointId joint;
    ClothId cloth;
    HairId hair;
    AttachmentId attachment;

    OneOfEach() {
        rope = world.add(
            RopeDef{.name = "rope", .from = {0, 2, 0}, .to = {1, 2, 0}, .segments = 8, .userData = 1});
        BodyDef body = {
            .name = "crate", .shape = Box{{0.2f, 0.2f, 0.2f}}, .position = {3, 1, 0}, .userData = 2};
        crate = world.add(body);
        body.name = "wall";
        body.type = BodyType::Static;
        body.position = {3, 3, 0};
        body.userData = 3;
        wall = world.add(body);
        JointDef hinge = {.name = "hinge", .type = JointType::Hinge, .body0 = wall, .body1 = crate};
        hinge.anchor = Vec3{3, 3, 0};
        hinge.userData = 4;
        joint = world.add(hinge);
        cloth = world.add(
            ClothDef{.name = "sheet", .origin = {5, 1, 0}, .cellsU = 4, .cellsV = 4, .userData = 5});
        HairDef strands = {.name = "hair", .roots = {{9, 1, 0}}, .directions = {{0, -1, 0}}, .userData = 6};
        hair = world.add(strands);
        attachment = world.attach({cloth, 0}, {wall, {0, 0, 0}}).value().as<AttachmentId>();
    }
    std::vector<ObjectId> all() const { return {rope, crate, wall, joint, cloth, hair, attachment}; }
};

TEST(Objects, AnObjectIdHasEightBytesAndRemembersItsKind) {
    const OneOfEach a;
    const ObjectId body = a.crate;
    EXPECT_EQ(sizeof body, 8u);
    EXPECT_EQ(body.kind, ObjectKind::Body);
    EXPECT_TRUE(body == a.crate);
    EXPECT_TRUE(body.as<BodyId>() == a.crate);
    EXPECT_FALSE(body.as<RopeId>());
    EXPECT_FALSE(ObjectId(a.rope) == ObjectId(a.crate)); // the same slot of another kind is another object
    EXPECT_TRUE(ObjectId(RopeId{}) == ObjectId(BodyId{}));
    EXPECT_FALSE(ObjectId(RopeId{}));
}

TEST(Objects, EveryKindIsFoundListedAndRemovedInTheSameWay) {
    OneOfEach a;
    World& w = a.world;
    EXPECT_TRUE(w.find<RopeId>("rope") == a.rope);
    EXPECT_TRUE(w.find<BodyId>("wall") == a.wall);
    EXPECT_TRUE(w.find<JointId>("hinge") == a.joint);
    EXPECT_TRUE(w.find<ClothId>("sheet") == a.cloth);
    EXPECT_TRUE(w.find<HairId>("hair") == a.hair);
    EXPECT_FALSE(w.find<BodyId>("rope"));
    EXPECT_FALSE(w.find<BodyId>(""));
    EXPECT_EQ(w.ids<BodyId>().size(), 2u);
    EXPECT_TRUE(w.ids<BodyId>()[1] == a.wall);
    EXPECT_EQ(w.ids<AttachmentId>().size(), 1u);
    std::uint64_t data = 1;
    for (const ObjectId id : a.all()) {
        EXPECT_TRUE(w.isValid(id));
        EXPECT_EQ(w.userData(id), id.kind == ObjectKind::Attachment ? 0 : data++);
    }
    for (const ObjectId id : {ObjectId(a.attachment), ObjectId(a.joint), ObjectId(a.rope), ObjectId(a.cloth),
                              ObjectId(a.hair), ObjectId(a.crate), ObjectId(a.wall)}) {
        w.remove(id);
        EXPECT_FALSE(w.isValid(id));
    }
    w.step(kObjectFrame);
    EXPECT_TRUE(w.ids<RopeId>().empty() && w.ids<BodyId>().empty() && w.ids<ClothId>().empty());
}

TEST(Objects, ANameIsTakenOnceInEveryKind) {
    OneOfEach a;
    World& w = a.world;
    EXPECT_FALSE(w.tryAdd(w.def(a.rope)));
    EXPECT_FALSE(w.tryAdd(w.def(a.crate)));
    EXPECT_FALSE(w.tryAdd(w.def(a.joint)));
    EXPECT_FALSE(w.tryAdd(w.def(a.cloth)));
    EXPECT_FALSE(w.tryAdd(w.def(a.hair)));
    BodyDef d = w.def(a.crate);
    d.name = "wall";
    const Status renamed = w.update(a.crate, d);
    ASSERT_FALSE(renamed);
    EXPECT_EQ(renamed.error().where, "/name");
    EXPECT_EQ(w.def(a.crate).name, "crate");
    d.name = "box";
    d.userData = 77;
    ASSERT_TRUE(w.update(a.crate, d));
    EXPECT_TRUE(w.find<BodyId>("box") == a.crate);
    EXPECT_EQ(w.userData(a.crate), 77u);
}

TEST(Objects, AnUpdateRefusesOtherShapes) {
    World w;
    const BodyId crate = w.add(BodyDef{.shape = Box{{1, 1, 1}}, .parts = {Sphere{0.2f}}, .mass = 1});
    BodyDef d = w.def(crate);
    d.material.friction = 0.9f;
    EXPECT_TRUE(w.update(crate, d));
    d.shape = Box{{1, 2, 1}};
    EXPECT_FALSE(w.update(crate, d));
    d = w.def(crate);
    d.parts[0].position.x = 0.1f;
    EXPECT_FALSE(w.update(crate, d));
    EXPECT_FLOAT_EQ(w.def(crate).material.friction, 0.9f);
}

// A check handler may return. Then a call with a stale id has failed its check, does nothing and returns an empty
// value.
TEST(Objects, AStaleIdFailsAndNeverAborts) {
    OneOfEach a;
    World& w = a.world;
    const std::vector<ObjectId> stale = a.all();
    w.remove(a.attachment);
    w.remove(a.joint);
    w.remove(a.rope);
    w.remove(a.cloth);
    w.remove(a.hair);
    w.remove(a.crate);
    w.remove(a.wall);
    const std::uint64_t hash = w.hash();
    CountChecks checks;
    int calls = 0;
    const auto fails = [&](const auto& call) {
        call();
        EXPECT_GE(checks.count(), ++calls) << "call " << calls << " failed no check";
        calls = checks.count();
    };
    for (const ObjectId id : stale) {
        EXPECT_FALSE(w.isValid(id));
        fails([&] { w.remove(id); });
        fails([&] { EXPECT_EQ(w.userData(id), 0u); });
    }
    for (const Anchor& at : {Anchor(a.rope, 0), Anchor(a.cloth, 0)}) {
        fails([&] { w.pin(at, {0, 0, 0}); });
        fails([&] { w.unpin(at); });
        fails([&] { w.setVelocity(at, {0, 0, 0}); });
    }
    for (const Anchor& at : {Anchor(a.rope, 0), Anchor(a.cloth, 0), Anchor(a.crate, {0, 0, 0})}) {
        fails([&] { w.applyForce(at, {1, 0, 0}); });
        fails([&] { w.applyImpulse(at, {1, 0, 0}); });
        fails([&] { EXPECT_EQ(w.mass(at), 0); });
        fails([&] { EXPECT_FALSE(w.attach(at, Anchor(a.wall, {0, 0, 0}))); });
        fails([&] { EXPECT_FALSE(w.attach(Vec3{0, 0, 0}, at)); });
    }
    fails([&] { w.setMass({a.cloth, 0}, 1); });
    fails([&] { EXPECT_TRUE(w.def(a.rope).name.empty()); });
    fails([&] { EXPECT_TRUE(w.def(a.crate).name.empty()); });
    fails([&] { EXPECT_TRUE(w.def(a.joint).name.empty()); });
    fails([&] { EXPECT_TRUE(w.def(a.cloth).name.empty()); });
    fails([&] { EXPECT_TRUE(w.def(a.hair).name.empty()); });
    fails([&] { EXPECT_FALSE(w.update(a.rope, {})); });
    fails([&] { EXPECT_FALSE(w.update(a.crate, {})); });
    fails([&] { EXPECT_FALSE(w.update(a.joint, {})); });
    fails([&] { EXPECT_FALSE(w.update(a.cloth, {})); });
    fails([&] { EXPECT_FALSE(w.update(a.hair, {})); });
    fails([&] { w.applyForce(a.crate, {1, 0, 0}); });
    fails([&] { w.applyForce(a.crate, {1, 0, 0}, {0, 0, 0}); });
    fails([&] { w.applyImpulse(a.crate, {1, 0, 0}); });
    fails([&] { w.applyImpulse(a.crate, {1, 0, 0}, {0, 0, 0}); });
    fails([&] { w.applyTorque(a.crate, {1, 0, 0}); });
    fails([&] { w.applyAngularImpulse(a.crate, {1, 0, 0}); });
    fails([&] { w.setVelocity(a.crate, {1, 0, 0}); });
    fails([&] { w.setAngularVelocity(a.crate, {1, 0, 0}); });
    fails([&] { w.teleport(a.crate, {}); });
    fails([&] { w.moveTo(a.crate, {}); });
    fails([&] { w.moveTo(a.hair, {}); });
    fails([&] { w.setWind(a.cloth, {1, 0, 0}); });
    fails([&] { w.setWind(a.hair, {1, 0, 0}); });
    fails([&] { w.setTarget(a.joint, 1); });
    fails([&] { w.setTarget(a.joint, Vec3{1, 0, 0}); });
    fails([&] { w.setEnabled(a.joint, false); });
    fails([&] { w.setWinchSpeed(a.rope, 0, 1); });
    fails([&] { EXPECT_FALSE(w.cut(a.rope, 1)); });
    fails([&] { EXPECT_TRUE(w.positions(a.rope).empty()); });
    fails([&] { EXPECT_TRUE(w.positions(a.cloth).empty()); });
    fails([&] { EXPECT_TRUE(w.positions(a.hair).empty()); });
    fails([&] { EXPECT_TRUE(w.velocities(a.rope).empty()); });
    fails([&] { EXPECT_TRUE(w.velocities(a.cloth).empty()); });
    fails([&] { EXPECT_TRUE(w.tensions(a.rope).empty()); });
    fails([&] { EXPECT_TRUE(w.restLengths(a.rope).empty()); });
    fails([&] { EXPECT_TRUE(w.strains(a.cloth).empty()); });
    fails([&] { EXPECT_EQ(w.maxStrain(a.rope), 0); });
    fails([&] { EXPECT_EQ(w.maxStrain(a.cloth), 0); });
    fails([&] { EXPECT_EQ(w.maxStrain(a.hair), 0); });
    fails([&] { EXPECT_EQ(w.meanStrain(a.cloth), 0); });
    fails([&] { EXPECT_EQ(w.stretch(a.rope), 0); });
    fails([&] { EXPECT_TRUE(w.triangles(a.cloth).empty()); });
    fails([&] { EXPECT_EQ(w.strandCount(a.hair), 0); });
    fails([&] { EXPECT_EQ(w.strandStride(a.hair), 0); });
    fails([&] { EXPECT_TRUE(w.strand(a.hair, 0).empty()); });
    fails([&] { EXPECT_EQ(w.level(a.hair), 0); });
    fails([&] { EXPECT_TRUE(w.pose(a.crate).position == (Vec3{0, 0, 0})); });
    fails([&] { EXPECT_TRUE(w.position(a.crate) == (Vec3{0, 0, 0})); });
    fails([&] { EXPECT_TRUE(w.centerOfMass(a.crate) == (Vec3{0, 0, 0})); });
    fails([&] { EXPECT_TRUE(w.velocity(a.crate) == (Vec3{0, 0, 0})); });
    fails([&] { EXPECT_TRUE(w.angularVelocity(a.crate) == (Vec3{0, 0, 0})); });
    fails([&] { EXPECT_EQ(w.massProperties(a.crate).mass, 0); });
    fails([&] { EXPECT_FALSE(w.jointForces(a.joint).broken); });
    fails([&] { EXPECT_TRUE(w.jointFrame(a.joint, 0).position == (Vec3{0, 0, 0})); });
    fails([&] { EXPECT_FALSE(w.linkingNumber(a.rope, a.rope)); });
    EXPECT_EQ(w.hash(), hash);
}

TEST(Objects, AnchorsOfAllKindsArePushed) {
    OneOfEach a;
    World& w = a.world;
    const float mass = w.mass({a.crate, {0, 0, 0}});
    EXPECT_EQ(mass, w.massProperties(a.crate).mass);
    w.applyImpulse({a.rope, 3}, {w.mass({a.rope, 3}), 0, 0});
    w.applyImpulse({a.cloth, 7}, {w.mass({a.cloth, 7}), 0, 0});
    EXPECT_FLOAT_EQ(w.velocities(a.rope)[3].x, 1);
    EXPECT_FLOAT_EQ(w.velocities(a.cloth)[7].x, 1);
    // A point given in the body's local frame must equal the same point given in the world.
    World other;
    BodyDef d = w.def(a.crate);
    d.rotation = Quatf::fromAxisAngle(Vec3{0, 0, 1}, 0.5f);
    const BodyId p = other.add(d);
    d.name = "other";
    d.position.x += 5;
    const BodyId q = other.add(d);
    other.applyImpulse({p, {0.1f, 0, 0}}, {0, 1, 0});
    other.applyImpulse(q, {0, 1, 0}, other.pose(q).point({0.1f, 0, 0}));
    EXPECT_TRUE(other.velocity(p) == other.velocity(q));
    EXPECT_NEAR(other.angularVelocity(p).z, other.angularVelocity(q).z, 1e-5f);
    EXPECT_NE(other.angularVelocity(p).z, 0);
    CountChecks checks;
    w.applyForce(Vec3{0, 0, 0}, {1, 0, 0});
    w.pin({a.crate, {0, 0, 0}}, {0, 0, 0});
    w.setMass({a.rope, 0}, 1);
    EXPECT_EQ(checks.count(), 3);
}

TEST(Objects, WhatCanBeTiedIsTiedAndTheRestIsAnError) {
    OneOfEach a;
    World& w = a.world;
    const Result<ObjectId> ropeToBody = w.attach({a.rope, last}, {a.crate, {0, 0.1f, 0}});
    ASSERT_TRUE(ropeToBody);
    const JointId tie = ropeToBody->as<JointId>();
    EXPECT_TRUE(w.isValid(tie));
    EXPECT_TRUE(w.def(tie).rope.id == a.rope);
    w.remove(tie);
    const Result<ObjectId> bodyToRope = w.attach({a.crate, {0, 0.1f, 0}}, {a.rope, last});
    ASSERT_TRUE(bodyToRope);
    EXPECT_TRUE(w.def(bodyToRope->as<JointId>()).body1.id == a.crate);

    // The order of the anchors is arbitrary.
    const ObjectId held = w.attach({a.rope, 4}, {a.cloth, 3}).value();
    EXPECT_EQ(held.kind, ObjectKind::Attachment);
    w.unpin({a.cloth, 3});
    EXPECT_FALSE(w.isValid(held));
    const ObjectId again = w.attach({a.cloth, 3}, {a.rope, 4}).value();
    EXPECT_FALSE(again == held);
    w.remove(again);
    EXPECT_GT(w.positions(a.cloth)[3].w, 0); // the vertex is free again
    const ObjectId byRope = w.attach({a.cloth, 3}, {a.rope, 4}).value();
    w.remove(a.rope);
    w.step(kObjectFrame);
    EXPECT_FALSE(w.isValid(byRope)); // the object to which it was attached is removed
    EXPECT_TRUE(w.isValid(a.attachment));
    w.remove(a.cloth);
    EXPECT_FALSE(w.isValid(a.attachment));

    const std::uint64_t hash = w.hash();
    const RopeId rope = w.add(RopeDef{.from = {0, 5, 0}, .to = {1, 5, 0}});
    const ClothId cloth = w.add(ClothDef{.origin = {5, 5, 0}, .cellsU = 2, .cellsV = 2});
    EXPECT_FALSE(w.attach({rope, 0}, {rope, 5}));
    EXPECT_FALSE(w.attach({rope, 0}, Vec3{0, 0, 0}));
    EXPECT_FALSE(w.attach({cloth, 0}, Vec3{0, 0, 0}));
    EXPECT_FALSE(w.attach({cloth, 0}, {cloth, 3}));
    EXPECT_FALSE(w.attach(Vec3{0, 0, 0}, Vec3{0, 0, 0}));
    EXPECT_FALSE(w.attach({a.crate, {0, 0, 0}}, {a.crate, {0, 1, 0}}));
    EXPECT_TRUE(w.ids<AttachmentId>().empty());
    w.remove(rope);
    w.remove(cloth);
    EXPECT_EQ(w.hash(), hash);
}

TEST(Objects, ABodyIsAttachedToABodyAndToTheWorld) {
    World w;
    const BodyId upper = w.add(BodyDef{.shape = Sphere{0.1f}, .position = {0, 2, 0}});
    const BodyId lower = w.add(BodyDef{.shape = Sphere{0.1f}, .position = {0, 1, 0}});
    ASSERT_TRUE(w.attach({upper, {0, 1, 0}}, Vec3{0, 3, 0}));
    ASSERT_TRUE(w.attach({lower, {0, 1, 0}}, {upper, {0, 0, 0}}));
    w.applyImpulse(lower, {1, 0, 0});
    for (int i = 0; i < 120; ++i) w.step(kObjectFrame);
    EXPECT_NEAR(length(w.position(upper) - Vec3{0, 3, 0}), 1, 1e-4f);
    EXPECT_NEAR(length(w.position(lower) - w.position(upper)), 1, 1e-4f);
}

TEST(Objects, ASnapshotBringsAttachmentsBack) {
    OneOfEach a;
    World& w = a.world;
    const Snapshot before = w.snapshot();
    w.remove(a.attachment);
    EXPECT_FALSE(w.isValid(a.attachment));
    w.restore(before);
    EXPECT_TRUE(w.isValid(a.attachment));
    w.remove(a.attachment);
    EXPECT_GT(w.positions(a.cloth)[0].w, 0);
}

TEST(Objects, AllBodiesAreReadAtOnce) {
    OneOfEach a;
    World& w = a.world;
    for (int i = 0; i < 30; ++i) w.step(kObjectFrame);
    const std::vector<BodyId> ids = w.ids<BodyId>();
    const std::span<const Transform> poses = w.bodyPoses();
    const std::span<const BodyVelocity> velocities = w.bodyVelocities();
    ASSERT_EQ(poses.size(), ids.size());
    ASSERT_EQ(velocities.size(), ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        EXPECT_TRUE(poses[i].position == w.pose(ids[i]).position);
        EXPECT_TRUE(velocities[i].linear == w.velocity(ids[i]));
        EXPECT_TRUE(velocities[i].angular == w.angularVelocity(ids[i]));
    }
    EXPECT_GT(length(velocities[0].linear), 0);
}

TEST(Objects, AStepOfZeroChangesNothing) {
    World w;
    const BodyId ball = w.add(BodyDef{.shape = Sphere{0.1f}, .position = {0, 0.099f, 0}});
    w.add(BodyDef{.type = BodyType::Static, .shape = Plane{}});
    w.step(kObjectFrame);
    ASSERT_FALSE(w.events().empty());
    const std::size_t events = w.events().size(), contacts = w.contacts().size();
    const std::uint64_t hash = w.hash();
    w.applyForce(ball, {0, 100, 0});
    const Report before = w.report();
    const Report& after = w.step(0);
    EXPECT_EQ(std::memcmp(&before, &after, sizeof before), 0);
    EXPECT_EQ(w.hash(), hash);
    EXPECT_EQ(w.events().size(), events);
    EXPECT_EQ(w.contacts().size(), contacts);
    EXPECT_EQ(w.time(), double(kObjectFrame));
    w.step(kObjectFrame); // the failed call does not clear the force
    EXPECT_GT(w.velocity(ball).y, 0.1f);
}

TEST(Objects, ARayGivesTheShapeAndTheUserData) {
    World w;
    BodyDef d = {.shape = ShapeDef(Sphere{0.1f}).at({0, 0, 0}),
                 .parts = {ShapeDef(Sphere{0.1f}).at({1, 0, 0})}};
    d.userData = 42;
    const BodyId body = w.add(d);
    const RayHit hit = w.castRay({1, 5, 0}, {0, -1, 0}, 10);
    ASSERT_TRUE(hit);
    EXPECT_TRUE(hit.object == body);
    EXPECT_EQ(hit.element, 1);
    EXPECT_EQ(hit.userData, 42u);
    EXPECT_NEAR(hit.distance, 4.9f, 1e-5f);
    EXPECT_FALSE(w.castRay({1, 5, 0}, {0, 1, 0}, 10));
}

} // namespace
} // namespace capstan
