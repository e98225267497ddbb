// SPDX-License-Identifier: MIT
// Volume, centre and inertia of solids.
#pragma once

#include "collision/geometry/shape.hpp"

#include <vector>

namespace capstan {

struct SolidMass {
    double volume = 0;
    Vec3d center = {0, 0, 0};
    Sym3<double> inertia = {0, 0, 0, 0, 0, 0}; // about the centre, of a solid with density 1
};

// In the shape's own axes: Shape::at is left out.
SolidMass solidMass(const Shape& shape);
// The same solid seen from the axes in which it stands at `at`.
SolidMass placed(const SolidMass& m, const Pose& at);

// A body of several shapes, each with its density, in the body's axes. Where two overlap, both count. Without any
// volume (planes, meshes) the centre is the origin of the first.
struct CompoundMass {
    double mass = 0;
    Vec3d center = {0, 0, 0};
    Sym3<double> inertia = {0, 0, 0, 0, 0, 0}; // about the centre
};
CompoundMass compoundMass(const std::vector<Shape>& shapes, const std::vector<double>& densities);

// The axes along which an inertia is three numbers: inertia = axes diag axes^T, a right-handed frame near the
// one it was given in. A tensor that is diagonal already keeps its axes and their order.
struct PrincipalAxes {
    Vec3d inertia = {0, 0, 0};
    Quatd axes = Quatd::identity();
};
PrincipalAxes principalAxes(const Sym3<double>& inertia);

} // namespace capstan
