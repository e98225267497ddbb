// SPDX-License-Identifier: MIT
// Generated worlds of hair: styles, lengths, heads that turn, all shapes of colliders, wind, levels of
// detail.
#include <worlds/parts.hpp>
#include <worlds/worlds.hpp>

namespace capstan::worlds {
namespace {

PerFrame shapes(World& w) {
    const HairShape kinds[] = {HairShape::Straight, HairShape::Wavy, HairShape::Curly};
    for (int k = 0; k < 9; ++k) {
        HairDef d;
        for (int i = 0; i < 3 + 2 * k; ++i) d.roots.push_back({float(k), 0.01f * float(i), 0});
        d.directions = {{1, 0.3f, 0.1f * float(k)}};
        d.shape = kinds[k % 3];
        d.vertices = 2 + 4 * k - (k > 7 ? 2 : 0);
        d.substeps = 4 + k;
        if (k > 5) d.bendStiffness = 0;
        if (k == 4) d.bendStiffness = 1e-6f;
        if (k % 2) {
            d.wind = {0, 0, 3};
            d.windResponse = 2;
        }
        w.add(d);
    }
    return [](World& world, int frame) {
        const std::vector<HairId> h = world.ids<HairId>();
        world.moveTo(h[0], {{0.1f * narrow(std::sin(0.1 * frame)), 0, 0}});
        if (frame == 30) world.setWind(h[1], {5, 0, 0});
        if (frame == 40) {
            HairDef changed = world.def(h[2]);
            changed.bendStiffness = 1e-7f;
            changed.damping = 3;
            (void)world.update(h[2], changed);
        }
        if (frame == 60) world.remove(h[3]);
    };
}

PerFrame turningHead(World& w, bool detail) {
    BodyDef skull;
    skull.name = "head";
    skull.type = BodyType::Kinematic;
    skull.shape = Sphere{0.0995f};
    const BodyId head = w.add(skull);
    BodyDef body;
    body.name = "trunk";
    body.type = BodyType::Static;
    body.shape = Capsule{0.15f, 0.3f};
    body.position = {0, -0.5f, 0};
    body.parts = {ShapeDef(Box{{0.5f, 0.1f, 0.1f}}).at({0, 0.2f, 0}),
                  ShapeDef(Cylinder{0.1f, 0.2f}).at({0.2f, 0.2f, 0}),
                  ShapeDef(Hull{{{-0.3f, 0, 0}, {-0.2f, 0, 0.1f}, {-0.2f, 0, -0.1f}, {-0.2f, 0.3f, 0}}})};
    w.add(body);
    BodyDef ground = floorAt(-0.9f);
    ground.name = "ground";
    w.add(ground);
    HairDef d = headOfHair(detail ? 200 : 40, "head", {.turn = 2.4});
    d.collides = {"head", "trunk", "ground"};
    if (detail) {
        d.lod.levels = 3;
        d.lod.distance = 2;
        d.lod.blend = 0.3f;
        d.shape = HairShape::Curly;
    }
    w.add(d);
    if (detail) {
        HairDef few = headOfHair(64, "head", {.turn = 2.4});
        few.lod.levels = 2;
        few.lod.budget = 700;
        few.vertices = 16;
        w.add(few);
    }
    return [=](World& world, int frame) {
        const float yaw = 0.8f * narrow(std::sin(0.05 * frame));
        world.moveTo(head,
                     {{0.02f * narrow(std::sin(0.1 * frame)), 0, 0}, Quatf::fromAxisAngle({0, 1, 0}, yaw)});
        if (detail) world.setViewpoint({0, 0, 1 + 0.06f * float(frame < 90 ? frame : 180 - frame)});
    };
}

PerFrame scalp(World& w) {
    BodyDef skull;
    skull.name = "head";
    skull.shape = Sphere{0.1f};
    skull.mass = 3;
    skull.position = {0, 1, 0};
    const BodyId head = w.add(skull);
    w.add(joint(JointType::Hinge, {}, head, {0, 1.3f, 0}, {0, 0, 1}));
    HairDef d;
    d.rootBody = "head";
    d.shape = HairShape::Wavy;
    d.vertices = 20;
    d.scalp.points = {{0.08f, 0.07f, 0}, {-0.04f, 0.07f, 0.07f}, {-0.04f, 0.07f, -0.07f}, {0, 0.11f, 0}};
    d.scalp.triangles = {{0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    d.scalp.strands = 60;
    w.add(d);
    w.setVelocity(head, {1, 0, 0});
    return {};
}

} // namespace

void addHairWorlds(List& list) {
    list.push_back({"hair/shapes", shapes, {}, 120});
    list.push_back({"hair/turning_head", [](World& w) { return turningHead(w, false); }, {}, 120});
    list.push_back({"hair/levels_of_detail", [](World& w) { return turningHead(w, true); }});
    list.push_back({"hair/scalp", scalp, {}, 120});
}

} // namespace capstan::worlds
