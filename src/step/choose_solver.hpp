// SPDX-License-Identifier: MIT
// Chooses the solver of an island in contact. This is the only place where kinds of objects and solvers meet.
//
//   an island of                                     is solved by
//   bodies alone, none of which is interlocked       solver/impulse: sequential impulses
//   ropes or joints in contact, interlocked bodies   solver/coupled: all units at once
//
// A body is interlocked if two other bodies run through it, as two links of a chain run through the link between
// them. Such contacts can pull, so loads add up along a chain of them. Sequential impulses hand a load on from contact
// to contact, a link at each iteration. With them a chain of 20 steel rings with 10 kg was
// 20 % too long. With the coupled solver it is 0.1 % too long, at about ten times the cost.
#pragma once

#include "solver/coupled/substep.hpp"

namespace capstan {

// Lists the keys of the islands that have an interlocked body, sorted, in ContactWorkspace::interlocked.
void findInterlocked(ContactWorkspace& w, const Model& m, const State& s);

// Returns whether sequential impulses solve the island.
bool impulsesSolve(const ContactWorkspace& w, const CoupledIsland& t);

} // namespace capstan
