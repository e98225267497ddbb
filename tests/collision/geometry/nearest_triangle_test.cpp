// SPDX-License-Identifier: MIT
// Tests of the distances of segments to triangles and meshes. The expected value is the least distance along the
// segment, computed in long double.
#include <tests/collision/geometry/shape_samples.hpp>

namespace capstan {
namespace {

using Long = long double;
Vec<Long> exact(Vec3d a) { return {a.x, a.y, a.z}; }

// Returns the least distance, in long double. For a triangle thinner than 3e-10 only the edges count, because its
// normal is not more accurate than that.
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
    // The segment passes through the triangle. The normal points to the side on which most of the segment is.
    const Nearest n = nearestOfTriangle(p, q, r, {0.1, -3, 0.1}, {0.1, 1, 0.1});
    EXPECT_EQ(n.distance, 0);
    EXPECT_NEAR(n.normal.y, -1, 1e-12);
    EXPECT_NEAR(n.t, 0.75, 1e-12);
    // The segment is parallel to the triangle and above it. Half of the segment is beyond an edge.
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

} // namespace
} // namespace capstan
