// SPDX-License-Identifier: MIT
// Tests of bodies in a world without steps: ids, transforms, impulses and forces, rays, energy, snapshots.
#include <tests/world/worlds.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

namespace capstan {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kPi = std::numbers::pi_v<float>;

void expectNear(Vec3 a, Vec3 b, float tolerance) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

// Compares rotations: q and -q are the same rotation.
void expectSame(Quatf a, Quatf b) { EXPECT_NEAR(std::fabs(dot(a, b)), 1, 1e-6); }

BodyDef crate(const char* name = "") {
    BodyDef d;
    d.name = name;
    d.shape = Box{{0.2f, 0.4f, 0.6f}};
    d.mass = 3;
    return d;
}

// A hammer: its centre of mass differs from its origin, and its principal axes differ from its own axes.
BodyDef hammer() {
    BodyDef d;
    d.shape = ShapeDef(Capsule{0.05f, 0.6f});
    d.parts = {ShapeDef(Box{{0.4f, 0.1f, 0.2f}}).at({0.1f, 0.5f, 0.2f}, {0.5f, 0.5f, 0.5f, 0.5f}),
               ShapeDef(Sphere{0.1f}).at({0.3f, 0, -0.1f})};
    d.position = {1, 2, 3};
    d.rotation = normalize(Quatf{0.1f, -0.7f, 0.3f, 0.5f});
    return d;
}

TEST(Bodies, IdsOfRemovedBodiesAreStale) {
    World w;
    const BodyId a = w.add(crate("a")), b = w.add(crate("b"));
    EXPECT_TRUE(w.find<BodyId>("a") == a);
    w.remove(a);
    EXPECT_FALSE(w.isValid(a));
    EXPECT_TRUE(w.isValid(b));
    EXPECT_FALSE(w.find<BodyId>("a"));
    const BodyId c = w.add(crate("a")); // name and slot are free again
    EXPECT_EQ(c.index, a.index);
    EXPECT_FALSE(c == a);
    EXPECT_EQ(w.ids<BodyId>(), (std::vector<BodyId>{c, b}));
    CountChecks checks;
    expectNear(w.pose(a).position, {0, 0, 0}, 0);
    w.applyImpulse(a, {1, 0, 0});
    w.remove(a);
    w.remove(BodyId{});
    EXPECT_EQ(w.def(a).name, "");
    EXPECT_EQ(w.massProperties(a).mass, 0);
    EXPECT_EQ(checks.count(), 6);
    EXPECT_EQ(w.ids<BodyId>().size(), 2u);
}

TEST(Bodies, NamesAreUniqueAndMayBeLeftOut) {
    World w;
    const BodyId a = w.add(crate("a"));
    const Result<BodyId> again = w.tryAdd(crate("a"));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().where, "/name");
    EXPECT_TRUE(w.tryAdd(crate()));
    EXPECT_TRUE(w.tryAdd(crate()));
    EXPECT_FALSE(w.find<BodyId>("")); // an empty name finds no body
    EXPECT_EQ(w.def(a).name, "a");
    CountChecks checks;
    EXPECT_FALSE(w.add(crate("a")));
    EXPECT_EQ(checks.count(), 1);
}

TEST(Bodies, BadDefsAreErrorsAndChangeNothing) {
    const struct {
        const char* where;
        void (*spoil)(BodyDef&);
    } all[] = {
        {"/mass", [](BodyDef& d) { d.mass = -1; }},
        {"/mass", [](BodyDef& d) { d.mass = kNan; }},
        {"/density", [](BodyDef& d) { d.density = 0; }},
        {"/position", [](BodyDef& d) { d.position.y = kInf; }},
        {"/rotation", [](BodyDef& d) { d.rotation.w = kNan; }},
        {"/rotation",
         [](BodyDef& d) {
             d.rotation = {0, 0, 0, 0};
         }},
        {"/angularVelocity", [](BodyDef& d) { d.angularVelocity.z = kNan; }},
        {"/inertia",
         [](BodyDef& d) {
             d.inertia = {1, 1, 5};
         }},
        {"/damping", [](BodyDef& d) { d.damping = -1; }},
        {"/material/friction", [](BodyDef& d) { d.material.friction = kNan; }},
        {"/material/restitution", [](BodyDef& d) { d.material.restitution = 2; }},
        {"/shape/kind", [](BodyDef& d) { d.shape = Plane{}; }},
        {"/shape",
         [](BodyDef& d) {
             d.shape = {};
             d.mass = 0;
         }},
        {"/shape/size",
         [](BodyDef& d) {
             d.shape = Box{{1, 0, 1}};
         }},
    };
    World w;
    w.add(crate());
    const std::uint64_t before = w.hash();
    for (const auto& bad : all) {
        BodyDef d = crate();
        bad.spoil(d);
        const Result<BodyId> made = w.tryAdd(d);
        ASSERT_FALSE(made) << bad.where;
        EXPECT_EQ(made.error().where, bad.where) << made.error().what;
    }
    EXPECT_EQ(w.hash(), before);
    EXPECT_EQ(w.ids<BodyId>().size(), 1u);
}

TEST(Bodies, BadCallsFailACheckAndChangeNothing) {
    World w;
    BodyDef d = crate();
    const BodyId free = w.add(d);
    d.type = BodyType::Kinematic;
    const BodyId kinematic = w.add(d);
    d.type = BodyType::Static;
    const BodyId fixed = w.add(d);
    const std::uint64_t before = w.hash();
    CountChecks checks;
    w.teleport(free, {{kNan, 0, 0}, Quatf::identity()});
    w.teleport(free, {{0, 0, 0}, {0, kInf, 0, 1}});
    w.teleport(free, {{0, 0, 0}, {0, 0, 0, 0}});
    w.moveTo(kinematic, {{0, kNan, 0}, Quatf::identity()});
    w.moveTo(free, {});
    w.moveTo(fixed, {});
    w.setVelocity(free, {0, kNan, 0});
    w.setVelocity(kinematic, {0, 1, 0}); // a kinematic body moves with the velocity that is set
    w.setVelocity(fixed, {0, 1, 0});
    w.setAngularVelocity(free, {kInf, 0, 0});
    w.setAngularVelocity(kinematic, {1, 0, 0});
    w.applyImpulse(free, {kNan, 0, 0});
    w.applyImpulse(free, {1, 0, 0}, {kNan, 0, 0});
    w.applyAngularImpulse(free, {0, 0, kNan});
    w.applyForce(free, {0, 0, kNan});
    w.applyForce(free, {0, 0, 1}, {0, 0, kInf});
    w.applyTorque(free, {kNan, 0, 0});
    EXPECT_FALSE(w.castRay({kNan, 0, 0}, {1, 0, 0}, 1));
    EXPECT_FALSE(w.castRay({0, 0, 0}, {0, 0, 0}, 1));
    EXPECT_FALSE(w.castRay({0, 0, 0}, {1, 0, 0}, -1));
    EXPECT_FALSE(w.castRay({0, 0, 0}, {1, 0, 0}, kInf));
    EXPECT_EQ(checks.count(), 21);
    EXPECT_EQ(w.hash(), before);
}

TEST(Bodies, ForcesOnWhatDoesNotObeyThemHaveNoEffect) {
    World w;
    BodyDef d = crate();
    d.type = BodyType::Static;
    const BodyId wall = w.add(d);
    const std::uint64_t before = w.hash();
    w.applyImpulse(wall, {1, 2, 3});
    w.applyImpulse(wall, {1, 2, 3}, {1, 1, 1});
    w.applyAngularImpulse(wall, {1, 2, 3});
    w.applyForce(wall, {1, 2, 3});
    EXPECT_EQ(w.hash(), before);
    EXPECT_EQ(w.massProperties(wall).mass, 0);
    EXPECT_EQ(w.energy().total(), 0);
}

TEST(Bodies, TransformsOfACompoundComeBack) {
    World w;
    const BodyDef d = hammer();
    const BodyId b = w.add(d);
    ASSERT_GT(length(w.massProperties(b).centerOfMass), 0.01f);
    ASSERT_LT(std::fabs(w.massProperties(b).axes.w), 0.999f);
    expectNear(w.pose(b).position, d.position, 1e-6f);
    expectSame(w.pose(b).rotation, d.rotation);
    expectNear(w.centerOfMass(b), w.pose(b).point(w.massProperties(b).centerOfMass), 1e-6f);

    const Transform at = {{-4, 0.5f, 7}, normalize(Quatf{0.3f, 0.2f, -0.9f, 0.1f})};
    w.teleport(b, {at.position, 3.0f * at.rotation}); // teleport normalises the quaternion
    expectNear(w.pose(b).position, at.position, 2e-6f);
    expectSame(w.pose(b).rotation, at.rotation);
    expectNear(w.centerOfMass(b), at.point(w.massProperties(b).centerOfMass), 2e-6f);
}

TEST(Bodies, PlacingKeepsVelocityAndSpin) {
    World w;
    const BodyId b = w.add(hammer());
    w.setVelocity(b, {1, 2, 3});
    w.setAngularVelocity(b, {-3, 2, 1});
    w.teleport(b, {{0, 9, 0}, normalize(Quatf{1, 2, 3, 4})});
    expectNear(w.velocity(b), {1, 2, 3}, 1e-6f);
    expectNear(w.angularVelocity(b), {-3, 2, 1}, 1e-5f);
}

TEST(Bodies, StartWithTheVelocityAndSpinOfTheirDef) {
    World w;
    BodyDef d = hammer();
    d.velocity = {1, -2, 0.5f};
    d.angularVelocity = {0.1f, 7, -3};
    const BodyId b = w.add(d);
    expectNear(w.velocity(b), d.velocity, 1e-6f);
    expectNear(w.angularVelocity(b), d.angularVelocity, 1e-5f);
}

TEST(Bodies, PushesChangeMomentumAtOnce) {
    World w;
    BodyDef d = crate(); // 3 kg; I = m (b^2 + c^2) / 12
    d.rotation = Quatf::fromAxisAngle({0, 0, 1}, kPi / 2);
    const BodyId b = w.add(d);
    w.applyImpulse(b, {3, 0, 0});
    expectNear(w.velocity(b), {1, 0, 0}, 1e-6f);
    expectNear(w.angularVelocity(b), {0, 0, 0}, 0);
    // The impulse along -x acts 0.1 m above the centre. Its moment is (0, 0, 0.6) N m s, along the body's own z axis.
    w.applyImpulse(b, {-6, 0, 0}, {0, 0.1f, 0});
    expectNear(w.velocity(b), {-1, 0, 0}, 1e-6f);
    const float iz = 3 * (0.04f + 0.16f) / 12, ix = 3 * (0.16f + 0.36f) / 12, iy = 3 * (0.04f + 0.36f) / 12;
    expectNear(w.angularVelocity(b), {0, 0, 0.6f / iz}, 1e-5f);
    // The body is rotated by 90 degrees about z: the world's x is the body's -y, and the world's y is the body's x.
    w.applyAngularImpulse(b, {2, 3, 0});
    expectNear(w.angularVelocity(b), {2 / iy, 3 / ix, 0.6f / iz}, 1e-4f);
    w.setAngularVelocity(b, {1, 2, 3});
    expectNear(w.angularVelocity(b), {1, 2, 3}, 1e-5f);
}

TEST(Bodies, EnergyIsThatOfTheFormula) {
    World w({.gravity = {0, -10, 0}});
    BodyDef d;
    d.shape = Sphere{0.5f};
    d.mass = 2;
    d.position = {0, 3, 0};
    d.velocity = {0, 0, 4};
    d.angularVelocity = {1, 2, 2}; // 9 = |w|^2; I = 2/5 m r^2 = 0.2
    w.add(d);
    EXPECT_NEAR(w.energy().kinetic, 0.5 * 2 * 16 + 0.5 * 0.2 * 9, 1e-6);
    EXPECT_NEAR(w.energy().potential, 2 * 10 * 3, 1e-5);
    EXPECT_EQ(w.energy().elastic, 0);
}

TEST(Bodies, ARayMeetsTheNearestBody) {
    World w;
    BodyDef d;
    d.shape = Box{{2, 2, 2}};
    d.position = {5, 0, 0};
    d.rotation = Quatf::fromAxisAngle({0, 0, 1}, kPi / 4); // an edge points to the origin
    const BodyId near = w.add(d);
    d.position = {9, 0, 0};
    d.rotation = Quatf::identity();
    const BodyId far = w.add(d);
    RayHit hit = w.castRay({0, 0.25f, 0}, {3, 0, 0}, 100); // a direction may have any length
    ASSERT_TRUE(hit.object.as<BodyId>() == near);
    EXPECT_NEAR(hit.distance, 5 - std::sqrt(2.0f) + 0.25f, 1e-5);
    expectNear(hit.point, {hit.distance, 0.25f, 0}, 1e-5f);
    expectNear(hit.normal, {-std::sqrt(0.5f), std::sqrt(0.5f), 0}, 1e-5f);
    hit = w.castRay({20, 0.5f, 0}, {-1, 0, 0}, 100);
    ASSERT_TRUE(hit.object.as<BodyId>() == far);
    EXPECT_NEAR(hit.distance, 10, 1e-5);
    expectNear(hit.normal, {1, 0, 0}, 1e-6f);
    EXPECT_FALSE(w.castRay({0, 0.25f, 0}, {1, 0, 0}, 3.5f)); // 3.5 m is too short
    // The ray passes above both bodies: the upper edge is at sqrt(2).
    EXPECT_FALSE(w.castRay({0, 1.5f, 0}, {1, 0, 0}, 100));
    EXPECT_FALSE(w.castRay({0, 0, 0}, {-1, 0, 0}, 100));
    w.remove(near);
    EXPECT_TRUE(w.castRay({0, 0.25f, 0}, {1, 0, 0}, 100).object.as<BodyId>() == far);
}

TEST(Bodies, ARayMeetsThePartsOfAPlacedCompound) {
    World w;
    BodyDef d;
    d.shape = Sphere{0.5f};
    d.parts = {ShapeDef(Sphere{0.25f}).at({2, 0, 0})};
    const BodyId b = w.add(d);
    // The part is above the other shapes.
    w.teleport(b, {{0, 10, 0}, Quatf::fromAxisAngle({0, 0, 1}, kPi / 2)});
    const RayHit hit = w.castRay({0, 20, 0}, {0, -1, 0}, 50);
    ASSERT_TRUE(hit.object.as<BodyId>() == b);
    expectNear(hit.point, {0, 12.25f, 0}, 1e-5f);
    expectNear(hit.normal, {0, 1, 0}, 1e-5f);
    EXPECT_FALSE(w.castRay({2, 20, 0}, {0, -1, 0}, 50));
}

TEST(Bodies, ARayMeetsAFloorAndAMesh) {
    World w;
    BodyDef d;
    d.type = BodyType::Static;
    d.shape = Plane{};
    d.position = {0, -2, 0};
    const BodyId floor = w.add(d);
    d.shape = Mesh{{{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}, {{0, 1, 2}}};
    d.position = {0, 3, 0};
    const BodyId sheet = w.add(d);
    RayHit hit = w.castRay({0, 10, 0}, {0, -1, 0}, 100);
    ASSERT_TRUE(hit.object.as<BodyId>() == sheet);
    expectNear(hit.point, {0, 3, 0}, 1e-6f);
    expectNear(hit.normal, {0, 1, 0}, 1e-6f);
    hit = w.castRay({0, 0, 0}, {0, 1, 0}, 100); // the ray hits the opposite side
    ASSERT_TRUE(hit.object.as<BodyId>() == sheet);
    expectNear(hit.normal, {0, -1, 0}, 1e-6f);
    hit = w.castRay({50, 10, 50}, {0, -1, 0}, 100);
    ASSERT_TRUE(hit.object.as<BodyId>() == floor);
    expectNear(hit.point, {50, -2, 50}, 1e-5f);
    EXPECT_FALSE(w.castRay({50, 10, 50}, {1, 0, 0}, 1e6f));
}

TEST(Bodies, SnapshotsHoldBodies) {
    World w;
    const BodyId a = w.add(hammer()), b = w.add(crate("b"));
    w.applyImpulse(a, {1, 2, 3}, {0, 5, 0});
    const Snapshot then = w.snapshot();
    const std::uint64_t before = w.hash();
    w.remove(b);
    w.teleport(a, {{0, 0, 0}, Quatf::identity()});
    w.applyAngularImpulse(a, {1, 0, 0});
    const BodyId c = w.add(crate("c"));
    EXPECT_NE(w.hash(), before);
    w.restore(then);
    EXPECT_EQ(w.hash(), before);
    EXPECT_TRUE(w.isValid(a) && w.isValid(b));
    EXPECT_FALSE(w.isValid(c));
    EXPECT_TRUE(w.find<BodyId>("b") == b);
    w.remove(b);
    EXPECT_EQ(w.add(crate()).index, b.index); // the slot is reused
}

TEST(Bodies, TheHashOfAWorldKnowsItsBodies) {
    World w, empty;
    const BodyId a = w.add(crate());
    const std::uint64_t one = w.hash();
    EXPECT_NE(one, empty.hash());
    w.applyAngularImpulse(a, {0, 1e-6f, 0});
    EXPECT_NE(w.hash(), one);
    const std::size_t bytes = w.bytes();
    for (int i = 0; i < 100; ++i) w.add(hammer());
    EXPECT_GT(w.bytes(), bytes + 100 * 500);
    for (BodyId b : w.ids<BodyId>()) w.remove(b);
    EXPECT_EQ(w.hash(), empty.hash());
}

TEST(Bodies, SurviveThePackingOfRopes) {
    World w;
    const BodyId b = w.add(hammer());
    const Transform at = w.pose(b);
    std::vector<RopeId> ropes;
    for (int i = 0; i < 20; ++i) ropes.push_back(w.add(hundredNodes(0, false, float(i))));
    for (RopeId r : ropes) w.remove(r); // the remaining ropes are moved in memory
    expectNear(w.pose(b).position, at.position, 0);
    expectSame(w.pose(b).rotation, at.rotation);
}

} // namespace
} // namespace capstan
