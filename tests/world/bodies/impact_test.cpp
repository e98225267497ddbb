// SPDX-License-Identifier: MIT
// Tests of impacts of bodies: restitution and conserved quantities.
//     height of a rebound = e^2 h,    m1 v1 + m2 v2 is conserved
#include <tests/world/bodies/piles.hpp>

#include <gtest/gtest.h>

namespace capstan {
namespace {

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

} // namespace
} // namespace capstan
