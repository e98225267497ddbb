// SPDX-License-Identifier: MIT
// reaches computes how far each body can fall [m]. This length scales the energy of the body in Summary::scale.
//
// A mechanism is a set of dynamic bodies and ropes that joints connect. Its supports are the points where a joint
// connects it to the world or to a body that is not dynamic. Pinned nodes of its ropes are supports too. A mechanism
// without supports uses its joints instead. A body can fall by the distance from its centre of mass to the farthest
// support. If the longest rope of its mechanism is longer, the length of that rope is used. The reach of a body is at
// least its own size, which is its largest radius of gyration.
#pragma once

#include <capstan/api.hpp>
#include <capstan/world.hpp>

#include <vector>

namespace capstan {

// Returns the reach of each body [m], in the order of world.ids<BodyId>(). It is 0 for a body that is not dynamic.
CAPSTAN_API std::vector<double> reaches(const World& world);

} // namespace capstan
