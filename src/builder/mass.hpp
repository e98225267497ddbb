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

// Volume, centre and inertia in the shape's own axes, without Shape::at.
SolidMass solidMass(const Shape& shape);
// The same solid in the axes in which it has the pose `at`.
SolidMass placed(const SolidMass& m, const Pose& at);

// Mass, centre and inertia of several shapes, each with its density, in the body's axes. Where two shapes
// overlap, both count. If there is no volume (planes, meshes), the centre is the origin of the first shape.
struct CompoundMass {
    double mass = 0;
    Vec3d center = {0, 0, 0};
    Sym3<double> inertia = {0, 0, 0, 0, 0, 0}; // about the centre
};
CompoundMass compoundMass(const std::vector<Shape>& shapes, const std::vector<double>& densities);

// The axes in which an inertia is three numbers: inertia = axes diag axes^T. It is a right-handed frame near
// the given one. A tensor that is diagonal already keeps its axes and their order.
struct PrincipalAxes {
    Vec3d inertia = {0, 0, 0};
    Quatd axes = Quatd::identity();
};
PrincipalAxes principalAxes(const Sym3<double>& inertia);

} // namespace capstan
