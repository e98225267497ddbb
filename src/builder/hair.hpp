// SPDX-License-Identifier: MIT
// From a HairDef to strands.
#pragma once

#include "model/model.hpp"
#include <capstan/result.hpp>

namespace capstan {

// Fills a hair and its state from a sound Def, or says what is wrong and where: "/scalp/triangles/3". Bodies are looked
// up by name in the model.
Status makeHair(const HairDef& def, const Model& m, const State& s, Hair& hair, HairState& state);

float hairMassPerLength(const HairDef& def); // kg/m, of a strand

} // namespace capstan
