// SPDX-License-Identifier: MIT
// From a RopeDef to nodes, masses and rest lengths.
#pragma once

#include "model/model.hpp"
#include <capstan/result.hpp>

namespace capstan {

// The Def is sound, or an Error whose `where` is the path of the field: "/radius", "/points/3".
Status checkRope(const RopeDef& def, Vec3 gravity);

// Fills a rope and appends its points. The Def must have passed checkRope.
void makeRope(const RopeDef& def, Vec3 gravity, Rope& r, State& s);

} // namespace capstan
