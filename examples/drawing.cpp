// SPDX-License-Identifier: MIT
// Drawing in your own engine: a rope as a tube of triangles, and debug lines for everything else.
#include <capstan/capstan.hpp>
#include <capstan/debug_draw.hpp>
#include <capstan/skin/tube.hpp>

#include <cstdio>
#include <vector>

using namespace capstan;

// Each engine implements these three functions. This example only counts the calls.
struct Counter : DebugDraw {
    int lines = 0, points = 0, texts = 0;
    void line(Vec3, Vec3, Vec3) override { ++lines; }
    void point(Vec3, float, Vec3) override { ++points; }
    void text(Vec3, std::string_view, Vec3) override { ++texts; }
};

int main() {
    World world;
    const RopeId rope =
        world.add(RopeDef{.from = {0, 2, 0}, .to = {1, 2, 0}, .segments = 20, .pins = {first}});
    const BodyId bob = world.add(BodyDef{.shape = Sphere{0.1f}, .mass = 1, .position = {1, 1.9f, 0}});
    if (!world.attach(Anchor(rope, last), Anchor(bob, {0, 0.1f, 0}))) return 1;

    FrameMemory memory; // one FrameMemory per rope, kept from frame to frame
    std::vector<Vec3> points;
    std::vector<Quatf> frames;
    SurfaceMesh mesh;
    Counter counter;
    for (int frame = 0; frame < 60; ++frame) {
        world.step(1.0f / 60);
        points.assign(world.positions(rope).begin(), world.positions(rope).end());
        carryFrames(points, false, memory, frames);
        const float radius = world.def(rope).radius;
        makeTube(points, frames, std::span(&radius, 1), false, 8, mesh);
    }
    drawDebug(world, counter, {.jointFrames = true, .contacts = true, .nodes = true});
    std::printf("tube of %zu vertices and %zu triangles; %d lines, %d points, %d words\n",
                mesh.vertices.size(), mesh.triangles.size(), counter.lines, counter.points, counter.texts);
    return mesh.triangles.size() > 0 && counter.lines > 0 ? 0 : 1;
}
