// SPDX-License-Identifier: MIT
// Levels of detail: the choice of a hair's level, the change between levels, and the positions at which strands are
// drawn.
//
// A strand that is not simulated is drawn as the weighted mean of up to three simulated strands, shifted to its own
// root:
//     x_i = root + sum_k share_k (guide_k,i - root of guide_k)
// A change of level does not move any drawn point at once. The difference between the old and the new positions is
// stored, and it fades out over lod.blend seconds. With f the remaining share of that time, the factor is 3 f^2 - 2
// f^3, whose slope is zero at the start and at the end.
#pragma once

#include "core/threads.hpp"
#include "model/model.hpp"
#include "solver/hair/group.hpp"

namespace capstan {

// Returns the level for the present viewpoint and budget.
int hairLevelFor(const Model& m, const Hair& hair, const HairState& state);
// Changes the simulated strands to another level.
void setHairLevel(Threads& threads, const Hair& hair, HairState& state, int level);
// Updates the drawn strands after a step of dt seconds.
void drawHair(Threads& threads, const Hair& hair, HairState& state, float dt);

HairPose hairPose(const Pose& p);

} // namespace capstan
