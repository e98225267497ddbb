// SPDX-License-Identifier: MIT
// A Camera looks at a target from a distance, with y up. It can orbit, pan, zoom, give the ray through a pixel, and
// frame a box. Pixels count from the upper left corner, like mouse coordinates.
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
    bool visible = false; // true: in front of the eye
};

struct Camera {
    Vec3 target = {0, 1, 0};
    float yaw = 0.6f;         // rad; 0 looks along -z, from +z
    float pitch = 0.3f;       // rad; positive: the eye is above the target
    float distance = 6;       // m
    float fieldOfView = 0.7f; // rad, vertical

    static Camera at(Vec3 eye, Vec3 target, float fieldOfView = 0.7f);
    // framing returns a camera that shows a whole box, seen from the direction of yaw and pitch.
    static Camera framing(Vec3 lower, Vec3 upper, float aspect, float yaw = 0.6f, float pitch = 0.3f);

    Vec3 eye() const;
    Vec3 forward() const; // these three are unit vectors
    Vec3 right() const;
    Vec3 up() const;
    float nearest() const; // m, distance of the near plane
    float farthest() const;
    Mat4 view() const;
    Mat4 projection(float aspect) const;

    void orbit(float dx, float dy); // pixels of a mouse drag
    // pan moves the target so that the scene follows the mouse. `height` is the height of the picture [pixels].
    void pan(float dx, float dy, float height);
    void zoom(float steps);                          // steps of a wheel; positive moves nearer
    void fly(float ahead, float aside, float above); // m; moves target and eye together

    Ray ray(float x, float y, float width, float height) const; // returns the ray through a pixel
    Pixel project(Vec3 point, float width, float height) const;
    // metresPerPixel returns the width [m] of one pixel at the depth of a point. Picking of thin ropes uses it as a
    // tolerance.
    float metresPerPixel(Vec3 point, float height) const;
};

} // namespace capstan::render
