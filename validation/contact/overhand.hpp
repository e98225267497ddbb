// SPDX-License-Identifier: MIT
// A loose overhand knot: its path as it is laid, and its state at rest. K1 compares the engine with that state, which
// is found without the engine.
#pragma once

#include <capstan/math/vec.hpp>
#include <validation/contact/contact.hpp>

#include <vector>

namespace capstan::validation {

// Returns the knot's path, with straight tails of a given length along x.
std::vector<Vec3d> overhandPath(const Overhand& knot, double tail);

// The knot without friction where its energy is least. `pull` is the force at the ends, and `press` is the sum of the
// contact forces between the strands. With friction mu the ends are pulled, to first order, with pull +- mu press.
struct StillKnot {
    double pull = 0, press = 0; // N
};
StillKnot stillOverhand(const Overhand& knot, double tail);

} // namespace capstan::validation
