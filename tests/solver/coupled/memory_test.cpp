// SPDX-License-Identifier: MIT
// Tests that a step of a world with contacts allocates no memory, once its arrays have grown.
#include <capstan/capstan.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};
}
// Counts every allocation of this program.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete" // this new and delete do match
void* operator new(std::size_t n) {
    ++allocations;
    if (void* p = std::malloc(n)) return p;
    std::abort();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace capstan {
namespace {

constexpr float kFrame = 1.0f / 60;

BodyDef floorBody() {
    BodyDef d;
    d.type = BodyType::Static;
    d.shape = Plane{};
    return d;
}

RopeDef rope(Vec3 from, Vec3 to) {
    RopeDef d;
    d.from = from;
    d.to = to;
    d.segments = 20;
    d.radius = 0.01f;
    return d;
}

BodyDef crate(Vec3 at) {
    BodyDef d;
    d.shape = Box{{0.2f, 0.2f, 0.2f}};
    d.mass = 1;
    d.position = at;
    return d;
}

long allocationsOf(World& w) {
    for (int i = 0; i < 300; ++i) w.step(kFrame);
    EXPECT_GT(w.report().contacts, 0);
    const long before = allocations;
    for (int i = 0; i < 10; ++i) w.step(kFrame);
    return allocations - before;
}

TEST(TouchMemory, ARopeOnTheFloor) {
    World w;
    w.add(floorBody());
    w.add(rope({-0.3f, 0.02f, 0}, {0.3f, 0.02f, 0}));
    EXPECT_EQ(allocationsOf(w), 0);
}

TEST(TouchMemory, RopesOnRopes) {
    World w;
    w.add(floorBody());
    for (int k = 0; k < 5; ++k) {
        const float y = 0.02f + 0.03f * float(k);
        w.add(k % 2 ? rope({-0.3f, y, 0}, {0.3f, y, 0}) : rope({0, y, -0.3f}, {0, y, 0.3f}));
    }
    EXPECT_EQ(allocationsOf(w), 0);
}

TEST(TouchMemory, Boxes) {
    World w;
    w.add(floorBody());
    for (int k = 0; k < 3; ++k) w.add(crate({0, 0.1f + 0.2f * float(k), 0}));
    EXPECT_EQ(allocationsOf(w), 0);
}

TEST(TouchMemory, ARopeOnABoxOnAHinge) {
    World w;
    w.add(floorBody());
    const BodyId box = w.add(crate({0, 0.3f, 0}));
    JointDef hinge;
    hinge.type = JointType::Hinge;
    hinge.body1 = box;
    hinge.anchor = {0, 0.3f, 0};
    hinge.axis = {0, 0, 1};
    w.add(hinge);
    w.add(rope({-0.3f, 0.42f, 0}, {0.3f, 0.42f, 0}));
    const RopeId tied = w.add(rope({2, 0.9f, 0}, {2, 0.3f, 0}));
    w.attach({tied, last}, {w.add(crate({2, 0.2f, 0})), {0, 0.1f, 0}}).value();
    EXPECT_EQ(allocationsOf(w), 0);
}

} // namespace
} // namespace capstan
