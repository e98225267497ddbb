// SPDX-License-Identifier: MIT
// Checks a ShapeDef and makes a Shape from it.
#pragma once

#include "collision/geometry/shape.hpp"
#include <capstan/result.hpp>

namespace capstan {

// Returns the rotation of a Def, normalised in double.
inline Quatd unitRotation(Quatf q) {
    return normalize(Quatd{widen(q.x), widen(q.y), widen(q.z), widen(q.w)});
}
// Returns true if the quaternion is a unit quaternion up to 1e-3. Otherwise the Def is still accepted, but the reader
// of scenes adds a note.
bool rotationIsUnit(Quatf q);

// Makes a Shape from a ShapeDef. An Error's `where` is the path of the field: "/size", "/points/3".
Result<Shape> makeShape(const ShapeDef& def);

} // namespace capstan
