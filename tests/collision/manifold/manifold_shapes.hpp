// SPDX-License-Identifier: MIT
// Helpers of the manifold tests: shapes, and checks that every manifold must pass. Support functions and inside tests
// are written independently of the engine's.
#pragma once

#include "builder/hull.hpp"
#include "collision/manifold/manifold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace capstan {

using P = Vec3d;
constexpr double kPi = 3.14159265358979323846;

inline Shape sphere(double r) {
    Shape s;
    s.kind = ShapeKind::Sphere;
    s.radius = r;
    return s;
}
inline Shape capsule(double r, double half) {
    Shape s;
    s.kind = ShapeKind::Capsule;
    s.radius = r;
    s.halfLength = half;
    return s;
}
inline Shape cylinder(double r, double half) {
    Shape s;
    s.kind = ShapeKind::Cylinder;
    s.radius = r;
    s.halfLength = half;
    return s;
}
inline Shape box(P half) {
    Shape s;
    s.kind = ShapeKind::Box;
    s.half = half;
    return s;
}
inline Shape hull(const std::vector<P>& points) {
    Shape s;
    s.kind = ShapeKind::Hull;
    ConvexHull h = convexHull(points);
    s.corners = h.corners;
    s.triangles = h.triangles;
    return s;
}
inline Shape hullBox(P h) {
    std::vector<P> points;
    for (int i = 0; i < 8; ++i)
        points.push_back({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
    return hull(points);
}
inline Shape plane() {
    Shape s;
    s.kind = ShapeKind::Plane;
    return s;
}
inline Shape mesh(P a, P b, P c) {
    Shape s;
    s.kind = ShapeKind::Mesh;
    s.corners = {a, b, c};
    s.triangles = {{0, 1, 2}};
    return s;
}
inline Quatd turn(P axis, double angle) { return Quatd::fromAxisAngle(normalize(axis), angle); }
inline Pose at(P x, Quatd q = Quatd::identity()) { return {x, q}; }

inline Manifold touch(const Shape& a, const Pose& atA, const Shape& b, const Pose& atB,
                      double margin = 0.05) {
    Manifold m;
    collide(a, atA, b, atB, b.kind == ShapeKind::Mesh ? 0 : -1, margin, m);
    return m;
}
inline double leastGap(const Manifold& m) {
    double g = 1e300;
    for (int i = 0; i < m.count; ++i) g = std::min(g, m.point[i].gap);
    return g;
}

inline P farthest(const Shape& s, const Pose& pose, P d) {
    const P l = rotate(conjugate(pose.q), d);
    P best = {0, 0, 0};
    const double r = s.radius, h = s.halfLength;
    switch (s.kind) {
    case ShapeKind::Box:
        best = {l.x < 0 ? -s.half.x : s.half.x, l.y < 0 ? -s.half.y : s.half.y,
                l.z < 0 ? -s.half.z : s.half.z};
        break;
    case ShapeKind::Sphere:
        best = r * l;
        break;
    case ShapeKind::Capsule:
        best = r * l + P{0, l.y < 0 ? -h : h, 0};
        break;
    case ShapeKind::Cylinder: {
        const double a = std::hypot(l.x, l.z), k = a > 0 ? r / a : 0;
        best = {k * l.x, l.y < 0 ? -h : h, k * l.z};
        break;
    }
    default:
        best = s.corners[0];
        for (P c : s.corners)
            if (dot(c, l) > dot(best, l)) best = c;
    }
    return pose.point(best);
}

struct Two {
    Shape a, b;
    Pose atA, atB;
    double separation(P n) const { return dot(n, farthest(a, atA, -n) - farthest(b, atB, n)); }
    double size() const { return reach(a) + reach(b); }
    static double reach(const Shape& s) {
        double r = length(s.half) + s.radius + s.halfLength;
        for (P c : s.corners) r = std::max(r, length(c));
        return r;
    }
};

// Returns an approximate distance of p from the shape, or 0 inside.
inline double outside(const Shape& s, const Pose& pose, P p) {
    const P l = pose.local(p);
    const double r = s.radius, h = s.halfLength;
    switch (s.kind) {
    case ShapeKind::Box:
        return std::max({0.0, std::abs(l.x) - s.half.x, std::abs(l.y) - s.half.y, std::abs(l.z) - s.half.z});
    case ShapeKind::Sphere:
        return std::max(0.0, length(l) - r);
    case ShapeKind::Capsule:
        return std::max(0.0, length(l - P{0, std::clamp(l.y, -h, h), 0}) - r);
    case ShapeKind::Cylinder:
        return std::max({0.0, std::hypot(l.x, l.z) - r, std::abs(l.y) - h});
    case ShapeKind::Mesh: {
        const P n = normalize(cross(s.corners[1] - s.corners[0], s.corners[2] - s.corners[0]));
        double d = std::abs(dot(n, l - s.corners[0]));
        for (std::size_t i = 0; i < 3; ++i) {
            const P e = s.corners[(i + 1) % 3] - s.corners[i];
            d = std::max(d, dot(normalize(cross(e, n)), l - s.corners[i]));
        }
        return d;
    }
    default: {
        double d = 0;
        for (const auto& t : s.triangles) {
            const P a = s.corners[t[0]], b = s.corners[t[1]], c = s.corners[t[2]];
            d = std::max(d, dot(normalize(cross(b - a, c - a)), l - a));
        }
        return d;
    }
    }
}

inline std::vector<Shape> manyShapes(std::mt19937& rng) {
    std::normal_distribution<double> g;
    std::vector<P> cloud;
    for (int i = 0; i < 40; ++i) cloud.push_back(0.5 * normalize(P{g(rng), g(rng), g(rng)}));
    return {box({0.5, 0.3, 0.4}),
            box({0.1, 0.6, 0.2}),
            sphere(0.4),
            capsule(0.2, 0.5),
            cylinder(0.3, 0.4),
            cylinder(0.5, 0.1),
            hullBox({0.4, 0.4, 0.4}),
            hull(cloud),
            hull({{0, 0.5, 0}, {0.5, -0.3, 0}, {-0.4, -0.3, 0.4}, {-0.3, -0.3, -0.5}})};
}

struct Random {
    std::mt19937 rng{7};
    std::normal_distribution<double> g;
    std::uniform_real_distribution<double> u{0, 1};
    P direction() { return normalize(P{g(rng), g(rng), g(rng)}, {0, 1, 0}); }
    Quatd rotation() { return normalize(Quatd{g(rng), g(rng), g(rng), g(rng)}); }
};

inline void expectSound(const Two& t, const Manifold& m, double margin) {
    const double tol = 5e-6 * t.size(); // at sharp corners a clipped point may lie slightly outside
    for (int i = 0; i < m.count; ++i) {
        const ManifoldPoint& p = m.point[i];
        ASSERT_TRUE(std::isfinite(p.gap));
        EXPECT_NEAR(length(p.normal), 1, 1e-12);
        EXPECT_TRUE(p.normal == m.point[0].normal);
        EXPECT_NEAR(p.gap, dot(p.normal, p.a - p.b) - p.radiusA - p.radiusB, 1e-12);
        EXPECT_LT(p.gap, margin);
        EXPECT_LT(outside(t.a, t.atA, p.a - p.radiusA * p.normal), tol);
        EXPECT_LT(outside(t.b, t.atB, p.b + p.radiusB * p.normal), tol);
        for (int k = 0; k < i; ++k) EXPECT_NE(p.feature, m.point[k].feature);
    }
}

} // namespace capstan
