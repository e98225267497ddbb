// SPDX-License-Identifier: MIT
// Checks a BodyDef and makes a body from it: its shapes, mass, principal axes and initial state.
//
// The mass is `mass`, or follows from shapes and densities. The inertia is `inertia`, or follows from the shapes,
// scaled to the mass. The centre of mass is `centerOfMass`, or follows from the shapes. If `centerOfMass` is given,
// the inertia about the centre of mass is unchanged, as if the matter had been shifted. The parallel-axis rule was
// refused here: it gives the inertia about a point that is not the centre of mass.
#pragma once

#include "builder/shape.hpp"
#include "model/body.hpp"
#include <capstan/result.hpp>

namespace capstan {

// Checks a BodyDef. An Error's `where` is the path of the field: "/mass", "/parts/1/size".
Status checkBody(const BodyDef& def);

// Sets a body and its state; after an Error both are unchanged. The body's generation is kept. A body that is not
// dynamic has mass 0 and velocity 0, but its centre of mass and axes follow from its shapes.
Status makeBody(const BodyDef& def, Body& body, BodyState& state);

} // namespace capstan
