// SPDX-License-Identifier: MIT
// These functions find the object under the cursor, and the segments that a stroke of the cursor crosses. They need no
// window: rays and pixels come from a camera.
#pragma once

#include <capstan/world.hpp>
#include <render/view/camera.hpp>

#include <vector>

namespace capstan::viewer {

// Picked is a body, a node of a rope, a vertex of a cloth or a strand of hair.
struct Picked {
    BodyId body = {};
    RopeId rope = {};
    ClothId cloth = {};
    HairId hair = {};
    int node = 0;           // node of the rope, vertex of the cloth, or strand of the hair
    Vec3 point = {0, 0, 0}; // intersection of the ray and the object
    float distance = 0;     // m, along the ray

    explicit operator bool() const { return bool(body) || bool(rope) || bool(cloth) || bool(hair); }
};

// pick returns the nearest object along the ray. A rope or a strand is hit if the ray passes within its radius plus a
// margin, because it is thin. The margin is `spread` per metre of distance (a few pixels: Camera::metresPerPixel).
// For a cloth, `node` is the vertex nearest to the hit point.
Picked pick(const World& world, const render::Ray& ray, float spread);

// alive returns true if the picked object still exists and still has the picked node.
bool alive(const World& world, const Picked& picked);

// positionOf returns the present position of a node, a vertex, the root of a strand, or a body's centre of mass.
Vec3 positionOf(const World& world, const Picked& picked);

// A Crossing is a segment of a rope that a straight stroke over the picture crosses.
struct Crossing {
    RopeId rope;
    int segment = 0;
};

// A Stroke is a straight line between two pixels of a picture. crossings() orders its crossings from the rope's last
// end to its first. So each cut keeps the segment numbers of the remaining crossings valid.
struct Stroke {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    float width = 1, height = 1; // size of the picture in pixels
    render::Camera camera;
};
std::vector<Crossing> crossings(const World& world, const Stroke& stroke);

// A Spot is the position of an end of a new rope: on a body or on the ground. If the ray hits neither, the position
// is in the plane through the camera's target.
struct Spot {
    BodyId body = {};
    Vec3 point = {0, 0, 0};
};
Spot spotUnder(const World& world, const render::Ray& ray, const render::Camera& camera, float groundHeight);

} // namespace capstan::viewer
