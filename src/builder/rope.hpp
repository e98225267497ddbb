// SPDX-License-Identifier: MIT
// Checks a RopeDef and makes nodes, masses and rest lengths from it.
#pragma once

#include "model/model.hpp"
#include <capstan/result.hpp>

namespace capstan {

// Checks a RopeDef. An Error's `where` is the path of the field: "/radius", "/points/3".
Status checkRope(const RopeDef& def, Vec3 gravity);

// Sets a rope and appends its points to the State. The Def must have passed checkRope.
void makeRope(const RopeDef& def, Vec3 gravity, Rope& r, State& s);

} // namespace capstan
