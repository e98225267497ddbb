// SPDX-License-Identifier: MIT
// Builders of ropes, bodies and joints for the generated worlds. They use only Capstan's public API.
#pragma once

#include <worlds/workloads.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace capstan {

inline constexpr float kFrame = 1.0f / 60;
inline constexpr double kG = 9.81; // m/s^2, default of WorldDef::gravity
inline constexpr double kPi = std::numbers::pi;
inline constexpr Vec3 kNoGravity = {0, 0, 0};

inline WorldDef weightless() {
    WorldDef d;
    d.gravity = kNoGravity;
    return d;
}

inline BodyDef box(Vec3 at, float mass = 1, Vec3 size = {0.2f, 0.2f, 0.2f}) {
    BodyDef d;
    d.shape = Box{size};
    d.mass = mass;
    d.position = at;
    return d;
}

inline BodyDef ofType(BodyType type, BodyDef d) {
    d.type = type;
    return d;
}

inline BodyDef floorAt(float y = 0, float friction = 0.5f) {
    BodyDef d;
    d.type = BodyType::Static;
    d.shape = Plane{};
    d.position = {0, y, 0};
    d.material.friction = friction;
    return d;
}

// Returns a static cylinder along z. The shape is rotated within the body, so the body's frame stays that of the
// world.
inline BodyDef poleAlongZ(Vec3 at, float radius, float length, float friction) {
    BodyDef d;
    d.type = BodyType::Static;
    d.position = at;
    d.material.friction = friction;
    d.shape = ShapeDef(Cylinder{radius, length}).at({0, 0, 0}, fromTo(Vec3{0, 1, 0}, Vec3{0, 0, 1}));
    return d;
}

inline JointDef joint(JointType type, BodyRef body0, BodyRef body1, Vec3 anchor, Vec3 axis = {1, 0, 0}) {
    JointDef d;
    d.type = type;
    d.body0 = body0;
    d.body1 = body1;
    d.anchor = anchor;
    d.axis = axis;
    return d;
}

inline RopeDef straight(Vec3 from, Vec3 to, int segments, float radius = 0.01f) {
    RopeDef d;
    d.from = from;
    d.to = to;
    d.segments = segments;
    d.radius = radius;
    return d;
}

// Returns a closed rope: a circle about `center` in the plane of the unit vectors e and f.
inline RopeDef ring(Vec3 center, Vec3 e, Vec3 f, float radius, int nodes, float thick = 0.01f) {
    RopeDef d;
    d.closed = true;
    d.segments = 0;
    d.radius = thick;
    for (int k = 0; k < nodes; ++k) {
        const double a = 2 * kPi * k / nodes;
        d.points.push_back(center + radius * (narrow(std::cos(a)) * e + narrow(std::sin(a)) * f));
    }
    return d;
}

// Returns a rope that lies over a pole along z at (0, height, 0). `left` and `right` are the lengths of its two ends
// [m].
inline RopeDef over(float height, float poleRadius, float left, float right, int segments, float radius) {
    RopeDef d;
    d.segments = segments;
    d.radius = radius;
    const double R = widen(poleRadius + radius) * 1.001, y = widen(height);
    d.points.push_back({narrow(-R), height - left, 0});
    for (int k = 0; k <= 48; ++k) {
        const double a = kPi * (1 - k / 48.0);
        d.points.push_back({narrow(R * std::cos(a)), narrow(y + R * std::sin(a)), 0});
    }
    d.points.push_back({narrow(R), height - right, 0});
    return d;
}

// Returns a square horizontal sheet with its centre at (0, height, 0).
inline ClothDef sheet(int cells, float size, float height) {
    ClothDef d;
    d.origin = {-0.5f * size, height, -0.5f * size};
    d.edgeU = {size, 0, 0};
    d.edgeV = {0, 0, size};
    d.cellsU = d.cellsV = cells;
    d.shearStiffness = 20;
    d.bendStiffness = 5e-5f;
    d.damping = 0.5f;
    return d;
}

inline double massOf(const World& w, RopeId rope) {
    double sum = 0;
    for (int k = 0; k < int(w.positions(rope).size()); ++k) sum += widen(w.mass({rope, k}));
    return sum;
}

// Random numbers that are the same on every machine. The standard library's distributions differ between compilers.
class Random {
public:
    explicit Random(unsigned seed) : bits_(seed) {}
    double between(double low, double high) { return low + (high - low) * double(bits_()) / 4294967296.0; }
    float number(double low, double high) { return narrow(between(low, high)); }
    Vec3 vector(double size) { // each component is in [-size, size]
        const float x = number(-size, size), y = number(-size, size);
        return {x, y, number(-size, size)};
    }
    Vec3 direction() {
        const double y = between(-1, 1), a = between(0, 2 * kPi), r = std::sqrt(1 - y * y);
        return narrow(Vec3d{r * std::cos(a), y, r * std::sin(a)});
    }

private:
    std::mt19937 bits_;
};

} // namespace capstan
