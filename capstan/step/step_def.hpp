// SPDX-License-Identifier: MIT
// StepDef: what a step is asked to do.
#pragma once

#include <capstan/math/vec.hpp>

namespace capstan {

struct StepDef {
    Vec3 gravity;
    int substeps;
    float dt;
    float minDistance = 0;
    float h() const { return dt / float(substeps); }
};

} // namespace capstan
