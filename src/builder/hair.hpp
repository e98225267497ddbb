// SPDX-License-Identifier: MIT
// Checks a HairDef and makes strands from it.
#pragma once

#include "model/model.hpp"
#include <capstan/result.hpp>

namespace capstan {

// Sets a hair and its state from a Def. An Error's `where` is the path of the field: "/scalp/triangles/3". Bodies are
// looked up in the model by name.
Status makeHair(const HairDef& def, const Model& m, const State& s, Hair& hair, HairState& state);

float hairMassPerLength(const HairDef& def); // kg/m, of a strand

} // namespace capstan
