// SPDX-License-Identifier: MIT
// See body.hpp. A body's state is that of its centre of mass and principal axes:
//   x = position + R centerOfMass,  q = R axes,  L = q I q* w.
#include "builder/body.hpp"

#include "builder/field_check.hpp"
#include "builder/mass.hpp"

namespace capstan {
namespace {

// Below these values the reciprocals that the solver uses become too large to be accurate.
constexpr double kLeastMass = 1e-9, kLeastInertia = 1e-18;
// Forces are read as floats, which end at 3e38 N. A joint that holds 1e38 kg at 1 g was read as infinite.
constexpr double kMost = 1e30; // kg, kg m^2

bool zero(Vec3 a) { return a.x == 0 && a.y == 0 && a.z == 0; }

// Returns true if the Def has no shape. A shape with sizes but without a kind is an Error, not an omission.
bool leftOut(const ShapeDef& s) {
    return s.kind == ShapeKind::None && zero(s.size) && s.radius == 0 && s.length == 0 && s.points.empty() &&
           s.triangles.empty();
}

bool givesInertia(const BodyDef& d) { return !zero(d.inertia); }

std::optional<Error> checkInertia(const BodyDef& d) {
    if (!givesInertia(d)) return {};
    const Vec3d i = widen(d.inertia);
    if (!(i.x > 0 && i.y > 0 && i.z > 0))
        return Error{"inertia must have three components above 0, or be left out", "/inertia"};
    // Every solid satisfies Ix + Iy - Iz = 2 int z^2 dm >= 0, and the same for the other axes.
    const double most = max(i.x, max(i.y, i.z)), sum = i.x + i.y + i.z;
    if (sum - most < most - 1e-6 * sum)
        return Error{"the largest component of inertia must not exceed the sum of the others; no solid has "
                     "this inertia",
                     "/inertia"};
    return {};
}

std::optional<Error> checkOwn(const BodyDef& d) {
    if (d.rotation.x == 0 && d.rotation.y == 0 && d.rotation.z == 0 && d.rotation.w == 0)
        return Error{"rotation must not be zero", "/rotation"};
    if (auto e = checkInertia(d)) return e;
    const bool shaped = !leftOut(d.shape) || !d.parts.empty();
    if (d.type == BodyType::Dynamic && !shaped && !(d.mass > 0 && givesInertia(d)))
        return Error{"a dynamic body needs a shape, or mass and inertia", "/shape"};
    return {};
}

std::optional<Error> addShape(const BodyDef& d, const ShapeDef& s, const std::string& where,
                              std::vector<Shape>& shapes, std::vector<double>& densities) {
    Result<Shape> made = makeShape(s);
    if (!made) return Error{made.error().what, where + made.error().where};
    const bool plane = s.kind == ShapeKind::Plane;
    if (d.type == BodyType::Dynamic && (plane || s.kind == ShapeKind::Mesh))
        return Error{std::string("a ") + (plane ? "plane" : "mesh") +
                         " has no mass; its body must be static or kinematic",
                     where + "/kind"};
    shapes.push_back(std::move(*made));
    densities.push_back(widen(s.density > 0 ? s.density : d.density));
    return {};
}

std::optional<Error> checkSpan(double a, double least, const char* name, const char* unit,
                               const std::string& where) {
    if (a >= least && a <= kMost) return {};
    return Error{std::string("the ") + name + " of a dynamic body must lie between " + shortNumber(least) +
                     " and " + shortNumber(kMost) + " " + unit + ", got " + shortNumber(a),
                 where};
}

std::optional<Error> checkMass(const BodyDef& d, double mass, Vec3d inertia) {
    const std::string shapes = leftOut(d.shape) ? "/parts" : "/shape";
    const std::string massAt = d.mass > 0 ? "/mass" : shapes;
    if (auto e = checkSpan(mass, kLeastMass, "mass", "kg", massAt)) return e;
    for (double i : {inertia.x, inertia.y, inertia.z})
        if (auto e = checkSpan(i, kLeastInertia, "inertia", "kg m^2", givesInertia(d) ? "/inertia" : shapes))
            return e;
    return {};
}

// Computes mass, inertia and principal axes of a body from its shapes.
void weigh(const std::vector<double>& densities, Body& b) {
    const BodyDef& d = b.def;
    const CompoundMass sum = b.shapes.empty() ? CompoundMass{} : compoundMass(b.shapes, densities);
    b.mass = d.mass > 0 ? widen(d.mass) : sum.mass;
    b.principal.x = d.centerOfMass ? widen(*d.centerOfMass) : sum.center;
    if (givesInertia(d)) {
        b.inertia = widen(d.inertia);
    } else if (!b.shapes.empty()) {
        const PrincipalAxes p = principalAxes(sum.inertia);
        b.inertia = (b.mass / sum.mass) * p.inertia;
        b.principal.q = p.axes;
    }
}

Quatf narrowed(Quatd q) { return {narrow(q.x), narrow(q.y), narrow(q.z), narrow(q.w)}; }

// Normalises a quaternion. Its bits are kept if its length is 1 up to the rounding of float. So saving and
// loading a scene does not change it.
Quatf tidied(Quatf q) {
    const Quatd wide = {widen(q.x), widen(q.y), widen(q.z), widen(q.w)};
    return abs(dot(wide, wide) - 1) <= 4e-7 ? q : narrowed(normalize(wide));
}

BodyState startOf(const Body& b) {
    const Pose pose = Pose{widen(b.def.position), unitRotation(b.def.rotation)} * b.principal;
    BodyState s;
    s.x = pose.x;
    s.q = pose.q;
    if (b.def.type == BodyType::Dynamic) {
        s.v = widen(b.def.velocity);
        s.L = rotate(s.q, multiply(b.inertia, rotate(conjugate(s.q), widen(b.def.angularVelocity))));
    }
    return s;
}

} // namespace

Status checkBody(const BodyDef& def) {
    Body b;
    BodyState s;
    return makeBody(def, b, s);
}

Status makeBody(const BodyDef& def, Body& body, BodyState& state) {
    if (auto e = checkFields(def)) return *e;
    if (auto e = checkOwn(def)) return *e;
    Body b;
    std::vector<double> densities;
    if (!leftOut(def.shape))
        if (auto e = addShape(def, def.shape, "/shape", b.shapes, densities)) return *e;
    for (std::size_t i = 0; i < def.parts.size(); ++i)
        if (auto e = addShape(def, def.parts[i], "/parts/" + std::to_string(i), b.shapes, densities))
            return *e;

    b.def = def;
    b.def.rotation = tidied(def.rotation);
    b.generation = body.generation;
    b.alive = true;
    weigh(densities, b);
    if (def.type != BodyType::Dynamic) {
        b.mass = 0;
        b.inertia = {0, 0, 0};
    } else if (auto e = checkMass(def, b.mass, b.inertia))
        return *e;
    b.massProperties = {narrow(b.mass), narrow(b.principal.x), narrow(b.inertia), narrowed(b.principal.q)};

    const BodyState s = startOf(b);
    b.target = {s.x, s.q};
    body = std::move(b);
    state = s;
    return done();
}

} // namespace capstan
