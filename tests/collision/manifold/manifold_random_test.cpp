// SPDX-License-Identifier: MIT
// Tests of manifolds of random and of aligned pairs. For separate shapes a certificate proves the distance: two
// points at that distance, and a direction that separates the shapes by it. For overlapping shapes, a search over all
// directions finds no separation that is much shorter.
#include "manifold_shapes.hpp"

namespace capstan {
namespace {

// Returns the largest separation near the direction n, by a search in the tangent plane with shrinking steps.
double climb(const Two& t, P& n) {
    double best = t.separation(n), turned = 0;
    for (double step = 0.3; step > 1e-8;) {
        const P u = perpendicular(n), v = cross(n, u);
        bool better = false;
        // Each iteration uses other directions. Otherwise the search would stop on a ridge between two of them.
        turned += 0.7;
        for (int k = 0; k < 8; ++k) {
            const double phi = kPi / 4 * k + turned;
            const P m = normalize(n + step * (std::cos(phi) * u + std::sin(phi) * v));
            if (const double s = t.separation(m); s > best + 1e-12) {
                best = s;
                n = m;
                better = true;
            }
        }
        step *= better ? 1.3 : 0.5;
        step = std::min(step, 0.5);
    }
    return best;
}
// Returns the largest separation over all directions. It has many maxima in overlap, so the search has many starts,
// and it may still miss the largest one.
double largestSeparation(const Two& t, std::vector<P> starts) {
    const P a[3] = {axisX(t.atA.q), axisY(t.atA.q), axisZ(t.atA.q)};
    const P b[3] = {axisX(t.atB.q), axisY(t.atB.q), axisZ(t.atB.q)};
    for (int i = 0; i < 3; ++i) {
        for (P n : {a[i], b[i]}) {
            starts.push_back(n);
            starts.push_back(-n);
        }
        for (P v : b)
            if (const P n = normalize(cross(a[i], v)); lengthSquared(n) > 0.5) {
                starts.push_back(n);
                starts.push_back(-n);
            }
    }
    for (int i = 0; i < 40; ++i) { // start directions spread over the sphere
        const double y = 1 - (2 * i + 1) / 40.0, r = std::sqrt(1 - y * y), phi = 2.399963229728653 * i;
        starts.push_back({r * std::cos(phi), y, r * std::sin(phi)});
    }
    std::sort(starts.begin(), starts.end(), [&](P m, P n) { return t.separation(m) > t.separation(n); });
    starts.resize(6);
    double best = -1e300;
    for (P n : starts) best = std::max(best, climb(t, n));
    return best;
}

// Checks the distance of two separate shapes. The two surface points of the manifold must lie in the shapes. Their
// distance must equal the separation along some direction, which proves that it is the distance of the shapes.
double distanceOf(const Two& t) {
    const Manifold m = touch(t.a, t.atA, t.b, t.atB, 100);
    EXPECT_GT(m.count, 0);
    if (m.count == 0) return 0;
    expectSound(t, m, 100);
    const double gap = leastGap(m), tol = 1e-6 * t.size();
    if (gap <= tol) return gap;
    for (const ManifoldPoint& p : m.point) {
        if (p.gap != gap) continue;
        // Nearly parallel round shapes get two points, which may be displaced a little sideways from each other.
        const P e = p.a - p.b, aside = e - dot(e, p.normal) * p.normal;
        EXPECT_LT(length(aside), 0.01 * (p.radiusA + p.radiusB) + 1e-4 * t.size());
        P n = p.normal; // the separating direction, or a direction near it if the manifold prefers a face
        double best = climb(t, n);
        if (best < gap - tol) best = largestSeparation(t, {n});
        EXPECT_NEAR(best, gap, tol);
        break;
    }
    return gap;
}

// Checks overlapping shapes: no direction separates them by a much shorter motion than the manifold's normal. The
// manifold may prefer a face where an edge is slightly shorter.
void expectGoodWayOut(const Two& t, const Manifold& m, double clearly) {
    ASSERT_GT(m.count, 0);
    const P n = m.point[0].normal;
    const double best = largestSeparation(t, {normalize(t.atA.x - t.atB.x, {0, 1, 0}), n}),
                 s = t.separation(n);
    EXPECT_GE(s, 1.06 * best - clearly * t.size());
    EXPECT_GE(leastGap(m), s - 1e-6 * t.size());
    EXPECT_LE(leastGap(m), 1e-6 * t.size());
}

void expectTrue(const Two& t, double margin) {
    const double distance = distanceOf(t), tol = 1e-6 * t.size();
    const Manifold m = touch(t.a, t.atA, t.b, t.atB, margin);
    expectSound(t, m, margin);
    if (distance > tol) {
        EXPECT_EQ(m.count > 0, distance < margin);
        if (m.count > 0) {
            EXPECT_NEAR(leastGap(m), distance, tol);
        }
    } else if (distance < -tol) {
        expectGoodWayOut(t, m, 2.5e-4);
    }
    if (t.b.kind == ShapeKind::Mesh) return;
    const Manifold w = touch(t.b, t.atB, t.a, t.atA, margin);
    ASSERT_EQ(w.count > 0, m.count > 0);
    if (m.count == 0) return;
    if (distance > tol) {
        EXPECT_NEAR(leastGap(w), leastGap(m), tol);
    }
    if (distance > 10 * tol && t.a.kind != t.b.kind) {
        // At the rim of a cylinder the distance is exact to rounding, but the direction only to the square root of
        // that.
        const bool rim = t.a.kind == ShapeKind::Cylinder || t.b.kind == ShapeKind::Cylinder;
        EXPECT_LT(length(w.point[0].normal + m.point[0].normal), rim ? 1e-3 : 1e-8);
    }
}

TEST(ManifoldRandom, RandomPairs) {
    Random r;
    const std::vector<Shape> shapes = manyShapes(r.rng);
    const double margin = 0.2;
    for (const Shape& a : shapes)
        for (const Shape& b : shapes)
            for (int i = 0; i < 30; ++i) {
                Two t = {a, b, at(10 * r.direction(), r.rotation()), {}};
                t.atB = at(t.atA.x + (0.1 + r.u(r.rng)) * t.size() * r.direction(), r.rotation());
                SCOPED_TRACE(testing::Message() << "kinds " << int(a.kind) << " " << int(b.kind) << " " << i);
                expectTrue(t, margin);
                if (HasFatalFailure()) return;
            }
}

// Faces, edges and corners that are aligned exactly, or nearly.
TEST(ManifoldRandom, AlignedPairs) {
    Random r;
    const std::vector<Shape> shapes = manyShapes(r.rng);
    const double gaps[] = {0, 1e-12, -1e-12, 1e-8, -1e-8, 1e-5, -1e-5, 1e-3, -1e-3, 0.03, -0.03};
    const double tilts[] = {0, 1e-12, 1e-8, 1e-5, 1e-3};
    const P axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    for (const Shape& a : shapes)
        for (const Shape& b : shapes)
            for (int i = 0; i < 30; ++i) {
                const auto quarter = [&] { return turn(axes[r.rng() % 6], kPi / 2 * double(r.rng() % 4)); };
                const Quatd q = r.rng() % 2 ? r.rotation() : Quatd::identity();
                const double gap = gaps[r.rng() % 11], tilt = tilts[r.rng() % 5];
                const P d = axes[r.rng() % 6];
                const P aside = r.rng() % 2 ? P{0, 0, 0} : 0.25 * double(r.rng() % 3) * axes[r.rng() % 6];
                Two t = {a, b, at({0, 0, 0}, turn(r.direction(), tilt) * quarter()),
                         at({0, 0, 0}, quarter())};
                t.atA.x = (gap - t.separation(d)) * d + aside - dot(aside, d) * d;
                t.atA = at({0, 0, 0}, q) * t.atA;
                t.atB = at({0, 0, 0}, q) * t.atB;
                SCOPED_TRACE(testing::Message() << "kinds " << int(a.kind) << " " << int(b.kind) << " " << i
                                                << " gap " << gap << " tilt " << tilt);
                expectTrue(t, 0.02);
                if (HasFatalFailure()) return;
            }
}

TEST(ManifoldRandom, RandomTriangles) {
    Random r;
    const std::vector<Shape> shapes = manyShapes(r.rng);
    for (const Shape& a : shapes)
        for (int i = 0; i < 200; ++i) {
            Two t = {a, mesh(r.direction(), r.direction(), r.direction()), at({0, 0, 0}, r.rotation()),
                     at({0, 0, 0})};
            t.atA.x = 1.5 * r.u(r.rng) * r.direction();
            SCOPED_TRACE(testing::Message() << "kind " << int(a.kind) << " " << i);
            const double distance = distanceOf(t), tol = 1e-6 * t.size();
            const Manifold m = touch(t.a, t.atA, t.b, t.atB, 0.2);
            expectSound(t, m, 0.2);
            if (distance > tol) {
                EXPECT_EQ(m.count > 0, distance < 0.2);
                continue;
            }
            // The normal is that of the triangle, towards the middle of the shape. Otherwise its separation must be
            // nearly the shortest.
            ASSERT_GT(m.count, 0);
            const P up = normalize(cross(t.b.corners[1] - t.b.corners[0], t.b.corners[2] - t.b.corners[0]));
            if (std::abs(dot(up, m.point[0].normal)) > 1 - 1e-9)
                EXPECT_LE(leastGap(m), tol);
            else
                expectGoodWayOut(t, m, 2.5e-4);
        }
}

} // namespace
} // namespace capstan
