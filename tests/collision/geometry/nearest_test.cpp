// SPDX-License-Identifier: MIT
// Tests of the distances of points and segments to solid shapes. The expected value is the shape's signed distance at
// a point, computed here independently and minimised along the segment. Support functions bound the separating
// translations, and a few cases have known results.
#include <tests/collision/geometry/shape_samples.hpp>

namespace capstan {
namespace {

const ShapeKind solids[] = {ShapeKind::Box,      ShapeKind::Sphere, ShapeKind::Capsule,
                            ShapeKind::Cylinder, ShapeKind::Hull,   ShapeKind::Plane};

double signedDistance(const Shape& s, Vec3d p) {
    const double side = std::hypot(p.x, p.z);
    switch (s.kind) {
    case ShapeKind::Sphere:
        return std::hypot(p.x, p.y, p.z) - s.radius;
    case ShapeKind::Capsule:
        return std::hypot(side, std::max(std::abs(p.y) - s.halfLength, 0.0)) - s.radius;
    case ShapeKind::Cylinder: {
        const double e = side - s.radius, f = std::abs(p.y) - s.halfLength;
        return std::min(std::max(e, f), 0.0) + std::hypot(std::max(e, 0.0), std::max(f, 0.0));
    }
    case ShapeKind::Plane:
        return p.y;
    default: {
        const double x = std::abs(p.x) - s.half.x, y = std::abs(p.y) - s.half.y, z = std::abs(p.z) - s.half.z;
        return std::min(std::max({x, y, z}), 0.0) +
               std::hypot(std::max(x, 0.0), std::max(y, 0.0), std::max(z, 0.0));
    }
    }
}

double leastAlong(const Shape& s, Segment g) {
    double best = least([&](double t) { return signedDistance(s, g.at(t)); });
    for (int i = 0; i <= 200; ++i) best = std::min(best, signedDistance(s, g.at(i / 200.0)));
    return best;
}

TEST(NearestTest, SegmentsOutsideAgreeWithTheSearch) {
    DrawPositions draw;
    for (ShapeKind kind : solids) {
        const Shape s = shapeOf(kind);
        int seen = 0;
        for (int i = 0; i < 12000; ++i) {
            const Segment g = draw.segment(s, i);
            const double truth = leastAlong(s, g);
            if (truth < 1e-10) continue;
            ++seen;
            const Nearest n = nearest(s, g.a, g.b);
            ASSERT_NEAR(n.distance, truth, kTolerance) << int(kind) << ' ' << i;
            ASSERT_NO_FATAL_FAILURE(expectConsistent(n, g)) << int(kind) << ' ' << i;
            ASSERT_NEAR(signedDistance(s, n.point), 0, kTolerance) << int(kind) << ' ' << i;
        }
        EXPECT_GT(seen, 1000);
    }
}

// For a segment inside, the distance is negative, and at most the signed distance of each of its points. A
// translation by it along the normal separates the segment.
TEST(NearestTest, SegmentsInsideArePushedOut) {
    DrawPositions draw;
    for (ShapeKind kind : solids) {
        const Shape s = shapeOf(kind);
        int seen = 0;
        for (int i = 0; i < 12000; ++i) {
            const Segment g = draw.segment(s, i);
            const double truth = leastAlong(s, g);
            if (truth >= 1e-10) continue;
            ++seen;
            const Nearest n = nearest(s, g.a, g.b);
            ASSERT_LT(n.distance, truth + kTolerance) << int(kind) << ' ' << i;
            ASSERT_NO_FATAL_FAILURE(expectConsistent(n, g)) << int(kind) << ' ' << i;
            const Vec3d push = -n.distance * n.normal;
            ASSERT_GT(leastAlong(s, {g.a + push, g.b + push}), -kTolerance) << int(kind) << ' ' << i;
        }
        EXPECT_GT(seen, 1000);
    }
}

// No direction has a shorter separating translation. For a cylinder only some directions are tried, so its
// translation may be slightly too long.
TEST(NearestTest, ThePushIsTheShortest) {
    DrawPositions draw;
    for (ShapeKind kind :
         {ShapeKind::Box, ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Cylinder, ShapeKind::Hull}) {
        const Shape s = shapeOf(kind);
        double worst = 0;
        for (int i = 0; i < 3000; ++i) {
            const Segment g = draw.segment(s, i);
            const Nearest n = nearest(s, g.a, g.b);
            if (n.distance >= 0) continue;
            for (int k = 0; k < 1000; ++k) {
                const Vec3d u = draw.unit();
                worst = std::max(worst, std::min(dot(u, g.a), dot(u, g.b)) - support(s, u) - n.distance);
            }
        }
        EXPECT_LT(worst, kind == ShapeKind::Cylinder ? 3e-3 : kTolerance) << int(kind);
    }
}

// When a segment moves, its distance changes at most by the length of the motion, also at the surface.
TEST(NearestTest, TheDistanceHasNoJumpAtTheSurface) {
    DrawPositions draw;
    const double step = 1e-4;
    for (ShapeKind kind : solids) {
        const Shape s = shapeOf(kind);
        int crossed = 0;
        for (int i = 0; i < 3000; ++i) {
            Segment g = draw.segment(s, i);
            const Nearest first = nearest(s, g.a, g.b);
            // The segment is moved to just above the surface, and then through it by a small step.
            const Vec3d start = -(first.distance - 0.5 * step) * first.normal, way = step * draw.unit();
            const Segment from = {g.a + start, g.b + start}, to = {from.a + way, from.b + way};
            const double before = nearest(s, from.a, from.b).distance,
                         after = nearest(s, to.a, to.b).distance;
            crossed += (before > 0) != (after > 0);
            ASSERT_LT(std::abs(after - before), 1.05 * step) << int(kind) << ' ' << i;
        }
        EXPECT_GT(crossed, 200);
    }
}

TEST(NearestTest, PointsHaveTheSignedDistance) {
    DrawPositions draw;
    for (ShapeKind kind : solids) {
        const Shape s = shapeOf(kind);
        for (int i = 0; i < 20000; ++i) {
            const Vec3d x = i % 2 ? draw.specialPoint(s) : 1.5 * draw.vec();
            const Nearest n = nearest(s, x);
            ASSERT_NEAR(n.distance, signedDistance(s, x), kTolerance) << int(kind) << ' ' << i;
            ASSERT_EQ(n.t, 0);
            ASSERT_NO_FATAL_FAILURE(expectConsistent(n, {x, x})) << int(kind) << ' ' << i;
            ASSERT_NEAR(signedDistance(s, n.point), 0, kTolerance) << int(kind) << ' ' << i;
        }
    }
}

TEST(NearestTest, AFlatSegmentIsSupportedInTheMiddleOfTheFace) {
    Shape s = shapeOf(ShapeKind::Box);
    // The segment is above the top face y = 0.75, which extends from x = -0.5 to 0.5. Half of the segment is beyond
    // the edge.
    for (ShapeKind kind : {ShapeKind::Box, ShapeKind::Hull})
        for (double y : {0.76, 0.74}) {
            s.kind = kind;
            const Nearest n = nearest(s, {0, y, 0.1}, {1, y, 0.1});
            EXPECT_NEAR(n.t, 0.25, 1e-9);
            EXPECT_NEAR(n.distance, y - 0.75, 1e-12);
            EXPECT_NEAR(length(n.normal - Vec3d{0, 1, 0}), 0, 1e-12);
            EXPECT_NEAR(length(n.point - Vec3d{0.25, 0.75, 0.1}), 0, 1e-9);
            EXPECT_NEAR(nearest(s, {-0.3, y, 0.1}, {0.1, y + 1e-14, -0.1}).t, 0.5, 1e-9);
        }
    // The segment is along the side of a cylinder and of a capsule, whose straight parts end at y = 0.6.
    for (ShapeKind kind : {ShapeKind::Cylinder, ShapeKind::Capsule})
        for (double x : {0.41, 0.39}) {
            s.kind = kind;
            const Nearest n = nearest(s, {x, 0, 0}, {x, 1, 0});
            EXPECT_NEAR(n.t, 0.3, 1e-9) << int(kind) << ' ' << x;
            EXPECT_NEAR(n.distance, x - 0.4, 1e-12);
            EXPECT_NEAR(length(n.normal - Vec3d{1, 0, 0}), 0, 1e-12);
        }
    // The segment is across the cap of a cylinder, which ends at z = +-0.4.
    s.kind = ShapeKind::Cylinder;
    EXPECT_NEAR(nearest(s, {0, 0.61, -0.4}, {0, 0.61, 1}).t, 0.4 / 1.4, 1e-9);
    s.kind = ShapeKind::Plane;
    EXPECT_EQ(nearest(s, {0, 1, 0}, {1, 1, 0}).t, 0.5);
    EXPECT_EQ(nearest(s, {0, 1, 0}, {1, -2, 0}).t, 1);
    EXPECT_EQ(nearest(s, {0, 1, 0}, {1, -2, 0}).distance, -2);
}

TEST(NearestTest, ACrossingOfACylinderIsExact) {
    const Shape s = shapeOf(ShapeKind::Cylinder);
    DrawPositions draw;
    for (int i = 0; i < 2000; ++i) {
        const double angle = draw.any(-3, 3), gap = draw.power(-6, 0), y = 0.5 * draw.any(),
                     l = draw.any(0.1, 1);
        const Vec3d n = {std::cos(angle), 0, std::sin(angle)}, d = {-n.z, 0, n.x};
        const Vec3d foot = (0.4 + gap) * n + Vec3d{0, y, 0};
        const Nearest c = nearest(s, foot - 0.3 * l * d, foot + 0.7 * l * d);
        EXPECT_NEAR(c.t, 0.3, 1e-12);
        EXPECT_NEAR(c.distance, gap, 1e-14);
        EXPECT_LT(length(c.normal - n), 1e-12);
    }
}

TEST(NearestTest, APiercedPlateIsLeftTheShortestWay) {
    Shape s = shapeOf(ShapeKind::Box);
    s.half = {1, 0.01, 1};
    // The translation to the side is 0.2 long. One along the segment would be longer, because 0.5 of it is below the
    // plate.
    const Nearest n = nearest(s, {0.8, -0.5, 0}, {0.8, 0.5, 0});
    EXPECT_NEAR(n.distance, -0.2, 1e-12);
    EXPECT_NEAR(length(n.normal - Vec3d{1, 0, 0}), 0, 1e-12);
    EXPECT_NEAR(n.t, 0.5, 1e-12);
    // The segment crosses the edge of a box, at a depth of 0.01 in the direction of 45 degrees.
    s.half = {1, 1, 1};
    const double deep = 0.01 * std::sqrt(2.0);
    const Nearest e = nearest(s, {0.9, 1.1 - deep, 0}, {1.1, 0.9 - deep, 0});
    EXPECT_NEAR(e.distance, -0.01, 1e-12);
    EXPECT_NEAR(length(e.normal - Vec3d{std::sqrt(0.5), std::sqrt(0.5), 0}), 0, 1e-12);
}

} // namespace
} // namespace capstan
