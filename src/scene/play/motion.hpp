// SPDX-License-Identifier: MIT
// These functions evaluate motions and the control vector at a time.
#pragma once

#include <capstan/scene/scene.hpp>

namespace capstan {

// placeAt gives the position at time t of a point that was at `start` at time 0.
Vec3 placeAt(const Motion& motion, Vec3 start, double t);

// rotationAt gives the rotation at time t of a body that had `start` at time 0.
Quatf rotationAt(const Motion& motion, Quatf start, double t);

struct Control {
    float x = 0;
    float y = 0;
};
Control controlAt(const std::vector<ControlPoint>& points, double t);

} // namespace capstan
