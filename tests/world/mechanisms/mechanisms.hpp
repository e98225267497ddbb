// SPDX-License-Identifier: MIT
// Helpers of the mechanism tests: bodies, joints and measurements. Measurements use the transforms that a user reads,
// not jointForces().
#pragma once

#include <tests/world/worlds.hpp>

#include <worlds/parts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace capstan {

// Returns the moment of inertia of a box about its centre: m (a^2 + b^2) / 12 about the axis across the sides a and
// b.
inline double boxInertia(double mass, double a, double b) { return mass * (a * a + b * b) / 12; }

// Measures a joint by the anchor and axis that each of its bodies carries along, from the construction of the Probe
// on.
class Probe {
public:
    Probe(const World& w, BodyId a, BodyId b, Vec3 anchor, Vec3 axis = {1, 0, 0}) : w_(w), a_(a), b_(b) {
        const Vec3 x = normalize(axis), y = perpendicular(x);
        for (int i : {0, 1}) {
            const Transform t = at(i);
            point_[i] = t.local(anchor);
            x_[i] = rotate(conjugate(t.rotation), x);
            y_[i] = rotate(conjugate(t.rotation), y);
        }
    }
    Vec3d apart() const { return widen(at(1).point(point_[1])) - widen(at(0).point(point_[0])); }
    double gap() const { return length(apart()); }
    double slide() const { return dot(apart(), axis(0)); }
    // Returns the gap without its component along the axis [m].
    double across() const { return length(apart() - slide() * axis(0)); }
    // Returns the angle between the two axes [rad].
    double tilt() const { return std::asin(length(cross(axis(0), axis(1)))); }
    double turn() const { // rad, rotation of body 1 about the axis
        const Vec3d y0 = side(0, y_[0]), y1 = side(1, y_[1]);
        return std::atan2(dot(cross(y0, y1), axis(0)), dot(y0, y1));
    }
    Vec3d axis(int i) const { return side(i, x_[i]); }

private:
    Transform at(int i) const {
        const BodyId id = i == 0 ? a_ : b_;
        return id ? w_.pose(id) : Transform{};
    }
    Vec3d side(int i, Vec3 v) const { return widen(rotate(at(i).rotation, v)); }

    const World& w_;
    BodyId a_, b_;
    Vec3 point_[2], x_[2], y_[2];
};

inline void run(World& w, double seconds) {
    for (int i = 0; i < int(std::lround(seconds * 60)); ++i) w.step(kFrame);
}

inline Vec3 someVector(std::mt19937& random, float size) {
    std::uniform_real_distribution<float> in(-size, size);
    // Separate variables, because C++ does not specify the order in which arguments are evaluated.
    const float x = in(random), y = in(random);
    return {x, y, in(random)};
}

// The largest values in a run of frames.
struct Course {
    float gap = 0; // m, largest gap
    double energyStart = 0, energyMost = -1e300, energyEnd = 0;
    int retries = 0, heldStill = 0, quarantined = 0;
};

inline Course course(World& w, double seconds) {
    Course c;
    c.energyStart = w.energy().total();
    for (int i = 0; i < int(std::lround(seconds * 60)); ++i) {
        const Report& r = w.step(kFrame);
        c.gap = std::max(c.gap, r.maxGap);
        c.retries += r.retries;
        c.heldStill += r.heldStill;
        c.quarantined = std::max(c.quarantined, r.quarantined);
        c.energyEnd = w.energy().total();
        c.energyMost = std::max(c.energyMost, c.energyEnd);
    }
    return c;
}

} // namespace capstan
