// SPDX-License-Identifier: MIT
#pragma once

#include <capstan/capstan.hpp>

namespace capstan {

// The rope of workload W1: 100 nodes of 0.01 kg, 0.05 m apart, pinned at (0, 10, z), along +x or straight down.
inline RopeDef hundredNodes(float load = 0, bool hanging = false, float z = 0) {
    RopeDef d;
    d.from = {0, 10, z};
    d.to = hanging ? Vec3{0, 10 - 4.95f, z} : Vec3{4.95f, 10, z};
    d.segments = 99;
    d.mass = 0.99f;
    d.pins = {first};
    d.loads = {{first, 0.005f}, {last, 0.005f + load}};
    return d;
}

} // namespace capstan
