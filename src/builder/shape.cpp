// SPDX-License-Identifier: MIT
// See shape.hpp. A solid without volume is an Error, because it has no mass and no interior. A mesh is a surface, not
// a solid. Its triangles are kept unchanged, except those without area.
#include "builder/shape.hpp"

#include "builder/field_check.hpp"
#include "builder/hull.hpp"

namespace capstan {
namespace {

constexpr std::size_t kMostPoints = 100000;

std::optional<Error> notAboveZero(const char* name, float a) {
    if (a > 0) return {};
    return Error{std::string(name) + " must be above 0, got " + shortNumber(double(a)),
                 std::string("/") + name};
}

std::optional<Error> checkPoints(const std::vector<Vec3>& points) {
    if (points.size() < 4)
        return Error{"a hull needs at least 4 points, got " + std::to_string(points.size()), "/points"};
    if (points.size() > kMostPoints)
        return Error{"a hull takes at most " + std::to_string(kMostPoints) + " points, got " +
                         std::to_string(points.size()),
                     "/points"};
    return {};
}

std::optional<Error> checkMesh(const ShapeDef& d) {
    if (d.points.empty()) return Error{"a mesh needs points", "/points"};
    if (d.triangles.empty()) return Error{"a mesh needs triangles", "/triangles"};
    for (std::size_t i = 0; i < d.triangles.size(); ++i)
        for (int k : d.triangles[i])
            if (k < 0 || std::size_t(k) >= d.points.size())
                return Error{"there is no point " + std::to_string(k) + "; the mesh has " +
                                 std::to_string(d.points.size()) + " points",
                             "/triangles/" + std::to_string(i)};
    return {};
}

std::optional<Error> checkKind(const ShapeDef& d) {
    switch (d.kind) {
    case ShapeKind::None:
        return Error{"a shape needs a kind: box, sphere, capsule, cylinder, hull, plane or mesh", "/kind"};
    case ShapeKind::Box:
        return notAboveZero("size", min(d.size.x, min(d.size.y, d.size.z)));
    case ShapeKind::Sphere:
    case ShapeKind::Capsule: // a capsule of length 0 is a sphere
        return notAboveZero("radius", d.radius);
    case ShapeKind::Cylinder:
        if (auto e = notAboveZero("radius", d.radius)) return e;
        return notAboveZero("length", d.length);
    case ShapeKind::Hull:
        return checkPoints(d.points);
    case ShapeKind::Plane:
        return {};
    case ShapeKind::Mesh:
        return checkMesh(d);
    }
    return Error{"kind must be box, sphere, capsule, cylinder, hull, plane or mesh", "/kind"};
}

// Least ratio of twice the area of a triangle to the square of its longest edge. Below it, the rounding of
// the corners to float determines the area and the normal.
constexpr double kNoArea = 1.2e-7;

bool hasArea(Vec3d a, Vec3d b, Vec3d c) {
    const double longest = max(lengthSquared(b - a), max(lengthSquared(c - b), lengthSquared(a - c)));
    return length(cross(b - a, c - a)) > kNoArea * longest;
}

// Adds the triangles of a mesh. A triangle without area adds nothing to the surface, because its edges belong to
// neighbouring triangles. Modelling programs write such triangles, so they are omitted without an Error.
std::optional<Error> addTriangles(const ShapeDef& d, Shape& s) {
    for (Vec3 p : d.points) s.corners.push_back(widen(p));
    auto corner = [&](int k) { return s.corners[k]; };
    for (const auto& t : d.triangles)
        if (hasArea(corner(t[0]), corner(t[1]), corner(t[2]))) s.triangles.push_back(t);
    if (!s.triangles.empty()) return {};
    return Error{"a mesh needs a triangle with an area", "/triangles"};
}

} // namespace

bool rotationIsUnit(Quatf q) {
    return abs(length(Quatd{widen(q.x), widen(q.y), widen(q.z), widen(q.w)}) - 1) <= 1e-3;
}

Result<Shape> makeShape(const ShapeDef& d) {
    if (auto e = checkFields(d)) return *e;
    if (auto e = checkKind(d)) return *e;
    if (d.rotation.x == 0 && d.rotation.y == 0 && d.rotation.z == 0 && d.rotation.w == 0)
        return Error{"rotation must not be zero", "/rotation"};

    Shape s;
    s.kind = d.kind;
    s.at = {widen(d.position), unitRotation(d.rotation)};
    if (d.kind == ShapeKind::Box) s.half = 0.5 * widen(d.size);
    const bool rod = d.kind == ShapeKind::Capsule || d.kind == ShapeKind::Cylinder;
    if (rod || d.kind == ShapeKind::Sphere) s.radius = widen(d.radius);
    if (rod) s.halfLength = 0.5 * widen(d.length);
    if (d.kind == ShapeKind::Mesh)
        if (auto e = addTriangles(d, s)) return *e;
    if (d.kind == ShapeKind::Hull) {
        std::vector<Vec3d> points;
        for (Vec3 p : d.points) points.push_back(widen(p));
        ConvexHull hull = convexHull(points);
        if (hull.triangles.empty())
            return Error{"the points of a hull must not all lie in one plane", "/points"};
        s.corners = std::move(hull.corners);
        s.triangles = std::move(hull.triangles);
    }
    return s;
}

} // namespace capstan
