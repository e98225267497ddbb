// SPDX-License-Identifier: MIT
// Tests of manifolds of pairs with known contact points, and of their change from step to step.
#include "manifold_shapes.hpp"

#include <chrono>
#include <iostream>

namespace capstan {
namespace {

TEST(Manifold, RoundWithRound) {
    Manifold m = touch(sphere(1), at({0, 2.9, 0}), sphere(2), at({0, 0, 0}));
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.point[0].gap, -0.1, 1e-15);
    EXPECT_TRUE((m.point[0].normal == P{0, 1, 0}));
    EXPECT_EQ(m.point[0].radiusA, 1);
    EXPECT_EQ(m.point[0].radiusB, 2);
    EXPECT_EQ(touch(sphere(1), at({0, 3.06, 0}), sphere(2), at({0, 0, 0})).count, 0);

    // Capsules along y lie side by side; they overlap in y from 0.5 to 1.
    m = touch(capsule(0.2, 1), at({0.41, 0, 0}), capsule(0.2, 1), at({0, 1.5, 0}));
    ASSERT_EQ(m.count, 2);
    EXPECT_NEAR(m.point[0].a.y, 0.5, 1e-15);
    EXPECT_NEAR(m.point[1].a.y, 1, 1e-15);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(m.point[i].gap, 0.01, 1e-15);
    // Crossed capsules touch in one point. Capsules whose axes cross are separated along the common normal.
    m = touch(capsule(0.2, 1), at({0, 0, 0.39}, turn({0, 0, 1}, kPi / 2)), capsule(0.2, 1), at({0, 0, 0}));
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.point[0].gap, -0.01, 1e-15);
    m = touch(capsule(0.2, 1), at({0, 0, 0}, turn({0, 0, 1}, kPi / 2)), capsule(0.2, 1), at({0, 0, 0}));
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(std::abs(m.point[0].normal.z), 1, 1e-15);
    m = touch(sphere(0.5), at({0.6, 3, 0}), capsule(0.2, 1), at({0, 2, 0}));
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.point[0].gap, -0.1, 1e-15);
    EXPECT_TRUE((m.point[0].b == P{0, 3, 0}));
}

TEST(Manifold, OnAPlane) {
    const Quatd tilted = turn({1, 2, 3}, 0.7);
    const Pose ground = at({1, 2, 3}, tilted);
    const P n = rotate(tilted, P{0, 1, 0});
    struct Case {
        Shape shape;
        double height;
        int count;
    };
    const Case cases[] = {{sphere(0.5), 0.5, 1},
                          {capsule(0.2, 0.5), 0.7, 1},
                          {box({0.5, 0.3, 0.4}), 0.3, 4},
                          {cylinder(0.3, 0.4), 0.4, 4},
                          {hullBox({0.4, 0.2, 0.4}), 0.2, 4}};
    for (const Case& c : cases)
        for (double gap : {-0.01, 0.01}) {
            const Pose above = ground * at({0.3, c.height + gap, -0.2}, turn({0, 1, 0}, 0.3));
            const Manifold m = touch(c.shape, above, plane(), ground),
                           w = touch(plane(), ground, c.shape, above);
            ASSERT_EQ(m.count, c.count);
            ASSERT_EQ(w.count, c.count);
            for (int i = 0; i < m.count; ++i) {
                EXPECT_NEAR(m.point[i].gap, gap, 1e-12);
                EXPECT_NEAR(w.point[i].gap, gap, 1e-12);
                EXPECT_LT(length(m.point[i].normal - n), 1e-12);
                EXPECT_LT(length(w.point[i].normal + n), 1e-12);
                EXPECT_LT(length(m.point[i].a - w.point[i].b), 1e-12);
                EXPECT_NEAR(dot(n, m.point[i].b - ground.x), 0, 1e-12);
            }
        }
    EXPECT_EQ(touch(plane(), ground, plane(), at({0, 0, 0})).count, 0);
}

// The lowest point of a tilted shape above a plane is its support point along the normal.
TEST(Manifold, TiltedOverAPlane) {
    Random r;
    for (const Shape& s : manyShapes(r.rng))
        for (int i = 0; i < 200; ++i) {
            const double tilt = std::pow(10, -8 * r.u(r.rng));
            const Pose pose = at(r.direction(), i % 2 ? r.rotation() : turn(r.direction(), tilt));
            const double low = farthest(s, pose, {0, -1, 0}).y;
            const Manifold m = touch(s, pose, plane(), at({0, low - 0.01, 0}));
            ASSERT_GT(m.count, 0);
            EXPECT_NEAR(leastGap(m), 0.01, 1e-6 * Two::reach(s));
        }
}

TEST(Manifold, ARollingCylinderKeepsItsGap) {
    const Shape roll = cylinder(0.3, 0.5), floor = box({5, 1, 5});
    for (int i = 0; i < 100; ++i) {
        const Quatd q = turn({0, 1, 0}, 0.4) * turn({1, 0, 0}, kPi / 2) * turn({0, 1, 0}, 0.1 * i);
        const Pose pose = at({0.1 * i * 0.3, 0.301, 0}, q);
        for (const Manifold& m :
             {touch(roll, pose, plane(), at({0, 0, 0})), touch(roll, pose, floor, at({0, -1, 0}))}) {
            ASSERT_EQ(m.count, 2);
            for (int k = 0; k < 2; ++k) {
                EXPECT_NEAR(m.point[k].gap, 0.001, 1e-12);
                EXPECT_NEAR(m.point[k].radiusA, 0.3, 1e-12);
                // The core point is on the axis, so it stays in place when the cylinder rotates about its axis.
                const P core = pose.local(m.point[k].a);
                EXPECT_NEAR(std::hypot(core.x, core.z), 0, 1e-9);
                EXPECT_NEAR(std::abs(core.y), 0.5, 1e-9);
            }
        }
    }
}

TEST(Manifold, FlatOnFlatGivesFourPoints) {
    const P h = {0.5, 0.3, 0.4};
    const Shape many[] = {box(h), hullBox(h), cylinder(0.4, 0.3)};
    for (const Shape& a : many)
        for (const Shape& b : many)
            for (double gap : {-0.01, 0.0, 0.01})
                for (double spin : {0.0, 0.3, kPi / 4}) {
                    SCOPED_TRACE(testing::Message()
                                 << int(a.kind) << " on " << int(b.kind) << " " << gap << " " << spin);
                    const Manifold m =
                        touch(a, at({0.1, 0.6 + gap, 0.05}, turn({0, 1, 0}, spin)), b, at({0, 0, 0}));
                    ASSERT_EQ(m.count, 4);
                    P sum = {0, 0, 0};
                    for (int i = 0; i < 4; ++i) {
                        EXPECT_NEAR(m.point[i].gap, gap, 1e-9);
                        EXPECT_LT(length(m.point[i].normal - P{0, 1, 0}), 1e-9);
                        sum += 0.25 * m.point[i].b;
                    }
                    // The points can support the shape: their mean is near the middle of a.
                    EXPECT_LT(std::hypot(sum.x - 0.1, sum.z - 0.05), 0.2);
                }
}

// Edges of two boxes cross. Both boxes are rotated by 45 degrees, and the edges are along x and z.
TEST(Manifold, CrossedEdges) {
    const double s = std::sqrt(2.0) * 0.5;
    const Shape cube = box({0.5, 0.5, 0.5});
    for (double gap : {-0.01, 0.01}) {
        const Manifold m = touch(cube, at({0.1, 2 * s + gap, 0.2}, turn({1, 0, 0}, kPi / 4)), cube,
                                 at({0, 0, 0}, turn({0, 0, 1}, kPi / 4)));
        ASSERT_EQ(m.count, 1);
        EXPECT_NEAR(m.point[0].gap, gap, 1e-12);
        EXPECT_LT(length(m.point[0].normal - P{0, 1, 0}), 1e-12);
        EXPECT_LT(length(m.point[0].b - P{0, s, 0.2}), 1e-12);
    }
}

TEST(Manifold, OneInsideTheOther) {
    Random r;
    std::vector<Shape> shapes = manyShapes(r.rng);
    for (const Shape& a : shapes)
        for (const Shape& b : shapes) {
            const Pose middle = at({3, 4, 5}, turn({1, 1, 0}, 0.2));
            Two t = {a, b, middle, middle};
            const Manifold m = touch(a, middle, b, middle);
            ASSERT_GT(m.count, 0) << int(a.kind) << " " << int(b.kind);
            EXPECT_LT(leastGap(m), -0.05);
            expectSound(t, m, 0.05);
            for (int i = 0; i < 2; ++i) { // the second call gives the same normal
                const Manifold again = touch(a, middle, b, middle);
                EXPECT_TRUE(again.point[0].normal == m.point[0].normal);
            }
        }
}

TEST(Manifold, TriangleHasTwoSides) {
    const Shape floor = mesh({-5, 0, -5}, {5, 0, -5}, {0, 0, 5});
    const Shape shapes[] = {sphere(0.3), capsule(0.3, 0.5), box({0.3, 0.3, 0.3}), hullBox({0.3, 0.3, 0.3}),
                            cylinder(0.3, 0.3)};
    const int points[] = {1, 2, 4, 4, 4};
    for (int i = 0; i < 5; ++i)
        for (double side : {-1.0, 1.0})
            for (double gap : {-0.01, 0.0, 0.01}) {
                const Quatd q = i == 1 ? turn({0, 0, 1}, kPi / 2) : Quatd::identity();
                const Manifold m = touch(shapes[i], at({0, side * (0.3 + gap), 0}, q), floor, at({0, 0, 0}));
                ASSERT_EQ(m.count, points[i]) << i;
                for (int k = 0; k < m.count; ++k) {
                    EXPECT_NEAR(m.point[k].gap, gap, 1e-9);
                    EXPECT_LT(length(m.point[k].normal - P{0, side, 0}), 1e-9);
                }
            }
    // The shape overlaps slightly near the edge of the triangle. The normal points up, not sideways over the edge.
    const Manifold m = touch(box({0.3, 0.3, 0.3}), at({0, 0.2995, -5.2995}), floor, at({0, 0, 0}));
    ASSERT_GT(m.count, 0);
    EXPECT_NEAR(m.point[0].normal.y, 1, 1e-9);
}

TEST(Manifold, TrianglesWithoutAreaGiveNothing) {
    for (const Shape& t : {mesh({0, 0, 0}, {1, 0, 0}, {2, 0, 0}), mesh({0, 0, 0}, {0, 0, 0}, {0, 0, 0}),
                           mesh({0, 0, 0}, {1, 0, 0}, {0, 0, 0})})
        for (const Shape& a : {box({1, 1, 1}), sphere(1), capsule(1, 1), cylinder(1, 1)})
            EXPECT_EQ(touch(a, at({0.1, 0.2, 0.3}), t, at({0, 0, 0})).count, 0);
    Manifold m;
    collide(sphere(1), at({0, 0, 0}), mesh({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), at({0, 0, 0}), 7, 0.1, m);
    EXPECT_EQ(m.count, 0);
}

// A box that rests and slides slightly keeps its feature ids and its reference face. Its normal hardly changes.
TEST(Manifold, FeaturesStay) {
    Random r;
    const P h = {0.5, 0.3, 0.4};
    const Shape many[] = {box(h), hullBox(h), cylinder(0.4, 0.3)};
    for (const Shape& a : many)
        for (const Shape& b : many) {
            const auto features = [&](double noise) {
                const Quatd q = turn(r.direction(), noise) * turn({0, 1, 0}, 0.2);
                const P x = P{0.13, 0.5999, 0.07} + noise * r.direction();
                const Manifold m = touch(a, at(x, q), b, at({0, 0, 0}));
                std::vector<std::uint32_t> f;
                for (int i = 0; i < m.count; ++i) {
                    f.push_back(m.point[i].feature);
                    EXPECT_NEAR(m.point[i].normal.y, 1, 1e-6);
                }
                std::sort(f.begin(), f.end());
                return f;
            };
            const std::vector<std::uint32_t> still = features(0);
            EXPECT_EQ(still.size(), 4u);
            for (int i = 0; i < 200; ++i)
                EXPECT_EQ(features(1e-6), still) << int(a.kind) << " on " << int(b.kind);
        }
}

// A box lies on a box of the same size, with coinciding corners.
TEST(Manifold, EqualBoxesKeepTheirCorners) {
    Random r;
    const Shape cube = box({0.5, 0.5, 0.5});
    std::vector<std::uint32_t> still;
    for (int i = 0; i < 200; ++i) {
        const Manifold m = touch(cube, at(P{0, 0.9999, 0} + 1e-8 * r.direction(), turn(r.direction(), 1e-8)),
                                 cube, at({0, 0, 0}));
        ASSERT_EQ(m.count, 4);
        std::vector<std::uint32_t> f;
        for (const ManifoldPoint& p : m.point) f.push_back(p.feature);
        std::sort(f.begin(), f.end());
        if (i == 0) still = f;
        EXPECT_EQ(f, still);
    }
}

TEST(Manifold, SphereOnBoxByRegion) {
    const Shape b = box({1, 2, 3});
    // Nearest to an edge: a 3-4-5 triangle.
    Manifold m = touch(sphere(0.5), at({1.3, 2.4, 0}), b, at({0, 0, 0}));
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.point[0].gap, 0, 1e-15);
    EXPECT_LT(length(m.point[0].normal - P{0.6, 0.8, 0}), 1e-15);
    m = touch(sphere(0.5), at({0.9, 0, 0}), b, at({0, 0, 0})); // the centre is inside, 0.1 from a face
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.point[0].gap, -0.6, 1e-15);
    EXPECT_TRUE((m.point[0].normal == P{1, 0, 0}));
}

// A capsule lies on a box and overhangs it. The points are where the box ends and where the capsule ends.
TEST(Manifold, CapsuleLyingOnABox) {
    const Manifold m =
        touch(capsule(0.1, 1), at({0.6, 1.099, 0}, turn({0, 0, 1}, kPi / 2)), box({1, 1, 1}), at({0, 0, 0}));
    ASSERT_EQ(m.count, 2);
    const double low = std::min(m.point[0].b.x, m.point[1].b.x),
                 high = std::max(m.point[0].b.x, m.point[1].b.x);
    EXPECT_NEAR(low, -0.4, 1e-6);
    EXPECT_NEAR(high, 1, 1e-6);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(m.point[i].gap, -0.001, 1e-12);
}

TEST(Manifold, TimeOfBoxes) {
    Random r;
    const Shape b = box({0.2, 0.1, 0.15});
    std::vector<Two> pairs;
    for (int i = 0; i < 300; ++i) {
        const Quatd q = turn({0, 1, 0}, 3 * r.u(r.rng));
        const P x = {0.2 * (r.u(r.rng) - 0.5), 0.1999, 0.2 * (r.u(r.rng) - 0.5)};
        pairs.push_back(
            {b, b, at(x, turn(r.direction(), 1e-4) * (i % 2 ? q : Quatd::identity())), at({0, 0, 0})});
    }
    double best = 1e300;
    int points = 0;
    for (int k = 0; k < 20; ++k) {
        const auto start = std::chrono::steady_clock::now();
        points = 0;
        for (const Two& t : pairs) points += touch(t.a, t.atA, t.b, t.atB, 0.005).count;
        const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
        best = std::min(best, spent.count() / double(pairs.size()));
    }
    EXPECT_EQ(points, 1200);
    std::cout << "box on box: " << best << " ns a pair\n";
}

} // namespace
} // namespace capstan
