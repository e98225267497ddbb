// SPDX-License-Identifier: MIT
// Ropes, grounds and measures that the tests of contact share.
#pragma once

#include "mechanisms.hpp"

#include <capstan/topology/linking.hpp>

#include <numbers>

namespace capstan {

inline constexpr Vec3 kNoGravity = {0, 0, 0};

inline WorldDef weightless() {
    WorldDef d;
    d.gravity = kNoGravity;
    return d;
}

inline BodyDef floorAt(float y = 0, float friction = 0.5f) {
    BodyDef d;
    d.type = BodyType::Static, d.shape = Plane{}, d.position = {0, y, 0}, d.friction = friction;
    return d;
}

// A pole along z; body axes stay those of the world, so the shape is turned in the body.
inline BodyDef poleAlongZ(Vec3 at, float radius, float length, float friction) {
    BodyDef d;
    d.type = BodyType::Static, d.position = at, d.friction = friction;
    d.shape = ShapeDef(Cylinder{radius, length}).at({0, 0, 0}, fromTo(Vec3{0, 1, 0}, Vec3{0, 0, 1}));
    return d;
}

inline RopeDef straight(Vec3 from, Vec3 to, int segments, float radius = 0.01f) {
    RopeDef d;
    d.from = from, d.to = to, d.segments = segments, d.radius = radius;
    return d;
}

// A circle about `center` in the plane of the unit vectors e and f.
inline RopeDef ring(Vec3 center, Vec3 e, Vec3 f, float radius, int nodes, float thick = 0.01f) {
    RopeDef d;
    d.closed = true, d.segments = 0, d.radius = thick;
    for (int k = 0; k < nodes; ++k) {
        const double a = 2 * std::numbers::pi * k / nodes;
        d.points.push_back(center + radius * (narrow(std::cos(a)) * e + narrow(std::sin(a)) * f));
    }
    return d;
}

// A rope hung over a pole along z at (0, height, 0): down, over and down again, resting on it.
inline RopeDef over(float height, float poleRadius, float left, float right, int segments, float radius) {
    RopeDef d;
    d.segments = segments, d.radius = radius;
    const double R = widen(poleRadius + radius) * 1.001, y = widen(height);
    d.points.push_back({narrow(-R), height - left, 0});
    for (int k = 0; k <= 48; ++k) {
        const double a = std::numbers::pi * (1 - k / 48.0);
        d.points.push_back({narrow(R * std::cos(a)), narrow(y + R * std::sin(a)), 0});
    }
    d.points.push_back({narrow(R), height - right, 0});
    return d;
}

inline Vec3 at(const World& w, RopeId rope, int node) {
    const auto x = w.points(rope);
    return x[std::size_t(node < 0 ? node + int(x.size()) : node)];
}

inline std::vector<Vec3d> places(const World& w, RopeId rope) {
    std::vector<Vec3d> x;
    for (const Point& p : w.points(rope)) x.push_back(widen(Vec3(p)));
    return x;
}

inline double topSpeed(const World& w, RopeId rope) {
    double most = 0;
    for (const Point& v : w.velocities(rope)) most = std::max(most, length(widen(Vec3(v))));
    return most;
}

// Also of bodies. Infinite if a number is not finite.
inline double topSpeed(const World& w) {
    double most = 0;
    auto see = [&](Vec3 x, Vec3 v) {
        const double speed = length(widen(v));
        most = std::isfinite(speed + length(widen(x))) ? std::max(most, speed) : INFINITY;
    };
    for (RopeId r : w.ropes())
        for (std::size_t k = 0; k < w.points(r).size(); ++k) see(w.points(r)[k], w.velocities(r)[k]);
    for (BodyId b : w.bodies()) see(w.center(b), w.velocity(b));
    return most;
}

inline double massOf(const World& w, RopeId rope) {
    double sum = 0;
    for (int k = 0; k < int(w.points(rope).size()); ++k) sum += widen(w.mass(rope, k));
    return sum;
}

// How often events of this kind were told in the last step.
inline int told(const World& w, Event::Kind kind) {
    return int(
        std::count_if(w.events().begin(), w.events().end(), [&](const Event& e) { return e.kind == kind; }));
}

// The same random numbers on every machine, which std's distributions do not promise.
class Random {
public:
    explicit Random(unsigned seed) : bits_(seed) {}
    double between(double low, double high) { return low + (high - low) * double(bits_()) / 4294967296.0; }
    Vec3 direction() {
        const double y = between(-1, 1), a = between(0, 2 * std::numbers::pi), r = std::sqrt(1 - y * y);
        return narrow(Vec3d{r * std::cos(a), y, r * std::sin(a)});
    }

private:
    std::mt19937 bits_;
};

} // namespace capstan
