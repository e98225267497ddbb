// SPDX-License-Identifier: MIT
// Joints of Ten Minute Physics scenes (ten_minute.hpp).
//
// One frame, in the world at the start: x is the axis, y the zero of the angle. Compliances are in m/N and rad/(N m),
// as ours. Damping is a rate, dw/dt = -rate w of the relative speed w; ours is a resistance, so
//   c = rate / (1/m0 + 1/m1),
// with the inverse inertias about the axis in place of the inverse masses where it resists turning.
#pragma once

#include "scene/format/json_object.hpp"
#include <capstan/joint_def.hpp>
#include <capstan/math/quat.hpp>

#include <optional>
#include <string>
#include <vector>

namespace capstan {

// One entry of the list of meshes.
struct TenMinuteMesh {
    JsonObject object;
    JsonObject properties;
    std::string name;
    std::string type; // simType
    Vec3d x = {0, 0, 0};
    Quatd q = Quatd::identity();
};

// What joints and visuals need of a body.
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

// Empty, with a note, for a joint of no known type. What is wrong with a value is told by the mesh's reading.
std::optional<JointDef> tenMinuteJoint(const TenMinuteMesh& m, const TenMinuteBody& a, const TenMinuteBody& b,
                                       std::vector<Error>& notes);

inline Vec3 single(Vec3d a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

} // namespace capstan
