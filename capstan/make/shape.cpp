// SPDX-License-Identifier: MIT
// See shape.hpp. A shape without volume has no mass and no inside, so it is an error and not a thin shape.
#include <capstan/make/shape.hpp>

#include <capstan/make/field_check.hpp>
#include <capstan/make/hull.hpp>

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

std::optional<Error> checkKind(const ShapeDef& d) {
    switch (d.kind) {
    case ShapeKind::None:
        return Error{"a shape needs a kind: box, sphere, capsule, cylinder or hull", "/kind"};
    case ShapeKind::Box:
        return notAboveZero("size", min(d.size.x, min(d.size.y, d.size.z)));
    case ShapeKind::Sphere:
    case ShapeKind::Capsule: // of length 0 is a sphere
        return notAboveZero("radius", d.radius);
    case ShapeKind::Cylinder:
        if (auto e = notAboveZero("radius", d.radius)) return e;
        return notAboveZero("length", d.length);
    case ShapeKind::Hull:
        return checkPoints(d.points);
    }
    return Error{"there is no such kind of shape", "/kind"};
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
    if (d.kind != ShapeKind::Box && d.kind != ShapeKind::Hull) s.radius = widen(d.radius);
    if (d.kind == ShapeKind::Capsule || d.kind == ShapeKind::Cylinder) s.halfLength = 0.5 * widen(d.length);
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
