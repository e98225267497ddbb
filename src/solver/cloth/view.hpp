// SPDX-License-Identifier: MIT
// Work of a step on a cloth before and after its substeps, shared by the CPU and a GPU.
#pragma once

#include "core/step_def.hpp"
#include "solver/cloth/substep.hpp"

namespace capstan {

ClothView viewOf(const Cloth& c, ClothState& s, const StepDef& d, float worldDamping);
ClothPlan planOf(const Cloth& c, int substeps);

// Computes the largest and the mean strain of the links.
void measureStrain(Cloth& c, const ClothState& s);

} // namespace capstan
