// SPDX-License-Identifier: MIT
// Tests of the tree of boxes. Its results are compared with a search through all boxes.
#include "collision/geometry/box_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace capstan {
namespace {

struct Random {
    std::mt19937 engine{7};
    double between(double a, double b) { return a + (b - a) * double(engine()) / 4294967296.0; }
    Vec3d point(double size) { return {between(-size, size), between(-size, size), between(-size, size)}; }
    Vec3d direction() {
        Vec3d d = point(1);
        while (length(d) < 0.1 || length(d) > 1) d = point(1);
        return normalize(d);
    }
    Bounds box(double size, double edge) {
        const Vec3d low = point(size);
        return {low, low + Vec3d{between(0, edge), between(0, edge), between(0, edge)}};
    }
};

struct Boxes {
    Random random;
    BoxTree tree;
    std::vector<Bounds> boxes; // by item
    std::vector<int> leaves;   // -1: removed

    explicit Boxes(int count) {
        for (int i = 0; i < count; ++i) {
            boxes.push_back(random.box(10, 2));
            leaves.push_back(tree.insert(boxes.back(), i));
        }
    }
    // Moves a third of the boxes, removes and adds some.
    void shuffle() {
        for (std::size_t i = 0; i < boxes.size(); i += 3) {
            if (leaves[i] >= 0 && i % 2 == 0) {
                tree.remove(leaves[i]);
                leaves[i] = -1;
                continue;
            }
            boxes[i] = random.box(10, 2);
            if (leaves[i] >= 0)
                tree.move(leaves[i], boxes[i]);
            else
                leaves[i] = tree.insert(boxes[i], int(i));
        }
    }
    std::vector<int> near(const Bounds& asked) {
        std::vector<int> found;
        tree.overlaps(asked, [&](int item) { found.push_back(item); });
        std::sort(found.begin(), found.end());
        return found;
    }
    std::vector<int> nearBySearch(const Bounds& asked) const {
        std::vector<int> found;
        for (std::size_t i = 0; i < boxes.size(); ++i)
            if (leaves[i] >= 0 && boxes[i].meets(asked)) found.push_back(int(i));
        return found;
    }
};

TEST(BoxTree, FindsWhatASearchThroughAllBoxesFinds) {
    Boxes b(500);
    for (int round = 0; round < 20; ++round) {
        b.shuffle();
        for (int k = 0; k < 20; ++k) {
            const Bounds asked = b.random.box(10, 5);
            ASSERT_EQ(b.near(asked), b.nearBySearch(asked));
        }
    }
}

TEST(BoxTree, ARayMeetsEveryBoxInItsWay) {
    Boxes b(300);
    for (int k = 0; k < 500; ++k) {
        Vec3d from = b.random.point(15), d = b.random.direction();
        if (k % 5 == 0) d = {0, k % 2 ? 1.0 : -1.0, 0};                // along an axis
        if (k % 10 == 0) from.x = b.boxes[std::size_t(k) % 300].min.x; // in the plane of a face
        const double reach = b.random.between(1, 30);
        std::vector<int> found, expected;
        b.tree.castRay(from, d, reach, [&](int item, double still) {
            found.push_back(item);
            return still;
        });
        for (std::size_t i = 0; i < b.boxes.size(); ++i) {
            double enter = 0, leave = reach; // of the three slabs, without division by 0
            for (const auto& [x, u, low, high] :
                 {std::array{from.x, d.x, b.boxes[i].min.x, b.boxes[i].max.x},
                  std::array{from.y, d.y, b.boxes[i].min.y, b.boxes[i].max.y},
                  std::array{from.z, d.z, b.boxes[i].min.z, b.boxes[i].max.z}}) {
                if (u == 0) {
                    if (x < low || x > high) leave = -1;
                    continue;
                }
                enter = std::max(enter, std::min((low - x) / u, (high - x) / u));
                leave = std::min(leave, std::max((low - x) / u, (high - x) / u));
            }
            if (enter < leave - 1e-9) expected.push_back(int(i));
        }
        std::sort(found.begin(), found.end());
        EXPECT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
        EXPECT_LE(found.size(), expected.size() + 2);
    }
}

TEST(BoxTree, AHitShortensTheRay) {
    BoxTree tree;
    for (int i = 0; i < 100; ++i) tree.insert({{double(i), 0, 0}, {i + 0.5, 1, 1}}, i);
    int visits = 0;
    tree.castRay({-1, 0.5, 0.5}, {1, 0, 0}, 1000, [&](int item, double) {
        ++visits;
        return 1.0 + item; // where the ray enters the box
    });
    EXPECT_EQ(visits, 1);
}

// Boxes in a row, in a stack and inside each other must not make a list of the tree.
TEST(BoxTree, StaysShallow) {
    for (const double grows : {0.0, 1.0}) {
        BoxTree tree;
        for (int i = 0; i < 4096; ++i) {
            const double size = 1 + grows * i;
            tree.insert({{double(i), 0, 0}, {i + size, size, size}}, i);
        }
        EXPECT_LT(tree.height(), 200) << grows;
    }
}

TEST(BoxTree, RemovesItsLastLeafAndStartsAnew) {
    BoxTree tree;
    int calls = 0;
    const auto count = [&](int) { ++calls; };
    const int leaf = tree.insert({{0, 0, 0}, {1, 1, 1}}, 3);
    tree.remove(leaf);
    tree.overlaps({{-9, -9, -9}, {9, 9, 9}}, count);
    EXPECT_EQ(calls, 0);
    tree.insert({{0, 0, 0}, {1, 1, 1}}, 4);
    tree.overlaps({{-9, -9, -9}, {9, 9, 9}}, count);
    EXPECT_EQ(calls, 1);
}

} // namespace
} // namespace capstan
