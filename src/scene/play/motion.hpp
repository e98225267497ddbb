// SPDX-License-Identifier: MIT
// Functions that evaluate motions and the control vector at a time t [s].
#pragma once

#include <capstan/scene/scene.hpp>

namespace capstan {

// Returns the position at time t [m] of a point that was at `start` at time 0.
Vec3 placeAt(const Motion& motion, Vec3 start, double t);

// Returns the rotation at time t of a body whose rotation was `start` at time 0.
Quatf rotationAt(const Motion& motion, Quatf start, double t);

// The control vector, without unit.
struct Control {
    float x = 0;
    float y = 0;
};
Control controlAt(const std::vector<ControlPoint>& points, double t);

} // namespace capstan
