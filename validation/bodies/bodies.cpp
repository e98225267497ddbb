// SPDX-License-Identifier: MIT
// Sums over bodies:  p = sum m v,  L = sum (x cross m v + R I R' w),  T = sum (m v^2 + w . R I R' w) / 2. A body has
// the mass m, position x, velocity v, rotation R, inertia I in its local frame, and angular velocity w.
#include <validation/bodies/bodies.hpp>

#include <cmath>

namespace capstan::validation {

namespace {

Quatd unit(Quatf q) { return normalize(Quatd::fromVector(widen(q.vector()), static_cast<double>(q.w))); }

} // namespace

Kept kept(const World& world, const std::vector<BodyId>& bodies) {
    Kept sum;
    for (BodyId body : bodies) {
        const MassProperties& of = world.massProperties(body);
        Quatd axes = attitude(world, body) * unit(of.axes);
        double m = static_cast<double>(of.mass);
        Vec3d w = widen(world.angularVelocity(body));
        Vec3d p = m * widen(world.velocity(body));
        Vec3d own = rotate(axes, multiply(widen(of.inertia), rotate(conjugate(axes), w)));
        sum.momentum += p;
        sum.angular += cross(widen(world.centerOfMass(body)), p) + own;
        sum.energy += dot(p, p) / (2 * m) + dot(w, own) / 2;
        sum.scale += length(p);
    }
    return sum;
}

Quatd attitude(const World& world, BodyId body) { return unit(world.pose(body).rotation); }

Vec3d direction(const World& world, BodyId body, Vec3d own) { return rotate(attitude(world, body), own); }

Quatf aboutZ(double angle) {
    return {0, 0, static_cast<float>(std::sin(angle / 2)), static_cast<float>(std::cos(angle / 2))};
}

double Bar::inertia() const { return mass * (length * length + thickness * thickness) / 12; }

Hung hang(World& world, const Bar& bar, double angle) {
    BodyDef def;
    def.shape = Box{at(bar.thickness, bar.length, bar.thickness)};
    def.mass = static_cast<float>(bar.mass);
    def.position = at(bar.length / 2 * std::sin(angle), -bar.length / 2 * std::cos(angle));
    def.rotation = aboutZ(angle);
    BodyId body = world.add(def);
    JointDef hinge;
    hinge.type = JointType::Hinge;
    hinge.body1 = body;
    hinge.axis = {0, 0, 1};
    return {body, world.add(hinge)};
}

} // namespace capstan::validation
