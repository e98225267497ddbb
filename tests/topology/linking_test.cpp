// SPDX-License-Identifier: MIT
//
// Tests of linking number, Gauss integral and writhe against independent values. These are known links, signed
// crossings counted in a projection, and the solid angle of a rectangle. Reference curves are used if they are
// available.
#include <capstan/topology/linking.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace capstan {
namespace {

constexpr double pi = std::numbers::pi;
using Curve = std::vector<Vec3d>;

Curve curve(int points, const std::function<Vec3d(double)>& f) {
    Curve c;
    for (int k = 0; k < points; ++k) c.push_back(f(2.0 * pi * k / points));
    return c;
}

Curve circle(int points, Vec3d centre, Vec3d u, Vec3d v) {
    return curve(points, [=](double t) { return centre + std::cos(t) * u + std::sin(t) * v; });
}

Curve reversed(Curve c) { return Curve(c.rbegin(), c.rend()); }

std::vector<Vec3> narrowed(const Curve& c) {
    std::vector<Vec3> out;
    for (const Vec3d& p : c) out.push_back(narrow(p));
    return out;
}

// Returns the signed crossing of segments a-b and c-d, seen along z from above: 0, or +-1 by the right-hand rule.
int crossing(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
    const Vec3d u = b - a, v = d - c, w = c - a;
    const double det = u.x * v.y - u.y * v.x;
    const double s = (w.x * v.y - w.y * v.x) / det, t = (w.x * u.y - w.y * u.x) / det;
    if (!(s > 0 && s < 1 && t > 0 && t < 1)) return 0;
    const bool firstOver = a.z + s * u.z > c.z + t * v.z;
    return (det > 0) == firstOver ? 1 : -1;
}

Vec3d at(const Curve& c, std::size_t k) { return c[k % c.size()]; }

double crossingsBetween(const Curve& p, const Curve& q) {
    int sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t j = 0; j < q.size(); ++j) sum += crossing(p[i], at(p, i + 1), q[j], at(q, j + 1));
    return 0.5 * sum;
}

double crossingsWithin(const Curve& p) {
    int sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t j = i + 2; j < p.size(); ++j)
            if (i > 0 || j + 1 < p.size()) sum += crossing(p[i], at(p, i + 1), p[j], at(p, j + 1));
    return sum;
}

Curve randomPolygon(std::mt19937& engine, int points) {
    const auto number = [&] { return static_cast<double>(engine()) / 4294967296.0; };
    Curve c;
    for (int k = 0; k < points; ++k) {
        // Separate variables, because C++ does not specify the order in which arguments are evaluated.
        const double x = number(), y = number(), z = number();
        c.push_back({x, y, z});
    }
    return c;
}

TEST(Linking, CirclesLinkedAndUnlinked) {
    for (const int n : {3, 4, 7, 64}) {
        const Curve flat = circle(n, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
        const Curve through = circle(n, {1, 0, 0}, {1, 0, 0}, {0, 0, 1});
        const Curve apart = circle(n, {5, 0, 0}, {1, 0, 0}, {0, 0, 1});
        const Curve above = circle(n, {0, 0, 0.1}, {1, 0, 0}, {0, 1, 0});
        ASSERT_TRUE(linkingNumber(flat, through));
        EXPECT_EQ(std::abs(linkingNumber(flat, through).value()), 1);
        EXPECT_EQ(linkingNumber(flat, through).value(), linkingNumber(through, flat).value());
        EXPECT_EQ(linkingNumber(flat, reversed(through)).value(), -linkingNumber(flat, through).value());
        EXPECT_EQ(linkingNumber(reversed(flat), reversed(through)).value(),
                  linkingNumber(flat, through).value());
        EXPECT_EQ(linkingNumber(flat, apart).value(), 0);
        EXPECT_EQ(linkingNumber(flat, above).value(), 0);
    }
}

// The sign: the curve passes once, upwards, through the disc of the unit circle (counter-clockwise, normal +z).
TEST(Linking, SignIsThatOfTheDiscPierced) {
    const Curve flat = circle(16, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    const Curve up{{0.1, 0.1, -10}, {0.1, 0.1, 10}, {30, 0, 0}};
    EXPECT_EQ(linkingNumber(flat, up).value(), 1);
}

// Two strands on a torus that wind k times: the (2, 2k) torus link, right-handed for k > 0.
TEST(Linking, TorusLinks) {
    for (int k = -5; k <= 5; ++k) {
        const auto strand = [&](double start) {
            return curve(96, [=](double t) {
                const double f = -k * t + start, r = 2.0 + 0.7 * std::cos(f);
                return Vec3d{r * std::cos(t), r * std::sin(t), 0.7 * std::sin(f)};
            });
        };
        const Curve p = strand(0.2), q = strand(pi + 0.2); // the offset keeps crossings away from vertices
        EXPECT_EQ(crossingsBetween(p, q), k);
        EXPECT_EQ(linkingNumber(p, q).value(), k);
        EXPECT_EQ(linkingNumber(narrowed(p), narrowed(q)).value(), k);
    }
}

TEST(Linking, RandomPolygonsAgreeWithTheirCrossings) {
    std::mt19937 engine(1);
    int linked = 0;
    for (int k = 0; k < 200; ++k) {
        const Curve p = randomPolygon(engine, 9), q = randomPolygon(engine, 12);
        const auto lk = linkingNumber(p, q);
        ASSERT_TRUE(lk) << lk.error().text();
        EXPECT_EQ(lk.value(), crossingsBetween(p, q));
        linked += lk.value() != 0;
    }
    EXPECT_GT(linked, 50);
}

// Curves far from the origin, tiny and huge curves: only differences of points matter.
TEST(Linking, PlaceAndSizeDoNotMatter) {
    std::mt19937 engine(2);
    const Curve p = randomPolygon(engine, 20), q = randomPolygon(engine, 20);
    const int lk = linkingNumber(p, q).value();
    for (const double size : {1e-20, 1e-3, 1e6, 1e20}) {
        Curve a = p, b = q;
        for (Vec3d& x : a) x = size * (x + Vec3d{1000, -500, 20});
        for (Vec3d& x : b) x = size * (x + Vec3d{1000, -500, 20});
        EXPECT_EQ(linkingNumber(a, b).value(), lk);
    }
}

TEST(Linking, BadCurvesAreRefused) {
    const Curve square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    EXPECT_EQ(linkingNumber(square, Curve{{0, 0, 1}, {1, 0, 1}}).error().what,
              "a closed curve needs three points");
    EXPECT_FALSE(linkingNumber(Curve{}, square));
    Curve broken = square;
    broken[1].z = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(linkingNumber(broken, circle(8, {1, 1, 0.5}, {1, 0, 0}, {0, 0, 1})));
    broken[1].z = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(linkingNumber(broken, circle(8, {1, 1, 0.5}, {1, 0, 0}, {0, 0, 1})));
    // An edge intersects an edge, so that the linking number is not defined.
    const Curve touching{{0.5, 0, -1}, {0.5, 0, 1}, {0.5, -3, 0}};
    const auto lk = linkingNumber(square, touching);
    ASSERT_FALSE(lk);
    EXPECT_EQ(lk.error().what.rfind("the curves touch", 0), 0u);
}

// Flat curves in a tilted plane. All triple products are rounding errors, and so are normals of sides that are
// collinear with a point of the other curve. The linking number must still be 0.
TEST(Linking, FlatCurvesInATiltedPlane) {
    std::mt19937 engine(5);
    for (int k = 0; k < 50; ++k) {
        const Curve axes = randomPolygon(engine, 3);
        const auto grid = [&](int x, int y) { return axes[0] + double(x) * axes[1] + double(y) * axes[2]; };
        // Squares of unit segments on lines of the grid.
        const auto square = [&](int x, int y, int side) {
            Curve c;
            for (int i = 0; i < side; ++i) c.push_back(grid(x + i, y));
            for (int i = 0; i < side; ++i) c.push_back(grid(x + side, y + i));
            for (int i = 0; i < side; ++i) c.push_back(grid(x + side - i, y + side));
            for (int i = 0; i < side; ++i) c.push_back(grid(x, y + side - i));
            return c;
        };
        const Curve p = square(0, 0, 6);
        for (const Curve& q : {square(1, 1, 2), square(7, 0, 3), square(-4, 6, 3), square(-1, -1, 9)}) {
            const auto lk = linkingNumber(p, q);
            ASSERT_TRUE(lk) << lk.error().text();
            EXPECT_EQ(lk.value(), 0);
        }
        EXPECT_NEAR(writhe(p), 0.0, 1e-12);
        const Curve here{grid(0, 0), grid(1, 0), grid(2, 0)}, there{grid(3, 0), grid(4, 0), grid(5, 0)};
        EXPECT_NEAR(gaussIntegral(here, there), 0.0, 1e-12);
    }
}

// A repeated point is a segment of length 0 and changes nothing.
TEST(Linking, RepeatedPoints) {
    Curve p = circle(12, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    const Curve q = circle(12, {1, 0, 0}, {1, 0, 0}, {0, 0, 1});
    const int lk = linkingNumber(p, q).value();
    p.insert(p.begin() + 3, p[3]);
    EXPECT_EQ(linkingNumber(p, q).value(), lk);
}

// Two segments cross at a right angle at distance h. Their difference vectors span a rectangle 2a x 2b at distance h
// from the origin, with the solid angle 4 atan(a b / (h sqrt(a^2 + b^2 + h^2))).
TEST(Linking, OpenSegments) {
    for (const double h : {1e-9, 1e-3, 0.3, 2.0, 1e4}) {
        const double a = 1.5, b = 0.8;
        const Curve low{{-a, 0, 0}, {a, 0, 0}}, high{{0, -b, h}, {0, b, h}};
        const double expected = std::atan(a * b / (h * std::sqrt(a * a + b * b + h * h))) / pi;
        EXPECT_NEAR(gaussIntegral(low, high), -expected, 1e-14);
        EXPECT_EQ(gaussIntegral(high, low), gaussIntegral(low, high));
        EXPECT_NEAR(gaussIntegral(low, reversed(high)), expected, 1e-14);
        EXPECT_NEAR(gaussIntegral(narrowed(low), narrowed(high)), -expected, 1e-6);
        // Splitting a segment changes nothing.
        const Curve pieces{{0, -b, h}, {0, -0.1, h}, {0, 0.05, h}, {0, b, h}};
        EXPECT_NEAR(gaussIntegral(low, pieces), -expected, 1e-14);
    }
    EXPECT_EQ(gaussIntegral(Curve{{0, 0, 0}}, Curve{{1, 0, 0}, {1, 1, 0}}), 0.0);
    EXPECT_EQ(gaussIntegral(Curve{}, Curve{}), 0.0);
}

TEST(Linking, OpenIntegralOfAClosedCurveIsItsLinkingNumber) {
    Curve p = circle(30, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}), q = circle(30, {1, 0, 0}, {1, 0, 0}, {0, 0, 1});
    const int lk = linkingNumber(p, q).value();
    p.push_back(p.front());
    q.push_back(q.front());
    EXPECT_NEAR(gaussIntegral(p, q), lk, 1e-12);
}

TEST(Linking, WritheOfPlanarAndMirroredCurves) {
    EXPECT_EQ(writhe(circle(40, {0, 0, 0}, {1, 0, 0}, {0, 2, 0})), 0.0);
    EXPECT_EQ(writhe(Curve{{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}), 0.0);
    EXPECT_EQ(writhe(Curve{}), 0.0);
    std::mt19937 engine(3);
    const Curve p = randomPolygon(engine, 12);
    Curve mirrored = p;
    for (Vec3d& x : mirrored) x.z = -x.z;
    EXPECT_NEAR(writhe(mirrored), -writhe(p), 1e-13);
    EXPECT_NEAR(writhe(reversed(p)), writhe(p), 1e-13);
    EXPECT_NEAR(writhe(narrowed(p)), writhe(p), 1e-5);
}

// By definition the writhe is the mean sum of signed crossings over all directions of view. Here 20,000 evenly
// distributed directions are used.
TEST(Linking, WritheIsTheMeanOfCrossings) {
    std::mt19937 engine(4);
    for (int k = 0; k < 3; ++k) {
        const Curve p = randomPolygon(engine, 10);
        const int views = 20000;
        double sum = 0.0;
        for (int i = 0; i < views; ++i) {
            const double z = 1.0 - (2.0 * i + 1.0) / views, angle = 2.399963229728653 * i;
            const double r = std::sqrt(1.0 - z * z);
            const Vec3d n{r * std::cos(angle), r * std::sin(angle), z}, u = perpendicular(n), v = cross(n, u);
            Curve seen;
            for (const Vec3d& x : p) seen.push_back({dot(x, u), dot(x, v), dot(x, n)});
            sum += crossingsWithin(seen);
        }
        EXPECT_NEAR(writhe(p), sum / views, 0.01);
    }
}

#ifdef CAPSTAN_SHARED_DIR
const std::string referenceFolder = CAPSTAN_SHARED_DIR "/validation/data/";
#else
const std::string referenceFolder;
#endif

std::vector<Curve> load(const std::string& name) {
    std::vector<Curve> components;
    std::ifstream file(referenceFolder + name);
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#' || line[0] == 'c') continue;
        for (char& c : line)
            if (c == ',') c = ' ';
        std::istringstream in(line);
        std::size_t component = 0;
        Vec3d x{};
        in >> component >> x.x >> x.y >> x.z;
        if (component >= components.size()) components.resize(component + 1);
        components[component].push_back(x);
    }
    return components;
}

TEST(Linking, ReferenceCurves) {
    if (referenceFolder.empty() || !std::filesystem::exists(referenceFolder + "curve_hopf.csv"))
        GTEST_SKIP() << "the reference curves are not here";
    const auto hopf = load("curve_hopf.csv"), whitehead = load("curve_whitehead.csv");
    ASSERT_EQ(hopf.size(), 2u);
    ASSERT_EQ(whitehead.size(), 2u);
    EXPECT_EQ(linkingNumber(hopf[0], hopf[1]).value(), -1);
    EXPECT_EQ(linkingNumber(hopf[0], reversed(hopf[1])).value(), 1);
    EXPECT_EQ(linkingNumber(whitehead[0], whitehead[1]).value(), 0);
    const auto borromean = load("curve_borromean.csv");
    ASSERT_EQ(borromean.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(linkingNumber(borromean[i], borromean[(i + 1) % 3]).value(), 0);
    // The table of writhes was made with every second point of each curve.
    const auto halved = [](const Curve& c) {
        Curve out;
        for (std::size_t k = 0; k < c.size(); k += 2) out.push_back(c[k]);
        return out;
    };
    EXPECT_NEAR(writhe(halved(load("curve_trefoil.csv").at(0))), -3.3542, 1e-4);
    EXPECT_NEAR(writhe(halved(load("curve_figure8.csv").at(0))), 0.0841, 1e-4);
}

} // namespace
} // namespace capstan
