// SPDX-License-Identifier: MIT
// HairDef describes many strands that grow from points, or from a scalp.
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

enum class HairShape { Straight, Wavy, Curly };

// ScalpDef spreads strands over triangles, evenly by area. The same seed gives the same spread.
struct ScalpDef {
    std::vector<Vec3> points = {};
    std::vector<std::array<int, 3>> triangles = {};
    int strands = 0;
    int seed = 1;
};

template <DefOf<ScalpDef> D, class V> void fields(D& d, V&& visit) {
    visit("points", d.points, any("m", "corners, in the axes of rootBody or of the world"));
    visit("triangles", d.triangles,
          any("", "three numbers of points each, counter-clockwise seen from outside"));
    visit("strands", d.strands, within(0, 2e6, "", "how many strands grow on it"));
    visit("seed", d.seed, within(0, 1e9, "", "another seed, another spread"));
}

// HairLodDef sets the levels of detail. Level k simulates one of 4^k strands, and each has vertices / 2^k vertices.
// Every other strand follows the simulated strands that grow nearest to it.
struct HairLodDef {
    int levels = 1;
    float distance = 2.5f;
    int budget = 0;
    float blend = 0.5f;
};

template <DefOf<HairLodDef> D, class V> void fields(D& d, V&& visit) {
    visit("levels", d.levels, within(1, 3, "", "how many there are; 1: all strands are always simulated"));
    visit("distance", d.distance,
          above(0, "m", "from the viewpoint: beyond it level 1 begins, beyond twice as far level 2"));
    visit("budget", d.budget,
          atLeast(0, "", "most vertices to simulate, whatever the distance; 0: no such limit"));
    visit("blend", d.blend, within(0, 10, "s", "time in which a change of level fades in"));
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
    visit("name", d.name, any("", "what other parts of the scene call it"));
    visit("roots", d.roots, any("m", "where strands grow, in the axes of rootBody or of the world"));
    visit("directions", d.directions, any("", "which way: one for each root, or one for all"));
    visit("scalp", d.scalp, any("", "triangles to grow on, in place of roots"));
    visit("rootBody", d.rootBody, any("", "name of the body that carries the roots; empty: the world"));
    visit("collides", d.collides,
          any("", "names of bodies that strands do not enter; empty: rootBody; a mesh is not possible"));
    visit("vertices", d.vertices, within(2, 32, "", "of each strand, with its root"));
    visit("length", d.length, above(0, "m", "of a strand"));
    visit("radius", d.radius, above(0, "m", "of a strand"));
    visit("density", d.density, above(0, "kg/m^3", "of a strand"));
    visit("shape", d.shape, any("", "straight, wavy or curly: the shape that a strand without weight has"));
    visit("amplitude", d.amplitude, atLeast(0, "m", "wavy, curly: half of the width of the wave"));
    visit("wavelength", d.wavelength, above(0, "m", "wavy, curly: length of one wave, along its axis"));
    visit("bendStiffness", d.bendStiffness,
          atLeast(0, "N m^2",
                  "E I; human hair has about 8e-9; 0: bends freely; waves and curls hold up to 64 l^3 m / "
                  "dt^2, with l the "
                  "length and m the mass of an edge"));
    visit("damping", d.damping, atLeast(0, "1/s", "speed falls by this rate"));
    visit("wind", d.wind, any("m/s", "speed of the air"));
    visit("windResponse", d.windResponse,
          atLeast(0, "1/s", "rate at which a strand takes on the wind's speed"));
    visit("material", d.material, any("", "of its surface, against bodies; hair has friction alone"));
    visit("filter", d.filter,
          any("", "which of the bodies in collides it may touch; asked when the hair is added"));
    visit("substeps", d.substeps, within(1, 1000, "", "of each step of the world"));
    visit("lod", d.lod, any("", "levels of detail"));
    visit("userData", d.userData,
          any("", "a number of the program's own, which Capstan keeps and gives back"));
}

} // namespace capstan
