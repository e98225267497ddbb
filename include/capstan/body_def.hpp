// SPDX-License-Identifier: MIT
// BodyDef describes a rigid body. ShapeDef describes one shape of a body. Units are SI, y points up, and a quaternion
// is written x y z w. fields() gives the unit of each field.
#pragma once

#include <capstan/contact_def.hpp>
#include <capstan/field.hpp>
#include <capstan/math/quat.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace capstan {

// A ShapeDef is made from one of these structs: BodyDef{.shape = Box{{0.2f, 0.2f, 0.2f}}}. All lengths are in metres.
struct Box {
    Vec3 size = {1, 1, 1};
}; // size: full edge lengths along x, y and z
struct Sphere {
    float radius = 0.5f;
};
struct Capsule {
    float radius = 0.5f, length = 1;
}; // along y; the length does not include the round ends
struct Cylinder {
    float radius = 0.5f, length = 1;
}; // along y; `length` is the full height
struct Hull {
    std::vector<Vec3> points = {};
}; // convex hull of the points

struct Plane {}; // half space y <= 0 of the shape's own axes; for static and kinematic bodies only
struct Mesh {
    std::vector<Vec3> points = {};
    std::vector<std::array<int, 3>> triangles = {};
}; // two-sided triangle surface, closed or open; for static and kinematic bodies only

enum class ShapeKind { None, Box, Sphere, Capsule, Cylinder, Hull, Plane, Mesh };

struct ShapeDef {
    ShapeKind kind = ShapeKind::None;
    Vec3 size = {0, 0, 0};
    float radius = 0;
    float length = 0;
    std::vector<Vec3> points = {};
    std::vector<std::array<int, 3>> triangles = {};
    Vec3 position = {0, 0, 0};
    Quatf rotation = Quatf::identity();
    float density = 0;

    ShapeDef() = default;
    ShapeDef(const Box& a) : kind(ShapeKind::Box), size(a.size) {}
    ShapeDef(const Sphere& a) : kind(ShapeKind::Sphere), radius(a.radius) {}
    ShapeDef(const Capsule& a) : kind(ShapeKind::Capsule), radius(a.radius), length(a.length) {}
    ShapeDef(const Cylinder& a) : kind(ShapeKind::Cylinder), radius(a.radius), length(a.length) {}
    ShapeDef(const Plane&) : kind(ShapeKind::Plane) {}
    ShapeDef(Mesh a)
        : kind(ShapeKind::Mesh), points(std::move(a.points)), triangles(std::move(a.triangles)) {}
    ShapeDef(Hull a) : kind(ShapeKind::Hull), points(std::move(a.points)) {}

    // Returns this shape at another position [m] and rotation in the body's axes. It places the parts of a compound.
    ShapeDef at(Vec3 place, Quatf turn = Quatf::identity()) const {
        ShapeDef s = *this;
        s.position = place;
        s.rotation = turn;
        return s;
    }
};

template <DefOf<ShapeDef> D, class V> void fields(D& d, V&& visit) {
    visit("kind", d.kind, any("", "kind of shape: box, sphere, capsule, cylinder, hull, plane or mesh"));
    visit("size", d.size, atLeast(0, "m", "box: lengths of the edges along x, y and z"));
    visit("radius", d.radius, atLeast(0, "m", "sphere, capsule, cylinder: radius"));
    visit("length", d.length,
          atLeast(0, "m", "capsule, cylinder: length along y, without the round ends of a capsule"));
    visit("points", d.points, any("m", "hull: points whose convex hull is the shape; mesh: vertices"));
    visit("triangles", d.triangles, any("", "mesh: triangles, each three indices of points, counted from 0"));
    visit("position", d.position, any("m", "position of the shape in the axes of its body"));
    visit("rotation", d.rotation,
          any("", "rotation of the shape in the axes of its body, as a quaternion x y z w"));
    visit("density", d.density, atLeast(0, "kg/m^3", "density of this shape; 0: the density of the body"));
}

// A dynamic body moves by the forces on it. A kinematic body moves only as World::moveTo says. A static body does not
// move.
enum class BodyType { Dynamic, Kinematic, Static };

struct BodyDef {
    std::string name = {};
    BodyType type = BodyType::Dynamic;
    ShapeDef shape = {};
    std::vector<ShapeDef> parts = {};
    float density = 1000;
    float mass = 0;
    Vec3 inertia = {0, 0, 0};
    std::optional<Vec3> centerOfMass = {};
    Vec3 position = {0, 0, 0};
    Quatf rotation = Quatf::identity();
    Vec3 velocity = {0, 0, 0};
    Vec3 angularVelocity = {0, 0, 0};
    float damping = 0;
    MaterialDef material = {.friction = 0.5f};
    FilterDef filter = {};
    std::uint64_t userData = 0;
};

template <DefOf<BodyDef> D, class V> void fields(D& d, V&& visit) {
    visit("name", d.name, any("", "name by which other parts of the scene refer to the body"));
    visit("type", d.type,
          any("", "type of motion: dynamic (moved by forces), kinematic (moved by its targets) or static"));
    visit("shape", d.shape, any("", "shape of the body"));
    visit("parts", d.parts, any("", "further shapes; the body is a compound of `shape` and all parts"));
    visit("density", d.density,
          above(0, "kg/m^3", "density of all shapes that have none of their own; used when mass is 0"));
    visit("mass", d.mass, atLeast(0, "kg", "mass of the body; 0: computed from shapes and density"));
    visit("inertia", d.inertia,
          atLeast(0, "kg m^2",
                  "moments of inertia about the centre of mass, along the body's axes; 0: computed from the "
                  "shapes"));
    visit("centerOfMass", d.centerOfMass,
          any("m", "centre of mass in the body's axes; left out: computed from the shapes"));
    visit("position", d.position, any("m", "position of the body's origin"));
    visit("rotation", d.rotation, any("", "rotation of the body, as a quaternion x y z w"));
    visit("velocity", d.velocity, any("m/s", "velocity of the centre of mass at the start"));
    visit("angularVelocity", d.angularVelocity, any("rad/s", "angular velocity at the start, in world axes"));
    visit("damping", d.damping, atLeast(0, "1/s", "rate at which linear and angular velocity decay"));
    visit("material", d.material, any("", "material of the body's surface"));
    visit("filter", d.filter, any("", "filter that decides which objects the body may touch"));
    visit("userData", d.userData,
          any("", "number for the program's own use; Capstan stores it and returns it"));
}

} // namespace capstan
