// SPDX-License-Identifier: MIT
// Generated worlds that change while they run: objects are added and removed, settings change, snapshots are
// restored.
#include <worlds/heap.hpp>
#include <worlds/worlds.hpp>

#include <algorithm>
#include <memory>

namespace capstan::worlds {
namespace {

// Adds an object of every kind.
void addEverything(World& w) {
    populateHeap(w);
    ClothDef cloth = sheet(8, 0.6f, 1.2f);
    cloth.origin.x += 0.4f;
    const ClothId attached = w.add(cloth);
    const BodyId carried = w.add(box({0.75f, 1.2f, 0.35f}, 0.2f, {0.1f, 0.1f, 0.1f}));
    w.attach({attached, 80}, {carried, Vec3{0, 0, 0}}).value();
    BodyDef skull;
    skull.name = "head";
    skull.shape = Sphere{0.1f};
    skull.mass = 1;
    skull.position = {-0.8f, 0.5f, 0};
    w.add(skull);
    HairDef hair;
    hair.rootBody = "head";
    hair.roots = {{0, 0.1f, 0}, {0.06f, 0.08f, 0}, {-0.06f, 0.08f, 0}};
    hair.directions = {{0, 1, 0}};
    w.add(hair);
}

PerFrame comingAndGoing(World& w) {
    w.add(floorAt());
    return [](World& world, int frame) {
        const std::uint32_t turn = std::uint32_t(frame) / 12;
        if (frame % 12 == 0) {
            const float x = 0.3f * float(turn % 4), y = 0.5f + 0.02f * float(frame % 7);
            world.add(straight({x - 0.3f, y, 0}, {x + 0.3f, y, 0.1f}, int(12 + turn)));
            const BodyId b = world.add(box({x, y + 0.3f, 0}, 1));
            if (turn % 2) world.attach({world.ids<RopeId>().back(), last}, {b, {-0.1f, 0, 0}}).value();
            if (turn % 3 == 0) world.add(sheet(5, 0.4f, y + 0.6f));
            if (turn % 4 == 1) {
                HairDef hair;
                hair.roots = {{x, 1, 0}};
                hair.directions = {{1, 0, 0}};
                hair.vertices = 12;
                world.add(hair);
            }
        }
        if (frame % 12 == 6 && turn > 2) {
            const std::vector<RopeId> ropes = world.ids<RopeId>();
            const std::vector<BodyId> bodies = world.ids<BodyId>();
            if (turn % 2) world.remove(ropes[turn % ropes.size()]);
            if (turn % 3 == 1 && bodies.size() > 2) world.remove(bodies[1 + turn % (bodies.size() - 1)]);
            if (turn % 5 == 4 && !world.ids<ClothId>().empty()) world.remove(world.ids<ClothId>().front());
            if (turn % 7 == 6 && !world.ids<HairId>().empty()) world.remove(world.ids<HairId>().front());
            if (turn % 4 == 3 && !world.ids<JointId>().empty()) world.remove(world.ids<JointId>().front());
        }
    };
}

// The world is restored twice from one snapshot: after steps only, and after objects were added and removed.
PerFrame restoring(World& w) {
    addEverything(w);
    auto kept = std::make_shared<Snapshot>();
    return [kept](World& world, int frame) {
        if (frame == 20) *kept = world.snapshot();
        if (frame == 50) world.restore(*kept);
        if (frame == 70) {
            world.cut(world.ids<RopeId>()[0], 8);
            world.remove(world.ids<BodyId>()[2]);
            world.add(box({0, 2, 0}));
        }
        if (frame == 90) world.restore(*kept);
        if (frame == 100) world.remove(world.ids<ClothId>()[0]);
    };
}

PerFrame reconfigured(World& w) {
    addEverything(w);
    return [](World& world, int frame) {
        WorldDef d = world.def();
        if (frame == 20) {
            d.substeps = 8;
            d.gravity = {1, -9.81f, 0};
            world.configure(d);
        }
        if (frame == 40) {
            d.minSeparationRatio = 0.6f;
            d.damping = 0.5f;
            world.configure(d);
        }
        if (frame == 60) {
            d.contact = false;
            world.configure(d);
        }
        if (frame == 70) {
            d.contact = true;
            d.substeps = 2;
            d.minSeparationRatio = 0;
            world.configure(d);
        }
        if (frame == 90) {
            d.jointSolver = JointSolver::Xpbd;
            world.configure(d);
        }
    };
}

// Defs with errors are refused. The world stays unchanged.
PerFrame refusals(World& w) {
    addEverything(w);
    return [](World& world, int frame) {
        if (frame != 10 && frame != 30) return;
        RopeDef rope = straight({0, 0, 0}, {0, 0, 0}, 10);
        (void)world.tryAdd(rope);
        rope.to.x = 1;
        rope.radius = -1;
        (void)world.tryAdd(rope);
        rope.radius = 0.01f;
        rope.pins = {99};
        (void)world.tryAdd(rope);
        rope.pins = {};
        rope.loads = {{99, 1}};
        (void)world.tryAdd(rope);
        rope.loads = {};
        rope.clamps = {{5, {1, 0, 0}}};
        (void)world.tryAdd(rope);
        rope.clamps = {{first, {0, 0, 0}}};
        (void)world.tryAdd(rope);
        rope.clamps = {};
        rope.points = {{0, 0, 0}};
        (void)world.tryAdd(rope);
        rope.points = {{0, 0, 0}, {1, 0, 0}};
        rope.closed = true;
        rope.segments = 0;
        (void)world.tryAdd(rope);
        rope = straight({0, 0, 0}, {1, 0, 0}, 10);
        rope.length = 0.5f;
        (void)world.tryAdd(rope);
        rope.length = 0;
        rope.material.restitution = 1;
        (void)world.tryAdd(rope);
        rope.material.restitution = 0;
        rope.to.x = NAN;
        (void)world.tryAdd(rope);

        BodyDef body;
        (void)world.tryAdd(body);
        body.shape = Plane{};
        (void)world.tryAdd(body);
        body.shape = Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
        (void)world.tryAdd(body);
        body.type = BodyType::Static;
        body.shape = Mesh{{{0, 0, 0}, {1, 0, 0}}, {{0, 1, 7}}};
        (void)world.tryAdd(body);
        body.shape = Mesh{{{0, 0, 0}, {1, 0, 0}}, {}};
        (void)world.tryAdd(body);
        body.type = BodyType::Dynamic;
        body.shape = Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}};
        (void)world.tryAdd(body);
        body.shape = Hull{{{0, 0, 0}, {1, 0, 0}}};
        (void)world.tryAdd(body);
        for (ShapeDef s : {ShapeDef(Box{{0, 1, 1}}), ShapeDef(Sphere{0}), ShapeDef(Capsule{0, 1}),
                           ShapeDef(Cylinder{1, 0})}) {
            body.shape = s;
            (void)world.tryAdd(body);
        }
        body = box({0, 0, 0});
        body.inertia = {1, 1, 5};
        (void)world.tryAdd(body);
        body = box({0, 0, 0});
        body.rotation = Quatf{0, 0, 0, 0};
        (void)world.tryAdd(body);
        body = box({0, 0, 0});
        body.material.restitution = 2;
        (void)world.tryAdd(body);

        const BodyId b = world.ids<BodyId>()[3];
        for (int k = 0; k < 10; ++k) {
            JointDef d = joint(JointType(k), {}, {}, {0, 0, 0});
            (void)world.tryAdd(d);
            d.body1 = b;
            d.body0 = b;
            (void)world.tryAdd(d);
            d.body0 = "nobody";
            (void)world.tryAdd(d);
            d.body0 = {};
            d.axis = {0, 0, 0};
            (void)world.tryAdd(d);
            d.axis = {0, 1, 0};
            d.reference = Vec3{0, 2, 0};
            (void)world.tryAdd(d);
            d.reference.reset();
            d.turn.min = 1;
            d.turn.max = -1;
            (void)world.tryAdd(d);
            d.turn.min.reset();
            d.turn.max.reset();
            d.swing.min = 1;
            d.swing.max = -1;
            (void)world.tryAdd(d);
            d.swing.min.reset();
            d.swing.max.reset();
            d.slide.min = 2;
            d.slide.max = 1;
            (void)world.tryAdd(d);
            d.slide.min.reset();
            d.slide.max.reset();
            d.rope = world.ids<RopeId>()[0];
            d.node = 1000;
            (void)world.tryAdd(d);
            d.node = 2;
            d.body0 = world.ids<BodyId>()[2];
            (void)world.tryAdd(d);
            d.body0 = {};
            d.rope = "nobody";
            (void)world.tryAdd(d);
            d.rope = {};
            d.turn.speedMin = 2;
            d.turn.speedMax = 1;
            d.distance.compliance = -1;
            (void)world.tryAdd(d);
        }

        ClothDef cloth = sheet(4, 1, 1);
        cloth.edgeV = cloth.edgeU;
        (void)world.tryAdd(cloth);
        cloth = sheet(4, 1, 1);
        cloth.pins = {99};
        (void)world.tryAdd(cloth);
        cloth = sheet(4, 1, 1);
        cloth.attachments = {{0, "nobody", {}, last}};
        (void)world.tryAdd(cloth);
        cloth.attachments = {{99, b, {}, last}};
        (void)world.tryAdd(cloth);
        cloth.attachments = {{0, {}, {}, last}};
        (void)world.tryAdd(cloth);
        cloth.attachments = {{0, {}, world.ids<RopeId>()[0], 999}};
        (void)world.tryAdd(cloth);
        cloth = sheet(4, 1, 1);
        cloth.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
        (void)world.tryAdd(cloth);
        cloth.triangles = {{0, 1, 9}};
        (void)world.tryAdd(cloth);
        cloth.triangles = {{0, 1, 1}};
        (void)world.tryAdd(cloth);
        cloth.triangles = {{0, 1, 2}, {0, 1, 2}};
        (void)world.tryAdd(cloth);

        HairDef hair;
        (void)world.tryAdd(hair);
        hair.roots = {{0, 0, 0}};
        (void)world.tryAdd(hair);
        hair.directions = {{0, 0, 0}};
        (void)world.tryAdd(hair);
        hair.directions = {{0, 1, 0}};
        hair.rootBody = "nobody";
        (void)world.tryAdd(hair);
        hair.rootBody = "head";
        hair.collides = {"nobody"};
        (void)world.tryAdd(hair);
        hair.collides = {};
        hair.vertices = 1;
        (void)world.tryAdd(hair);
        hair.vertices = 8;
        hair.scalp.strands = 5;
        (void)world.tryAdd(hair);
        hair.roots = {};
        hair.scalp.points = {{0, 0, 0}};
        hair.scalp.triangles = {{0, 1, 2}};
        (void)world.tryAdd(hair);
    };
}

} // namespace

void addLifeWorlds(List& list) {
    list.push_back({"life/coming_and_going", comingAndGoing});
    list.push_back({"life/restoring", restoring, {}, 120});
    list.push_back({"life/reconfigured", reconfigured, {}, 120});
    list.push_back({"life/refusals", refusals, {}, 60});
}

} // namespace capstan::worlds
