// SPDX-License-Identifier: MIT
// Checks a BodyDef and makes a body from it: its shapes, mass, principal axes and initial state.
//
// Mass comes from `mass`, or else from shapes and densities. Inertia comes from `inertia`, or else from the
// shapes, scaled to the mass. The centre of mass comes from `center`, or else from the shapes. If `center`
// is given, the inertia remains that about the centre of mass, as if the same matter had been moved there.
// The parallel-axis rule is refused for it: it gives the inertia about a point that is not the centre of
// mass.
#pragma once

#include "builder/shape.hpp"
#include "model/body.hpp"
#include <capstan/result.hpp>

namespace capstan {

// Checks a BodyDef. An Error's `where` is the path of the field: "/mass", "/parts/1/size".
Status checkBody(const BodyDef& def);

// Sets a body and its state; if there is an Error, both stay unchanged. The body's generation is kept. A
// body that is not dynamic has mass 0 and velocity 0, but its centre of mass and axes are those of its
// shapes.
Status makeBody(const BodyDef& def, Body& body, BodyState& state);

} // namespace capstan
