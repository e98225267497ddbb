// SPDX-License-Identifier: MIT
// Hair scenes of capstan_device: strands of 32 vertices, 1 cm apart, on the upper half of a head of radius 10 cm.
#include <bench/device/scenes.hpp>
#include <worlds/workloads.hpp>

namespace capstan::device {

// Returns hair on the upper half of the head.
static HairDef headOf(int strands) {
    HairDef hair = headOfHair(strands, "head", {.top = 0, .span = -1});
    hair.vertices = 32;
    hair.length = 0.31f;
    hair.substeps = 8;
    hair.collides = {"head"};
    return hair;
}

static BodyDef head() {
    BodyDef body;
    body.name = "head";
    body.type = BodyType::Kinematic;
    body.shape = Sphere{0.1f};
    return body;
}

static Scene falling(const char* name, int strands, int frames) {
    WorldDef def;
    def.contact = false;
    return {name,
            def,
            frames,
            strands > 20000  ? 2
            : strands > 2000 ? 1
                             : 0,
            [strands](World& world) {
                world.add(head());
                world.add(headOf(strands));
            },
            {}};
}

// Curly hair of several lengths on a head that nods, in wind, in contact with a box and a capsule.
static Scene curls() {
    Scene scene = falling("hair curly moving", 500, 600);
    scene.build = [](World& world) {
        world.add(head());
        BodyDef box;
        box.name = "box";
        box.type = BodyType::Static;
        box.shape = Box{{0.2f, 0.1f, 0.1f}};
        box.position = {0.12f, -0.15f, 0};
        world.add(box);
        BodyDef neck;
        neck.name = "neck";
        neck.type = BodyType::Static;
        neck.shape = Capsule{0.04f, 0.2f};
        neck.position = {0, -0.2f, 0};
        world.add(neck);
        for (int vertices : {32, 21, 9}) {
            HairDef hair = headOf(500);
            hair.vertices = vertices;
            hair.shape = vertices == 9 ? HairShape::Wavy : HairShape::Curly;
            hair.collides = {"head", "box", "neck"};
            hair.wind = {1, 0, 0.5f};
            hair.bendStiffness = 4e-8f;
            world.add(hair);
        }
    };
    scene.act = [](World& world, int frame) {
        const float nod[8] = {0, 0.02f, 0.03f, 0.02f, 0, -0.02f, -0.03f, -0.02f};
        Transform at;
        at.position = {nod[frame / 4 % 8], 0.5f * nod[(frame / 4 + 3) % 8], 0};
        world.moveTo(world.find<BodyId>("head"), at);
    };
    return scene;
}

std::vector<Scene> hairScenes() {
    return {falling("hair 10k x 32 x 8", 10000, 600), curls(), falling("hair 100k x 32 x 8", 100000, 600),
            falling("hair 1M x 32 x 8", 1000000, 120)};
}

} // namespace capstan::device
