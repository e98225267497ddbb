// SPDX-License-Identifier: MIT
// Tests of the two solves of a strand against their equations, in double. Every SIMD width must give the same bits.
#include "solver/hair/factors.hpp"
#include "solver/hair/lanes.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace capstan {
namespace {

using Strand = HairStrand<double>;

// Makes a strand that is neither straight nor of its rest length.
std::vector<Vec3d> crooked(Strand& s, const HairTable& t) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> jitter(-0.1, 0.1);
    s.chunks = t.chunks;
    std::vector<Vec3d> x;
    for (int i = 0; i < 4 * t.chunks; ++i) {
        HairChunk<double>& k = s.chunk[i / 4];
        x.push_back(double(t.l) * Vec3d{0.7 * i + jitter(random), jitter(random) - 0.7 * i, jitter(random)});
        k.x[i % 4] = x.back();
        k.lambda[i % 4] = s.owed(i / 4).of[i % 4] = 0;
        k.rest[i % 4] = {0, 0, 0};
    }
    return x;
}

Vec3d at(const Strand& s, int i) { return s.chunk[i / 4].x[i % 4]; }

TEST(HairLengths, SolveAllEdgesToFirstOrder) {
    static Strand s;
    for (int n : {2, 3, 4, 5, 9, 17, 31, 32}) {
        HairDef def;
        const HairTable t = hairTable(def, n, 1 / 480.0);
        const std::vector<Vec3d> x = crooked(s, t);
        hairLengths<double>(s, t);
        for (int i = 1; i < n; ++i) {
            const Vec3d e = (1 / double(t.l)) * (x[std::size_t(i) - 1] - x[i]);
            const Vec3d move = (at(s, i - 1) - x[std::size_t(i) - 1]) - (at(s, i) - x[i]);
            const double wrong = 0.5 * double(t.l) * (dot(e, e) - 1) + dot(e, move);
            EXPECT_NEAR(wrong / double(t.l), 0, 2e-7) << n << " vertices, edge " << i;
        }
        EXPECT_EQ(length(at(s, 0) - x[0]), 0);
        // Padding points stay where they were.
        for (int i = n; i < 4 * t.chunks; ++i) EXPECT_EQ(length(at(s, i) - x[i]), 0);
    }
}

TEST(HairBend, SolvesTheImplicitStep) {
    static Strand s;
    for (int n : {2, 3, 5, 9, 17, 31, 32})
        for (double stiffness : {1e-10, 8e-9, 1e-6}) {
            HairDef def;
            def.bendStiffness = float(stiffness);
            const HairTable t = hairTable(def, n, 1 / 480.0);
            const std::vector<Vec3d> y = crooked(s, t);
            const Vec3d behind = y[0] - Vec3d{double(t.l), 0, 0};
            s.behind() = behind;
            hairBend<double>(s, t);
            auto x = [&](int i) { return i < 0 ? behind : at(s, i); };
            auto bow = [&](int i) {
                if (i < 0 || i > n - 2) return Vec3d{0, 0, 0};
                return (i == 0 ? 2.0 : 1.0) * (x(i - 1) - 2.0 * x(i) + x(i + 1));
            };
            double wrong = 0, most = 0;
            for (int i = 1; i < n; ++i) {
                const Vec3d move = x(i) - y[i];
                const Vec3d pull = bow(i - 1) - 2.0 * bow(i) + bow(i + 1);
                wrong = max(wrong, length(move + double(t.chunk[i / 4].bendRate[i % 4]) * pull));
                most = max(most, length(move));
            }
            EXPECT_LT(wrong, 5e-3 * most) << n << " vertices, B " << stiffness;
        }
}

// The number of strands is large and no multiple of the number of lanes.
TEST(HairGroup, EveryWidthGivesTheSameBits) {
    HairDef def;
    def.vertices = 27;
    def.shape = HairShape::Curly;
    const int strands = 37;
    std::vector<Point> first;
    for (int lanes : {1, 4, 8, 16}) {
        HairRun run;
        run.d.table = hairTable(def, def.vertices, 1 / 480.0);
        run.d.h = 1 / 480.0f;
        run.d.invH = 480;
        run.d.fall = {0, -4e-5f, 0};
        run.d.substeps = 8;
        const int stride = 4 * run.d.table.chunks;
        std::vector<Point> x, v(std::size_t(strands * stride), Point{0, 0, 0, 0});
        std::vector<HairRoot> roots;
        std::vector<float> strain(strands);
        for (int i = 0; i < strands; ++i) {
            HairRoot r;
            r.x = {0.1f * float(i), 0, 0};
            r.frame = Quatf::fromAxisAngle({0, 1, 0}, 0.3f * float(i));
            roots.push_back(r);
            const Vec3 d = axisZ(r.frame);
            for (int k = 0; k < stride; ++k) {
                const Vec3 p = r.x + run.d.table.l * float(std::min(k, def.vertices - 1)) * d;
                x.push_back({p.x, p.y, p.z, 0});
            }
        }
        const std::vector<HairSubstep> substeps(8, HairSubstep{{}, false, 0, 1});
        HairCollider ball;
        ball.radius = 0.5f;
        ball.now.at = ball.before.at = {2, -0.6f, 0};
        ball.reach = 1;
        ball.friction = 0.3f;
        run.substep = substeps.data();
        run.collider = &ball;
        run.root = roots.data();
        run.x = x.data();
        run.v = v.data();
        run.strain = strain.data();
        for (int frame = 0; frame < 30; ++frame) stepStrands(run, 0, strands, lanes);
        if (first.empty()) first = x;
        EXPECT_EQ(std::memcmp(first.data(), x.data(), x.size() * sizeof(Point)), 0) << lanes << " lanes";
        for (const Point& p : x) ASSERT_TRUE(p.x - p.x == 0);
    }
}

// The contact plane of a shape separates the shape from the point, at the exact distance.
TEST(HairCollide, PlanesDivideAtTheNearestPoint) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> position(-2, 2);
    for (int i = 0; i < 2000; ++i) {
        const Vec3d x = {position(random), position(random), position(random)};
        const Vec3 half = {0.5f, 0.7f, 0.9f};
        const HairPlane<double> box = hairBox(x, half);
        const Vec3d h = widen(half),
                    over = {max(abs(x.x) - h.x, 0.0), max(abs(x.y) - h.y, 0.0), max(abs(x.z) - h.z, 0.0)};
        if (length(over) > 0) {
            EXPECT_NEAR(dot(box.n, x) - box.offset, length(over), 1e-9);
        }
        const double across = sqrt(x.x * x.x + x.z * x.z);
        const HairPlane<double> can = hairCylinder(x, 0.6f, 0.8f);
        const double a = max(across - double(0.6f), 0.0), y = max(abs(x.y) - double(0.8f), 0.0);
        if (a + y > 0) {
            EXPECT_NEAR(dot(can.n, x) - can.offset, sqrt(a * a + y * y), 1e-9);
        }
        HairCollider capsule;
        capsule.kind = HairSolid::Capsule;
        capsule.radius = 0.3f;
        capsule.half = {0, 0.5f, 0};
        const HairPlane<double> pill = hairPlane(capsule, nullptr, x);
        const Vec3d d = x - Vec3d{0, clamp(x.y, -0.5, 0.5), 0};
        EXPECT_NEAR(dot(pill.n, x) - pill.offset, length(d) - double(0.3f), 1e-9);
    }
}

} // namespace
} // namespace capstan
