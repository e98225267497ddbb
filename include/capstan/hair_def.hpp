// SPDX-License-Identifier: MIT
// HairDef describes many strands that grow from given points, or from the triangles of a scalp.
// Units are SI, and y points up. fields() gives the unit of each field.
#pragma once

#include <capstan/contact_def.hpp>
#include <capstan/field.hpp>
#include <capstan/math/vec.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace capstan {

enum class HairShape { Straight, Wavy, Curly }; // shape of a strand without load

// ScalpDef spreads strands over triangles, evenly by area. Equal seeds give equal root positions.
struct ScalpDef {
    std::vector<Vec3> points = {};
    std::vector<std::array<int, 3>> triangles = {};
    int strands = 0;
    int seed = 1;
};

template <DefOf<ScalpDef> D, class V> void fields(D& d, V&& visit) {
    visit("points", d.points, any("m", "vertices of the scalp, in the axes of rootBody or of the world"));
    visit("triangles", d.triangles,
          any("", "triangles, each three indices of points, counter-clockwise as seen from outside"));
    visit("strands", d.strands, within(0, 2e6, "", "number of strands that grow on the scalp"));
    visit("seed", d.seed, within(0, 1e9, "", "seed of the random positions of strands"));
}

// HairLodDef sets the levels of detail. Level k simulates one of 4^k strands, and each has vertices / 2^k vertices.
// Every other strand is interpolated from the simulated strands with the nearest roots.
struct HairLodDef {
    int levels = 1;
    float distance = 2.5f;
    int budget = 0;
    float blend = 0.5f;
};

template <DefOf<HairLodDef> D, class V> void fields(D& d, V&& visit) {
    visit("levels", d.levels, within(1, 3, "", "number of levels; 1: all strands are always simulated"));
    visit(
        "distance", d.distance,
        above(0, "m",
              "distance from the viewpoint at which level 1 begins; level 2 begins at twice this distance"));
    visit("budget", d.budget,
          atLeast(0, "", "largest number of simulated vertices at any distance; 0: no limit"));
    visit("blend", d.blend, within(0, 10, "s", "time that a change of level takes to fade in"));
}

struct HairDef {
    std::string name = {};
    std::vector<Vec3> roots = {};
    std::vector<Vec3> directions = {};
    ScalpDef scalp = {};
    std::string rootBody = {};
    std::vector<std::string> collides = {};
    int vertices = 32;
    float length = 0.3f;
    float radius = 4e-5f;
    float density = 1300;
    HairShape shape = HairShape::Straight;
    float amplitude = 0.01f;
    float wavelength = 0.05f;
    float bendStiffness = 8e-9f;
    float damping = 1;
    Vec3 wind = {0, 0, 0};
    float windResponse = 1;
    MaterialDef material = {.friction = 0.3f};
    FilterDef filter = {};
    int substeps = 8;
    HairLodDef lod = {};
    std::uint64_t userData = 0;
};

template <DefOf<HairDef> D, class V> void fields(D& d, V&& visit) {
    visit("name", d.name, any("", "name by which other parts of the scene refer to the hair"));
    visit("roots", d.roots, any("m", "positions of the roots, in the axes of rootBody or of the world"));
    visit("directions", d.directions,
          any("", "directions of strands at their roots: one for each root, or one for all"));
    visit("scalp", d.scalp, any("", "triangles on which strands grow, in place of roots"));
    visit("rootBody", d.rootBody, any("", "name of the body that carries the roots; empty: the world"));
    visit("collides", d.collides,
          any("",
              "names of bodies that strands collide with; empty: rootBody; a body with a mesh is an error"));
    visit("vertices", d.vertices, within(2, 32, "", "number of vertices of each strand, including its root"));
    visit("length", d.length, above(0, "m", "length of a strand"));
    visit("radius", d.radius, above(0, "m", "radius of a strand"));
    visit("density", d.density, above(0, "kg/m^3", "density of a strand"));
    visit("shape", d.shape, any("", "shape of a strand without weight: straight, wavy or curly"));
    visit("amplitude", d.amplitude, atLeast(0, "m", "wavy, curly: amplitude of the wave, half of its width"));
    visit("wavelength", d.wavelength, above(0, "m", "wavy, curly: length of one wave along its axis"));
    visit(
        "bendStiffness", d.bendStiffness,
        atLeast(0, "N m^2",
                "EI: moment per unit curvature; 0: the strand is limp. Human hair has about 8e-9. Waves and "
                "curls keep their shape up to 64 l^3 m / dt^2, with l the length and m the mass of an edge"));
    visit("damping", d.damping, atLeast(0, "1/s", "rate at which velocity decays"));
    visit("wind", d.wind, any("m/s", "velocity of the air"));
    visit("windResponse", d.windResponse,
          atLeast(0, "1/s", "rate at which a strand approaches the wind's velocity"));
    visit("material", d.material,
          any("", "material of the strands against bodies; only its friction is used"));
    visit("filter", d.filter,
          any("", "filter that decides which bodies of `collides` the hair may touch; it is read when the "
                  "hair is added"));
    visit("substeps", d.substeps, within(1, 1000, "", "number of substeps in a step of the world"));
    visit("lod", d.lod, any("", "levels of detail of the hair"));
    visit("userData", d.userData,
          any("", "number for the program's own use; Capstan stores it and returns it"));
}

} // namespace capstan
