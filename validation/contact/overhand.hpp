// SPDX-License-Identifier: MIT
// A loose overhand knot as it is laid, and at rest: what K1 measures on the engine, found another way.
#pragma once

#include <capstan/math/vec.hpp>
#include <validation/contact/touch.hpp>

#include <vector>

namespace capstan::validation {

// The knot's path with straight tails of a given length, along x.
std::vector<Vec3d> overhandPath(const Overhand& knot, double tail);

// The same knot without friction where its energy is least: pull at the ends, and the sum of what its strands press on
// each other with, which is what friction takes hold of: to first order the ends are pulled with pull +- mu press.
struct StillKnot {
    double pull = 0, press = 0; // N
};
StillKnot stillOverhand(const Overhand& knot, double tail);

} // namespace capstan::validation
