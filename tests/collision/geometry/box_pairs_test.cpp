// SPDX-License-Identifier: MIT
// Tests of the search for overlapping boxes, against a test of every pair.
#include "collision/geometry/box_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

namespace capstan {
namespace {

struct Draw {
    std::mt19937 random{3};
    double any(double a = -1, double b = 1) { return std::uniform_real_distribution<double>(a, b)(random); }
    Vec3d vec() { return {any(), any(), any()}; }
};

Bounds around(Vec3d x, Vec3d half) { return {x - half, x + half}; }
Bounds around(Vec3d x, double half) { return around(x, Vec3d{half, half, half}); }

// Boxes around the segments of a winding rope, such that neighbours overlap.
std::vector<Bounds> ropeBoxes(int n, double size, Draw& draw) {
    std::vector<Bounds> boxes;
    Vec3d x = {0, 0, 0}, d = {1, 0, 0};
    for (int i = 0; i < n; ++i) {
        d = normalize(d + 0.5 * draw.vec() - (0.3 / size) * x, {1, 0, 0});
        Bounds b;
        b.add(x);
        b.add(x + 0.02 * d);
        b.grow(0.002);
        boxes.push_back(b);
        x += 0.02 * d;
    }
    return boxes;
}

void expectAllPairs(const std::vector<Bounds>& boxes, const char* name) {
    std::vector<IndexPair> truth, pairs = {{7, 8}};
    for (std::size_t a = 0; a < boxes.size(); ++a)
        for (std::size_t b = a + 1; b < boxes.size(); ++b)
            if (boxes[a].meets(boxes[b])) truth.push_back({std::int32_t(a), std::int32_t(b)});
    Overlaps overlaps;
    for (int again = 0; again < 2; ++again) {
        overlaps.find(boxes, pairs);
        ASSERT_EQ(pairs.size(), truth.size()) << name;
        for (std::size_t i = 0; i < truth.size(); ++i)
            ASSERT_TRUE(pairs[i].a == truth[i].a && pairs[i].b == truth[i].b) << name << ' ' << i;
    }
}

TEST(OverlapsTest, FewBoxes) {
    expectAllPairs({}, "none");
    expectAllPairs({around({0, 0, 0}, 1)}, "one");
    expectAllPairs({around({0, 0, 0}, 1), around({2, 0, 0}, 1)}, "contacts");
    expectAllPairs({around({0, 0, 0}, 1), around({2.1, 0, 0}, 1)}, "apart");
    Draw draw;
    for (int n = 2; n < 70; ++n) {
        std::vector<Bounds> boxes;
        for (int i = 0; i < n; ++i) boxes.push_back(around(draw.vec(), draw.any(0, 0.4)));
        expectAllPairs(boxes, "few");
    }
}

TEST(OverlapsTest, AgreesWithEveryPair) {
    Draw draw;
    std::vector<Bounds> sizes, diagonal, onePosition, immense, points, far;
    for (int i = 0; i < 1500; ++i) {
        const double size = std::pow(10.0, draw.any(-4, 1));
        sizes.push_back(
            around(20 * draw.vec(), size * Vec3d{draw.any(0, 1), draw.any(0, 1), draw.any(0, 1)}));
        const double t = (i * 7919) % 1500; // an order that is not that along the rope
        diagonal.push_back(around(Vec3d{t, t, t}, 0.51));
        onePosition.push_back(around({1, 2, 3}, 0.001 * i));
        points.push_back(around({double(i % 10), double(i / 10 % 10), 0}, 0.0));
        far.push_back(around(Vec3d{1e9, -1e9, 1e9} + draw.vec(), 0.05));
        Bounds b = around(draw.vec(), 0.02);
        if (i % 100 == 7) {
            b.min.y = -1e30;
            b.min.x = -1e30;
            b.max.x = 1e30;
        }
        if (i % 100 == 8) b = {{-1e30, -1e30, -1e30}, {1e30, 1e30, 1e30}};
        if (i % 100 == 9) b = around(draw.vec(), 1e5);
        immense.push_back(b);
    }
    expectAllPairs(sizes, "many sizes");
    expectAllPairs(diagonal, "a diagonal string");
    expectAllPairs(onePosition, "at one place");
    expectAllPairs(points, "points, some twice");
    expectAllPairs(far, "far away");
    expectAllPairs(immense, "with immense ones");
    expectAllPairs(ropeBoxes(3000, 0.15, draw), "a rope");
}

TEST(OverlapsTest, AnEmptyBoxMeetsNothing) {
    const Bounds all = {{-1e30, -1e30, -1e30}, {1e30, 1e30, 1e30}}, one = around({0, 0, 0}, 1);
    Bounds broken = one;
    broken.max.y = std::nan("");
    std::vector<IndexPair> pairs;
    Overlaps().find({Bounds{}, all, broken, one, Bounds{}}, pairs);
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_EQ(pairs[0].a, 1);
    EXPECT_EQ(pairs[0].b, 3);
}

// The time limit is generous: it detects quadratic time, not a slow machine.
TEST(OverlapsTest, AHundredThousandBoxesAreNotASquare) {
    Draw draw;
    std::vector<Bounds> pile = ropeBoxes(100000, 1.0, draw), string;
    for (int i = 0; i < 100000; ++i) {
        const double t = double((std::int64_t(i) * 60013) % 100000);
        string.push_back(around(Vec3d{t, t, t}, 0.51));
    }
    std::vector<IndexPair> pairs;
    for (const auto* boxes : {&pile, &string}) {
        Overlaps overlaps;
        const auto start = std::chrono::steady_clock::now();
        overlaps.find(*boxes, pairs);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        EXPECT_LT(took.count(), 4.0); // a test of every pair would take 5e9 tests
        EXPECT_GE(pairs.size(), 99999u);
    }
}

} // namespace
} // namespace capstan
