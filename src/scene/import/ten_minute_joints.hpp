// SPDX-License-Identifier: MIT
// Converts joints of Ten Minute Physics scenes (ten_minute.hpp).
//
// A joint has one frame, in the world at the start: x is the axis, and y is the direction of angle zero. Compliances
// are in m/N and rad/(N m), as in Capstan. Damping in the file is a rate [1/s], dw/dt = -rate w, of the relative
// velocity w. In Capstan it is a resistance c [N s/m], so
//   c = rate / (1/m0 + 1/m1),
// where m0 and m1 are the masses of the two bodies. For rotation, the inverse moments of inertia about the axis
// replace the inverse masses.
#pragma once

#include "scene/format/json_object.hpp"
#include <capstan/joint_def.hpp>
#include <capstan/math/quat.hpp>

#include <optional>
#include <string>
#include <vector>

namespace capstan {

// One element of the file's list of meshes.
struct TenMinuteMesh {
    JsonObject object;
    JsonObject properties;
    std::string name;
    std::string type; // simType
    Vec3d x = {0, 0, 0};
    Quatd q = Quatd::identity();
};

// The data of a body that joints and visuals need.
struct TenMinuteBody {
    Vec3d x = {0, 0, 0};
    Quatd q = Quatd::identity();
    double inverseMass = 0;
    Vec3d inverseInertia = {0, 0, 0}; // along its own axes

    // Returns the inverse moment of inertia about a unit vector in the world.
    double about(Vec3d axis) const {
        Vec3d a = rotate(conjugate(q), axis);
        return inverseInertia.x * a.x * a.x + inverseInertia.y * a.y * a.y + inverseInertia.z * a.z * a.z;
    }
    double aboutAny() const { return (inverseInertia.x + inverseInertia.y + inverseInertia.z) / 3; }
};

// Returns nullopt, with a note, for a joint of unknown type. A wrong value sets the error of the mesh's JsonReading.
std::optional<JointDef> tenMinuteJoint(const TenMinuteMesh& m, const TenMinuteBody& a, const TenMinuteBody& b,
                                       std::vector<Error>& notes);

inline Vec3 single(Vec3d a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

} // namespace capstan
