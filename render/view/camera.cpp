// SPDX-License-Identifier: MIT
// This file implements camera.hpp.
#include <render/view/camera.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::render {
namespace {

constexpr float kSteepest = 1.55f;                  // rad, largest pitch; looking straight down has no "up"
constexpr float kNearest = 0.02f, kFarthest = 5e4f; // m, limits of the distance

} // namespace

Camera Camera::at(Vec3 eye, Vec3 target, float fieldOfView) {
    Camera c;
    const Vec3 arm = eye - target;
    c.target = target;
    c.fieldOfView = fieldOfView;
    c.distance = std::clamp(length(arm), kNearest, kFarthest);
    c.yaw = std::atan2(arm.x, arm.z);
    c.pitch = std::clamp(std::asin(std::clamp(arm.y / c.distance, -1.0f, 1.0f)), -kSteepest, kSteepest);
    return c;
}

// framing chooses the distance. Each corner of the box must lie within the half angles of the view:
// distance >= (offset to the side) / tan(half angle) + (offset towards the eye).
Camera Camera::framing(Vec3 lower, Vec3 upper, float aspect, float yaw, float pitch) {
    Camera c;
    c.target = 0.5f * (lower + upper);
    c.yaw = yaw;
    c.pitch = pitch;
    c.distance = 1;
    const Vec3 ahead = c.forward(), aside = c.right(), above = c.up();
    const float tall = std::tan(0.5f * c.fieldOfView), wide = tall * aspect;
    float far = 0.1f;
    for (int i = 0; i < 8; ++i) {
        const Vec3 corner = {i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z};
        const Vec3 d = corner - c.target;
        const float side = std::max(std::abs(dot(d, aside)) / wide, std::abs(dot(d, above)) / tall);
        far = std::max(far, side - dot(d, ahead));
    }
    c.distance = std::clamp(1.07f * far, kNearest, kFarthest);
    return c;
}

Vec3 Camera::forward() const {
    return {-std::cos(pitch) * std::sin(yaw), -std::sin(pitch), -std::cos(pitch) * std::cos(yaw)};
}
Vec3 Camera::right() const { return {std::cos(yaw), 0, -std::sin(yaw)}; }
Vec3 Camera::up() const { return cross(right(), forward()); }
Vec3 Camera::eye() const { return target - distance * forward(); }
float Camera::nearest() const { return std::max(0.01f * distance, 0.005f); }
float Camera::farthest() const { return std::max(400.0f, 60 * distance); }
Mat4 Camera::view() const { return lookAt(eye(), target, {0, 1, 0}); }
Mat4 Camera::projection(float aspect) const {
    return perspective(fieldOfView, aspect, nearest(), farthest());
}

void Camera::orbit(float dx, float dy) {
    yaw = std::remainder(yaw - 0.008f * dx, 6.2831853f);
    pitch = std::clamp(pitch + 0.008f * dy, -kSteepest, kSteepest);
}

void Camera::pan(float dx, float dy, float height) {
    const float metres = 2 * distance * std::tan(0.5f * fieldOfView) / std::max(height, 1.0f);
    target = target - (metres * dx) * right() + (metres * dy) * up();
}

void Camera::zoom(float steps) {
    distance = std::clamp(distance * std::pow(0.88f, steps), kNearest, kFarthest);
}

void Camera::fly(float ahead, float aside, float above) {
    target = target + ahead * forward() + aside * right() + Vec3{0, above, 0};
}

Ray Camera::ray(float x, float y, float width, float height) const {
    const float tall = std::tan(0.5f * fieldOfView), wide = tall * width / height;
    const float u = 2 * x / width - 1, v = 1 - 2 * y / height;
    return {eye(), normalize(forward() + (u * wide) * right() + (v * tall) * up())};
}

Pixel Camera::project(Vec3 point, float width, float height) const {
    const Vec3 d = point - eye();
    const float depth = dot(d, forward());
    if (!(depth > nearest())) return {0, 0, depth, false};
    const float tall = std::tan(0.5f * fieldOfView), wide = tall * width / height;
    const float u = dot(d, right()) / (depth * wide), v = dot(d, up()) / (depth * tall);
    return {0.5f * (u + 1) * width, 0.5f * (1 - v) * height, depth, true};
}

float Camera::metresPerPixel(Vec3 point, float height) const {
    const float depth = std::max(dot(point - eye(), forward()), nearest());
    return 2 * depth * std::tan(0.5f * fieldOfView) / std::max(height, 1.0f);
}

} // namespace capstan::render
