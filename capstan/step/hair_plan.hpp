// SPDX-License-Identifier: MIT
// What a step of a hair is, worked out on the host before its strands go through it, on a CPU or on a GPU.
#pragma once

#include <capstan/model/model.hpp>
#include <capstan/step/step_def.hpp>

#include <vector>

namespace capstan {

struct HairPlan {
    HairStep d;
    std::vector<HairSubstep> substep;
    std::vector<HairCollider> collider;
    Pose root;                  // of what holds the roots, at the end of the step
    std::vector<Pose> obstacle; // and of the bodies of the obstacles
};

// Whether the roots were put elsewhere since the last step; then the hair goes along as it is.
bool hairJumps(const Model& m, const State& s, const Hair& hair, const HairState& state, const StepDef& d);
void carryHair(const Model& m, const State& s, const Hair& hair, HairState& state);

HairPlan planHair(const Model& m, const State& s, Hair& hair, const HairState& state, const StepDef& d);

// After the step, with the largest strain of all strands; those that are not finite are put on their roots.
void endHair(Hair& hair, HairState& state, const HairPlan& plan, float worst);

} // namespace capstan
