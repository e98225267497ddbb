// SPDX-License-Identifier: MIT
// Chooses the solver of an island in contact. This is the only place where kinds of objects and solvers meet.
//
//   an island of                                     is solved by
//   bodies alone, none of which is interlocked       solver/impulse: sequential impulses
//   ropes or joints in contact                       solver/coupled: all units at once
//   bodies alone, some of which are interlocked      solver/coupled/bodies: all bodies at once, exactly
//
// A body is interlocked if two other bodies run through it, as two links of a chain run through the link between
// them. Such contacts can pull, so loads add up along a chain of them. Sequential impulses hand a load on from contact
// to contact, a link at each iteration. With them a chain of 20 steel rings with 10 kg was 20 % too long.
// The responses of solver/coupled held it, but it trembled at 5 cm/s and gained energy. The exact solve keeps the pitch
// to 5e-6 and rests. It takes a tenth of the time of the responses at rest.
#pragma once

#include "solver/coupled/substep.hpp"

namespace capstan {

// Lists the keys of the islands that have an interlocked body, sorted, in ContactWorkspace::interlocked.
void findInterlocked(ContactWorkspace& w, const Model& m, const State& s);

// Returns whether sequential impulses solve the island.
bool impulsesSolve(const ContactWorkspace& w, const CoupledIsland& t);

} // namespace capstan
