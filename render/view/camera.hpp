// SPDX-License-Identifier: MIT
// A Camera looks at a target from a distance; y is up. It has orbit, pan, zoom, the ray through a pixel, and framing
// of a box. Pixels count from the upper left corner, like mouse coordinates.
#pragma once

#include <render/view/mat4.hpp>

namespace capstan::render {

struct Ray {
    Vec3 from = {0, 0, 0};
    Vec3 direction = {0, 0, -1}; // a unit vector
};

struct Pixel {
    float x = 0, y = 0;
    float depth = 0;      // m, in front of the eye
    bool visible = false; // in front of the eye, not behind it
};

struct Camera {
    Vec3 target = {0, 1, 0};
    float yaw = 0.6f;         // rad; 0 looks along -z, from +z
    float pitch = 0.3f;       // rad; positive: the eye is above the target
    float distance = 6;       // m
    float fieldOfView = 0.7f; // rad, vertical

    static Camera at(Vec3 eye, Vec3 target, float fieldOfView = 0.7f);
    // framing puts a whole box into the picture, seen from the side that yaw and pitch give.
    static Camera framing(Vec3 lower, Vec3 upper, float aspect, float yaw = 0.6f, float pitch = 0.3f);

    Vec3 eye() const;
    Vec3 forward() const; // unit vectors
    Vec3 right() const;
    Vec3 up() const;
    float nearest() const; // m, distance of the near plane
    float farthest() const;
    Mat4 view() const;
    Mat4 projection(float aspect) const;

    void orbit(float dx, float dy); // pixels of a mouse drag
    // pan moves the target so that its plane follows the mouse; `height` is that of the picture.
    void pan(float dx, float dy, float height);
    void zoom(float steps);                          // steps of a wheel; positive moves nearer
    void fly(float ahead, float aside, float above); // m; moves target and eye together

    Ray ray(float x, float y, float width, float height) const; // through a pixel
    Pixel project(Vec3 point, float width, float height) const;
    // metresPerPixel gives the metres that one pixel covers at a point's depth. With it thin ropes are picked with a
    // tolerance in pixels.
    float metresPerPixel(Vec3 point, float height) const;
};

} // namespace capstan::render
