// SPDX-License-Identifier: MIT
// The parameters of a hair's step. The host computes them before a CPU or a GPU steps the strands.
#pragma once

#include "core/step_def.hpp"
#include "model/model.hpp"

#include <vector>

namespace capstan {

struct HairPlan {
    HairStep d;
    std::vector<HairSubstep> substep;
    std::vector<HairCollider> collider;
    Pose root;                  // pose of the body that holds the roots, at the end of the step
    std::vector<Pose> obstacle; // poses of the obstacles' bodies, at the end of the step
};

// Returns true if the roots were teleported since the last step. Then carryHair() moves the whole hair along.
bool hairJumps(const Model& m, const State& s, const Hair& hair, const HairState& state, const StepDef& d);
void carryHair(const Model& m, const State& s, const Hair& hair, HairState& state);

HairPlan planHair(const Model& m, const State& s, Hair& hair, const HairState& state, const StepDef& d);

// Ends the step, given the largest strain of all strands. Strands that are not finite are put on their roots.
void endHair(Hair& hair, HairState& state, const HairPlan& plan, float worst);

} // namespace capstan
