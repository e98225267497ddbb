// SPDX-License-Identifier: MIT
// StepDef: the parameters of a step.
#pragma once

#include <capstan/math/vec.hpp>

namespace capstan {

struct StepDef {
    Vec3 gravity;
    int substeps;
    float dt;
    float minSeparationRatio = 0;
    float h() const { return dt / float(substeps); }
};

} // namespace capstan
