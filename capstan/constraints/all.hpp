// SPDX-License-Identifier: MIT
// The list of constraints, in the order in which a sweep solves them: lengths come last, because they are
// what the eye sees. Adding a constraint: write its file, add its include and its name here.
#pragma once

#include <capstan/constraints/bend.hpp>
#include <capstan/constraints/distance.hpp>
#include <capstan/constraints/tether.hpp>

namespace capstan {

template <class... C> struct List {};
using Constraints = List<Bend, BendLimit, Tether, Distance>;

template <class... C, class F> void forEach(List<C...>, F&& f) { (f.template operator()<C>(), ...); }

} // namespace capstan
