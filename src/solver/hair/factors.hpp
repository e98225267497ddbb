// SPDX-License-Identifier: MIT
// Computes the constants that all strands of a hair share: masses, the rest shape, and the factors of the bending
// system.
#pragma once

#include "model/hair_table.hpp"
#include <capstan/hair_def.hpp>

namespace capstan {

// Returns the table of a level of detail with the given number of vertices per strand, for substeps of h seconds.
HairTable hairTable(const HairDef& def, int vertices, double h);

// Computes unit vectors along the edges of the rest shape. direction[0] and the first edge are along z.
void hairRestEdges(const HairDef& def, int edges, Vec3d* direction);

} // namespace capstan
