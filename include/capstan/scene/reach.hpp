// SPDX-License-Identifier: MIT
// reaches gives how far each body can fall: a length that scales its energy.
//
// A mechanism is a set of dynamic bodies and ropes that joints connect. Its supports are the points where a joint
// connects it to the world or to a body that is not dynamic. Pinned nodes of its ropes are supports too. A body can
// fall by the distance from its centre of mass to the farthest support. If the longest rope of its mechanism is
// longer, that length counts. Where a mechanism has no support, its joints take the place of supports. No body's reach
// is less than its own size, which is its largest radius of gyration.
#pragma once

#include <capstan/api.hpp>
#include <capstan/world.hpp>

#include <vector>

namespace capstan {

// In the order of world.ids<BodyId>(); 0 for a body that is not dynamic.
CAPSTAN_API std::vector<double> reaches(const World& world);

} // namespace capstan
