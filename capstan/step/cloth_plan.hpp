// SPDX-License-Identifier: MIT
// What a step makes of a cloth before and after its walk, for the CPU and for a GPU.
#pragma once

#include <capstan/step/cloth_walk.hpp>
#include <capstan/step/step_def.hpp>

namespace capstan {

ClothView viewOf(const Cloth& c, ClothState& s, const StepDef& d, float worldDamping);
ClothPlan planOf(const Cloth& c, int substeps);

// Largest and mean strain of the links.
void tellStrain(Cloth& c, const ClothState& s);

} // namespace capstan
