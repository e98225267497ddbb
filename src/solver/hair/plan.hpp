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
    Pose root;                  // pose of the root body, at the end of the step
    std::vector<Pose> obstacle; // poses of the obstacles' bodies, at the end of the step
};

// hairJumps returns true if the roots were teleported since the last step. Then carryHair() moves the whole hair
// rigidly with its roots.
bool hairJumps(const Model& m, const State& s, const Hair& hair, const HairState& state, const StepDef& d);
void carryHair(const Model& m, const State& s, const Hair& hair, HairState& state);

// Returns the constants, root poses and collider poses of a step.
HairPlan planHair(const Model& m, const State& s, Hair& hair, const HairState& state, const StepDef& d);

// Ends a step, given the largest strain of all strands. Strands with a position that is not finite are put on their
// roots, and the hair is frozen.
void endHair(Hair& hair, HairState& state, const HairPlan& plan, float worst);

} // namespace capstan
