// SPDX-License-Identifier: MIT
// Tests of long runs: chains and crates that swing for ten seconds stay connected and never gain energy.
#include "mechanisms.hpp"

namespace capstan {
namespace {

// 30 links of 0.1 m and 0.1 kg, released horizontally at y = 5. A load of `load` link masses is at the end.
struct ChainOf30 {
    World w{{.contact = false}};
    double scale = 0; // J, potential energy of the fall
    JointId first;

    ChainOf30(JointType type, float load, bool twisted) {
        BodyId before = {};
        for (int i = 0; i < 30; ++i) {
            const float x = 0.1f * float(i);
            const BodyId b = w.add(box({x + 0.05f, 5, 0}, 0.1f, {0.1f, 0.04f, 0.04f}));
            const Vec3 axis = twisted && i % 2 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
            const JointId j = w.add(joint(type, before, b, {x, 5, 0}, axis));
            if (i == 0) first = j;
            before = b;
            scale += 0.1 * kG * (double(x) + 0.05);
        }
        if (load > 0) {
            const BodyId b = w.add(box({3.1f, 5, 0}, load, {0.2f, 0.2f, 0.2f}));
            w.add(joint(type, before, b, {3, 5, 0}, {0, 0, 1}));
            scale += double(load) * kG * 3.1;
        }
    }
};

struct Load {
    JointType type;
    float mass;
    bool twisted; // true: every other axis is rotated by 90 degrees
};
void PrintTo(const Load& l, std::ostream* out) { *out << int(l.type) << " " << l.mass << " " << l.twisted; }
class Chains : public ::testing::TestWithParam<Load> {};

TEST_P(Chains, OfThirtyStayShutAndGainNoEnergy) {
    const Load p = GetParam();
    ChainOf30 chain(p.type, p.mass, p.twisted);
    const Course c = course(chain.w, 10);
    EXPECT_LE(c.gap, 1e-4f);
    EXPECT_LE(c.energyMost - c.energyStart, 1e-6 * chain.scale);
    EXPECT_EQ(c.heldStill, 0);
    EXPECT_EQ(c.quarantined, 0);
    // With a load of 1000 links the chain is a pendulum and loses little energy. Without a load it cracks like a
    // whip.
    if (p.mass > 50) {
        EXPECT_GE(c.energyEnd - c.energyStart, -0.1 * chain.scale);
    }
}
INSTANTIATE_TEST_SUITE_P(Loads, Chains,
                         ::testing::Values(Load{JointType::Ball, 0, false}, Load{JointType::Ball, 100, false},
                                           Load{JointType::Hinge, 0, false},
                                           Load{JointType::Hinge, 100, false},
                                           Load{JointType::Hinge, 0, true},
                                           Load{JointType::Hinge, 100, true}));

// A crate thrown sideways at the end of a slack or taut rope of 5 m and 1 kg.
class Crates : public ::testing::TestWithParam<float> {};

TEST_P(Crates, OnARopeStayTiedAndGainNoEnergy) {
    const float mass = GetParam();
    World w({.contact = false});
    RopeDef d = hundredNodes();
    d.loads.clear();
    const RopeId rope = w.add(d);
    BodyDef body = box({5.15f, 10, 0}, mass, {0.4f, 0.3f, 0.2f});
    const BodyId crate = w.add(body);
    w.attach({rope, last}, {crate, {-0.2f, 0, 0}}).value();
    w.setAngularVelocity(crate, {1, 2, 0});
    float stretch = 0;
    Course c;
    c.energyStart = w.energy().total();
    for (int i = 0; i < 600; ++i) {
        const Report& r = w.step(kFrame);
        c.gap = std::max(c.gap, r.maxGap);
        stretch = std::max(stretch, r.maxStretch);
        c.energyMost = std::max(c.energyMost, w.energy().total());
        c.heldStill += r.heldStill;
    }
    const double scale = (double(mass) + 0.5) * kG * 5;
    EXPECT_LE(c.gap, 1e-4f);
    EXPECT_LE(stretch, 1e-3f);
    EXPECT_EQ(c.heldStill, 0);
    EXPECT_LE(c.energyMost - c.energyStart, 1e-5 * scale);
}
INSTANTIATE_TEST_SUITE_P(Masses, Crates, ::testing::Values(2.0f, 100.0f, 1000.0f));

// Ten hinges with limits and alternating axes get impulses. Joints stay closed, and limits are exceeded by
// less than 0.01 rad.
TEST(MechanismSlow, AChainOfLimitedHingesUnderKicks) {
    World w({.contact = false});
    std::mt19937 random(5);
    std::vector<BodyId> b;
    std::vector<JointId> j;
    BodyId before = {};
    for (int i = 0; i < 10; ++i) {
        const float x = 0.2f * float(i);
        b.push_back(w.add(box({x + 0.1f, 5, 0}, 0.5f, {0.2f, 0.1f, 0.1f})));
        JointDef d =
            joint(JointType::Hinge, before, b.back(), {x, 5, 0}, i % 2 ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
        d.turn.min = -0.4f;
        d.turn.max = 0.4f;
        j.push_back(w.add(d));
        before = b.back();
    }
    float gap = 0, beyond = 0;
    for (int i = 0; i < 1200; ++i) {
        if (i % 60 == 0)
            for (BodyId id : b) w.applyImpulse(id, someVector(random, 0.5f)); // impulses give up to 1 m/s
        gap = std::max(gap, w.step(kFrame).maxGap);
        EXPECT_EQ(w.report().heldStill, 0) << i;
        for (JointId id : j) beyond = std::max(beyond, std::abs(w.jointForces(id).angle) - 0.4f);
    }
    EXPECT_LE(gap, 1e-4f);
    EXPECT_LE(beyond, 0.01f);
}

// A disc rotates on a ball joint at the end of an arm, with up to 1.25 rad per substep. It gains no energy.
TEST(MechanismSlow, FastSpinGainsNoEnergy) {
    for (float x : {0.0f, 0.6f}) // m, x of the disc; the ball joint is at 0.6
        for (float spin : {20.0f, 50.0f, 100.0f, 150.0f, 200.0f, 300.0f}) {
            World w({.contact = false});
            const BodyId arm = w.add(box({0.3f, 0, 0}, 1, {0.6f, 0.1f, 0.1f}));
            const BodyId disc = w.add(box({x, -0.3f, 0}, 1, {0.2f, 0.05f, 0.2f}));
            w.add(joint(JointType::Ball, {}, arm, {0, 0, 0}));
            w.add(joint(JointType::Ball, arm, disc, {0.6f, 0, 0}));
            w.setAngularVelocity(disc, {0.3f * spin, spin, 0.1f * spin});
            const double scale = w.energy().kinetic + 2 * kG * 0.6;
            const Course c = course(w, 5);
            EXPECT_LE(c.energyMost - c.energyStart, 0.05 * scale) << spin << " rad/s at " << x;
            EXPECT_LE(c.gap, 1e-4f) << spin;
        }
}

// A four-bar linkage gets impulses in all directions. The joints carry the part across its plane.
TEST(MechanismSlow, ALinkageUnderPushesStaysShutAndGainsNoEnergy) {
    for (float size : {0.1f, 0.3f, 1.0f}) {
        float gap = 0;
        double rise = 0; // rise of the energy divided by the kinetic energy after the impulse
        for (unsigned seed = 0; seed < 10; ++seed) {
            World w({.contact = false});
            const BodyId b[] = {w.add(box({0, -0.5f, 0}, 1, {0.1f, 1, 0.1f})),
                                w.add(box({0.5f, -1, 0}, 1, {1, 0.1f, 0.1f})),
                                w.add(box({1, -0.5f, 0}, 1, {0.1f, 1, 0.1f}))};
            w.add(joint(JointType::Hinge, {}, b[0], {0, 0, 0}, {0, 0, 1}));
            w.add(joint(JointType::Hinge, b[0], b[1], {0, -1, 0}, {0, 0, 1}));
            w.add(joint(JointType::Hinge, b[1], b[2], {1, -1, 0}, {0, 0, 1}));
            w.add(joint(JointType::Hinge, b[2], {}, {1, 0, 0}, {0, 0, 1}));
            std::mt19937 random(seed);
            for (int push = 0; push < 5; ++push) {
                for (BodyId id : b)
                    w.applyImpulse(id, someVector(random, size),
                                   w.centerOfMass(id) + someVector(random, 0.2f));
                const double kinetic = w.energy().kinetic;
                const Course c = course(w, 0.3);
                gap = std::max(gap, c.gap);
                rise = std::max(rise, (c.energyMost - c.energyStart) / kinetic);
                EXPECT_EQ(c.heldStill, 0) << size << " seed " << seed;
            }
        }
        EXPECT_LE(gap, 1e-4f) << size;
        EXPECT_LE(rise, 0.02) << size;
    }
}

// A double pendulum of two bars is compared with an RK4 solution of Lagrange's equations.
TEST(MechanismSlow, ADoublePendulumFollowsLagrange) {
    World w({.contact = false});
    const BodyId a = w.add([] {
        BodyDef d = box({0.5f * std::sin(0.5f), -0.5f * std::cos(0.5f), 0}, 1, {0.02f, 1, 0.02f});
        d.rotation = Quatf::fromAxisAngle({0, 0, 1}, 0.5f);
        return d;
    }());
    const BodyId b = w.add([] {
        BodyDef d = box({1.5f * std::sin(0.5f), -1.5f * std::cos(0.5f), 0}, 1, {0.02f, 1, 0.02f});
        d.rotation = Quatf::fromAxisAngle({0, 0, 1}, 0.5f);
        return d;
    }());
    w.add(joint(JointType::Hinge, {}, a, {0, 0, 0}, {0, 0, 1}));
    w.add(joint(JointType::Hinge, a, b, {std::sin(0.5f), -std::cos(0.5f), 0}, {0, 0, 1}));
    const double i0 = boxInertia(1, 1, 0.02);
    struct S {
        double p, q, u, v; // angles from the vertical [rad] and their rates [rad/s]
    };
    // Lagrange's equations:
    //     (i0 + 5/4) p'' + 1/2 cos(p-q) q'' = -1/2 sin(p-q) q'^2 - 3/2 g sin p
    //     1/2 cos(p-q) p'' + (i0 + 1/4) q'' = +1/2 sin(p-q) p'^2 - 1/2 g sin q
    auto rate = [&](const S& s) {
        const double c = 0.5 * std::cos(s.p - s.q), n = 0.5 * std::sin(s.p - s.q), A = i0 + 1.25,
                     B = i0 + 0.25;
        const double f = -n * s.v * s.v - 1.5 * kG * std::sin(s.p),
                     g = n * s.u * s.u - 0.5 * kG * std::sin(s.q);
        const double det = A * B - c * c;
        return S{s.u, s.v, (B * f - c * g) / det, (A * g - c * f) / det};
    };
    auto plus = [](const S& s, double h, const S& d) {
        return S{s.p + h * d.p, s.q + h * d.q, s.u + h * d.u, s.v + h * d.v};
    };
    S s = {0.5, 0.5, 0, 0};
    for (int i = 0; i < 300; ++i) {
        w.step(kFrame);
        for (int k = 0; k < 50; ++k) {
            const double h = 1.0 / 3000;
            const S k1 = rate(s), k2 = rate(plus(s, h / 2, k1)), k3 = rate(plus(s, h / 2, k2)),
                    k4 = rate(plus(s, h, k3));
            s = plus(plus(plus(plus(s, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
        }
        const Vec3d tip = {std::sin(s.p) + 0.5 * std::sin(s.q), -std::cos(s.p) - 0.5 * std::cos(s.q), 0};
        // Metres; BDF2 causes an error of 0.6 mm after 2 s.
        EXPECT_LT(length(widen(w.centerOfMass(b)) - tip), 2e-3) << i;
    }
}

} // namespace
} // namespace capstan
