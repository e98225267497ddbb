// SPDX-License-Identifier: MIT
// See mass.hpp. Closed forms for the moment of inertia of round shapes and the box (density 1, V the volume):
//   box        V/3 (b^2 + c^2) with half edges b, c
//   sphere     2/5 V r^2
//   cylinder   V r^2/2 about its axis, V (r^2/4 + h^2/3) across, with h half its length
//   capsule    the cylinder and two half balls, whose centres of mass lie 3/8 r beyond its ends
// A hull is a signed sum of tetrahedra (o, a, b, c): V = a.(b x c)/6 and the second moment
//   int x x^T = V/20 (a a^T + b b^T + c c^T + s s^T), s = a + b + c
// (Tonon 2004, "Explicit exact formulas for the 3-D tetrahedron inertia tensor"). The inertia is tr(M) 1 - M for a
// second moment M.
// Principal axes are computed by Jacobi's rotations (Golub & Van Loan, Matrix Computations, 8.5).
#include "builder/mass.hpp"

#include <numbers>

namespace capstan {
namespace {

// Inertia of a point mass of 1 kg at r, about the origin.
Sym3<double> pointInertia(Vec3d r) { return Sym3<double>::scaledIdentity(dot(r, r)) - outer(r); }

SolidMass boxMass(Vec3d half) {
    const double v = 8 * half.x * half.y * half.z;
    const Vec3d s = multiply(half, half);
    return {v, {0, 0, 0}, Sym3<double>::diagonal((v / 3) * Vec3d{s.y + s.z, s.x + s.z, s.x + s.y})};
}

SolidMass sphereMass(double r) {
    const double v = 4 * std::numbers::pi / 3 * r * r * r;
    return {v, {0, 0, 0}, Sym3<double>::scaledIdentity(0.4 * v * r * r)};
}

SolidMass cylinderMass(double r, double half) {
    const double v = 2 * std::numbers::pi * r * r * half, across = v * (r * r / 4 + half * half / 3);
    return {v, {0, 0, 0}, Sym3<double>::diagonal({across, 0.5 * v * r * r, across})};
}

// Two half balls have the inertia of one ball along y. Across y, one half ball has 2/5 V r^2 about the
// centre of its flat side, at a distance of 3/8 r from its centre of mass.
SolidMass capsuleMass(double r, double half) {
    const SolidMass rod = cylinderMass(r, half), ball = sphereMass(r);
    const double c = 0.375 * r;
    const double across = 0.4 * r * r - c * c + (half + c) * (half + c);
    return {rod.volume + ball.volume,
            {0, 0, 0},
            rod.inertia + ball.volume * Sym3<double>::diagonal({across, 0.4 * r * r, across})};
}

SolidMass hullMass(const std::vector<Vec3d>& corners, const std::vector<std::array<int, 3>>& triangles) {
    // a near point, so that the signed parts do not cancel.
    const Vec3d o = corners.front();
    double volume = 0;
    Vec3d first = {0, 0, 0};
    Sym3<double> second = {0, 0, 0, 0, 0, 0};
    for (const auto& t : triangles) {
        const Vec3d a = corners[t[0]] - o, b = corners[t[1]] - o, c = corners[t[2]] - o, s = a + b + c;
        const double v = dot(a, cross(b, c)) / 6;
        volume += v;
        first += (v / 4) * s;
        second += (v / 20) * (outer(a) + outer(b) + outer(c) + outer(s));
    }
    const Vec3d center = first / volume;
    second -= volume * outer(center);
    return {volume, o + center, Sym3<double>::scaledIdentity(trace(second)) - second};
}

// Returns the rotation about `axis` that makes the entry `apq` between the two other axes zero. Of the two solutions
// it is the smaller one:
//   cot(2 angle) = (app - aqq) / (2 apq)
Quatd jacobiTurn(Vec3d axis, double app, double aqq, double apq) {
    const double cotangent = (app - aqq) / (2 * apq);
    const double t = withSign(1 / (abs(cotangent) + sqrt(1 + cotangent * cotangent)), cotangent);
    const double c = 1 / sqrt(1 + t * t), halfCos = sqrt(0.5 * (1 + c));
    return Quatd::fromVector((t * c / (2 * halfCos)) * axis, halfCos);
}

double offDiagonal(const Sym3<double>& a) { return max(abs(a.xy), max(abs(a.xz), abs(a.yz))); }

} // namespace

SolidMass solidMass(const Shape& s) {
    switch (s.kind) {
    case ShapeKind::Box:
        return boxMass(s.half);
    case ShapeKind::Sphere:
        return sphereMass(s.radius);
    case ShapeKind::Capsule:
        return capsuleMass(s.radius, s.halfLength);
    case ShapeKind::Cylinder:
        return cylinderMass(s.radius, s.halfLength);
    case ShapeKind::Hull:
        return hullMass(s.corners, s.triangles);
    case ShapeKind::Plane: // planes and meshes have no volume; their bodies are not dynamic and need none
    case ShapeKind::Mesh:
    case ShapeKind::None:
        break;
    }
    return {};
}

SolidMass placed(const SolidMass& m, const Pose& at) {
    // congruence() would leave rounding errors off the diagonal of a box without rotation.
    if (at.q.x == 0 && at.q.y == 0 && at.q.z == 0) return {m.volume, at.point(m.center), m.inertia};
    return {m.volume, at.point(m.center), congruence(toMat3(at.q), m.inertia)};
}

CompoundMass compoundMass(const std::vector<Shape>& shapes, const std::vector<double>& densities) {
    std::vector<SolidMass> parts;
    for (const Shape& s : shapes) parts.push_back(placed(solidMass(s), s.at));
    CompoundMass sum;
    Vec3d moment = {0, 0, 0};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        sum.mass += densities[i] * parts[i].volume;
        moment += (densities[i] * parts[i].volume) * parts[i].center;
    }
    sum.center = parts.size() == 1 || sum.mass == 0 ? parts[0].center : moment / sum.mass;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const SolidMass& p = parts[i];
        sum.inertia += densities[i] * (p.inertia + p.volume * pointInertia(p.center - sum.center));
    }
    return sum;
}

PrincipalAxes principalAxes(const Sym3<double>& inertia) {
    PrincipalAxes p;
    Sym3<double> a = inertia;
    if (!(offDiagonal(a) <= 1e-12 * trace(a))) {
        auto turn = [&](Quatd by) {
            p.axes = normalize(p.axes * by);
            // Computed from the input, so that rounding errors do not accumulate.
            a = congruence(transpose(toMat3(p.axes)), inertia);
        };
        // Four sweeps are enough, because each doubles the number of correct digits; 10 is a safe bound.
        for (int sweep = 0; sweep < 10 && offDiagonal(a) > 1e-16 * trace(a); ++sweep) {
            if (a.xy != 0) turn(jacobiTurn({0, 0, 1}, a.xx, a.yy, a.xy));
            if (a.yz != 0) turn(jacobiTurn({1, 0, 0}, a.yy, a.zz, a.yz));
            if (a.xz != 0) turn(jacobiTurn({0, 1, 0}, a.zz, a.xx, a.xz));
        }
    }
    p.inertia = {a.xx, a.yy, a.zz};
    return p;
}

} // namespace capstan
