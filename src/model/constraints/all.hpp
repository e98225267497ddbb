// SPDX-License-Identifier: MIT
// The list of constraints, in the order in which a solver iteration solves them. Distances come last, because an
// error of length is the most visible one.
//
// To add a constraint: write its file, then add its include and its name here.
#pragma once

#include "model/constraints/bend.hpp"
#include "model/constraints/distance.hpp"
#include "model/constraints/tether.hpp"

namespace capstan {

template <class... C> struct List {};
using Constraints = List<Bend, BendLimit, Tether, Distance>;

// Calls f.operator()<C>() for each constraint type C of the list.
template <class... C, class F> void forEach(List<C...>, F&& f) { (f.template operator()<C>(), ...); }

} // namespace capstan
