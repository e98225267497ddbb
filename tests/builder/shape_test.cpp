// SPDX-License-Identifier: MIT
// Tests of shapes and convex hulls. A hull must be closed (Euler: V - E + F = 2, each edge used once in each
// direction) and convex. It must contain every given point, and have the volume of a formula. The volume is summed
// here.
#include "builder/hull.hpp"
#include "builder/shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

namespace capstan {
namespace {

using Points = std::vector<Vec3d>;

Vec3d at(const ConvexHull& h, int i) { return h.corners[i]; }

double volumeOf(const ConvexHull& h) {
    double v = 0;
    for (const auto& t : h.triangles)
        v += dot(at(h, t[0]) - at(h, 0), cross(at(h, t[1]) - at(h, 0), at(h, t[2]) - at(h, 0))) / 6;
    return v;
}

void expectSound(const ConvexHull& h, const Points& points, double tolerance) {
    ASSERT_FALSE(h.triangles.empty());
    std::set<std::pair<int, int>> edges;
    std::set<int> used;
    for (const auto& t : h.triangles) {
        for (int k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3];
            EXPECT_TRUE(edges.insert({a, b}).second) << "edge " << a << " " << b << " twice";
            used.insert(a);
        }
        const Vec3d n = cross(at(h, t[1]) - at(h, t[0]), at(h, t[2]) - at(h, t[0]));
        ASSERT_GT(length(n), 0);
        double most = 0;
        for (Vec3d p : points) most = std::max(most, dot(normalize(n), p - at(h, t[0])));
        EXPECT_LE(most, tolerance);
    }
    for (auto [a, b] : edges) EXPECT_TRUE(edges.count({b, a})) << "edge " << a << " " << b << " is open";
    EXPECT_EQ(used.size(), h.corners.size());
    EXPECT_EQ(int(h.corners.size()) - int(edges.size() / 2) + int(h.triangles.size()), 2);
    for (Vec3d c : h.corners)
        EXPECT_TRUE(
            std::any_of(points.begin(), points.end(), [&](Vec3d p) { return length(p - c) <= tolerance; }));
}

Points cubeGrid(int n) { // the (n + 1)^3 grid points of the unit cube
    Points p;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            for (int k = 0; k <= n; ++k) p.push_back({i / double(n), j / double(n), k / double(n)});
    return p;
}

Vec3d onSphere(std::mt19937& random) {
    std::normal_distribution<double> normal;
    return normalize(Vec3d{normal(random), normal(random), normal(random)});
}

TEST(HullTest, CubeHasEightCornersAndTwelveTriangles) {
    for (int n : {1, 2, 4}) { // for n > 1 some points lie within faces and edges
        Points p = cubeGrid(n);
        const ConvexHull h = convexHull(p);
        expectSound(h, p, 0);
        EXPECT_EQ(h.corners.size(), 8u);
        EXPECT_EQ(h.triangles.size(), 12u);
        EXPECT_DOUBLE_EQ(volumeOf(h), 1);
    }
}

TEST(HullTest, OrderAndDuplicatesDoNotMatter) {
    Points p = cubeGrid(3);
    const ConvexHull h = convexHull(p);
    std::mt19937 random(1);
    for (int i = 0; i < 20; ++i) {
        Points q = p;
        q.insert(q.end(), p.begin(), p.end());
        std::shuffle(q.begin(), q.end(), random);
        const ConvexHull g = convexHull(q);
        EXPECT_TRUE(g.corners == h.corners);
        EXPECT_TRUE(g.triangles == h.triangles);
    }
}

TEST(HullTest, RandomCloudsAreInsideTheirHulls) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int trial = 0; trial < 200; ++trial) {
        const int n = 4 + trial;
        const double scale = trial % 3 == 0 ? 1e-3 : trial % 3 == 1 ? 1 : 1e6;
        Points p;
        for (int i = 0; i < n; ++i) p.push_back(scale * Vec3d{any(random), any(random), any(random)});
        expectSound(convexHull(p), p, scale * 1e-11);
    }
}

// Integer coordinates in a small range, so that many points are coplanar or collinear.
TEST(HullTest, SmallWholeNumbersAreInsideTheirHulls) {
    std::mt19937 random(3);
    int solid = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        std::uniform_int_distribution<int> few(0, 1 + trial % 4);
        Points p;
        for (int i = 0; i < 4 + trial % 23; ++i)
            p.push_back({double(few(random)), double(few(random)), double(few(random))});
        // Six times the volume of the largest tetrahedron: zero only if the hull has no volume.
        double most = 0;
        for (Vec3d a : p)
            for (Vec3d b : p)
                for (Vec3d c : p) most = std::max(most, dot(a - p[0], cross(b - p[0], c - p[0])));
        const ConvexHull h = convexHull(p);
        ASSERT_EQ(h.triangles.empty(), most == 0);
        if (most == 0) continue;
        ++solid;
        expectSound(h, p, 1e-14);
        if (::testing::Test::HasFailure()) return;
    }
    EXPECT_GT(solid, 500);
}

// A cube is rotated and rounded to float, so that the corners of a face are not exactly coplanar.
TEST(HullTest, TurnedFacesAreRounded) {
    std::mt19937 random(4);
    for (int trial = 0; trial < 50; ++trial) {
        const Quatd q = Quatd::fromAxisAngle(onSphere(random), 0.1 * trial);
        Points p;
        for (Vec3d a : cubeGrid(5)) p.push_back(widen(narrow(rotate(q, a) + Vec3d{3, 2, 1})));
        const ConvexHull h = convexHull(p);
        expectSound(h, p, 1e-11);
        EXPECT_NEAR(volumeOf(h), 1, 1e-6);
    }
}

TEST(HullTest, SphereFillsUp) {
    std::mt19937 random(5);
    Points p;
    for (int i = 0; i < 2000; ++i) p.push_back(onSphere(random));
    const ConvexHull h = convexHull(p);
    expectSound(h, p, 1e-11);
    EXPECT_EQ(h.corners.size(), p.size());
    EXPECT_EQ(h.triangles.size(), 2 * p.size() - 4);
    // The hull of n random points on the sphere has the volume of the ball, up to a few parts in n.
    EXPECT_LT(volumeOf(h), 4 * 3.14159265358979 / 3);
    EXPECT_GT(volumeOf(h), 4 * 3.14159265358979 / 3 * 0.99);
}

TEST(HullTest, PrismHasItsVolume) {
    const int n = 360;
    Points p;
    for (int i = 0; i < n; ++i) {
        const double a = 2 * 3.14159265358979323846 * i / n;
        for (double y : {-1.0, 0.0, 1.0})
            p.push_back({widen(narrow(std::cos(a))), y, widen(narrow(std::sin(a)))});
    }
    const ConvexHull h = convexHull(p);
    expectSound(h, p, 1e-11);
    // The points of the middle ring lie inside edges, so they are not corners.
    EXPECT_EQ(h.corners.size(), std::size_t(2 * n));
    EXPECT_NEAR(volumeOf(h), n * std::sin(2 * 3.14159265358979323846 / n), 1e-6);
}

TEST(HullTest, NoVolumeIsEmpty) {
    std::mt19937 random(6);
    std::uniform_real_distribution<double> any(-1, 1);
    EXPECT_TRUE(convexHull({}).triangles.empty());
    EXPECT_TRUE(convexHull(Points(10, Vec3d{1, 2, 3})).triangles.empty());
    EXPECT_TRUE(convexHull(Points(10, Vec3d{0, 0, 0})).triangles.empty());
    for (int trial = 0; trial < 100; ++trial) {
        const Vec3d a = onSphere(random), b = onSphere(random), o = 10 * onSphere(random);
        Points plane, line;
        for (int i = 0; i < 50; ++i) {
            plane.push_back(widen(narrow(o + any(random) * a + any(random) * b)));
            line.push_back(widen(narrow(o + any(random) * a)));
        }
        EXPECT_TRUE(convexHull(plane).triangles.empty());
        EXPECT_TRUE(convexHull(line).triangles.empty());
    }
}

std::string errorOf(const ShapeDef& d) {
    const Result<Shape> made = makeShape(d);
    return made ? "sound" : made.error().where;
}

TEST(ShapeTest, TakesWhatIsSolid) {
    const Shape box = *makeShape(ShapeDef(Box{{1, 2, 3}}).at({4, 5, 6}, {0, 0, 2, 0}));
    EXPECT_EQ(box.kind, ShapeKind::Box);
    EXPECT_TRUE(box.half == (Vec3d{0.5, 1, 1.5}));
    EXPECT_TRUE(box.at.x == (Vec3d{4, 5, 6}));
    EXPECT_EQ(box.at.q.z, 1);
    const Shape capsule = *makeShape(Capsule{0.25f, 0});
    EXPECT_EQ(capsule.radius, 0.25);
    EXPECT_EQ(capsule.halfLength, 0);
    EXPECT_EQ(makeShape(Cylinder{0.25f, 3})->halfLength, 1.5);
    EXPECT_EQ(makeShape(Sphere{2})->radius, 2);
    const Shape hull = *makeShape(Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1f, 0.1f, 0.1f}}});
    EXPECT_EQ(hull.corners.size(), 4u);
    EXPECT_EQ(hull.triangles.size(), 4u);
}

// Two triangles of a square, and degenerate triangles as modelling programs leave them. One lies on an edge, one
// repeats a corner, one has three equal corners, and one is collinear.
Mesh square() {
    Mesh m;
    m.points = {{0, 0, 0}, {1, 0, 0},       {1, 0, 1},          {0, 0, 1},
                {1, 0, 1}, {0.5f, 0, 0.5f}, {0.1f, 0.2f, 0.3f}, {0.7f, 1.4f, 2.1f}};
    m.triangles = {{0, 2, 1}, {0, 1, 1}, {0, 3, 2}, {2, 4, 2}, {2, 4, 3}, {0, 5, 2}, {0, 6, 7}, {3, 3, 3}};
    return m;
}

TEST(ShapeTest, PlaneNeedsNothing) {
    const Shape s = *makeShape(ShapeDef(Plane{}).at({0, 2, 0}, {0, 0, 1, 1}));
    EXPECT_EQ(s.kind, ShapeKind::Plane);
    EXPECT_TRUE(s.at.x == (Vec3d{0, 2, 0}));
    EXPECT_TRUE(s.corners.empty());
}

TEST(ShapeTest, MeshKeepsItsTrianglesAndDropsThoseWithoutArea) {
    const Shape s = *makeShape(ShapeDef(square()).at({0, 2, 0}));
    EXPECT_EQ(s.kind, ShapeKind::Mesh);
    EXPECT_TRUE(s.at.x == (Vec3d{0, 2, 0}));
    EXPECT_EQ(s.corners.size(), 8u);
    EXPECT_EQ(s.triangles, (std::vector<std::array<int, 3>>{{0, 2, 1}, {0, 3, 2}}));
    // Small, large and very thin triangles all have an area and are kept.
    for (float size : {1e-20f, 1e-3f, 1e4f, 1e18f}) {
        const Mesh m = {{{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {size, 1e-6f * size, 0}},
                        {{0, 1, 2}, {0, 1, 3}}};
        EXPECT_EQ(makeShape(m)->triangles.size(), 2u) << size;
    }
    // The corners lie on a line, up to float rounding.
    const Mesh line = {{{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {1e6f, 1e6f, 1e6f}, {0, 1, 0}},
                       {{0, 1, 2}, {1, 3, 2}, {0, 1, 4}}};
    EXPECT_EQ(makeShape(line)->triangles, (std::vector<std::array<int, 3>>{{0, 1, 4}}));
}

TEST(ShapeTest, NamesWhatIsWrongWithAMesh) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    EXPECT_EQ(errorOf(Mesh{}), "/points");
    EXPECT_EQ(makeShape(Mesh{}).error().what, "a mesh needs points");
    Mesh m = square();
    m.triangles.clear();
    EXPECT_EQ(errorOf(m), "/triangles");
    EXPECT_EQ(makeShape(m).error().what, "a mesh needs triangles");
    m = square();
    m.triangles[2] = {0, 8, 2};
    EXPECT_EQ(errorOf(m), "/triangles/2");
    EXPECT_EQ(makeShape(m).error().what, "there is no point 8; the mesh has 8 points");
    m.triangles[2] = {0, 1, -1};
    EXPECT_EQ(errorOf(m), "/triangles/2");
    EXPECT_EQ(makeShape(m).error().what, "there is no point -1; the mesh has 8 points");
    m.triangles[2] = {0, 1, std::numeric_limits<int>::max()};
    EXPECT_EQ(errorOf(m), "/triangles/2");
    for (float bad : {nan, inf, -inf}) {
        m = square();
        m.points[7].z = bad; // only triangles without area use this vertex
        EXPECT_EQ(errorOf(m), "/points/7");
    }
    m = square();
    m.triangles = {{0, 1, 1}, {0, 5, 2}};
    EXPECT_EQ(errorOf(m), "/triangles");
    EXPECT_EQ(makeShape(m).error().what, "a mesh needs a triangle with an area");
    EXPECT_EQ(errorOf(ShapeDef(square()).at({0, 0, 0}, {0, 0, 0, 0})), "/rotation");
    EXPECT_EQ(errorOf(ShapeDef(Plane{}).at({0, nan, 0})), "/position");
}

TEST(ShapeTest, NamesTheFieldThatIsWrong) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(errorOf(ShapeDef{}), "/kind");
    EXPECT_EQ(errorOf(Box{{1, 0, 1}}), "/size");
    EXPECT_EQ(errorOf(Box{{1, 1, -1}}), "/size");
    EXPECT_EQ(errorOf(Box{{1, nan, 1}}), "/size");
    EXPECT_EQ(errorOf(Sphere{0}), "/radius");
    EXPECT_EQ(errorOf(Sphere{-1}), "/radius");
    EXPECT_EQ(errorOf(Sphere{nan}), "/radius");
    EXPECT_EQ(errorOf(Capsule{0, 1}), "/radius");
    EXPECT_EQ(errorOf(Capsule{1, -1}), "/length");
    EXPECT_EQ(errorOf(Cylinder{1, 0}), "/length");
    EXPECT_EQ(errorOf(Cylinder{0, 1}), "/radius");
    EXPECT_EQ(errorOf(Hull{}), "/points");
    EXPECT_EQ(errorOf(Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}), "/points");
    EXPECT_EQ(errorOf(Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}), "/points");
    EXPECT_EQ(errorOf(Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, nan}}}), "/points/3");
    EXPECT_EQ(errorOf(Hull{std::vector<Vec3>(100001)}), "/points");
    EXPECT_EQ(errorOf(ShapeDef(Sphere{1}).at({0, 0, 0}, {0, 0, 0, 0})), "/rotation");
    EXPECT_EQ(errorOf(ShapeDef(Sphere{1}).at({0, 0, 0}, {0, nan, 0, 1})), "/rotation");
    EXPECT_EQ(errorOf(ShapeDef(Sphere{1}).at({0, nan, 0})), "/position");
}

TEST(ShapeTest, KnowsAUnitRotation) {
    EXPECT_TRUE(rotationIsUnit({0, 0, 0, 1}));
    EXPECT_TRUE(rotationIsUnit({0.7071f, 0, 0, 0.7071f}));
    EXPECT_FALSE(rotationIsUnit({0.7f, 0, 0, 0.7f}));
    EXPECT_FALSE(rotationIsUnit({0, 0, 0, 2}));
}

} // namespace
} // namespace capstan
