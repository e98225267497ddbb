// SPDX-License-Identifier: MIT
// Levels of detail: the choice of a hair's level, the change of level, and the positions at which its strands
// are drawn.
//
// A strand that is not simulated is drawn as the mean of up to three simulated strands, moved to its own root:
//     x_i = root + sum_k share_k (guide_k,i - root of guide_k)
// A change of level leaves every drawn point in place. The difference between the old and the new picture is
// stored, and it fades out over lod.blend seconds. The factor is 3 f^2 - 2 f^3, whose slope is zero at the
// start and at the end.
#pragma once

#include "core/threads.hpp"
#include "model/model.hpp"
#include "solver/hair/group.hpp"

namespace capstan {

int hairLevelFor(const Model& m, const Hair& hair, const HairState& state);
void setHairLevel(Threads& threads, const Hair& hair, HairState& state, int level);
// Updates the drawn strands after a step of dt.
void drawHair(Threads& threads, const Hair& hair, HairState& state, float dt);

HairPose hairPose(const Pose& p);

} // namespace capstan
