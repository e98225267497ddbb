// SPDX-License-Identifier: MIT
// Tests of a chain of real links: rings of twelve steel capsules that hold each other by contact alone. The pitch is
// the distance of neighbours that contact allows. It is measured with two rings, and a longer chain must keep it.
#include <tests/world/bodies/piles.hpp>

#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace capstan {
namespace {

constexpr double kRing = 0.04, kWire = 0.008; // m, radii of the torus

BodyDef link(int k, double pitch) {
    BodyDef b;
    const double pi = std::numbers::pi, side = 2 * kRing * std::sin(pi / 12), at = kRing * std::cos(pi / 12);
    for (int i = 0; i < 12; ++i) {
        const double angle = 2 * pi * (i + 0.5) / 12;
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
    b.position = {0, float(-k * pitch), 0};
    b.rotation = Quatf::fromAxisAngle({0, 1, 0}, k % 2 ? float(pi / 2) : 0.0f);
    if (k == 0) b.type = BodyType::Static;
    return b;
}

std::vector<BodyId> addChain(World& w, int links, double load) {
    std::vector<BodyId> chain;
    for (int k = 0; k < links; ++k) {
        BodyDef b = link(k, 0.0629);
        if (k + 1 == links && load > 0) b.mass = float(load);
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

double pitch() {
    World w;
    const std::vector<BodyId> two = addChain(w, 2, 0);
    for (int i = 0; i < 120; ++i) w.step(kFrame);
    return longest(w, two);
}

TEST(ChainOfLinks, KeepsItsPitchUnderLoad) {
    const double free = pitch();
    EXPECT_NEAR(free / (2 * (kRing - kWire)), 0.983, 0.002); // a polygon is a little tighter than a torus
    for (const auto& [links, load] : {std::pair{5, 1.0}, {5, 10.0}, {20, 10.0}}) {
        SCOPED_TRACE(std::to_string(links) + " links, " + std::to_string(load) + " kg");
        World w;
        const std::vector<BodyId> chain = addChain(w, links, load);
        for (int i = 0; i < 120; ++i) {
            w.step(kFrame);
            ASSERT_LT(longest(w, chain) / free, 1.01) << i;
        }
        EXPECT_EQ(w.report().heldStill, 0);
    }
}

} // namespace
} // namespace capstan
