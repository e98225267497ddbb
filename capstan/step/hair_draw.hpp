// SPDX-License-Identifier: MIT
// Levels of detail: which one a hair has, how it changes from one to another, and where its strands are drawn.
//
// A strand that is not simulated is drawn as the mean of up to three that are, moved to its own root:
//     x_i = root + sum_k share_k (guide_k,i - root of guide_k)
// A change of level leaves every drawn point where it is: the difference between the old and the new picture is kept and
// fades away over lod.blend seconds (3 f^2 - 2 f^3, so that its speed starts and ends at zero).
#pragma once

#include <capstan/model/model.hpp>
#include <capstan/step/hair_group.hpp>
#include <capstan/step/parallel.hpp>

namespace capstan {

int hairLevelFor(const Model& m, const Hair& hair, const HairState& state);
void setHairLevel(Threads& threads, const Hair& hair, HairState& state, int level);
// After a step of dt.
void drawHair(Threads& threads, const Hair& hair, HairState& state, float dt);

HairPose hairPose(const Pose& p);

} // namespace capstan
