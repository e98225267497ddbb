// SPDX-License-Identifier: MIT
// Steps many strands, one group of lanes after another.
#pragma once

#include "model/hair_table.hpp"

namespace capstan {

// Arrays that the strands of a hair share during a step.
struct HairRun {
    HairStep d;
    const HairSubstep* substep = nullptr;
    const HairCollider* collider = nullptr;
    const Point* faces = nullptr;
    const HairRoot* root = nullptr;
    // Position [m], w: tension [N] of the edge that ends there; 4 * chunks points for each strand.
    Point* x = nullptr;
    Point* v = nullptr;      // velocity [m/s], w: remaining length error of the edge
    float* strain = nullptr; // by strand: the largest |length / l - 1|
};

// Steps the strands begin ... end - 1 in groups of `lanes`: 1, 4, 8 or 16. The bits do not depend on `lanes`.
void stepStrands(const HairRun& run, int begin, int end, int lanes);

} // namespace capstan
