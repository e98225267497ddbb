// SPDX-License-Identifier: MIT
// From a BodyDef to a body: its shapes, its mass, its principal axes, and where it starts.
//
// Mass comes from `mass`, or else from shapes and densities. Inertia comes from `inertia`, or else from the
// shapes, scaled to the mass. The centre of mass comes from `center`, or else from the shapes; when it is
// given, the inertia stays the one about the centre of mass, as if the same matter had been moved there. The
// parallel-axis rule is refused for it: that gives the inertia about a point that is not the centre.
#pragma once

#include "builder/shape.hpp"
#include "model/body.hpp"
#include <capstan/result.hpp>

namespace capstan {

// The Def is sound, or an Error whose `where` is the path of the field: "/mass", "/parts/1/size".
Status checkBody(const BodyDef& def);

// Fills a body and its state; leaves both alone when there is an Error. The body's generation is kept. A body
// that is not dynamic has neither mass nor speed, but its centre and axes are those of its shapes.
Status makeBody(const BodyDef& def, Body& body, BodyState& state);

} // namespace capstan
