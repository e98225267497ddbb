// SPDX-License-Identifier: MIT
// See tube.hpp.
#include <capstan/skin/tube.hpp>

#include <capstan/check.hpp>

namespace capstan {
namespace {

// Returns the arc length up to each point over the whole length. A closed curve has one more value, which is 1.
std::vector<float> along(std::span<const Vec3> x, bool closed) {
    std::vector<float> s = {0};
    for (std::size_t i = 1; i < x.size() + closed; ++i)
        s.push_back(s.back() + length(x[i % x.size()] - x[i - 1]));
    const float all = s.back() > 0 ? s.back() : 1.0f;
    for (float& a : s) a /= all;
    return s;
}

// Adds a flat end: a vertex in the middle, and a copy of the ring with the end's normal.
void addCap(SurfaceMesh& mesh, Vec3 middle, Vec3 normal, int ring, int sides, bool flip) {
    const int center = int(mesh.vertices.size());
    mesh.vertices.push_back(middle);
    mesh.normals.push_back(normal);
    mesh.uv.push_back({0.5f, 0.5f});
    for (int k = 0; k <= sides; ++k) {
        mesh.vertices.push_back(mesh.vertices[ring + k]);
        mesh.normals.push_back(normal);
        mesh.uv.push_back(mesh.uv[ring + k]);
    }
    for (int k = 0; k < sides; ++k)
        mesh.triangles.push_back({center, center + 1 + k + (flip ? 1 : 0), center + 1 + k + (flip ? 0 : 1)});
}

} // namespace

void makeTube(std::span<const Vec3> points, std::span<const Quatf> frames, std::span<const float> radius,
              bool closed, int sides, SurfaceMesh& mesh) {
    mesh = {};
    const std::size_t n = points.size();
    if (!CAPSTAN_CHECK(frames.size() == n, "a tube needs a frame for each point") ||
        !CAPSTAN_CHECK(radius.size() == 1 || radius.size() == n,
                       "a tube needs one radius, or one for each point") ||
        !CAPSTAN_CHECK(sides >= 3, "a tube needs three sides or more") || n < 2)
        return;
    const std::vector<float> s = along(points, closed);
    const std::size_t rings = n + closed;
    for (std::size_t i = 0; i < rings; ++i) {
        const std::size_t p = i % n;
        const float r = radius[radius.size() == 1 ? 0 : p];
        const Vec3 x = axisX(frames[p]), y = axisY(frames[p]);
        for (int k = 0; k <= sides; ++k) {
            const SinCos<float> a = sincos(6.28318531f * float(k % sides) / float(sides));
            const Vec3 out = a.cos * x + a.sin * y;
            mesh.vertices.push_back(points[p] + r * out);
            mesh.normals.push_back(out);
            mesh.uv.push_back({float(k) / float(sides), s[i]});
        }
    }
    for (int i = 0; i + 1 < int(rings); ++i)
        for (int k = 0; k < sides; ++k) {
            const int a = i * (sides + 1) + k, b = a + sides + 1;
            mesh.triangles.push_back({a, a + 1, b});
            mesh.triangles.push_back({a + 1, b + 1, b});
        }
    if (closed) return;
    addCap(mesh, points[0], -axisZ(frames[0]), 0, sides, true);
    addCap(mesh, points[n - 1], axisZ(frames[n - 1]), int(n - 1) * (sides + 1), sides, false);
}

void makeRibbon(std::span<const Vec3> points, std::span<const Quatf> frames, float width,
                const Vec3* viewpoint, SurfaceMesh& mesh) {
    mesh = {};
    const std::size_t n = points.size();
    if (!CAPSTAN_CHECK(frames.size() == n, "a ribbon needs a frame for each point") || n < 2) return;
    const std::vector<float> s = along(points, false);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 t = axisZ(frames[i]);
        Vec3 side = axisX(frames[i]);
        if (viewpoint) side = normalize(cross(t, *viewpoint - points[i]), side);
        const float half = 0.5f * width * (1 - s[i] * s[i]);
        mesh.vertices.push_back(points[i] - half * side);
        mesh.vertices.push_back(points[i] + half * side);
        for (float u : {0.0f, 1.0f}) {
            mesh.normals.push_back(cross(side, t));
            mesh.uv.push_back({u, s[i]});
        }
    }
    for (int i = 0; i + 1 < int(n); ++i) {
        mesh.triangles.push_back({2 * i, 2 * i + 1, 2 * i + 2});
        mesh.triangles.push_back({2 * i + 1, 2 * i + 3, 2 * i + 2});
    }
}

} // namespace capstan
