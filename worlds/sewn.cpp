// SPDX-License-Identifier: MIT
// Generated worlds of attachments: cloth attached to bodies and ropes, and ropes attached to bodies.
#include <worlds/parts.hpp>
#include <worlds/worlds.hpp>

namespace capstan::worlds {
namespace {

ClothDef hanging(int cells, Vec3 from) {
    ClothDef d;
    d.origin = from;
    d.edgeU = {1, 0, 0};
    d.edgeV = {0, -1, 0};
    d.cellsU = d.cellsV = cells;
    d.shearStiffness = 20;
    d.damping = 0.5f;
    return d;
}

PerFrame toBodies(World& w) {
    const BodyId bar = w.add(ofType(BodyType::Kinematic, box({0.5f, 2.05f, 0}, 1, {1.2f, 0.1f, 0.1f})));
    const ClothId a = w.add(hanging(8, {0, 2, 0}));
    for (int k = 0; k <= 8; k += 2) w.attach({a, k}, {bar, Vec3{0, 0, 0}}).value();
    w.attach({a, 80}, {w.add(box({1.05f, 1, 0}, 0.5f, {0.1f, 0.1f, 0.1f})), Vec3{0, 0, 0}}).value();
    const BodyId swing = w.add(box({-0.1f, 1, 0}, 0.3f, {0.1f, 0.1f, 0.1f}));
    w.add(joint(JointType::Ball, {}, swing, {-0.1f, 1.5f, 0}));
    w.attach({a, 72}, {swing, Vec3{0, 0, 0}}).value();
    ClothDef sail = hanging(6, {3, 2, 0});
    sail.pins = {0};
    sail.wind = {0, 0, 5};
    sail.drag = 1.2f;
    sail.solver = ClothSolver::Jacobi;
    const ClothId b = w.add(sail);
    const BodyId link = w.add(box({4.1f, 2, 0}, 0.2f, {0.1f, 0.1f, 0.1f}));
    w.add(joint(JointType::Hinge, {}, link, {4.3f, 2, 0}, {0, 0, 1}));
    w.attach({b, 6}, {link, Vec3{0, 0, 0}}).value();
    return [=](World& world, int frame) {
        world.moveTo(bar, {{0.5f, 2.05f, 0.3f * narrow(std::sin(0.08 * frame))}});
        if (frame == 80) world.unpin({a, 80});
        if (frame == 100) world.remove(link);
        if (frame == 120) world.attach({b, 48}, {swing, Vec3{0, 0, 0}}).value();
    };
}

PerFrame toRopes(World& w) {
    RopeDef line = straight({-0.2f, 2, 0}, {1.2f, 2, 0}, 28);
    line.pins = {first, last};
    const RopeId rope = w.add(line);
    const ClothId a = w.add(hanging(7, {0, 2, 0}));
    for (int k = 0; k <= 7; ++k) w.attach({a, k}, {rope, 4 + 3 * k - (k > 3)}).value();
    const RopeId tail = w.add(straight({0, 1, 0}, {0, 0.5f, 0}, 12));
    w.attach({a, 56}, {tail, first}).value();
    const BodyId load = w.add(box({0, 0.45f, 0}, 0.4f, {0.1f, 0.1f, 0.1f}));
    w.attach({tail, last}, {load, {0, 0.05f, 0}}).value();
    RopeDef stiff = straight({3, 2, 0}, {4, 2, 0}, 20);
    stiff.bendStiffness = 0.05f;
    stiff.clamps = {{first, {1, 0, 0}}};
    stiff.stretchStiffness = 5000;
    const RopeId rod = w.add(stiff);
    const ClothId b = w.add(hanging(5, {3, 2, 0}));
    for (int k = 0; k <= 5; ++k) w.attach({b, k}, {rod, 4 * k}).value();
    return [=](World& world, int frame) {
        if (frame == 60) world.applyImpulse(load, {0.5f, 0, 0.5f});
        if (frame == 90) world.cut(rope, 14);
        if (frame == 120) world.remove(tail);
        if (frame == 140) world.unpin({b, 5});
    };
}

// A banner falls on a floor. It is a mechanism of two bodies and a rope between them, with a sheet on the rope and a
// weight on the sheet.
PerFrame banner(World& w, bool tears) {
    w.add(floorAt());
    const BodyId post = w.add(box({-0.3f, 2, 0}, 5, {0.1f, 0.1f, 0.1f})),
                 arm = w.add(box({1.3f, 2, 0}, 2, {0.1f, 0.1f, 0.1f}));
    w.add(joint(JointType::Hinge, {}, post, {-0.6f, 2, 0}, {0, 1, 0}));
    w.add(joint(JointType::Ball, {}, arm, {1.3f, 2.4f, 0}));
    const RopeId rope = w.add(straight({-0.25f, 2, 0}, {1.25f, 2, 0}, 30));
    w.attach({rope, first}, {post, {0.05f, 0, 0}}).value();
    w.attach({rope, last}, {arm, {-0.05f, 0, 0}}).value();
    ClothDef d = hanging(6, {0, 2, 0});
    d.wind = {1, 0, 3};
    d.drag = 1;
    d.tearStrain = tears ? 0.15f : 0;
    if (tears) d.stretchStiffness = 300;
    const ClothId cloth = w.add(d);
    for (int k = 0; k <= 6; ++k) w.attach({cloth, k}, {rope, 5 + 3 * k}).value();
    w.attach({cloth, 48}, {w.add(box({1.05f, 1, 0}, tears ? 3.0f : 0.3f, {0.1f, 0.1f, 0.1f})), Vec3{0, 0, 0}})
        .value();
    BodyDef ball;
    ball.shape = Sphere{0.1f};
    ball.mass = 1;
    ball.position = {0.5f, 1.5f, -1};
    ball.velocity = {0, 2, 6};
    w.add(ball);
    return [rope](World& world, int frame) {
        if (frame == 100) world.cut(rope, 3);
    };
}

PerFrame ropeToBody(World& w) {
    w.add(floorAt());
    const BodyId cart = w.add(ofType(BodyType::Kinematic, box({0, 2, 0})));
    const RopeId a = w.add(straight({0, 1.9f, 0}, {0, 1, 0}, 20)),
                 b = w.add(straight({1, 1, 0}, {0, 1, 0}, 20));
    w.attach({a, first}, {cart, {0, -0.1f, 0}}).value();
    const BodyId crate = w.add(box({0, 0.9f, 0}, 3));
    w.attach({a, last}, {crate, {0, 0.1f, 0}}).value().as<JointId>();
    w.attach({b, last}, {crate, {0, 0.1f, 0}}).value().as<JointId>();
    const BodyId other = w.add(box({1.1f, 1, 0}, 1));
    const JointId tie = w.attach({b, first}, {other, {-0.1f, 0, 0}}).value().as<JointId>();
    w.attach({b, 10}, {w.add(box({0.5f, 1, 0}, 0.2f, {0.1f, 0.1f, 0.1f})), {0, 0, 0}}).value();
    return [=](World& world, int frame) {
        world.moveTo(cart, {{0.5f * narrow(std::sin(0.06 * frame)), 2, 0}});
        if (frame == 70) world.remove(tie);
        if (frame == 100) world.cut(a, 10);
    };
}

} // namespace

void addSewnWorlds(List& list) {
    WorldDef apart;
    apart.contact = false;
    list.push_back({"sewn/to_bodies", toBodies});
    list.push_back({"sewn/to_bodies_apart", toBodies, apart});
    list.push_back({"sewn/to_ropes", toRopes});
    list.push_back({"sewn/to_ropes_apart", toRopes, apart});
    list.push_back({"sewn/banner", [](World& w) { return banner(w, false); }});
    list.push_back({"sewn/banner_tears", [](World& w) { return banner(w, true); }});
    list.push_back({"sewn/rope_to_body", ropeToBody});
}

} // namespace capstan::worlds
