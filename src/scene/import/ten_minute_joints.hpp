// SPDX-License-Identifier: MIT
// This file converts joints of Ten Minute Physics scenes (ten_minute.hpp).
//
// A joint has one frame, in the world at the start: x is the axis, and y is the direction of angle zero. Compliances
// are in m/N and rad/(N m), as in this engine. Damping there is a rate, dw/dt = -rate w, of the relative velocity w.
// Here it is a resistance, so
//   c = rate / (1/m0 + 1/m1),
// Where it resists turning, the inverse inertias about the axis replace the inverse masses.
#pragma once

#include "scene/format/json_object.hpp"
#include <capstan/joint_def.hpp>
#include <capstan/math/quat.hpp>

#include <optional>
#include <string>
#include <vector>

namespace capstan {

// A TenMinuteMesh is one entry of the list of meshes.
struct TenMinuteMesh {
    JsonObject object;
    JsonObject properties;
    std::string name;
    std::string type; // simType
    Vec3d x = {0, 0, 0};
    Quatd q = Quatd::identity();
};

// TenMinuteBody holds the data of a body that joints and visuals need.
struct TenMinuteBody {
    Vec3d x = {0, 0, 0};
    Quatd q = Quatd::identity();
    double inverseMass = 0;
    Vec3d inverseInertia = {0, 0, 0}; // along its own axes

    double about(Vec3d axis) const {
        Vec3d a = rotate(conjugate(q), axis);
        return inverseInertia.x * a.x * a.x + inverseInertia.y * a.y * a.y + inverseInertia.z * a.z * a.z;
    }
    double aboutAny() const { return (inverseInertia.x + inverseInertia.y + inverseInertia.z) / 3; }
};

// The result is empty, with a note, for a joint of unknown type. A wrong value sets the error of the mesh's
// JsonReading.
std::optional<JointDef> tenMinuteJoint(const TenMinuteMesh& m, const TenMinuteBody& a, const TenMinuteBody& b,
                                       std::vector<Error>& notes);

inline Vec3 single(Vec3d a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

} // namespace capstan
