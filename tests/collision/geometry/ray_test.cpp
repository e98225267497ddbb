// SPDX-License-Identifier: MIT
// Tests of rays against shapes. The expected hit is found by sphere tracing with each shape's distance function,
// which is independent of the formulas in collision/geometry/ray.cpp. Some rays have known hits.
#include "collision/geometry/ray.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace capstan {
namespace {

Shape solidOf(ShapeKind kind) {
    Shape s;
    s.kind = kind;
    s.half = {0.5, 0.75, 0.25};
    s.radius = 0.4;
    s.halfLength = 0.6;
    // A pyramid: its square base is in the plane y = -0.5, its top at y = 0.5.
    s.corners = {{-0.5, -0.5, -0.5}, {0.5, -0.5, -0.5}, {0.5, -0.5, 0.5}, {-0.5, -0.5, 0.5}, {0, 0.5, 0}};
    s.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 0, 4}, {2, 1, 4}, {3, 2, 4}, {0, 3, 4}};
    return s;
}

// Returns an upper bound of the distance to the solid, exact enough for sphere tracing; zero or negative inside.
double away(const Shape& s, Vec3d p) {
    const double side = std::sqrt(p.x * p.x + p.z * p.z);
    switch (s.kind) {
    case ShapeKind::Box:
        return std::max({std::abs(p.x) - s.half.x, std::abs(p.y) - s.half.y, std::abs(p.z) - s.half.z});
    case ShapeKind::Sphere:
        return length(p) - s.radius;
    case ShapeKind::Capsule:
        return length(p - Vec3d{0, std::clamp(p.y, -s.halfLength, s.halfLength), 0}) - s.radius;
    case ShapeKind::Cylinder:
        return std::max(side - s.radius, std::abs(p.y) - s.halfLength);
    default: { // the pyramid: its sides rise by 2 m per metre inwards
        const double slope = std::sqrt(5.0);
        return std::max(
            {-0.5 - p.y, (2 * std::abs(p.x) + p.y - 0.5) / slope, (2 * std::abs(p.z) + p.y - 0.5) / slope});
    }
    }
}

const ShapeKind kinds[] = {ShapeKind::Box, ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Cylinder,
                           ShapeKind::Hull};

Vec3d unit(std::mt19937& random) {
    std::normal_distribution<double> normal;
    return normalize(Vec3d{normal(random), normal(random), normal(random)});
}

TEST(RayTest, StopsWhereTheDistanceIsZero) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(-1, 1);
    for (ShapeKind kind : kinds) {
        Shape s = solidOf(kind);
        s.at = {{1, 2, 3}, normalize(Quatd{0.1, -0.4, 0.3, 0.8})};
        int hits = 0;
        for (int trial = 0; trial < 3000; ++trial) {
            const Vec3d d = unit(random);
            const Vec3d from = s.at.x + Vec3d{any(random), any(random), any(random)} - 4.0 * d;
            const RayShape r = castRay(s, from, d, 100);
            double t = 0, least = 1e9;
            for (int i = 0; i < 3000 && t < 10; ++i) {
                const double step = away(s, s.at.local(from + t * d));
                least = std::min(least, step);
                t += step;
                if (step < 1e-10) break;
            }
            if (!r.hit) {
                EXPECT_GT(least, 0) << int(kind);
                EXPECT_GE(t, 10) << int(kind);
                continue;
            }
            ++hits;
            EXPECT_NEAR(r.t, t, 1e-6) << int(kind);
            const Vec3d p = from + r.t * d;
            EXPECT_NEAR(away(s, s.at.local(p)), 0, 1e-13) << int(kind);
            // The expected normal is the gradient of the distance by finite differences. At an edge two normals are
            // valid.
            const double e = 1e-6;
            auto slope = [&](Vec3d a) {
                return (away(s, s.at.local(p + e * a)) - away(s, s.at.local(p - e * a))) / (2 * e);
            };
            const Vec3d gradient = {slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1})};
            if (std::abs(length(gradient) - 1) < 1e-6) {
                EXPECT_NEAR(length(gradient - r.normal), 0, 1e-4) << int(kind);
            }
            EXPECT_NEAR(length(r.normal), 1, 1e-14);
            EXPECT_LE(dot(r.normal, d), 0);
        }
        EXPECT_GT(hits, 300);
        EXPECT_LT(hits, 2900);
    }
}

TEST(RayTest, FromInsideHitsAtOnce) {
    std::mt19937 random(2);
    for (ShapeKind kind : kinds) {
        const Shape s = solidOf(kind);
        for (int trial = 0; trial < 100; ++trial) {
            const Vec3d d = unit(random);
            const RayShape r = castRay(s, {0.05, -0.1, 0.02}, d, 1);
            EXPECT_TRUE(r.hit);
            EXPECT_EQ(r.t, 0);
            EXPECT_TRUE(r.normal == -d);
        }
    }
}

TEST(RayTest, ReachAndBehind) {
    for (ShapeKind kind : kinds) {
        const Shape s = solidOf(kind);
        const double t = castRay(s, {-5, 0, 0}, {1, 0, 0}, 100).t;
        EXPECT_GT(t, 4);
        EXPECT_TRUE(castRay(s, {-5, 0, 0}, {1, 0, 0}, t).hit);
        EXPECT_FALSE(castRay(s, {-5, 0, 0}, {1, 0, 0}, t - 1e-9).hit);
        EXPECT_FALSE(castRay(s, {-5, 0, 0}, {-1, 0, 0}, 100).hit);
    }
    EXPECT_FALSE(castRay(Shape{}, {0, 0, 0}, {1, 0, 0}, 100).hit);
}

// Rays along the axes have directions with zero components.
TEST(RayTest, AlongTheAxes) {
    const Vec3d y = {0, 1, 0};
    EXPECT_DOUBLE_EQ(castRay(solidOf(ShapeKind::Box), {0, -5, 0}, y, 100).t, 4.25);
    EXPECT_DOUBLE_EQ(castRay(solidOf(ShapeKind::Sphere), {0, -5, 0}, y, 100).t, 4.6);
    EXPECT_DOUBLE_EQ(castRay(solidOf(ShapeKind::Capsule), {0, -5, 0}, y, 100).t, 4.0);
    EXPECT_DOUBLE_EQ(castRay(solidOf(ShapeKind::Cylinder), {0, -5, 0}, y, 100).t, 4.4);
    EXPECT_DOUBLE_EQ(castRay(solidOf(ShapeKind::Hull), {0.1, -5, 0}, y, 100).t, 4.5);
    EXPECT_TRUE(castRay(solidOf(ShapeKind::Hull), {0.1, -5, 0}, y, 100).normal == -y);
    for (ShapeKind kind : kinds) EXPECT_FALSE(castRay(solidOf(kind), {0.6, -5, 0}, y, 100).hit) << int(kind);
    // A ray that starts on the surface and goes inwards gets the normal of that surface.
    EXPECT_TRUE(castRay(solidOf(ShapeKind::Box), {0.1, -0.75, 0}, y, 100).normal == -y);
    // The ray is almost parallel to the axis of the cylinder.
    EXPECT_NEAR(castRay(solidOf(ShapeKind::Cylinder), {0.1, -5, 0}, {1e-170, 1, 0}, 100).t, 4.4, 1e-15);
}

// The quadratic formula in t would subtract 1e12 from 1e12 here, with an error of a tenth of a millimetre.
TEST(RayTest, FarAwayKeepsItsDigits) {
    const Vec3d d = normalize(Vec3d{1, 2, 2});
    for (double away : {1e3, 1e6}) {
        const RayShape r = castRay(solidOf(ShapeKind::Sphere), -away * d, d, 1e9);
        EXPECT_NEAR(r.t, away - 0.4, 1e-15 * away);
    }
}

// A plane is a half space with the distance function p.y.
TEST(RayTest, PlaneIsAllBelowIt) {
    Shape s;
    s.kind = ShapeKind::Plane;
    s.at = {{1, 2, 3}, normalize(Quatd{0.1, -0.4, 0.3, 0.8})};
    std::mt19937 random(4);
    std::uniform_real_distribution<double> any(-5, 5);
    for (int trial = 0; trial < 1000; ++trial) {
        const Vec3d d = unit(random), from = {any(random), any(random), any(random)};
        const double height = s.at.local(from).y, fall = -rotate(conjugate(s.at.q), d).y;
        const RayShape r = castRay(s, from, d, 50);
        const bool above = height > 0;
        EXPECT_EQ(r.hit, !above || (fall > 0 && height / fall <= 50));
        if (!r.hit) continue;
        EXPECT_NEAR(r.t, above ? height / fall : 0, 1e-12);
        EXPECT_LT(length(r.normal - (above ? rotate(s.at.q, Vec3d{0, 1, 0}) : -d)), 1e-14);
    }
    s.at = {};
    EXPECT_FALSE(castRay(s, {0, 1, 0}, {1, 0, 0}, 1e9).hit); // the ray is parallel to the plane
    EXPECT_TRUE(castRay(s, {0, -1, 0}, {1, 0, 0}, 1e9).hit);
}

// From outside, a ray hits the mesh where it hits the solid. From inside, it hits the opposite side.
TEST(RayTest, MeshIsTheSurfaceOfTheHull) {
    Shape solid = solidOf(ShapeKind::Hull);
    solid.at = {{1, 2, 3}, normalize(Quatd{0.1, -0.4, 0.3, 0.8})};
    Shape skin = solid;
    skin.kind = ShapeKind::Mesh;
    std::mt19937 random(5);
    std::uniform_real_distribution<double> any(-1, 1);
    int hits = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const Vec3d d = unit(random), near = solid.at.x + Vec3d{any(random), any(random), any(random)};
        const RayShape a = castRay(solid, near - 4.0 * d, d, 100), b = castRay(skin, near - 4.0 * d, d, 100);
        ASSERT_EQ(a.hit, b.hit);
        if (!a.hit) continue;
        ++hits;
        EXPECT_NEAR(a.t, b.t, 1e-12);
        EXPECT_LT(length(a.normal - b.normal), 1e-12);
        EXPECT_FALSE(castRay(skin, near - 4.0 * d, d, b.t - 1e-9).hit);
        // A ray back from beyond the surface hits the same point from the other side.
        const Vec3d inside = near - (4.0 - b.t - 1e-6) * d;
        const RayShape out = castRay(skin, inside, -d, 100);
        ASSERT_TRUE(out.hit);
        EXPECT_NEAR(out.t, 1e-6, 1e-9);
        EXPECT_LT(length(out.normal + b.normal), 1e-12);
    }
    EXPECT_GT(hits, 300);
}

// Hills on a grid. Rays from above aim at corners, edges and interiors of triangles. No ray passes between triangles,
// from near or far. The height of each hit lies between those of the triangle's corners.
TEST(RayTest, NothingSlipsBetweenTheTrianglesOfAMesh) {
    constexpr int n = 12;
    std::mt19937 random(6);
    std::uniform_real_distribution<double> any(0, 1);
    Shape s;
    s.kind = ShapeKind::Mesh;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) s.corners.push_back({0.1 * i, 0.05 * any(random), 0.1 * j});
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const int a = i * (n + 1) + j, b = a + n + 1;
            s.triangles.push_back({a, a + 1, b + 1});
            s.triangles.push_back({a, b + 1, b});
        }
    std::uniform_int_distribution<int> which(0, int(s.triangles.size()) - 1);
    for (int trial = 0; trial < 20000; ++trial) {
        const auto t = s.triangles[which(random)];
        double u = any(random), v = any(random) * (1 - u);
        if (trial % 4 == 0) v = 0;
        if (trial % 4 == 1) {
            u = 0;
            v = 0;
        }
        const Vec3d a = s.corners[t[0]], b = s.corners[t[1]], c = s.corners[t[2]];
        const Vec3d p = a + u * (b - a) + v * (c - a);
        // At the rim a ray may miss the mesh.
        if (min(p.x, p.z) < 0.01 || max(p.x, p.z) > 0.1 * n - 0.01) continue;
        for (double away : {1.0, 1e6}) {
            const Vec3d d = normalize(Vec3d{0.3 * (any(random) - 0.5), -1, 0.3 * (any(random) - 0.5)});
            const RayShape r = castRay(s, p - away * d, d, 2 * away);
            ASSERT_TRUE(r.hit) << trial;
            EXPECT_NEAR(r.t, away, 1e-15 * away + 1e-12) << trial;
            EXPECT_LT(dot(r.normal, d), 0);
        }
    }
}

} // namespace
} // namespace capstan
