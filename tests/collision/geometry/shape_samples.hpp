// SPDX-License-Identifier: MIT
// Random shapes, points and segments for the tests of distances. Many of them are special: they lie on an axis, a
// face, an edge, a corner or a rim.
#pragma once

#include "collision/geometry/nearest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace capstan {

constexpr double kTolerance = 1e-9;

// Returns a shape. The hull is a box of the same size as Box, so that both have the same expected values.
inline Shape shapeOf(ShapeKind kind) {
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

// Returns the support function of the solid: the largest n . y over its points y.
inline double support(const Shape& s, Vec3d n) {
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

// Returns the minimum of a convex function on [0, 1].
template <class F> double least(F f) {
    double lo = 0, hi = 1, best = std::min(f(0.0), f(1.0));
    for (int i = 0; i < 90; ++i) {
        const double l = lo + (hi - lo) / 3, r = hi - (hi - lo) / 3, fl = f(l), fr = f(r);
        best = std::min({best, fl, fr});
        (fl < fr ? hi : lo) = fl < fr ? r : l;
    }
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
    // Returns a coordinate that is often special: on an axis, a face, an edge, a corner or the rim.
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
        case 2: { // a segment along an axis; drawn in two statements, because compilers order operands differently
            const Vec3d axis = random() % 2 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
            return {a, a + 2 * any() * axis};
        }
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

inline void expectConsistent(const Nearest& n, Segment g) {
    ASSERT_TRUE(n.t >= 0 && n.t <= 1);
    ASSERT_NEAR(length(n.normal), 1, 1e-12);
    ASSERT_LT(length(g.at(n.t) - n.point - n.distance * n.normal), kTolerance);
}

} // namespace capstan
