// SPDX-License-Identifier: MIT
// Tests of friction of bodies: sticking, sliding and rolling, against Coulomb's law and rolling without slip.
//     a = g (sin angle - mu cos angle),    a rolling ball: a = 5/7 g sin angle
#include <tests/world/bodies/piles.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace capstan {
namespace {

// A plane that slopes down towards +x, and a body on it. The body is rotated by `yaw` about the plane's normal.
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
    const float v = w.velocity(id).x; // without rolling friction the ball keeps rolling
    run(w, 10);
    EXPECT_NEAR(w.velocity(id).x, v, 1e-3f);
}

} // namespace
} // namespace capstan
