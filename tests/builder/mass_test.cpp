// SPDX-License-Identifier: MIT
// Tests of mass properties of solids. Expected values are from textbooks, a stack of thin discs, and a sum over the
// cells of a fine grid. The formulas of builder/mass.cpp are not used here.
#include "builder/mass.hpp"
#include "builder/shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace capstan {
namespace {

constexpr double kPi = 3.14159265358979323846;

void expectNear(const Sym3<double>& a, const Sym3<double>& b, double tolerance) {
    EXPECT_NEAR(a.xx, b.xx, tolerance);
    EXPECT_NEAR(a.yy, b.yy, tolerance);
    EXPECT_NEAR(a.zz, b.zz, tolerance);
    EXPECT_NEAR(a.xy, b.xy, tolerance);
    EXPECT_NEAR(a.xz, b.xz, tolerance);
    EXPECT_NEAR(a.yz, b.yz, tolerance);
}

// Mass properties of a stack of discs of radius r(y): dm = pi r^2 dy, inertia dm r^2 / 2 about y, dm (r^2 / 4 + y^2)
// across y.
template <class Radius> SolidMass discs(double from, double to, Radius radius) {
    SolidMass m;
    const int n = 200000;
    const double dy = (to - from) / n;
    for (int i = 0; i < n; ++i) {
        const double y = from + (i + 0.5) * dy, r = radius(y), dm = kPi * r * r * dy;
        m.volume += dm;
        const double across = dm * (r * r / 4 + y * y);
        m.inertia += Sym3<double>::diagonal({across, dm * r * r / 2, across});
    }
    return m;
}

struct Sample {
    double mass = 0;
    Vec3d center = {0, 0, 0};
    Sym3<double> inertia = {0, 0, 0, 0, 0, 0};
};

// Sums mass properties over the cells of a fine grid in the cube with half edge `half`.
template <class Density> Sample voxels(double half, int n, Density density) {
    Sample s;
    Vec3d first = {0, 0, 0};
    Sym3<double> second = {0, 0, 0, 0, 0, 0};
    const double cell = 2 * half / n;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
                const Vec3d p = {-half + (i + 0.5) * cell, -half + (j + 0.5) * cell,
                                 -half + (k + 0.5) * cell};
                const double dm = density(p) * cell * cell * cell;
                s.mass += dm;
                first += dm * p;
                second += dm * (Sym3<double>::scaledIdentity(dot(p, p)) - outer(p));
            }
    s.center = first / s.mass;
    s.inertia = second - s.mass * (Sym3<double>::scaledIdentity(dot(s.center, s.center)) - outer(s.center));
    return s;
}

TEST(MassTest, Box) {
    const SolidMass m = solidMass(*makeShape(Box{{1, 2, 4}}));
    EXPECT_DOUBLE_EQ(m.volume, 8);
    expectNear(m.inertia, {8.0 / 12 * 20, 8.0 / 12 * 17, 8.0 / 12 * 5, 0, 0, 0}, 1e-14);
}

TEST(MassTest, RoundShapesAreStacksOfDiscs) {
    const double r = 0.5, h = 0.75;
    auto capsuleRadius = [&](double y) {
        const double d = std::max(std::abs(y) - h, 0.0);
        return std::sqrt(r * r - d * d);
    };
    const struct {
        ShapeDef def;
        SolidMass truth;
    } cases[] = {
        {Sphere{0.5f}, discs(-r, r, [&](double y) { return std::sqrt(r * r - y * y); })},
        {Cylinder{0.5f, 1.5f}, discs(-h, h, [&](double) { return r; })},
        {Capsule{0.5f, 1.5f}, discs(-h - r, h + r, capsuleRadius)},
    };
    for (const auto& c : cases) {
        const SolidMass m = solidMass(*makeShape(c.def));
        EXPECT_NEAR(m.volume, c.truth.volume, 1e-9);
        expectNear(m.inertia, c.truth.inertia, 1e-9);
    }
    const SolidMass ball = solidMass(*makeShape(Sphere{0.5f})),
                    none = solidMass(*makeShape(Capsule{0.5f, 0}));
    EXPECT_NEAR(none.volume, ball.volume, 1e-15);
    expectNear(none.inertia, ball.inertia, 1e-15);
}

TEST(MassTest, CubeAsHullIsCubeAsBox) {
    Hull cube;
    for (float x : {3.0f, 4.0f})
        for (float y : {-1.0f, 1.0f})
            for (float z : {10.0f, 13.0f}) cube.points.push_back({x, y, z});
    const SolidMass h = solidMass(*makeShape(cube)), b = solidMass(*makeShape(Box{{1, 2, 3}}));
    EXPECT_NEAR(h.volume, b.volume, 1e-13);
    EXPECT_NEAR(length(h.center - Vec3d{3.5, 0, 11.5}), 0, 1e-13);
    expectNear(h.inertia, b.inertia, 1e-12);
}

// The tetrahedron of the origin and the three unit vectors: V = 1/6, centre (1/4, 1/4, 1/4). About the centre the
// integral of x^2 is 1/160 and that of x y is -1/480. (Dirichlet's integrals are 1/60 and 1/120, and V/16 is
// subtracted.)
TEST(MassTest, Tetrahedron) {
    const SolidMass m = solidMass(*makeShape(Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}));
    EXPECT_NEAR(m.volume, 1.0 / 6, 1e-16);
    EXPECT_NEAR(length(m.center - Vec3d{0.25, 0.25, 0.25}), 0, 1e-15);
    const double d = 2.0 / 160, o = 1.0 / 480;
    expectNear(m.inertia, {d, d, d, o, o, o}, 1e-16);
}

TEST(MassTest, RandomHullIsTheSumOfItsCells) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> any(-1, 1);
    Hull cloud;
    for (int i = 0; i < 12; ++i) cloud.points.push_back({any(random), any(random), any(random)});
    const Shape s = *makeShape(cloud);
    const SolidMass m = solidMass(s);
    const Sample truth = voxels(1, 160, [&](Vec3d p) {
        for (const auto& t : s.triangles) {
            const Vec3d a = s.corners[t[0]], b = s.corners[t[1]], c = s.corners[t[2]];
            if (dot(cross(b - a, c - a), p - a) > 0) return 0.0;
        }
        return 1.0;
    });
    EXPECT_NEAR(m.volume, truth.mass, 2e-3 * truth.mass);
    EXPECT_NEAR(length(m.center - truth.center), 0, 2e-3);
    expectNear(m.inertia, truth.inertia, 3e-3 * trace(truth.inertia));
}

TEST(MassTest, CompoundIsTheSumOfItsParts) {
    const double c = std::sqrt(0.5);
    const std::vector<Shape> shapes = {
        *makeShape(ShapeDef(Box{{0.8f, 0.4f, 0.2f}}).at({-0.4f, 0.2f, 0}, {0, 0, float(c / 2), 1})),
        *makeShape(ShapeDef(Sphere{0.25f}).at({0.5f, -0.3f, 0.2f})),
    };
    const CompoundMass m = compoundMass(shapes, {2, 5});
    const Sample truth = voxels(1, 160, [&](Vec3d p) {
        const Vec3d b = shapes[0].at.local(p), s = shapes[1].at.local(p);
        const bool inBox = std::abs(b.x) <= 0.4 && std::abs(b.y) <= 0.2 && std::abs(b.z) <= 0.1;
        return 2.0 * inBox + 5.0 * (length(s) <= 0.25);
    });
    EXPECT_NEAR(m.mass, truth.mass, 5e-3 * truth.mass);
    EXPECT_NEAR(length(m.center - truth.center), 0, 2e-3);
    expectNear(m.inertia, truth.inertia, 5e-3 * trace(truth.inertia));
}

// Two half boxes have the mass properties of the whole box.
TEST(MassTest, BoxOfTwoHalves) {
    const std::vector<Shape> halves = {*makeShape(ShapeDef(Box{{1, 2, 3}}).at({0.5f, 0, 0})),
                                       *makeShape(ShapeDef(Box{{1, 2, 3}}).at({-0.5f, 0, 0}))};
    const CompoundMass m = compoundMass(halves, {10, 10});
    EXPECT_DOUBLE_EQ(m.mass, 120);
    EXPECT_NEAR(length(m.center), 0, 1e-16);
    expectNear(m.inertia, {120.0 / 12 * 13, 120.0 / 12 * 13, 120.0 / 12 * 8, 0, 0, 0}, 1e-12);
}

TEST(MassTest, DiagonalTensorKeepsItsAxes) {
    const PrincipalAxes p = principalAxes({3, 1, 2, 1e-13, -1e-13, 0});
    EXPECT_TRUE(p.inertia == (Vec3d{3, 1, 2}));
    EXPECT_EQ(p.axes.w, 1);
    EXPECT_EQ(p.axes.x, 0);
    EXPECT_EQ(p.axes.y, 0);
    EXPECT_EQ(p.axes.z, 0);
}

TEST(MassTest, PrincipalAxesGiveTheTensorBack) {
    std::mt19937 random(8);
    std::uniform_real_distribution<double> any(-1, 1), above(0.1, 3);
    for (int trial = 0; trial < 1000; ++trial) {
        Vec3d d = {above(random), above(random), above(random)};
        if (trial % 4 == 1) d.y = d.x;                            // a disc: two equal principal moments
        if (trial % 4 == 2) d.z = d.x * (1 + 1e-9 * any(random)); // two nearly equal moments
        // Tiny principal moments, two of them equal.
        if (trial % 4 == 3) d = {d.x * 1e-6, d.y * 1e-6, d.y * 1e-6};
        const Quatd q = normalize(Quatd{any(random), any(random), any(random), any(random)});
        const Sym3<double> tensor = congruence(toMat3(q), Sym3<double>::diagonal(d));
        const PrincipalAxes p = principalAxes(tensor);
        expectNear(congruence(toMat3(p.axes), Sym3<double>::diagonal(p.inertia)), tensor,
                   1e-14 * trace(tensor));
        EXPECT_NEAR(length(p.axes), 1, 1e-15);
        double found[] = {p.inertia.x, p.inertia.y, p.inertia.z}, given[] = {d.x, d.y, d.z};
        std::sort(found, found + 3);
        std::sort(given, given + 3);
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], given[k], 1e-14 * trace(tensor));
    }
}

} // namespace
} // namespace capstan
