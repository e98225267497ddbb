// SPDX-License-Identifier: MIT
// See pick.hpp. The nearest points of a ray and a segment: Ericson 2005, "Real-time collision detection", 5.1.9.
#include <apps/viewer/pick.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::viewer {
namespace {

constexpr float kReach = 1e4f; // m

struct Nearest {
    float t = 0;    // along the ray
    float s = 0;    // along the segment, 0..1
    float miss = 0; // m
};

Nearest nearest(const render::Ray& ray, Vec3 a, Vec3 b) {
    const Vec3 e = b - a, r = ray.from - a;
    const float ee = dot(e, e), de = dot(ray.direction, e), dr = dot(ray.direction, r), er = dot(e, r);
    const float denominator = ee - de * de; // the direction is a unit vector
    float s = denominator > 1e-12f * ee ? (er - de * dr) / denominator : 0.0f;
    s = std::clamp(s, 0.0f, 1.0f);
    const float t = std::max(0.0f, s * de - dr);
    if (ee > 0) s = std::clamp((er + t * de) / ee, 0.0f, 1.0f);
    return {t, s, length(ray.from + t * ray.direction - (a + s * e))};
}

struct RopeHit {
    Picked picked;
    float excess = 0; // miss beyond the radius, per metre of distance
};

RopeHit pickRope(const World& world, const render::Ray& ray, float spread) {
    RopeHit best;
    best.excess = spread;
    for (RopeId rope : world.ropes()) {
        std::span<const Point> points = world.points(rope);
        const RopeDef& def = world.def(rope);
        const std::size_t n = points.size(), segments = def.closed ? n : n - 1;
        for (std::size_t i = 0; i < segments; ++i) {
            const Vec3 a = points[i], b = points[(i + 1) % n];
            const Nearest near = nearest(ray, a, b);
            if (!(near.t > 0)) continue;
            const float excess = std::max(0.0f, near.miss - def.radius) / near.t;
            const bool nearer = excess == 0 && best.excess == 0 && near.t < best.picked.distance;
            if (!(excess < best.excess) && !nearer) continue;
            best.excess = excess;
            best.picked.rope = rope;
            best.picked.node = static_cast<int>(near.s < 0.5f ? i : (i + 1) % n);
            best.picked.point = a + near.s * (b - a);
            best.picked.distance = near.t;
        }
    }
    return best;
}

float side(float ax, float ay, float bx, float by, float px, float py) {
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax);
}

bool cross(const Stroke& s, const render::Pixel& a, const render::Pixel& b) {
    const float p = side(s.x0, s.y0, s.x1, s.y1, a.x, a.y), q = side(s.x0, s.y0, s.x1, s.y1, b.x, b.y);
    const float u = side(a.x, a.y, b.x, b.y, s.x0, s.y0), v = side(a.x, a.y, b.x, b.y, s.x1, s.y1);
    return (p < 0) != (q < 0) && (u < 0) != (v < 0);
}

} // namespace

Picked pick(const World& world, const render::Ray& ray, float spread) {
    const RopeHit rope = pickRope(world, ray, spread);
    const RayHit hit = world.pick(ray.from, ray.direction, kReach);
    if (!hit) return rope.picked;
    // A rope that lies on a body, or is tied to it, is meant rather than the body.
    if (rope.picked && rope.picked.distance < hit.distance * (1 + 2 * spread)) return rope.picked;
    Picked body;
    body.body = hit.body;
    body.point = hit.point;
    body.distance = hit.distance;
    return body;
}

bool alive(const World& world, const Picked& picked) {
    if (picked.body) return world.alive(picked.body);
    return world.alive(picked.rope) && picked.node >= 0 &&
           picked.node < static_cast<int>(world.points(picked.rope).size());
}

Vec3 placeOf(const World& world, const Picked& picked) {
    if (!alive(world, picked)) return picked.point;
    if (picked.body) return world.center(picked.body);
    return world.points(picked.rope)[static_cast<std::size_t>(picked.node)];
}

std::vector<Crossing> crossings(const World& world, const Stroke& stroke) {
    std::vector<Crossing> found;
    std::vector<render::Pixel> pixels;
    for (RopeId rope : world.ropes()) {
        std::span<const Point> points = world.points(rope);
        pixels.clear();
        for (const Point& p : points) pixels.push_back(stroke.camera.project(p, stroke.width, stroke.height));
        const std::size_t n = points.size(), segments = world.def(rope).closed ? n : n - 1;
        for (std::size_t i = segments; i-- > 0;) {
            const render::Pixel &a = pixels[i], &b = pixels[(i + 1) % n];
            if (a.visible && b.visible && cross(stroke, a, b)) found.push_back({rope, static_cast<int>(i)});
        }
    }
    return found;
}

Spot spotUnder(const World& world, const render::Ray& ray, const render::Camera& camera, float groundHeight) {
    const RayHit hit = world.pick(ray.from, ray.direction, kReach);
    if (hit) return {hit.body, hit.point};
    const float down = (groundHeight - ray.from.y) / ray.direction.y;
    const Vec3 facing = camera.forward();
    const float ahead = dot(camera.target - ray.from, facing) / dot(ray.direction, facing);
    const bool ground = std::isfinite(down) && down > 0 && down < 3 * camera.distance;
    return {{}, ray.from + (ground && down < ahead ? down : ahead) * ray.direction};
}

} // namespace capstan::viewer
