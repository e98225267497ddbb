// SPDX-License-Identifier: MIT
// Tests of many XPBD joints: momentum, loops, hubs, equal bits, and the choice of the solver by the engine.
#include "xpbd_worlds.hpp"
#include <tests/watched.hpp>

#include "builder/body.hpp"
#include "builder/joint.hpp"
#include "step/step.hpp"
#include <capstan/capstan.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace capstan {
namespace {

// A chain of links along x from the origin; the last link has `load` times the mass of a link.
void addChain(World& w, JointType type, int links, float load, float z = 0) {
    BodyId before;
    for (int i = 0; i < links; ++i) {
        const float x = 0.3f * float(i);
        const BodyId b = w.add(box({x + 0.15f, 0, z}, i + 1 == links ? load : 1, {0.3f, 0.05f, 0.05f}));
        w.add(joint(type, before, b, {x, 0, z}));
        before = b;
    }
}

// A net of n x n crates, fixed along one side.
void addNet(World& w, JointType type, int n) {
    std::vector<BodyId> b;
    for (int i = 0; i < n * n; ++i)
        b.push_back(w.add(box({float(i % n), 0, float(i / n)}, 1, {0.3f, 0.3f, 0.3f})));
    for (int i = 0; i < n * n; ++i) {
        const float x = float(i % n), z = float(i / n);
        if (i % n + 1 < n) w.add(joint(type, b[i], b[std::size_t(i) + 1], {x + 0.5f, 0, z}, {0, 0, 1}));
        if (i + n < n * n) w.add(joint(type, b[i], b[i + n], {x, 0, z + 0.5f}, {1, 0, 0}));
        if (i < n) w.add(joint(type, {}, b[i], {x, 0, -0.5f}, {1, 0, 0}));
    }
}

// A Model and a State without a World, so that the tests can read the state in double.
struct Engine {
    Model m;
    State s;
    Threads threads{1};
    std::vector<ChainScratch> scratch;
    std::vector<TreeScratch> treeScratch;

    explicit Engine(bool xpbd) {
        m.xpbd = xpbd;
        s.resize(1);
    }
    void add(const BodyDef& d) {
        m.bodies.emplace_back();
        s.bodies.emplace_back();
        ASSERT_TRUE(makeBody(d, m.bodies.back(), s.bodies.back()));
        m.bodies.back().alive = true;
    }
    void add(const JointDef& d, int body0, int body1) {
        Joint j;
        j.body[0] = body0;
        j.body[1] = body1;
        j.alive = true;
        JointSides sides;
        for (int k : {0, 1})
            if (j.body[k] >= 0) sides.body[k] = {s.bodies[j.body[k]].x, s.bodies[j.body[k]].q};
        s.joints.emplace_back();
        ASSERT_TRUE(makeJoint(d, sides, j, s.joints.back()));
        m.joints.push_back(j);
    }
    void step(int substeps) {
        ExecScalar exec{threads, scratch, treeScratch};
        capstan::step(exec, m, s, {{0, 0, 0}, substeps, kFrame});
    }
    Vec3d momentum() const {
        Vec3d p = {0, 0, 0};
        for (std::size_t i = 0; i < m.bodies.size(); ++i) p += m.bodies[i].mass * s.bodies[i].v;
        return p;
    }
    Vec3d angularMomentum() const {
        Vec3d l = {0, 0, 0};
        for (std::size_t i = 0; i < m.bodies.size(); ++i)
            l += s.bodies[i].L + m.bodies[i].mass * cross(s.bodies[i].x, s.bodies[i].v);
        return l;
    }
};

TEST(XpbdSystems, AFreePairKeepsItsMomentum) {
    for (JointType type :
         {JointType::Ball, JointType::Hinge, JointType::Servo, JointType::Motor, JointType::Prismatic,
          JointType::Cylinder, JointType::Fixed, JointType::Distance}) {
        Engine e(true);
        BodyDef a = box({0, 0, 0}, 2, {0.3f, 0.2f, 0.4f}), b = box({0.6f, 0.1f, 0}, 1, {0.5f, 0.2f, 0.1f});
        a.angularVelocity = {0.5f, 1.5f, -1};
        a.velocity = {0.5f, 0, 0};
        b.angularVelocity = {-1, 0.5f, 1};
        b.velocity = {0, 0.5f, 0.25f};
        e.add(a);
        e.add(b);
        JointDef d = joint(type, {}, {}, {0.25f, 0.05f, 0.02f}, {1, 0.5f, -0.3f});
        if (type == JointType::Motor) d.turn.speed = 2;
        if (type == JointType::Prismatic) {
            d.slide.min = -0.1f;
            d.slide.max = 0.1f;
        }
        if (type == JointType::Ball) {
            d.swing.max = 0.5f;
            d.turn.min = -0.2f;
            d.turn.max = 0.2f;
            d.turn.damping = 0.01f;
        }
        if (type == JointType::Distance) d.anchor1 = Vec3{0.5f, 0, 0};
        e.add(d, 0, 1);
        e.step(40);
        ASSERT_TRUE(e.m.mechanisms.front().xpbd);
        // The force of a rod acts at different points of the two bodies, so angular momentum has a larger error.
        const double most = type == JointType::Distance ? 2e-5 : 1e-12;
        for (int i = 0; i < 120; ++i) {
            const Vec3d p = e.momentum(), l = e.angularMomentum();
            e.step(40);
            EXPECT_LT(length(e.momentum() - p), 1e-13) << int(type) << " frame " << i;
            EXPECT_LT(length(e.angularMomentum() - l), most) << int(type) << " frame " << i;
        }
    }
}

// A parallelogram: a motor rotates the crank at one corner. The rocker rotates with the crank, and the coupler does
// not rotate.
TEST(XpbdSystems, AMotorTurnsAFourBarLinkage) {
    World w({.substeps = 40, .contact = false, .jointSolver = JointSolver::Xpbd});
    const BodyId crank = w.add(box({0, 0.25f, 0}, 1, {0.05f, 0.5f, 0.05f}));
    const BodyId coupler = w.add(box({0.5f, 0.5f, 0}, 1, {1, 0.05f, 0.05f}));
    const BodyId rocker = w.add(box({1, 0.25f, 0}, 1, {0.05f, 0.5f, 0.05f}));
    JointDef drive = joint(JointType::Motor, {}, crank, {0, 0, 0});
    drive.turn.speed = 1;
    const JointId motor = w.add(drive);
    w.add(joint(JointType::Hinge, crank, coupler, {0, 0.5f, 0}));
    w.add(joint(JointType::Hinge, coupler, rocker, {1, 0.5f, 0}));
    const JointId pivot = w.add(joint(JointType::Hinge, {}, rocker, {1, 0, 0}));
    for (int i = 1; i <= 80; ++i) { // up to 76 degrees; at 90 degrees the linkage is flat and may fold
        w.step(kFrame);
        EXPECT_NEAR(w.jointForces(motor).angle, i / 60.0, 5e-3) << i;
        EXPECT_NEAR(w.jointForces(pivot).angle, i / 60.0, 5e-3) << i;
        EXPECT_LT(length(log(w.pose(coupler).rotation)), 2e-3f) << i;
        EXPECT_LT(w.report().maxGap, i > 5 ? 3e-4f : 1e-3f) << i;
    }
}

// The error of a double pendulum after half a second, against the direct solver, halves when the substeps double.
TEST(XpbdSystems, MoreSubstepsConvergeTowardsTheTree) {
    auto end = [](JointSolver solver, int substeps) {
        World w({.substeps = substeps, .contact = false, .jointSolver = solver});
        addChain(w, JointType::Hinge, 2, 1);
        for (int i = 0; i < 30; ++i) w.step(kFrame);
        return w.centerOfMass(w.ids<BodyId>().back());
    };
    const Vec3 truth = end(JointSolver::Tree, 400);
    const float e40 = length(end(JointSolver::Xpbd, 40) - truth),
                e80 = length(end(JointSolver::Xpbd, 80) - truth),
                e160 = length(end(JointSolver::Xpbd, 160) - truth);
    EXPECT_LT(e40, 1e-3f);
    EXPECT_NEAR(e40 / e80, 2, 0.1);
    EXPECT_NEAR(e80 / e160, 2, 0.1);
}

// With iterations in one direction only, a hub of nine joints would gain thousands of joules within a second.
TEST(XpbdSystems, AHubDoesNotGainEnergy) {
    for (JointType type : {JointType::Ball, JointType::Hinge, JointType::Fixed}) {
        World w({.substeps = 40, .contact = false, .jointSolver = JointSolver::Xpbd});
        const BodyId hub = w.add(box({0, 0, 0}, 1, {0.4f, 0.4f, 0.4f}));
        w.add(joint(type, {}, hub, {0, 0.2f, 0}));
        for (int k = 0; k < 8; ++k) {
            const Vec3 d = rotate(Quatf::fromAxisAngle({0, 1, 0}, 0.7853982f * float(k)), Vec3{1, 0, 0});
            BodyId before = hub;
            for (int i = 0; i < 3; ++i) {
                const BodyId b = w.add(box((0.5f + 0.5f * float(i)) * d, 1, {0.3f, 0.1f, 0.1f}));
                w.add(joint(type, before, b, (0.25f + 0.5f * float(i)) * d, {d.z, 0, -d.x}));
                before = b;
            }
        }
        const double start = w.energy().total();
        for (int i = 0; i < frames(180, 30); ++i) {
            w.step(kFrame);
            EXPECT_LT(w.energy().total(), start + 0.1) << int(type) << " frame " << i;
            EXPECT_LT(w.report().maxGap, 5e-3f) << int(type) << " frame " << i;
        }
    }
}

std::uint64_t hashAfter(const WorldDef& def, void (*fill)(World&), int frames = 30) {
    World w(def);
    fill(w);
    for (int i = 0; i < frames; ++i) w.step(kFrame);
    return w.hash();
}

TEST(XpbdSystems, BackendsAndThreadsGiveTheSameBits) {
    auto many = [](World& w) {
        for (int i = 0; i < 9; ++i)
            addChain(w, i % 2 ? JointType::Ball : JointType::Hinge, 3 + i % 3, 5, float(i));
    };
    WorldDef d = {
        .substeps = 10, .contact = false, .jointSolver = JointSolver::Xpbd, .backend = Backend::Scalar};
    const std::uint64_t bits = hashAfter(d, many);
    d.threads = 2;
    EXPECT_EQ(hashAfter(d, many), bits);
    d.backend = Backend::Simd;
    EXPECT_EQ(hashAfter(d, many), bits);
    d.threads = 1;
    EXPECT_EQ(hashAfter(d, many), bits);
    d.jointSolver = JointSolver::Tree;
    EXPECT_NE(hashAfter(d, many), bits);
}

TEST(XpbdSystems, ASnapshotContinuesBitForBit) {
    World w({.substeps = 10, .contact = false, .jointSolver = JointSolver::Xpbd});
    addChain(w, JointType::Hinge, 4, 3);
    for (int i = 0; i < 10; ++i) w.step(kFrame);
    const Snapshot at = w.snapshot();
    for (int i = 0; i < 10; ++i) w.step(kFrame);
    const std::uint64_t bits = w.hash();
    w.restore(at);
    for (int i = 0; i < 10; ++i) w.step(kFrame);
    EXPECT_EQ(w.hash(), bits);
}

// A mechanism with a rope is always solved by the direct solver, whatever WorldDef::jointSolver is.
TEST(XpbdSystems, ARopeTakesTheTree) {
    auto fill = [](World& w) {
        RopeDef rope;
        rope.name = "r";
        rope.from = {0, 0, 0};
        rope.to = {1, 0, 0};
        rope.segments = 8;
        rope.pins = {first};
        w.add(rope);
        const BodyId a = w.add(box({1.1f, 0, 0}, 1, {0.2f, 0.2f, 0.2f})),
                     b = w.add(box({1.4f, 0, 0}, 1, {0.2f, 0.2f, 0.2f}));
        w.attach({w.find<RopeId>("r"), last}, {a, {-0.1f, 0, 0}}).value();
        w.add(joint(JointType::Hinge, a, b, {1.25f, 0, 0}));
    };
    EXPECT_EQ(hashAfter({.contact = false, .jointSolver = JointSolver::Xpbd}, fill),
              hashAfter({.contact = false, .jointSolver = JointSolver::Tree}, fill));
}

// Loops with more than 300 rows are always solved by XPBD. The net keeps together with few substeps.
TEST(XpbdSystems, ALargeNetIsSolvedJointByJoint) {
    auto large = [](World& w) { addNet(w, JointType::Fixed, 9); };
    auto small = [](World& w) { addNet(w, JointType::Ball, 4); };
    const WorldDef tree = {.substeps = 20, .contact = false},
                   xpbd = {.substeps = 20, .contact = false, .jointSolver = JointSolver::Xpbd};
    EXPECT_EQ(hashAfter(tree, large, 3), hashAfter(xpbd, large, 3));
    EXPECT_NE(hashAfter(tree, small, 3), hashAfter(xpbd, small, 3));
    World w({.contact = false});
    large(w);
    const double start = w.energy().total();
    for (int i = 0; i < frames(120, 20); ++i) w.step(kFrame);
    EXPECT_LT(w.energy().total(), start);
    EXPECT_LT(w.report().maxGap, 0.05f);
}

// A body whose motion is not finite stops, and an event reports it.
TEST(XpbdSystems, ANumberThatIsNotFiniteIsQuarantined) {
    Engine e(true);
    e.add(box({0, 0, 0}, 1, {0.5f, 0.1f, 0.1f}));
    e.add(box({0.5f, 0, 0}, 1, {0.5f, 0.1f, 0.1f}));
    e.add(joint(JointType::Hinge, {}, {}, {0.25f, 0, 0}), 0, 1);
    e.step(4);
    e.s.bodies[1].v.y = std::numeric_limits<double>::infinity();
    e.step(4);
    EXPECT_TRUE(e.m.bodies[1].frozen);
    EXPECT_TRUE(e.s.bodies[0].x == (Vec3d{0, 0, 0}));
    EXPECT_TRUE(e.s.bodies[1].x == (Vec3d{0.5, 0, 0}));
    EXPECT_TRUE(e.momentum() == (Vec3d{0, 0, 0}));
}

// A teleported body is pulled back by its joints, and no body gets a high speed.
TEST(XpbdSystems, ABodyThatIsPutElsewhereComesBack) {
    for (JointType type : {JointType::Ball, JointType::Hinge, JointType::Fixed}) {
        World w({.substeps = 40, .contact = false, .jointSolver = JointSolver::Xpbd});
        addChain(w, type, 5, 1);
        for (int i = 0; i < 10; ++i) w.step(kFrame);
        const BodyId middle = w.ids<BodyId>()[2];
        Transform t = w.pose(middle);
        t.position += Vec3{1, 2, 0.5f};
        t.rotation = Quatf::fromAxisAngle({0, 1, 0}, 3) * t.rotation;
        w.teleport(middle, t);
        for (int i = 0; i < 120; ++i) {
            w.step(kFrame);
            for (BodyId b : w.ids<BodyId>())
                EXPECT_LT(length(w.centerOfMass(b)), 5.0f) << int(type) << " frame " << i;
        }
        EXPECT_LT(w.report().maxGap, 5e-3f) << int(type);
    }
}

} // namespace
} // namespace capstan
