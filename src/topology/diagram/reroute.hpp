// SPDX-License-Identifier: MIT
//
// This file simplifies a diagram by moving stretches of rope. A stretch that goes over everything lies on top of the
// diagram. It can be lifted and laid down along any other way from its start to its end, still over everything. The
// knot stays the same. The way with the fewest crossings is a shortest path through the faces of the remaining
// diagram. The same holds for a stretch that goes under everything. Source: pass moves, as in M. Culler, N. Dunfield,
// J. Weeks, SnapPy ("pickup"). A strand over everything may go anywhere by K. Reidemeister's second and third moves
// (1926).
#pragma once

#include <capstan/topology/gauss_code.hpp>

namespace capstan {

// reroute repeats this as long as a stretch has a way with fewer crossings than now. It also does the moves of
// simplify().
void reroute(GaussCode& code);

} // namespace capstan
