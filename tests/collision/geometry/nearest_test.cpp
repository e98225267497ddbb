// SPDX-License-Identifier: MIT
// Distances of points and segments to shapes. The expected value is each shape's signed distance at a point, written
// here independently and minimised along the segment. Support functions bound every push, and a few cases have known
// answers.
#include "collision/geometry/nearest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace capstan {
namespace {

constexpr double kTolerance = 1e-9;
using Long = long double;
Vec<Long> exact(Vec3d a) { return {a.x, a.y, a.z}; }

// The hull is the box of the same size, so one expected value serves both.
Shape shapeOf(ShapeKind kind) {
    Shape s;
    s.kind = kind;
    s.half = {0.5, 0.75, 0.25};
    s.radius = 0.4;
    s.halfLength = 0.6;
    for (int i = 0; i < 8; ++i)
        s.corners.push_back({i & 1 ? 0.5 : -0.5, i & 2 ? 0.75 : -0.75, i & 4 ? 0.25 : -0.25});
    s.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return s;
}
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

// The largest n.y of the solid.
double support(const Shape& s, Vec3d n) {
    switch (s.kind) {
    case ShapeKind::Sphere:
        return s.radius;
    case ShapeKind::Capsule:
        return s.radius + s.halfLength * std::abs(n.y);
    case ShapeKind::Cylinder:
        return s.radius * std::hypot(n.x, n.z) + s.halfLength * std::abs(n.y);
    default:
        return s.half.x * std::abs(n.x) + s.half.y * std::abs(n.y) + s.half.z * std::abs(n.z);
    }
}

struct Segment {
    Vec3d a, b;
    Vec3d at(double t) const { return a + t * (b - a); }
};

// The minimum of a convex function on 0 to 1.
template <class F> double least(F f) {
    double lo = 0, hi = 1, best = std::min(f(0.0), f(1.0));
    for (int i = 0; i < 90; ++i) {
        const double l = lo + (hi - lo) / 3, r = hi - (hi - lo) / 3, fl = f(l), fr = f(r);
        best = std::min({best, fl, fr});
        (fl < fr ? hi : lo) = fl < fr ? r : l;
    }
    return best;
}
double leastAlong(const Shape& s, Segment g) {
    double best = least([&](double t) { return signedDistance(s, g.at(t)); });
    for (int i = 0; i <= 200; ++i) best = std::min(best, signedDistance(s, g.at(i / 200.0)));
    return best;
}

struct DrawPositions {
    std::mt19937 random{7};
    double any(double a = -1, double b = 1) { return std::uniform_real_distribution<double>(a, b)(random); }
    Vec3d vec() { return {any(), any(), any()}; }
    Vec3d unit() {
        std::normal_distribution<double> n;
        return normalize(Vec3d{n(random), n(random), n(random)}, {0, 1, 0});
    }
    double power(double low, double high) { return std::pow(10.0, any(low, high)); }
    // A place that is often special: on an axis, a face, an edge, a corner or the rim.
    double special(double half) {
        const double at[] = {0, half, -half, any() * half, 2 * any(), half + power(-16, -6), 0.4};
        return at[random() % 7];
    }
    Vec3d specialPoint(const Shape& s) {
        const double y = s.kind == ShapeKind::Box || s.kind == ShapeKind::Hull ? s.half.y : s.halfLength;
        return {special(s.half.x), special(y), special(s.half.z)};
    }
    Segment segment(const Shape& s, int kind) {
        const Vec3d a = 1.5 * vec();
        switch (kind % 6) {
        case 0:
            return {a, 1.5 * vec()};
        case 1: // a short segment, as in a rope
            return {a, a + 0.02 * vec()};
        case 2: // a segment along an axis
            return {a, a + 2 * any() * (random() % 2 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0})};
        case 3: // a segment almost along a face
            return {a, a + Vec3d{any(), power(-17, -2), any()}};
        case 4:
            return {specialPoint(s), specialPoint(s)};
        default:
            const Vec3d x = specialPoint(s);
            return {x, x};
        }
    }
};

void expectConsistent(const Nearest& n, Segment g) {
    ASSERT_TRUE(n.t >= 0 && n.t <= 1);
    ASSERT_NEAR(length(n.normal), 1, 1e-12);
    ASSERT_LT(length(g.at(n.t) - n.point - n.distance * n.normal), kTolerance);
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

// For a segment inside, the distance is negative and at most the signed distance of any of its points. The push along
// the normal frees the segment.
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

// No direction needs a shorter push. For a cylinder only some directions are tried, so its push may be a little too
// long.
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

// When a segment moves, its distance changes by no more than the length of the motion. There is no jump at the surface.
TEST(NearestTest, TheDistanceHasNoJumpAtTheSurface) {
    DrawPositions draw;
    const double step = 1e-4;
    for (ShapeKind kind : solids) {
        const Shape s = shapeOf(kind);
        int crossed = 0;
        for (int i = 0; i < 3000; ++i) {
            Segment g = draw.segment(s, i);
            const Nearest first = nearest(s, g.a, g.b);
            // The segment moves to just above the surface, and then slowly through it.
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
    // The segment lies over the top face y = 0.75, from x = -0.5 to 0.5. Half of it is beyond the edge.
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
    // The segment lies along the side of a cylinder and of a capsule, which end at y = 0.6.
    for (ShapeKind kind : {ShapeKind::Cylinder, ShapeKind::Capsule})
        for (double x : {0.41, 0.39}) {
            s.kind = kind;
            const Nearest n = nearest(s, {x, 0, 0}, {x, 1, 0});
            EXPECT_NEAR(n.t, 0.3, 1e-9) << int(kind) << ' ' << x;
            EXPECT_NEAR(n.distance, x - 0.4, 1e-12);
            EXPECT_NEAR(length(n.normal - Vec3d{1, 0, 0}), 0, 1e-12);
        }
    // The segment lies across the cap of a cylinder, which ends at z = +-0.4.
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
    // The push to the side is 0.2 long. A push along the segment would be longer, because 0.5 of it is below the plate.
    const Nearest n = nearest(s, {0.8, -0.5, 0}, {0.8, 0.5, 0});
    EXPECT_NEAR(n.distance, -0.2, 1e-12);
    EXPECT_NEAR(length(n.normal - Vec3d{1, 0, 0}), 0, 1e-12);
    EXPECT_NEAR(n.t, 0.5, 1e-12);
    // The segment lies over the edge of a box, 0.01 deep at 45 degrees.
    s.half = {1, 1, 1};
    const double deep = 0.01 * std::sqrt(2.0);
    const Nearest e = nearest(s, {0.9, 1.1 - deep, 0}, {1.1, 0.9 - deep, 0});
    EXPECT_NEAR(e.distance, -0.01, 1e-12);
    EXPECT_NEAR(length(e.normal - Vec3d{std::sqrt(0.5), std::sqrt(0.5), 0}), 0, 1e-12);
}

// Computed in long double. A triangle thinner than 3e-10 counts as its edges only, because its normal is known to
// little more than that.
double leastToTriangle(Vec3d p, Vec3d q, Vec3d r, Segment g) {
    using W = Vec<Long>;
    const W corners[] = {exact(p), exact(q), exact(r)};
    const W n = cross(corners[1] - corners[0], corners[2] - corners[0]);
    const Long area = std::sqrt(dot(n, n));
    const auto toTriangle = [&](W x) {
        Long best = 1e9L, longest = 0;
        bool over = area > 0;
        for (int i = 0; i < 3; ++i) {
            const W a = corners[i], e = corners[(i + 1) % 3] - a, v = x - a;
            const Long ee = dot(e, e), t = ee > 0 ? std::clamp(dot(v, e) / ee, 0.0L, 1.0L) : 0.0L;
            const W rest = v - t * e;
            over = over && dot(cross(n, e), v) >= 0;
            best = std::min(best, std::sqrt(dot(rest, rest)));
            longest = std::max(longest, ee);
        }
        return over && area > 3e-10L * longest ? std::abs(dot(n, x - corners[0])) / area : best;
    };
    return least(
        [&](double t) { return double(toTriangle(exact(g.a) + Long(t) * (exact(g.b) - exact(g.a)))); });
}

TEST(NearestTest, TrianglesAgreeWithTheSearch) {
    DrawPositions draw;
    int through = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3d p = draw.vec(), q = draw.vec();
        const Vec3d thin[] = {draw.vec(), draw.vec(),
                              draw.vec(), p + draw.any() * (q - p),
                              p,          p + 0.5 * (q - p) + draw.power(-14, -3) * draw.vec()};
        const Vec3d r = thin[i % 6];
        Segment g = {1.5 * draw.vec(), 1.5 * draw.vec()};
        if (i % 5 == 1) g.b = g.a;
        if (i % 5 == 2) g.b = g.a + draw.any() * (q - p);
        if (i % 5 == 3) g.b = g.a + draw.any() * (q - p) + draw.any() * (r - p);
        if (i % 5 == 4) g = {p + draw.any() * (q - p), q + draw.any(0, 1) * (r - q)};
        const double truth = leastToTriangle(p, q, r, g);
        const Nearest n = nearestOfTriangle(p, q, r, g.a, g.b);
        ASSERT_NEAR(n.distance, truth, kTolerance) << i;
        ASSERT_NO_FATAL_FAILURE(expectConsistent(n, g)) << i;
        through += n.distance == 0;
    }
    EXPECT_GT(through, 300);
}

TEST(NearestTest, ATriangleHasTwoSides) {
    const Vec3d p = {0, 0, 0}, q = {1, 0, 0}, r = {0, 0, 1};
    EXPECT_NEAR(nearestOfTriangle(p, q, r, {0.1, -2, 0.1}, {0.3, -1, 0.3}).normal.y, -1, 1e-12);
    EXPECT_NEAR(nearestOfTriangle(p, q, r, {0.1, 2, 0.1}, {0.3, 1, 0.3}).normal.y, 1, 1e-12);
    // The segment passes through the triangle. The push goes to the side where most of the segment is.
    const Nearest n = nearestOfTriangle(p, q, r, {0.1, -3, 0.1}, {0.1, 1, 0.1});
    EXPECT_EQ(n.distance, 0);
    EXPECT_NEAR(n.normal.y, -1, 1e-12);
    EXPECT_NEAR(n.t, 0.75, 1e-12);
    // The segment is parallel to the triangle and above it; half of it is beyond an edge.
    EXPECT_NEAR(nearestOfTriangle(p, q, r, {0.5, 0.1, 0.25}, {1, 0.1, 0.25}).t, 0.25, 1e-9);
}

TEST(NearestTest, AMeshIsItsNearestTriangleAndHasNoInside) {
    Shape s = shapeOf(ShapeKind::Mesh);
    DrawPositions draw;
    for (int i = 0; i < 600; ++i) {
        const Segment g = draw.segment(s, i);
        const Nearest n = nearest(s, g.a, g.b);
        ASSERT_GE(n.triangle, 0);
        double truth = 1e9;
        for (const auto& t : s.triangles)
            truth = std::min(truth, leastToTriangle(s.corners[t[0]], s.corners[t[1]], s.corners[t[2]], g));
        ASSERT_NEAR(n.distance, truth, kTolerance) << i;
        ASSERT_GE(n.distance, 0);
    }
    EXPECT_NEAR(nearest(s, {0, 0, 0}).distance, 0.25, 1e-12);
    EXPECT_NEAR(nearest(s, {0.1, 0.1, 1}).distance, 0.75, 1e-12);
    EXPECT_NEAR(nearest(s, {0.1, 0.1, 1}).normal.z, 1, 1e-12);
}

TEST(NearestTest, BoundsTouchTheShapeOnEverySide) {
    DrawPositions draw;
    for (ShapeKind kind : {ShapeKind::Box, ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Cylinder,
                           ShapeKind::Hull, ShapeKind::Mesh}) {
        const Shape s = shapeOf(kind);
        for (int i = 0; i < 200; ++i) {
            const Pose at = {draw.vec(),
                             normalize(Quatd{draw.any(), draw.any(), draw.any(), draw.any(0.1, 1)})};
            const Bounds box = boundsOf(s, at);
            const Vec3d axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
            for (Vec3d n : axes) {
                EXPECT_NEAR(dot(n, box.max), dot(n, at.x) + support(s, at.local(at.x + n)), 1e-12);
                EXPECT_NEAR(dot(n, box.min), dot(n, at.x) - support(s, at.local(at.x - n)), 1e-12);
            }
        }
    }
}

TEST(NearestTest, ALevelPlaneIsBoundedOnOneSide) {
    const Shape s = shapeOf(ShapeKind::Plane);
    const Bounds level = boundsOf(s, {{1, 2, 3}, Quatd::identity()});
    EXPECT_NEAR(level.max.y, 2, 1e-5);
    EXPECT_GE(level.max.y, 2);
    EXPECT_LE(level.min.y, -1e29);
    EXPECT_GE(level.max.x, 1e29);
    const double q = std::sqrt(0.5); // a quarter about z: the normal is -x
    const Bounds wall = boundsOf(s, {{1, 2, 3}, {0, 0, q, q}});
    EXPECT_NEAR(wall.min.x, 1, 1e-5);
    EXPECT_GE(wall.max.x, 1e29);
    const Bounds tilted = boundsOf(s, {{1, 2, 3}, normalize(Quatd{0, 0, 0.01, 1})});
    EXPECT_GE(tilted.max.y, 1e29);
}

} // namespace
} // namespace capstan
