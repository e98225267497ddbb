// SPDX-License-Identifier: MIT
// A mechanism: a motor turns a drum, the drum winds up a rope, the rope lifts a crate with a hinged flap.
#include <capstan/capstan.hpp>
#include <cstdio>
using namespace capstan;

int main() {
    World world;
    const Vec3 z = {0, 0, 1};
    BodyId drum = world.add(BodyDef{.shape = Cylinder{0.2f, 0.4f}, .mass = 10, .position = {0, 6, 0}});
    BodyId crate =
        world.add(BodyDef{.shape = Box{{0.5f, 0.5f, 0.5f}}, .mass = 40, .position = {0.2f, 1.75f, 0}});
    BodyId flap = world.add(BodyDef{.shape = Box{{0.5f, 0.02f, 0.5f}}, .mass = 1, .position = {0.7f, 2, 0}});
    RopeId rope = world.add(RopeDef{.from = {0.2f, 6, 0}, .to = {0.2f, 2, 0}, .segments = 40, .mass = 0.2f});

    JointId motor = world.add(JointDef{.type = JointType::Motor,
                                       .body1 = drum,
                                       .anchor = {0, 6, 0},
                                       .axis = z,
                                       .turn = {.speed = 2.5f, .maxForce = 120}});
    world.add(JointDef{.type = JointType::Spool,
                       .body1 = drum,
                       .rope = rope,
                       .node = first,
                       .anchor = {0.2f, 6, 0},
                       .axis = z});
    world.attach({rope, last}, {crate, {0, 0.25f, 0}}).value();
    world.add(JointDef{.type = JointType::Hinge,
                       .body0 = crate,
                       .body1 = flap,
                       .anchor = {0.45f, 2, 0},
                       .axis = z,
                       .turn = {.min = -1.5f}});

    for (int frame = 1; frame <= 300; ++frame) {
        world.step(1.0f / 60);
        if (frame == 240) world.setTarget(motor, 0);
        if (frame % 60 == 0)
            std::printf("%3.0f s  crate at %4.2f m, rope pulls %3.0f N, motor turns with %3.0f N m\n",
                        world.time(), double(world.centerOfMass(crate).y), double(world.tensions(rope)[0]),
                        double(world.jointForces(motor).torque.z));
    }
    std::printf("largest gap of a joint %.6f mm\n", 1000 * double(world.report().maxGap));
}
