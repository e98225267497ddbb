// SPDX-License-Identifier: MIT
// Pins: held nodes move evenly from where they are to their target during a step, and end exactly there. Pulls end
// with the step.
#pragma once

#include <capstan/model/model.hpp>

namespace capstan {

inline void startPins(Model& m, State& s, float dt) {
    for (const Rope& r : m.ropes) {
        if (!r.alive || r.frozen) continue;
        for (const Pin& pin : r.pins) {
            const Point &x = s.x[r.begin + pin.node], &low = s.low[r.begin + pin.node];
            Point& v = s.v[r.begin + pin.node];
            const Vec3 speed =
                narrow((1 / double(dt)) * (widen(pin.target) - widen(Vec3(x)) - widen(Vec3(low))));
            v = {speed.x, speed.y, speed.z, v.w};
        }
    }
}

inline void endPins(Model& m, State& s) {
    for (Rope& r : m.ropes) {
        if (!r.alive || r.frozen) continue;
        for (const Pin& pin : r.pins) {
            Point& x = s.x[r.begin + pin.node];
            x = {pin.target.x, pin.target.y, pin.target.z, 0};
            s.low[r.begin + pin.node] = {0, 0, 0, 0};
        }
        for (int k = 0; r.forced && k < r.count; ++k) s.force[r.begin + k] = {0, 0, 0, 0};
        r.forced = false;
    }
}

} // namespace capstan
