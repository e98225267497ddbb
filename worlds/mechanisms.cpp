// SPDX-License-Identifier: MIT
// Generated worlds of mechanisms: all of zoo.hpp, long and closed chains, ropes in mechanisms, large mass
// ratios, XPBD.
#include <worlds/worlds.hpp>
#include <worlds/zoo.hpp>

#include <algorithm>

namespace capstan::worlds {
namespace {

PerFrame zoo(World& w) {
    addZoo(w);
    return stirZoo;
}

PerFrame withRopes(World& w) {
    for (int i = 0; i < 4; ++i) addMechanisms(w, i);
    return stirZoo;
}

// A chain of boxes with ball joints. Every third box carries a side branch.
PerFrame deepChain(World& w, int length, float weight) {
    BodyId before = w.add(ofType(BodyType::Static, box({0, 0, 0})));
    for (int k = 0; k < length; ++k) {
        const float x = 0.2f * float(k + 1);
        const BodyId b = w.add(box({x, 0, 0}, k + 1 == length ? weight : 0.5f, {0.15f, 0.05f, 0.05f}));
        w.add(joint(k % 2 ? JointType::Ball : JointType::Hinge, before, b, {x - 0.1f, 0, 0}, {0, 0, 1}));
        if (k % 3 == 2) {
            const BodyId twig = w.add(box({x, 0.15f, 0}, 0.2f, {0.04f, 0.2f, 0.04f}));
            w.add(joint(JointType::Hinge, b, twig, {x, 0.05f, 0}, {1, 0, 0}));
        }
        before = b;
    }
    return {};
}

// A net of four by four bodies with fixed corners: one mechanism with many loops.
PerFrame net(World& w) {
    constexpr int n = 4;
    std::vector<BodyId> b;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            b.push_back(w.add(box({0.5f * float(i), 2, 0.5f * float(j)}, 1, {0.3f, 0.05f, 0.3f})));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const std::size_t k = std::size_t(j * n + i);
            const Vec3 at = {0.5f * float(i), 2, 0.5f * float(j)};
            if (i + 1 < n) w.add(joint(JointType::Ball, b[k], b[k + 1], at + Vec3{0.25f, 0, 0}));
            if (j + 1 < n) w.add(joint(JointType::Ball, b[k], b[k + n], at + Vec3{0, 0, 0.25f}));
        }
    w.add(joint(JointType::Ball, {}, b.front(), {-0.15f, 2, -0.15f}));
    w.add(joint(JointType::Ball, {}, b.back(), {1.65f, 2, 1.65f}));
    return stirZoo;
}

// Two bodies joined by two ropes, and a body whose hook carries the ends of two ropes.
PerFrame ropeLoops(World& w) {
    const BodyId a = w.add(box({0.5f, 1, 0}, 1)), b = w.add(box({-0.5f, 1, 0}, 3));
    for (float y : {-0.05f, 0.05f}) {
        const RopeId rope = w.add(straight({-0.4f, 1 + y, 0}, {0.4f, 1 + y, 0}, 20));
        w.attach({rope, first}, {b, {0.1f, y, 0}}).value().as<JointId>();
        w.attach({rope, last}, {a, {-0.1f, y, 0}}).value().as<JointId>();
    }
    RopeDef left = straight({2, 2, 0}, {2.5f, 1, 0}, 20), right = straight({3, 2, 0}, {2.5f, 1, 0}, 20);
    left.pins = {first};
    right.pins = {first};
    left.stretchStiffness = 5000;
    right.bendStiffness = 0.01f;
    const BodyId hung = w.add(box({2.5f, 0.9f, 0}, 5));
    w.attach({w.add(left), last}, {hung, {0, 0.1f, 0}}).value().as<JointId>();
    w.attach({w.add(right), last}, {hung, {0, 0.1f, 0}}).value().as<JointId>();
    return stirZoo;
}

// Mechanisms whose masses reach from a gram to a tonne are thrown around. Substeps that do not converge are
// repeated.
PerFrame uneven(World& w) {
    for (int row = 0; row < 4; ++row) {
        const float y = 3.0f * float(row);
        BodyId before = w.add(ofType(BodyType::Kinematic, box({0, y, 0})));
        for (int k = 0; k < 6; ++k) {
            const float x = 0.3f * float(k + 1);
            const BodyId b = w.add(box({x, y, 0}, (k + row) % 2 ? 0.001f : 1000.0f, {0.1f, 0.1f, 0.1f}));
            JointDef d =
                joint(k % 2 ? JointType::Ball : JointType::Hinge, before, b, {x - 0.15f, y, 0}, {0, 0, 1});
            if (k % 2)
                d.swing.max = 0.1f;
            else {
                d.turn.min = -0.1f;
                d.turn.max = 0.1f;
            }
            w.add(d);
            before = b;
        }
        RopeDef r = straight({0.3f * 6, y, 0}, {0.3f * 6 + 1, y, 0}, 20);
        w.attach({w.add(r), first}, {before, {0, 0, 0}}).value();
    }
    return [](World& world, int frame) {
        if (frame % 30 != 3) return;
        Random random{unsigned(frame)};
        for (BodyId b : world.ids<BodyId>())
            if (world.massProperties(b).mass > 0)
                world.setAngularVelocity(b, random.vector(frame > 60 ? 400 : 40));
    };
}

// The mechanisms of zoo.hpp with XPBD, an iterative solver that projects one joint at a time.
PerFrame xpbdZoo(World& w) {
    for (int kind = 0; kind < kZooKinds; ++kind) {
        addTree(w, kind, 0);
        addTree(w, kind, 1);
    }
    return stirZoo;
}

// A figure of eleven bodies that falls down a stair.
PerFrame doll(World& w) {
    w.add(floorAt());
    w.add(ofType(BodyType::Static, box({0.3f, 0.2f, 0}, 1, {0.6f, 0.4f, 1})));
    const auto limb = [&w](BodyId from, Vec3 at, Vec3 size, Vec3 pivot) {
        const BodyId b = w.add(box(at, 2, size));
        JointDef d = joint(JointType::Ball, from, b, pivot, {0, 1, 0});
        d.swing.max = 0.8f;
        d.turn.min = -0.5f;
        d.turn.max = 0.5f;
        d.turn.damping = 0.1f;
        w.add(d);
        return b;
    };
    const BodyId trunk = w.add(box({0, 1.5f, 0}, 10, {0.2f, 0.5f, 0.3f}));
    limb(trunk, {0, 1.9f, 0}, {0.2f, 0.2f, 0.2f}, {0, 1.78f, 0});
    for (float side : {-1.0f, 1.0f}) {
        const BodyId arm = limb(trunk, {0, 1.5f, 0.25f * side}, {0.1f, 0.3f, 0.1f}, {0, 1.68f, 0.2f * side});
        limb(arm, {0, 1.2f, 0.25f * side}, {0.1f, 0.25f, 0.1f}, {0, 1.34f, 0.25f * side});
        const BodyId leg = limb(trunk, {0, 1.0f, 0.1f * side}, {0.12f, 0.4f, 0.12f}, {0, 1.23f, 0.1f * side});
        limb(leg, {0, 0.6f, 0.1f * side}, {0.1f, 0.35f, 0.1f}, {0, 0.79f, 0.1f * side});
    }
    w.setVelocity(trunk, {1, 0, 0.3f});
    return {};
}

} // namespace

void addMechanismWorlds(List& list) {
    WorldDef apart, xpbd, xpbdTouching;
    apart.contact = false;
    xpbd.jointSolver = xpbdTouching.jointSolver = JointSolver::Xpbd;
    xpbd.substeps = 16;
    xpbd.contact = false;
    list.push_back({"mechanism/zoo", zoo, apart, 90});
    list.push_back({"mechanism/ropes", withRopes});
    list.push_back({"mechanism/ropes_apart", withRopes, apart});
    list.push_back({"mechanism/deep_chain", [](World& w) { return deepChain(w, 60, 5); }, apart});
    list.push_back({"mechanism/heavy_end", [](World& w) { return deepChain(w, 20, 500); }, apart});
    list.push_back({"mechanism/net", net, apart});
    list.push_back({"mechanism/rope_loops", ropeLoops});
    list.push_back({"mechanism/uneven", uneven, apart, 120});
    list.push_back({"mechanism/doll", doll});
    list.push_back({"mechanism/xpbd_zoo", xpbdZoo, xpbd, 120});
    list.push_back({"mechanism/xpbd_doll", doll, xpbdTouching});
}

} // namespace capstan::worlds
