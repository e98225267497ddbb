// SPDX-License-Identifier: MIT
// Shape: a solid or a surface in the form that collision uses. builder/shape.hpp makes it from a ShapeDef.
#pragma once

#include <capstan/body_def.hpp>

#include <array>
#include <vector>

namespace capstan {

struct Pose {
    Vec3d x = {0, 0, 0};
    Quatd q = Quatd::identity();

    Vec3d point(Vec3d local) const {
        return x + rotate(q, local);
    } // converts from the pose's axes to the
      // outer axes; local() converts back
    Vec3d local(Vec3d point) const { return rotate(conjugate(q), point - x); }
};

// Composes two poses: b is given in the axes of a, the result in the outer axes.
inline Pose operator*(const Pose& a, const Pose& b) { return {a.point(b.x), normalize(a.q * b.q)}; }
// Inverts that composition: a and b are given in the outer axes, and the result is b in the axes of a.
inline Pose from(const Pose& a, const Pose& b) { return {a.local(b.x), normalize(conjugate(a.q) * b.q)}; }

struct Shape {
    ShapeKind kind = ShapeKind::None;
    Pose at;                // in the body's own axes (those of its Def, not the principal ones)
    Vec3d half = {0, 0, 0}; // box: half of its edges
    double radius = 0;      // sphere, capsule, cylinder
    double halfLength = 0;  // capsule, cylinder: half of the straight part, along y

    // Hull: corners, and triangles that are counter-clockwise as seen from outside. Mesh: triangles of
    // nonzero area; corners may be unused or at the same position.
    std::vector<Vec3d> corners;
    std::vector<std::array<int, 3>> triangles;
};

} // namespace capstan
