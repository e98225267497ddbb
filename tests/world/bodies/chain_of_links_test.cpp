// SPDX-License-Identifier: MIT
// Tests of a chain of real links: rings of twelve steel capsules that hold each other by contact alone. `capstan validate
// B10` has more lengths and loads, and derives the pitch.
#include <tests/watched.hpp>
#include <tests/world/bodies/piles.hpp>

#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace capstan {
namespace {

constexpr double kRing = 0.04, kWire = 0.008;  // m, radii of the torus
constexpr double kHalfTurn = std::numbers::pi; // rad

// The distance of neighbours that contact allows, where a corner hangs in a corner.
double pitch() {
    const double slope = std::tan(kHalfTurn / 12);
    return 2 * kRing - 2 * kWire * std::sqrt(1 + 2 * slope * slope);
}

// Link k of a straight chain, which leans by `tilt` from the vertical.
BodyDef link(int k, double tilt) {
    BodyDef b;
    const double side = 2 * kRing * std::sin(kHalfTurn / 12), at = kRing * std::cos(kHalfTurn / 12);
    for (int i = 0; i < 12; ++i) {
        const double angle = 2 * kHalfTurn * (i + 0.5) / 12;
        const ShapeDef s = ShapeDef(Capsule{float(kWire), float(side)})
                               .at({float(at * std::cos(angle)), float(at * std::sin(angle)), 0},
                                   Quatf::fromAxisAngle({0, 0, 1}, float(angle)));
        if (i == 0)
            b.shape = s;
        else
            b.parts.push_back(s);
    }
    b.density = 7800;
    b.material.friction = 0.3f;
    const double down = k * pitch();
    b.position = {float(down * std::sin(tilt)), float(-down * std::cos(tilt)), 0};
    b.rotation = Quatf::fromAxisAngle({0, 0, 1}, float(tilt)) *
                 Quatf::fromAxisAngle({0, 1, 0}, k % 2 ? float(kHalfTurn / 2) : 0.0f);
    return b;
}

// Adds a chain whose first link is fixed.
std::vector<BodyId> addChain(World& w, int links, double load, double tilt = 0) {
    std::vector<BodyId> chain;
    for (int k = 0; k < links; ++k) {
        BodyDef b = link(k, tilt);
        if (k == 0) b.type = BodyType::Static;
        if (k + 1 == links) b.mass = float(load);
        chain.push_back(w.add(b));
    }
    return chain;
}

// Returns the largest distance of neighbours [m].
double longest(const World& w, const std::vector<BodyId>& chain) {
    double most = 0;
    for (std::size_t k = 1; k < chain.size(); ++k)
        most = std::max(most, widen(length(w.position(chain[k]) - w.position(chain[k - 1]))));
    return most;
}
double fastest(const World& w, const std::vector<BodyId>& chain) {
    double most = 0;
    for (BodyId id : chain)
        most = std::max(most, widen(length(w.velocity(id))) + kRing * widen(length(w.angularVelocity(id))));
    return most;
}
Vec3d momentum(const World& w, const std::vector<BodyId>& chain) {
    Vec3d sum = {0, 0, 0}; // all links have one mass
    for (BodyId id : chain) sum += widen(w.velocity(id));
    return sum;
}

TEST(ChainOfLinks, HangsAtItsPitchAndRests) {
    for (const auto& [links, load] : {std::pair{5, 1.0}, {20, 10.0}, {50, 100.0}}) {
        SCOPED_TRACE(std::to_string(links) + " links, " + std::to_string(load) + " kg");
        World w;
        const std::vector<BodyId> chain = addChain(w, links, load);
        for (int i = 0; i < 90; ++i) {
            w.step(kFrame);
            ASSERT_NEAR(longest(w, chain) / pitch(), 1, 1e-4) << i;
        }
        EXPECT_LT(fastest(w, chain), 1e-4);
        EXPECT_EQ(w.report().heldStill, 0);
    }
}

TEST(ChainOfLinks, SwingsWithoutGainingEnergy) {
    for (const auto& [links, load] : {std::pair{5, 10.0}, {20, 1.0}, {20, 100.0}}) {
        SCOPED_TRACE(std::to_string(links) + " links, " + std::to_string(load) + " kg");
        World w;
        const std::vector<BodyId> chain = addChain(w, links, load, kHalfTurn / 6);
        double energy = w.energy().total();
        for (int i = 0; i < frames(60, 10); ++i) {
            w.step(kFrame);
            ASSERT_LT(longest(w, chain) / pitch(), 1.001) << i;
            ASSERT_LE(w.energy().total(), energy + 1e-9) << i;
            energy = w.energy().total();
        }
        EXPECT_EQ(w.report().heldStill, 0);
    }
}

TEST(ChainOfLinks, FallsOnTheGroundAndRests) {
    World w;
    w.add(ground());
    std::vector<BodyId> chain;
    for (int k = 0; k < 8; ++k) {
        BodyDef b = link(k, 0.1);
        b.position.y += 0.6f;
        chain.push_back(w.add(b));
    }
    double energy = w.energy().total();
    for (int i = 0; i < frames(150, 30); ++i) {
        w.step(kFrame);
        ASSERT_LT(longest(w, chain) / pitch(), 1.01) << i;
        ASSERT_LE(w.energy().total(), energy + 1e-6) << i;
        energy = w.energy().total();
    }
    if (kWatched) return;
    EXPECT_LT(fastest(w, chain), 1e-3);
}

TEST(ChainOfLinks, KeepsItsMomentumInFreeFlight) {
    World w({.gravity = {0, 0, 0}});
    std::vector<BodyId> chain;
    for (int k = 0; k < 8; ++k) {
        BodyDef b = link(k, 0.3);
        b.velocity = {1, float(0.3 * std::sin(0.7 * k)), float(0.5 * std::cos(1.3 * k))};
        b.angularVelocity = {float(k % 3), 1, -float(k % 5)};
        chain.push_back(w.add(b));
    }
    const Vec3d begin = momentum(w, chain);
    double energy = w.energy().total();
    for (int i = 0; i < 120; ++i) {
        w.step(kFrame);
        ASSERT_LT(longest(w, chain) / pitch(), 1.01) << i;
        ASSERT_LE(w.energy().total(), energy * (1 + 1e-5)) << i;
        energy = w.energy().total();
    }
    EXPECT_LT(length(momentum(w, chain) - begin), 1e-5 * length(begin));
}

// A hand that moves does work. The limit of energy must not take it away.
TEST(ChainOfLinks, FollowsAHand) {
    World w;
    std::vector<BodyId> chain;
    for (int k = 0; k < 6; ++k) {
        BodyDef b = link(k, 0);
        if (k == 0) b.type = BodyType::Kinematic;
        chain.push_back(w.add(b));
    }
    constexpr double kSpeed = 0.5; // m/s
    for (int i = 1; i <= 120; ++i) {
        Transform to = w.pose(chain[0]);
        to.position.y = float(kSpeed * i / 60);
        w.moveTo(chain[0], to);
        w.step(kFrame);
        ASSERT_LT(longest(w, chain) / pitch(), 1.01) << i;
    }
    EXPECT_NEAR(widen(w.velocity(chain.back()).y), kSpeed, 0.01 * kSpeed);
    EXPECT_NEAR(widen(w.position(chain.back()).y), 2 * kSpeed - 5 * pitch(), 1e-3);
}

TEST(ChainOfLinks, HasTheSameBitsOnAllBackendsAndAfterASnapshot) {
    std::uint64_t first = 0;
    for (const Backend backend : {Backend::Scalar, Backend::Simd})
        for (const int threads : {1, 2}) {
            World w({.backend = backend, .threads = threads});
            addChain(w, 6, 10, kHalfTurn / 6);
            for (int i = 0; i < 10; ++i) w.step(kFrame);
            const Snapshot snapshot = w.snapshot();
            for (int i = 0; i < 10; ++i) w.step(kFrame);
            const std::uint64_t straightOn = w.hash();
            if (first == 0) first = straightOn;
            EXPECT_EQ(straightOn, first) << threads << " threads";
            w.restore(snapshot);
            for (int i = 0; i < 10; ++i) w.step(kFrame);
            EXPECT_EQ(w.hash(), straightOn) << "after a snapshot";
        }
}

} // namespace
} // namespace capstan
