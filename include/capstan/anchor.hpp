// SPDX-License-Identifier: MIT
// Anchor: a place that a World call acts on. It is a point of the world, a node of a rope, a point of a body, or a
// vertex of a cloth. A negative node or vertex number counts from the end: -1 is the last one.
#pragma once

#include <capstan/id.hpp>
#include <capstan/math/vec.hpp>

namespace capstan {

struct Anchor {
    ObjectKind kind = ObjectKind::None; // None: `point` is a point of the world
    ObjectId object = {};               // the rope, body or cloth; null for a point of the world
    int element = 0;                    // number of the rope's node or of the cloth's vertex
    Vec3 point = {0, 0, 0};             // m; in the world (kind None), or in the body's axes (kind Body)

    Anchor(Vec3 worldPoint) : point(worldPoint) {}
    Anchor(RopeId rope, int node) : kind(ObjectKind::Rope), object(rope), element(node) {}
    Anchor(BodyId body, Vec3 localPoint) : kind(ObjectKind::Body), object(body), point(localPoint) {}
    Anchor(ClothId cloth, int vertex) : kind(ObjectKind::Cloth), object(cloth), element(vertex) {}
};

} // namespace capstan
