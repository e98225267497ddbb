// SPDX-License-Identifier: MIT
// Tether: the distance of a point from a pin is at most the length of the rope between them.
//
//   C = |b - a| - rest <= 0; the gradients are those of distance.hpp, but only C > 0 has an effect
//
// A tether transmits a pull from the pin to every node in one iteration. Gauss-Seidel alone transmits it from node to
// node. Source: Kim, Chentanez, Mueller: Long Range Attachments (SCA 2012).
#pragma once

#include "model/constraints/distance.hpp"

namespace capstan {

struct Tether : Distance {
    static constexpr const char* name = "tether";
    static constexpr bool oneSided = true;
};

} // namespace capstan
