// SPDX-License-Identifier: MIT
// ClothDef describes a sheet of cloth, from a grid or from a triangle mesh.
// Units are SI, and y points up. fields() gives the unit of each field.
//
// The grid or mesh is the rest shape of the cloth, and also its shape at the start.
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

enum class ClothSolver { GaussSeidel, Jacobi }; // edges solved colour by colour, or all edges at once

// AttachmentDef ties a vertex to a body or to a node of a rope. The vertex keeps its initial offset from that body or
// node.
struct AttachmentDef {
    int vertex = 0;
    BodyRef body = {};
    RopeRef rope = {};
    int node = last;
};

template <DefOf<AttachmentDef> D, class V> void fields(D& d, V&& visit) {
    visit("vertex", d.vertex, any("", "index of the vertex; a negative index counts from the last vertex"));
    visit("body", d.body, any("", "name of the body that carries the vertex"));
    visit("rope", d.rope, any("", "name of the rope that carries the vertex, in place of a body"));
    visit("node", d.node,
          any("", "index of the node of the rope; a negative index counts from the last node"));
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
    visit("name", d.name, any("", "name by which other parts of the scene refer to the cloth"));
    visit("origin", d.origin, place("grid: first corner, where vertex 0 lies"));
    visit("edgeU", d.edgeU, place("grid: edge vector from the first corner, along the rows of vertices"));
    visit("edgeV", d.edgeV, place("grid: edge vector from the first corner, across the rows of vertices"));
    visit("cellsU", d.cellsU,
          within(1, 4096, "",
                 "grid: number of cells along edgeU; vertex i of row j has the index j (cellsU + 1) + i"));
    visit("cellsV", d.cellsV, within(1, 4096, "", "grid: number of cells along edgeV"));
    visit("points", d.points, place("mesh: vertices, in place of the grid"));
    visit("triangles", d.triangles, any("", "mesh: triangles, each three indices of points, counted from 0"));
    visit("mass", d.mass, atLeast(0, "kg", "mass of the whole cloth; 0: computed from density"));
    visit("density", d.density, above(0, "kg/m^2", "mass per area; used when mass is 0"));
    visit("stretchStiffness", d.stretchStiffness,
          atLeast(0, "N/m", "force per width and unit strain; 0: the cloth does not stretch"));
    visit("shearStiffness", d.shearStiffness,
          atLeast(0, "N/m",
                  "grid: force per width and radian of shear; 0: the cloth does not shear (a mesh resists "
                  "shear by the stretch of its edges)"));
    visit("bendStiffness", d.bendStiffness,
          atLeast(0, "N m", "D: moment per width and unit curvature; 0: the cloth is limp"));
    visit("thickness", d.thickness,
          above(0, "m", "distance that layers of cloth keep from each other; shapes keep half of it"));
    visit("damping", d.damping,
          atLeast(0, "1/s", "rate at which velocity decays, independent of the time step"));
    visit("material", d.material, any("", "material of the cloth's surface; only its friction is used"));
    visit("filter", d.filter, any("", "filter that decides which objects the cloth may touch"));
    visit("wind", d.wind, any("m/s", "velocity of the air"));
    visit("drag", d.drag,
          within(0, 100, "", "drag coefficient of the cloth; a flat plate has about 1.2; 0: no air"));
    visit("tearStrain", d.tearStrain,
          atLeast(0, "", "strain of an edge at which the cloth tears there; 0: the cloth never tears"));
    visit("selfContact", d.selfContact, any("", "whether the cloth touches itself"));
    visit("velocity", d.velocity, any("m/s", "velocity of all vertices at the start"));
    visit(
        "pins", d.pins,
        any("", "indices of vertices that are held in place; a negative index counts from the last vertex"));
    visit("attachments", d.attachments, any("", "vertices that bodies or ropes carry"));
    visit("solver", d.solver, any("", "solver of the cloth: gaussSeidel or jacobi"));
    visit("iterations", d.iterations, within(1, 1000, "", "iterations over all constraints per substep"));
    visit("tethers", d.tethers,
          within(0, 8, "",
                 "number of nearest pins that limit the distance of each vertex to the length of the cloth "
                 "between"));
    visit("userData", d.userData,
          any("", "number for the program's own use; Capstan stores it and returns it"));
}

} // namespace capstan
