// SPDX-License-Identifier: MIT
// Helpers of the contact tests: ropes, grounds and measurements.
#pragma once

#include <tests/world/mechanisms/mechanisms.hpp>

#include <capstan/topology/linking.hpp>

namespace capstan {

inline Vec3 at(const World& w, RopeId rope, int node) {
    const auto x = w.positions(rope);
    return x[node < 0 ? node + int(x.size()) : node];
}

inline std::vector<Vec3d> positions(const World& w, RopeId rope) {
    std::vector<Vec3d> x;
    for (const Point& p : w.positions(rope)) x.push_back(widen(Vec3(p)));
    return x;
}

inline double topSpeed(const World& w, RopeId rope) {
    double most = 0;
    for (const Point& v : w.velocities(rope)) most = std::max(most, length(widen(Vec3(v))));
    return most;
}

// Returns the largest speed of all nodes and bodies, or infinity if a value is not finite.
inline double topSpeed(const World& w) {
    double most = 0;
    auto see = [&](Vec3 x, Vec3 v) {
        const double speed = length(widen(v));
        most = std::isfinite(speed + length(widen(x))) ? std::max(most, speed) : INFINITY;
    };
    for (RopeId r : w.ids<RopeId>())
        for (std::size_t k = 0; k < w.positions(r).size(); ++k) see(w.positions(r)[k], w.velocities(r)[k]);
    for (BodyId b : w.ids<BodyId>()) see(w.centerOfMass(b), w.velocity(b));
    return most;
}

// Returns the number of events of this kind in the last step.
inline int told(const World& w, Event::Kind kind) {
    return int(
        std::count_if(w.events().begin(), w.events().end(), [&](const Event& e) { return e.kind == kind; }));
}

} // namespace capstan
