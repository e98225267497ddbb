// SPDX-License-Identifier: MIT
// Tests of impulses, angular velocities and jumps for which Newton's method does not converge in one substep.
#include "mechanisms.hpp"

namespace capstan {
namespace {

// A mechanism by number: a chain of ball joints, a tree of hinges with limits, a crate on a rope, or a four-bar
// linkage.
struct Wreck {
    World w{{.contact = false}};
    std::vector<BodyId> b;

    explicit Wreck(int kind) {
        switch (kind) {
        case 0:
            chain(JointType::Ball);
            break;
        case 1:
            chain(JointType::Hinge);
            break;
        case 2:
            crate();
            break;
        default:
            linkage();
        }
    }
    void chain(JointType type) {
        BodyId before = {};
        for (int i = 0; i < 8; ++i) {
            const float x = 0.2f * float(i);
            b.push_back(w.add(box({x + 0.1f, 0, 0}, 0.5f, {0.2f, 0.1f, 0.08f})));
            JointDef d = joint(type, before, b.back(), {x, 0, 0}, i % 2 ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
            if (type == JointType::Hinge && i % 3 == 2) {
                d.turn.min = -1;
                d.turn.max = 1;
            }
            w.add(d);
            before = b.back();
        }
    }
    void crate() {
        RopeDef d;
        d.from = {0, 0, 0};
        d.to = {0, -2, 0};
        d.segments = 20;
        d.mass = 0.2f;
        d.pins = {first};
        const RopeId rope = w.add(d);
        b = {w.add(box({0, -2.1f, 0}, 3)), w.add(box({0, -1, 0}, 1))};
        w.attach({rope, last}, {b[0], {0, 0.1f, 0}}).value();
        w.attach({rope, 10}, {b[1], {0, 0, 0}}).value();
    }
    void linkage() {
        b = {w.add(box({0, -0.25f, 0}, 1, {0.05f, 0.5f, 0.05f})),
             w.add(box({0.5f, -0.5f, 0}, 1, {1, 0.05f, 0.05f})),
             w.add(box({1, -0.25f, 0}, 1, {0.05f, 0.5f, 0.05f}))};
        w.add(joint(JointType::Hinge, {}, b[0], {0, 0, 0}, {0, 0, 1}));
        w.add(joint(JointType::Hinge, b[0], b[1], {0, -0.5f, 0}, {0, 0, 1}));
        w.add(joint(JointType::Hinge, b[1], b[2], {1, -0.5f, 0}, {0, 0, 1}));
        w.add(joint(JointType::Hinge, b[2], {}, {1, 0, 0}, {0, 0, 1}));
    }
    // Checks that after a second everything is finite and all joints are closed again.
    void expectSound(const char* what, int kind, double energyMost) {
        double most = -1e300;
        for (int i = 0; i < 60; ++i) {
            w.step(kFrame);
            EXPECT_EQ(w.report().quarantined, 0) << what << " kind " << kind << " frame " << i;
            for (BodyId id : b) {
                const Vec3 x = w.centerOfMass(id), v = w.velocity(id);
                ASSERT_TRUE(std::isfinite(x.x + x.y + x.z + v.x + v.y + v.z)) << what << " kind " << kind;
                EXPECT_LT(length(x), 20) << what << " kind " << kind << " frame " << i;
            }
            most = std::max(most, w.energy().total());
        }
        EXPECT_LT(w.report().maxGap, 1e-4f) << what << " kind " << kind;
        EXPECT_LE(most, energyMost) << what << " kind " << kind;
    }
};
constexpr int kWrecks = 4;

TEST(MechanismRescue, BlowsOf100MetresPerSecond) {
    for (int kind = 0; kind < kWrecks; ++kind) {
        Wreck r(kind);
        run(r.w, 0.2);
        std::mt19937 random(unsigned(kind) + 1);
        for (BodyId id : r.b) r.w.setVelocity(id, 100.0f * normalize(someVector(random, 1)));
        r.expectSound("blow", kind, 1.05 * r.w.energy().total());
    }
}

TEST(MechanismRescue, OneBlowAtTheEnd) {
    for (int kind = 0; kind < kWrecks; ++kind) {
        for (Vec3 v : {Vec3{100, 0, 0}, Vec3{0, 100, 0}, Vec3{0, 0, 100}}) {
            Wreck r(kind);
            run(r.w, 0.2);
            r.w.setVelocity(r.b.back(), v);
            r.expectSound("one blow", kind, 1.05 * r.w.energy().total());
        }
    }
}

TEST(MechanismRescue, SpinsOf1000RadiansPerSecond) {
    for (int kind = 0; kind < kWrecks; ++kind) {
        for (Vec3 spin : {Vec3{1000, 0, 0}, Vec3{0, 1000, 0}, Vec3{0, 0, 1000}}) {
            Wreck r(kind);
            run(r.w, 0.2);
            r.w.setAngularVelocity(r.b.back(),
                                   spin); // four radians per substep, so the energy is unpredictable
            r.expectSound("spin", kind, 1e300);
        }
    }
}

TEST(MechanismRescue, JumpsOfOneMetre) {
    for (int kind = 0; kind < kWrecks; ++kind) {
        for (Vec3 by : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{-0.6f, 0.5f, 0.6f}}) {
            Wreck r(kind);
            run(r.w, 0.2);
            const BodyId id = r.b[r.b.size() / 2];
            Transform t = r.w.pose(id);
            t.position += by;
            r.w.teleport(id, t);
            r.expectSound("jump", kind, 1e300);
        }
    }
}

TEST(MechanismRescue, TurnsOfTwoRadians) {
    for (int kind = 0; kind < kWrecks; ++kind) {
        for (Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
            Wreck r(kind);
            run(r.w, 0.2);
            const BodyId id = r.b[r.b.size() / 2];
            Transform t = r.w.pose(id);
            t.rotation = Quatf::fromAxisAngle(axis, 2.0f) * t.rotation;
            r.w.teleport(id, t);
            r.expectSound("turn", kind, 1e300);
        }
    }
}

TEST(MechanismRescue, ARootThatJumps) {
    World w({.contact = false});
    const BodyId root = w.add(ofType(BodyType::Kinematic, box({0, 0, 0})));
    BodyId before = root;
    std::vector<BodyId> b;
    for (int i = 0; i < 6; ++i) {
        b.push_back(w.add(box({0, -0.2f * float(i) - 0.1f, 0}, 0.5f, {0.05f, 0.2f, 0.05f})));
        w.add(joint(JointType::Ball, before, b.back(), {0, -0.2f * float(i), 0}));
        before = b.back();
    }
    // The root moves to and fro at 12 m/s, and the chain stays attached in every substep.
    for (int i = 0; i < 120; ++i) {
        w.moveTo(root, {{i % 10 < 5 ? 0.2f * float(i % 5 + 1) : 1 - 0.2f * float(i % 5 + 1), 0, 0},
                        Quatf::identity()});
        w.step(kFrame);
        EXPECT_LT(w.report().maxGap, 1e-4f) << i;
        EXPECT_EQ(w.report().quarantined, 0);
    }
    w.teleport(root, {{0, 5, 0}, Quatf::identity()}); // the root is teleported back
    run(w, 1);
    EXPECT_LT(w.report().maxGap, 1e-4f);
    EXPECT_NEAR(w.centerOfMass(b[0]).y, 5, 0.2);
}

} // namespace
} // namespace capstan
