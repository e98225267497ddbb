// SPDX-License-Identifier: MIT
// Point: a place, or a speed, with one number beside it. 16 bytes, so that fetching one is one instruction
// and fetching a lane-full of them is a few transposes (math/lanes.hpp).
#pragma once

#include <capstan/math/vec.hpp>

namespace capstan {

struct Point {
    float x, y, z, w; // w: inverse mass beside a place (0: pinned), mass beside a speed
    CAPSTAN_HD operator Vec3() const { return {x, y, z}; }
};

} // namespace capstan
