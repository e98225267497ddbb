// SPDX-License-Identifier: MIT
// Checks a ClothDef and makes vertices, masses, edges, bending weights and tethers from it.
#pragma once

#include "model/cloth.hpp"
#include <capstan/result.hpp>

namespace capstan {

// Checks a ClothDef. An Error's `where` is the path of the field: "/density", "/triangles/3".
Status checkCloth(const ClothDef& def);

// Sets a cloth and its state. The Def must have passed checkCloth.
void makeCloth(const ClothDef& def, Cloth& c, ClothState& s);

} // namespace capstan
