// SPDX-License-Identifier: MIT
// Tether: a point may not be farther from a pin than the rope between them is long.
//
//   C = |b - a| - rest <= 0,   gradients as in distance.hpp, but only C > 0 acts
//
// It carries a pull from the pin to every node at once, where Gauss-Seidel would hand it on node by node.
// Kim, Chentanez, Mueller: Long Range Attachments (SCA 2012).
#pragma once

#include <capstan/constraints/distance.hpp>

namespace capstan {

struct Tether : Distance {
    static constexpr const char* name = "tether";
    static constexpr bool oneSided = true;
};

} // namespace capstan
