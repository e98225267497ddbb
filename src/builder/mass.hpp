// SPDX-License-Identifier: MIT
// Volume, centre of mass and inertia of solids.
#pragma once

#include "collision/geometry/shape.hpp"

#include <vector>

namespace capstan {

struct SolidMass {
    double volume = 0;                         // m^3
    Vec3d center = {0, 0, 0};                  // m, centre of mass
    Sym3<double> inertia = {0, 0, 0, 0, 0, 0}; // m^5, about the centre of mass, for density 1
};

// Returns volume, centre and inertia in the shape's own axes, without Shape::at.
SolidMass solidMass(const Shape& shape);
// Returns the solid in the axes in which it has the pose `at`.
SolidMass placed(const SolidMass& m, const Pose& at);

// Mass [kg], centre and inertia of several shapes, each with its density [kg/m^3], in the body's axes. If two shapes
// overlap, the common part counts twice. If there is no volume (planes, meshes), the centre is the origin of the
// first shape.
struct CompoundMass {
    double mass = 0;
    Vec3d center = {0, 0, 0};
    Sym3<double> inertia = {0, 0, 0, 0, 0, 0}; // kg m^2, about the centre
};
CompoundMass compoundMass(const std::vector<Shape>& shapes, const std::vector<double>& densities);

// Principal moments and axes: inertia tensor = axes diag(inertia) axes^T. The axes are a right-handed frame near the
// given one. A diagonal tensor keeps its axes and their order.
struct PrincipalAxes {
    Vec3d inertia = {0, 0, 0};
    Quatd axes = Quatd::identity();
};
PrincipalAxes principalAxes(const Sym3<double>& inertia);

} // namespace capstan
