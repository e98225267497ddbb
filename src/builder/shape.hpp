// SPDX-License-Identifier: MIT
// From a ShapeDef to a Shape.
#pragma once

#include "collision/geometry/shape.hpp"
#include <capstan/result.hpp>

namespace capstan {

// The rotation that a Def means: its quaternion, made a unit one in double.
inline Quatd unitRotation(Quatf q) {
    return normalize(Quatd{widen(q.x), widen(q.y), widen(q.z), widen(q.w)});
}
// Whether it was one to begin with. A Def that says false is taken all the same, but deserves a note.
bool rotationIsUnit(Quatf q);

// An Error's `where` is the path of the field: "/size", "/points/3".
Result<Shape> makeShape(const ShapeDef& def);

} // namespace capstan
