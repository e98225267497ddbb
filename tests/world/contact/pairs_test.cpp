// SPDX-License-Identifier: MIT
// Tests of contacts as the user reads them, by pair, with both objects, their elements and their user data.
#include "../worlds.hpp"

#include <gtest/gtest.h>

#include <set>

namespace capstan {
namespace {

constexpr float kPairsFrame = 1.0f / 60;

// Returns a world in which ropes lie over each other and over two boxes on the ground, with a cloth on top.
World heapInContact() {
    World w;
    BodyDef ground = {.name = "ground", .type = BodyType::Static, .shape = Plane{}};
    ground.userData = 1;
    w.add(ground);
    for (int i = 0; i < 2; ++i) {
        BodyDef box = {.shape = Box{{0.2f, 0.2f, 0.2f}}, .position = {0.3f * float(i), 0.1f, 0}};
        box.userData = std::uint64_t(10 + i);
        w.add(box);
    }
    for (int i = 0; i < 4; ++i) {
        RopeDef rope = {.from = {-0.4f, 0.25f + 0.03f * float(i), 0.02f * float(i)},
                        .to = {0.8f, 0.25f + 0.03f * float(i), 0},
                        .segments = 24,
                        .radius = 0.01f};
        rope.userData = std::uint64_t(20 + i);
        w.add(rope);
    }
    ClothDef sheet = {.origin = {-0.3f, 0.5f, -0.3f},
                      .edgeU = {0.6f, 0, 0},
                      .edgeV = {0, 0, 0.6f},
                      .cellsU = 8,
                      .cellsV = 8};
    sheet.userData = 30;
    w.add(sheet);
    for (int i = 0; i < 60; ++i) w.step(kPairsFrame);
    return w;
}

TEST(ContactPairs, TheContactsOfAPairStandTogetherAndAddUp) {
    const World w = heapInContact();
    ASSERT_GT(w.contactPairs().size(), 6u);
    std::size_t at = 0;
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (const ContactPair& pair : w.contactPairs()) {
        EXPECT_TRUE(seen.insert({w.userData(pair.a), w.userData(pair.b)}).second || pair.a == pair.b);
        const std::span<const Contact> points = w.contactPoints(pair);
        ASSERT_EQ(points.size(), std::size_t(pair.contacts));
        EXPECT_EQ(points.data(), w.contacts().data() + at); // the pairs are consecutive in contacts()
        double force = 0;
        for (const Contact& c : points) {
            EXPECT_TRUE(c.a == pair.a && c.b == pair.b);
            force += double(c.force);
        }
        EXPECT_NEAR(double(pair.force), force, 1e-5 * (1 + force));
        at += points.size();
    }
    EXPECT_EQ(at, w.contacts().size());
}

TEST(ContactPairs, BothSidesHaveAnIdAnElementAndTheUserData) {
    const World w = heapInContact();
    bool kinds[7] = {};
    int segments = 0;
    for (const Contact& c : w.contacts()) {
        EXPECT_TRUE(w.isValid(c.a) && w.isValid(c.b));
        EXPECT_EQ(c.userDataA, w.userData(c.a));
        EXPECT_EQ(c.userDataB, w.userData(c.b));
        for (const auto& [object, element] : {std::pair(c.a, c.elementA), std::pair(c.b, c.elementB)}) {
            kinds[std::size_t(object.kind)] = true;
            if (object.kind == ObjectKind::Rope) {
                EXPECT_LT(element, 24);
                segments = std::max(segments, element);
            } else {
                EXPECT_EQ(element, 0);
            }
        }
    }
    EXPECT_TRUE(kinds[std::size_t(ObjectKind::Rope)] && kinds[std::size_t(ObjectKind::Body)] &&
                kinds[std::size_t(ObjectKind::Cloth)]);
    EXPECT_GT(segments, 4);
}

TEST(ContactPairs, EventsNameTheSamePairs) {
    World w = heapInContact();
    w.step(kPairsFrame);
    std::size_t told = 0;
    for (const Event& e : w.events()) {
        if (e.kind != Event::Kind::ContactBegin && e.kind != Event::Kind::ContactPersist) continue;
        ASSERT_LT(told, w.contactPairs().size());
        const ContactPair& pair = w.contactPairs()[told++];
        EXPECT_TRUE(e.a == pair.a && e.b == pair.b);
        EXPECT_EQ(e.force, pair.force);
        EXPECT_EQ(e.userDataA, pair.userDataA);
        EXPECT_EQ(e.userDataB, pair.userDataB);
    }
    EXPECT_EQ(told, w.contactPairs().size());
}

TEST(ContactPairs, APairThatIsNoLongerInContactHasNoPoints) {
    World w = heapInContact();
    const ContactPair pair = w.contactPairs()[0];
    ASSERT_FALSE(w.contactPoints(pair).empty());
    EXPECT_TRUE(w.contactPoints({.a = pair.b, .b = pair.a}).empty() || pair.a == pair.b);
    w.remove(pair.a);
    EXPECT_TRUE(w.contactPoints(pair).empty());
}

} // namespace
} // namespace capstan
