// SPDX-License-Identifier: MIT
//
// Simplifies a diagram by moving stretches of rope. A stretch that is over at all its crossings lies on top of the
// diagram. It can be moved to any other path between its end points, over all other strands, without changing the
// knot. The path with the fewest crossings is a shortest path through the faces of the remaining diagram. Stretches
// that are under at all their crossings are treated in the same way. Source: pass moves, as in M. Culler, N.
// Dunfield, J. Weeks, SnapPy ("pickup"). Such a move consists of K. Reidemeister's second and third moves (1926).
#pragma once

#include <capstan/topology/gauss_code.hpp>

namespace capstan {

// Moves stretches as long as one has a path with fewer crossings. It also makes the moves of simplify().
void reroute(GaussCode& code);

} // namespace capstan
