// SPDX-License-Identifier: MIT
// This file implements shape_meshes.hpp.
#include <render/view/shape_meshes.hpp>

#include <algorithm>
#include <cmath>

namespace capstan::render {
namespace {

constexpr float kPi = 3.14159265f;

// grid adds the triangles between across x along vertices, which start at the index `first`.
void grid(ShapeMesh& m, std::size_t first, int across, int along) {
    for (int j = 0; j + 1 < along; ++j) {
        for (int i = 0; i + 1 < across; ++i) {
            const auto at = [&](int u, int v) { return std::uint16_t(first + std::size_t(v * across + u)); };
            for (std::uint16_t k :
                 {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1)})
                m.indices.push_back(k);
        }
    }
}

struct RingPoint {
    float coreOut, coreUp;     // core position: along the radius, along y
    float normalOut, normalUp; // normal: along the radius, along y
};

// turned makes a surface of revolution about y from a profile, which runs from the bottom up.
ShapeMesh turned(const std::vector<RingPoint>& profile, int sides) {
    ShapeMesh m;
    for (const RingPoint& r : profile) {
        for (int i = 0; i <= sides; ++i) {
            const float a = -2 * kPi * float(i) / float(sides), c = std::cos(a), s = std::sin(a);
            m.vertices.push_back(
                {{r.coreOut * c, r.coreUp, r.coreOut * s}, {r.normalOut * c, r.normalUp, r.normalOut * s}});
        }
    }
    grid(m, 0, sides + 1, int(profile.size()));
    return m;
}

// roundProfile returns a profile of two quarter circles, from straight down to straight up, around core points at the
// heights -end and end.
std::vector<RingPoint> roundProfile(float out, float end, int steps) {
    std::vector<RingPoint> p;
    for (int half = 0; half < 2; ++half) {
        for (int i = 0; i <= steps; ++i) {
            const float a = 0.5f * kPi * (float(i) / float(steps) - (half == 0 ? 1.0f : 0.0f));
            p.push_back({out, half == 0 ? -end : end, std::cos(a), std::sin(a)});
        }
    }
    return p;
}

// Each face of the box has a flat middle and, on each side, half of the rounded edge: normals up to 45 degrees.
ShapeMesh boxMesh(int steps) {
    ShapeMesh m;
    struct Edge {
        float core, slope;
    };
    std::vector<Edge> edges;
    for (int i = steps; i >= 0; --i) edges.push_back({-1, -std::tan(0.25f * kPi * float(i) / float(steps))});
    for (int i = 0; i <= steps; ++i) edges.push_back({1, std::tan(0.25f * kPi * float(i) / float(steps))});
    for (int face = 0; face < 6; ++face) {
        const float sign = face % 2 == 0 ? 1.0f : -1.0f;
        const int axis = face / 2;
        const auto placed = [&](float a, float u, float v) {
            const float c[3] = {a * sign, u, v * sign}; // with these signs the faces point outwards
            Vec3 out;
            (axis == 0 ? out.x : axis == 1 ? out.y : out.z) = c[0];
            (axis == 0 ? out.y : axis == 1 ? out.z : out.x) = c[1];
            (axis == 0 ? out.z : axis == 1 ? out.x : out.y) = c[2];
            return out;
        };
        const std::size_t first = m.vertices.size();
        for (const Edge& v : edges)
            for (const Edge& u : edges)
                m.vertices.push_back({placed(1, u.core, v.core), normalize(placed(1, u.slope, v.slope))});
        grid(m, first, int(edges.size()), int(edges.size()));
    }
    return m;
}

ShapeMesh cylinderMesh(int sides, int steps) {
    std::vector<RingPoint> p = roundProfile(1, 1, steps);
    p.insert(p.begin(), {0, -1, 0, -1}); // adds the two flat ends
    p.push_back({0, 1, 0, 1});
    return turned(p, sides);
}

Vec3 areaNormal(const std::vector<Vec3>& p, const std::array<int, 3>& t) {
    const Vec3 a = p[t[0]];
    return cross(p[t[1]] - a, p[t[2]] - a);
}

} // namespace

ShapeMesh shapeMesh(SolidKind kind, int detail) {
    const int sides = 16 * detail, steps = 4 * detail;
    switch (kind) {
    case SolidKind::Box:
        return boxMesh(detail);
    case SolidKind::Sphere:
        return turned(roundProfile(0, 0, steps), sides);
    case SolidKind::Capsule:
        return turned(roundProfile(0, 1, steps), sides);
    default:
        return cylinderMesh(sides, detail);
    }
}

// scaled rounds edges slightly, so that they show a highlight as real edges do.
Scaled scaled(const Solid& s) {
    switch (s.kind) {
    case SolidKind::Box: {
        const float b = std::min(0.06f * std::min({s.size.x, s.size.y, s.size.z}), 0.02f);
        return {0.5f * s.size - Vec3{b, b, b}, b};
    }
    case SolidKind::Sphere:
        return {{0, 0, 0}, s.size.x};
    case SolidKind::Capsule:
        return {{0, 0.5f * s.size.y, 0}, s.size.x};
    default: {
        const float b = std::min({0.08f * s.size.x, 0.08f * s.size.y, 0.015f});
        return {{s.size.x - b, 0.5f * s.size.y - b, s.size.x - b}, b};
    }
    }
}

void smoothNormals(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles,
                   std::vector<Vec3>& normals) {
    normals.assign(points.size(), {0, 0, 0});
    for (const auto& t : triangles) {
        const Vec3 n = areaNormal(points, t);
        for (int k : t) normals[k] += n;
    }
    for (Vec3& n : normals) n = normalize(n, {0, 1, 0});
}

std::vector<FlatVertex> flatVertices(const Geometry& g) {
    constexpr float kSmooth = 0.866f; // cosine of 30 degrees
    std::vector<FlatVertex> out;
    std::vector<std::vector<Vec3>> around(g.normals.empty() ? g.points.size() : 0);
    if (g.normals.empty())
        for (const auto& t : g.triangles)
            for (int k : t) around[k].push_back(areaNormal(g.points, t));
    for (const auto& t : g.triangles) {
        const Vec3 own = normalize(areaNormal(g.points, t), {0, 1, 0});
        for (int k : t) {
            Vec3 n = own;
            if (!g.normals.empty()) {
                n = normalize(g.normals[k], own);
            } else {
                Vec3 sum = {0, 0, 0};
                for (Vec3 other : around[k])
                    if (dot(normalize(other), own) > kSmooth) sum += other;
                n = normalize(sum, own);
            }
            out.push_back({g.points[k], n});
        }
    }
    return out;
}

} // namespace capstan::render
