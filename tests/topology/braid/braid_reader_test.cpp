// SPDX-License-Identifier: MIT
//
// Tests of braids read from ropes and from motion. Both must give the word in B_n from which the strands were made.
// This includes strands that are stirred, kinked, or collinear in the view. Input that is no braid must be refused.
#include <capstan/math/quat.hpp>
#include <capstan/topology/braid_reader.hpp>

#include <tests/topology/strands.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace capstan {
namespace {

View front() { return viewFrom({0, 0, 1}, {0, 1, 0}).value(); }

BraidReading readingOf(const std::vector<Curve>& strands, const View& view = front()) {
    BraidReader reader;
    const Status ok = reader.read(asRopes(strands), view);
    EXPECT_TRUE(ok) << ok.error().text();
    return reader.reading();
}

// Positions of all strands at the heights of their points; strandsOf() gives all strands the same heights.
BraidMotion motionOf(const std::vector<Curve>& strands) {
    BraidMotion motion(front());
    for (std::size_t k = 0; k < strands[0].size(); ++k) {
        Curve now;
        for (const Curve& strand : strands) now.push_back(strand[k]);
        const Status ok = motion.add(now);
        EXPECT_TRUE(ok) << ok.error().text();
    }
    return motion;
}

TEST(BraidReader, LettersByHand) {
    // s1: the strand on the right passes in front.
    const std::vector<Curve> one{{{0, 0, 0}, {1, -1, 0}}, {{1, 0, 0.1}, {0, -1, 0.1}}};
    EXPECT_EQ(readingOf(one).word, (BraidWord{1}));
    EXPECT_EQ(readingOf(one).start, (std::vector<int>{0, 1}));
    EXPECT_EQ(readingOf(one).end, (std::vector<int>{1, 0}));
    EXPECT_EQ(motionOf(one).word(), (BraidWord{1}));
    EXPECT_EQ(motionOf(one).order(), (std::vector<int>{1, 0}));
    // Seen from behind, left and right are exchanged, and s1 stays s1.
    EXPECT_EQ(readingOf(one, viewFrom({0, 0, -1}, {0, 1, 0}).value()).word, (BraidWord{1}));
    EXPECT_EQ(readingOf(strandsOf({1, 2, -1}, 3, 4)).word, (BraidWord{1, 2, -1}));
    EXPECT_EQ(readingOf(strandsOf({}, 3, 4)).word, BraidWord{});
}

// Strands that only go down give back the letters from which they were made.
TEST(BraidReader, WordsComeBackFromRopesAndFromMotion) {
    RandomWords random{std::mt19937(31)};
    for (int k = 0; k < 60; ++k) {
        const int n = 2 + random.below(5);
        const BraidWord w = freeReduce(random.word(n, random.below(20)));
        const std::vector<Curve> strands = strandsOf(w, n, 4);
        const BraidReading reading = readingOf(strands);
        ASSERT_TRUE(reading.readable);
        EXPECT_FALSE(reading.straightened);
        EXPECT_EQ(reading.word, w);
        EXPECT_EQ(reading.end, permutation(w, n).value());
        const BraidMotion motion = motionOf(strands);
        EXPECT_EQ(motion.word(), w);
        EXPECT_EQ(motion.order(), permutation(w, n).value());
    }
}

// All of space is deformed: strands go up and down, and around each other and back.
TEST(BraidReader, StirredStrandsAreTheSameBraid) {
    RandomWords random{std::mt19937(32)};
    int straightened = 0;
    for (int k = 0; k < 40; ++k) {
        const int n = 2 + random.below(4), length = 1 + random.below(8);
        const BraidWord w = random.word(n, length);
        std::vector<Curve> strands = strandsOf(w, n, 24);
        stir(strands, -length, random, 1.5);
        const BraidReading reading = readingOf(strands);
        ASSERT_TRUE(reading.readable) << formatBraid(w);
        EXPECT_TRUE(sameBraid(reading.word, w, n).value())
            << formatBraid(w) << " | " << formatBraid(reading.word);
        straightened += reading.straightened;
    }
    EXPECT_GT(straightened, 5);
}

TEST(BraidReader, KinkedStrandsAreTheSameBraid) {
    RandomWords random{std::mt19937(33)};
    int unread = 0;
    for (int k = 0; k < 40; ++k) {
        const int n = 2 + random.below(3);
        const BraidWord w = random.word(n, 1 + random.below(6));
        std::vector<Curve> strands = strandsOf(w, n, 8);
        kink(strands, random, 0.04, 4);
        const BraidReading reading = readingOf(strands);
        EXPECT_TRUE(reading.straightened);
        unread += !reading.readable;
        EXPECT_TRUE(!reading.readable || sameBraid(reading.word, w, n).value())
            << formatBraid(w) << " | " << formatBraid(reading.word);
    }
    EXPECT_LE(unread, 1);
}

// Strands that are stirred strongly and sampled coarsely may have become other braids. But the signs of crossings
// between any two strands must be those of the word. They are counted in the strands with straight end pieces.
TEST(BraidReader, SignsBetweenTwoStrandsStay) {
    RandomWords random{std::mt19937(36)};
    CrossingFinder finder;
    int judged = 0;
    for (int k = 0; k < 60; ++k) {
        const int n = 2 + random.below(4), length = 3 + random.below(4);
        std::vector<Curve> strands = strandsOf(random.word(n, length), n, 12);
        stir(strands, -length, random, 3);
        stir(strands, -length, random, 3);
        const BraidReading reading = readingOf(strands);
        if (!reading.readable) continue;
        ++judged;
        for (Curve& c : strands) {
            c.insert(c.begin(), {c.front().x, 100, c.front().z});
            c.push_back({c.back().x, -100, c.back().z});
        }
        const Polylines ropes = asRopes(strands);
        const auto crossings = finder.find(ropes, front()).value();
        std::vector<int> order = reading.start, sums(static_cast<std::size_t>(n * n));
        for (const int letter : reading.word) {
            const auto left = static_cast<std::size_t>(std::abs(letter) - 1);
            const auto [a, b] = std::minmax(order[left], order[left + 1]);
            sums[static_cast<std::size_t>(a * n + b)] += letter > 0 ? 1 : -1;
            std::swap(order[left], order[left + 1]);
        }
        for (int a = 0; a < n; ++a)
            for (int b = a + 1; b < n; ++b)
                EXPECT_EQ(signSum(crossings, a, b), sums[static_cast<std::size_t>(a * n + b)]);
    }
    EXPECT_GT(judged, 50);
}

// A rotation of the strands together with the view changes nothing. Seen from behind or upside down, the word changes
// in a known way.
TEST(BraidReader, RigidMotionsAndOtherViews) {
    RandomWords random{std::mt19937(34)};
    for (int k = 0; k < 30; ++k) {
        const int n = 3 + random.below(2);
        const BraidWord w = freeReduce(random.word(n, 7));
        std::vector<Curve> strands = strandsOf(w, n, 6);
        const View behind = viewFrom({0, 0, -1}, {0, 1, 0}).value();
        BraidWord mirrored = w;
        for (int& letter : mirrored) letter = letter > 0 ? n - letter : -n - letter;
        EXPECT_TRUE(sameBraid(readingOf(strands, behind).word, mirrored, n).value());
        // In this view the strands run upwards.
        const View below = viewFrom({0, 0, 1}, {0, -1, 0}).value();
        BraidReader reader;
        std::vector<Curve> reversed = strands;
        for (Curve& c : reversed) std::reverse(c.begin(), c.end());
        ASSERT_TRUE(reader.read(asRopes(reversed), below));
        BraidWord turned(w.rbegin(), w.rend()); // the word of the picture rotated by 180 degrees
        for (int& letter : turned) letter = letter > 0 ? n - letter : -n - letter;
        EXPECT_TRUE(sameBraid(reader.reading().word, turned, n).value());
        const Quatd q =
            Quatd::fromAxisAngle(normalize(Vec3d{spread(random), spread(random), 1.1}), 3 * unit(random));
        for (Curve& c : strands)
            for (Vec3d& p : c) p = rotate(q, p) + Vec3d{3, -2, 1};
        const View with = viewFrom(rotate(q, Vec3d{0, 0, 1}), rotate(q, Vec3d{0, 1, 0})).value();
        const BraidReading reading = readingOf(strands, with);
        ASSERT_TRUE(reading.readable);
        EXPECT_TRUE(sameBraid(reading.word, w, n).value());
    }
}

// Dogs walk at random below a hand. Each leash is the path of its dog, scaled into the height between hand and dog.
// So at any frame the braid of the ropes is the braid of the motion so far.
TEST(BraidReader, LeashesOfWalkingDogs) {
    RandomWords random{std::mt19937(35)};
    for (int k = 0; k < 20; ++k) {
        const int n = 3;
        std::vector<Curve> leashes(3);
        std::vector<Vec3d> dogs{{-1, 0, 0}, {0, 0, 0.2}, {1, 0, 0}}, speed(3, Vec3d{0, 0, 0});
        BraidMotion motion(front());
        for (int frame = 0; frame <= 60; ++frame) {
            ASSERT_TRUE(motion.add(dogs));
            for (std::size_t d = 0; d < 3; ++d) {
                // Leashes are closer together near the hand.
                const double height = 1.0 - frame / 60.0, wide = 0.05 + 0.95 * (1 - height);
                leashes[d].push_back({wide * dogs[d].x, height, wide * dogs[d].z});
                speed[d] =
                    0.9 * speed[d] + Vec3d{0.06 * spread(random), 0, 0.06 * spread(random)} - 0.01 * dogs[d];
                dogs[d] += speed[d];
            }
        }
        const BraidReading reading = readingOf(leashes);
        ASSERT_TRUE(reading.readable);
        EXPECT_TRUE(sameBraid(reading.word, motion.word(), n).value())
            << formatBraid(reading.word) << " | " << formatBraid(motion.word());
        // The leashes also sag: points are moved down, most at half height.
        std::vector<Curve> sagging = leashes;
        for (Curve& c : sagging)
            for (Vec3d& p : c) p.y -= 0.9 * p.y * (1 - p.y) * std::sin(p.x + 2 * p.z);
        const BraidReading again = readingOf(sagging);
        ASSERT_TRUE(again.readable);
        EXPECT_TRUE(sameBraid(again.word, motion.word(), n).value());
    }
}

TEST(BraidReader, KnottedStrandsAreRefused) {
    // An overhand knot in the second strand.
    Curve knotted{{1, 3, 0}};
    for (int k = 0; k <= 80; ++k) {
        const double t =
            -1.9 + 3.8 * k / 80; // the long trefoil (t^3 - 3t, t^4 - 4t^2, t^5 - 10t), A. Shastri 1992
        const double x = t * t * t - 3 * t, y = t * t * t * t - 4 * t * t, z = t * t * t * t * t - 10 * t;
        knotted.push_back({1 + 0.02 * y, -0.02 * z, 0.05 * x});
    }
    knotted.push_back({1, -3, 0});
    BraidReader reader;
    ASSERT_TRUE(reader.read(asRopes({{{0, 3, 0}, {0, -3, 0}}, knotted}), front()));
    EXPECT_FALSE(reader.reading().readable);
    EXPECT_TRUE(reader.reading().word.empty());
    EXPECT_EQ(reader.reading().hooked, 1);
}

// Two bights hooked into each other: pulled straight they are a full twist.
TEST(BraidReader, ClaspIsAFullTwist) {
    const Curve a{{0, 3, 0}, {0, 1, 0.3}, {1.5, 0.1, 0.3}, {1.5, 0.1, -0.3}, {0, -1, -0.3}, {0, -3, 0}};
    const Curve b{{2, 3, 0}, {2, 0.8, 0}, {1.0, 0.3, 0}, {1.0, -0.2, 0}, {2, -0.8, 0}, {2, -3, 0}};
    const BraidReading reading = readingOf({a, b});
    ASSERT_TRUE(reading.readable);
    EXPECT_EQ(reading.word.size(), 2u);
    EXPECT_EQ(std::abs(exponentSum(reading.word)), 2);
    Curve apart = b; // this strand does not go through the bight
    for (std::size_t k = 1; k < 5; ++k) apart[k].x += 0.6;
    EXPECT_EQ(readingOf({a, apart}).word, BraidWord{});
}

// Three strands cross at one point of the view, a strand is along the line of sight, or starts coincide in the view.
TEST(BraidReader, DegenerateViews) {
    const std::vector<Curve> triple{
        {{-1, 1, 1}, {1, -1, 1}}, {{0, 1, 0}, {0, -1, 0}}, {{1, 1, -1}, {-1, -1, -1}}};
    const BraidReading reading = readingOf(triple);
    ASSERT_TRUE(reading.readable);
    EXPECT_TRUE(sameBraid(reading.word, {-1, -2, -1}, 3).value()) << formatBraid(reading.word);
    EXPECT_TRUE(sameBraid(motionOf(triple).word(), {-1, -2, -1}, 3).value());
    // Rope 1 starts straight behind rope 0, then goes to its left. The rotated view has the nearer rope, 0, on the
    // left.
    const std::vector<Curve> inLine{{{0, 1, 1}, {0, 0, 1}, {0, -1, 1}}, {{0, 1, 0}, {0, 0, 0}, {-1, -1, 0}}};
    EXPECT_EQ(readingOf(inLine).start, (std::vector<int>{0, 1}));
    EXPECT_EQ(readingOf(inLine).word, (BraidWord{-1}));
    EXPECT_EQ(motionOf(inLine).word(), (BraidWord{-1}));
}

TEST(BraidReader, BadRopes) {
    BraidReader reader;
    const Curve a{{0, 1, 0}, {0, -1, 0}}, b{{1, 1, 0}, {1, -1, 0}};
    EXPECT_EQ(reader.read(asRopes({a}), front()).error().text(),
              "ropes: a braid must have 2 .. 256 strands, got 1");
    EXPECT_EQ(reader.read(asRopes({a, {{0, 1, 0}, {2, -1, 0}}}), front()).error().text(),
              "rope 0 and rope 1: two ropes start in one place, seen along the strands");
    EXPECT_EQ(reader.read(asRopes({a, {{1, 1, 0}, {0, -2, 0}}}), front()).error().what,
              "two ropes end in one place, seen along the strands");
    EXPECT_FALSE(reader.read(asRopes({{{0, 1, 0}, {1, -1, 0}}, {{1, 1, 0}, {0, -1, 0}}}), front()));
    Polylines ring = asRopes({a, b});
    ASSERT_TRUE(ring.add(Curve{{5, 0, 0}, {6, 0, 0}, {5, 1, 0}}, true));
    EXPECT_EQ(reader.read(ring, front()).error().text(), "rope 2: a strand of a braid must be an open rope");
}

TEST(BraidMotion, BadFramesLeaveTheWordAsItWas) {
    BraidMotion motion(front());
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(motion.add(Curve{{0, 0, 0}}).error().text(),
              "points: a braid must have 2 .. 256 strands, got 1");
    EXPECT_EQ(motion.add(Curve{{0, 0, 0}, {1, 0, 0}, {0, 5, 0}}).error().text(),
              "points 0 and 2: two points must not be in one place");
    ASSERT_TRUE(motion.add(Curve{{0, 0, 0}, {1, 0, 1}}));
    ASSERT_TRUE(motion.add(Curve{{1, 0, 0}, {0, 0, 1}}));
    EXPECT_EQ(motion.word(), (BraidWord{1}));
    EXPECT_FALSE(motion.add(Curve{{1, 0, 0}, {0, nan, 1}}));
    EXPECT_EQ(motion.add(Curve{{1, 0, 0}, {2, 0, 1}, {3, 0, 0}}).error().text(),
              "points: there were 2 points before, now 3");
    EXPECT_EQ(motion.add(Curve{{0, 0, 1}, {1, 0, 0}}).error().text(),
              "points 0 and 1: two points went through each other");
    EXPECT_EQ(motion.word(), (BraidWord{1}));
    ASSERT_TRUE(motion.add(Curve{{0, 0, 4}, {1, 0, 1}})); // point 0, now on the right, passes in front
    EXPECT_EQ(motion.word(), (BraidWord{1, 1}));
    motion.clear();
    EXPECT_TRUE(motion.word().empty());
    ASSERT_TRUE(motion.add(Curve{{0, 0, 0}, {1, 0, 1}, {2, 0, 0}}));
}

// A full rotation of all points together is the full twist, which generates the centre of the group.
TEST(BraidMotion, RigidTurnIsTheFullTwist) {
    for (const int n : {2, 3, 5}) {
        BraidMotion motion(front());
        for (int k = 0; k <= 100; ++k) {
            Curve now;
            for (int i = 0; i < n; ++i) {
                const double a = 2 * std::numbers::pi * k / 100 + 0.3, r = i - 0.5 * (n - 1) + 0.1;
                now.push_back({r * std::cos(a), 7.0, -r * std::sin(a)});
            }
            ASSERT_TRUE(motion.add(now));
        }
        BraidWord twist;
        for (int k = 0; k < n; ++k)
            for (int i = 1; i < n; ++i) twist.push_back(-i);
        // The points on the right first move away from the viewer, so the twist is left-handed.
        EXPECT_TRUE(sameBraid(motion.word(), twist, n).value());
    }
}

} // namespace
} // namespace capstan
