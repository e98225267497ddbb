// SPDX-License-Identifier: MIT
// This file implements pick.hpp. The nearest points of a ray and a segment follow Ericson 2005, "Real-time collision
// detection", 5.1.9. A ray and a triangle follow Moeller and Trumbore 1997, "Fast, minimum storage ray/triangle
// intersection".
#include <apps/viewer/session/pick.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::viewer {
namespace {

constexpr float kReach = 1e4f; // m, length of the ray

struct Nearest {
    float t = 0;    // m, along the ray
    float s = 0;    // along the segment, 0..1
    float miss = 0; // m, distance between ray and segment
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
    for (RopeId rope : world.ids<RopeId>()) {
        std::span<const Point> points = world.positions(rope);
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

// meet returns the distance [m] along the ray to a triangle, from either side, or a negative number for a miss. The
// triangle is slightly enlarged, so that a ray exactly along a shared edge cannot pass between two triangles.
float meet(const render::Ray& ray, Vec3 a, Vec3 b, Vec3 c) {
    constexpr float slack = 1e-4f;
    const Vec3 e = b - a, f = c - a, p = cross(ray.direction, f);
    const float determinant = dot(e, p);
    if (determinant == 0) return -1;
    const Vec3 r = ray.from - a, q = cross(r, e);
    const float u = dot(r, p) / determinant, v = dot(ray.direction, q) / determinant;
    return u >= -slack && v >= -slack && u + v <= 1 + slack ? dot(f, q) / determinant : -1;
}

Picked pickCloth(const World& world, const render::Ray& ray) {
    Picked best;
    for (ClothId cloth : world.ids<ClothId>()) {
        std::span<const Point> p = world.positions(cloth);
        for (const std::array<int, 3>& corner : world.triangles(cloth)) {
            auto at = [&](std::size_t k) -> Vec3 { return p[static_cast<std::size_t>(corner[k])]; };
            const float t = meet(ray, at(0), at(1), at(2));
            if (!(t > 0) || (best && t >= best.distance)) continue;
            best.cloth = cloth;
            best.distance = t;
            best.point = ray.from + t * ray.direction;
            for (std::size_t k = 0; k < 3; ++k)
                if (k == 0 || length(at(k) - best.point) <
                                  length(Vec3(p[static_cast<std::size_t>(best.node)]) - best.point))
                    best.node = corner[k];
        }
    }
    return best;
}

// pickHair returns the strand nearest to the eye among the strands near enough to the ray. It skips strands whose
// root is farther from the ray than the strand's length.
Picked pickHair(const World& world, const render::Ray& ray, float spread) {
    Picked best;
    for (HairId hair : world.ids<HairId>()) {
        const float reach = 1.1f * world.def(hair).length;
        for (int k = 0; k < world.strandCount(hair); ++k) {
            std::span<const Point> p = world.strand(hair, k);
            const Vec3 root = Vec3(p[0]) - ray.from;
            const float along = dot(root, ray.direction);
            if (length(root - along * ray.direction) > reach + spread * std::max(along, 0.0f)) continue;
            for (std::size_t i = 0; i + 1 < p.size(); ++i) {
                const Nearest near = nearest(ray, p[i], p[i + 1]);
                if (!(near.t > 0) || near.miss > spread * near.t || (best && near.t >= best.distance))
                    continue;
                best.hair = hair;
                best.node = k;
                best.point = Vec3(p[i]) + near.s * (Vec3(p[i + 1]) - Vec3(p[i]));
                best.distance = near.t;
            }
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
    Picked best;
    const RayHit hit = world.castRay(ray.from, ray.direction, kReach);
    if (hit) {
        best.body = hit.object.as<BodyId>();
        best.point = hit.point;
        best.distance = hit.distance;
    }
    // Cloth, hair or a rope at about the distance of the hit body is preferred: it lies on the body or is attached.
    auto rather = [&](const Picked& other) {
        if (other && (!best || other.distance < best.distance * (1 + 2 * spread))) best = other;
    };
    rather(pickCloth(world, ray));
    rather(pickHair(world, ray, spread));
    rather(pickRope(world, ray, spread).picked);
    return best;
}

bool alive(const World& world, const Picked& picked) {
    if (picked.body) return world.isValid(picked.body);
    if (picked.cloth)
        return world.isValid(picked.cloth) && picked.node >= 0 &&
               picked.node < static_cast<int>(world.positions(picked.cloth).size());
    if (picked.hair)
        return world.isValid(picked.hair) && picked.node >= 0 && picked.node < world.strandCount(picked.hair);
    return world.isValid(picked.rope) && picked.node >= 0 &&
           picked.node < static_cast<int>(world.positions(picked.rope).size());
}

Vec3 positionOf(const World& world, const Picked& picked) {
    if (!alive(world, picked)) return picked.point;
    if (picked.body) return world.centerOfMass(picked.body);
    if (picked.cloth) return world.positions(picked.cloth)[static_cast<std::size_t>(picked.node)];
    if (picked.hair) return world.strand(picked.hair, picked.node)[0];
    return world.positions(picked.rope)[static_cast<std::size_t>(picked.node)];
}

std::vector<Crossing> crossings(const World& world, const Stroke& stroke) {
    std::vector<Crossing> found;
    std::vector<render::Pixel> pixels;
    for (RopeId rope : world.ids<RopeId>()) {
        std::span<const Point> points = world.positions(rope);
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
    const RayHit hit = world.castRay(ray.from, ray.direction, kReach);
    if (hit) return {hit.object.as<BodyId>(), hit.point};
    const float down = (groundHeight - ray.from.y) / ray.direction.y;
    const Vec3 facing = camera.forward();
    const float ahead = dot(camera.target - ray.from, facing) / dot(ray.direction, facing);
    const bool ground = std::isfinite(down) && down > 0 && down < 3 * camera.distance;
    return {{}, ray.from + (ground && down < ahead ? down : ahead) * ray.direction};
}

} // namespace capstan::viewer
