// SPDX-License-Identifier: MIT
// Helpers of the tests of contact between bodies: boxes and a ground.
#pragma once

#include <tests/world/worlds.hpp>

#include <algorithm>
#include <cmath>

namespace capstan {

constexpr float kFrame = 1 / 60.f;
constexpr double kG = double(9.81f);

inline void run(World& w, double seconds) {
    for (int i = 0; i < int(std::lround(seconds * 60)); ++i) w.step(kFrame);
}

inline BodyDef ground(float friction = 0.5f) {
    BodyDef d;
    d.type = BodyType::Static;
    d.shape = Plane{};
    d.material.friction = friction;
    return d;
}

inline BodyDef box(Vec3 at, Vec3 size = {1, 1, 1}) {
    BodyDef d;
    d.shape = Box{size};
    d.mass = 1;
    d.position = at;
    return d;
}

inline BodyDef ball(Vec3 at, float radius = 0.5f) {
    BodyDef d;
    d.shape = Sphere{radius};
    d.mass = 1;
    d.position = at;
    return d;
}

inline double highest(const World& w, const std::vector<BodyId>& ids, bool spin = false) {
    double most = 0;
    for (BodyId id : ids)
        most = std::max(most, double(length(spin ? w.angularVelocity(id) : w.velocity(id))));
    return most;
}

} // namespace capstan
