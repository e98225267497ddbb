// SPDX-License-Identifier: MIT
// Point: a position or a velocity, with a fourth number w. It has 16 bytes, so one instruction loads a Point. A few
// transposes load one Point for each SIMD lane (math/lanes.hpp).
#pragma once

#include <capstan/math/vec.hpp>

namespace capstan {

struct Point {
    float x, y, z,
        w; // a position [m] has the inverse mass [1/kg] as w (0: pinned); a velocity [m/s] has the mass [kg] as w
    CAPSTAN_HD operator Vec3() const { return {x, y, z}; }
};

} // namespace capstan
