// SPDX-License-Identifier: MIT
// A loose overhand knot: its initial path, and its state of least energy. K1 compares the engine with this state,
// which is computed without the engine.
#pragma once

#include <capstan/math/vec.hpp>
#include <validation/contact/contact.hpp>

#include <vector>

namespace capstan::validation {

// Returns points of the knot's path, with straight tails of a given length along x.
std::vector<Vec3d> overhandPath(const Overhand& knot, double tail);

// The frictionless knot of least energy. `pull` is the force at the ends, and `press` the sum of the contact forces
// between the strands. With friction mu the force at the ends is, to first order, pull +- mu press.
struct StillKnot {
    double pull = 0, press = 0; // N
};
StillKnot stillOverhand(const Overhand& knot, double tail);

} // namespace capstan::validation
