// SPDX-License-Identifier: MIT
// Cloth: square sheets of 5 cm cells, released level and held at two corners.
#include <bench/device/scenes.hpp>

namespace capstan::device {

static Scene sheet(const char* name, int side, ClothSolver solver, int iterations, int frames,
                   float bend = 0) {
    WorldDef def;
    def.contact = false, def.substeps = 8;
    ClothDef cloth;
    cloth.cellsU = cloth.cellsV = side - 1;
    const float edge = 0.05f * float(side - 1);
    cloth.edgeU = {edge, 0, 0}, cloth.edgeV = {0, 0, edge};
    cloth.pins = {0, side - 1};
    cloth.solver = solver, cloth.iterations = iterations, cloth.bendStiffness = bend;
    return {name, def, frames, side > 200 ? 2 : 0, [cloth](World& world) { world.add(cloth); }, {}};
}

// Wind, and pins that move.
static Scene flag() {
    Scene scene = sheet("cloth flag in wind", 40, ClothSolver::Jacobi, 1, 600, 1e-5f);
    scene.build = [](World& world) {
        ClothDef cloth;
        cloth.edgeU = {1.5f, 0, 0}, cloth.edgeV = {0, -1, 0}, cloth.cellsU = 39, cloth.cellsV = 29;
        cloth.pins = {0, 29 * 40}, cloth.wind = {6, 0, 1}, cloth.drag = 1.2f, cloth.bendStiffness = 1e-5f;
        cloth.solver = ClothSolver::Jacobi, cloth.stretchStiffness = 500, cloth.shearStiffness = 50,
        cloth.damping = 0.2f;
        world.add(cloth);
    };
    scene.act = [](World& world, int frame) {
        const float swing[4] = {0, 0.1f, 0, -0.1f};
        world.pin(world.cloths()[0], 0, {0, swing[frame / 20 % 4], swing[frame / 25 % 4]});
    };
    return scene;
}

std::vector<Scene> clothScenes() {
    return {sheet("cloth 1k jacobi 8x2", 32, ClothSolver::Jacobi, 2, 600),
            sheet("cloth 1k jacobi bend", 32, ClothSolver::Jacobi, 2, 600, 1e-4f),
            sheet("cloth 1k colours 8x1", 32, ClothSolver::GaussSeidel, 1, 600),
            flag(),
            sheet("cloth 16k jacobi 8x1", 128, ClothSolver::Jacobi, 1, 600),
            sheet("cloth 16k colours 8x1", 128, ClothSolver::GaussSeidel, 1, 600),
            sheet("cloth 1M jacobi 8x1", 1024, ClothSolver::Jacobi, 1, 60)};
}

} // namespace capstan::device
