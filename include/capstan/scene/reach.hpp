// SPDX-License-Identifier: MIT
// How far each body can fall: a length to measure its energy by.
//
// A mechanism is what joints tie together: dynamic bodies, and ropes. It hangs on the world where a joint ties it to
// the world or to a body that is not dynamic, and where a node of its ropes is pinned. A body can fall by the distance
// from its centre of mass to the farthest of those points, or by the longest rope of its mechanism if that is more.
// Where a mechanism hangs on nothing, its joints themselves take the place of those points; and no body's reach is
// less than its own size, told by its largest radius of gyration.
#pragma once

#include <capstan/api.hpp>
#include <capstan/world.hpp>

#include <vector>

namespace capstan {

// In the order of world.bodies(); 0 for a body that is not dynamic.
CAPSTAN_API std::vector<double> reaches(const World& world);

} // namespace capstan
