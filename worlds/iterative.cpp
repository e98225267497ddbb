// SPDX-License-Identifier: MIT
// Generated worlds of ropes with iterative solvers: Gauss-Seidel, Jacobi, tethers.
#include <worlds/parts.hpp>
#include <worlds/worlds.hpp>

namespace capstan::worlds {
namespace {

PerFrame iterative(World& w, Solver solver, bool tethers, bool ground) {
    if (ground) w.add(floorAt());
    for (int k = 0; k < 9; ++k) {
        RopeDef d = straight({0, 1.2f, 0.2f * float(k)}, {1, 1.2f, 0.2f * float(k)}, 12 + 3 * k);
        d.solver = solver;
        d.iterations = 1 + 4 * k;
        d.tethers = tethers;
        d.pins = k % 3 == 2 ? std::vector<int>{first, last} : std::vector<int>{first};
        if (k % 2) d.stretchStiffness = 2000;
        if (k % 4 >= 2) d.bendStiffness = 0.005f;
        if (k == 4) d.maxBend = 0.3f;
        if (k == 5) d.damping = 1;
        if (k == 6) d.loads = {{last, 2}};
        w.add(d);
    }
    RopeDef loop = ring({0.5f, 0.8f, 3}, {1, 0, 0}, {0, 1, 0}, 0.3f, 31);
    loop.solver = solver;
    loop.iterations = 10;
    loop.pins = {4};
    loop.tethers = tethers;
    const RopeId ringed = w.add(loop);
    return [ringed](World& world, int frame) {
        if (frame == 30) {
            world.cut(ringed, 20);
            world.cut(world.ids<RopeId>()[0], 6);
        }
        if (frame == 40) world.setWinchSpeed(world.ids<RopeId>()[2], last, 0.3f);
        if (frame % 10 == 0) world.applyImpulse({world.ids<RopeId>()[1], last}, {0, 0.05f, 0.02f});
    };
}

} // namespace

void addIterativeWorlds(List& list) {
    WorldDef apart;
    apart.contact = false;
    apart.substeps = 8;
    const auto make = [](Solver solver, bool tethers, bool ground) {
        return [=](World& w) { return iterative(w, solver, tethers, ground); };
    };
    list.push_back({"iterative/gauss_seidel", make(Solver::GaussSeidel, false, false), apart});
    list.push_back({"iterative/gauss_seidel_tethers", make(Solver::GaussSeidel, true, false), apart});
    list.push_back({"iterative/jacobi", make(Solver::Jacobi, false, false), apart});
    list.push_back({"iterative/jacobi_tethers", make(Solver::Jacobi, true, false), apart});
    list.push_back({"iterative/touching", make(Solver::GaussSeidel, false, true)});
}

} // namespace capstan::worlds
