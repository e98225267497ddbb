// SPDX-License-Identifier: MIT
// Tests of joints that close a loop: linkages, redundant hinges, rods, drives and limits in a loop.
#include "mechanisms.hpp"

namespace capstan {
namespace {

// Bars in the plane z = 0, hinged end to end about z. The first and the last corner are fixed to the world.
struct Linkage {
    World w;
    std::vector<BodyId> bar;
    std::vector<JointId> hinge;
    std::vector<Vec3> corner;
    std::vector<float> length_;

    explicit Linkage(std::vector<Vec3> points, WorldDef def = {.contact = false})
        : w(def), corner(std::move(points)) {
        for (std::size_t i = 0; i + 1 < corner.size(); ++i) {
            const Vec3 a = corner[i], b = corner[i + 1];
            length_.push_back(length(b - a));
            BodyDef d = box(0.5f * (a + b), length_.back(), {length_.back(), 0.05f, 0.05f}); // 1 kg per metre
            d.rotation = fromTo(Vec3{1, 0, 0}, normalize(b - a));
            bar.push_back(w.add(d));
        }
        for (std::size_t i = 0; i < corner.size(); ++i)
            hinge.push_back(w.add(joint(JointType::Hinge, i == 0 ? BodyId{} : bar[i - 1],
                                        i + 1 == corner.size() ? BodyId{} : bar[i], corner[i], {0, 0, 1})));
    }
    Vec3 start(std::size_t i) const { return w.pose(bar[i]).point({-0.5f * length_[i], 0, 0}); }
    Vec3 end(std::size_t i) const { return w.pose(bar[i]).point({0.5f * length_[i], 0, 0}); }
    // Returns the largest distance between adjacent ends [m], from the transforms.
    double open() const {
        double worst =
            std::max(length(start(0) - corner.front()), length(end(bar.size() - 1) - corner.back()));
        for (std::size_t i = 0; i + 1 < bar.size(); ++i)
            worst = std::max(worst, double(length(end(i) - start(i + 1))));
        return worst;
    }
};

TEST(MechanismLoops, AFourBarLinkageStaysShutAndKeepsItsEnergy) {
    Linkage l({{0, 0, 0}, {0, 0.5f, 0}, {1.2f, 0.9f, 0}, {1, 0, 0}});
    const double start = l.w.energy().total(), scale = 3 * kG * 0.5;
    double most = start;
    float gap = 0;
    double moved = 0;
    for (int i = 0; i < 600; ++i) {
        gap = std::max(gap, l.w.step(kFrame).maxGap);
        most = std::max(most, l.w.energy().total());
        EXPECT_LT(l.open(), 2.5e-5) << i;
        moved = std::max(moved, double(length(l.end(0) - l.corner[1])));
    }
    EXPECT_LE(gap, 2e-5f);
    EXPECT_GT(moved, 0.3); // the linkage has moved
    EXPECT_LE(most - start, 1e-3 * scale);
    EXPECT_GE(l.w.energy().total() - start, -0.05 * scale);
    for (BodyId b : l.bar) EXPECT_LT(std::abs(l.w.centerOfMass(b).z), 1e-5f);
}

// Crank and rocker have equal length, so the coupler stays level, and the linkage is one pendulum. For cranks of mass
// m and length l and a coupler M: (2/3 m l^2 + M l^2) theta'' = -(m + M) g l sin(theta).
TEST(MechanismLoops, AParallelogramSwingsAsOnePendulum) {
    const float a = 0.3f, l = 0.8f;
    const Vec3 down = {l * std::sin(a), -l * std::cos(a), 0};
    Linkage p({{0, 0, 0}, down, down + Vec3{1, 0, 0}, {1, 0, 0}});
    std::vector<double> crossings;
    double before = 1;
    const double start = p.w.energy().total();
    for (int i = 0; i < 600; ++i) {
        EXPECT_LE(p.w.step(kFrame).maxGap, 2e-5f) << i;
        const Vec3 level = p.end(1) - p.start(1);
        EXPECT_LT(std::abs(level.y), 1e-4f) << i;
        const double now = p.start(1).x;
        if (before > 0 && now <= 0) crossings.push_back((i + now / (before - now)) / 60);
        before = now;
    }
    const double m = double(l), M = 1, ll = double(l * l);
    const double thick = 2 * boxInertia(m, 0.05, 0); // the bars are 5 cm thick
    const double period = 2 * M_PI *
                          std::sqrt((2.0 / 3 * m * ll + thick + M * ll) / ((m + M) * kG * double(l))) *
                          (1 + double(a * a) / 16);
    ASSERT_GE(crossings.size(), 4u);
    EXPECT_NEAR((crossings.back() - crossings.front()) / double(crossings.size() - 1), period,
                0.003 * period);
    const double scale = (m + M) * kG * double(l) * (1 - std::cos(double(a)));
    EXPECT_NEAR(p.w.energy().total(), start, 0.02 * scale);
}

// A second, third and fourth rocker repeat the constraint of the first one, so their rows are linearly dependent.
TEST(MechanismLoops, RedundantRockersDoNotDisturb) {
    const float a = 0.3f, l = 0.8f;
    const Vec3 down = {l * std::sin(a), -l * std::cos(a), 0};
    Linkage p({{0, 0, 0}, down, down + Vec3{1, 0, 0}, {1, 0, 0}});
    for (float x : {0.25f, 0.5f, 0.75f}) {
        const Vec3 top = {x, 0, 0};
        BodyDef d = box(top + 0.5f * down, 0.8f, {l, 0.05f, 0.05f});
        d.rotation = fromTo(Vec3{1, 0, 0}, normalize(down));
        const BodyId b = p.w.add(d);
        p.w.add(joint(JointType::Hinge, {}, b, top, {0, 0, 1}));
        p.w.add(joint(JointType::Hinge, p.bar[1], b, top + down, {0, 0, 1}));
    }
    const double start = p.w.energy().total(), scale = 6 * kG * 0.4 * (1 - std::cos(double(a)));
    double most = start;
    for (int i = 0; i < 600; ++i) {
        EXPECT_LE(p.w.step(kFrame).maxGap, 2e-5f) << i;
        most = std::max(most, p.w.energy().total());
    }
    EXPECT_LE(most - start, 1e-3 * scale);
    EXPECT_GE(p.w.energy().total() - start, -0.05 * scale);
}

// Two hinges on one axis, as on a door: ten rows constrain five degrees of freedom.
TEST(MechanismLoops, ADoorOnTwoHinges) {
    World w({.contact = false});
    const BodyId door = w.add(box({0.4f, 0, 0}, 8, {0.8f, 2, 0.04f}));
    JointId j[2];
    for (int k : {0, 1})
        j[k] = w.add(joint(JointType::Hinge, {}, door, {0, k == 0 ? 0.8f : -0.8f, 0}, {0, 1, 0}));
    w.applyImpulse(door, {0, 0, 2}, {0.8f, 0, 0});
    const double inertia = boxInertia(8, 0.8, 0.04) + 8 * 0.16, speed = -2 * 0.8 / inertia;
    run(w, 1);
    EXPECT_NEAR(w.angularVelocity(door).y, speed, 0.02 * std::abs(speed));
    EXPECT_NEAR(w.jointForces(j[0]).angle, w.jointForces(j[1]).angle, 1e-4);
    EXPECT_NEAR(w.jointForces(j[0]).force.y + w.jointForces(j[1]).force.y, 8 * kG, 0.1);
    // Forces and torques of the two hinges carry the weight's torque about the axis. Only their sum is determined.
    const float angle = w.jointForces(j[0]).angle;
    const Vec3 out = {std::cos(angle), 0, -std::sin(angle)};
    const Vec3 moment = w.jointForces(j[0]).torque + w.jointForces(j[1]).torque +
                        cross(Vec3{0, 0.8f, 0}, w.jointForces(j[0]).force) +
                        cross(Vec3{0, -0.8f, 0}, w.jointForces(j[1]).force);
    const Vec3 weight = cross(0.4f * out, Vec3{0, -8 * float(kG), 0});
    EXPECT_NEAR(dot(moment + weight, cross(Vec3{0, 1, 0}, out)), 0, 0.5);
    EXPECT_LT(w.report().maxGap, 2e-5f);
}

// Four rods are one more than statics determines. The sum and the moments of the four forces are known, but not the
// single forces.
TEST(MechanismLoops, ASeatHangsOnFourRods) {
    World w({.contact = false});
    const BodyId seat = w.add(box({0, -1, 0}, 4, {1, 0.1f, 1}));
    std::vector<JointId> rods;
    for (float x : {-0.5f, 0.5f})
        for (float z : {-0.5f, 0.5f}) {
            JointDef d = joint(JointType::Distance, {}, seat, {x, 0, z});
            d.anchor1 = Vec3{x, -1, z};
            rods.push_back(w.add(d));
        }
    EXPECT_LT(course(w, 2).gap, 1e-4f);
    Vec3 force = {0, 0, 0}, moment = {0, 0, 0};
    for (std::size_t i = 0; i < rods.size(); ++i) {
        const Vec3 f = w.jointForces(rods[i]).force;
        EXPECT_GT(f.y, 0);
        force += f;
        moment += cross(w.def(rods[i]).anchor, f);
    }
    EXPECT_LT(length(force - Vec3{0, 4 * float(kG), 0}), 0.02f);
    EXPECT_LT(length(moment), 0.02f);
    w.applyImpulse(seat, {2, 0, 1});
    EXPECT_LT(course(w, 3).gap, 1e-4f);
}

TEST(MechanismLoops, ALoopClosesWhenMadeAndOpensWhenCut) {
    Linkage l({{0, 0, 0}, {0, 0.5f, 0}, {1.2f, 0.9f, 0}, {1, 0, 0}});
    run(l.w, 0.5);
    l.w.setEnabled(l.hinge[2], false);
    run(l.w, 0.5);
    EXPECT_GT(length(l.end(1) - l.start(2)), 0.05f);
    l.w.setEnabled(l.hinge[2], true);
    EXPECT_EQ(course(l.w, 1).quarantined, 0);
    EXPECT_LT(l.open(), 1e-4);
}

// A motor drives the crank, wherever the spanning tree cuts the loop.
TEST(MechanismLoops, AMotorTurnsALinkage) {
    for (std::size_t driven : {0u, 3u}) {
        // Grashof's condition 0.3 + 1.17 < 0.9 + 1 holds: the crank can rotate fully.
        Linkage l({{0, 0, 0}, {0, 0.3f, 0}, {1, 0.9f, 0}, {1, 0, 0}});
        l.w.remove(l.hinge[driven]);
        JointDef d = joint(JointType::Motor, driven == 0 ? BodyId{} : l.bar[2],
                           driven == 0 ? l.bar[0] : BodyId{}, l.corner[driven], {0, 0, 1});
        d.turn.speed = 3;
        if (driven == 3) d.turn.speed = 0; // the rocker cannot rotate fully, so the motor holds it
        const JointId j = l.w.add(d);
        for (int i = 0; i < 300; ++i) EXPECT_LE(l.w.step(kFrame).maxGap, 1e-4f) << i;
        EXPECT_NEAR(l.w.jointForces(j).angle, driven == 0 ? 15 : 0, 0.02) << driven;
        EXPECT_LT(l.open(), 1e-4);
    }
}

TEST(MechanismLoops, ALimitInALoopHolds) {
    Linkage l(
        {{0, 0, 0}, {0, 0.5f, 0}, {1, 0.5f, 0}, {1, 0, 0}}); // a parallelogram that falls over to one side
    {
        JointDef changed = l.w.def(l.hinge[3]);
        changed.turn.min = -0.4f;
        changed.turn.max = 0.4f;
        EXPECT_TRUE(l.w.update(l.hinge[3], changed));
    }
    l.w.applyImpulse(l.bar[1], {0.5f, 0, 0});
    for (int i = 0; i < 240; ++i) {
        l.w.step(kFrame);
        EXPECT_LT(std::abs(l.w.jointForces(l.hinge[3]).angle), 0.402f) << i;
        EXPECT_LE(l.w.report().maxGap, 1e-4f);
    }
    EXPECT_NEAR(std::abs(l.w.jointForces(l.hinge[3]).angle), 0.4, 2e-3);
    EXPECT_LT(length(l.w.velocity(l.bar[1])), 0.01f);
}

// Arms of 0.5 m on pivots 2 m apart cannot be joined by a rod of 0.5 m. They point towards each other and come to
// rest.
TEST(MechanismLoops, WhatCannotCloseStandsStill) {
    World w({.contact = false});
    const BodyId a = w.add(box({-1, -0.25f, 0}, 1, {0.1f, 0.5f, 0.1f})),
                 b = w.add(box({1, -0.25f, 0}, 1, {0.1f, 0.5f, 0.1f}));
    w.add(joint(JointType::Hinge, {}, a, {-1, 0, 0}, {0, 0, 1}));
    w.add(joint(JointType::Hinge, {}, b, {1, 0, 0}, {0, 0, 1}));
    JointDef d = joint(JointType::Distance, a, b, {-1, -0.5f, 0});
    d.anchor1 = Vec3{1, -0.5f, 0};
    d.distance.target = 0.5f;
    const JointId j = w.add(d);
    const Course c = course(w, 3);
    EXPECT_EQ(c.quarantined, 0);
    // Arms of 0.5 m from pivots 2 m apart leave 1 m. If the rod is shorter, the difference is the gap of a hinge.
    EXPECT_NEAR(w.jointForces(j).distance + w.report().maxGap, 1, 0.03);
    EXPECT_LT(length(w.velocity(a)) + length(w.velocity(b)), 0.05f);
}

} // namespace
} // namespace capstan
