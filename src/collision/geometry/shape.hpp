// SPDX-License-Identifier: MIT
// Shape: a solid or a surface as the engine holds it. Made from a ShapeDef by builder/shape.hpp; asked questions in collision/.
#pragma once

#include <capstan/body_def.hpp>

#include <array>
#include <vector>

namespace capstan {

struct Pose {
    Vec3d x = {0, 0, 0};
    Quatd q = Quatd::identity();

    Vec3d point(Vec3d local) const { return x + rotate(q, local); } // out of the pose's axes
    Vec3d local(Vec3d point) const { return rotate(conjugate(q), point - x); }
};

// a, then b seen from a.
inline Pose operator*(const Pose& a, const Pose& b) { return {a.point(b.x), normalize(a.q * b.q)}; }
// b seen from a.
inline Pose from(const Pose& a, const Pose& b) { return {a.local(b.x), normalize(conjugate(a.q) * b.q)}; }

struct Shape {
    ShapeKind kind = ShapeKind::None;
    Pose at;                // in the body's own axes (those of its def, not the principal ones)
    Vec3d half = {0, 0, 0}; // box: half of its edges
    double radius = 0;      // sphere, capsule, cylinder
    double halfLength = 0;  // capsule, cylinder: half of the straight part, along y

    // Hull: corners, and triangles seen from outside counter-clockwise. Mesh: triangles that all have an area; corners
    // may be unused or lie in one place.
    std::vector<Vec3d> corners;
    std::vector<std::array<int, 3>> triangles;
};

} // namespace capstan
