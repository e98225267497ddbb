// SPDX-License-Identifier: MIT
// Readings that were wrong: NaN of joints that cannot be solved, contacts and impacts of an earlier step.
#include "../world/worlds.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace capstan {
namespace {

bool finite(Vec3 a) { return std::isfinite(a.x + a.y + a.z); }

// A joint whose anchor is 1e38 m away cannot be solved. Its reading was NaN, and the next substep began with it. So the
// joint was lost for ever, even after its body was freed of the other one.
TEST(Readings, AJointThatCannotBeSolvedIsFinite) {
    for (JointSolver solver : {JointSolver::Tree, JointSolver::Xpbd}) {
        World w({.jointSolver = solver});
        BodyDef ball;
        ball.shape = Sphere{0.1f};
        ball.mass = 1;
        const BodyId a = w.add(ball);
        ball.position = {0, 1, 0};
        const BodyId b = w.add(ball);
        JointDef far;
        far.type = JointType::Ball;
        far.body0 = a;
        far.body1 = b;
        far.anchor = {1e38f, 0, 0};
        const JointId joint = w.add(far);
        for (int i = 0; i < 5; ++i) {
            w.step(1.0f / 60);
            const JointForces f = w.jointForces(joint);
            EXPECT_TRUE(finite(f.force) && finite(f.torque) && std::isfinite(f.angle + f.distance + f.gap))
                << i;
            EXPECT_TRUE(finite(w.position(a)) && finite(w.velocity(b))) << i;
        }
    }
}

// Masses whose weight is beyond a float are refused, with the number.
TEST(Readings, ImmenseMassesAreRefusedWithTheNumber) {
    World w;
    BodyDef b;
    b.shape = Sphere{0.1f};
    b.mass = 1e38f;
    const Result<BodyId> body = w.tryAdd(b);
    ASSERT_FALSE(body);
    EXPECT_EQ(body.error().where, "/mass");
    EXPECT_NE(body.error().what.find("1e+30 kg"), std::string::npos) << body.error().what;
    RopeDef r;
    r.to = {1, 0, 0};
    r.mass = 1e38f;
    const Result<RopeId> rope = w.tryAdd(r);
    ASSERT_FALSE(rope);
    EXPECT_NE(rope.error().what.find("at most 1e+30 kg"), std::string::npos) << rope.error().what;
}

// A sheet at 1e38 m had infinite strains: the square of a length was beyond a float.
TEST(Readings, AClothThatIsTooFarIsRefusedWithTheNumber) {
    World w;
    ClothDef c;
    c.origin = {1e38f, 0, 0};
    const Result<ClothId> made = w.tryAdd(c);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().where, "/origin");
    EXPECT_NE(made.error().what.find("1e+15"), std::string::npos) << made.error().what;
}

// The report went on counting the contacts of a sheet that was removed.
TEST(Readings, ARemovedSheetHasNoContacts) {
    World w;
    BodyDef ground;
    ground.type = BodyType::Static;
    ground.shape = Plane{};
    w.add(ground);
    ClothDef c;
    c.cellsU = c.cellsV = 4;
    c.origin = {0, 0.02f, 0};
    const ClothId sheet = w.add(c);
    c.origin = {5, 3, 0}; // another one, in the air, keeps cloth going
    w.add(c);
    for (int i = 0; i < 20; ++i) w.step(1.0f / 60);
    EXPECT_GT(w.report().contacts, 0);
    w.remove(sheet);
    w.step(1.0f / 60);
    EXPECT_EQ(w.report().contacts, 0);
}

// A ball bounces within a step, which begins and ends a contact. Without contact nothing does.
TEST(Readings, WithoutContactThereIsNoImpactOfAnEarlierStep) {
    World w;
    BodyDef ground;
    ground.type = BodyType::Static;
    ground.shape = Plane{};
    w.add(ground);
    BodyDef ball;
    ball.shape = Sphere{0.1f};
    ball.mass = 1;
    ball.position = {0, 0.11f, 0};
    ball.velocity = {0, -5, 0};
    ball.material.restitution = 1;
    w.add(ball);
    w.step(1.0f / 60);
    ASSERT_FALSE(w.events().empty());
    WorldDef d = w.def();
    d.contact = false;
    w.configure(d);
    w.step(1.0f / 60);
    for (int i = 0; i < 3; ++i) {
        w.step(1.0f / 60);
        EXPECT_TRUE(w.events().empty()) << i;
    }
}

} // namespace
} // namespace capstan
