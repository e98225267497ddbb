// SPDX-License-Identifier: MIT
// What the cursor points at, and what a stroke of it crosses. No window here: rays and pixels come from a camera.
#pragma once

#include <capstan/world.hpp>
#include <render/view/camera.hpp>

#include <vector>

namespace capstan::viewer {

// A body, a node of a rope, a vertex of a cloth or a strand of hair.
struct Picked {
    BodyId body = {};
    RopeId rope = {};
    ClothId cloth = {};
    HairId hair = {};
    int node = 0;           // of the rope; the cloth's vertex, the hair's strand
    Vec3 point = {0, 0, 0}; // where the ray meets it
    float distance = 0;     // m, along the ray

    explicit operator bool() const { return bool(body) || bool(rope) || bool(cloth) || bool(hair); }
};

// The nearest thing along the ray. Ropes and strands are thin, so one counts as hit when the ray passes within its radius
// plus `spread` per metre of distance (a few pixels: Camera::metresPerPixel). Of a cloth the vertex is meant that is
// nearest to where the ray meets it.
Picked pick(const World& world, const render::Ray& ray, float spread);

// Whether what was picked is still there, with that many nodes.
bool alive(const World& world, const Picked& picked);

// Where it is now: the node or vertex, the root of the strand, or the body's centre of mass.
Vec3 placeOf(const World& world, const Picked& picked);

// A segment of a rope that a straight stroke over the picture crosses.
struct Crossing {
    RopeId rope;
    int segment = 0;
};

// From one pixel to another. Of each rope all crossings, from its last end to its first: cut in this order, numbers not
// yet reached stay true.
struct Stroke {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    float width = 1, height = 1; // of the picture
    render::Camera camera;
};
std::vector<Crossing> crossings(const World& world, const Stroke& stroke);

// Where an end of a new rope goes: on a body, else on the ground, else in the plane through the camera's target.
struct Spot {
    BodyId body = {};
    Vec3 point = {0, 0, 0};
};
Spot spotUnder(const World& world, const render::Ray& ray, const render::Camera& camera, float groundHeight);

} // namespace capstan::viewer
