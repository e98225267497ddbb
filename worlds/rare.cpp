// SPDX-License-Identifier: MIT
// Generated worlds of rare cases: overflow, loops closed by every kind of joint, storage that is compacted, odd Defs.
#include <worlds/worlds.hpp>
#include <worlds/zoo.hpp>

namespace capstan::worlds {
namespace {

constexpr float kHuge = 3e38f;

// One object of each kind gets a velocity that overflows. It is quarantined, and all other objects continue.
PerFrame overflowing(World& w) {
    std::vector<RopeId> ropes;
    for (int k = 0; k < 4; ++k) {
        RopeDef d = straight({0, 2, float(k)}, {1, 2, float(k)}, 20);
        d.pins = k == 2 ? std::vector<int>{first, 9, last} : std::vector<int>{first};
        if (k == 3) {
            d.solver = Solver::GaussSeidel;
            d.iterations = 4;
        }
        ropes.push_back(w.add(d));
    }
    std::vector<BodyId> bodies;
    for (int k = 0; k < 3; ++k) {
        const Vec3 at = {3 + float(k), 2, 0};
        bodies.push_back(w.add(box(at)));
        const BodyId lower = w.add(box(at - Vec3{0, 0.4f, 0}));
        w.add(joint(JointType::Ball, {}, bodies.back(), at + Vec3{0, 0.2f, 0}));
        w.add(joint(JointType::Hinge, bodies.back(), lower, at - Vec3{0, 0.2f, 0}, {0, 0, 1}));
    }
    bodies.push_back(w.add(box({3, 5, 0})));
    const ClothId cloth = w.add(sheet(6, 0.5f, -1)), jacobi = w.add([] {
        ClothDef d = sheet(6, 0.5f, -3);
        d.solver = ClothSolver::Jacobi;
        return d;
    }());
    HairDef hair;
    hair.roots = {{-2, 0, 0}, {-2, 0, 0.1f}};
    hair.directions = {{1, 0, 0}};
    const HairId strands = w.add(hair);
    return [=](World& world, int frame) {
        if (frame == 5) world.setVelocity({ropes[0], 10}, {kHuge, -kHuge, kHuge});
        if (frame == 8) world.setVelocity({ropes[2], 5}, {kHuge, kHuge, 0});
        if (frame == 10) world.setVelocity({ropes[3], 10}, {kHuge, -kHuge, kHuge});
        if (frame == 12) {
            world.setAngularVelocity(bodies[1], {kHuge, kHuge, kHuge});
            world.setVelocity(bodies[3], {kHuge, kHuge, 0});
        }
        if (frame == 15) world.setVelocity({cloth, 20}, {kHuge, kHuge, kHuge});
        if (frame == 18) world.setVelocity({jacobi, 20}, {kHuge, kHuge, kHuge});
        if (frame == 20) world.setWind(strands, {kHuge, kHuge, kHuge});
        if (frame == 25) world.applyForce({ropes[1], 7}, {kHuge, 0, 0});
    };
}

// Two arms on hinges. A joint between them closes a loop; there is one such loop for each kind of joint of zoo.hpp.
PerFrame closedLoops(World& w) {
    for (int kind = 0; kind < kZooJoints; ++kind)
        for (int turn = 0; turn < 2; ++turn) {
            const Vec3 at = {2.0f * float(kind), 0, 2.0f * float(turn)};
            const BodyId a = w.add(box(at + Vec3{0, -0.3f, 0}, 1, {0.1f, 0.6f, 0.1f}));
            const BodyId b = w.add(box(at + Vec3{0.6f, -0.3f, 0}, 2, {0.1f, 0.6f, 0.1f}));
            const BodyId c = w.add(box(at + Vec3{0.3f, -0.6f, 0}, 1, {0.5f, 0.1f, 0.1f}));
            // In the second pass all joints are of this kind. So one of them closes the loop, wherever the solver
            // opens it.
            const int ground = turn ? kind : 0;
            w.add(zooJoint(ground, {}, a, at));
            w.add(zooJoint(ground, b, {}, at + Vec3{0.6f, 0, 0}));
            w.add(zooJoint(kind, turn ? c : a, turn ? a : c, at + Vec3{0.02f, -0.6f, 0}));
            JointDef closing = zooJoint(kind, turn ? b : c, turn ? c : b, at + Vec3{0.58f, -0.6f, 0});
            if (closing.type == JointType::Hinge && turn) {
                closing.turn.min = 0.1f;
                closing.turn.max = 0.1f;
                closing.turn.target.reset();
            }
            if (closing.type == JointType::Prismatic && turn) {
                closing.slide.damping = 2;
                closing.turn.damping = 2;
                closing.turn.min = -0.1f;
                closing.turn.max = 0.1f;
            }
            w.add(closing);
        }
    return stirZoo;
}

// Mechanisms under impact: a doll and a row of hinged boxes bounce on the ground.
PerFrame bouncing(World& w) {
    BodyDef ground = floorAt();
    ground.material.restitution = 0.7f;
    w.add(ground);
    for (int row = 0; row < 3; ++row) {
        BodyId before = {};
        for (int k = 0; k < 4; ++k) {
            const Vec3 at = {0.3f * float(k), 0.8f + 0.1f * float(k * row), float(row)};
            BodyDef d = box(at, 1 + float(k));
            d.material.restitution = 0.5f;
            const BodyId b = w.add(d);
            if (before)
                w.add(joint(row == 1 ? JointType::Ball : JointType::Hinge, before, b, at - Vec3{0.15f, 0, 0},
                            {0, 0, 1}));
            before = b;
        }
    }
    const RopeId rope = w.add(straight({0, 1, 4}, {1, 1, 4}, 20));
    BodyDef load = box({1.1f, 1, 4}, 2);
    load.material.restitution = 0.8f;
    w.attach({rope, last}, {w.add(load), {-0.1f, 0, 0}}).value();
    BodyDef loose = box({1.1f, 2, 4}, 1);
    loose.material.restitution = 0.8f;
    loose.velocity = {0, -5, 0};
    w.add(loose);
    return {};
}

// XPBD in rare cases: drag joints, kinematic hosts, cloth that is attached to its bodies, and an overflow.
PerFrame xpbdOddities(World& w) {
    const BodyId carrier = w.add(ofType(BodyType::Kinematic, box({0, 2, 0})));
    BodyId before = carrier;
    for (int k = 1; k < 5; ++k) {
        const BodyId b = w.add(box({0.3f * float(k), 2, 0}, 1));
        w.add(joint(k % 2 ? JointType::Hinge : JointType::Ball, before, b, {0.3f * float(k) - 0.15f, 2, 0},
                    {0, 0, 1}));
        before = b;
    }
    std::vector<JointId> drags;
    for (int k = 0; k < 3; ++k) {
        JointDef d = joint(JointType::Drag, {}, k ? w.add(box({float(k), 4, 0}, 1)) : before,
                           {float(k), k ? 4.1f : 2.1f, 0});
        d.distance.compliance = 0.005f;
        d.distance.damping = float(k);
        d.distance.maxForce = k == 2 ? 5.0f : 0;
        drags.push_back(w.add(d));
    }
    JointDef spring = joint(JointType::Distance, {}, w.add(box({4, 2, 0}, 1)), {4, 3, 0});
    spring.anchor1 = Vec3{4, 2.1f, 0};
    spring.distance.compliance = 0.01f;
    spring.distance.damping = 2;
    w.add(spring);
    ClothDef d = sheet(6, 0.6f, 2);
    d.origin.x += 6;
    const ClothId cloth = w.add(d);
    for (int k : {0, 6}) {
        const BodyId b = w.add(box({5.7f + 0.1f * float(k), 2, -0.3f}, 1, {0.05f, 0.05f, 0.05f}));
        w.attach({cloth, k}, {b, Vec3{0, 0, 0}}).value();
        w.add(joint(JointType::Ball, {}, b, {5.7f + 0.1f * float(k), 2.3f, -0.3f}));
    }
    return [=](World& world, int frame) {
        world.moveTo(carrier, {{0.3f * narrow(std::sin(0.1 * frame)), 2, 0},
                               Quatf::fromAxisAngle({0, 0, 1}, 0.02f * float(frame))});
        for (std::size_t k = 0; k < drags.size(); ++k)
            world.setTarget(drags[k], {float(k) + 0.01f * float(frame), 3, 0.2f});
        if (frame == 50) world.setAngularVelocity(before, {kHuge, kHuge, kHuge});
    };
}

// Ropes outgrow their storage many times while other ropes are removed. So the storage is compacted.
PerFrame packing(World& w) {
    for (int k = 0; k < 6; ++k) {
        RopeDef d = straight({0, 2, float(k)}, {0.5f, 2, float(k)}, 40);
        d.pins = {first, last};
        w.setWinchSpeed(w.add(d), last, 4 + float(k));
    }
    return [](World& world, int frame) {
        if (frame % 15 == 10) {
            world.remove(world.ids<RopeId>().front());
            RopeDef d = straight({0, 4, float(frame)}, {1, 4, float(frame)}, 100 + frame);
            d.pins = {first, last};
            world.setWinchSpeed(world.add(d), first, 3);
        }
    };
}

// A sheet tears in many places, so it gets more vertices than were reserved.
PerFrame shredded(World& w) {
    ClothDef d = sheet(16, 1, 2);
    d.tearStrain = 0.05f;
    d.stretchStiffness = 100;
    d.shearStiffness = 10;
    for (int k = 0; k <= 16; ++k) {
        d.pins.push_back(k);
        d.pins.push_back(272 + k);
    }
    const ClothId cloth = w.add(d);
    return [cloth](World& world, int frame) {
        for (int k = 0; k <= 16; ++k) {
            const float x = -0.5f + float(k) / 16, z = 0.5f + 0.02f * float(frame);
            world.pin({cloth, 272 + k}, {x * (1 + 0.02f * float(frame)), 2, z});
        }
    };
}

// Hair whose body is teleported, is removed, or has a mesh as its shape.
PerFrame hairOddities(World& w) {
    const auto head = [&w](const char* name, Vec3 at, ShapeDef shape, BodyType type) {
        BodyDef d;
        d.name = name;
        d.position = at;
        d.shape = shape;
        d.type = type;
        const BodyId id = w.add(d);
        HairDef hair;
        hair.rootBody = name;
        hair.roots = {{0, 0.1f, 0}, {0.05f, 0.09f, 0}};
        hair.directions = {{0, 1, 0}};
        hair.vertices = 10;
        w.add(hair);
        return id;
    };
    const BodyId a = head("jumps", {0, 0, 0}, Sphere{0.1f}, BodyType::Kinematic);
    const BodyId b = head("goes", {1, 0, 0}, Sphere{0.1f}, BodyType::Dynamic);
    const Mesh mesh = {{{-0.1f, 0, 0}, {0.1f, 0, 0}, {0, 0, 0.1f}, {0, 0.1f, 0}},
                       {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
    head("mesh", {2, 0, 0}, mesh, BodyType::Static);
    return [a, b](World& world, int frame) {
        if (frame == 10) world.teleport(a, {{0, 300, 0}, Quatf::fromAxisAngle({1, 0, 0}, 1)});
        if (frame == 20) world.remove(b);
        if (frame == 30) world.teleport(a, {{0, 0, 0}});
        if (frame == 40) world.moveTo(a, {{0, 0, 900}});
    };
}

template <class Def> void refuse(World& w, std::initializer_list<Def> defs) {
    for (const Def& d : defs) (void)w.tryAdd(d);
}

template <class Def> Def changed(Def d, void (*change)(Def&)) {
    change(d);
    return d;
}

// Defs with errors that are rarer than those of the world life/refusals. The world stays unchanged.
PerFrame rareRefusals(World& w) {
    const BodyId body = w.add(box({0, 1, 0}, 1));
    const RopeId rope = w.add(straight({1, 1, 0}, {2, 1, 0}, 10));
    const RopeDef r = straight({0, 0, 0}, {1, 0, 0}, 10);
    refuse<RopeDef>(w, {changed<RopeDef>(r, [](RopeDef& d) { d.segments = 0; }),
                        changed<RopeDef>(r,
                                         [](RopeDef& d) {
                                             d.closed = true;
                                             d.segments = 1;
                                         }),
                        changed<RopeDef>(r,
                                         [](RopeDef& d) {
                                             d.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
                                             d.length = 5;
                                         }),
                        changed<RopeDef>(r,
                                         [](RopeDef& d) {
                                             d.to.x = 1e-6f;
                                             d.segments = 1000;
                                         }),
                        changed<RopeDef>(r, [](RopeDef& d) {
                            d.segments = 0;
                            d.points = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}};
                        })});
    const BodyDef b = box({0, 0, 0});
    refuse<BodyDef>(w, {changed<BodyDef>(b,
                                         [](BodyDef& d) {
                                             d.inertia = {1, 0, 1};
                                         }),
                        changed<BodyDef>(b, [](BodyDef& d) { d.mass = 1e-12f; }),
                        changed<BodyDef>(b,
                                         [](BodyDef& d) {
                                             d.rotation = {0, 0, 0, 0};
                                         }),
                        changed<BodyDef>(b, [](BodyDef& d) { d.parts = {ShapeDef()}; }),
                        changed<BodyDef>(b, [](BodyDef& d) { d.parts = {ShapeDef(Sphere{-1})}; }),
                        changed<BodyDef>(b, [](BodyDef& d) { d.shape.kind = ShapeKind(99); }),
                        changed<BodyDef>(b,
                                         [](BodyDef& d) {
                                             d.shape = Hull{std::vector<Vec3>(5000, {0, 0, 0})};
                                         }),
                        changed<BodyDef>(b, [](BodyDef& d) {
                            d.type = BodyType::Static;
                            d.shape = Mesh{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}};
                        })});
    JointDef drag = joint(JointType::Drag, {}, body, {0, 1, 0});
    (void)w.tryAdd(drag);
    drag.body1 = {};
    drag.body0 = body;
    drag.distance.compliance = 1;
    (void)w.tryAdd(drag);
    JointDef rod = joint(JointType::Distance, {}, body, {0, 1, 0});
    rod.anchor1 = rod.anchor;
    (void)w.tryAdd(rod);
    rod.distance.compliance = 1;
    rod.distance.target = 0.0f;
    (void)w.tryAdd(rod);
    JointDef ball = joint(JointType::Ball, {}, body, {0, 1, 0});
    ball.controlX = 1;
    (void)w.tryAdd(ball);
    ball.controlX = 0;
    ball.swing.max = 4.0f;
    (void)w.tryAdd(ball);
    ball.swing.max.reset();
    ball.rope = rope;
    ball.body1 = {};
    (void)w.tryAdd(ball);
    JointDef spool = joint(JointType::Spool, {}, body, {0, 1, 0}, {0, 0, 1});
    spool.rope = rope;
    (void)w.tryAdd(spool);
    const ClothDef c = sheet(4, 1, 3);
    refuse<ClothDef>(w, {changed<ClothDef>(c,
                                           [](ClothDef& d) {
                                               d.stretchStiffness = 10;
                                               d.shearStiffness = 0;
                                           }),
                         changed<ClothDef>(c,
                                           [](ClothDef& d) {
                                               d.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
                                               d.triangles = {{0, 1, 2}};
                                           }),
                         changed<ClothDef>(c,
                                           [](ClothDef& d) {
                                               d.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
                                               d.triangles = {{0, 1, 2}};
                                           }),
                         changed<ClothDef>(c,
                                           [](ClothDef& d) {
                                               d.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
                                               d.triangles = {{0, 1, 2}, {3, 1, 2}};
                                           }),
                         changed<ClothDef>(c, [](ClothDef& d) {
                             d.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
                             d.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}};
                         })});
    HairDef h;
    h.roots = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    h.directions = {{0, 1, 0}, {0, 1, 0}};
    (void)w.tryAdd(h);
    WorldDef bad = w.def();
    bad.substeps = 0;
    (void)w.tryConfigure(bad);
    return {};
}

} // namespace

void addRareWorlds(List& list) {
    WorldDef apart, xpbd;
    apart.contact = false;
    xpbd.jointSolver = JointSolver::Xpbd;
    xpbd.contact = false;
    list.push_back({"rare/overflowing", overflowing, {}, 60});
    list.push_back({"rare/overflowing_apart", overflowing, apart, 60});
    list.push_back({"rare/closed_loops", closedLoops, apart, 90});
    list.push_back({"rare/bouncing", bouncing, {}, 120});
    list.push_back({"rare/xpbd_oddities", xpbdOddities, xpbd, 90});
    list.push_back({"rare/packing", packing, apart, 90});
    list.push_back({"rare/shredded", shredded, apart, 90});
    list.push_back({"rare/hair_oddities", hairOddities, {}, 60});
    list.push_back({"rare/refusals", rareRefusals, {}, 60});
}

} // namespace capstan::worlds
