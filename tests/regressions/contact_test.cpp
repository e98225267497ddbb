// SPDX-License-Identifier: MIT
// Contact that once went wrong: ropes with a very short segment, ropes laid inside a drum, and fast bodies at thin walls.
#include "../world/worlds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace capstan {
namespace {

constexpr float kPi = 3.14159265f;

BodyDef drum(float friction) {
    BodyDef b;
    b.type = BodyType::Static;
    b.shape.kind = ShapeKind::Cylinder;
    b.shape.radius = 0.2f;
    b.shape.length = 0.2f;
    b.rotation = {0.70710678f, 0, 0, 0.70710678f};
    b.material.friction = friction;
    return b;
}

// Over a drum of 0.2 m, with both ends hanging down; `deep`: how far inside of it the rope is laid.
RopeDef over(float friction, float deep, float side) {
    RopeDef d;
    d.radius = 0.01f;
    d.mass = 0.1f;
    d.segments = 0; // the points are the nodes
    d.material.friction = friction;
    const float r = 0.21f - deep, step = 0.02f;
    const int straight = int(side / step), bent = int(kPi * r / step);
    for (int i = 0; i < straight; ++i) d.points.push_back({-r, -side + float(i) * step, 0});
    for (int i = 0; i <= bent; ++i) {
        const float a = kPi * (1 - float(i) / float(bent));
        d.points.push_back({r * std::cos(a), r * std::sin(a), 0});
    }
    for (int i = 1; i <= straight; ++i) d.points.push_back({r, -float(i) * step, 0});
    return d;
}

// Acceleration of the heavier end of an Atwood machine; tiny: length of an additional segment, 0 for none.
double atwood(float tiny, int after, int substeps) {
    World w({.substeps = substeps});
    w.add(drum(0));
    RopeDef d = over(0, -0.0002f, 1);
    d.loads = {{0, 1.0f}, {-1, 1.35f}};
    if (tiny > 0) {
        const Vec3 a = d.points[std::size_t(after)], b = d.points[std::size_t(after) + 1],
                   way = (1 / length(b - a)) * (b - a);
        const Vec3 middle = 0.5f * (a + b);
        d.points.insert(d.points.begin() + after + 1, {middle, middle + tiny * way});
    }
    const RopeId id = w.add(d);
    for (int i = 0; i < 10; ++i) w.step(1.0f / 60);
    const double y = double(w.positions(id).back().y), v = double(w.velocities(id).back().y), t = w.time();
    for (int i = 0; i < 30; ++i) w.step(1.0f / 60);
    const double passed = w.time() - t;
    return -2 * (double(w.positions(id).back().y) - y - v * passed) / (passed * passed);
}

// With a segment of 30 um in it this machine stood still, and another one ran backwards. The neighbours of the short
// segment were pushed apart as if it were as long as the others.
TEST(RegressionContact, AnAtwoodMachineRunsWithAVeryShortSegment) {
    const double without = atwood(0, 0, 4);
    EXPECT_NEAR(without, 0.35 * 9.81 / 2.45, 0.05);
    for (float tiny : {5e-3f, 3e-5f, 2e-6f})
        for (int after : {25, 65}) EXPECT_NEAR(atwood(tiny, after, 4), without, 0.01) << tiny;
    EXPECT_NEAR(atwood(3e-5f, 65, 16), without, 0.02);
}

TEST(RegressionContact, ASegmentOfNearlyNoLengthIsRefusedWithItsNumber) {
    World w;
    RopeDef d;
    d.segments = 0;
    d.points = {{0, 0, 0}, {0.1f, 0, 0}, {0.1f + 1e-7f, 0, 0}, {0.2f, 0, 0}};
    const Result<RopeId> made = w.tryAdd(d);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().where, "/points/2");
    EXPECT_NE(made.error().what.find("segment 1"), std::string::npos) << made.error().what;
    EXPECT_NE(made.error().what.find("e-08 m"), std::string::npos) << made.error().what;
}

} // namespace
} // namespace capstan
