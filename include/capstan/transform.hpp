// SPDX-License-Identifier: MIT
// Small structs that World returns: a body's pose, velocity and mass, the forces of a joint, and the hit of a ray.
#pragma once

#include <capstan/field.hpp>
#include <capstan/id.hpp>
#include <capstan/math/quat.hpp>

#include <cstdint>

namespace capstan {

struct Transform {
    Vec3 position = {0, 0, 0};
    Quatf rotation = Quatf::identity();

    // point() maps a point from the local axes to the world, and local() maps it back; both in metres.
    Vec3 point(Vec3 local) const { return position + rotate(rotation, local); }
    Vec3 local(Vec3 point) const { return rotate(conjugate(rotation), point - position); }
    friend bool operator==(const Transform& a, const Transform& b) {
        return a.position == b.position && a.rotation.vector() == b.rotation.vector() &&
               a.rotation.w == b.rotation.w;
    }
};

template <DefOf<Transform> D, class V> void fields(D& d, V&& visit) {
    visit("position", d.position, any("m", "position of the origin"));
    visit("rotation", d.rotation, any("", "rotation of the axes, as a quaternion x y z w"));
}

struct BodyVelocity {
    Vec3 linear = {0, 0, 0};  // m/s, of the centre of mass
    Vec3 angular = {0, 0, 0}; // rad/s, in the world
};

struct MassProperties {
    float mass = 0;                 // kg
    Vec3 centerOfMass = {0, 0, 0};  // m, in the body's axes
    Vec3 inertia = {0, 0, 0};       // kg m^2, about the centre of mass, along the principal axes
    Quatf axes = Quatf::identity(); // rotation of the principal axes in the body
};

// Forces and coordinates of a joint after the last step.
struct JointForces {
    Vec3 force = {0, 0, 0};  // N, on body1, in the world, during the last substep
    Vec3 torque = {0, 0, 0}; // N m, on body1 about the anchor
    float angle = 0;         // rad, about the axis; counts full turns
    float distance = 0;      // m, along the axis, or between the two points of a distance joint
    float gap = 0;           // m, distance between two points of the joint that should coincide
    bool broken = false;     // the force exceeded breakForce, or the torque breakTorque
};

// RayHit: the first surface that a ray hits.
struct RayHit {
    ObjectId object = {};       // null: the ray hit nothing
    int element = 0;            // index of the shape that was hit in its body
    Vec3 point = {0, 0, 0};     // m, in the world
    Vec3 normal = {0, 0, 0};    // unit vector, pointing out of the surface
    float distance = 0;         // m, from the start of the ray
    std::uint64_t userData = 0; // userData of the object's Def

    explicit operator bool() const { return bool(object); }
};

} // namespace capstan
