// SPDX-License-Identifier: MIT
// Where a motion leads, and where the control vector is.
#pragma once

#include <capstan/scene/scene.hpp>

namespace capstan {

// The place at time t of what was at `start` at time 0.
Vec3 placeAt(const Motion& motion, Vec3 start, double t);

// The rotation at time t of a body that had `start` at time 0.
Quatf rotationAt(const Motion& motion, Quatf start, double t);

struct Control {
    float x = 0;
    float y = 0;
};
Control controlAt(const std::vector<ControlPoint>& points, double t);

} // namespace capstan
