// SPDX-License-Identifier: MIT
// Pins: held nodes move at constant velocity to their targets during a step, and end exactly there. endPins
// also clears the forces that the user set on nodes for this step.
#pragma once

#include "model/model.hpp"

namespace capstan {

// Returns the target position of a pin that a joint ties to a body or to the world.
inline Vec3 pinTarget(const Model& m, const State& s, const Joint& j) {
    const int slot = j.body[1];
    if (slot < 0) return narrow(j.frame[1].x);
    const Body& b = m.bodies[slot];
    const BodyState& at = s.bodies[slot];
    return narrow((b.hasTarget ? b.target : Pose{at.x, at.q}).point(j.frame[1].x));
}

inline void startPins(Model& m, State& s, float dt) {
    for (Rope& r : m.ropes) {
        if (!r.alive || r.frozen) continue;
        for (Pin& pin : r.pins) {
            if (pin.joint >= 0) pin.target = pinTarget(m, s, m.joints[pin.joint]);
            const Point &x = s.x[r.begin + pin.node], &low = s.low[r.begin + pin.node];
            Point& v = s.v[r.begin + pin.node];
            const Vec3 speed =
                narrow((1 / double(dt)) * (widen(pin.target) - widen(Vec3(x)) - widen(Vec3(low))));
            v = {speed.x, speed.y, speed.z, v.w};
        }
    }
}

// Returns the force of a rope on a node [N]: the sum of the tensions of its two segments.
inline Vec3d tensionForce(const Rope& r, const State& s, int node) {
    Vec3d sum = {0, 0, 0};
    auto position = [&](int k) { return widen(Vec3(s.x[r.begin + k])); };
    for (int step : {-1, 1}) {
        const int next = node + step;
        if (next < 0 || next >= r.count) continue;
        const double tension = double(s.tension[r.begin + (step < 0 ? node : next)]);
        sum = sum + tension * normalize(position(next) - position(node), Vec3d{0, 0, 0});
    }
    return sum;
}

inline void endPins(Model& m, State& s) {
    for (Rope& r : m.ropes) {
        if (!r.alive || r.frozen) continue;
        for (const Pin& pin : r.pins) {
            Point& x = s.x[r.begin + pin.node];
            // If a contact held the pin back, it stays where it is and moves on in the next step.
            const Vec3d missing = widen(pin.target) - widen(Vec3(x)) - widen(Vec3(s.low[r.begin + pin.node]));
            if (r.inContact && dot(missing, missing) > 1e-12) {
                Point& v = s.v[r.begin + pin.node];
                v = {0, 0, 0, v.w};
                continue;
            }
            x = {pin.target.x, pin.target.y, pin.target.z, 0};
            s.low[r.begin + pin.node] = {0, 0, 0, 0};
            if (pin.joint >= 0) s.joints[pin.joint].force = tensionForce(r, s, pin.node);
        }
        for (int k = 0; r.forced && k < r.count; ++k) s.force[r.begin + k] = {0, 0, 0, 0};
        r.forced = false;
    }
}

} // namespace capstan
