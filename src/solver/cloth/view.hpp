// SPDX-License-Identifier: MIT
// Preparation of a cloth before its substeps and measurement after them, shared by the CPU and the GPU.
#pragma once

#include "core/step_def.hpp"
#include "solver/cloth/substep.hpp"

namespace capstan {

ClothView viewOf(const Cloth& c, ClothState& s, const StepDef& d, float worldDamping);
ClothPlan planOf(const Cloth& c, int substeps);

// Computes the largest and the mean strain of the links.
void measureStrain(Cloth& c, const ClothState& s);

} // namespace capstan
