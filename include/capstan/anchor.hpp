// SPDX-License-Identifier: MIT
// Anchor: a place that a call acts on. It is a point of the world, a node of a rope, a point of a body, or a vertex of
// a cloth. A negative node or vertex counts from the last one, which is -1.
#pragma once

#include <capstan/id.hpp>
#include <capstan/math/vec.hpp>

namespace capstan {

struct Anchor {
    ObjectKind kind = ObjectKind::None; // None: a point of the world
    ObjectId object = {};
    int element = 0;        // node of the rope, or vertex of the cloth
    Vec3 point = {0, 0, 0}; // m, in the world, or in the body's own axes

    Anchor(Vec3 worldPoint) : point(worldPoint) {}
    Anchor(RopeId rope, int node) : kind(ObjectKind::Rope), object(rope), element(node) {}
    Anchor(BodyId body, Vec3 localPoint) : kind(ObjectKind::Body), object(body), point(localPoint) {}
    Anchor(ClothId cloth, int vertex) : kind(ObjectKind::Cloth), object(cloth), element(vertex) {}
};

} // namespace capstan
