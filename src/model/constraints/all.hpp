// SPDX-License-Identifier: MIT
// The list of constraints, in the order in which a solver iteration takes them. Lengths come last, because a
// wrong length is the error that the eye sees first.
//
// To add a constraint: write its file, then add its include and its name here.
#pragma once

#include "model/constraints/bend.hpp"
#include "model/constraints/distance.hpp"
#include "model/constraints/tether.hpp"

namespace capstan {

template <class... C> struct List {};
using Constraints = List<Bend, BendLimit, Tether, Distance>;

template <class... C, class F> void forEach(List<C...>, F&& f) { (f.template operator()<C>(), ...); }

} // namespace capstan
