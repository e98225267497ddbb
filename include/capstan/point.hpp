// SPDX-License-Identifier: MIT
// Point: a position or a velocity, and one more number. It has 16 bytes. So one instruction loads a Point, and a
// few transposes load one Point for each SIMD lane (math/lanes.hpp).
#pragma once

#include <capstan/math/vec.hpp>

namespace capstan {

struct Point {
    float x, y, z,
        w; // position, m: w is the inverse mass, 1/kg (0: pinned); velocity, m/s: w is the mass, kg
    CAPSTAN_HD operator Vec3() const { return {x, y, z}; }
};

} // namespace capstan
