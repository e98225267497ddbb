// SPDX-License-Identifier: MIT
// StepDef: the parameters of a step that solvers need.
#pragma once

#include <capstan/math/vec.hpp>

namespace capstan {

// gravity in m/s^2, dt (length of a step) in s; minSeparationRatio as in WorldDef
struct StepDef {
    Vec3 gravity;
    int substeps;
    float dt;
    float minSeparationRatio = 0;
    float h() const { return dt / float(substeps); } // s, length of a substep
};

} // namespace capstan
