// SPDX-License-Identifier: MIT
// A Def describes an object before it is made. It is plain data with defaults. Units are SI, angles are in radians, and
// y points up. fields() gives the unit and range of each field.
//
// WorldDef and RopeDef are in this file. Bodies are in body_def.hpp, joints in joint_def.hpp, cloth in cloth_def.hpp
// and hair in hair_def.hpp.
#pragma once

#include <capstan/api.hpp>
#include <capstan/body_def.hpp>
#include <capstan/cloth_def.hpp>
#include <capstan/contact_def.hpp>
#include <capstan/field.hpp>
#include <capstan/hair_def.hpp>
#include <capstan/id.hpp>
#include <capstan/joint_def.hpp>
#include <capstan/math/vec.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace capstan {

enum class Backend { Scalar, Simd, Cuda, Best }; // all give the same bits at different speeds
// Solver of a rope. Chain is a direct solve by elimination along the rope. GaussSeidel and Jacobi iterate over
// constraints.
enum class Solver { Chain, GaussSeidel, Jacobi };
enum class JointSolver { Tree, Xpbd }; // direct elimination over the joint tree, or joint by joint

// A step runs on the World's own threads (WorldDef::threads), on a pool that several Worlds share (WorldDef::pool),
// or on the program's own job system (WorldDef::tasks). All three choices give the same bits.

// A program's own job system. World::step calls parallelFor from the thread that called step(), with count <=
// workers. parallelFor must call task(data, 0) ... task(data, count - 1) once each, in any order and on any threads.
// It returns when all tasks have finished.
struct TaskSystem {
    void* context = nullptr; // passed to parallelFor unchanged
    int workers = 1;         // number of tasks that may run at once, 1 to 256
    void (*parallelFor)(void* context, int count, void (*task)(void* data, int index), void* data) = nullptr;
};

// Worker threads that several Worlds share. The Worlds may be stepped one after the other, or at the same time by
// several threads of the program. If the pool is busy, a World runs its step on the thread that called step() alone.
class ThreadPool;
CAPSTAN_API std::shared_ptr<ThreadPool>
makeThreadPool(int threads); // 1 to 256, counting the thread that steps

struct WorldDef {
    Vec3 gravity = {0, -9.81f, 0};
    int substeps = 4;
    float minSeparationRatio = 0;
    float damping = 0;
    bool contact = true;
    JointSolver jointSolver = JointSolver::Tree;
    Backend backend = Backend::Simd;
    int threads = 1;
    float deviceMemory = 0;
    TaskSystem tasks = {};                 // job system of the program; replaces `threads`
    std::shared_ptr<ThreadPool> pool = {}; // pool shared by several Worlds; replaces `threads`
};

template <DefOf<WorldDef> D, class V> void fields(D& d, V&& visit) {
    visit("gravity", d.gravity, any("m/s^2", "acceleration of all objects that are not pinned"));
    visit("substeps", d.substeps,
          within(1, 1000, "", "number of substeps in a step; more are more exact and cost more time"));
    visit("minSeparationRatio", d.minSeparationRatio,
          within(0, 0.95, "",
                 "least distance of a rope to another, to itself or to a shape, as a ratio to the distance "
                 "at which the surfaces touch. A value below 0.2 is read as 0.2"));
    visit("damping", d.damping, atLeast(0, "1/s", "rate at which the velocities of all objects decay"));
    visit("contact", d.contact,
          any("", "whether ropes and bodies touch; false: all objects pass through each other"));
    visit("jointSolver", d.jointSolver,
          any("", "solver of joints. tree: all joints of a mechanism are solved together; xpbd: joint by "
                  "joint, which needs many substeps. A mechanism with a rope always uses tree"));
    visit("backend", d.backend,
          any("", "backend: scalar, simd, cuda, or best (cuda where there is a GPU, else simd); all give the "
                  "same bits"));
    visit("threads", d.threads,
          within(1, 256, "", "number of worker threads; any number gives the same bits"));
    visit("deviceMemory", d.deviceMemory,
          atLeast(0, "GB", "cuda: most memory of the GPU that this world may use; 0: no limit"));
}

// LoadDef adds mass to a node, as a weight that hangs there does.
struct LoadDef {
    int node = last;
    float mass = 0;
};

template <DefOf<LoadDef> D, class V> void fields(D& d, V&& visit) {
    visit("node", d.node,
          any("", "index of the node that carries the load; a negative index counts from the last node"));
    visit("mass", d.mass, atLeast(0, "kg", "mass that is added to the node"));
}

// ClampDef fixes the position of an end node and the direction of the rope there, as if the end were cast in a wall.
struct ClampDef {
    int node = first;
    Vec3 direction = {1, 0, 0};
};

template <DefOf<ClampDef> D, class V> void fields(D& d, V&& visit) {
    visit("node", d.node, any("", "end that is clamped: 0 (first end) or -1 (last end)"));
    visit("direction", d.direction, any("", "direction of the rope as it leaves the wall"));
}

struct RopeDef {
    std::string name = {};
    Vec3 from = {0, 0, 0};
    Vec3 to = {0, 0, 0};
    std::vector<Vec3> points = {};
    int segments = 32;
    float length = 0;
    bool closed = false;
    float radius = 0.005f;
    float mass = 0;
    float density = 1100;
    float stretchStiffness = 0;
    float bendStiffness = 0;
    float maxBend = 0;
    float damping = 0;
    float breakTension = 0;
    MaterialDef material = {.friction = 0.3f};
    FilterDef filter = {};
    bool selfContact = true;
    Vec3 velocity = {0, 0, 0};
    std::vector<int> pins = {};
    std::vector<LoadDef> loads = {};
    std::vector<ClampDef> clamps = {};
    Solver solver = Solver::Chain;
    int iterations = 1;
    bool tethers = false;
    std::uint64_t userData = 0;
};

template <DefOf<RopeDef> D, class V> void fields(D& d, V&& visit) {
    visit("name", d.name, any("", "name by which other parts of the scene refer to the rope"));
    visit("from", d.from, any("m", "position of the first end, when no points are given"));
    visit("to", d.to, any("m", "position of the last end, when no points are given"));
    visit("points", d.points, any("m", "path of two or more points, in place of from and to"));
    visit("segments", d.segments,
          within(0, 1e6, "",
                 "number of equal segments along the path; 0: the points themselves are the nodes"));
    visit("length", d.length,
          atLeast(0, "m", "rest length; 0: the length of the path; a longer rope is laid as a sagging arc"));
    visit("closed", d.closed, any("", "whether one more segment joins the last node to the first"));
    visit("radius", d.radius, above(0, "m", "radius of the rope"));
    visit("mass", d.mass, atLeast(0, "kg", "mass of the whole rope; 0: computed from density"));
    visit("density", d.density, above(0, "kg/m^3", "density of the rope; used when mass is 0"));
    visit("stretchStiffness", d.stretchStiffness,
          atLeast(0, "N", "EA: force per unit strain; 0: the rope does not stretch"));
    visit("bendStiffness", d.bendStiffness,
          atLeast(0, "N m^2", "EI: moment per unit curvature; 0: the rope is limp"));
    visit("maxBend", d.maxBend,
          within(0, 3.14159265, "rad", "soft limit of the angle between neighbouring segments; 0: no limit"));
    visit("damping", d.damping,
          atLeast(0, "1/s", "rate at which velocity decays, independent of the time step"));
    visit("breakTension", d.breakTension,
          atLeast(0, "N", "tension at which the rope breaks; 0: the rope never breaks"));
    visit("material", d.material, any("", "material of the rope's surface; a rope has no restitution"));
    visit("filter", d.filter, any("", "filter that decides which objects the rope may touch"));
    visit("selfContact", d.selfContact, any("", "whether the rope touches itself"));
    visit("velocity", d.velocity, any("m/s", "velocity of all nodes at the start"));
    visit("pins", d.pins,
          any("", "indices of nodes that are held in place; a negative index counts from the last node"));
    visit("loads", d.loads, any("", "masses that hang on nodes"));
    visit("clamps", d.clamps, any("", "ends that are held in place and direction"));
    visit("solver", d.solver, any("", "solver of the rope: chain, gaussSeidel or jacobi"));
    visit("iterations", d.iterations, within(1, 1000, "", "gaussSeidel and jacobi: iterations per substep"));
    visit("tethers", d.tethers,
          any("", "gaussSeidel and jacobi: whether the rope between a node and a pin limits their distance"));
    visit("userData", d.userData,
          any("", "number for the program's own use; Capstan stores it and returns it"));
}

} // namespace capstan
