// SPDX-License-Identifier: MIT
// Tests of a thin rod that stands on end: clamped above, with its foot on a plate that is pushed up by a force P.
//
//   P* = 20.1907 E I / L^2      (Euler's load of a column with one end clamped and the other hinged)
//
// 20.1907 is the square of the least root of tan x = x (S. Timoshenko, Theory of Elastic Stability, 1936). Friction
// holds the foot in place, as a hinge does.
#include "contact_ropes.hpp"

namespace capstan {
namespace {

constexpr double kLength = 0.3, kRadius = 0.001, kModulus = 1e9, kRodMass = 0.00113; // m, m, N/m^2, kg
constexpr double kLight = 0.01, kHeavy = 0.1;                                        // kg, mass of the plate

double bendStiffness() { return kModulus * std::numbers::pi * kRadius * kRadius * kRadius * kRadius / 4; }
double eulersLoad() { return 20.1907 * bendStiffness() / (kLength * kLength); }

struct Standing {
    World w;
    RopeId rod;
    BodyId plate;
    Vec3 force;

    // load: P / P*; gravity and damping act on the rod.
    Standing(int substeps, double load, double gravity, float damping, double plateMass = kLight) {
        w = World({.gravity = {0, float(-gravity), 0}, .substeps = substeps});
        RopeDef d = straight({0, float(kLength), 0}, {0, 0, 0}, 30);
        d.radius = float(kRadius);
        d.mass = float(kRodMass);
        d.bendStiffness = float(bendStiffness());
        d.material.friction = 0.6f;
        d.damping = damping;
        d.pins = {first};
        d.clamps = {{first, {0, -1, 0}}};
        rod = w.add(d);
        BodyDef b;
        b.mass = float(plateMass);
        b.shape = Box{{0.2f, 0.02f, 0.2f}};
        b.position = {0, float(-0.01 - kRadius), 0};
        b.material.friction = 0.6f;
        plate = w.add(b);
        JointDef guide;
        guide.type = JointType::Prismatic;
        guide.body1 = plate;
        guide.anchor = b.position;
        guide.axis = {0, 1, 0};
        w.add(guide);
        force = {0, float(load * eulersLoad() + plateMass * gravity), 0};
    }
    void run(double seconds) {
        for (int i = 0; i < int(seconds * 60 + 0.5); ++i) {
            w.applyForce(plate, force);
            w.step(kFrame);
        }
    }
    // Gives the rod the velocity of a bulge to one side [m/s].
    void kick(double speed) {
        const int n = int(w.positions(rod).size()) - 1;
        for (int k = 1; k < n; ++k)
            w.setVelocity(Anchor(rod, k), {float(speed * std::sin(std::numbers::pi * k / n)), 0, 0});
    }
    double kinetic() const { // J
        double sum = 0;
        for (const Point& v : w.velocities(rod)) sum += 0.5 * widen(v.w) * lengthSquared(widen(Vec3(v)));
        return sum;
    }
    double bulge() const { // m, the largest distance from the axis
        double most = 0;
        for (const Vec3d p : positions(w, rod)) most = std::max(most, std::hypot(p.x, p.z));
        return most;
    }
};

TEST(StandingRod, RestsBelowEulersLoad) {
    for (const int substeps : {4, 8, 16, 64})
        for (const auto& [load, plate] : {std::pair{0.5, kLight}, {0.9, kLight}, {0.9, kHeavy}}) {
            SCOPED_TRACE(std::to_string(substeps) + " substeps, load " + std::to_string(load) + ", plate " +
                         std::to_string(plate));
            Standing s(substeps, load, kG, 2, plate);
            s.run(1);
            s.kick(1e-3);
            s.run(8);
            for (int i = 0; i < 30; ++i) { // it does not hop
                s.run(kFrame);
                EXPECT_LT(s.kinetic(), 1e-15);
                ASSERT_EQ(s.w.contactPairs().size(), 1u);
                // The mean of the load over the rod is P less a part of the rod's weight.
                EXPECT_NEAR(-s.w.tensions(s.rod).back() / (load * eulersLoad()), 1, 0.02);
            }
            EXPECT_LT(s.bulge(), 1e-6);
        }
}

// The polygon of 30 segments itself buckles at 0.998 P*. At 12, 16 and 64 substeps B h^2 / (m l^3) is 10, 5.7 and
// 0.35. Bent before contact, the rod collapsed under 0.975 P* at 12 and at 16.
TEST(StandingRod, BucklesAtEulersLoad) {
    for (const int substeps : {4, 8, 12, 16, 64}) {
        SCOPED_TRACE(std::to_string(substeps) + " substeps");
        Standing below(substeps, 0.99, 0, 2), above(substeps, 1.01, 0, 2);
        for (Standing* s : {&below, &above}) {
            s->run(0.5);
            s->kick(1e-3);
        }
        below.run(5);
        above.run(4);
        EXPECT_LT(below.bulge(), 1e-5 * kLength);
        EXPECT_GT(above.bulge(), 0.05 * kLength);
    }
}

TEST(StandingRod, TheFootDoesNotCreep) {
    for (const double load : {0.5, 0.9}) {
        Standing s(4, load, kG, 0);
        s.run(1);
        s.kick(1e-3);
        s.run(5);
        const Vec3d before = positions(s.w, s.rod).back();
        s.run(60);
        EXPECT_LT(length(positions(s.w, s.rod).back() - before), 1e-4 * kLength) << load;
    }
}

} // namespace
} // namespace capstan
