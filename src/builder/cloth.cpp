// SPDX-License-Identifier: MIT
// See cloth.hpp. The cells of a grid are split into triangles along alternating diagonals, so that no direction is
// preferred.
#include "builder/cloth.hpp"

#include "builder/field_check.hpp"
#include "solver/cloth/rows.hpp"

#include <algorithm>

namespace capstan {
namespace {

constexpr std::size_t kMostVertices = 4000000;
// Least ratio of twice the area of a triangle to the square of its longest edge.
constexpr double kLeastShape = 1e-6;

bool fromMesh(const ClothDef& d) { return !d.points.empty() || !d.triangles.empty(); }

std::vector<Vec3d> placesOf(const ClothDef& d) {
    std::vector<Vec3d> places;
    if (fromMesh(d)) {
        for (Vec3 p : d.points) places.push_back(widen(p));
        return places;
    }
    const Vec3d o = widen(d.origin), u = widen(d.edgeU), v = widen(d.edgeV);
    for (int j = 0; j <= d.cellsV; ++j)
        for (int i = 0; i <= d.cellsU; ++i)
            places.push_back(o + (double(i) / d.cellsU) * u + (double(j) / d.cellsV) * v);
    return places;
}

// The diagonal of a cell is the edge from corner 2 to corner 0 of both its triangles.
std::vector<std::array<int, 3>> trianglesOf(const ClothDef& d) {
    if (fromMesh(d)) return d.triangles;
    std::vector<std::array<int, 3>> triangles;
    const int row = d.cellsU + 1;
    for (int j = 0; j < d.cellsV; ++j)
        for (int i = 0; i < d.cellsU; ++i) {
            const int a = j * row + i, b = a + 1, c = a + row, e = c + 1;
            if ((i + j) % 2 == 0) {
                triangles.push_back({a, b, e});
                triangles.push_back({e, c, a});
            } else {
                triangles.push_back({b, e, c});
                triangles.push_back({c, a, b});
            }
        }
    return triangles;
}

std::size_t vertexCount(const ClothDef& d) {
    return fromMesh(d) ? d.points.size() : std::size_t(d.cellsU + 1) * std::size_t(d.cellsV + 1);
}

std::string place(const char* list, std::size_t i) {
    return std::string("/") + list + "/" + std::to_string(i);
}

std::optional<Error> checkTriangle(const ClothDef& d, std::size_t i) {
    const auto& t = d.triangles[i];
    for (int k : t)
        if (k < 0 || std::size_t(k) >= d.points.size())
            return Error{"there is no point " + std::to_string(k) + "; the cloth has " +
                             std::to_string(d.points.size()) + " points",
                         place("triangles", i)};
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
        return Error{"a triangle needs three different points", place("triangles", i)};
    Vec3d p[3];
    for (std::size_t k = 0; k < 3; ++k) p[k] = widen(d.points[t[k]]);
    const double longest =
        max(max(lengthSquared(p[1] - p[0]), lengthSquared(p[2] - p[1])), lengthSquared(p[0] - p[2]));
    if (!(length(cross(p[1] - p[0], p[2] - p[0])) > kLeastShape * longest))
        return Error{"the triangle has no area", place("triangles", i)};
    return {};
}

std::optional<Error> checkPointsApart(const ClothDef& d) {
    std::vector<int> order(d.points.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = int(i);
    const auto at = [&](int i) { return d.points[i]; };
    std::sort(order.begin(), order.end(), [&](int i, int j) {
        const Vec3 a = at(i), b = at(j);
        if (a.x != b.x) return a.x < b.x;
        if (a.y != b.y) return a.y < b.y;
        return a.z != b.z ? a.z < b.z : i < j;
    });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (at(order[i]) == at(order[i - 1]))
            return Error{"the point lies where point " + std::to_string(order[i - 1]) +
                             " lies; triangles at a seam must share their points",
                         place("points", std::size_t(order[i]))};
    return {};
}

std::optional<Error> checkMesh(const ClothDef& d) {
    if (d.points.empty()) return Error{"a cloth of triangles needs points", "/points"};
    if (d.triangles.empty()) return Error{"a cloth of points needs triangles", "/triangles"};
    if (d.points.size() > kMostVertices) return Error{"the cloth has too many points", "/points"};
    std::vector<bool> used(d.points.size(), false);
    for (std::size_t i = 0; i < d.triangles.size(); ++i) {
        if (auto e = checkTriangle(d, i)) return e;
        for (int k : d.triangles[i]) used[k] = true;
    }
    for (std::size_t i = 0; i < used.size(); ++i)
        if (!used[i]) return Error{"no triangle uses this point", place("points", i)};
    if (auto e = checkPointsApart(d)) return e;
    int crowded = -1;
    edgesOf(d.triangles, false, &crowded);
    if (crowded >= 0)
        return Error{"an edge must belong to at most two triangles; an edge of this triangle already has two",
                     place("triangles", std::size_t(crowded))};
    return {};
}

std::optional<Error> checkGrid(const ClothDef& d) {
    if (vertexCount(d) > kMostVertices) return Error{"the grid has too many cells", "/cellsV"};
    const Vec3d u = widen(d.edgeU), v = widen(d.edgeV);
    if (!(length(cross(u, v)) > kLeastShape * max(lengthSquared(u), lengthSquared(v))))
        return Error{"edgeU and edgeV must span an area", "/edgeV"};
    if (d.stretchStiffness > 0 && !(d.shearStiffness > 0))
        return Error{"shearStiffness must be above 0 where stretchStiffness is; otherwise the rigid "
                     "diagonals would hold the threads",
                     "/shearStiffness"};
    return {};
}

std::optional<Error> checkBending(const ClothDef& d) {
    if (!(d.bendStiffness > 0)) return {};
    for (const ClothEdge& e : edgesOf(trianglesOf(d), false))
        if (e.triangle[1] >= 0) return {};
    return Error{"bendStiffness needs two triangles that share an edge, and this cloth has none",
                 "/bendStiffness"};
}

} // namespace

Status checkCloth(const ClothDef& d) {
    if (auto e = checkFields(d)) return *e;
    if (auto e = checkMaterial(d.material, "cloth", false)) return *e;
    if (auto e = fromMesh(d) ? checkMesh(d) : checkGrid(d)) return *e;
    if (auto e = checkBending(d)) return *e;
    const int n = int(vertexCount(d));
    for (std::size_t i = 0; i < d.pins.size(); ++i)
        if (d.pins[i] < -n || d.pins[i] >= n)
            return Error{"there is no vertex " + std::to_string(d.pins[i]) + "; the cloth has " +
                             std::to_string(n) + " vertices",
                         place("pins", i)};
    for (std::size_t i = 0; i < d.attachments.size(); ++i) {
        const AttachmentDef& a = d.attachments[i];
        if (a.vertex < -n || a.vertex >= n)
            return Error{"there is no vertex " + std::to_string(a.vertex) + "; the cloth has " +
                             std::to_string(n) + " vertices",
                         place("attachments", i) + "/vertex"};
        if (a.body.empty() == a.rope.empty())
            return Error{"an attachment must name either a body or a rope", place("attachments", i)};
    }
    if (!(d.drag > 0) && lengthSquared(d.wind) > 0) return Error{"wind needs a drag above 0", "/drag"};
    return done();
}

void makeCloth(const ClothDef& d, Cloth& c, ClothState& s) {
    const std::uint32_t generation = c.generation;
    c = Cloth{};
    s = ClothState{};
    c.generation = generation;
    c.alive = true;
    c.def = d;
    c.grid = !fromMesh(d);
    c.rest = placesOf(d);
    c.triangles = trianglesOf(d);
    c.count = int(c.rest.size());
    c.room = (c.count / kClothSlice + 1) * kClothSlice;
    const std::size_t room = std::size_t(c.room);
    s.x.assign(room, Point{});
    s.v = s.before = s.x;
    for (std::size_t i = 0; i < c.rest.size(); ++i) {
        const Vec3 x = narrow(c.rest[i]);
        s.x[i] = {x.x, x.y, x.z, 0};
        s.v[i] = {d.velocity.x, d.velocity.y, d.velocity.z, 0};
    }
    std::vector<int> pins = d.pins;
    for (int& p : pins) p = p < 0 ? p + c.count : p;
    std::sort(pins.begin(), pins.end());
    pins.erase(std::unique(pins.begin(), pins.end()), pins.end());
    for (int p : pins) {
        ClothPin pin;
        pin.vertex = p;
        pin.target = s.x[p];
        c.pins.push_back(pin);
        s.v[p] = {0, 0, 0, 0};
    }
    setClothMasses(c, s);
}

} // namespace capstan
