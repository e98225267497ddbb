// SPDX-License-Identifier: MIT
// Tests of stiff ropes in contact against textbook beams (S. Timoshenko, Strength of Materials, 1930). They are so
// stiff that in a substep a bending wave travels over many segments.
#include "contact_ropes.hpp"

namespace capstan {
namespace {

// Returns the sum of the normal forces of all contacts [N].
double pressOf(const World& w) {
    double sum = 0;
    for (const Contact& c : w.contacts()) sum += widen(c.force);
    return sum;
}
double fastest(const World& w, RopeId rope) {
    double most = 0;
    for (Vec3 v : w.velocities(rope)) most = std::max(most, widen(length(v)));
    return most;
}

constexpr double kPerLength = 0.05; // kg/m

// A beam of length L, clamped at its left end and supported at a. The support carries w (6 L^2 - 4 L a + a^2) / 8 a,
// with the weight per length w.
RopeId addBeam(World& w) {
    RopeDef d = straight({0, 0, 0}, {1, 0, 0}, 50);
    d.mass = float(kPerLength);
    d.bendStiffness = 1;
    d.material.friction = 0;
    d.damping = 5;
    d.pins = {first};
    d.clamps = {{0, {1, 0, 0}}};
    w.add(poleAlongZ({0.96f, -0.03f, 0}, 0.02f, 0.2f, 0));
    return w.add(d);
}

// A ring of radius R and bending stiffness B, flattened by d between two plates with the force P:
// d = (pi / 4 - 2 / pi) P R^3 / B.
RopeId addRing(World& w, float z, float flat) {
    RopeDef d = ring({0, 3, z}, {1, 0, 0}, {0, 1, 0}, 0.2f, 60, 0.005f);
    d.mass = float(kPerLength * 2 * std::numbers::pi * 0.2);
    d.bendStiffness = 0.05f;
    d.material.friction = 0;
    d.damping = 5;
    for (float side : {-1.0f, 1.0f}) {
        BodyDef plate;
        plate.type = BodyType::Static;
        plate.shape = Box{{1, 0.1f, 0.1f}};
        plate.material.friction = 0;
        plate.position = {0, 3 + side * (0.255f - 0.5f * flat), z};
        w.add(plate);
    }
    return w.add(d);
}

TEST(TouchStiff, ABeamOnAProp) {
    World w;
    const RopeId beam = addBeam(w);
    for (int i = 0; i < 150; ++i) w.step(kFrame);
    const double a = 0.96, weight = kPerLength * kG;
    EXPECT_NEAR(pressOf(w) / (weight * (6 - 4 * a + a * a) / (8 * a)), 1, 0.01);
    EXPECT_LT(fastest(w, beam), 1e-4);
}

// The ring is flattened only slightly, so that it stays nearly a circle. The contacts with the plates yield by 1 % of
// its thickness, so the flattening is a little less than d.
TEST(TouchStiff, ARingBetweenPlates) {
    World w(weightless());
    const RopeId hoop = addRing(w, 0, 0.001f);
    for (int i = 0; i < 90; ++i) w.step(kFrame);
    double low = 1e9, high = -1e9;
    for (const Vec3d p : positions(w, hoop)) {
        low = std::min(low, p.y);
        high = std::max(high, p.y);
    }
    EXPECT_NEAR(0.4 - (high - low), 0.0009, 0.0001);
    const double pi = std::numbers::pi, P = (0.4 - (high - low)) * 0.05 / ((pi / 4 - 2 / pi) * 0.008);
    EXPECT_NEAR(pressOf(w) / (2 * P), 1, 0.03);
    EXPECT_LT(fastest(w, hoop), 1e-4);
}

TEST(TouchStiff, TheSameBitsEverywhere) {
    auto hashOf = [](Backend backend, int threads) {
        World w({.backend = backend, .threads = threads});
        addBeam(w);
        for (int k = 0; k < 5; ++k) addRing(w, float(k) * 0.05f, 0.004f);
        for (int i = 0; i < 10; ++i) w.step(kFrame);
        return w.hash();
    };
    const std::uint64_t hash = hashOf(Backend::Scalar, 1);
    EXPECT_EQ(hashOf(Backend::Simd, 1), hash);
    EXPECT_EQ(hashOf(Backend::Simd, 2), hash);
}

} // namespace
} // namespace capstan
