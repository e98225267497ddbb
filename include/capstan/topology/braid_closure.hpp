// SPDX-License-Identifier: MIT
//
// The closure of a braid as curves in space: its strands bent round into rings, end to start. Every knot and
// link is such a closure (J. W. Alexander 1923). Handed as braid_reader.hpp has it, so s1 s1 closes to a
// link of linking number +1 and s1 s1 s1 to the right-handed trefoil.
#pragma once

#include <capstan/api.hpp>
#include <capstan/math/vec.hpp>
#include <capstan/result.hpp>
#include <capstan/topology/braid.hpp>

#include <vector>

namespace capstan {

// Closed polylines, one per cycle of the permutation. Strands are 1 apart; the rings lie around the z axis,
// position 1 innermost, at radius n.
CAPSTAN_API Result<std::vector<std::vector<Vec3d>>> closedBraid(const BraidWord& word, int n);

} // namespace capstan
