// SPDX-License-Identifier: MIT
// Where a motion leads its node.
#pragma once

#include <capstan/scene/scene.hpp>

namespace capstan {

// The place at time t, for a node that was at `start` at time 0.
Vec3 placeAt(const Motion& motion, Vec3 start, double t);

} // namespace capstan
