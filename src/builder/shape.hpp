// SPDX-License-Identifier: MIT
// Checks a ShapeDef and makes a Shape from it.
#pragma once

#include "collision/geometry/shape.hpp"
#include <capstan/result.hpp>

namespace capstan {

// The rotation of a Def: its quaternion, normalised in double.
inline Quatd unitRotation(Quatf q) {
    return normalize(Quatd{widen(q.x), widen(q.y), widen(q.z), widen(q.w)});
}
// Returns true if the quaternion is a unit quaternion already. If it is not, the Def is still accepted, but
// a warning is due.
bool rotationIsUnit(Quatf q);

// Makes a Shape from a ShapeDef. An Error's `where` is the path of the field: "/size", "/points/3".
Result<Shape> makeShape(const ShapeDef& def);

} // namespace capstan
