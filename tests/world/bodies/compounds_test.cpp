// SPDX-License-Identifier: MIT
// Tests of compounds that are put into each other. No solve can part them at once. They may be pushed apart, at 1 m/s, but
// not shot away.
#include <tests/watched.hpp>
#include <tests/world/bodies/piles.hpp>
#include <worlds/dice.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace capstan {
namespace {

Vec3 somewhere(Dice& dice, double size) {
    return {float(dice.between(-size, size)), float(dice.between(-size, size)),
            float(dice.between(-size, size))};
}
ShapeDef someShape(Dice& dice) {
    const double kind = dice.between(0, 3);
    if (kind < 1) return Sphere{float(dice.between(0.02, 0.15))};
    if (kind < 2) return Capsule{float(dice.between(0.01, 0.1)), float(dice.between(0.05, 0.5))};
    return Box{somewhere(dice, 0.1) + Vec3{0.2f, 0.2f, 0.2f}};
}
BodyDef compound(Dice& dice, double size) {
    BodyDef b;
    for (int i = 0; i < 4; ++i) {
        const ShapeDef s = someShape(dice).at(somewhere(dice, 0.25),
                                              Quatf::fromAxisAngle(narrow(dice.direction()), float(i)));
        if (i == 0)
            b.shape = s;
        else
            b.parts.push_back(s);
    }
    b.mass = float(std::pow(10, dice.between(-2, 2)));
    b.material.restitution = dice.between(0, 1) < 0.3 ? 0.5f : 0;
    b.position = somewhere(dice, size) + Vec3{0, 1, 0};
    return b;
}

TEST(Compounds, PutIntoEachOtherAreNotShotAway) {
    for (std::uint64_t seed = 1; seed <= (kWatched ? 4 : 30); ++seed) {
        Dice dice(seed);
        World w({.substeps = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 4 : 8});
        w.add(ground());
        double mass = 0;
        const double size = dice.between(0.2, 0.5);
        for (int k = 0; k < 3 + int(seed % 7); ++k) {
            const BodyDef b = compound(dice, size);
            mass += widen(b.mass);
            w.add(b);
        }
        const double begin = w.energy().total();
        for (int i = 0; i < 60; ++i) {
            w.step(kFrame);
            ASSERT_LT(w.energy().total() - begin, 10 * 0.5 * mass) << "seed " << seed << ", frame " << i;
        }
    }
}

} // namespace
} // namespace capstan
