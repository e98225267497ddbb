// SPDX-License-Identifier: MIT
// Ropes, bodies and joints that touch: drums, pulleys, impacts. Truth from mechanics on paper.
#include "touching.hpp"

namespace capstan {
namespace {

constexpr float kRopeRadius = 0.005f, kDrumRadius = 0.1f;
constexpr double kArm = 0.105; // of a rope on the drum

BodyDef drum(float mass, float friction) {
    BodyDef d = poleAlongZ({0, 0, 0}, kDrumRadius, 0.2f, friction);
    d.type = BodyType::Dynamic, d.mass = mass;
    return d;
}

// A rope over a drum that a motor turns, the same load on both sides: it sticks and goes at omega (R + r).
TEST(TouchMachines, ADrumCarriesTheRope) {
    World w;
    const BodyId wheel = w.add(drum(2, 0.6f));
    JointDef axle = joint(JointType::Motor, BodyRef{}, wheel, {0, 0, 0}, {0, 0, 1});
    axle.velocity = 0;
    const JointId motor = w.add(axle);
    RopeDef d = over(0, kDrumRadius, 1, 1, 120, kRopeRadius);
    d.mass = 0.2f, d.friction = 0.6f, d.loads = {{first, 0.2f}, {last, 0.2f}};
    const RopeId rope = w.add(d);
    for (int i = 0; i < 30; ++i) w.step(kFrame);
    double angle = 0, high = 0;
    const double omega = 3;
    for (int i = 0; i < 90; ++i) {
        w.setTarget(motor, narrow(omega * std::min(1.0, i / 30.0)));
        w.step(kFrame);
        if (i == 44) angle = w.read(motor).angle, high = at(w, rope, last).y;
    }
    const double turned = w.read(motor).angle - angle, lifted = at(w, rope, last).y - high;
    EXPECT_NEAR(turned, 45.0 / 60 * omega, 0.01 * turned);
    EXPECT_NEAR(lifted, turned * kArm, 0.01 * turned * kArm);
    EXPECT_LT(w.report().maxStretch, 0.01);
}

// Atwood: (m1 - m2) g / (m1 + m2 + m + I / (R + r)^2), rope of mass m and a wheel of inertia I = M R^2 / 2.
TEST(TouchMachines, AtwoodsPulley) {
    World w;
    const BodyId wheel = w.add(drum(1, 0.8f));
    w.add(joint(JointType::Hinge, BodyRef{}, wheel, {0, 0, 0}, {0, 0, 1}));
    RopeDef d = over(0, kDrumRadius, 0.6f, 0.6f, 100, kRopeRadius);
    d.mass = 0.05f, d.friction = 0.8f, d.loads = {{first, 0.8f}, {last, 1}};
    const RopeId rope = w.add(d);
    const double I = 0.5 * 1 * 0.1 * 0.1, moved = 0.8 + 1 + 0.05 + I / (kArm * kArm), a = 0.2 * kG / moved;
    double v0 = 0, y0 = 0;
    for (int i = 0; i < 36; ++i) {
        w.step(kFrame);
        if (i == 5) v0 = -w.velocities(rope).back().y, y0 = at(w, rope, last).y; // the slack is out
    }
    const double t = 30.0 / 60, v1 = -w.velocities(rope).back().y, fallen = y0 - at(w, rope, last).y;
    EXPECT_NEAR((v1 - v0) / t, a, 0.03 * a);
    EXPECT_NEAR(fallen, 0.5 * (v0 + v1) * t, 0.02 * fallen);
    // The rope does not slip. Seen from +z the right side goes down: clockwise.
    EXPECT_NEAR(-w.spin(wheel).z * kArm, v1, 0.02 * v1);
    const double down = 1 * (kG - a), up = 0.8 * (kG + a); // what the loads pull with
    EXPECT_NEAR(w.tension(rope).back(), down, 0.03 * down);
    EXPECT_NEAR(w.tension(rope).front(), up, 0.03 * up);
}

} // namespace
} // namespace capstan
