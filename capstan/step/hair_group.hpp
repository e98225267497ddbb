// SPDX-License-Identifier: MIT
// Many strands, a lane-full after the other.
#pragma once

#include <capstan/model/hair_table.hpp>

namespace capstan {

// Arrays that the strands of a hair share during a step.
struct HairRun {
    HairStep d;
    const HairSubstep* substep = nullptr;
    const HairCollider* collider = nullptr;
    const Point* faces = nullptr;
    const HairRoot* root = nullptr;
    Point* x = nullptr;      // place, and tension of the edge that ends there; 4 chunks points a strand
    Point* v = nullptr;      // speed, and what the edge owes
    float* strain = nullptr; // per strand: the largest | length / l - 1 |
};

// The strands begin ... end - 1, as many at once as there are lanes: 1, 4, 8 or 16. The bits do not depend on it.
void stepStrands(const HairRun& run, int begin, int end, int lanes);

} // namespace capstan
