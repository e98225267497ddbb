// SPDX-License-Identifier: MIT
//
// Strands laid another way. A stretch of rope that goes over everything it meets lies on top of the diagram: it can be
// lifted off and laid down again along any way from its start to its end, still over everything, and the knot stays.
// The way with the fewest crossings is a shortest path through the faces of what is left. The same holds for a stretch
// that goes under everything. Source: pass moves, as in M. Culler, N. Dunfield, J. Weeks, SnapPy ("pickup"); that a
// strand over everything may go anywhere is K. Reidemeister's second and third moves (1926).
#pragma once

#include <capstan/topology/gauss_code.hpp>

namespace capstan {

// As long as a stretch has a way with fewer crossings than it makes now. Also simplify()'s moves.
void reroute(GaussCode& code);

} // namespace capstan
