// SPDX-License-Identifier: MIT
// Where a body is, how it moves, what it weighs, what a joint bears, and what a ray meets.
#pragma once

#include <capstan/field.hpp>
#include <capstan/id.hpp>
#include <capstan/math/quat.hpp>

#include <cstdint>

namespace capstan {

struct Transform {
    Vec3 position = {0, 0, 0};
    Quatf rotation = Quatf::identity();

    Vec3 point(Vec3 local) const { return position + rotate(rotation, local); } // into the world
    Vec3 local(Vec3 point) const { return rotate(conjugate(rotation), point - position); }
    friend bool operator==(const Transform& a, const Transform& b) {
        return a.position == b.position && a.rotation.vector() == b.rotation.vector() &&
               a.rotation.w == b.rotation.w;
    }
};

template <DefOf<Transform> D, class V> void fields(D& d, V&& visit) {
    visit("position", d.position, any("m", "of its origin"));
    visit("rotation", d.rotation, any("", "of its axes: x y z w"));
}

struct BodyVelocity {
    Vec3 linear = {0, 0, 0};  // m/s, of the centre of mass
    Vec3 angular = {0, 0, 0}; // rad/s
};

struct MassProperties {
    float mass = 0;                 // kg
    Vec3 centerOfMass = {0, 0, 0};  // m, in the body
    Vec3 inertia = {0, 0, 0};       // kg m^2, about the centre of mass, along its principal axes
    Quatf axes = Quatf::identity(); // those axes in the body
};

struct JointForces {
    Vec3 force = {0, 0, 0};  // N, on body1, in the world, during the last substep
    Vec3 torque = {0, 0, 0}; // N m, on body1 about the anchor
    float angle = 0;         // rad, about the axis; counts full turns
    float distance = 0;      // m, along the axis, or between the two points of a distance joint
    float gap = 0;           // m, by which the two sides are apart where they should not be
    bool broken = false;     // by breakForce or breakTorque
};

// What a ray meets first.
struct RayHit {
    ObjectId object = {};       // null: the ray met nothing
    int element = 0;            // which shape of the body
    Vec3 point = {0, 0, 0};     // m, in the world
    Vec3 normal = {0, 0, 0};    // unit vector, out of the surface
    float distance = 0;         // m, from where the ray starts
    std::uint64_t userData = 0; // of the object's Def

    explicit operator bool() const { return bool(object); }
};

} // namespace capstan
