// SPDX-License-Identifier: MIT
// Generated worlds of ropes in contact: heaps, knots, linked rings, turns around poles, moved pins, small
// separations.
#include <worlds/heap.hpp>
#include <worlds/leashes.hpp>
#include <worlds/worlds.hpp>

#include <capstan/leash/walk.hpp>

#include <memory>

namespace capstan::worlds {
namespace {

PerFrame mixed(World& w) {
    const Heap heap = populateHeap(w);
    return [heap](World& world, int frame) {
        world.moveTo(heap.kinematic, {{0.6f - 0.4f * narrow(std::sin(frame * 0.05)), 0.4f, 0}});
    };
}

PerFrame snapping(World& w) {
    const SnapInHeap all(w);
    return [all](World& world, int frame) {
        all.knot.draw(world, frame);
        world.moveTo(all.heap.kinematic, {{0.6f - 0.4f * narrow(std::sin(frame * 0.05)), 0.4f, 0}});
    };
}

PerFrame heap(World& w, int count) {
    w.add(floorAt());
    Random random(7);
    for (int k = 0; k < count; ++k) {
        const Vec3 at = {random.number(-0.1, 0.1), 0.03f + 0.025f * float(k), random.number(-0.1, 0.1)};
        const float a = random.number(0, kPi);
        const Vec3 half = 0.2f * Vec3{narrow(std::cos(double(a))), 0, narrow(std::sin(double(a)))};
        RopeDef d = straight(at - half, at + half, 20, 0.008f);
        d.damping = 1;
        d.material.friction = random.number(0, 1);
        d.material.staticFriction = k % 2 ? 1.2f : 0;
        if (k % 3 == 1) d.bendStiffness = 2e-4f;
        if (k % 4 == 2) d.stretchStiffness = 1e5f;
        w.add(d);
    }
    return {};
}

// An overhand knot that is half tightened: a trefoil curve, cut open. Its ends are pulled apart.
PerFrame knot(World& w) {
    RopeDef d;
    d.radius = 0.005f;
    d.segments = 90;
    d.damping = 1;
    d.bendStiffness = 1e-4f;
    for (int k = 0; k <= 300; ++k) {
        const double a = kPi / 3 + 0.25 + (2 * kPi - 0.5) * k / 300;
        d.points.push_back(narrow(0.03 * Vec3d{std::sin(a) + 2 * std::sin(2 * a),
                                               std::cos(a) - 2 * std::cos(2 * a), -std::sin(3 * a)}));
    }
    const RopeId rope = w.add(d);
    const Vec3 apart = normalize(Vec3(w.positions(rope).back()) - Vec3(w.positions(rope).front()));
    return [rope, apart](World& world, int frame) {
        const Vec3 pull = 0.02f * float(std::min(frame, 60)) * apart;
        world.applyForce({rope, first}, -pull);
        world.applyForce({rope, last}, pull);
    };
}

PerFrame linkedRings(World& w) {
    w.add(floorAt());
    for (int k = 0; k < 4; ++k) {
        const Vec3 e = k % 2 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
        RopeDef d = ring({0.15f * float(k), 0.5f, 0}, {1, 0, 0}, e, 0.1f, 28, 0.008f);
        if (k == 0) d.pins = {14};
        if (k == 3) d.stretchStiffness = 2e4f;
        w.add(d);
    }
    return [](World& world, int frame) {
        if (frame == 60) world.applyImpulse({world.ids<RopeId>()[3], 0}, {0.3f, 0.1f, 0.2f});
        if (frame == 100) world.cut(world.ids<RopeId>()[1], 3);
    };
}

// Ropes over a pole. The first rests, the second slips, the third is stiff, the fourth has a moved pin. The fifth
// carries loads on both ends.
PerFrame poles(World& w) {
    w.add(poleAlongZ({0, 1, 0}, 0.1f, 3, 0.4f));
    for (int k = 0; k < 5; ++k) {
        RopeDef d = over(1, 0.1f, 0.5f, k == 1 ? 0.8f : 0.5f, 50, 0.01f);
        for (Vec3& p : d.points) p.z = -1 + 0.4f * float(k);
        if (k == 2) d.bendStiffness = 0.003f;
        if (k == 3) {
            d.pins = {first};
            d.material.friction = 0.05f;
        }
        if (k == 4) {
            d.loads = {{last, 1}, {first, 0.9f}};
            d.stretchStiffness = 1e4f;
            d.material.staticFriction = 0.6f;
        }
        w.add(d);
    }
    return [](World& world, int frame) {
        const RopeId led = world.ids<RopeId>()[3];
        world.pin({led, first}, {-0.11f, 0.5f + 0.3f * narrow(std::sin(0.06 * frame)), 0.2f});
    };
}

// Ropes are thrown across other ropes. In one frame they move by more than their thickness.
PerFrame thrown(World& w) {
    Random random(3);
    for (int k = 0; k < 4; ++k) {
        const float z = 2.0f * float(k);
        RopeDef still = straight({-0.5f, 0, z}, {0.5f, 0, z}, 40, 0.005f);
        still.pins = {first, last};
        w.add(still);
        RopeDef quick =
            straight({0.02f, 0.2f, z - 0.5f}, {random.number(-0.2, 0.2), 0.2f, z + 0.5f}, 40, 0.005f);
        quick.velocity = {0, -3.0f * narrow(std::pow(4.0, k)), 0};
        if (k == 2) quick.bendStiffness = 1e-3f;
        w.add(quick);
    }
    return {};
}

// Moved pins pull ropes to positions that other ropes occupy, and then stop.
PerFrame hands(World& w) {
    for (int k = 0; k < 3; ++k) {
        const float a = narrow(kPi) * float(k) / 3;
        const Vec3 e = 0.5f * Vec3{narrow(std::cos(double(a))), 0, narrow(std::sin(double(a)))};
        const Vec3 up = {0, 1 + 0.1f * float(k), 0};
        RopeDef d = straight(up - e, up + e, 30, 0.008f);
        d.pins = {first, last};
        d.length = 1.1f;
        w.add(d);
    }
    return [](World& world, int frame) {
        const std::vector<RopeId> ropes = world.ids<RopeId>();
        for (std::size_t k = 0; k < ropes.size(); ++k) {
            const double a = kPi * double(k) / 3 + 0.02 * std::min(frame, 120) * double(k);
            const Vec3 e = narrow(0.5 * Vec3d{std::cos(a), 0, std::sin(a)});
            const Vec3 up = {0, 1 + 0.1f * float(k) - 0.2f * float(k) * narrow(std::sin(0.04 * frame)), 0};
            world.pin({ropes[k], first}, up - e);
            world.pin({ropes[k], last}, up + e);
        }
    };
}

// Objects that overlap at the start, stiff rods that overlap each other, and a rope inside a wedge of triangles.
PerFrame embedded(World& w) {
    w.add(floorAt());
    w.add(poleAlongZ({0, 0.3f, 0}, 0.1f, 1, 0.3f));
    w.add(straight({-0.5f, 0.32f, 0}, {0.5f, 0.32f, 0.1f}, 30));
    w.add(straight({-0.4f, 0.002f, -0.2f}, {0.4f, -0.02f, 0.3f}, 30));
    w.add(straight({-0.3f, 0.001f, 0.2f}, {0.4f, 0.004f, -0.2f}, 30));
    RopeDef rod = straight({-0.3f, 0.6f, 0.3f}, {0.3f, 0.6f, 0.3f}, 30);
    rod.bendStiffness = 3;
    w.add(rod);
    rod.from.z = rod.to.z = 0.29f;
    rod.bendStiffness = 0.5f;
    w.add(rod);
    BodyDef wedge;
    wedge.type = BodyType::Static;
    wedge.shape = Mesh{{{-0.5f, 0.1f, 0.2f}, {0.5f, 0.1f, 0.2f}, {0, 0.4f, 0.5f}, {0, 0.1f, 0.8f}},
                       {{0, 1, 2}, {1, 3, 2}, {3, 0, 2}}};
    w.add(wedge);
    w.add(straight({-0.3f, 0.2f, 0.5f}, {0.3f, 0.2f, 0.5f}, 24));
    return {};
}

// Bodies hang on ropes that lie over other ropes and poles.
PerFrame loaded(World& w) {
    w.add(floorAt());
    w.add(poleAlongZ({0, 1.2f, 0}, 0.08f, 1, 0.2f));
    const RopeId rope = w.add(over(1.2f, 0.08f, 0.4f, 0.6f, 50, 0.01f));
    w.attach({rope, first}, {w.add(box({-0.09f, 0.7f, 0}, 2)), {0, 0.1f, 0}}).value();
    w.attach({rope, last}, {w.add(box({0.09f, 0.5f, 0}, 3)), {0, 0.1f, 0}}).value();
    RopeDef line = straight({-1, 1.6f, 0.3f}, {1, 1.6f, 0.3f}, 40);
    line.pins = {first, last};
    w.add(line);
    RopeDef sling = over(1.6f, 0.01f, 0.3f, 0.3f, 40, 0.01f);
    for (Vec3& p : sling.points) {
        p.z = 0.3f;
        p.y += 0.02f;
    }
    const RopeId hung = w.add(sling);
    w.attach({hung, first}, {w.add(box({-0.02f, 1.1f, 0.3f}, 1, {0.1f, 0.1f, 0.1f})), {0, 0.05f, 0}}).value();
    w.attach({hung, 20}, {w.add(box({0.3f, 1.7f, 0.3f}, 0.2f, {0.1f, 0.1f, 0.1f})), {0, 0, 0}}).value();
    return {};
}

PerFrame leashes(World& w) {
    const LeashDef def = dogsOf({Temperament::Wander, Temperament::Pull, Temperament::Avoid}, 5);
    auto walk = std::make_shared<LeashWalk>(LeashWalk::start(w, def).value());
    return [walk](World& world, int frame) {
        if (frame > 0) walk->look(world, kFrame);
        if (frame == 120) (void)walk->untangle();
        walk->drive(world, kFrame);
    };
}

} // namespace

void addHeapWorlds(List& list) {
    WorldDef near, nearer, loose;
    near.minSeparationRatio = 0.5f;
    nearer.minSeparationRatio = 0.9f;
    loose.gravity = kNoGravity;
    list.push_back({"heap/mixed", mixed});
    list.push_back({"heap/mixed_near", mixed, near});
    list.push_back({"heap/snapping", snapping, {}, 60});
    list.push_back({"heap/snapping_near", snapping, nearer, 60});
    list.push_back({"heap/ropes", [](World& w) { return heap(w, 16); }});
    list.push_back({"heap/knot", knot, loose});
    list.push_back({"heap/knot_near", knot, [&] {
                        loose.minSeparationRatio = 0.9f;
                        return loose;
                    }()});
    list.push_back({"heap/linked_rings", linkedRings});
    list.push_back({"heap/poles", poles});
    list.push_back({"heap/thrown", thrown, weightless(), 90});
    list.push_back({"heap/hands", hands});
    list.push_back({"heap/embedded", embedded});
    list.push_back({"heap/loaded", loaded});
    list.push_back({"heap/leashes", leashes, {}, 240});
}

} // namespace capstan::worlds
