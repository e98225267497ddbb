// SPDX-License-Identifier: MIT
// ClothDef describes a sheet of cloth, from a grid or from a triangle mesh.
// Units are SI, and y points up. fields() gives the unit of each field.
//
// The grid or mesh is the rest shape of the cloth. The cloth starts there without strain.
#pragma once

#include <capstan/contact_def.hpp>
#include <capstan/field.hpp>
#include <capstan/joint_def.hpp>
#include <capstan/math/vec.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace capstan {

enum class ClothSolver { GaussSeidel, Jacobi };

// AttachmentDef ties a vertex to a body or to a node of a rope. The vertex keeps its starting place relative to that
// body or node.
struct AttachmentDef {
    int vertex = 0;
    BodyRef body = {};
    RopeRef rope = {};
    int node = last;
};

template <DefOf<AttachmentDef> D, class V> void fields(D& d, V&& visit) {
    visit("vertex", d.vertex, any("", "which vertex; negative counts from the last"));
    visit("body", d.body, any("", "name of the body it goes with"));
    visit("rope", d.rope, any("", "or name of a rope"));
    visit("node", d.node, any("", "which node of the rope; negative counts from the last end"));
}

struct ClothDef {
    std::string name = {};
    Vec3 origin = {0, 0, 0};
    Vec3 edgeU = {1, 0, 0};
    Vec3 edgeV = {0, 0, 1};
    int cellsU = 16;
    int cellsV = 16;
    std::vector<Vec3> points = {};
    std::vector<std::array<int, 3>> triangles = {};
    float mass = 0;
    float density = 0.2f;
    float stretchStiffness = 0;
    float shearStiffness = 0;
    float bendStiffness = 0;
    float thickness = 0.004f;
    float damping = 0;
    MaterialDef material = {.friction = 0.3f};
    FilterDef filter = {};
    Vec3 wind = {0, 0, 0};
    float drag = 0;
    float tearStrain = 0;
    bool selfContact = true;
    Vec3 velocity = {0, 0, 0};
    std::vector<int> pins = {};
    std::vector<AttachmentDef> attachments = {};
    ClothSolver solver = ClothSolver::GaussSeidel;
    int iterations = 1;
    int tethers = 2;
    std::uint64_t userData = 0;
};

template <DefOf<ClothDef> D, class V> void fields(D& d, V&& visit) {
    visit("name", d.name, any("", "what other parts of the scene call it"));
    visit("origin", d.origin, any("m", "grid: its first corner, vertex 0"));
    visit("edgeU", d.edgeU, any("m", "grid: from the first corner to the next, along the rows of vertices"));
    visit("edgeV", d.edgeV, any("m", "grid: the other edge at the first corner"));
    visit("cellsU", d.cellsU,
          within(1, 4096, "", "grid: cells along edgeU; vertex i of row j is j (cellsU + 1) + i"));
    visit("cellsV", d.cellsV, within(1, 4096, "", "grid: cells along edgeV"));
    visit("points", d.points, any("m", "mesh: its vertices, in place of the grid"));
    visit("triangles", d.triangles, any("", "mesh: three numbers of points each, counted from 0"));
    visit("mass", d.mass, atLeast(0, "kg", "mass of the whole cloth; 0 takes it from density"));
    visit("density", d.density, above(0, "kg/m^2", "per area; used when mass is 0"));
    visit("stretchStiffness", d.stretchStiffness,
          atLeast(0, "N/m", "force per width and unit strain; 0 does not stretch"));
    visit("shearStiffness", d.shearStiffness,
          atLeast(0, "N/m",
                  "grid: force per width and radian of shear; 0 does not shear (a mesh resists shear "
                  "by the stretch of its edges)"));
    visit("bendStiffness", d.bendStiffness,
          atLeast(0, "N m", "D: moment per width and unit curvature; 0 is limp"));
    visit("thickness", d.thickness, above(0, "m", "layers of cloth keep this distance, shapes half of it"));
    visit("damping", d.damping, atLeast(0, "1/s", "speed falls by this rate, whatever the time step"));
    visit("material", d.material, any("", "of its surface; cloth has friction alone"));
    visit("filter", d.filter, any("", "what it may touch"));
    visit("wind", d.wind, any("m/s", "speed of the air"));
    visit("drag", d.drag, within(0, 100, "", "drag coefficient of a flat plate, about 1.2; 0 is no air"));
    visit("tearStrain", d.tearStrain,
          atLeast(0, "", "the cloth tears where an edge is longer by this share; 0 never"));
    visit("selfContact", d.selfContact, any("", "it touches itself"));
    visit("velocity", d.velocity, any("m/s", "speed of the whole cloth at the start"));
    visit("pins", d.pins, any("", "vertices held in place; negative numbers count from the last"));
    visit("attachments", d.attachments, any("", "vertices that go with bodies or ropes"));
    visit("solver", d.solver, any("", "gaussSeidel or jacobi"));
    visit("iterations", d.iterations, within(1, 1000, "", "sweeps per substep"));
    visit("tethers", d.tethers,
          within(0, 8, "",
                 "no vertex may be farther from this many of its nearest pins than the cloth between"));
    visit("userData", d.userData,
          any("", "a number of the program's own, which Capstan keeps and gives back"));
}

} // namespace capstan
