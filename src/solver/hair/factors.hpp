// SPDX-License-Identifier: MIT
// From a HairDef to what all its strands share: masses, the rest shape, the factors of the bending system.
#pragma once

#include "model/hair_table.hpp"
#include <capstan/hair_def.hpp>

namespace capstan {

// `vertices` of a level of detail, which may be fewer than the Def's; h in seconds.
HairTable hairTable(const HairDef& def, int vertices, double h);

// Directions of the edges of the rest shape, the first one along z.
void hairRestEdges(const HairDef& def, int edges, Vec3d* direction);

} // namespace capstan
