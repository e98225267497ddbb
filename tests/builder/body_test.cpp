// SPDX-License-Identifier: MIT
// Tests of bodies built from their Defs: mass, centre and principal axes by textbook formulas, initial poses, and
// Defs that are refused.
#include "builder/body.hpp"
#include "builder/field_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace capstan {
namespace {

struct Made {
    Body body;
    BodyState state;
};
Made made(const BodyDef& d) {
    Made m;
    const Status s = makeBody(d, m.body, m.state);
    EXPECT_TRUE(s) << (s ? "" : s.error().text());
    return m;
}

std::string placeOf(const BodyDef& d) {
    const Status s = checkBody(d);
    return s ? "sound" : s.error().where;
}

void expectNear(Vec3d a, Vec3d b, double tolerance) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(BodyTest, BoxFromDensity) {
    const Made m = made({.shape = Box{{1, 2, 4}}, .density = 3, .position = {7, 8, 9}});
    EXPECT_TRUE(m.body.alive);
    EXPECT_DOUBLE_EQ(m.body.mass, 24);
    expectNear(m.body.inertia, {40, 34, 10}, 1e-13);
    EXPECT_FLOAT_EQ(m.body.massProperties.mass, 24);
    EXPECT_FLOAT_EQ(m.body.massProperties.inertia.y, 34);
    EXPECT_TRUE(m.state.x == (Vec3d{7, 8, 9}));
    EXPECT_EQ(m.state.q.w, 1);
    EXPECT_EQ(m.body.shapes.size(), 1u);
    EXPECT_FALSE(m.state.history);
}

TEST(BodyTest, MassScalesTheInertiaOfTheShapes) {
    const Made m = made({.shape = Sphere{0.5f}, .density = 7, .mass = 10});
    EXPECT_DOUBLE_EQ(m.body.mass, 10);
    expectNear(m.body.inertia, {1, 1, 1}, 1e-14);
}

TEST(BodyTest, GivenInertiaIsTaken) {
    const Made bare = made({.mass = 2, .inertia = {1, 2, 3}, .centerOfMass = Vec3{0, 1, 0}});
    expectNear(bare.body.inertia, {1, 2, 3}, 0);
    expectNear(bare.state.x, {0, 1, 0}, 0);
    const Made shaped = made({.shape = Box{{1, 1, 1}}, .density = 5, .inertia = {1, 2, 2}});
    EXPECT_DOUBLE_EQ(shaped.body.mass, 5);
    expectNear(shaped.body.inertia, {1, 2, 2}, 0);
}

TEST(BodyTest, GivenCenterKeepsTheInertia) {
    const Made m = made({.shape = Box{{1, 2, 4}}, .density = 3, .centerOfMass = Vec3{0.5f, 0, 0}});
    expectNear(m.body.principal.x, {0.5, 0, 0}, 0);
    expectNear(m.body.inertia, {40, 34, 10}, 1e-13);
}

// A dumb-bell: two balls at x = 1 and x = -1, the first of twice the density. The centre is at (2 - 1) / 3. The
// inertia across the x axis is the balls' own inertia plus m d^2.
TEST(BodyTest, PartsTakeTheBodysDensityOrTheirOwn) {
    ShapeDef heavy = ShapeDef(Sphere{0.5f}).at({1, 0, 0});
    heavy.density = 200;
    const Made m = made({.parts = {heavy, ShapeDef(Sphere{0.5f}).at({-1, 0, 0})}, .density = 100});
    const double ball = 3.14159265358979323846 / 6 * 100;
    EXPECT_NEAR(m.body.mass, 3 * ball, 1e-10);
    expectNear(m.body.principal.x, {1.0 / 3, 0, 0}, 1e-14);
    const double own = 0.1 * 3 * ball, across = own + ball * (2 * 4.0 / 9 + 16.0 / 9);
    expectNear(m.body.inertia, {own, across, across}, 1e-10);
    EXPECT_EQ(m.body.principal.q.w, 1);
    EXPECT_EQ(m.body.shapes.size(), 2u);
}

// The principal axes in the world do not depend on how the shape is rotated within the body.
TEST(BodyTest, TurnedShapeHasTurnedPrincipalAxes) {
    const Quatf turn = {0.1f, 0.2f, 0.3f, 0.9f};
    const Made m = made({.shape = ShapeDef(Box{{1, 2, 4}}).at({1, 2, 3}, turn), .density = 3});
    const Sym3<double> body = congruence(toMat3(m.body.principal.q), Sym3<double>::diagonal(m.body.inertia));
    const Sym3<double> truth = congruence(toMat3(unitRotation(turn)), Sym3<double>::diagonal({40, 34, 10}));
    EXPECT_NEAR(body.xx, truth.xx, 1e-12);
    EXPECT_NEAR(body.yz, truth.yz, 1e-12);
    EXPECT_NEAR(body.xy, truth.xy, 1e-12);
    expectNear(m.state.x, {1, 2, 3}, 1e-14);
    EXPECT_NEAR(length(Quatd{widen(m.body.massProperties.axes.x), widen(m.body.massProperties.axes.y),
                             widen(m.body.massProperties.axes.z), widen(m.body.massProperties.axes.w)} -
                       m.body.principal.q),
                0, 1e-6);
}

TEST(BodyTest, StartsWhereItIsTold) {
    std::mt19937 random(9);
    std::uniform_real_distribution<float> any(-1, 1);
    for (int trial = 0; trial < 100; ++trial) {
        const Quatf q = {any(random), any(random), any(random), any(random)};
        const Vec3 spin = {any(random), any(random), any(random)};
        const Made m = made({.shape = ShapeDef(Box{{1, 2, 4}}).at({1, 0, 0}, {0.3f, 0, 0.1f, 1}),
                             .density = 3,
                             .position = {5, 6, 7},
                             .rotation = q,
                             .velocity = {1, 2, 3},
                             .angularVelocity = spin});
        const Mat3<double> R = toMat3(unitRotation(q));
        expectNear(m.state.x, Vec3d{5, 6, 7} + R.x, 1e-6);
        expectNear(m.state.v, {1, 2, 3}, 0);
        // L = R S I S^T R^T w, where R is the rotation of the body, S that of the box in the body, and w the angular
        // velocity.
        const Mat3<double> RS = R * toMat3(unitRotation({0.3f, 0, 0.1f, 1}));
        expectNear(m.state.L, congruence(RS, Sym3<double>::diagonal({40, 34, 10})) * widen(spin), 1e-4);
        const Quatf d = m.body.def.rotation;
        EXPECT_NEAR(length(d), 1, 1e-6);
    }
}

TEST(BodyTest, UnitRotationKeepsItsBits) {
    std::mt19937 random(10);
    std::uniform_real_distribution<float> any(-1, 1);
    for (int trial = 0; trial < 1000; ++trial) {
        BodyDef d = {.shape = Sphere{1}, .rotation = {any(random), any(random), any(random), any(random)}};
        const Made first = made(d);
        const Made again = made(first.body.def);
        EXPECT_EQ(first.body.def.rotation.x, again.body.def.rotation.x);
        EXPECT_EQ(first.body.def.rotation.w, again.body.def.rotation.w);
        EXPECT_EQ(first.state.q.x, again.state.q.x);
        EXPECT_EQ(first.state.q.w, again.state.q.w);
    }
}

TEST(BodyTest, OnlyDynamicBodiesHaveMass) {
    for (BodyType type : {BodyType::Static, BodyType::Kinematic}) {
        const Made m = made({.type = type,
                             .shape = ShapeDef(Box{{1, 1, 1}}).at({1, 0, 0}),
                             .position = {0, 2, 0},
                             .angularVelocity = {1, 1, 1}});
        EXPECT_EQ(m.body.mass, 0);
        EXPECT_EQ(m.body.massProperties.mass, 0);
        EXPECT_EQ(m.body.massProperties.inertia.x, 0);
        expectNear(m.state.x, {1, 2, 0}, 0);
        expectNear(m.state.L, {0, 0, 0}, 0);
        EXPECT_EQ(placeOf({.type = type}), "sound");
    }
}

Mesh triangle() { return {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 2, 1}}}; }

// A plane or a mesh has no volume. If no shape has a volume, the centre of mass is the origin of the first
// shape. Otherwise it is that of the solids.
TEST(BodyTest, PlanesAndMeshesAreForWhatDoesNotFall) {
    for (BodyType type : {BodyType::Kinematic, BodyType::Static}) {
        const Made floor = made({.type = type, .shape = Plane{}, .position = {1, 2, 3}});
        expectNear(floor.state.x, {1, 2, 3}, 0);
        EXPECT_EQ(floor.state.q.w, 1);
        EXPECT_EQ(floor.body.massProperties.mass, 0);
        const Made corner = made({.type = type,
                                  .shape = ShapeDef(Plane{}).at({0, 1, 0}),
                                  .parts = {ShapeDef(Plane{}).at({5, 0, 0}, {0, 0, 1, 1}), triangle()},
                                  .position = {1, 2, 3}});
        EXPECT_EQ(corner.body.shapes.size(), 3u);
        expectNear(corner.state.x, {1, 3, 3}, 0);
        const Made post = made({.type = type, .parts = {triangle(), ShapeDef(Box{{1, 1, 1}}).at({0, 4, 0})}});
        expectNear(post.state.x, {0, 4, 0}, 0);
        for (const Made& m : {floor, corner, post})
            for (double a :
                 {m.state.x.x, m.state.q.w, m.body.inertia.x, double(m.body.massProperties.centerOfMass.x)})
                EXPECT_TRUE(std::isfinite(a));
    }
}

TEST(BodyTest, PlanesAndMeshesAreRefusedOnDynamicBodies) {
    EXPECT_EQ(placeOf({.shape = Plane{}}), "/shape/kind");
    EXPECT_EQ(checkBody({.shape = Plane{}}).error().what,
              "a plane has no mass; its body must be static or kinematic");
    EXPECT_EQ(placeOf({.shape = triangle()}), "/shape/kind");
    EXPECT_EQ(checkBody({.shape = triangle()}).error().what,
              "a mesh has no mass; its body must be static or kinematic");
    EXPECT_EQ(placeOf({.shape = triangle(), .mass = 1, .inertia = {1, 1, 1}}), "/shape/kind");
    EXPECT_EQ(placeOf({.shape = Sphere{1}, .parts = {Sphere{1}, Plane{}}}), "/parts/1/kind");
    EXPECT_EQ(placeOf({.parts = {triangle(), Sphere{1}}}), "/parts/0/kind");
    Mesh bad = triangle();
    bad.triangles.push_back({0, 1, 3});
    EXPECT_EQ(placeOf({.type = BodyType::Static, .parts = {Sphere{1}, bad}}), "/parts/1/triangles/1");
    ShapeDef kindless;
    kindless.triangles = {{0, 1, 2}};
    EXPECT_EQ(placeOf({.type = BodyType::Static, .shape = kindless}), "/shape/kind");
}

TEST(BodyTest, GenerationIsKeptAndErrorsTouchNothing) {
    Body b;
    BodyState s;
    b.generation = 17;
    ASSERT_TRUE(makeBody({.shape = Sphere{1}, .position = {1, 2, 3}}, b, s));
    EXPECT_EQ(b.generation, 17u);
    EXPECT_FALSE(makeBody({.shape = Sphere{-1}}, b, s));
    EXPECT_EQ(s.x.z, 3);
    EXPECT_TRUE(b.alive);
}

TEST(BodyTest, NamesTheFieldThatIsWrong) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const ShapeDef ball = Sphere{1};
    EXPECT_EQ(placeOf({}), "/shape");
    EXPECT_EQ(checkBody({}).error().what, "a dynamic body needs a shape, or mass and inertia");
    EXPECT_EQ(placeOf({.mass = 1}), "/shape");
    EXPECT_EQ(placeOf({.inertia = {1, 1, 1}}), "/shape");
    EXPECT_EQ(placeOf({.shape = Box{{1, 0, 1}}}), "/shape/size");
    EXPECT_EQ(placeOf({.shape = Box{{1, -1, 1}}}), "/shape/size");
    EXPECT_EQ(placeOf({.shape = Box{{1, nan, 1}}}), "/shape/size");
    EXPECT_EQ(placeOf({.parts = {ball, Box{{1, 1, 0}}}}), "/parts/1/size");
    EXPECT_EQ(placeOf({.parts = {ball, ShapeDef{}}}), "/parts/1/kind");
    EXPECT_EQ(placeOf({.parts = {Hull{{{0, 0, 0}, {1, 0, 0}, {0, nan, 0}}}}}), "/parts/0/points/2");
    ShapeDef kindless;
    kindless.radius = 1;
    EXPECT_EQ(placeOf({.type = BodyType::Static, .shape = kindless}), "/shape/kind");
    EXPECT_EQ(placeOf({.shape = ball.at({0, 0, 0}, {0, 0, 0, 0})}), "/shape/rotation");
    EXPECT_EQ(placeOf({.shape = ball, .rotation = {0, 0, 0, 0}}), "/rotation");
    EXPECT_EQ(placeOf({.shape = ball, .rotation = {0, 0, 0, nan}}), "/rotation");
    EXPECT_EQ(placeOf({.shape = ball, .rotation = {0, 0, 0, 1e-30f}}), "sound");
    EXPECT_EQ(placeOf({.shape = ball, .density = 0}), "/density");
    EXPECT_EQ(placeOf({.shape = ball, .mass = -1}), "/mass");
    EXPECT_EQ(placeOf({.shape = ball, .mass = inf}), "/mass");
    EXPECT_EQ(placeOf({.shape = ball, .mass = 1e-10f}), "/mass");
    EXPECT_EQ(placeOf({.shape = ball, .inertia = {1, 1, 0}}), "/inertia");
    EXPECT_EQ(placeOf({.shape = ball, .inertia = {1, 1, 2.1f}}), "/inertia");
    EXPECT_EQ(placeOf({.shape = ball, .inertia = {1, 1, 2}}), "sound");
    EXPECT_EQ(placeOf({.shape = ball, .inertia = {1e-20f, 1e-20f, 1e-20f}}), "/inertia");
    EXPECT_EQ(placeOf({.shape = Sphere{1e-6f}}), "/shape");
    EXPECT_EQ(placeOf({.parts = {Sphere{1e13f}}}), "/parts");
    EXPECT_EQ(placeOf({.shape = ball, .centerOfMass = Vec3{0, nan, 0}}), "/centerOfMass");
    EXPECT_EQ(placeOf({.shape = ball, .velocity = {inf, 0, 0}}), "/velocity");
    EXPECT_EQ(placeOf({.shape = ball, .damping = -1}), "/damping");
    EXPECT_EQ(placeOf({.shape = ball, .material = {.friction = -0.1f}}), "/material/friction");
    EXPECT_EQ(placeOf({.shape = ball, .material = {.friction = nan}}), "/material/friction");
    EXPECT_EQ(placeOf({.shape = ball, .material = {.staticFriction = -1}}), "/material/staticFriction");
    EXPECT_EQ(placeOf({.shape = ball, .material = {.restitution = -0.1f}}), "/material/restitution");
    EXPECT_EQ(placeOf({.shape = ball, .material = {.restitution = 1.1f}}), "/material/restitution");
    EXPECT_EQ(placeOf({.shape = ball, .filter = {0, 0, -1}}), "sound");
}

TEST(FieldCheckTest, LooksAtWhatIsThere) {
    JointDef j;
    j.body0 = "nobody";
    EXPECT_FALSE(checkFields(j)); // an optional field without a value has no range
    j.distance.target = 0.0f;
    EXPECT_FALSE(checkFields(j));
    j.turn.damping = -1.0f;
    EXPECT_EQ(checkFields(j)->where, "/turn/damping");
    j.reference = Vec3{0, std::numeric_limits<float>::infinity(), 0};
    EXPECT_EQ(checkFields(j)->where, "/reference"); // of several errors the first is reported
}

} // namespace
} // namespace capstan
