// SPDX-License-Identifier: MIT
//
// The closure of a braid as curves in space. Each strand is bent round into a ring, and its end joins a start. Every
// knot and link is such a closure (J. W. Alexander 1923). The handedness is that of braid_reader.hpp. So s1 s1 closes
// to a link of linking number +1, and s1 s1 s1 to the right-handed trefoil.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>

#include <vector>

namespace capstan {

// Returns closed polylines, one for each cycle of the permutation. Strands are 1 apart. The rings lie around the z
// axis; position 1 is the innermost, with the radius n.
CAPSTAN_API Result<std::vector<std::vector<Vec3d>>> closedBraid(const BraidWord& word, int n);

} // namespace capstan
