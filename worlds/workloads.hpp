// SPDX-License-Identifier: MIT
// Workloads that benchmarks, tests and the golden record share: the rope of W1, the sheet of W3, the boxes of W7, and heads
// of hair.
#pragma once

#include <worlds/dice.hpp>

#include <capstan/capstan.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace capstan {

// The rope of benchmark case W1: 100 nodes of 0.01 kg, 0.05 m apart, pinned at (0, 10, z). It starts along
// +x, or straight down if `hanging` is true. `load` is a mass at the last node [kg].
inline RopeDef hundredNodes(float load = 0, bool hanging = false, float z = 0) {
    RopeDef d;
    d.from = {0, 10, z};
    d.to = hanging ? Vec3{0, 10 - 4.95f, z} : Vec3{4.95f, 10, z};
    d.segments = 99;
    d.mass = 0.99f;
    d.pins = {first};
    d.loads = {{first, 0.005f}, {last, 0.005f + load}};
    return d;
}

// The sheet of benchmark case W3: horizontal, with `side` x `side` vertices that are 0.05 m apart. Two corners of one edge
// are pinned.
inline ClothDef hungSheet(int side) {
    ClothDef d;
    d.edgeU = {float(side - 1) * 0.05f, 0, 0};
    d.edgeV = {0, 0, float(side - 1) * 0.05f};
    d.cellsU = d.cellsV = side - 1;
    d.pins = {0, side - 1};
    return d;
}

// Centres of cubes of 1 m that stand on the plane y = 0, one on top of the other.
inline std::vector<Vec3d> stackOfBoxes(int boxes) {
    std::vector<Vec3d> centers;
    for (int i = 0; i < boxes; ++i) centers.push_back({0, 0.5 + i, 0});
    return centers;
}

// Centres of cubes of 1 m over the plane y = 0, nine in a layer, which fall in a pile.
inline std::vector<Vec3d> pileOfBoxes(int boxes) {
    std::vector<Vec3d> centers;
    for (int i = 0; i < boxes; ++i) {
        Dice dice{std::uint64_t(i)};
        const double jx = dice.between(-0.5, 0.5), jz = dice.between(-0.5, 0.5);
        centers.push_back(
            {(i % 3 - 1) * 1.25 + 0.4 * jx, 1.5 + 1.5 * (i / 9), (i / 3 % 3 - 1) * 1.25 + 0.4 * jz});
    }
    return centers;
}

// The strands of a head of hair. Their roots lie on a spiral over a sphere of radius 0.1 m, and they grow outwards. Equal
// steps of the height y cover equal areas of the sphere (Archimedes). `turn` is the angle between two roots [rad].
struct HeadSpiral {
    double top = 1, span = 1.2; // y of the first and the last root: from top to top - span
    double turn = 2.399963229728653;
};
inline HairDef headOfHair(int strands, const std::string& body, const HeadSpiral& spiral = {}) {
    HairDef def;
    def.rootBody = body;
    for (int i = 0; i < strands; ++i) {
        const double y = spiral.top - spiral.span * (i + 0.5) / strands, a = spiral.turn * i;
        const double r = std::sqrt(1 - y * y);
        const Vec3 out = narrow(Vec3d{r * std::cos(a), y, r * std::sin(a)});
        def.roots.push_back(0.1f * out);
        def.directions.push_back(out);
    }
    return def;
}

} // namespace capstan
