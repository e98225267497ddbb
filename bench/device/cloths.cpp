// SPDX-License-Identifier: MIT
// Cloth scenes of capstan_device: square sheets of 5 cm cells, released from the horizontal and pinned at two
// corners.
#include <bench/device/scenes.hpp>
#include <worlds/workloads.hpp>

namespace capstan::device {

static Scene sheet(const char* name, int side, ClothSolver solver, int iterations, int frames,
                   float bend = 0) {
    WorldDef def;
    def.contact = false;
    def.substeps = 8;
    ClothDef cloth = hungSheet(side);
    cloth.solver = solver;
    cloth.iterations = iterations;
    cloth.bendStiffness = bend;
    return {name, def, frames, side > 200 ? 2 : 0, [cloth](World& world) { world.add(cloth); }, {}};
}

// A flag in wind on a mast that moves to and fro: one whole edge is pinned.
static Scene flag() {
    constexpr int across = 40, down = 30;
    Scene scene = sheet("cloth flag in wind", 40, ClothSolver::Jacobi, 1, 600, 1e-5f);
    scene.build = [](World& world) {
        ClothDef cloth;
        cloth.edgeU = {1.5f, 0, 0};
        cloth.edgeV = {0, -1, 0};
        cloth.cellsU = across - 1;
        cloth.cellsV = down - 1;
        for (int j = 0; j < down; ++j) cloth.pins.push_back(j * across);
        cloth.wind = {6, 0, 1};
        cloth.drag = 1.2f;
        cloth.bendStiffness = 1e-5f;
        cloth.solver = ClothSolver::Jacobi;
        cloth.iterations = 4;
        cloth.damping = 0.2f;
        world.add(cloth);
    };
    scene.act = [](World& world, int frame) {
        const int phase = frame % 160; // frames; the mast moves there and back, at 0.15 m/s
        const float swing = 0.0025f * float(phase < 80 ? phase : 160 - phase);
        for (int j = 0; j < down; ++j)
            world.pin({world.ids<ClothId>()[0], j * across}, {0, -float(j) / (down - 1), swing});
    };
    return scene;
}

std::vector<Scene> clothScenes() {
    return {sheet("cloth 1k jacobi 8x2", 32, ClothSolver::Jacobi, 2, 600),
            sheet("cloth 1k jacobi bend", 32, ClothSolver::Jacobi, 2, 600, 1e-4f),
            sheet("cloth 2k jacobi 8x2", 45, ClothSolver::Jacobi, 2, 600),
            sheet("cloth 1k colours 8x1", 32, ClothSolver::GaussSeidel, 1, 600),
            flag(),
            sheet("cloth 16k jacobi 8x1", 128, ClothSolver::Jacobi, 1, 600),
            sheet("cloth 16k colours 8x1", 128, ClothSolver::GaussSeidel, 1, 600),
            sheet("cloth 1M jacobi 8x1", 1024, ClothSolver::Jacobi, 1, 60)};
}

} // namespace capstan::device
