// SPDX-License-Identifier: MIT
// Tests of the motion of joints of every type: free axes obey Newton's law, and constrained axes do not move.
#include "mechanisms.hpp"

namespace capstan {
namespace {

struct Freedom {
    JointType type;
    bool turnX, turnAcross, slideX;
};
const Freedom kFreedoms[] = {
    {JointType::Ball, true, true, false},       {JointType::Hinge, true, false, false},
    {JointType::Servo, false, false, false},    {JointType::Motor, false, false, false},
    {JointType::Prismatic, false, false, true}, {JointType::Cylinder, true, false, true},
    {JointType::Fixed, false, false, false},
};

// A force F or torque T during t seconds moves a free axis by F t^2 / 2 m or T t^2 / 2 I. No other axis moves.
TEST(Mechanism, FreeAxesObeyNewtonAndHeldOnesStandStill) {
    const Vec3 size = {0.3f, 0.2f, 0.1f};
    const double ix = boxInertia(2, 0.2, 0.1), iy = boxInertia(2, 0.3, 0.1), iz = boxInertia(2, 0.3, 0.2);
    const double seconds = 0.5, half = 0.5 * seconds * seconds;
    for (const Freedom& f : kFreedoms) {
        for (int way = 0; way < 6; ++way) {
            World w({.gravity = {0, 0, 0}, .contact = false});
            const BodyId b = w.add(box({0, 0, 0}, 2, size));
            w.add(joint(f.type, {}, b, {0, 0, 0}));
            Vec3 push = {0, 0, 0};
            (way % 3 == 0 ? push.x : way % 3 == 1 ? push.y : push.z) = way < 3 ? 1.5f : 0.01f;
            for (int i = 0; i < 30; ++i) {
                way < 3 ? w.applyForce(b, push) : w.applyTorque(b, push);
                w.step(kFrame);
            }
            const double inertia = way == 3 ? ix : way == 4 ? iy : way == 5 ? iz : 2;
            const bool isFree = way < 3 ? f.slideX && way == 0 : way == 3 ? f.turnX : f.turnAcross;
            const double goal = isFree ? half * double(way < 3 ? 1.5f : 0.01f) / inertia : 0;
            const Transform t = w.pose(b);
            const Vec3 moved = t.position, turned = log(t.rotation), &main = way < 3 ? moved : turned;
            const double got = way % 3 == 0 ? main.x : way % 3 == 1 ? main.y : main.z;
            EXPECT_NEAR(got, goal, 0.01 * goal + 1e-5) << "type " << int(f.type) << " way " << way;
            EXPECT_NEAR(length(moved), way < 3 ? goal : 0, 0.01 * goal + 1e-5) << int(f.type) << " " << way;
            EXPECT_NEAR(length(turned), way < 3 ? 0 : goal, 0.01 * goal + 1e-5) << int(f.type) << " " << way;
        }
    }
}

// Two bodies in free space get random impulses. The joint keeps its constraints. Its internal force does not change
// the total momentum.
TEST(Mechanism, JointsHoldUnderRandomPushes) {
    for (const Freedom& f : kFreedoms) {
        World w({.gravity = {0, 0, 0}, .contact = false});
        std::mt19937 random(unsigned(f.type) + 1);
        BodyDef d = box({0.4f, 0.1f, 0}, 1, {0.5f, 0.2f, 0.1f});
        const BodyId a = w.add(box({-0.3f, 0, 0}, 2, {0.3f, 0.2f, 0.4f}));
        d.rotation = Quatf::fromAxisAngle(normalize(Vec3{1, 2, 3}), 0.7f);
        const BodyId b = w.add(d);
        const Vec3 anchor = {0.05f, 0.02f, -0.03f}, axis = {1, 0.5f, -0.3f};
        const JointId j = w.add(joint(f.type, a, b, anchor, axis));
        const Probe probe(w, a, b, anchor, axis);
        Vec3 momentum = {0, 0, 0};
        double turned = 0, slid = 0, tilted = 0;
        for (int i = 0; i < 120; ++i) {
            for (BodyId id : {a, b}) {
                const Vec3 p = someVector(random, 0.05f);
                w.applyImpulse(id, p, w.centerOfMass(id) + someVector(random, 0.2f));
                momentum += p;
            }
            w.step(kFrame);
            EXPECT_LT(f.slideX ? probe.across() : probe.gap(), 1e-4) << int(f.type) << " frame " << i;
            EXPECT_LT(w.jointForces(j).gap, 1e-4);
            turned = std::max(turned, std::abs(probe.turn()));
            slid = std::max(slid, std::abs(probe.slide()));
            tilted = std::max(tilted, probe.tilt());
        }
        // Free axes have moved far, and constrained axes not at all.
        EXPECT_TRUE(f.turnX ? turned > 0.05 : turned < 1e-3) << int(f.type) << ": " << turned;
        EXPECT_TRUE(f.slideX ? slid > 0.01 : slid < 1e-4) << int(f.type) << ": " << slid;
        EXPECT_TRUE(f.turnAcross ? tilted > 0.05 : tilted < 1e-3) << int(f.type) << ": " << tilted;
        const Vec3d p = 2.0 * widen(w.velocity(a)) + widen(w.velocity(b));
        EXPECT_LT(length(p - widen(momentum)), 1e-4) << int(f.type);
    }
}

// Returns the total angular momentum about the origin, which internal forces do not change.
Vec3d angularMomentum(const World& w, const std::vector<BodyId>& bodies) {
    Vec3d sum = {0, 0, 0};
    for (BodyId b : bodies) {
        const MassProperties& m = w.massProperties(b);
        const Quatf axes = w.pose(b).rotation * m.axes;
        const Vec3 l = rotate(axes, multiply(m.inertia, rotate(conjugate(axes), w.angularVelocity(b))));
        sum += widen(l) + double(m.mass) * cross(widen(w.centerOfMass(b)), widen(w.velocity(b)));
    }
    return sum;
}

TEST(Mechanism, FreeMechanismsKeepTheirMomentum) {
    for (const Freedom& f : kFreedoms) {
        World w({.gravity = {0, 0, 0}, .contact = false});
        const std::vector<BodyId> b = {w.add(box({0, 0, 0}, 2, {0.6f, 0.2f, 0.1f})),
                                       w.add(box({0.6f, 0, 0}, 1, {0.6f, 0.1f, 0.2f})),
                                       w.add(box({0, 0.4f, 0}, 0.5f, {0.1f, 0.6f, 0.1f}))};
        JointDef d = joint(f.type, b[0], b[1], {0.3f, 0, 0}, {0.3f, 0.2f, 1});
        if (f.type == JointType::Motor) d.turn.speed = 3;
        if (f.type == JointType::Servo) d.turn.target = 1;
        w.add(d);
        w.add(joint(f.type, b[2], b[0], {0, 0.1f, 0}, {0, 0.2f, 1}));
        w.applyImpulse(b[1], {0.5f, 1, 0.3f}, {0.8f, 0.1f, 0});
        w.step(kFrame);
        const Vec3d before = angularMomentum(w, b);
        run(w, 2);
        Vec3d p = {0, 0, 0};
        for (BodyId id : b) p += double(w.massProperties(id).mass) * widen(w.velocity(id));
        EXPECT_LT(length(p - Vec3d{0.5, 1, 0.3}), 1e-5) << int(f.type);
        EXPECT_LT(length(angularMomentum(w, b) - before), 0.01 * length(before)) << int(f.type);
    }
}

// A motor between two free bodies rotates both in opposite senses.
TEST(Mechanism, AMotorTurnsBothOfItsBodies) {
    World w({.gravity = {0, 0, 0}, .contact = false});
    const BodyId a = w.add(box({0, 0, 0}, 3)), b = w.add(box({0, 0, 0.3f}, 1));
    JointDef d = joint(JointType::Motor, a, b, {0, 0, 0.15f}, {0, 0, 1});
    d.turn.speed = 8;
    w.add(d);
    run(w, 0.5); // the inertias have the ratio 3 : 1
    EXPECT_NEAR(w.angularVelocity(b).z, 6, 1e-3);
    EXPECT_NEAR(w.angularVelocity(a).z, -2, 1e-3);
}

TEST(Mechanism, ForcesEndWithTheirStep) {
    World w({.gravity = {0, 0, 0}, .contact = false});
    const BodyId b = w.add(box({0, 0, 0}, 2));
    w.add(joint(JointType::Prismatic, {}, b, {0, 0, 0}));
    for (int i = 0; i < 30; ++i) {
        w.applyForce(b, {10, 7, 0});
        w.step(kFrame);
    }
    EXPECT_NEAR(w.velocity(b).x, 2.5, 0.02); // the last half substep of a force may act a little later
    run(w, 1);
    EXPECT_NEAR(w.velocity(b).x, 2.5, 0.02);
}

TEST(Mechanism, DampingOfABodyIsARatePerSecond) {
    for (int substeps : {1, 4, 16}) {
        World w({.gravity = {0, 0, 0}, .substeps = substeps, .contact = false});
        BodyDef d = box({0, 0, 0}, 2);
        d.damping = 0.5f;
        d.velocity = {1, 0, 0};
        d.angularVelocity = {2, 0, 0};
        const BodyId b = w.add(d);
        w.add(joint(JointType::Cylinder, {}, b, {0, 0, 0}));
        run(w, 1);
        EXPECT_NEAR(w.velocity(b).x, std::exp(-0.5), 1e-4) << substeps;
        EXPECT_NEAR(w.angularVelocity(b).x, 2 * std::exp(-0.5), 1e-4) << substeps;
    }
}

TEST(Mechanism, ABodyTakenOutLetsTheRestFall) {
    World w({.contact = false});
    std::vector<BodyId> b;
    for (int i = 0; i < 4; ++i) {
        b.push_back(w.add(box({0, -0.3f * float(i) - 0.15f, 0}, 1, {0.1f, 0.3f, 0.1f})));
        w.add(joint(JointType::Hinge, i ? b[std::size_t(i) - 1] : BodyId{}, b.back(),
                    {0, -0.3f * float(i), 0}));
    }
    run(w, 0.2);
    w.remove(b[1]);
    EXPECT_EQ(w.ids<JointId>().size(), 2u);
    for (int i = 0; i < 30; ++i) w.step(kFrame);
    EXPECT_NEAR(w.centerOfMass(b[0]).y, -0.15, 1e-4);
    EXPECT_NEAR(w.velocity(b[2]).y, -kG * 0.5, 1e-3);
    EXPECT_NEAR(w.velocity(b[3]).y, -kG * 0.5, 1e-3);
    EXPECT_NEAR(w.centerOfMass(b[2]).y - w.centerOfMass(b[3]).y, 0.3, 1e-4);
}

// A light body hangs on a heavy one, or a heavy body on a light one, with mass ratios up to 10^6.
TEST(Mechanism, AnyRatioOfMassesHangsStill) {
    for (JointType type : {JointType::Ball, JointType::Hinge, JointType::Fixed, JointType::Distance})
        for (float ratio : {1e-6f, 1e-3f, 1e3f, 1e6f}) {
            World w({.contact = false});
            const BodyId a = w.add(box({0, -0.5f, 0}, 1)), b = w.add(box({0, -1.5f, 0}, ratio));
            JointId j[2];
            for (int k : {0, 1}) {
                JointDef d = joint(type, k ? a : BodyId{}, k ? b : a, {0, k ? -1.0f : 0.0f, 0});
                if (type == JointType::Distance) {
                    d.anchor = {0, k ? -0.6f : 0.0f, 0};
                    d.anchor1 = Vec3{0, k ? -1.4f : -0.4f, 0};
                }
                j[k] = w.add(d);
            }
            const Course c = course(w, 2);
            EXPECT_LE(c.gap, 1e-4f) << int(type) << " " << ratio;
            EXPECT_NEAR(w.centerOfMass(b).y, -1.5, 2e-4) << int(type) << " " << ratio;
            EXPECT_NEAR(w.jointForces(j[1]).force.y, double(ratio) * kG, 1e-3 * double(ratio) * kG)
                << int(type);
            EXPECT_NEAR(w.jointForces(j[0]).force.y, (1 + double(ratio)) * kG,
                        1e-3 * (1 + double(ratio)) * kG);
            EXPECT_EQ(c.retries, 0);
        }
}

// A pendulum with few and many substeps, and with large and small steps. Its joint stays closed, and it never rises
// above its start.
TEST(Mechanism, AnyStepAndSubstepsHold) {
    for (int substeps : {1, 2, 8, 20})
        for (float dt : {1.0f / 240, 1.0f / 60, 1.0f / 20}) {
            World w({.substeps = substeps, .contact = false});
            const BodyId a = w.add(box({0.25f, 0, 0}, 1, {0.5f, 0.1f, 0.1f}));
            const BodyId b = w.add(box({0.75f, 0, 0}, 1, {0.5f, 0.1f, 0.1f}));
            w.add(joint(JointType::Hinge, {}, a, {0, 0, 0}, {0, 0, 1}));
            w.add(joint(JointType::Ball, a, b, {0.5f, 0, 0}, {0, 0, 1}));
            double most = -1;
            for (float t = 0; t < 3; t += dt) {
                w.step(dt);
                EXPECT_LE(w.report().maxGap, 1e-4f) << substeps << " " << dt;
                most = std::max(most, w.energy().total());
            }
            EXPECT_LE(most, 1e-3) << substeps << " " << dt;
            EXPECT_EQ(w.report().quarantined, 0);
        }
}

} // namespace
} // namespace capstan
