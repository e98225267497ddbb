// SPDX-License-Identifier: MIT
//
// This file gives the closure of a braid as curves in space: each strand is bent round into a ring, and ends meet
// starts. Every knot and link is such a closure (J. W. Alexander 1923). The handedness is that of braid_reader.hpp. So
// s1 s1 closes to a link of linking number +1, and s1 s1 s1 to the right-handed trefoil.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>

#include <vector>

namespace capstan {

// closedBraid returns closed polylines, one per cycle of the permutation. Strands are 1 apart. The rings lie around
// the z axis; position 1 is the innermost, and position n has the radius n.
CAPSTAN_API Result<std::vector<std::vector<Vec3d>>> closedBraid(const BraidWord& word, int n);

} // namespace capstan
